//! A pipeline that runs: the lock at its source, and the queues of its stages.
//!
//! An item costs a lock and an insertion into a tree at each stage (O(log w) if w items wait there), and a job if another thread carries it
//! on. Memory: the items on the way.

use crate::core::Scope;
use crate::core::unwind::{catch, resume};
use crate::sync::{AtomicBool, Mutex, Ordering::Relaxed, lock};
use std::collections::BTreeMap;
use std::mem;

/// A pipeline's source and its first stage, with all that follow.
pub struct PipelineRun<I, N> {
    first: N,
    valve: Mutex<Valve<I>>,
    /// Whether a part has panicked: then no item is drawn or worked on any more.
    is_over: AtomicBool,
}

struct Valve<I> {
    /// None while it is asked for an item, and once it has ended or has panicked.
    source: Option<I>,
    /// How many items were drawn.
    drawn: usize,
    most: usize,
    on_the_way: usize,
    /// Whether a job draws an item, or is about to.
    is_drawing: bool,
}

impl<I: Iterator, N> PipelineRun<I, N> {
    pub(super) fn new(source: I, first: N, most: usize) -> Self {
        PipelineRun {
            first,
            valve: Mutex::new(Valve {
                source: Some(source),
                drawn: 0,
                most,
                on_the_way: 0,
                is_drawing: true,
            }),
            is_over: AtomicBool::new(false),
        }
    }
}

impl<I, N> PipelineRun<I, N>
where
    I: Iterator<Item: Send> + Send,
    N: Sink<I::Item>,
{
    /// Draws an item, and carries it as far as it gets. Another job draws the next one.
    pub(super) fn draw<'s>(&'s self, scope: &Scope<'s>) {
        if self.is_over() {
            return;
        }
        let mut source = lock(&self.valve).source.take();
        let item = or_over(self, || source.as_mut().and_then(Iterator::next));
        let Some(item) = item else { return };
        let mut valve = lock(&self.valve);
        valve.source = source;
        valve.on_the_way += 1;
        valve.drawn += 1;
        let number = valve.drawn - 1;
        let has_room = valve.on_the_way < valve.most;
        valve.is_drawing = has_room;
        drop(valve);
        if has_room {
            scope.spawn(|scope| self.draw(scope));
        }
        self.first.put(self, scope, number, item);
    }
}

/// Where it is told that an item has come out, or that a part has panicked.
pub trait Overseer: Sync {
    fn came_out<'s>(&'s self, scope: &Scope<'s>);

    fn end(&self);

    /// Whether it has been told to end.
    fn is_over(&self) -> bool;
}

/// Calls the user's code, and ends the pipeline if it panics.
fn or_over<R>(run: &dyn Overseer, f: impl FnOnce() -> R) -> R {
    catch(f).unwrap_or_else(|payload| {
        run.end();
        resume(payload)
    })
}

impl<I, N> Overseer for PipelineRun<I, N>
where
    I: Iterator<Item: Send> + Send,
    N: Sink<I::Item>,
{
    fn came_out<'s>(&'s self, scope: &Scope<'s>) {
        let mut valve = lock(&self.valve);
        valve.on_the_way -= 1;
        let is_drawing = mem::replace(&mut valve.is_drawing, true);
        drop(valve);
        if !is_drawing {
            scope.spawn(|scope| self.draw(scope));
        }
    }

    fn end(&self) {
        self.is_over.store(true, Relaxed);
    }

    fn is_over(&self) -> bool {
        // Nothing is read that was written before; who sees it late does an item more.
        self.is_over.load(Relaxed)
    }
}

/// Where items go.
pub trait Sink<T>: Sync {
    /// Takes an item by its number, and carries it, or another one that waits, as far as it gets.
    fn put<'s>(&'s self, run: &'s dyn Overseer, scope: &Scope<'s>, number: usize, item: T);
}

/// Behind the last stage.
pub struct PipelineEnd;

impl Sink<()> for PipelineEnd {
    fn put<'s>(&'s self, run: &'s dyn Overseer, scope: &Scope<'s>, _: usize, _: ()) {
        run.came_out(scope);
    }
}

/// The last stage.
pub(super) fn last<T>(f: impl FnMut(T) + Send) -> PipelineStage<T, impl Fn(T) + Sync, PipelineEnd> {
    PipelineStage::new(1, true, one_at_a_time(f), PipelineEnd)
}

/// A closure that is called by one thread at a time, as its stage has a limit of one.
pub(super) fn one_at_a_time<T, U>(f: impl FnMut(T) -> U + Send) -> impl Fn(T) -> U + Sync {
    let f = Mutex::new(f);
    move |item| {
        let mut f = f.lock().expect("no call follows one that panicked");
        f(item)
    }
}

/// A stage that runs, and what is behind it.
pub struct PipelineStage<T, F, N> {
    limit: usize,
    in_order: bool,
    body: F,
    next: N,
    queue: Mutex<Queue<T>>,
}

/// The items of a stage.
struct Queue<T> {
    /// Those that wait, by their numbers.
    waiting: BTreeMap<usize, T>,
    /// How many are being worked on.
    running: usize,
    /// How many were begun.
    begun: usize,
}

impl<T, F, N> PipelineStage<T, F, N> {
    fn new(limit: usize, in_order: bool, body: F, next: N) -> Self {
        let queue = Queue {
            waiting: BTreeMap::new(),
            running: 0,
            begun: 0,
        };
        PipelineStage {
            limit,
            in_order,
            body,
            next,
            queue: Mutex::new(queue),
        }
    }
}

impl<T: Send, U: Send, F: Fn(T) -> U + Sync, N: Sink<U>> PipelineStage<T, F, N> {
    /// The next item, if one more may be worked on: its number, and itself.
    fn begin(&self, queue: &mut Queue<T>) -> Option<(usize, T)> {
        let (&number, _) = queue.waiting.first_key_value()?;
        if queue.running == self.limit || self.in_order && number != queue.begun {
            return None;
        }
        queue.running += 1;
        queue.begun += 1;
        queue.waiting.pop_first()
    }

    fn work<'s>(&'s self, run: &'s dyn Overseer, scope: &Scope<'s>, number: usize, item: T) {
        if run.is_over() {
            return;
        }
        let result = or_over(run, || (self.body)(item));
        let mut queue = lock(&self.queue);
        queue.running -= 1;
        let other = self.begin(&mut queue);
        drop(queue);
        if let Some((number, item)) = other {
            scope.spawn(move |scope| self.work(run, scope, number, item));
        }
        self.next.put(run, scope, number, result);
    }
}

impl<T: Send, U: Send, F: Fn(T) -> U + Sync, N: Sink<U>> Sink<T> for PipelineStage<T, F, N> {
    fn put<'s>(&'s self, run: &'s dyn Overseer, scope: &Scope<'s>, number: usize, item: T) {
        let mut queue = lock(&self.queue);
        queue.waiting.insert(number, item);
        let first = self.begin(&mut queue);
        drop(queue);
        if let Some((number, item)) = first {
            self.work(run, scope, number, item);
        }
    }
}

/// The stages of a pipeline before its end is known.
pub trait Stages<T> {
    /// What comes out of the last one.
    type Out;
    /// The stages, and what is behind them.
    type Before<N: Sink<Self::Out>>: Sink<T>;

    fn before<N: Sink<Self::Out>>(self, next: N) -> Self::Before<N>;
}

/// No stage yet.
pub struct NoStage;

impl<T> Stages<T> for NoStage {
    type Out = T;
    type Before<N: Sink<T>> = N;

    fn before<N: Sink<T>>(self, next: N) -> N {
        next
    }
}

/// Stages, and one more behind them.
pub struct Then<S, F> {
    pub(super) first: S,
    pub(super) limit: usize,
    pub(super) in_order: bool,
    pub(super) body: F,
}

impl<T, U, S, F> Stages<T> for Then<S, F>
where
    S: Stages<T, Out: Send>,
    U: Send,
    F: Fn(S::Out) -> U + Sync,
{
    type Out = U;
    type Before<N: Sink<U>> = S::Before<PipelineStage<S::Out, F, N>>;

    fn before<N: Sink<U>>(self, next: N) -> Self::Before<N> {
        let stage = PipelineStage::new(self.limit, self.in_order, self.body, next);
        self.first.before(stage)
    }
}

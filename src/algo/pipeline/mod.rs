//! Pipelines: items go through stages on several threads, and come out in order. A bound limits how many are on the way.
//!
//! ```
//! use filch::algo::pipeline;
//!
//! let lines = "3 4\n1 2\n5 5".lines();
//! let mut out = String::new();
//! pipeline(lines)
//!     .stage(4, |line: &str| line.split(' ').map(|x| x.parse::<u32>().unwrap()).collect::<Vec<_>>())
//!     .stage(2, |numbers: Vec<u32>| numbers.iter().sum::<u32>())
//!     .for_each(|sum| out += &format!("{sum} "));
//! assert_eq!(out, "7 3 10 ");
//! ```
//!
//! | part | runs |
//! |---|---|
//! | the source, an iterator | one call at a time, in order |
//! | [`stage(n, f)`](Pipeline::stage) | up to `n` items at a time, in any order |
//! | [`in_order(f)`](Pipeline::in_order) | one item at a time, in order; `f` may have a state |
//! | [`for_each(f)`](Pipeline::for_each), the end | one item at a time, in order; `f` may have a state |
//!
//! Unlike a step in a chain of adaptors, a stage has a limit of its own, such as that of a device, a licence, or memory. If no stage needs
//! one, a chain on [`par_bridge_ordered`](crate::ext::ParallelBridgeOrdered::par_bridge_ordered) costs less for each item.
//!
//! A thread carries an item from stage to stage. If a stage is full, the thread leaves the item there, and does other work. The thread that
//! leaves the stage lets a waiting item go on. So no thread blocks. (As in the pipelines of TBB: Reinders, *Intel Threading Building
//! Blocks*, 2007, chapter 3.)
//!
//! Work: the calls, and about a microsecond for each item. Span: the calls of the slowest part that cannot overlap, and the calls for one
//! item. Memory: the items on the way (4 for each thread, unless [`in_flight`](Pipeline::in_flight) says otherwise), and at most two jobs
//! for each of them.
//!
//! # Measured
//!
//! <!-- measured: pipeline -->
//! Measured, `pipeline` of a hundredth of 1,000,000 items, through a stage of 3 µs and an end of 0.1 µs: work 25 ms, span 370 µs, so up to 69 threads can be of use.

mod run;

use crate::core::{current_num_threads, scope};
use run::{NoStage, PipelineRun, Stages, Then};
use std::fmt::{self, Debug, Formatter};

/// Items on the way for each thread.
const A_THREAD: usize = 4;

/// A pipeline that begins with the items of `source`.
///
/// It is lazy: nothing runs before [`for_each`](Pipeline::for_each). Then `source` is asked for an item when there is room for one, by one
/// thread of the pool at a time. See the [module](self) for an example and costs.
///
/// ```
/// use std::sync::Mutex;
/// let squares = Mutex::new(Vec::new());
/// filch::algo::pipeline(1..=4).stage(2, |x: i32| x * x).for_each(|x| squares.lock().unwrap().push(x));
/// assert_eq!(squares.into_inner().unwrap(), [1, 4, 9, 16]);
/// ```
#[doc(alias("parallel_pipeline", "filter_mode", "stages"))]
pub fn pipeline<I: Iterator>(source: I) -> Pipeline<I, NoStage> {
    Pipeline {
        source,
        stages: NoStage,
        in_flight: None,
    }
}

/// A source and stages. Nothing runs before [`for_each`](Self::for_each). Made by [`pipeline`].
///
/// ```
/// let doubled = filch::algo::pipeline(0..3).stage(1, |x: i32| 2 * x);
/// doubled.for_each(|x| assert!(x % 2 == 0));
/// ```
#[must_use = "a pipeline does nothing before `for_each`"]
pub struct Pipeline<I, S> {
    source: I,
    stages: S,
    in_flight: Option<usize>,
}

impl<I: Debug, S> Debug for Pipeline<I, S> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pipeline")
            .field("source", &self.source)
            .field("in_flight", &self.in_flight)
            .finish_non_exhaustive()
    }
}

impl<I: Iterator, S: Stages<I::Item>> Pipeline<I, S> {
    /// Adds a stage that works on up to `limit` items at a time, in any order.
    ///
    /// ```
    /// let mut squares = Vec::new();
    /// filch::algo::pipeline(1..4).stage(2, |x| x * x).for_each(|x| squares.push(x));
    /// assert_eq!(squares, [1, 4, 9]);
    /// ```
    ///
    /// # Panics
    ///
    /// If `limit` is 0.
    #[doc(alias("parallel_stage", "filter"))]
    #[track_caller]
    pub fn stage<F, U>(self, limit: usize, f: F) -> Pipeline<I, Then<S, F>>
    where
        F: Fn(S::Out) -> U + Sync,
        U: Send,
    {
        assert!(limit > 0, "filch: a stage for no items at a time");
        self.then(limit, false, f)
    }

    /// Adds a stage that works on one item at a time, in the order of the source, and may have a state.
    ///
    /// ```
    /// let (mut sum, mut sums) = (0, Vec::new());
    /// filch::algo::pipeline([3, 4, 5].into_iter())
    ///     .in_order(|x| { sum += x; sum })
    ///     .for_each(|sum| sums.push(sum));
    /// assert_eq!(sums, [3, 7, 12]);
    /// ```
    #[doc(alias("serial_in_order"))]
    pub fn in_order<F, U>(self, f: F) -> Pipeline<I, Then<S, impl Fn(S::Out) -> U + Sync>>
    where
        F: FnMut(S::Out) -> U + Send,
        U: Send,
    {
        self.then(1, true, run::one_at_a_time(f))
    }

    /// Limits how many items are on the way at a time: taken from the source, and not yet out at the end. By default 4 for each thread of the pool.
    ///
    /// ```
    /// let mut all = Vec::new();
    /// filch::algo::pipeline(0..3).in_flight(1).stage(9, |x| x).for_each(|x| all.push(x));
    /// assert_eq!(all, [0, 1, 2]);
    /// ```
    ///
    /// # Panics
    ///
    /// If `items` is 0.
    #[doc(alias("max_number_of_live_tokens", "tokens"))]
    #[track_caller]
    pub fn in_flight(mut self, items: usize) -> Self {
        assert!(items > 0, "filch: a pipeline for no items");
        self.in_flight = Some(items);
        self
    }

    /// Runs the pipeline in the current pool, and calls `f` with each item that comes out, one at a time, in the order of the source.
    ///
    /// Returns when all items have come out.
    ///
    /// ```
    /// let mut words = Vec::new();
    /// filch::algo::pipeline("a b".split(' ')).for_each(|word| words.push(word));
    /// assert_eq!(words, ["a", "b"]);
    /// ```
    ///
    /// # Panics
    ///
    /// If the source, a stage or `f` panics: with one such panic. The items that came out before are in order and without a gap. Some items
    /// after them may have been taken from the source and worked on; they are dropped. Soon after the panic
    /// has unwound, no more items are taken from the source or given to a stage: a thread that has just looked may still do one of both. Calls
    /// that had begun before go on, and are awaited.
    pub fn for_each<F>(self, f: F)
    where
        I: Send,
        I::Item: Send,
        S::Out: Send,
        F: FnMut(S::Out) + Send,
    {
        let most = self.in_flight.unwrap_or(A_THREAD * current_num_threads());
        let run = PipelineRun::new(self.source, self.stages.before(run::last(f)), most);
        let run = &run;
        scope(|scope| run.draw(scope));
    }

    fn then<F>(self, limit: usize, in_order: bool, body: F) -> Pipeline<I, Then<S, F>> {
        Pipeline {
            source: self.source,
            stages: Then {
                first: self.stages,
                limit,
                in_order,
                body,
            },
            in_flight: self.in_flight,
        }
    }
}

//! The meter of work and span with the feature `trace`: what [`measure`](crate::trace::measure) counts on its thread, strand by strand.

mod blocks;

use self::blocks::{Blocks, Loop, Mark, MeteredBlock};
use crate::core::clock;
use crate::sync::{AtomicUsize, Ordering, per_thread, planted};
use std::cell::RefCell;
use std::mem;

/// How many threads have a meter.
static METERS: AtomicUsize = AtomicUsize::new(0);

per_thread! {
    static METER: RefCell<Option<Box<Meter>>> = const { RefCell::new(None) };
}

/// Lengths of the longest path to here, in ticks: one for each answer to how long a loop is, which the constants below name.
pub(crate) type Paths = [u64; 4];
/// A loop is as long as the most expensive item, where all items of a block are taken for equal.
pub(crate) const SPAN: usize = 0;
/// A loop is as long as the most expensive block, if one of its items took all of its time.
pub(crate) const WORST: usize = 1;
/// A loop is as long as what the rules of the iterators make of it.
pub(crate) const RULES: usize = 2;
/// The same, and each part that is handed over is late.
pub(crate) const BURDENED: usize = 3;

/// The kinds of strands, by what ends them: their overheads differ.
const FORK: usize = 0;
const RUN: usize = 1;
const END: usize = 2;
const JOIN: usize = 3;
pub(crate) const KINDS: usize = 4;

/// What is measured by.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    pub(crate) clock: fn() -> u64,
    /// What is taken off each strand that ends at a fork, where its job begins, where that ends, and where its owner goes on.
    pub(crate) overhead: [u64; KINDS],
    /// How much later a part begins that is handed over.
    pub(crate) burden: u64,
    /// The least part of a loop that is handed over.
    pub(crate) share: u64,
    /// How many threads there seem to be.
    pub(crate) threads: usize,
}

impl Rules {
    /// By the true clock.
    pub(crate) fn real(threads: usize, share: f64) -> Rules {
        Rules {
            clock: clock::ticks,
            overhead: [0; KINDS],
            burden: share as u64,
            share: share as u64,
            threads,
        }
    }
}

/// What was measured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Measured {
    pub(crate) work: u64,
    pub(crate) paths: Paths,
    pub(crate) forks: u64,
    pub(crate) loops: u64,
    /// The shortest strand of each kind; `u64::MAX` if there is none.
    pub(crate) least: [u64; KINDS],
}

/// What a thread has measured so far.
pub(crate) struct Meter {
    rules: Rules,
    /// Since when it runs what it runs.
    mark: u64,
    so_far: Measured,
    /// The jobs that are on offer, with the paths to where they were offered.
    offered: Vec<(u64, Paths)>,
    /// Those that have run and were not regained yet.
    ended: Vec<(u64, Ended)>,
    /// For scopes, the longest paths to an end of a part.
    scopes: Vec<(u64, Paths)>,
    loops: Vec<Loop>,
}

/// Where a job ended.
#[derive(Clone, Copy)]
struct Ended {
    paths: Paths,
    /// It was a part of the innermost loop, not of an item of that loop.
    is_part: bool,
}

/// Whether this thread is metered.
#[inline]
pub(crate) fn is_on() -> bool {
    with(|_| ()).is_some()
}

#[inline]
fn with<R>(run: impl FnOnce(&mut Meter) -> R) -> Option<R> {
    if METERS.load(Ordering::Relaxed) == 0 {
        return None;
    }
    with_any(run)
}

#[cold]
fn with_any<R>(run: impl FnOnce(&mut Meter) -> R) -> Option<R> {
    // A destructor may run a parallel call when the thread's meter is gone already; then nothing is metered.
    let ran = METER.try_with(|meter| meter.borrow_mut().as_deref_mut().map(run));
    ran.ok().flatten()
}

/// A meter on this thread, until this is dropped.
pub(crate) struct Metered(());

impl Metered {
    /// There is none yet: a metered closure runs on a thread of its own.
    pub(crate) fn begin(rules: Rules) -> Metered {
        let meter = Meter {
            rules,
            mark: (rules.clock)(),
            so_far: Measured {
                least: [u64::MAX; KINDS],
                ..Measured::default()
            },
            offered: Vec::new(),
            ended: Vec::new(),
            scopes: Vec::new(),
            loops: Vec::new(),
        };
        METER.with_borrow_mut(|place| *place = Some(Box::new(meter)));
        METERS.fetch_add(1, Ordering::Relaxed);
        Metered(())
    }

    /// What was measured.
    pub(crate) fn end(self) -> Measured {
        let measured = with(|meter| {
            meter.strand(None);
            // Jobs that were spawned, and that no thread waits for.
            meter.join_scope(DETACHED);
            meter.so_far
        });
        measured.expect("it is this thread's")
    }
}

impl Drop for Metered {
    fn drop(&mut self) {
        METERS.fetch_sub(1, Ordering::Relaxed);
        let _ = METER.try_with(RefCell::take);
    }
}

/// How many threads there seem to be, if this one is metered.
#[inline]
pub(crate) fn threads() -> Option<usize> {
    with(|meter| meter.rules.threads)
}

/// A join offers a job.
#[inline]
pub(crate) fn fork(job: u64) {
    with(|meter| {
        meter.strand(Some(FORK));
        meter.so_far.forks += 1;
        meter.offered.push((job, meter.so_far.paths));
        meter.go_on();
    });
}

/// A job that runs, and where this thread was.
pub(crate) struct Running(Option<(u64, PathBefore)>);

/// Where a thread was before it ran a job.
struct PathBefore {
    paths: Paths,
    /// The work so far, and what was known of the innermost loop.
    work: u64,
    under_way: Option<Mark>,
}

/// A job runs from here.
#[inline]
pub(crate) fn run(job: u64) -> Running {
    let before = with(|meter| {
        // A job of a scope knows where it begins; see `Moment`.
        let offered = take(&mut meter.offered, job)?;
        meter.strand(Some(RUN));
        let paths = mem::replace(&mut meter.so_far.paths, offered);
        meter.so_far.paths[BURDENED] += meter.rules.burden;
        let under_way = meter.loops.last_mut().map(|under_way| {
            // If it is a part of the loop, its first block begins here.
            let mark = under_way.mark;
            under_way.mark.work = meter.so_far.work;
            under_way.mark.paths = meter.so_far.paths;
            mark
        });
        meter.go_on();
        let before = PathBefore {
            paths,
            work: meter.so_far.work,
            under_way,
        };
        Some((job, before))
    });
    Running(before.flatten())
}

impl Running {
    /// Until here.
    #[inline]
    pub(crate) fn end(self) {
        if let Some((job, before)) = self.0 {
            with(|meter| {
                meter.strand(Some(END));
                let paths = mem::replace(&mut meter.so_far.paths, before.paths);
                let worked = meter.so_far.work - before.work;
                let is_part = meter.leave_part(before.under_way, worked);
                meter.ended.push((job, Ended { paths, is_part }));
                meter.go_on();
            });
        }
    }
}

/// Its owner goes on.
#[inline]
pub(crate) fn join(job: u64) {
    with(|meter| {
        if let Some(end) = take(&mut meter.ended, job) {
            meter.strand(Some(JOIN));
            let before = meter.so_far.paths;
            later(&mut meter.so_far.paths, end.paths);
            if end.is_part {
                // Its blocks have said how long it is; the next one does not begin before it ends.
                meter.skip(before);
            }
            meter.go_on();
        }
    });
}

/// Stands for the scope of jobs that no thread waits for.
pub(crate) const DETACHED: u64 = 0;

/// A moment on the path of what is metered, if anything is.
#[derive(Clone, Copy)]
pub(crate) struct Moment(Option<Paths>);

/// The path to here.
#[inline]
pub(crate) fn here() -> Moment {
    Moment(with(|meter| {
        meter.strand(None);
        meter.so_far.forks += 1;
        meter.so_far.paths
    }))
}

impl Moment {
    /// Does what begins at this moment, and does not unwind.
    #[inline]
    pub(crate) fn run(self, run: impl FnOnce()) {
        let before = self.0.and_then(|paths| {
            with(|meter| {
                meter.strand(None);
                let before = mem::replace(&mut meter.so_far.paths, paths);
                meter.so_far.paths[BURDENED] += meter.rules.burden;
                meter.go_on();
                before
            })
        });
        run();
        if let Some(before) = before {
            with(|meter| {
                meter.strand(None);
                meter.so_far.paths = before;
                meter.go_on();
            });
        }
    }
}

/// A part of a scope ends.
#[inline]
pub(crate) fn part_ends(scope: u64) {
    with(|meter| {
        meter.strand(None);
        let paths = meter.so_far.paths;
        match meter.scopes.iter_mut().rev().find(|(of, _)| *of == scope) {
            Some((_, end)) => later(end, paths),
            None => meter.scopes.push((scope, paths)),
        }
        meter.go_on();
    });
}

/// All of them have ended.
#[inline]
pub(crate) fn all_ended(scope: u64) {
    with(|meter| {
        meter.strand(None);
        meter.join_scope(scope);
        meter.go_on();
    });
}

/// A loop that runs until this is dropped.
pub(crate) struct Looping(bool);

/// A loop begins here.
#[inline]
pub(crate) fn begin_loop() -> Looping {
    let is_on = with(|meter| {
        meter.strand(None);
        meter.so_far.loops += 1;
        let so_far = &meter.so_far;
        meter.loops.push(Loop {
            begin: so_far.paths,
            mark: Mark {
                work: so_far.work,
                paths: so_far.paths,
                blocks: 0,
            },
            blocks: Blocks::default(),
        });
        meter.go_on();
    });
    Looping(is_on.is_some())
}

/// So many items of the loop are done since the last time.
#[inline]
pub(crate) fn block(items: usize) {
    with(|meter| {
        meter.strand(None);
        if let Some(under_way) = meter.loops.last_mut() {
            let Measured { work, paths, .. } = meter.so_far;
            let mark = under_way.mark;
            under_way.blocks.push(MeteredBlock {
                items: items.max(1),
                work: work - mark.work,
                paths: mark.since(paths),
            });
            under_way.mark = Mark {
                work,
                paths,
                blocks: mark.blocks + 1,
            };
        }
        meter.go_on();
    });
}

impl Drop for Looping {
    fn drop(&mut self) {
        if self.0 {
            with(|meter| {
                meter.strand(None);
                meter.end_loop();
                meter.go_on();
            });
        }
    }
}

impl Meter {
    /// A strand ends: what ran since the mark is added to the work and to all paths. `kind` says what ended it.
    fn strand(&mut self, kind: Option<usize>) {
        let now = (self.rules.clock)();
        let mut ticks = now.saturating_sub(mem::replace(&mut self.mark, now));
        if let Some(kind) = kind {
            let least = &mut self.so_far.least[kind];
            *least = ticks.min(*least);
            ticks = ticks.saturating_sub(self.rules.overhead[kind]);
        }
        self.so_far.work += ticks;
        self.so_far.paths = self.so_far.paths.map(|path| path + ticks);
    }

    /// The user's code goes on: what the meter did does not count.
    fn go_on(&mut self) {
        self.mark = (self.rules.clock)();
    }

    fn join_scope(&mut self, scope: u64) {
        if let Some(end) = take(&mut self.scopes, scope) {
            later(&mut self.so_far.paths, end);
        }
    }

    /// A job has ended, and took so much work: the loop is again at `before`. Whether the job was a part of the loop: then it has told of blocks.
    fn leave_part(&mut self, before: Option<Mark>, worked: u64) -> bool {
        let Some((under_way, mark)) = self.loops.last_mut().zip(before) else {
            return false;
        };
        let is_part = under_way.mark.blocks != mark.blocks;
        let blocks = mem::replace(&mut under_way.mark, mark).blocks;
        if is_part {
            // What the job did is in its blocks, not in the one that this thread is in.
            under_way.mark.work += worked;
            under_way.mark.blocks = blocks;
        }
        is_part
    }

    /// What was added to the paths since they were `before` is counted in no block.
    fn skip(&mut self, before: Paths) {
        if let Some(under_way) = self.loops.last_mut() {
            let jumps = self.so_far.paths.iter().zip(before);
            let marks = under_way.mark.paths.iter_mut();
            marks
                .zip(jumps)
                .for_each(|(mark, (now, before))| *mark += now - before);
        }
    }

    /// Puts the loop in the place of what its items took one after another.
    fn end_loop(&mut self) {
        let Some(Loop {
            begin,
            mark,
            blocks,
        }) = self.loops.pop()
        else {
            return;
        };
        let lengths = blocks.lengths(&self.rules);
        let rest = mark.since(self.so_far.paths);
        for (n, path) in self.so_far.paths.iter_mut().enumerate() {
            *path = begin[n] + lengths[n] + rest[n];
        }
    }
}

/// Takes what belongs to `key`, of pairs of which the newest is wanted first.
fn take<T>(pairs: &mut Vec<(u64, T)>, key: u64) -> Option<T> {
    let at = pairs.iter().rposition(|&(of, _)| of == key)?;
    Some(pairs.remove(at).1)
}

/// Whatever goes on after both, goes on after the longer ones.
fn later(paths: &mut Paths, others: Paths) {
    paths
        .iter_mut()
        .zip(others)
        .for_each(|(a, b)| *a = if planted!("sum") { *a + b } else { b.max(*a) });
}

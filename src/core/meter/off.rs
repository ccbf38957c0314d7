//! The meter of work and span without the feature `trace`: the functions of `on.rs`, empty.

/// Stands for the scope of jobs that no thread waits for.
pub(crate) const DETACHED: u64 = 0;

/// A moment on the path of what is metered.
#[derive(Clone, Copy)]
pub(crate) struct Moment;

/// A job that runs.
pub(crate) struct Running;

/// A loop that runs.
pub(crate) struct Looping;

#[inline(always)]
pub(crate) fn is_on() -> bool {
    false
}

#[inline(always)]
pub(crate) fn threads() -> Option<usize> {
    None
}

#[inline(always)]
pub(crate) fn fork(_: u64) {}

#[inline(always)]
pub(crate) fn run(_: u64) -> Running {
    Running
}

impl Running {
    #[inline(always)]
    pub(crate) fn end(self) {}
}

#[inline(always)]
pub(crate) fn join(_: u64) {}

#[inline(always)]
pub(crate) fn here() -> Moment {
    Moment
}

impl Moment {
    #[inline(always)]
    pub(crate) fn run(self, run: impl FnOnce()) {
        run();
    }
}

#[inline(always)]
pub(crate) fn part_ends(_: u64) {}

#[inline(always)]
pub(crate) fn all_ended(_: u64) {}

#[inline(always)]
pub(crate) fn begin_loop() -> Looping {
    Looping
}

#[inline(always)]
pub(crate) fn block(_: usize) {}

//! Whether a thread is in the midst of a run, so that whatever starts is nested in it.

use crate::core::worker::Worker;
use std::cell::Cell;

/// For as long as this lives, the thread is in a run, or is not; then it is as before, even if the run panics.
pub(super) struct Driving<'w> {
    flag: &'w Cell<bool>,
    before: bool,
}

impl<'w> Driving<'w> {
    #[inline]
    pub(super) fn begin(worker: Worker<'w>, now: bool) -> Driving<'w> {
        let flag = &worker.own().driving;
        let before = flag.replace(now);
        Driving { flag, before }
    }
}

impl Drop for Driving<'_> {
    #[inline]
    fn drop(&mut self) {
        self.flag.set(self.before);
    }
}

//! The state that the driver of parallel iterators keeps for each thread.
//!
//! It is on the lowest floor, beside [`sync`](crate::sync), because each desk of the core has one. The core only says when jobs and calls
//! begin and end, and reads nothing of it.

use crate::sync::Cell;

/// The driver's part of a desk. Only the thread at the desk touches it.
pub(crate) struct Driver {
    /// An iterator is being driven here, so whatever starts now is nested in it.
    pub(crate) driving: Cell<bool>,
    /// Work that was not handed over because no thread was awake, in ticks of the clock: what a wake-up would have to pay for.
    pub(crate) debt: Cell<u64>,
    /// How much debt has to add up before a thread is woken for it: a multiple, doubled by each wake-up that came to nothing.
    pub(crate) patience: Cell<u32>,
    /// How many cuts of pieces without a length this thread is inside of, in all jobs on its stack.
    pub(crate) cuts: Cell<usize>,
    /// When the clock was last read for nested calls, or when the iterator around them began, in ticks; 0 if it was not read at that begin.
    pub(crate) read_at: Cell<u64>,
    /// How many more calls, or readings of the clock between nested calls, until one gets a look by chance.
    pub(crate) until_drawn: Cell<u32>,
    /// How much remembered work nested calls may do until the clock is read, in ticks; if it is not above 0, looks are due.
    pub(crate) allowance: Cell<f64>,
    /// In a pool of one thread: the nested call that begins is to be measured.
    pub(crate) due: Cell<bool>,
    /// How many more tiny calls until the second half of one is timed.
    pub(crate) tiny: Cell<u32>,
}

/// What was so before a job began.
#[must_use]
pub(crate) struct Interrupted {
    driving: bool,
}

impl Driver {
    pub(crate) fn new() -> Self {
        Driver {
            driving: Cell::new(false),
            debt: Cell::new(0),
            patience: Cell::new(1),
            cuts: Cell::new(0),
            read_at: Cell::new(0),
            until_drawn: Cell::new(0),
            allowance: Cell::new(0.0),
            due: Cell::new(false),
            tiny: Cell::new(0),
        }
    }

    /// A job begins on this thread: it is nested in nothing that is driven below it.
    #[inline]
    pub(crate) fn enter_job(&self) -> Interrupted {
        Interrupted {
            driving: self.driving.replace(false),
        }
    }

    /// That job has ended.
    #[inline]
    pub(crate) fn leave_job(&self, before: Interrupted) {
        self.driving.set(before.driving);
    }

    /// The thread leaves the desk.
    #[inline]
    pub(crate) fn leave_desk(&self) {
        self.driving.set(false);
    }
}

//! The note of wake-ups that found no free right. One thread that has put a right down makes up for them.
//!
//! While it does so, the note says that. Other threads that put rights down add to the note that they did, and leave the rest to that thread: it may have
//! counted the free rights before, and looks again. If each made up for what was missed, a thread could call itself again and again, as long as the first one
//! is kept from its end.

use crate::sync::{AtomicU32, Ordering, planted};

/// The note.
pub(crate) struct Missed(AtomicU32);

/// There was one.
const NOTED: u32 = 1;
/// A thread makes up for those that there were.
const MAKES_UP: u32 = 2;
/// And there was another one meanwhile, or another right was put down.
const AGAIN: u32 = MAKES_UP | NOTED;

impl Missed {
    pub(crate) fn new() -> Self {
        Missed(AtomicU32::new(0))
    }

    /// Whether there is a note, or a thread makes up for one. A hint; a caller that needs an order of memory accesses has a fence of its own.
    #[inline]
    pub(crate) fn any(&self) -> bool {
        self.0.load(Ordering::Relaxed) != 0
    }

    pub(crate) fn note(&self) {
        if self.0.load(Ordering::Relaxed) & NOTED == 0 {
            self.0.fetch_or(NOTED, Ordering::Relaxed);
        }
    }

    /// Whether the calling thread, which has put a right down, is to make up for what was missed. If another thread does so, it [looks again](Missed::end).
    pub(crate) fn begin(&self) -> bool {
        let next = |now| match now {
            0 => None,
            NOTED => Some(MAKES_UP),
            _ if planted!("made") => None,
            _ => Some(AGAIN),
        };
        self.0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, next)
            == Ok(NOTED)
    }

    /// The thread that makes up is done. `more`: the next right that is put down is wanted, too. True: something came meanwhile, and is noted, which stands
    /// for `more` as well.
    pub(crate) fn end(&self, more: bool) -> bool {
        let next = if more { NOTED } else { 0 };
        let ends = self
            .0
            .compare_exchange(MAKES_UP, next, Ordering::Relaxed, Ordering::Relaxed);
        if ends.is_err() {
            self.0.swap(NOTED, Ordering::Relaxed);
        }
        ends.is_err()
    }
}

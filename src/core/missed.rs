//! The note of wake-ups that found no free right. One thread that has put a right down makes up for them.
//!
//! While a thread makes up, the note says so. Another thread that puts a right down meanwhile adds that to the note, and leaves the rest to the first thread. That
//! one may have counted the free rights before, so it looks again. If each thread made up by itself, one could call itself again and again, for as long as the
//! system keeps the first one from its end.

use crate::sync::{AtomicU32, Ordering, planted};

/// The note.
pub(crate) struct Missed(AtomicU32);

/// A wake-up found no free right, and no thread makes up for it yet.
const NOTED: u32 = 1;
/// A thread makes up for the misses that were noted before.
const MAKES_UP: u32 = 2;
/// A thread makes up, and meanwhile there was another miss, or another right was put down.
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

    /// Whether the calling thread, which has put a right down, has to make up for misses. If another thread does so already, that thread [looks again](Missed::end).
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

    /// The thread that makes up is done. `more`: there is work for a further right, so a miss stays noted for the next one that is put down. True: there was a miss
    /// or a right was put down meanwhile. A miss is noted then, whatever `more` says, and the caller has to look again.
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

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::Missed;

    /// One thread makes up for what was missed before. What is missed meanwhile, and a right that is put down meanwhile, is not forgotten.
    #[test]
    fn one_thread_makes_up_for_all_misses() {
        let missed = Missed::new();
        assert!(!missed.any() && !missed.begin());
        (0..2).for_each(|_| missed.note());
        assert!(missed.any() && missed.begin());
        assert!(missed.any() && !missed.end(false) && !missed.any());
        for meanwhile in [Missed::note as fn(&Missed), |missed| {
            assert!(!missed.begin())
        }] {
            for more in [false, true] {
                missed.note();
                assert!(missed.begin());
                meanwhile(&missed);
                assert!(missed.end(more), "it looks again");
                assert!(missed.any() && missed.begin());
                // There is work for a further right.
                assert!(!missed.end(true) && missed.any());
                assert!(missed.begin() && !missed.end(false) && !missed.any());
            }
        }
    }
}

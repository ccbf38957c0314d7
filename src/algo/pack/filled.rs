//! The sweep that fills slots from the front, and what it leaves: the stretch of slots that it filled, and the panic that stopped it, if one did.
//!
//! Each fold fills the slots that belong to its positions from the first on, and may leave some at the end. To join a neighbouring stretch
//! closes that gap, which costs the moves of its elements: see `stretch`.

use super::stretch::SlotStretch;
use crate::algo::sweep::{self, Sweep};
use crate::core::unwind::{Payload, catch};
use std::mem::{self, MaybeUninit};

/// The outcome of a sweep that fills slots.
pub(crate) struct Filled<'a, T> {
    pub(crate) stretch: SlotStretch<'a, T>,
    /// The panic that comes first in the order of the positions.
    pub(crate) panic: Option<Payload>,
}

impl<T: Send> Filled<'_, T> {
    /// Takes in what the next stretch came to, but for its first `skip` elements.
    pub(crate) fn append(&mut self, right: Self, skip: usize) {
        self.stretch.append(right.stretch, skip);
        self.note(right.panic);
    }

    /// Takes a later panic in: only the first one goes on.
    pub(crate) fn note(&mut self, panic: Option<Payload>) {
        if self.panic.is_none() {
            self.panic = panic;
        } else if let Err(third) = catch(|| drop(panic)) {
            mem::forget(third);
        }
    }
}

/// What is done at the positions of a sweep that fills slots.
pub(crate) trait Filling<T>: Sync {
    /// How many slots the positions before `position` fill, at most. Always the same, and never less than for an earlier position.
    fn most_before(&self, position: usize) -> usize {
        position
    }

    /// Goes on from the position `next` to `end`, behind what is in `out`. `next` is moved on: if this panics, never less
    /// far than was reached.
    fn advance(&self, next: &mut usize, end: usize, out: &mut SlotStretch<'_, T>);

    /// Ends a stretch whose positions from `next` on were not reached, if one panicked.
    fn finish(&self, next: usize, out: &mut SlotStretch<'_, T>) {
        let _ = (next, out);
    }

    /// How many of the first elements of `right` are given up, now that it comes behind `left`. It may exchange elements of the two before.
    ///
    /// It is called once for each seam, after both have ended, and before the elements of `right` are appended. The stretch of `right` begins where that
    /// of `left` ends. Either may consist of several that were joined.
    fn give_up(&self, left: &mut Filled<'_, T>, right: &mut SlotStretch<'_, T>) -> usize {
        let _ = (left, right);
        0
    }
}

/// Fills an empty vector, which has room enough, from the first `len` positions; or says what panicked first.
pub(super) fn fill<T: Send, F: Filling<T>>(
    vec: &mut Vec<T>,
    len: usize,
    filling: &F,
) -> Result<(), Payload> {
    assert!(vec.is_empty());
    let room = &mut vec.spare_capacity_mut()[..filling.most_before(len)];
    let Filled { stretch, panic } = fill_slots(room, len, filling);
    let filled = stretch.filled();
    // SAFETY: so many elements are at the front, and the stretch gives them up here.
    unsafe { vec.set_len(filled) };
    panic.map_or(Ok(()), Err)
}

/// Fills slots, as many as the first `len` positions fill at most, from these.
pub(crate) fn fill_slots<'a, T: Send, F: Filling<T>>(
    slots: &'a mut [MaybeUninit<T>],
    len: usize,
    filling: &'a F,
) -> Filled<'a, T> {
    let sweep = FillSweep {
        stretch: SlotStretch::new(slots),
        next: 0,
        filling,
        panic: None,
    };
    sweep::run(len, sweep).0
}

struct FillSweep<'a, T, F> {
    stretch: SlotStretch<'a, T>,
    next: usize,
    filling: &'a F,
    panic: Option<Payload>,
}

impl<'a, T: Send, F: Filling<T>> Sweep for FillSweep<'a, T, F> {
    type Outcome = (Filled<'a, T>, &'a F);

    #[inline]
    fn advance(&mut self, count: usize) {
        if self.is_stuck() {
            return;
        }
        let end = self.next + count;
        // Written only if there is one: half of it, just written, would be read as part of a whole as the sweep ends.
        if let Err(payload) = catch(|| self.filling.advance(&mut self.next, end, &mut self.stretch))
        {
            self.panic = Some(payload);
        }
    }

    fn split_off(&mut self, at: usize) -> Self {
        let cut = self.next + at;
        FillSweep {
            stretch: self.stretch.split_off(self.filling.most_before(cut)),
            next: cut,
            filling: self.filling,
            panic: None,
        }
    }

    fn rejoin(&mut self, right: Self) {
        self.stretch.rejoin(right.stretch);
    }

    #[inline]
    fn finish(mut self) -> Self::Outcome {
        self.filling.finish(self.next, &mut self.stretch);
        let filled = Filled {
            stretch: self.stretch,
            panic: self.panic,
        };
        (filled, self.filling)
    }

    fn follow((mut left, filling): Self::Outcome, (mut right, _): Self::Outcome) -> Self::Outcome {
        left.stretch.assert_next(&right.stretch);
        let skip = filling.give_up(&mut left, &mut right.stretch);
        left.append(right, skip);
        (left, filling)
    }

    fn is_stuck(&self) -> bool {
        self.panic.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::{FillSweep, Filled, Filling, SlotStretch, Sweep};
    use std::mem::MaybeUninit;
    use std::panic::resume_unwind;

    /// Panics when it is dropped, with a payload that does so, too. They have no size: what is forgotten of them is no memory.
    struct Trap;
    struct InnerTrap;

    impl Drop for Trap {
        fn drop(&mut self) {
            resume_unwind(Box::new(InnerTrap));
        }
    }

    impl Drop for InnerTrap {
        fn drop(&mut self) {
            resume_unwind(Box::new(()));
        }
    }

    #[test]
    fn what_a_later_panic_leaves_does_not_panic() {
        let mut slots: [MaybeUninit<u8>; 0] = [];
        let mut filled = Filled {
            stretch: SlotStretch::new(&mut slots),
            panic: Some(Box::new("first")),
        };
        filled.note(Some(Box::new(Trap)));
        let payload = filled.panic.expect("the first panic");
        assert_eq!(payload.downcast_ref(), Some(&"first"));
    }

    #[test]
    fn a_stretch_ends_with_its_first_panic() {
        struct PanicsEverywhere;
        impl Filling<u8> for PanicsEverywhere {
            fn advance(&self, next: &mut usize, _: usize, _: &mut SlotStretch<'_, u8>) {
                *next += 1;
                resume_unwind(Box::new(*next));
            }
        }
        let mut slots = [MaybeUninit::uninit(); 2];
        let mut sweep = FillSweep {
            stretch: SlotStretch::new(&mut slots),
            next: 0,
            filling: &PanicsEverywhere,
            panic: None,
        };
        sweep.advance(1);
        sweep.advance(1);
        let (filled, _) = sweep.finish();
        let payload = filled.panic.expect("a panic");
        assert_eq!(payload.downcast_ref(), Some(&1_usize));
    }
}

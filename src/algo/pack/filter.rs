//! The sweep that keeps some elements of a vector, in place.
//!
//! Each fold moves the elements that it keeps to the front of its stretch. When two stretches are joined, those of the right one move up to
//! those of the left one. So on one thread this is the sequential loop, and on several threads most elements move at most twice.
//!
//! Small elements without a destructor are judged in blocks. Each is written, whether it is kept or not, and the count grows by one only if it is
//! kept. So the loop has no branch that could be mispredicted. (To retain half of 10 million random `u64` takes std three times as long on one thread.)
//!
//! If a judge or a drop panics, its fold stops there, and keeps the elements that it has not judged. The other folds go on, the gaps are
//! closed, and then the panic goes on.
//!
//! Work O(n), one judgement for each element, and one more for each cut that compares; span O(log² n) and the moves that close gaps, O(n / p). Memory: none but
//! for narrow gaps.

use super::filled::{Filled, Filling, fill};
use super::stretch::{SlotStretch, is_cheap};
use super::walk::ElementWalk;
use crate::core::unwind::{catch, resume};
use std::ptr;

/// How many elements are judged before the first of them moves.
const BLOCK: usize = 64;

/// Which element before it a judge sees beside an element.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Beside {
    /// None. Then each element is judged once.
    Nothing,
    /// The last one that was kept.
    Kept,
    /// The last one that was kept, or the one just before, if that is still in its place. For judges that reject an element only if it is alike to the one
    /// before: so whatever was rejected since is alike to the last one that was kept.
    Before,
}

/// Keeps the elements of `vec` that `judge` says, in their order, and drops the others.
///
/// `judge` gets the index of an element, the element, and an element before it, which `beside` chooses.
///
/// The first elements of a stretch have no element before them, until the stretch to the left is done as well. So unless `beside` is
/// [`Nothing`](Beside::Nothing), they are judged again then, beside the last element that was kept to their left. Their indices are not known any more at
/// that time: only a judge that sees none beside may rely on indices.
pub(crate) fn filter<T, J>(vec: &mut Vec<T>, beside: Beside, judge: J)
where
    T: Send,
    J: Fn(usize, &mut T, Option<&mut T>) -> bool + Sync,
{
    let len = vec.len();
    // SAFETY: not longer than it was. If anything goes wrong, elements are leaked.
    unsafe { vec.set_len(0) };
    // SAFETY: the first `len` slots hold the elements that the vector had.
    let filling = unsafe { FilterFilling::new(beside, judge) };
    if let Err(payload) = fill(vec, len, &filling) {
        resume(payload);
    }
}

/// How the sweep goes over slots that all hold elements.
struct FilterFilling<J> {
    beside: Beside,
    judge: J,
}

impl<J> FilterFilling<J> {
    /// # Safety
    /// All slots that it fills hold elements.
    unsafe fn new(beside: Beside, judge: J) -> Self {
        FilterFilling { beside, judge }
    }
}

impl<T> ElementWalk<'_, '_, T> {
    /// Judges so many elements that no look at an element waits for one that was just written, and then moves what is kept, by a loop
    /// that has no branch. Judges that look at what was kept last cannot be asked ahead.
    #[inline]
    fn judge_in_blocks(
        &mut self,
        end: usize,
        judge: &impl Fn(usize, &mut T, Option<&mut T>) -> bool,
    ) {
        while self.read < end {
            let len = (end - self.read).min(BLOCK);
            let mut keeps = [false; BLOCK];
            keeps[0] = self.judge_beside_kept(judge);
            for (at, keeps) in (self.read + 1..).zip(&mut keeps[1..len]) {
                // SAFETY: the element before, which was judged, but not moved yet; and nothing is dropped here.
                let before = unsafe { &mut *self.slot(at - 1) };
                // SAFETY: it was not moved yet, so it holds an element, and it is ours.
                let element = unsafe { &mut *self.slot(at) };
                *keeps = judge(at, element, Some(before));
            }
            for &keeps in &keeps[..len] {
                // SAFETY: to its own slot, or to one whose element was moved or given up.
                unsafe { ptr::copy(self.slot(self.read), self.slot(self.write), 1) };
                self.read += 1;
                self.write += usize::from(keeps);
            }
        }
    }

    fn judge_one_by_one(
        &mut self,
        end: usize,
        judge: &impl Fn(usize, &mut T, Option<&mut T>) -> bool,
    ) {
        while self.read < end {
            let element = self.slot(self.read);
            let keeps = self.judge_beside_kept(judge);
            self.read += 1;
            if keeps {
                // SAFETY: to its own slot, or to one whose element was moved or given up.
                unsafe { ptr::copy(element, self.slot(self.write), 1) };
                self.write += 1;
            } else {
                // SAFETY: it was ours, and nothing will look at its slot for an element again.
                unsafe { ptr::drop_in_place(element) };
            }
        }
    }

    /// Judges the next element beside the last one that was kept.
    ///
    /// Where the one before it was moved, what it left in its slot must not be looked at: a comparison may change what it compares, through
    /// a `Cell`, and there would be two of it.
    #[inline]
    fn judge_beside_kept(
        &mut self,
        judge: &impl Fn(usize, &mut T, Option<&mut T>) -> bool,
    ) -> bool {
        let kept = (self.kept() > 0).then(|| self.slot(self.write - 1));
        // SAFETY: it was moved there, or is there still, and is ours.
        let kept = kept.map(|kept| unsafe { &mut *kept });
        // SAFETY: it was not judged yet, so it holds an element, is ours, and comes behind the other one.
        let element = unsafe { &mut *self.slot(self.read) };
        judge(self.read, element, kept)
    }
}

impl<T: Send, J> Filling<T> for FilterFilling<J>
where
    J: Fn(usize, &mut T, Option<&mut T>) -> bool + Sync,
{
    #[inline]
    fn advance(&self, next: &mut usize, end: usize, stretch: &mut SlotStretch<'_, T>) {
        // SAFETY: all slots held elements, by `FilterFilling::new`, and only walks move any.
        let mut walk = unsafe { ElementWalk::new(next, end, stretch) };
        if is_cheap::<T>() && self.beside != Beside::Kept {
            walk.judge_in_blocks(end, &self.judge);
        } else {
            walk.judge_one_by_one(end, &self.judge);
        }
    }

    #[inline]
    fn finish(&self, mut next: usize, stretch: &mut SlotStretch<'_, T>) {
        let reached = next;
        // SAFETY: as in `advance`.
        unsafe { ElementWalk::new(&mut next, reached, stretch) }.keep_rest();
    }

    fn give_up(&self, left: &mut Filled<'_, T>, right: &mut SlotStretch<'_, T>) -> usize {
        let mut given_up = 0;
        if self.beside != Beside::Nothing
            && left.panic.is_none()
            && let Some(last) = left.stretch.elements().last_mut()
        {
            let elements = right.elements();
            let asked = catch(|| {
                while let Some(first) = elements.get_mut(given_up)
                    && !(self.judge)(0, first, Some(last))
                {
                    given_up += 1;
                }
            });
            let given_up: *mut [T] = &mut elements[..given_up];
            // SAFETY: they are ours, and will be forgotten.
            let dropped = catch(|| unsafe { ptr::drop_in_place(given_up) });
            left.note(asked.err());
            left.note(dropped.err());
        }
        given_up
    }
}

#[cfg(test)]
mod tests {
    use super::{Beside, Filled, FilterFilling};
    use crate::algo::pack::filled::Filling;
    use crate::algo::pack::stretch::SlotStretch;
    use std::mem::MaybeUninit;
    use std::panic::resume_unwind;

    /// Two stretches meet, and the judge panics when it is asked about the first element of the second one.
    #[test]
    fn a_panic_between_two_stretches_is_noted() {
        let mut slots = [1, 2, 3, 4].map(MaybeUninit::new);
        let mut stretch = SlotStretch::new(&mut slots);
        let mut right = stretch.split_off(2);
        // SAFETY: all slots hold elements.
        unsafe { stretch.set_filled(2) };
        // SAFETY: as above.
        unsafe { right.set_filled(2) };
        let judge = |_: usize, _: &mut i32, _: Option<&mut i32>| resume_unwind(Box::new("asked"));
        // SAFETY: as above.
        let filling = unsafe { FilterFilling::new(Beside::Kept, judge) };
        let mut left = Filled {
            stretch,
            panic: None,
        };
        assert_eq!(filling.give_up(&mut left, &mut right), 0);
        let payload = left.panic.expect("the judge's panic");
        assert_eq!(payload.downcast_ref(), Some(&"asked"));
    }

    /// Two stretches meet, and the first element of the second one panics as it is dropped.
    #[test]
    fn a_panic_of_a_drop_between_two_stretches_is_noted() {
        struct Trap;
        impl Drop for Trap {
            fn drop(&mut self) {
                resume_unwind(Box::new("dropped"));
            }
        }
        let mut slots = [(); 2].map(|()| MaybeUninit::new(Trap));
        let mut stretch = SlotStretch::new(&mut slots);
        let mut right = stretch.split_off(1);
        // SAFETY: all slots hold elements, which are forgotten in the end.
        unsafe { stretch.set_filled(1) };
        // SAFETY: as above.
        unsafe { right.set_filled(1) };
        // SAFETY: as above.
        let filling = unsafe {
            FilterFilling::new(
                Beside::Kept,
                |_: usize, _: &mut Trap, _: Option<&mut Trap>| false,
            )
        };
        let mut left = Filled {
            stretch,
            panic: None,
        };
        assert_eq!(filling.give_up(&mut left, &mut right), 1);
        let payload = left.panic.expect("the drop's panic");
        assert_eq!(payload.downcast_ref(), Some(&"dropped"));
    }
}

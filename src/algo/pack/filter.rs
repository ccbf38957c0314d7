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

use super::filled::Filled;
use super::is_cheap;
use super::stretch::SlotStretch;
use crate::algo::sweep::{self, Sweep};
use crate::core::unwind::{Payload, catch, resume};
use std::mem::MaybeUninit;
use std::ptr;

/// How many elements are judged before the first of them moves.
const BLOCK: usize = 64;

/// With what a judge compares an element.
#[derive(PartialEq)]
pub(crate) enum Beside {
    /// With none.
    Nothing,
    /// With the last one that was kept.
    Kept,
    /// As well with the one before it, where that is still in its place: if it was not kept, it is alike to the last one that was.
    Before,
}

/// Says which elements are kept.
pub(crate) trait Judge<T>: Sync {
    /// What is passed to [`keeps`](Judge::keeps) as `beside`.
    const BESIDE: Beside;

    /// Whether the element at `index` is kept. `beside` comes before it, and is none for the first one of a stretch.
    fn keeps(&self, index: usize, element: &mut T, beside: Option<&mut T>) -> bool;

    /// Whether an element that was the first of its stretch is kept behind `last`, the last one of the stretch before.
    fn keeps_behind(&self, element: &mut T, last: &mut T) -> bool {
        let _ = (element, last);
        true
    }
}

/// Keeps the elements of `vec` that `judge` says, in their order, and drops the others.
pub(crate) fn filter<T: Send, J: Judge<T>>(vec: &mut Vec<T>, judge: &J) {
    let len = vec.len();
    // SAFETY: not longer than it was. If anything goes wrong, elements are leaked.
    unsafe { vec.set_len(0) };
    let slots = &mut vec.spare_capacity_mut()[..len];
    // SAFETY: the elements of the vector, which has none any more.
    let filter = unsafe { FilterSweep::new(slots, judge) };
    let Filled { stretch, panic } = sweep::run(len, filter).filled;
    let kept = stretch.filled();
    // SAFETY: so many elements are at the front, and the stretch gives them up here.
    unsafe { vec.set_len(kept) };
    if let Some(payload) = panic {
        resume(payload);
    }
}

struct FilterSweep<'a, T, J> {
    /// Its first elements are those that were kept.
    stretch: SlotStretch<'a, T>,
    /// The elements from here to the end of the stretch are still to be judged.
    next: usize,
    judge: &'a J,
    panic: Option<Payload>,
}

struct Filtered<'a, T, J> {
    filled: Filled<'a, T>,
    judge: &'a J,
}

impl<'a, T, J: Judge<T>> FilterSweep<'a, T, J> {
    /// # Safety
    ///
    /// All `slots` hold elements, which are this sweep's from now on.
    unsafe fn new(slots: &'a mut [MaybeUninit<T>], judge: &'a J) -> Self {
        FilterSweep {
            stretch: SlotStretch::new(slots),
            next: 0,
            judge,
            panic: None,
        }
    }

    /// Judges so many elements that no look at an element waits for one that was just written, and then moves what is kept, by a loop
    /// that has no branch. Judges that look at what was kept last cannot be asked ahead.
    fn judge_in_blocks(&mut self, end: usize) {
        let mut walk = FilterWalk::begin(self);
        while walk.read < end {
            let len = (end - walk.read).min(BLOCK);
            let mut keeps = [false; BLOCK];
            keeps[0] = walk.judge_beside_kept();
            for (at, keeps) in (walk.read + 1..).zip(&mut keeps[1..len]) {
                // SAFETY: the element before, which was judged, but not moved yet; and nothing is dropped here.
                let before = unsafe { &mut *walk.slot(at - 1) };
                // SAFETY: it was not moved yet, so it holds an element, and it is ours.
                let element = unsafe { &mut *walk.slot(at) };
                *keeps = walk.filter.judge.keeps(at, element, Some(before));
            }
            for &keeps in &keeps[..len] {
                // SAFETY: to its own slot, or to one whose element was moved or given up.
                unsafe { ptr::copy(walk.slot(walk.read), walk.slot(walk.write), 1) };
                walk.read += 1;
                walk.write += usize::from(keeps);
            }
        }
    }

    fn judge_one_by_one(&mut self, end: usize) {
        let mut walk = FilterWalk::begin(self);
        while walk.read < end {
            let element = walk.slot(walk.read);
            let keeps = walk.judge_beside_kept();
            walk.read += 1;
            if keeps {
                // SAFETY: to its own slot, or to one whose element was moved or given up.
                unsafe { ptr::copy(element, walk.slot(walk.write), 1) };
                walk.write += 1;
            } else {
                // SAFETY: it was ours, and nothing will look at its slot for an element again.
                unsafe { ptr::drop_in_place(element) };
            }
        }
    }
}

/// Positions that live in registers, and go home however the loop ends.
struct FilterWalk<'f, 'a, T, J> {
    start: usize,
    read: usize,
    write: usize,
    filter: &'f mut FilterSweep<'a, T, J>,
}

impl<'f, 'a, T, J: Judge<T>> FilterWalk<'f, 'a, T, J> {
    #[inline]
    fn begin(filter: &'f mut FilterSweep<'a, T, J>) -> Self {
        let (start, _) = filter.stretch.bounds();
        FilterWalk {
            start,
            read: filter.next,
            write: start + filter.stretch.filled(),
            filter,
        }
    }

    #[inline]
    fn slot(&self, at: usize) -> *mut T {
        self.filter.stretch.slot(at)
    }

    /// Judges the next element beside the last one that was kept.
    ///
    /// Where the one before it was moved, what it left in its slot must not be looked at: a comparison may change what it compares, through
    /// a `Cell`, and there would be two of it.
    #[inline]
    fn judge_beside_kept(&mut self) -> bool {
        let kept = (self.write > self.start).then(|| self.slot(self.write - 1));
        // SAFETY: it was moved there, or is there still, and is ours.
        let kept = kept.map(|kept| unsafe { &mut *kept });
        // SAFETY: it was not judged yet, so it holds an element, is ours, and comes behind the other one.
        let element = unsafe { &mut *self.slot(self.read) };
        self.filter.judge.keeps(self.read, element, kept)
    }
}

impl<T, J> Drop for FilterWalk<'_, '_, T, J> {
    #[inline]
    fn drop(&mut self) {
        self.filter.next = self.read;
        let kept = self.write - self.start;
        // SAFETY: what was kept was moved there.
        unsafe { self.filter.stretch.set_filled(kept) };
    }
}

impl<'a, T: Send, J: Judge<T>> Sweep for FilterSweep<'a, T, J> {
    type Outcome = Filtered<'a, T, J>;

    fn advance(&mut self, count: usize) {
        if self.is_stuck() {
            return;
        }
        let end = self.next + count;
        assert!(end <= self.stretch.bounds().1);
        let judged = if is_cheap::<T>() && J::BESIDE != Beside::Kept {
            catch(|| self.judge_in_blocks(end))
        } else {
            catch(|| self.judge_one_by_one(end))
        };
        self.panic = judged.err();
    }

    fn split_off(&mut self, at: usize) -> Self {
        let cut = self.next + at;
        FilterSweep {
            stretch: self.stretch.split_off(cut),
            next: cut,
            judge: self.judge,
            panic: None,
        }
    }

    fn rejoin(&mut self, right: Self) {
        self.stretch.rejoin(right.stretch);
    }

    fn finish(mut self) -> Filtered<'a, T, J> {
        let (start, end) = self.stretch.bounds();
        let (kept, rest) = (self.stretch.filled(), end - self.next);
        let (from, to) = (self.stretch.slot(self.next), self.stretch.front());
        // SAFETY: what was not judged holds elements, and moves behind those that were kept: they take up no more slots than they had.
        unsafe { ptr::copy(from, to, rest) };
        debug_assert!(start + kept <= self.next);
        // SAFETY: see above.
        unsafe { self.stretch.set_filled(kept + rest) };
        Filtered {
            filled: Filled {
                stretch: self.stretch,
                panic: self.panic,
            },
            judge: self.judge,
        }
    }

    fn follow(mut left: Filtered<'a, T, J>, mut right: Filtered<'a, T, J>) -> Filtered<'a, T, J> {
        let mut given_up = 0;
        if let Some(last) = left.filled.stretch.elements().last_mut()
            && left.filled.panic.is_none()
        {
            let judge = left.judge;
            let elements = right.filled.stretch.elements();
            let asked = catch(|| {
                while let Some(first) = elements.get_mut(given_up)
                    && !judge.keeps_behind(first, last)
                {
                    given_up += 1;
                }
            });
            let given_up: *mut [T] = &mut elements[..given_up];
            // SAFETY: they are ours, and will be forgotten.
            let dropped = catch(|| unsafe { ptr::drop_in_place(given_up) });
            left.filled.note(asked.err());
            left.filled.note(dropped.err());
        }
        left.filled.append(right.filled, given_up);
        left
    }

    fn is_stuck(&self) -> bool {
        self.panic.is_some()
    }
}

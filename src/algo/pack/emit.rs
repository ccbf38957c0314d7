//! The sweep that makes a vector if only an upper bound of its length is known.
//!
//! Each fold writes its elements one after the other. A fold that was cut off begins at the place that its elements would have if there
//! were as many before them as there can be. To join two stretches closes the gap between them. Memory that is never written is never
//! touched.
//!
//! Work O(n), and each element moves up to once more for each theft before it; span O(log² n) and the moves, O(n / p). Memory: room for as many elements as there
//! can be, of which what is unused is given back.

use super::filled::Filled;
use super::stretch::SlotStretch;
use crate::algo::sweep::{self, Sweep};
use crate::core::unwind::{Payload, catch, resume};
use crate::iter::sinks::collect::trim;
use std::ops::Range;

/// What elements are made of.
pub(crate) trait EmitSource<T>: Sync {
    /// How many elements the positions before `position` make, at most. Always the same, and never less than for an earlier position.
    fn most_before(&self, position: usize) -> usize;

    /// Puts the elements that `positions` make into `out`, which has room for as many as there can be.
    fn emit(&self, positions: Range<usize>, out: &mut SlotStretch<'_, T>);
}

/// All elements that the first `len` positions of `source` make.
pub(crate) fn emit<T: Send, S: EmitSource<T>>(len: usize, source: &S) -> Vec<T> {
    let most = source.most_before(len);
    let mut vec = Vec::with_capacity(most);
    let Filled { stretch, panic } = sweep::run(
        len,
        Emit {
            out: SlotStretch::new(&mut vec.spare_capacity_mut()[..most]),
            next: 0,
            source,
            panic: None,
        },
    );
    let filled = stretch.filled();
    // SAFETY: so many elements are at the front, and the stretch gives them up here.
    unsafe { vec.set_len(filled) };
    if let Some(payload) = panic {
        drop(vec);
        resume(payload);
    }
    trim(&mut vec);
    vec
}

struct Emit<'a, T, S> {
    out: SlotStretch<'a, T>,
    next: usize,
    source: &'a S,
    panic: Option<Payload>,
}

impl<'a, T: Send, S: EmitSource<T>> Sweep for Emit<'a, T, S> {
    type Outcome = Filled<'a, T>;

    fn advance(&mut self, count: usize) {
        if self.is_stuck() {
            return;
        }
        let positions = self.next..self.next + count;
        self.next = positions.end;
        let (source, out) = (self.source, &mut self.out);
        self.panic = catch(|| source.emit(positions, out)).err();
    }

    fn split_off(&mut self, at: usize) -> Self {
        let cut = self.next + at;
        Emit {
            out: self.out.split_off(self.source.most_before(cut)),
            next: cut,
            source: self.source,
            panic: None,
        }
    }

    fn rejoin(&mut self, right: Self) {
        self.out.rejoin(right.out);
    }

    fn finish(self) -> Filled<'a, T> {
        Filled {
            stretch: self.out,
            panic: self.panic,
        }
    }

    fn follow(mut left: Filled<'a, T>, right: Filled<'a, T>) -> Filled<'a, T> {
        left.append(right, 0);
        left
    }

    fn is_stuck(&self) -> bool {
        self.panic.is_some()
    }
}

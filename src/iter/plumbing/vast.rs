//! Searches from the right of pieces with so many items that no pool will ever fold them all.
//!
//! Only cuts lead to the right end, and from 2^127 items to one it takes 127 of them. If each lay on the stack, as cuts do whose other part is on offer, three
//! such iterators, nested in each other, would fill it. So a vast piece is cut in a loop, until its last part is one that threads can share. The other parts wait
//! on the heap: they are wanted only after the last part was searched.

use super::lane::Lane;
use super::parts::despite_panic;
use super::piece::{Piece, reduce};
use super::reason::Reason;
use super::traits::{Consumer, Folder};
use crate::core::unwind::{catch, resume};

/// A piece with this many items or more is vast: many seconds of work, whatever an item costs. On 32 bits, what does not fit a `usize` counts as this many.
const VAST: u64 = u32::MAX as u64;

/// Whether a search from the right reaches the end of `piece` only by cuts that are too many for the stack.
#[inline]
pub(super) fn is_vast<Pc: Piece<C>, C: Consumer<Pc::Item>>(piece: &Pc) -> bool {
    piece
        .len()
        .is_some_and(|len| len as u64 >= VAST && len / 2 >= piece.min_len())
}

/// Drives a vast piece: `drive_last` drives its last part, which is not vast unless it cannot be cut, and `drive` the others.
pub(super) fn drive_vast<Pc: Piece<C>, C: Consumer<Pc::Item>>(
    lane: &Lane<'_>,
    piece: Pc,
    consumer: C,
    drive_last: impl FnOnce(Pc, C) -> C::Result,
    drive: impl Fn(Pc, C) -> C::Result,
) -> C::Result {
    let mut waiting = Vec::new();
    // A cut may panic, too. The parts that wait by then are driven anyway.
    let mut result = catch(|| {
        let (mut piece, mut consumer) = (piece, consumer);
        while is_vast::<Pc, C>(&piece) {
            match piece.cut(None, 0) {
                Ok((left, right, at)) => {
                    lane.note_reason(Reason::Large);
                    let (first, last, reducer) = Pc::cut_consumer(consumer, at);
                    let [here, place] = lane.note_parts(|| left.len(), true);
                    lane.go_to(here);
                    waiting.push((left, first, reducer, place));
                    (piece, consumer) = (right, last);
                }
                Err(whole) => {
                    piece = whole;
                    break;
                }
            }
        }
        drive_last(piece, consumer)
    });
    while let Some((left, consumer, reducer, place)) = waiting.pop() {
        lane.go_to(place);
        result = match result {
            Ok(right) => catch(|| {
                let left = match C::settles(&right) {
                    true => consumer.into_folder().complete(),
                    false => drive(left, consumer),
                };
                reduce(reducer, left, right)
            }),
            // As if it had been on offer.
            Err(payload) => {
                despite_panic((left, consumer), |(left, consumer)| {
                    drive(left, consumer);
                });
                Err(payload)
            }
        };
    }
    result.unwrap_or_else(|payload| resume(payload))
}

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use super::super::indexed::Indexed;
    use super::super::site::Site;
    use super::super::traits::{Producer, ProducerCallback};
    use super::*;
    use crate::ThreadPoolBuilder;
    use crate::core::worker::Worker;
    use crate::iter::sinks::for_each::ForEach;
    use crate::iter::sinks::plain::consumer;
    use crate::iter::{IndexedParallelIterator, IntoParallelIterator};
    use std::cell::RefCell;

    const LEN: usize = 4 * VAST as usize;

    /// The lengths of the parts in the order in which they are driven; the last one panics if that is said.
    struct Parts {
        panics: bool,
    }

    impl<T: Send> ProducerCallback<T> for Parts {
        type Output = Vec<usize>;

        fn callback<P: Producer<Item = T>>(self, producer: P) -> Vec<usize> {
            let worker = Worker::current().expect("inside a pool");
            let site = Site::of(Parts::callback::<P> as *const ());
            let (end, driven) = (ForEach(|_| ()), RefCell::new(Vec::new()));
            let mut input = Some(Indexed { producer, len: LEN });
            Lane::begin(worker, site, Some(LEN), false, &mut |lane| {
                let piece = input.take().expect("driven once");
                let drive = |part: Indexed<P>, _| driven.borrow_mut().push(part.len);
                let drive_last = |part: Indexed<P>, _| {
                    driven.borrow_mut().push(part.len);
                    if self.panics {
                        resume(Box::new("last"));
                    }
                };
                let outcome = catch(|| drive_vast(lane, piece, consumer(&end), drive_last, drive));
                assert_eq!(outcome.is_err(), self.panics);
            });
            driven.into_inner()
        }
    }

    /// Those that wait, from the right to the left; also after a panic.
    #[test]
    fn all_parts_are_driven() {
        let pool = ThreadPoolBuilder::new().num_threads(1).build();
        pool.expect("a thread").install(|| {
            for panics in [false, true] {
                let parts = (0..LEN).into_par_iter().with_producer(Parts { panics });
                assert_eq!(parts.iter().sum::<usize>(), LEN, "{panics}");
                assert!(
                    parts.len() == 4 && parts[1..].is_sorted(),
                    "{panics}: {parts:?}"
                );
            }
        });
    }
}

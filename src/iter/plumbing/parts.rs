//! Folds a piece that is longer than `with_max_len` allows for one folder, while no other thread would take a part of it. Its parts are
//! folded one after the other on this thread, each by a folder of its own.

use super::piece::{Piece, reduce};
use super::traits::{Consumer, Folder};
use crate::core::unwind::{catch, quietly, resume};
use std::cell::RefCell;

/// Folds such a piece. Its parts are those that would be on offer if another thread came for them. As there, a panic in one part does not keep the others
/// from running: it goes on after them.
pub(super) fn fold_parts<Pc: Piece<C>, C: Consumer<Pc::Item>>(piece: Pc, consumer: C) -> C::Result {
    let waiting = RefCell::new(Vec::new());
    catch(|| fold_each(piece, consumer, &waiting)).unwrap_or_else(|payload| {
        for (piece, consumer) in waiting.into_inner() {
            despite_panic((piece, consumer), |(piece, consumer)| {
                fold_parts::<Pc, C>(piece, consumer);
            });
        }
        resume(payload)
    })
}

/// Runs `run` while a panic is on its way. That panic counts, so one of `run` is dropped.
#[cold]
pub(super) fn despite_panic<V>(value: V, run: impl FnOnce(V)) {
    let mut both = Some((value, run));
    quietly(&mut || {
        if let Some((value, run)) = both.take() {
            run(value);
        }
    });
}

/// A part that waits for its turn. If what is before it panics, it goes to the others that waited, the nearest first.
struct Waiting<'w, V> {
    part: Option<V>,
    others: &'w RefCell<Vec<V>>,
}

impl<V> Drop for Waiting<'_, V> {
    fn drop(&mut self) {
        self.others.borrow_mut().extend(self.part.take());
    }
}

/// As [`fold_parts`]; after a panic those parts are in `others` that were not begun.
fn fold_each<Pc, C>(piece: Pc, consumer: C, others: &RefCell<Vec<(Pc, C)>>) -> C::Result
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    if consumer.full() {
        return consumer.into_folder().complete();
    }
    let cut = match piece.is_one() {
        true => Err(piece),
        false => piece.cut(None, 0),
    };
    let (left, right, at) = match cut {
        Ok(parts) => parts,
        Err(whole) => {
            let mut folder = consumer.into_folder();
            if folder.full() {
                return folder.complete();
            }
            C::expect(&mut folder, usize::MAX, whole.min_len());
            return whole.fold_all(folder).complete();
        }
    };
    let (left_consumer, right_consumer, reducer) = Pc::cut_consumer(consumer, at);
    let (left, right) = ((left, left_consumer), (right, right_consumer));
    let ((piece, consumer), second) = if C::DRIVES_FROM_RIGHT {
        (right, left)
    } else {
        (left, right)
    };
    let mut second = Waiting {
        part: Some(second),
        others,
    };
    let first = fold_each(piece, consumer, others);
    let Some((piece, consumer)) = second.part.take() else {
        unreachable!("only this call takes it")
    };
    if !C::DRIVES_FROM_RIGHT {
        return reduce(reducer, first, fold_each(piece, consumer, others));
    }
    let second = match C::settles(&first) {
        true => consumer.into_folder().complete(),
        false => fold_each(piece, consumer, others),
    };
    reduce(reducer, second, first)
}

//! `map_init` and `map_with` below an adaptor that needs a producer, such as `rev` or `zip`.

use super::map_state::MapFolder;
use super::seed::Seed;
use crate::iter::plumbing::{Folder, Producer, ProducerCallback};

pub(super) struct MapCallback<'f, CB, S, F> {
    pub(super) callback: CB,
    pub(super) seed: S,
    pub(super) op: &'f F,
}

impl<T, R, CB, S, F> ProducerCallback<T> for MapCallback<'_, CB, S, F>
where
    R: Send,
    S: Seed,
    F: Fn(&mut S::State, T) -> R + Sync,
    CB: ProducerCallback<R>,
{
    type Output = CB::Output;

    #[inline]
    fn callback<P: Producer<Item = T>>(self, base: P) -> CB::Output {
        self.callback.callback(MapProducer {
            base,
            seed: self.seed,
            op: self.op,
        })
    }
}

/// A state cannot go along with what is left of a producer, since it need not be `Send`. So a piece is folded whole, with one state.
struct MapProducer<'f, P, S, F> {
    base: P,
    seed: S,
    op: &'f F,
}

impl<'f, P, R, S, F> Producer for MapProducer<'f, P, S, F>
where
    P: Producer,
    S: Seed,
    F: Fn(&mut S::State, P::Item) -> R + Sync,
{
    type Item = R;
    type IntoIter = MapIter<'f, P::IntoIter, F, S::State>;
    const REPRODUCIBLE: bool = P::REPRODUCIBLE;
    const BOUNDED: bool = P::BOUNDED;
    const CAN_PAUSE: bool = false;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        MapIter {
            items: self.base.into_iter(),
            state: self.seed.begin(),
            op: self.op,
        }
    }

    #[inline]
    fn min_len(&self) -> usize {
        self.base.min_len()
    }

    #[inline]
    fn max_len(&self) -> usize {
        self.base.max_len()
    }

    #[inline]
    fn split_at(self, index: usize) -> (Self, Self) {
        let (left, right) = self.base.split_at(index);
        let op = self.op;
        let left = MapProducer {
            base: left,
            seed: self.seed.split(),
            op,
        };
        let right = MapProducer {
            base: right,
            seed: self.seed,
            op,
        };
        (left, right)
    }

    #[inline]
    fn fold_with<G: Folder<R>>(self, folder: G) -> G {
        let folder = MapFolder {
            base: folder,
            state: self.seed.begin(),
            seed: self.seed,
            op: self.op,
        };
        self.base.fold_with(folder).base
    }
}

struct MapIter<'f, I, F, St> {
    items: I,
    state: St,
    op: &'f F,
}

impl<I, F, St, R> Iterator for MapIter<'_, I, F, St>
where
    I: Iterator,
    F: Fn(&mut St, I::Item) -> R,
{
    type Item = R;

    #[inline]
    fn next(&mut self) -> Option<R> {
        let item = self.items.next()?;
        Some((self.op)(&mut self.state, item))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.items.size_hint()
    }
}

impl<I, F, St, R> DoubleEndedIterator for MapIter<'_, I, F, St>
where
    I: DoubleEndedIterator,
    F: Fn(&mut St, I::Item) -> R,
{
    #[inline]
    fn next_back(&mut self) -> Option<R> {
        let item = self.items.next_back()?;
        Some((self.op)(&mut self.state, item))
    }
}

impl<I, F, St, R> ExactSizeIterator for MapIter<'_, I, F, St>
where
    I: ExactSizeIterator,
    F: Fn(&mut St, I::Item) -> R,
{
}

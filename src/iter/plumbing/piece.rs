//! What the driver cuts and folds: a stretch of a producer, indexed or not, behind one interface.

use super::grain::aligned;
use super::indexed::Indexed;
use super::traits::{Consumer, Folder, Producer, Reducer, UnindexedConsumer, UnindexedProducer};
use super::watched::Watched;

/// A stretch of items on its way to consumers of type `C`.
pub(super) trait Piece<C: Consumer<Self::Item>>: Send + Sized {
    type Item;

    /// How many items there are, at most; `None` if unknown.
    fn len(&self) -> Option<usize>;

    /// The fewest items that a part should have.
    fn min_len(&self) -> usize;

    /// The most items that a folder may see.
    fn max_len(&self) -> usize;

    /// Whether a folder that has seen other items must not go on into this piece.
    #[inline]
    fn is_bounded(&self) -> bool {
        Self::BOUNDED && self.max_len() < usize::MAX
    }

    /// Whether one folder may see all items.
    #[inline]
    fn is_one(&self) -> bool {
        !Self::BOUNDED || self.len().is_none_or(|len| len <= self.max_len())
    }

    /// Whether `max_len` may be less than `usize::MAX`.
    const BOUNDED: bool;

    /// Whether a fold can stop in the middle of the piece.
    const CAN_PAUSE: bool;

    /// Whether a fold of the piece can be cut while it runs.
    const LIVE: bool = Self::CAN_PAUSE && C::SPLITS_LIVE;

    /// Whether a piece that is not cut is folded in one go, because to stop in the middle would cost too much.
    const WHOLE: bool;

    /// The extra cost of each item after a cut, in nanoseconds.
    fn cut_cost(&self) -> u32;

    /// Cuts after `at` items, of which there are at least that many, or in the middle, `folded` items after the start of a fold. `Ok`: two parts,
    /// and how many items the first has, as far as the consumer needs to know. `Err` if there is no such place, or it is unknown.
    fn cut(self, at: Option<usize>, folded: usize) -> Result<(Self, Self, usize), Self>;

    /// Folds about `n` items; returns what is left.
    fn fold_some<F: Folder<Self::Item>>(self, folder: F, n: usize) -> (F, Option<Self>);

    /// Folds everything in one go, but checks now and then whether more items are wanted. It does so for every folder: not all folders ask
    /// what others have found before they are given the last item. Returns about how many items that were.
    fn fold_whole<F: Folder<Self::Item>>(self, folder: F) -> (F, usize);

    /// Folds everything.
    fn fold_all<F: Folder<Self::Item>>(self, folder: F) -> F;

    /// Cuts a consumer that has not begun, in step with [`Piece::cut`].
    fn cut_consumer(consumer: C, at: usize) -> (C, C, C::Reducer);
}

impl<P: Producer, C: Consumer<P::Item>> Piece<C> for Indexed<P> {
    type Item = P::Item;

    const BOUNDED: bool = P::BOUNDED;
    const CAN_PAUSE: bool = true;
    const WHOLE: bool = !P::CAN_PAUSE;

    #[inline]
    fn len(&self) -> Option<usize> {
        Some(self.len)
    }

    #[inline]
    fn min_len(&self) -> usize {
        self.producer.min_len().max(1)
    }

    #[inline]
    fn max_len(&self) -> usize {
        // If the two limits contradict each other, the lower one holds: a piece with fewer than twice the minimum is not cut.
        let least = self.producer.min_len().max(1);
        let uncut = least.saturating_add(least - 1);
        self.producer.max_len().max(uncut)
    }

    #[inline]
    fn cut_cost(&self) -> u32 {
        0
    }

    #[inline]
    fn cut(self, at: Option<usize>, folded: usize) -> Result<(Self, Self, usize), Self> {
        let bounded = self.producer.min_len() > 1 || self.producer.max_len() < usize::MAX;
        let at = match at {
            Some(at) => at,
            None if bounded => self.len / 2,
            None => aligned(folded, self.len / 2),
        };
        let (left, right) = self.split_at(at);
        Ok((left, right, at))
    }

    #[inline]
    fn fold_some<F: Folder<P::Item>>(self, folder: F, n: usize) -> (F, Option<Self>) {
        if const { !P::CAN_PAUSE } {
            return (Piece::<C>::fold_whole(self, folder).0, None);
        }
        let (now, later) = if n < self.len {
            let (now, producer) = self.producer.split_at(n);
            let len = self.len - n;
            (now, Some(Indexed { producer, len }))
        } else {
            (self.producer, None)
        };
        (now.fold_with(folder), later)
    }

    #[inline]
    fn fold_whole<F: Folder<P::Item>>(self, folder: F) -> (F, usize) {
        let Watched { folder, seen, .. } = self.producer.fold_with(Watched::new(folder));
        (folder, seen)
    }

    #[inline]
    fn fold_all<F: Folder<P::Item>>(self, folder: F) -> F {
        if const { !P::CAN_PAUSE } {
            return Piece::<C>::fold_whole(self, folder).0;
        }
        self.producer.fold_with(folder)
    }

    #[inline]
    fn cut_consumer(consumer: C, at: usize) -> (C, C, C::Reducer) {
        consumer.split_at(at)
    }
}

/// A producer of unknown length.
pub(super) struct Unindexed<P>(pub(super) P);

impl<P: UnindexedProducer, C: UnindexedConsumer<P::Item>> Piece<C> for Unindexed<P> {
    type Item = P::Item;

    const BOUNDED: bool = false;
    const CAN_PAUSE: bool = P::CAN_PAUSE;
    const WHOLE: bool = false;

    #[inline]
    fn len(&self) -> Option<usize> {
        self.0.weight()
    }

    #[inline]
    fn min_len(&self) -> usize {
        1
    }

    #[inline]
    fn max_len(&self) -> usize {
        usize::MAX
    }

    #[inline]
    fn cut_cost(&self) -> u32 {
        self.0.split_cost()
    }

    #[inline]
    fn cut(self, at: Option<usize>, _: usize) -> Result<(Self, Self, usize), Self> {
        if at.is_some() {
            return Err(self);
        }
        match self.0.split() {
            (left, Some(right)) => Ok((Unindexed(left), Unindexed(right), 0)),
            (whole, None) => Err(Unindexed(whole)),
        }
    }

    #[inline]
    fn fold_some<F: Folder<P::Item>>(self, folder: F, n: usize) -> (F, Option<Self>) {
        let (folder, rest) = self.0.fold_some(folder, n);
        (folder, rest.map(Unindexed))
    }

    #[inline]
    fn fold_whole<F: Folder<P::Item>>(self, folder: F) -> (F, usize) {
        let Watched { folder, seen, .. } = self.0.fold_with(Watched::new(folder));
        (folder, seen)
    }

    #[inline]
    fn fold_all<F: Folder<P::Item>>(self, folder: F) -> F {
        self.0.fold_with(folder)
    }

    #[inline]
    fn cut_consumer(consumer: C, _: usize) -> (C, C, C::Reducer) {
        let left = consumer.split_off_left();
        let reducer = consumer.to_reducer();
        (left, consumer, reducer)
    }
}

/// Combines two results.
#[inline]
pub(super) fn reduce<R>(reducer: impl Reducer<R>, left: R, right: R) -> R {
    reducer.reduce(left, right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::iter::sinks::for_each::ForEach;
    use crate::iter::sinks::plain::PlainConsumer;
    use std::iter::{RepeatN, repeat_n};

    /// So many items, and 0 for want of a bound.
    struct Units(usize);

    impl Producer for Units {
        type Item = ();
        type IntoIter = RepeatN<()>;

        fn into_iter(self) -> RepeatN<()> {
            repeat_n((), self.0)
        }

        fn min_len(&self) -> usize {
            0
        }

        fn split_at(self, at: usize) -> (Self, Self) {
            (Units(at), Units(self.0 - at))
        }
    }

    #[test]
    fn a_part_has_one_item_at_least() {
        type Sink = PlainConsumer<'static, ForEach<fn(())>, ()>;
        let (producer, len) = (Units(3), 3);
        let piece = Indexed { producer, len };
        assert_eq!(Piece::<Sink>::min_len(&piece), 1);
        assert_eq!(Piece::<Sink>::max_len(&piece), usize::MAX);
    }
}

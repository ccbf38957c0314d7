//! Pairs of collections that share out the items of one parallel iterator: pairs go to both, an `Either` to one of them.

use super::sinks::unzip::{PartitionMap, Unzip, deal, deal_into};
use super::{FromParallelIterator, IntoParallelIterator, ParallelExtend};
use either::Either;

/// Items made of an `L` or an `R` or both, and how they are dealt.
macro_rules! dealt {
    ($Item:ty, $how:expr) => {
        impl<L, R, A, B> ParallelExtend<$Item> for (A, B)
        where
            L: Send,
            R: Send,
            A: Send + ParallelExtend<L>,
            B: Send + ParallelExtend<R>,
        {
            fn par_extend<I: IntoParallelIterator<Item = $Item>>(&mut self, par_iter: I) {
                deal_into(par_iter.into_par_iter(), $how, &mut self.0, &mut self.1);
            }
        }

        impl<L, R, A, B> FromParallelIterator<$Item> for (A, B)
        where
            L: Send,
            R: Send,
            A: Send + FromParallelIterator<L>,
            B: Send + FromParallelIterator<R>,
        {
            fn from_par_iter<I: IntoParallelIterator<Item = $Item>>(par_iter: I) -> Self {
                let (left, right): (MadeLate<A>, MadeLate<B>) =
                    deal(par_iter.into_par_iter(), $how);
                (left.get(), right.get())
            }
        }
    };
}
dealt!((L, R), Unzip);
dealt!(Either<L, R>, PartitionMap(|item| item));

/// Extends an empty collection, which is made when the iterator is known.
struct MadeLate<C>(Option<C>);

impl<C> Default for MadeLate<C> {
    fn default() -> Self {
        MadeLate(None)
    }
}

impl<T: Send, C: FromParallelIterator<T>> ParallelExtend<T> for MadeLate<C> {
    fn par_extend<I: IntoParallelIterator<Item = T>>(&mut self, par_iter: I) {
        self.0 = Some(C::from_par_iter(par_iter));
    }
}

impl<C> MadeLate<C> {
    fn get(self) -> C {
        self.0.expect("both sides of an unzip are extended")
    }
}

//! Sources, adaptors and ends of other crates, which have the required items of the traits only.

use super::steps::Steps;
use super::{cases, ids, pass, stepped};
use crate::support::Token;
use filch::iter::plumbing::{
    Consumer, Folder, Producer, ProducerCallback, Reducer, UnindexedConsumer, UnindexedProducer,
    bridge, bridge_unindexed,
};
use filch::prelude::*;

/// Tokens that are cut in half; each cut is a step.
///
/// Those that are not `weighed` do not say how many they are. Then the driver looks at what the last call took before it cuts them, whatever a script
/// says, but for searches from the right.
struct Halves<'s> {
    tokens: Vec<Token>,
    steps: &'s Steps,
    weighed: bool,
}

/// Halves that are weighed.
fn halves(tokens: Vec<Token>, steps: &Steps) -> Halves<'_> {
    Halves {
        tokens,
        steps,
        weighed: true,
    }
}

/// Cuts off the second half, which is a step.
pub fn second_half(tokens: &mut Vec<Token>, steps: &Steps) -> Option<Vec<Token>> {
    steps.step();
    let len = tokens.len();
    (len > 1).then(|| tokens.split_off(len / 2))
}

impl UnindexedProducer for Halves<'_> {
    type Item = Token;

    fn split(mut self) -> (Self, Option<Self>) {
        let right = second_half(&mut self.tokens, self.steps);
        let right = right.map(|tokens| Halves { tokens, ..self });
        (self, right)
    }

    fn fold_with<F: Folder<Token>>(self, folder: F) -> F {
        let tokens = self.tokens.into_iter();
        folder.consume_iter(tokens.map(|token| pass(self.steps, token)))
    }

    fn weight(&self) -> Option<usize> {
        self.weighed.then_some(self.tokens.len())
    }
}

impl ParallelIterator for Halves<'_> {
    type Item = Token;

    fn drive_unindexed<C: UnindexedConsumer<Token>>(self, consumer: C) -> C::Result {
        bridge_unindexed(self, consumer)
    }
}

/// Tokens that know their places; each cut is a step.
struct Places<'s>(Vec<Token>, &'s Steps);

impl Producer for Places<'_> {
    type Item = Token;
    type IntoIter = std::vec::IntoIter<Token>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }

    fn split_at(mut self, index: usize) -> (Self, Self) {
        self.1.step();
        let right = self.0.split_off(index);
        let steps = self.1;
        (self, Places(right, steps))
    }
}

impl ParallelIterator for Places<'_> {
    type Item = Token;

    fn drive_unindexed<C: UnindexedConsumer<Token>>(self, consumer: C) -> C::Result {
        bridge(self, consumer)
    }

    fn opt_len(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

impl IndexedParallelIterator for Places<'_> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn drive<C: Consumer<Token>>(self, consumer: C) -> C::Result {
        bridge(self, consumer)
    }

    fn with_producer<CB: ProducerCallback<Token>>(self, callback: CB) -> CB::Output {
        callback.callback(self)
    }
}

/// A consumer that lists what it gets; each token, and each reduction, is a step.
struct Lister<'s>(&'s Steps);

struct List<'s>(Vec<Token>, &'s Steps);

impl<'s> Consumer<Token> for Lister<'s> {
    type Folder = List<'s>;
    type Reducer = Self;
    type Result = Vec<Token>;

    fn split_at(self, _: usize) -> (Self, Self, Self) {
        (Lister(self.0), Lister(self.0), self)
    }

    fn into_folder(self) -> List<'s> {
        List(Vec::new(), self.0)
    }

    fn full(&self) -> bool {
        false
    }
}

impl UnindexedConsumer<Token> for Lister<'_> {
    fn split_off_left(&self) -> Self {
        Lister(self.0)
    }

    fn to_reducer(&self) -> Self {
        Lister(self.0)
    }
}

impl Folder<Token> for List<'_> {
    type Result = Vec<Token>;

    fn consume(mut self, token: Token) -> Self {
        self.0.push(pass(self.1, token));
        self
    }

    fn complete(self) -> Vec<Token> {
        self.0
    }

    fn full(&self) -> bool {
        false
    }
}

impl Reducer<Vec<Token>> for Lister<'_> {
    fn reduce(self, mut left: Vec<Token>, right: Vec<Token>) -> Vec<Token> {
        self.0.step();
        left.extend(right);
        left
    }
}

/// An adaptor around a chain; its consumers can be split before they are folded only.
struct Via<'s, I>(I, &'s Steps);

struct ViaConsumer<'s, C>(C, &'s Steps);

impl<I: ParallelIterator<Item = Token>> ParallelIterator for Via<'_, I> {
    type Item = Token;

    fn drive_unindexed<C: UnindexedConsumer<Token>>(self, consumer: C) -> C::Result {
        self.0.drive_unindexed(ViaConsumer(consumer, self.1))
    }
}

impl<'s, C: Consumer<Token>> Consumer<Token> for ViaConsumer<'s, C> {
    type Folder = ViaConsumer<'s, C::Folder>;
    type Reducer = C::Reducer;
    type Result = C::Result;

    fn split_at(self, index: usize) -> (Self, Self, C::Reducer) {
        let (left, right, reducer) = self.0.split_at(index);
        (
            ViaConsumer(left, self.1),
            ViaConsumer(right, self.1),
            reducer,
        )
    }

    fn into_folder(self) -> Self::Folder {
        ViaConsumer(self.0.into_folder(), self.1)
    }

    fn full(&self) -> bool {
        self.0.full()
    }
}

impl<C: UnindexedConsumer<Token>> UnindexedConsumer<Token> for ViaConsumer<'_, C> {
    fn split_off_left(&self) -> Self {
        ViaConsumer(self.0.split_off_left(), self.1)
    }

    fn to_reducer(&self) -> C::Reducer {
        self.0.to_reducer()
    }
}

impl<F: Folder<Token>> Folder<Token> for ViaConsumer<'_, F> {
    type Result = F::Result;

    fn consume(self, token: Token) -> Self {
        ViaConsumer(self.0.consume(pass(self.1, token)), self.1)
    }

    fn complete(self) -> F::Result {
        self.0.complete()
    }

    fn full(&self) -> bool {
        self.0.full()
    }
}

cases! {
    foreign_halves(5): |v, s| ids(halves(v, s).collect::<Vec<_>>()); |n| (0..n).collect();
    foreign_halves_find_first(5): |v, s| ids(halves(v, s).find_first(|t| t.id() > 0)); |n| (1..n.clamp(1, 2)).collect();
    foreign_halves_unweighed(5): |v, s| ids(Halves { weighed: false, ..halves(v, s) }.collect::<Vec<_>>()); |n| (0..n).collect();
    foreign_halves_find_last(5): |v, s| ids(Halves { weighed: false, ..halves(v, s) }.find_last(|t| t.id() < 3)); |n| (0..n.min(3)).last().into_iter().collect();
    foreign_places(5): |v, s| ids(Places(v, s).map(|t| pass(s, t)).collect::<Vec<_>>()); |n| (0..n).collect();
    foreign_places_zip(5): |v, s| Places(v, s).zip(s.tokens(4)).map(|(a, b)| { assert_eq!(a, b); a.id() }).collect(); |n| (0..n.min(4)).collect();
    foreign_end(5): |v, s| ids(v.into_par_iter().drive(Lister(s))); |n| (0..n).collect();
    foreign_end_unindexed(5): |v, s| ids(stepped(v, s).filter(|t| t.id() != 1).drive_unindexed(Lister(s))); |n| (0..n).filter(|&i| i != 1).collect();
    foreign_both(5): |v, s| ids(halves(v, s).drive_unindexed(Lister(s))); |n| (0..n).collect();
    foreign_adaptor(5): |v, s| ids(Via(v.into_par_iter(), s).collect::<Vec<_>>()); |n| (0..n).collect();
    foreign_adaptor_find_any(5): |v, s| ids(Via(v.into_par_iter(), s).find_any(|t| t.id() == 2)); |n| (2..n.clamp(2, 3)).collect();
    foreign_chain(5): |v, s| ids(Via(halves(v, s).chain(s.tokens(2)), s).collect::<Vec<_>>()); |n| (0..n).chain(0..2).collect();
}

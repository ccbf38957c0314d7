//! Iterators of other crates that misuse the consumers they are given: parts that are cut where there is nothing, left out, mixed up or overfull. A program that
//! collects from them sees a panic, never a slot without an item, and each item is dropped once.

use crate::support::{Ledger, Place, Token};
use filch::iter::plumbing::{Folder, Reducer, UnindexedConsumer};
use filch::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// As many items as are promised.
const ALL: usize = 10;

#[derive(Clone, Copy, Debug)]
enum Use {
    Right,
    CutBehindTheEnd,
    CutFarBehindTheEnd,
    LeftShort,
    RightShort,
    RightDropped,
    Swapped,
    MiddleDropped,
    OneTooMany,
    FoldCutBehindTheEnd,
    FoldCutFarBehindTheEnd,
    Rejoined,
    RejoinedWithAnother,
}

struct Foreign {
    tokens: Vec<Token>,
    how: Use,
}

impl ParallelIterator for Foreign {
    type Item = Token;

    fn drive_unindexed<C: UnindexedConsumer<Token>>(self, consumer: C) -> C::Result {
        let mut tokens = self.tokens.into_iter();
        let mut fill = |consumer: C, count: usize| {
            let items = tokens.by_ref().take(count);
            items.fold(consumer.into_folder(), C::Folder::consume)
        };
        let two = |consumer: C, at: usize| consumer.split_at(at);
        match self.how {
            Use::Right => {
                let (left, right, reducer) = two(consumer, 4);
                let left = fill(left, 4).complete();
                reducer.reduce(left, fill(right, 6).complete())
            }
            Use::CutBehindTheEnd => {
                let (left, right, reducer) = two(consumer, ALL + 1);
                let left = fill(left, ALL).complete();
                reducer.reduce(left, fill(right, 0).complete())
            }
            Use::CutFarBehindTheEnd => {
                let (_, right, _) = two(consumer, 1);
                let (left, right, reducer) = two(right, usize::MAX);
                let left = fill(left, 9).complete();
                reducer.reduce(left, fill(right, 0).complete())
            }
            Use::LeftShort => {
                let (left, right, reducer) = two(consumer, 5);
                let left = fill(left, 4).complete();
                reducer.reduce(left, fill(right, 5).complete())
            }
            Use::RightShort => {
                let (left, right, reducer) = two(consumer, 5);
                let left = fill(left, 5).complete();
                reducer.reduce(left, fill(right, 4).complete())
            }
            Use::RightDropped => {
                let (left, right, _) = two(consumer, 5);
                drop(fill(right, 5).complete());
                fill(left, 5).complete()
            }
            Use::Swapped => {
                let (left, right, reducer) = two(consumer, 5);
                let left = fill(left, 5).complete();
                reducer.reduce(fill(right, 5).complete(), left)
            }
            Use::MiddleDropped => {
                let (left, right, reducer) = two(consumer, 3);
                let (middle, right, _) = two(right, 4);
                drop(middle);
                let left = fill(left, 3).complete();
                reducer.reduce(left, fill(right, 3).complete())
            }
            Use::OneTooMany => {
                let (left, right, reducer) = two(consumer, 4);
                let left = fill(left, 5).complete();
                reducer.reduce(left, fill(right, 6).complete())
            }
            Use::FoldCutBehindTheEnd => {
                let mut folder = fill(consumer, 4);
                let (right, reducer) = C::split_folder(&mut folder, ALL - 4 + 1);
                reducer.reduce(folder.complete(), fill(right, 6).complete())
            }
            Use::FoldCutFarBehindTheEnd => {
                let mut folder = fill(consumer, 4);
                let (right, reducer) = C::split_folder(&mut folder, usize::MAX);
                reducer.reduce(folder.complete(), fill(right, 6).complete())
            }
            Use::Rejoined => {
                let mut folder = fill(consumer, 4);
                let (right, _) = C::split_folder(&mut folder, 3);
                C::rejoin_folder(&mut folder, right);
                tokens.fold(folder, C::Folder::consume).complete()
            }
            Use::RejoinedWithAnother => {
                let (left, right, _) = two(consumer, 3);
                let (_, right, _) = two(right, 4);
                let mut folder = fill(left, 3);
                C::rejoin_folder(&mut folder, right);
                tokens.fold(folder, C::Folder::consume).complete()
            }
        }
    }

    fn opt_len(&self) -> Option<usize> {
        Some(ALL)
    }
}

#[test]
fn a_collection_survives_the_misuse_of_its_consumers() {
    use Use::*;
    let wrong = [
        CutBehindTheEnd,
        CutFarBehindTheEnd,
        LeftShort,
        RightShort,
        RightDropped,
        Swapped,
        MiddleDropped,
        OneTooMany,
        FoldCutBehindTheEnd,
        FoldCutFarBehindTheEnd,
        RejoinedWithAnother,
    ];
    for place in Place::all() {
        let outcome = |how: Use| {
            let ledger = Ledger::new(ALL + 1);
            let mut tokens = ledger.tokens();
            // One more than promised, if so many are taken.
            let last = tokens.pop();
            tokens.extend(last.filter(|_| matches!(how, OneTooMany)));
            let foreign = Foreign { tokens, how };
            let collect = || {
                foreign
                    .collect::<Vec<_>>()
                    .iter()
                    .map(Token::id)
                    .collect::<Vec<_>>()
            };
            let outcome = catch_unwind(AssertUnwindSafe(|| place.run(collect)));
            ledger.assert_all_gone();
            outcome.ok()
        };
        for how in [Right, Rejoined] {
            assert_eq!(outcome(how), Some((0..ALL).collect()), "{place:?}: {how:?}");
        }
        for how in wrong {
            assert_eq!(outcome(how), None, "{place:?}: {how:?}");
        }
    }
}

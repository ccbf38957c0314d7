//! The chains, in parallel.

use super::chain::{Chain, Reach, digest, is_special, item};
use super::ledger::{Seen, Token};
use super::plant::Plant;
use super::program::Node;
use super::run::{Out, Run};
use filch::iter::{Either, once};
use filch::prelude::*;
use std::collections::{BTreeSet, LinkedList};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// An item, which has to be dropped once.
pub(super) struct Item {
    pub(super) x: u64,
    _token: Token,
}

/// The items of one chain.
pub(super) struct Items<'p, 'e, 's> {
    pub(super) run: &'p Run,
    pub(super) id: u32,
    pub(super) len: u64,
    pub(super) inner: &'p Node,
    pub(super) out: Out<'e, 's>,
    pub(super) seen: Arc<Seen>,
    /// Each item is computed once only, so that a bug with items can be imitated.
    once: bool,
}

impl Run {
    pub(super) fn chain<'p: 's, 's>(
        &'p self,
        id: u32,
        chain: Chain,
        len: u64,
        inner: &'p Node,
        out: Out<'_, 's>,
    ) -> u64 {
        let seen = Seen::new(len);
        let items = Items {
            run: self,
            id,
            len,
            inner,
            out,
            seen: Arc::clone(&seen),
            once: matches!(chain.reach(), Reach::All(1)),
        };
        let found = catch_unwind(AssertUnwindSafe(|| items.through(chain)));
        let (needed, times) = match self.expected.needed.get(&id) {
            Some(&needed) => needed,
            None => (0, 1),
        };
        // After a panic, what is still to come is left out.
        let needed = if found.is_ok() { needed } else { 0 };
        seen.judge(id, needed, times, &self.ledger);
        found.unwrap_or_else(|payload| resume_unwind(payload))
    }

    /// Item `i` of a chain of `len`.
    pub(super) fn item<'p: 's, 's>(
        &'p self,
        (i, len): (u64, u64),
        inner: &'p Node,
        out: Out<'_, 's>,
        seen: &Seen,
    ) -> Item {
        seen.mark(i);
        let _token = self.token();
        let special = match is_special(i, len) {
            true => self.node(inner, out),
            false => 0,
        };
        let x = item(i, len, special);
        Item { x, _token }
    }
}

/// A state of `map_init`, which says when it is dropped how many items it has seen.
pub(super) struct State<'a> {
    pub(super) items: u64,
    all: &'a AtomicU64,
    _token: Token,
}

impl Drop for State<'_> {
    fn drop(&mut self) {
        self.all.fetch_add(self.items, Ordering::Relaxed);
    }
}

impl<'p: 's, 's> Items<'p, '_, 's> {
    pub(super) fn item(&self, i: u64) -> Item {
        let ledger = &self.run.ledger;
        if self.once && ledger.strikes(Plant::LostItem) {
            let _token = self.run.token();
            return Item { x: 0, _token };
        }
        if self.once && ledger.strikes(Plant::DoubledItem) {
            self.seen.mark(i);
        }
        let at = (i, self.len);
        self.run.item(at, self.inner, self.out, &self.seen)
    }

    pub(super) fn indexed(&self) -> impl IndexedParallelIterator<Item = Item> + '_ {
        (0..self.len as usize)
            .into_par_iter()
            .map(|i| self.item(i as u64))
    }

    /// The items of a part.
    pub(super) fn part(
        &self,
        from: u64,
        to: u64,
    ) -> impl IndexedParallelIterator<Item = Item> + '_ {
        (from as usize..to as usize)
            .into_par_iter()
            .map(|i| self.item(i as u64))
    }

    pub(super) fn numbers(&self) -> impl IndexedParallelIterator<Item = u64> + '_ {
        self.indexed().map(|item| item.x)
    }

    /// All items, computed before anything is done with them.
    pub(super) fn list(&self) -> Vec<Item> {
        self.indexed().collect()
    }

    pub(super) fn list_of_numbers(&self) -> Vec<u64> {
        self.numbers().collect()
    }

    /// Each item has to be in one state.
    pub(super) fn judge_states(&self, counted: AtomicU64) {
        let (id, len, counted) = (self.id, self.len, counted.into_inner());
        self.run.ledger.ensure(counted == len, || {
            format!("the states of node {id} saw {counted} items instead of {len}")
        });
    }

    pub(super) fn state<'a>(&self, all: &'a AtomicU64) -> State<'a> {
        State {
            items: 0,
            all,
            _token: self.run.token(),
        }
    }

    fn through(&self, chain: Chain) -> u64 {
        match chain {
            Chain::Tree
            | Chain::TreeReduce
            | Chain::WorkList
            | Chain::Bridge
            | Chain::Text
            | Chain::BridgeOrdered
            | Chain::Cancel
            | Chain::CancelItems => self.other_sources(chain),
            Chain::Ordered
            | Chain::Background
            | Chain::Group
            | Chain::Count
            | Chain::Scan
            | Chain::Retain
            | Chain::Using
            | Chain::UsingStates
            | Chain::MinMax
            | Chain::Last
            | Chain::Nth
            | Chain::ArrayChunks
            | Chain::Reproducible
            | Chain::TopK
            | Chain::Unique
            | Chain::IsSorted => self.of_ext(chain),
            Chain::FindFirst
            | Chain::TryUntil
            | Chain::TakeWhile
            | Chain::ChainFind
            | Chain::ChainTakeWhile
            | Chain::LazyFindFirst
            | Chain::LazyTakeWhile
            | Chain::LazySkipWhile
            | Chain::LazyMapWhile
            | Chain::WhileSome
            | Chain::CollectResult => self.that_stop(chain),
            Chain::Sum => self.numbers().reduce(|| 0, u64::wrapping_add),
            Chain::MaxLen => self
                .numbers()
                .with_max_len(7)
                .reduce(|| 0, u64::wrapping_add),
            Chain::CollectEven => {
                let even: Vec<Item> = self.indexed().filter(|item| item.x % 2 == 0).collect();
                digest_of(even)
            }
            Chain::CollectInPlace => digest_of(self.list()),
            Chain::Drain => {
                let mut all = self.list();
                digest_of(all.par_drain(..).collect::<Vec<_>>())
            }
            Chain::FlatMap => {
                let inner = |item: Item| (0..item.x % 4).into_par_iter().map(move |y| item.x ^ y);
                digest(self.indexed().flat_map(inner).collect::<Vec<_>>())
            }
            Chain::FlatMapIter => {
                let inner = |item: Item| (0..item.x % 4).map(move |y| item.x ^ y);
                digest(self.indexed().flat_map_iter(inner).collect::<Vec<_>>())
            }
            Chain::FlatMapChain => {
                let inner = |item: Item| {
                    let [few, more] = [item.x % 3, item.x % 5].map(|n| n as usize);
                    let back = (0..more).into_par_iter().rev().zip(few..few + more);
                    let all = (0..few).into_par_iter().map(|x| x as u64);
                    all.chain(once(item.x))
                        .chain(back.map(|(a, b)| (a ^ b) as u64))
                };
                digest(self.indexed().flat_map(inner).collect::<Vec<_>>())
            }
            Chain::FoldReduce => {
                let push = |mut part: Vec<Item>, item| {
                    part.push(item);
                    part
                };
                let join = |mut left: Vec<Item>, mut right: Vec<Item>| {
                    left.append(&mut right);
                    left
                };
                digest_of(self.indexed().fold(Vec::new, push).reduce(Vec::new, join))
            }
            Chain::FoldChunks => {
                let sums = self.numbers().fold_chunks(7, || 0, u64::wrapping_add);
                digest(sums.collect::<Vec<_>>())
            }
            Chain::ZipRev => {
                let pairs = self.indexed().zip(self.indexed().rev());
                let both = pairs.map(|(a, b)| a.x ^ b.x.rotate_left(9));
                digest(both.collect::<Vec<_>>())
            }
            Chain::Map => digest(self.numbers().map(|x| x % 1000).collect::<BTreeSet<_>>()),
            Chain::MapInit => {
                let seen = AtomicU64::new(0);
                let count = |state: &mut State<'_>, item: Item| {
                    state.items += 1;
                    item
                };
                let counted = self.indexed().map_init(|| self.state(&seen), count);
                let all: Vec<Item> = counted.collect();
                self.judge_states(seen);
                digest_of(all)
            }
            Chain::MapWith => {
                let held = Arc::new(self.run.token());
                let all = self.indexed().map_with(held, |_, item| item);
                digest_of(all.collect::<Vec<_>>())
            }
            Chain::ForEachInit => {
                let (seen, sum) = (AtomicU64::new(0), AtomicU64::new(0));
                self.indexed().for_each_init(
                    || self.state(&seen),
                    |state, item| {
                        state.items += 1;
                        sum.fetch_add(item.x, Ordering::Relaxed);
                    },
                );
                self.judge_states(seen);
                sum.into_inner()
            }
            Chain::ChainThree => {
                let last = (0..5usize).into_par_iter().rev().map(|x| x as u64);
                let all = self.numbers().chain(once(11)).chain(last);
                digest(all.collect::<Vec<_>>())
            }
            Chain::Interleave => {
                let all = self.numbers().interleave(self.numbers().map(|x| !x));
                digest(all.collect::<Vec<_>>())
            }
            Chain::EnumerateRev => {
                let all = self.numbers().enumerate().rev();
                let all = all.map(|(i, x)| x.wrapping_add(i as u64));
                digest(all.collect::<Vec<_>>())
            }
            Chain::Chunks => {
                let chunks = self.indexed().chunks(5).map(digest_of);
                digest(chunks.collect::<Vec<_>>())
            }
            Chain::StepSkipTake => {
                let (all, len) = (self.list(), self.len as usize);
                let some = all.into_par_iter().skip(len / 5).step_by(3).take(len / 7);
                digest_of(some.collect::<Vec<_>>())
            }
            Chain::Partition => {
                let (even, odd): (Vec<_>, Vec<_>) =
                    self.indexed().partition(|item| item.x % 2 == 0);
                digest_of(even) ^ digest_of(odd).rotate_left(1)
            }
            Chain::Unzip => {
                let pairs = self.indexed().map(|item| (item.x % 10, item));
                let (digits, all): (Vec<u64>, Vec<Item>) = pairs.unzip();
                digest_of(all) ^ digest(digits).rotate_left(1)
            }
            Chain::VecList => {
                let parts: LinkedList<Vec<Item>> = self.indexed().collect_vec_list();
                digest_of(parts.into_iter().flatten())
            }
            Chain::TryFold => {
                let parts = self
                    .numbers()
                    .try_fold(|| 0, |sum: u64, x| Some(sum.wrapping_add(x)));
                let sum = parts.try_reduce(|| 0, |a, b| Some(a.wrapping_add(b)));
                sum.unwrap_or(1)
            }
            Chain::UniformBlocks => {
                let all = self.indexed().by_uniform_blocks(7);
                digest_of(all.collect::<Vec<_>>())
            }
            Chain::Either => {
                let all = match self.len.is_multiple_of(2) {
                    true => Either::Left(self.indexed()),
                    false => Either::Right(self.part(0, self.len)),
                };
                digest_of(all.collect::<Vec<_>>())
            }
            Chain::PanicFuse => digest_of(self.indexed().panic_fuse().collect::<Vec<_>>()),
        }
    }
}

pub(super) fn digest_of(items: impl IntoIterator<Item = Item>) -> u64 {
    digest(items.into_iter().map(|item| item.x))
}

//! The chains of which rayon has none, those that stop early, and those over other sources than ranges.

use super::chain::{Chain, KINDS, digest, is_mark, is_special, sum, text};
use super::run::Out;
use super::run_chain::{Item, Items, digest_of};
use filch::algo::{for_each_spawn, tree_reduce};
use filch::ext::*;
use filch::iter::{once, walk_tree};
use filch::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

impl<'p: 's, 's> Items<'p, '_, 's> {
    /// Chains whose end may come before the last item.
    pub(super) fn that_stop(&self, chain: Chain) -> u64 {
        let (half, len) = (self.len / 2, self.len);
        match chain {
            Chain::FindFirst => {
                let hit = self
                    .list_of_numbers()
                    .into_par_iter()
                    .find_first(|&x| is_mark(x));
                hit.unwrap_or(5)
            }
            Chain::TryUntil => {
                let all = self.list_of_numbers().into_par_iter();
                let done = all.try_for_each(|x| (x % 5000 != 0).then_some(()));
                u64::from(done.is_some())
            }
            Chain::TakeWhile => {
                let all = self.list().into_par_iter();
                let front = ParallelWhile::take_while(all, |item| !is_mark(item.x));
                digest_of(front.collect::<Vec<_>>())
            }
            Chain::LazyFindFirst => {
                let hit = self.indexed().find_first(|item| is_mark(item.x));
                hit.map_or(5, |item| item.x)
            }
            Chain::ChainFind => {
                let (front, back) = (self.part(0, half), self.part(half, len));
                let all = front.flat_map(|item| [item]).chain(back.filter(|_| true));
                // What stands behind the items is none of their values.
                let all = all.map(|item| Some(item.x)).chain(once(None));
                let hit = all.find_first(|x| x.is_none_or(is_mark));
                hit.map_or(8, |x| x.unwrap_or(7))
            }
            Chain::ChainTakeWhile => {
                let all = self.indexed().flat_map(|item| [item.x]).chain([1, 2]);
                let front = ParallelWhile::take_while(all, |&x| !is_mark(x));
                digest(front.collect::<Vec<_>>())
            }
            Chain::LazyTakeWhile => {
                let front = ParallelWhile::take_while(self.indexed(), |item| !is_mark(item.x));
                digest_of(front.collect::<Vec<_>>())
            }
            Chain::LazyMapWhile => {
                let keep = |item: Item| (!is_mark(item.x)).then_some(item);
                digest_of(ParallelWhile::map_while(self.indexed(), keep).collect::<Vec<_>>())
            }
            Chain::LazySkipWhile => {
                let back = ParallelWhile::skip_while(self.indexed(), |item| !is_mark(item.x));
                digest_of(back.collect::<Vec<_>>())
            }
            Chain::WhileSome => {
                let keep = |(i, item): (usize, Item)| (!is_mark(item.x)).then_some((i, item));
                let some = self.indexed().enumerate().map(keep).while_some();
                let some: Vec<(usize, Item)> = some.collect();
                self.judge_order(some.iter().map(|(i, _)| *i as u64));
                4
            }
            _ => {
                let check = |item: Item| if is_mark(item.x) { Err(item) } else { Ok(item) };
                let all: Result<Vec<Item>, Item> = self.list().into_par_iter().map(check).collect();
                all.map_or(9, digest_of)
            }
        }
    }

    /// Some of the items have to be in order.
    fn judge_order(&self, some: impl Iterator<Item = u64>) {
        let id = self.id;
        self.run.ledger.ensure(some.is_sorted_by(|a, b| a < b), || {
            format!("some items of node {id} are out of order")
        });
    }

    /// Ends and adaptors that rayon does not have.
    pub(super) fn of_ext(&self, chain: Chain) -> u64 {
        let bound = self.len as usize / 4 + 1;
        match chain {
            Chain::Ordered => self
                .indexed()
                .with_ordered_iter(bound, |items| digest_of(items)),
            Chain::Background => {
                // It may outlive all frames, as far as the types know.
                let (run, inner, len) = (self.run.clone(), self.inner.clone(), self.len);
                let seen = Arc::clone(&self.seen);
                let item = move |i: usize| run.item((i as u64, len), &inner, Out::None, &seen);
                let items = (0..len as usize).into_par_iter().map(item);
                digest_of(items.into_ordered_iter(bound))
            }
            Chain::Group => {
                let groups = self.numbers().map(|x| (x % KINDS, x)).group_by_key();
                let mut groups: Vec<_> = groups.iter().collect();
                groups.sort();
                digest(groups.into_iter().flat_map(|(_, group)| group).copied())
            }
            Chain::Count => {
                let counts = self.numbers().count_by_key(|x| x % KINDS);
                let mut counts: Vec<_> = counts.into_iter().collect();
                counts.sort();
                digest(counts.into_iter().map(|(_, count)| count as u64))
            }
            Chain::Scan => digest(
                self.list_of_numbers()
                    .par_scan_inclusive(|a, b| a.wrapping_add(*b)),
            ),
            Chain::Retain => {
                let mut all = self.list();
                all.par_retain(|item| item.x % 3 != 0);
                digest_of(all)
            }
            Chain::Using => {
                let seen = AtomicU64::new(0);
                let used = self.indexed().using(|| self.state(&seen));
                let numbers = used.map(|state, item| {
                    state.items += 1;
                    item.x
                });
                let sum = numbers.reduce(|| 0, u64::wrapping_add);
                self.judge_states(seen);
                sum
            }
            Chain::UsingStates => {
                let seen = AtomicU64::new(0);
                let states = States::new(|| self.state(&seen));
                let used = self.indexed().using_states(&states);
                let numbers = used.map(|state, item| {
                    state.items += 1;
                    item.x
                });
                let sum = numbers.reduce(|| 0, u64::wrapping_add);
                drop(states.into_vec());
                self.judge_states(seen);
                sum
            }
            Chain::MinMax => {
                let pair = self.numbers().min_max().into_pair();
                let (min, max) = pair.unwrap_or((1, 1));
                min ^ max.rotate_left(1)
            }
            Chain::Last => {
                let odd = self
                    .list_of_numbers()
                    .into_par_iter()
                    .filter(|x| x % 2 == 1);
                ParallelLast::last(odd).unwrap_or(8)
            }
            Chain::Nth => {
                let nth = ParallelNth::nth(self.indexed(), self.len as usize / 2);
                nth.map_or(6, |item| item.x)
            }
            Chain::ArrayChunks => {
                let chunks = ParallelArrayChunks::array_chunks(self.list().into_par_iter());
                let sums = chunks.map(|chunk: [Item; 3]| sum(chunk.iter().map(|item| item.x)));
                digest(sums.collect::<Vec<_>>())
            }
            Chain::Reproducible => {
                let third = self.indexed().reproducible().filter(|item| item.x % 3 == 0);
                digest_of(third.collect::<Vec<_>>())
            }
            Chain::TopK => digest(self.numbers().top_k(9)),
            Chain::Unique => {
                let mut all: Vec<u64> = self.numbers().map(|x| x % KINDS).collect();
                all.par_unique();
                digest(all)
            }
            _ => u64::from(ParallelIsSorted::is_sorted(
                self.list_of_numbers().into_par_iter(),
            )),
        }
    }

    /// Sources that are no ranges, and tokens that cancel.
    pub(super) fn other_sources(&self, chain: Chain) -> u64 {
        let len = self.len;
        let nodes = |&i: &u64| (2 * i + 1..2 * i + 3).filter(move |&child| child < len);
        let number = |i| self.item(i).x;
        match chain {
            Chain::Bridge => {
                let numbers = (0..len).par_bridge().map(number);
                numbers.reduce(|| 0, u64::wrapping_add)
            }
            Chain::BridgeOrdered => {
                let items = (0..len).par_bridge_ordered().map(|i| self.item(i));
                digest_of(items.collect::<Vec<_>>())
            }
            Chain::Text => {
                let special = match (0..len).any(|i| is_special(i, len)) {
                    true => self.run.node(self.inner, self.out),
                    false => 0,
                };
                let lines = text(len);
                let lengths: Vec<u64> = lines.par_lines().map(|line| line.len() as u64).collect();
                digest(lengths) ^ special
            }
            Chain::Tree | Chain::TreeReduce | Chain::WorkList if len == 0 => 0,
            // Numbered like a heap, so node i has the children 2i + 1 and 2i + 2.
            Chain::Tree => walk_tree(0, nodes)
                .map(number)
                .reduce(|| 0, u64::wrapping_add),
            Chain::TreeReduce => tree_reduce(0, nodes, number, u64::wrapping_add),
            Chain::WorkList => {
                let sum = AtomicU64::new(0);
                for_each_spawn([0], |i, list| {
                    sum.fetch_add(number(i), Ordering::Relaxed);
                    nodes(&i).for_each(|child| list.spawn(child));
                });
                sum.into_inner()
            }
            Chain::CancelItems => {
                let token = CancelToken::new();
                let numbered = (0..len as usize).into_par_iter().map(|i| i as u64);
                let outcome = numbered.with_cancel(&token, |all| {
                    all.map(|i| {
                        if i == len / 2 {
                            token.cancel();
                        }
                        (i, self.item(i))
                    })
                    .collect::<Vec<_>>()
                });
                let (some, done) = match outcome {
                    Ok(all) => (all, len as usize),
                    Err(Cancelled { value, done }) => (value, done),
                };
                let (id, found) = (self.id, some.len());
                self.run.ledger.ensure(found == done, || {
                    format!("{done} items of node {id} were done, and {found} came out")
                });
                self.judge_order(some.iter().map(|(i, _)| *i));
                3
            }
            _ => {
                // So many that it ends by the cancel only: what was begun then is a block a thread. Any item behind cancels, because where cuts are
                // forced all threads may be at parts that never end.
                let token = CancelToken::new();
                let stopped = (0..1u64 << 40).into_par_iter().with_cancel(&token, |all| {
                    let cancels = |&i: &u64| {
                        if i >= len / 2 {
                            token.cancel();
                        }
                    };
                    all.inspect(cancels).count()
                });
                let Cancelled { value, done } = stopped.expect_err("items were left out");
                let id = self.id;
                self.run.ledger.ensure(value > 0 && value == done, || {
                    format!("{done} items of node {id} were done, and {value} counted")
                });
                3
            }
        }
    }
}

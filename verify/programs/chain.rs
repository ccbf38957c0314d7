//! The chains of parallel iterators that programs have, and what each gives on one thread.

use super::dice::{Dice, mix};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

macro_rules! chains {
    ($($name:ident,)*) => {
        /// What a parallel iterator does.
        #[allow(clippy::enum_variant_names)] // `FlatMapChain` and `ChainThree` are chains of chains
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Chain { $($name,)* }

        const ALL: &[Chain] = &[$(Chain::$name,)*];
    };
}

chains! {
    Sum, CollectEven, CollectInPlace, FlatMap, FoldReduce, ZipRev, FindFirst, TryUntil, Bridge, Map, Text, MaxLen, Drain, Tree, Ordered,
    Background, BridgeOrdered, Group, Count, Scan, Retain, TreeReduce, WorkList, TakeWhile, Using, Cancel,
    MapInit, MapWith, ForEachInit, FoldChunks, FlatMapChain, FlatMapIter, ChainThree, ChainFind, ChainTakeWhile, LazyFindFirst, LazyTakeWhile,
    LazySkipWhile, LazyMapWhile, WhileSome, Interleave, EnumerateRev, Chunks, StepSkipTake, Partition, Unzip, CollectResult, VecList, MinMax,
    Last, Nth, ArrayChunks, UsingStates, TryFold, Reproducible, UniformBlocks, Either, TopK, Unique, IsSorted, PanicFuse, CancelItems,
}

/// How many different keys the chains have that group.
pub const KINDS: u64 = 997;

/// Which items have to be computed.
pub enum Reach {
    /// All of them, each so many times.
    All(u8),
    /// Those up to the first that has a [`mark`](is_mark); others may be, but no item twice.
    UpToMark,
    /// Any, but no item twice.
    Any,
}

impl Chain {
    /// A random one; `all` of them, or those that a model can have.
    pub fn random(dice: &mut Dice, all: bool) -> Chain {
        loop {
            let chain = ALL[dice.below(ALL.len() as u64) as usize];
            if (all || !chain.is_for_threads()) && !chain.is_left_out() {
                return chain;
            }
        }
    }

    /// Whether `FILCH_WITHOUT` names it (`ChainFind,Nth`), so that what is known to fail hides nothing else.
    fn is_left_out(self) -> bool {
        static LEFT_OUT: OnceLock<String> = OnceLock::new();
        let names = LEFT_OUT.get_or_init(|| std::env::var("FILCH_WITHOUT").unwrap_or_default());
        let name = format!("{self:?}");
        names.split(',').any(|left_out| left_out == name)
    }

    /// Whether it cannot be in a model: because it is endless but for a token; or because it asks whether its thread panics, for all threads of a
    /// model are one of the system.
    fn is_for_threads(self) -> bool {
        matches!(self, Chain::Cancel | Chain::PanicFuse)
    }

    /// Whether its items may be computed by a thread that knows nothing of the scopes around.
    pub fn outlives_scopes(self) -> bool {
        self == Chain::Background
    }

    pub fn reach(self) -> Reach {
        match self {
            Chain::ZipRev | Chain::Interleave => Reach::All(2),
            Chain::ChainFind
            | Chain::ChainTakeWhile
            | Chain::LazyFindFirst
            | Chain::LazyTakeWhile
            | Chain::LazyMapWhile => Reach::UpToMark,
            Chain::CancelItems | Chain::Nth | Chain::WhileSome => Reach::Any,
            _ => Reach::All(1),
        }
    }

    /// What comes of these items on one thread.
    pub fn expected(self, items: &[u64]) -> u64 {
        let all = || items.iter().copied();
        let len = items.len();
        match self {
            Chain::Cancel | Chain::CancelItems => 3,
            Chain::Sum
            | Chain::MaxLen
            | Chain::TreeReduce
            | Chain::WorkList
            | Chain::Using
            | Chain::Bridge
            | Chain::Tree
            | Chain::ForEachInit
            | Chain::TryFold
            | Chain::UsingStates => sum(all()),
            Chain::CollectInPlace
            | Chain::FoldReduce
            | Chain::Drain
            | Chain::Ordered
            | Chain::Background
            | Chain::BridgeOrdered
            | Chain::MapInit
            | Chain::MapWith
            | Chain::VecList
            | Chain::UniformBlocks
            | Chain::Either
            | Chain::PanicFuse => digest(all()),
            Chain::CollectEven => digest(all().filter(|x| x % 2 == 0)),
            Chain::FlatMap | Chain::FlatMapIter => {
                digest(all().flat_map(|x| (0..x % 4).map(move |y| x ^ y)))
            }
            Chain::FlatMapChain => digest(all().flat_map(|x| {
                let [few, more] = [x % 3, x % 5];
                let back = (0..more).rev().zip(few..).map(|(a, b)| a ^ b);
                (0..few).chain([x]).chain(back)
            })),
            Chain::ZipRev => digest(all().zip(all().rev()).map(|(a, b)| a ^ b.rotate_left(9))),
            Chain::FindFirst | Chain::LazyFindFirst => all().find(|&x| is_mark(x)).unwrap_or(5),
            Chain::ChainFind => all().find(|&x| is_mark(x)).unwrap_or(7),
            Chain::TryUntil => u64::from(all().all(|x| x % 5000 != 0)),
            Chain::Map => digest(all().map(|x| x % 1000).collect::<BTreeSet<_>>()),
            Chain::Text => digest(text(len as u64).lines().map(|line| line.len() as u64)),
            Chain::Group => {
                let mut groups = BTreeMap::<u64, Vec<u64>>::new();
                all().for_each(|x| groups.entry(x % KINDS).or_default().push(x));
                digest(groups.into_values().flatten())
            }
            Chain::Count => {
                let mut counts = BTreeMap::<u64, u64>::new();
                all().for_each(|x| *counts.entry(x % KINDS).or_default() += 1);
                digest(counts.into_values())
            }
            Chain::Scan => digest(all().scan(0u64, |sum, x| {
                *sum = sum.wrapping_add(x);
                Some(*sum)
            })),
            Chain::Retain => digest(all().filter(|x| x % 3 != 0)),
            Chain::TakeWhile | Chain::LazyTakeWhile | Chain::LazyMapWhile => {
                digest(all().take_while(|&x| !is_mark(x)))
            }
            Chain::ChainTakeWhile => digest(all().chain([1, 2]).take_while(|&x| !is_mark(x))),
            Chain::LazySkipWhile => digest(all().skip_while(|&x| !is_mark(x))),
            Chain::FoldChunks => digest(items.chunks(7).map(|chunk| sum(chunk.iter().copied()))),
            Chain::ChainThree => digest(all().chain([11]).chain((0..5).rev())),
            Chain::WhileSome => 4,
            Chain::Interleave => digest(all().flat_map(|x| [x, !x])),
            Chain::EnumerateRev => digest(
                (0..len)
                    .zip(all())
                    .rev()
                    .map(|(i, x)| x.wrapping_add(i as u64)),
            ),
            Chain::Chunks => digest(items.chunks(5).map(|chunk| digest(chunk.iter().copied()))),
            Chain::StepSkipTake => digest(all().skip(len / 5).step_by(3).take(len / 7)),
            Chain::Partition => {
                let (even, odd): (Vec<u64>, Vec<u64>) = all().partition(|x| x % 2 == 0);
                digest(even) ^ digest(odd).rotate_left(1)
            }
            Chain::Unzip => digest(all()) ^ digest(all().map(|x| x % 10)).rotate_left(1),
            Chain::CollectResult => match all().any(is_mark) {
                true => 9,
                false => digest(all()),
            },
            Chain::MinMax => all().min().unwrap_or(1) ^ all().max().unwrap_or(1).rotate_left(1),
            Chain::Last => all().rfind(|x| x % 2 == 1).unwrap_or(8),
            Chain::Nth => items.get(len / 2).copied().unwrap_or(6),
            Chain::ArrayChunks => digest(
                items
                    .chunks_exact(3)
                    .map(|chunk| sum(chunk.iter().copied())),
            ),
            Chain::Reproducible => digest(all().filter(|x| x % 3 == 0)),
            Chain::TopK => {
                let mut sorted: Vec<u64> = all().collect();
                sorted.sort_by(|a, b| b.cmp(a));
                digest(sorted.into_iter().take(9))
            }
            Chain::Unique => {
                let mut seen = BTreeSet::new();
                digest(all().map(|x| x % KINDS).filter(|x| seen.insert(*x)))
            }
            Chain::IsSorted => u64::from(all().is_sorted()),
        }
    }
}

/// Whether an end that stops early stops at this item.
pub fn is_mark(x: u64) -> bool {
    // A model has a few items only.
    x.is_multiple_of(if cfg!(filch_shuttle) { 5 } else { 1000 })
}

/// Whether item `i` of a chain of `len` runs the chain's program: a few of them do.
pub fn is_special(i: u64, len: u64) -> bool {
    i % (len / 3 + 1) == len / 5
}

/// What item `i` gives, with what its program gave.
pub fn item(i: u64, len: u64, special: u64) -> u64 {
    mix(i ^ len << 32) ^ special
}

/// A number for a sequence of numbers.
pub fn digest(items: impl IntoIterator<Item = u64>) -> u64 {
    let step = |x: u64, item| mix(x.wrapping_mul(31) ^ item);
    items.into_iter().fold(7, step)
}

pub fn sum(items: impl IntoIterator<Item = u64>) -> u64 {
    items.into_iter().fold(0, u64::wrapping_add)
}

/// The text of a chain over text.
pub fn text(len: u64) -> String {
    (0..len / 8)
        .map(|i| format!("{} {}\n", mix(i) % 100, i))
        .collect()
}

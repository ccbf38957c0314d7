//! Plumbing as a careless or hostile crate writes it: lengths that are wrong, halves that are not what was asked for, iterators that end early or go on.
//!
//! Whatever it does, it is safe code: so there may be a panic, or a result with items missing, but no item twice, and none that was never made.

use crate::bytes::{Bytes, mix};
use crate::ledger::{Item, Ledger, look};
use crate::pools::{caught, somewhere};
use filch::iter::plumbing::{
    Consumer, Folder, Producer, ProducerCallback, UnindexedConsumer, UnindexedProducer, bridge,
    bridge_unindexed,
};
use filch::prelude::*;
use std::collections::LinkedList;
use std::sync::Arc;
use std::vec;

/// How it lies.
#[derive(Debug, Clone, Copy)]
struct Lies {
    /// What the iterator says its length is, less what it is.
    len: isize,
    /// The same for `opt_len`; `None` says that it does not know.
    opt_len: Option<isize>,
    /// The same for the length and the size hint of sequential iterators.
    hint: isize,
    /// By how much cuts miss the place they were asked for.
    cut: isize,
    /// A cut loses so many items.
    lost: usize,
    /// `fold_with` leaves so many items out.
    unfolded: usize,
    /// Goes on folding when the folder says that it is full.
    deaf: bool,
    min_len: usize,
    max_len: usize,
}

impl Lies {
    fn new(bytes: &mut Bytes<'_>) -> Lies {
        let by = |bytes: &mut Bytes<'_>| match bytes.below(6) {
            0..3 => 0,
            3 => bytes.below(5) as isize - 2,
            4 => bytes.below(256) as isize - 128,
            _ => bytes.below(256) as isize * 100,
        };
        let bound = |bytes: &mut Bytes<'_>| match bytes.below(4) {
            0 => 0,
            1 => 1,
            2 => bytes.below(256),
            _ => usize::MAX,
        };
        Lies {
            len: by(bytes),
            opt_len: bytes.flag().then(|| by(bytes)),
            hint: by(bytes),
            cut: by(bytes),
            lost: bytes.below(8).saturating_sub(5),
            unfolded: bytes.below(8).saturating_sub(5),
            deaf: bytes.flag(),
            min_len: bound(bytes),
            max_len: bound(bytes),
        }
    }
}

fn off(len: usize, by: isize) -> usize {
    len.saturating_add_signed(by)
}

/// The items of a ledger, by value, and lies about them.
struct Liar<'a> {
    items: Vec<Item<'a>>,
    lies: Lies,
    /// How often it can be cut without a position. A producer that could be for ever would be, where cuts are forced.
    cuts: u32,
}

impl<'a> ParallelIterator for Liar<'a> {
    type Item = Item<'a>;

    fn drive_unindexed<C: UnindexedConsumer<Item<'a>>>(self, consumer: C) -> C::Result {
        bridge(self, consumer)
    }

    fn opt_len(&self) -> Option<usize> {
        self.lies.opt_len.map(|by| off(self.items.len(), by))
    }
}

impl<'a> IndexedParallelIterator for Liar<'a> {
    fn len(&self) -> usize {
        off(self.items.len(), self.lies.len)
    }

    fn drive<C: Consumer<Item<'a>>>(self, consumer: C) -> C::Result {
        bridge(self, consumer)
    }

    fn with_producer<CB: ProducerCallback<Item<'a>>>(self, callback: CB) -> CB::Output {
        callback.callback(self.producer())
    }
}

impl<'a> Liar<'a> {
    fn producer(self) -> LyingProducer<'a> {
        LyingProducer(self)
    }

    /// In two, near `index`.
    fn cut(mut self, index: usize) -> (Self, Self) {
        let at = off(index, self.lies.cut).min(self.items.len());
        let mut right = self.items.split_off(at);
        for _ in 0..self.lies.lost {
            right.pop();
        }
        let (lies, cuts) = (self.lies, self.cuts.saturating_sub(1));
        self.cuts = cuts;
        let items = right;
        (self, Liar { items, lies, cuts })
    }

    fn fold<F: Folder<Item<'a>>>(mut self, mut folder: F) -> F {
        for _ in 0..self.lies.unfolded {
            self.items.pop();
        }
        if !self.lies.deaf {
            return folder.consume_iter(self.items);
        }
        for item in self.items {
            folder = folder.consume(item);
        }
        folder
    }
}

struct LyingProducer<'a>(Liar<'a>);

impl<'a> Producer for LyingProducer<'a> {
    type Item = Item<'a>;
    type IntoIter = LyingIter<'a>;

    fn into_iter(self) -> LyingIter<'a> {
        LyingIter {
            items: self.0.items.into_iter(),
            by: self.0.lies.hint,
        }
    }

    fn min_len(&self) -> usize {
        self.0.lies.min_len
    }

    fn max_len(&self) -> usize {
        self.0.lies.max_len
    }

    fn split_at(self, index: usize) -> (Self, Self) {
        let (left, right) = self.0.cut(index);
        (left.producer(), right.producer())
    }

    fn fold_with<F: Folder<Item<'a>>>(self, folder: F) -> F {
        // Half of the liars leave the folding to the default.
        if self.0.lies.min_len.is_multiple_of(2) {
            return folder.consume_iter(self.into_iter());
        }
        self.0.fold(folder)
    }
}

/// An iterator whose length is wrong.
struct LyingIter<'a> {
    items: vec::IntoIter<Item<'a>>,
    by: isize,
}

impl<'a> Iterator for LyingIter<'a> {
    type Item = Item<'a>;

    fn next(&mut self) -> Option<Item<'a>> {
        self.items.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = off(self.items.len(), self.by);
        (len, Some(len))
    }
}

impl DoubleEndedIterator for LyingIter<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.items.next_back()
    }
}

impl ExactSizeIterator for LyingIter<'_> {
    fn len(&self) -> usize {
        self.size_hint().0
    }
}

/// The same without positions.
/// Says that it can pause, or not.
struct Unindexed<'a, const PAUSES: bool>(Liar<'a>);

impl<'a, const PAUSES: bool> UnindexedProducer for Unindexed<'a, PAUSES> {
    type Item = Item<'a>;

    fn split(self) -> (Self, Option<Self>) {
        let half = self.0.items.len() / 2;
        if half == 0 || self.0.cuts == 0 {
            return (self, None);
        }
        let (left, right) = self.0.cut(half);
        (Unindexed(left), Some(Unindexed(right)))
    }

    fn fold_with<F: Folder<Item<'a>>>(self, folder: F) -> F {
        self.0.fold(folder)
    }

    fn weight(&self) -> Option<usize> {
        self.0.opt_len()
    }

    const CAN_PAUSE: bool = PAUSES;

    fn fold_some<F: Folder<Item<'a>>>(mut self, folder: F, budget: usize) -> (F, Option<Self>) {
        let budget = off(budget, self.0.lies.hint).max(1);
        let rest = self.0.items.split_off(budget.min(self.0.items.len()));
        let (lies, cuts) = (self.0.lies, self.0.cuts);
        let folder = self.0.fold(folder);
        let items = rest;
        let rest = Unindexed(Liar { items, lies, cuts });
        (folder, (!rest.0.items.is_empty()).then_some(rest))
    }
}

struct UnindexedLiar<'a>(Liar<'a>);

impl<'a> ParallelIterator for UnindexedLiar<'a> {
    type Item = Item<'a>;

    fn drive_unindexed<C: UnindexedConsumer<Item<'a>>>(self, consumer: C) -> C::Result {
        match self.0.lies.deaf {
            true => bridge_unindexed(Unindexed::<true>(self.0), consumer),
            false => bridge_unindexed(Unindexed::<false>(self.0), consumer),
        }
    }

    fn opt_len(&self) -> Option<usize> {
        self.0.opt_len()
    }
}

fn is_kept(item: &Item<'_>) -> bool {
    !mix(item.index() as u64).is_multiple_of(3)
}

/// An iterator with positions, through one of many chains.
fn with_positions<'a>(which: usize, n: usize, mut liar: impl FnMut(u8) -> Liar<'a>) {
    let all = liar(0);
    match which {
        0 => look(all.collect::<Vec<_>>()),
        1 => {
            let mut v = Vec::with_capacity(n);
            all.collect_into_vec(&mut v);
            look(v);
        }
        2 => {
            let (a, b): (Vec<_>, Vec<_>) = all.zip(liar(1)).unzip();
            look(a);
            look(b);
        }
        3 => look(all.rev().collect::<Vec<_>>()),
        4 => look(all.enumerate().map(|(_, item)| item).collect::<Vec<_>>()),
        5 => look(all.skip(n).collect::<Vec<_>>()),
        6 => look(all.take(n).collect::<Vec<_>>()),
        7 => look(all.step_by(n + 1).collect::<Vec<_>>()),
        8 => look(all.chunks(n + 1).collect::<Vec<_>>().into_iter().flatten()),
        9 => {
            let (a, b): (Vec<_>, Vec<_>) = all.map(|item| (item, n)).unzip();
            look(a);
            drop(b);
        }
        10 => look(all.interleave(liar(1)).collect::<Vec<_>>()),
        11 => look(all.chain(liar(1)).collect::<Vec<_>>()),
        12 => {
            let (mut a, mut b) = (Vec::new(), Vec::new());
            all.zip(liar(1)).unzip_into_vecs(&mut a, &mut b);
            look(a);
            look(b);
        }
        13 => look(all.with_min_len(n).with_max_len(n).collect::<Vec<_>>()),
        14 => {
            let folded = all.fold_chunks(n + 1, Vec::new, |mut v, item| {
                v.push(item);
                v
            });
            look(folded.collect::<Vec<_>>().into_iter().flatten());
        }
        15 => drop(all.position_first(|item| item.index() == n)),
        16 => drop(all.zip_eq(liar(1)).count()),
        17 => look(all.collect::<Box<[_]>>()),
        18 => look(all.panic_fuse().collect::<LinkedList<_>>()),
        19 => {
            let found = all.find_last(|item| item.index() % (n + 1) == n);
            look(found);
        }
        20 => {
            let first = all.map(|item| {
                if item.index() == n {
                    Err(item)
                } else {
                    Ok(item)
                }
            });
            match first.collect::<Result<Vec<_>, _>>() {
                Ok(v) => look(v),
                Err(item) => look([item]),
            }
        }
        21 => look(all.interleave_shortest(liar(1)).collect::<Vec<_>>()),
        22 => {
            // What stands between them has to be cloned.
            let shared = all.map(|item| Some(Arc::new(item)));
            let spread: Vec<_> = shared.intersperse(None).collect();
            look(spread.into_iter().flatten().filter_map(Arc::into_inner));
        }
        _ => unpositioned(which, n, all),
    }
}

/// Any iterator, through one of some chains that need no positions.
fn unpositioned<'a>(which: usize, n: usize, all: impl ParallelIterator<Item = Item<'a>>) {
    match which % 8 {
        0 => look(all.collect::<Vec<_>>()),
        1 => look(all.filter(is_kept).collect::<Vec<_>>()),
        2 => look(all.flat_map_iter(Some).collect::<Vec<_>>()),
        3 => {
            let (a, b): (Vec<_>, LinkedList<_>) = all.partition_map(|item| {
                if is_kept(&item) {
                    filch::iter::Either::Left(item)
                } else {
                    filch::iter::Either::Right(item)
                }
            });
            look(a.into_iter().chain(b));
        }
        4 => look(all.map(Some).while_some().collect::<Vec<_>>()),
        5 => look(all.find_any(|item| item.index() == n)),
        6 => {
            let mut v = Vec::new();
            v.par_extend(all);
            look(v);
        }
        _ => look(all.take_any(n).collect::<Vec<_>>()),
    }
}

/// Lies, through one of the chains.
pub fn lying_producers(data: &[u8]) {
    let mut bytes = Bytes(data);
    let mut place = bytes.clone();
    bytes.byte();
    bytes.byte();
    let (which, n) = (bytes.below(40), bytes.below(256));
    let len = bytes.len(8);
    let lies = Lies::new(&mut bytes);
    let others = if bytes.flag() {
        Lies::new(&mut bytes)
    } else {
        lies
    };
    let ledgers = [Ledger::new(len), Ledger::new(len)];
    let liar = |second: u8| Liar {
        items: (0..len)
            .map(|i| ledgers[usize::from(second)].item(i))
            .collect(),
        lies: if second == 0 { lies } else { others },
        cuts: 40,
    };
    // Whether it panics is up to it.
    somewhere(&mut place, || {
        caught(|| {
            if which < 30 {
                with_positions(which, n, liar);
            } else {
                unpositioned(which, n, UnindexedLiar(liar(0)));
            }
        })
    });
    ledgers.iter().for_each(Ledger::assert_all_gone);
}

//! A consumer of another crate's that splits running folds itself: the driver and all adaptors keep to the contract of `split_folder` and
//! `rejoin_folder`.

use crate::support::costly;
use filch::ThreadPoolBuilder;
use filch::iter::plumbing::{Consumer, Cuts, Folder, Reducer, UnindexedConsumer};
use filch::prelude::*;
use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Which consumers there are.
#[derive(Default)]
struct Book {
    next: AtomicU64,
    /// `flat_map` splits consumers off that it may not need.
    unused: Mutex<HashSet<u64>>,
    /// Those that were split off a running fold.
    offered: Mutex<HashSet<u64>>,
    rejoined: AtomicU64,
}

impl Book {
    #[track_caller]
    fn is_closed(&self) {
        let (unused, offered) = (self.unused.lock().unwrap(), self.offered.lock().unwrap());
        let lost = offered.intersection(&unused).count();
        assert_eq!(lost, 0, "parts that were split off a fold were lost");
    }

    fn part(&self, indexed: bool) -> Part<'_> {
        let id = self.next.fetch_add(1, Relaxed);
        self.unused.lock().unwrap().insert(id);
        Part {
            id,
            indexed,
            book: self,
        }
    }
}

/// A consumer: it is made once, and becomes a folder, or two consumers, or part of the fold that it was split off.
struct Part<'b> {
    id: u64,
    indexed: bool,
    book: &'b Book,
}

impl Part<'_> {
    fn is_used(&self) {
        let was_there = self.book.unused.lock().unwrap().remove(&self.id);
        assert!(was_there, "a consumer was used twice");
    }
}

struct List<'b, T> {
    items: Vec<T>,
    /// What was split off and has not come back: the consumer, and how many items come before it.
    rights: Vec<(u64, usize)>,
    indexed: bool,
    book: &'b Book,
}

impl<'b, T: Send> Consumer<T> for Part<'b> {
    type Folder = List<'b, T>;
    type Reducer = Append;
    type Result = Vec<T>;

    fn split_at(self, _: usize) -> (Self, Self, Append) {
        self.is_used();
        let Part { indexed, book, .. } = self;
        (book.part(indexed), book.part(indexed), Append)
    }

    fn into_folder(self) -> List<'b, T> {
        self.is_used();
        List {
            items: Vec::new(),
            rights: Vec::new(),
            indexed: self.indexed,
            book: self.book,
        }
    }

    fn full(&self) -> bool {
        false
    }

    const SPLITS_LIVE: bool = true;

    fn split_folder(folder: &mut List<'b, T>, at: usize) -> (Self, Append) {
        let part = folder.book.part(folder.indexed);
        folder.book.offered.lock().unwrap().insert(part.id);
        let end = match folder.indexed {
            true => folder.items.len() + at,
            false => usize::MAX,
        };
        assert!(
            end <= folder.end(),
            "split behind a part that was split off before"
        );
        folder.rights.push((part.id, end));
        (part, Append)
    }

    fn rejoin_folder(folder: &mut List<'b, T>, right: Self) {
        right.is_used();
        let (last, end) = folder.rights.pop().expect("something was split off");
        assert_eq!(
            last, right.id,
            "another part came back than was split off last"
        );
        if folder.indexed {
            assert_eq!(folder.items.len(), end, "a part came back too soon");
        }
        folder.book.rejoined.fetch_add(1, Relaxed);
    }
}

impl<T: Send> UnindexedConsumer<T> for Part<'_> {
    fn split_off_left(&self) -> Self {
        // Now the left part stands for it, and nothing need come behind that.
        self.book.offered.lock().unwrap().remove(&self.id);
        self.book.part(self.indexed)
    }

    fn to_reducer(&self) -> Append {
        Append
    }
}

impl<T> List<'_, T> {
    fn end(&self) -> usize {
        self.rights.last().map_or(usize::MAX, |&(_, end)| end)
    }
}

impl<T> Folder<T> for List<'_, T> {
    type Result = Vec<T>;

    fn consume(mut self, item: T) -> Self {
        assert!(
            self.items.len() < self.end(),
            "an item of the part that was split off"
        );
        self.items.push(item);
        self
    }

    fn complete(self) -> Vec<T> {
        if let Some(&(_, end)) = self.rights.last()
            && self.indexed
        {
            assert_eq!(
                self.items.len(),
                end,
                "ended before the part that was split off"
            );
        }
        self.items
    }

    fn full(&self) -> bool {
        false
    }
}

struct Append;

impl<T> Reducer<Vec<T>> for Append {
    fn reduce(self, mut left: Vec<T>, right: Vec<T>) -> Vec<T> {
        left.extend(right);
        left
    }
}

/// Items that come by the positions that the consumer was told.
#[track_caller]
fn indexed<I: IndexedParallelIterator>(items: I, book: &Book) -> Vec<I::Item> {
    let list = items.drive(book.part(true));
    book.is_closed();
    list
}

/// Items whose number is not known.
#[track_caller]
fn unindexed<I: ParallelIterator>(items: I, book: &Book) -> Vec<I::Item> {
    let list = items.drive_unindexed(book.part(false));
    book.is_closed();
    list
}

/// All chains, one after the other.
fn chains(book: &Book) {
    let few = || {
        let items = (0..60).into_par_iter().map(costly);
        items.inspect(|x| {
            if x % 16 == 0 {
                std::thread::yield_now()
            }
        })
    };
    let v: Vec<i32> = (0..60).collect();
    let twice = |x: i32| [x, x];

    assert_eq!(indexed(few(), book), v);
    let pairs: Vec<_> = v.iter().copied().zip(v.iter().copied().rev()).collect();
    assert_eq!(indexed(few().zip(few().rev()), book), pairs);
    let both: Vec<_> = v.iter().chain(&v).copied().enumerate().collect();
    assert_eq!(indexed(few().chain(few()).enumerate(), book), both);
    let woven: Vec<_> = v.iter().flat_map(|&x| twice(x)).collect();
    assert_eq!(indexed(few().interleave(few()), book), woven);
    let chunks: Vec<_> = v.chunks(7).map(<[i32]>::to_vec).collect();
    assert_eq!(indexed(few().chunks(7), book), chunks);
    let spread: Vec<_> = v.iter().skip(3).step_by(4).copied().collect();
    assert_eq!(indexed(few().skip(3).step_by(4), book), spread);

    let odd: Vec<_> = v.iter().copied().filter(|x| x % 2 == 1).collect();
    assert_eq!(unindexed(few().filter(|x| x % 2 == 1), book), odd);
    assert_eq!(unindexed(few().flat_map_iter(twice), book), woven);
    assert_eq!(unindexed(few().flat_map(twice), book), woven);
    let three: Vec<_> = v.iter().chain(&odd).chain(&woven).copied().collect();
    let parts = few()
        .chain(few().filter(|x| x % 2 == 1))
        .chain(few().flat_map(twice));
    assert_eq!(unindexed(parts, book), three);
    assert_eq!(
        unindexed(
            v.clone().into_par_iter().rev().map(costly).chain([1, 2]),
            book
        )
        .len(),
        62
    );
    let folded = unindexed(
        few().fold(Vec::new, |mut list, x| {
            list.push(x);
            list
        }),
        book,
    );
    assert_eq!(folded.concat(), v);
    let walked = unindexed(
        filch::iter::walk_tree_prefix(0, |&n| (n < 59).then_some(n + 1)).map(costly),
        book,
    );
    assert_eq!(walked, v);
}

#[test]
fn consumers_come_back_as_they_were_split_off() {
    let (mut rejoined, mut taken) = (0, 0);
    for threads in [1, 2, 4] {
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let mut run = |cuts| {
            pool.force_cuts(cuts);
            let book = Book::default();
            pool.install(|| chains(&book));
            rejoined += book.rejoined.load(Relaxed);
            pool.stats().pieces
        };
        run(Cuts::Always);
        run(Cuts::Adaptive);
        // Random cuts, until enough was stolen.
        let enough = if threads == 1 { 0 } else { 50 };
        taken += (0..500)
            .map(|seed| run(Cuts::Random(seed)))
            .find(|&pieces| pieces >= enough)
            .unwrap_or_default();
    }
    assert!(rejoined > 1000, "{rejoined} parts came back");
    assert!(taken > 50, "{taken} pieces were taken");
}

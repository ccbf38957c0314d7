//! Items that know whether they were made, and how often they were dropped.

use std::collections::HashSet;
use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

/// What was wrong with an item first. A panic alone could be taken for one that the target expects.
static WRONG: Mutex<Option<String>> = Mutex::new(None);

fn wrong(what: String) -> ! {
    let mut first = WRONG.lock().unwrap_or_else(|e| e.into_inner());
    first.get_or_insert_with(|| what.clone());
    drop(first);
    panic!("{what}");
}

/// Looks at items that came out of something, and drops them.
pub fn look<'a>(items: impl IntoIterator<Item = Item<'a>>) {
    let mut seen = HashSet::new();
    for item in items {
        let index = item.index();
        if !seen.insert(ptr::from_ref(item.drops)) {
            wrong(format!("item {index} came out twice"));
        }
    }
}

/// Which of so many items were made, each once at most, and how often each was dropped.
pub struct Ledger(Vec<Entry>);

#[derive(Default)]
struct Entry {
    made: AtomicU32,
    drops: AtomicU32,
}

impl Ledger {
    pub fn new(items: usize) -> Ledger {
        Ledger((0..items).map(|_| Entry::default()).collect())
    }

    pub fn item(&self, index: usize) -> Item<'_> {
        let entry = &self.0[index];
        assert_eq!(entry.made.fetch_add(1, Ordering::Relaxed), 0);
        Item {
            drops: &entry.drops,
            index,
            check: !index,
            heap: Box::new(index),
        }
    }

    /// Nothing was wrong with any item, and each that was made was dropped once.
    #[track_caller]
    pub fn assert_all_gone(&self) {
        let wrong = WRONG.lock().unwrap_or_else(|e| e.into_inner()).take();
        assert_eq!(wrong, None);
        for (i, entry) in self.0.iter().enumerate() {
            let (made, drops) = (&entry.made, &entry.drops);
            let (made, drops) = (made.load(Ordering::Relaxed), drops.load(Ordering::Relaxed));
            assert_eq!(drops, made, "how often item {i} was dropped");
        }
    }
}

/// One of a ledger's items. It has a box, so that a second drop, or one of what was never made, is seen by the allocator, too.
pub struct Item<'a> {
    drops: &'a AtomicU32,
    index: usize,
    check: usize,
    heap: Box<usize>,
}

impl Item<'_> {
    /// Its number, if it is an item at all, and has not been dropped.
    pub fn index(&self) -> usize {
        if self.check != !self.index || *self.heap != self.index {
            wrong("something that is no item came out".into());
        }
        if self.drops.load(Ordering::Relaxed) > 0 {
            wrong(format!("item {} lives although it was dropped", self.index));
        }
        self.index
    }
}

impl Drop for Item<'_> {
    fn drop(&mut self) {
        // Not a panic, for it may be unwinding; what is counted here is looked at in the end.
        self.drops.fetch_add(1, Ordering::Relaxed);
    }
}

//! The books of one run: how often each node ran, what was made and dropped, and what was found wrong.

use super::dice::mix;
use super::plant::Plant;
use std::any::Any;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The books of one run. Its atomics are std's also under shuttle, because counting is no part of what is checked.
pub struct Ledger {
    /// How often each node began.
    runs: Vec<AtomicU32>,
    /// How many nodes are under way.
    open: AtomicU64,
    made: Sum,
    dropped: Sum,
    faults: Mutex<Vec<String>>,
    /// One for each node.
    locks: Vec<Mutex<()>>,
    plant: Option<Plant>,
    planted: AtomicBool,
}

/// How many tokens, and the sum of their scrambled names.
#[derive(Default)]
struct Sum {
    tokens: AtomicU64,
    names: AtomicU64,
}

impl Sum {
    fn add(&self, name: u64) -> u64 {
        self.names.fetch_add(mix(name), Ordering::Relaxed);
        self.tokens.fetch_add(1, Ordering::Release)
    }

    fn get(&self) -> (u64, u64) {
        let tokens = self.tokens.load(Ordering::Acquire);
        (tokens, self.names.load(Ordering::Relaxed))
    }
}

impl Ledger {
    /// Empty books for so many nodes. The bug `plant` is imitated once.
    pub fn new(nodes: u32, plant: Option<Plant>) -> Arc<Self> {
        Arc::new(Ledger {
            runs: (0..nodes).map(|_| AtomicU32::new(0)).collect(),
            open: AtomicU64::new(0),
            made: Sum::default(),
            dropped: Sum::default(),
            faults: Mutex::new(Vec::new()),
            locks: (0..nodes).map(|_| Mutex::new(())).collect(),
            plant,
            planted: AtomicBool::new(false),
        })
    }

    /// Counts a node that begins. The result counts its end.
    pub fn enter(&self, node: u32) -> Open<'_> {
        self.runs[node as usize].fetch_add(1, Ordering::Relaxed);
        self.open.fetch_add(1, Ordering::Relaxed);
        Open(self)
    }

    /// How often the node ran.
    pub fn runs(&self, node: u32) -> u32 {
        self.runs[node as usize].load(Ordering::Relaxed)
    }

    /// How many nodes are under way.
    pub fn open(&self) -> u64 {
        self.open.load(Ordering::Relaxed)
    }

    /// Takes the lock that all runs of this node share.
    pub fn lock(&self, node: u32) -> MutexGuard<'_, ()> {
        let lock = self.locks[node as usize].lock();
        lock.unwrap_or_else(PoisonError::into_inner)
    }

    /// A thing that has to be dropped once.
    pub fn token(self: &Arc<Self>) -> Token {
        // The names may have gaps, but no name is given twice.
        static NAMES: AtomicU64 = AtomicU64::new(0);
        let name = NAMES.fetch_add(1, Ordering::Relaxed);
        self.made.add(name);
        let token = Token {
            ledger: Arc::clone(self),
            name,
        };
        if self.strikes(Plant::DoubledDrop) {
            self.dropped.add(name);
        }
        if self.strikes(Plant::LostDrop) {
            // The books are not freed either, which is the smaller part of this bug.
            std::mem::forget(token);
            return self.token();
        }
        token
    }

    /// Whether every token was dropped.
    pub fn is_balanced(&self) -> bool {
        self.dropped.get() == self.made.get()
    }

    /// What is wrong with the tokens, once nothing runs any more.
    pub fn judge_tokens(&self) {
        let (made, dropped) = (self.made.get(), self.dropped.get());
        if made.0 != dropped.0 {
            let (made, dropped) = (made.0, dropped.0);
            self.fault(format!("{made} tokens were made, and {dropped} dropped"));
        } else if made != dropped {
            self.fault("one token was dropped twice, another one never".into());
        }
    }

    /// Notes that something is wrong.
    pub fn fault(&self, text: String) {
        let mut faults = self.faults.lock().unwrap();
        // The first ones tell enough.
        if faults.len() < 8 {
            faults.push(text);
        }
    }

    /// Notes `text` unless `right`.
    pub fn ensure(&self, right: bool, text: impl FnOnce() -> String) {
        if !right {
            self.fault(text());
        }
    }

    /// All that was found wrong.
    pub fn faults(&self) -> Vec<String> {
        std::mem::take(&mut *self.faults.lock().unwrap())
    }

    /// Whether the bug `plant` is to be imitated here and now: once, if at all.
    pub fn strikes(&self, plant: Plant) -> bool {
        self.plant == Some(plant) && !self.planted.swap(true, Ordering::Relaxed)
    }

    /// Whether the bug `plant` is still to come.
    pub fn is_due(&self, plant: Plant) -> bool {
        self.plant == Some(plant) && !self.planted.load(Ordering::Relaxed)
    }
}

/// A node that is under way.
pub struct Open<'l>(&'l Ledger);

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A thing that has to be dropped once.
pub struct Token {
    ledger: Arc<Ledger>,
    name: u64,
}

impl Drop for Token {
    fn drop(&mut self) {
        self.ledger.dropped.add(self.name);
    }
}

/// The payload of a planned panic: which node it belongs to.
pub struct Planned {
    pub node: u32,
    _token: Token,
}

/// Panics in the name of `node`; past the panic hook, in which shuttle takes every panic for a failure.
pub fn panic_as(node: u32, ledger: &Arc<Ledger>) -> ! {
    let _token = ledger.token();
    resume_unwind(Box::new(Planned { node, _token }))
}

/// What `f` gives, or whose planned panic came out of it. Other panics go on.
pub fn caught<R>(f: impl FnOnce() -> R) -> Result<R, Box<Planned>> {
    let f = std::panic::AssertUnwindSafe(f);
    std::panic::catch_unwind(f).map_err(|payload: Box<dyn Any + Send>| {
        let planned = payload.downcast::<Planned>();
        planned.unwrap_or_else(|other| resume_unwind(other))
    })
}

/// Which items of a parallel iterator were computed, and how often.
pub struct Seen(Vec<AtomicU8>);

impl Seen {
    /// For so many items.
    pub fn new(len: u64) -> Arc<Self> {
        Arc::new(Seen((0..len).map(|_| AtomicU8::new(0)).collect()))
    }

    /// Counts an item.
    pub fn mark(&self, i: u64) {
        self.0[i as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// Each of the first `needed` items has to be there so many `times`, and no item more often.
    pub fn judge(&self, node: u32, needed: u64, times: u8, ledger: &Ledger) {
        for (i, count) in self.0.iter().enumerate() {
            let count = count.load(Ordering::Relaxed);
            let least = if (i as u64) < needed { times } else { 0 };
            if count < least || count > times {
                ledger.fault(format!(
                    "item {i} of node {node} was counted {count} times instead of {least}..={times}"
                ));
                return;
            }
        }
    }
}

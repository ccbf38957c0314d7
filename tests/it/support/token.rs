//! Values whose copies and drops are counted one by one.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering::SeqCst};

struct Entry {
    live: AtomicIsize,
    made: AtomicIsize,
    dropped_dead: AtomicBool,
}

/// Every ledger there was. Entries live for ever, because a value that is dropped once too often
/// must find its entry, and they stay reachable for the sake of leak checkers.
static LEDGERS: Mutex<Vec<&'static [Entry]>> = Mutex::new(Vec::new());

/// The counts of a set of tokens.
#[derive(Clone, Copy)]
pub struct Ledger {
    entries: &'static [Entry],
}

impl Ledger {
    /// A ledger for tokens numbered from 0 to `n`.
    pub fn new(n: usize) -> Self {
        let entry = |_| Entry {
            live: AtomicIsize::new(0),
            made: AtomicIsize::new(0),
            dropped_dead: AtomicBool::new(false),
        };
        let entries: &'static [Entry] = Box::leak((0..n).map(entry).collect());
        LEDGERS.lock().unwrap().push(entries);
        Ledger { entries }
    }

    /// A new token with this number.
    pub fn token(self, id: usize) -> Token {
        let entry = &self.entries[id];
        entry.live.fetch_add(1, SeqCst);
        entry.made.fetch_add(1, SeqCst);
        Token { ledger: self, id }
    }

    /// One token of each number.
    pub fn tokens(self) -> Vec<Token> {
        (0..self.entries.len()).map(|id| self.token(id)).collect()
    }

    /// How many tokens of this number there are now.
    pub fn live(self, id: usize) -> isize {
        self.entries[id].live.load(SeqCst)
    }

    /// How many tokens of this number there ever were.
    pub fn made(self, id: usize) -> isize {
        self.entries[id].made.load(SeqCst)
    }

    /// Every token that was made was dropped exactly once.
    #[track_caller]
    pub fn assert_all_gone(self) {
        self.assert_each_live(0);
    }

    /// There are this many tokens of each number, and none was dropped twice.
    #[track_caller]
    pub fn assert_each_live(self, live: isize) {
        for (id, entry) in self.entries.iter().enumerate() {
            assert!(!entry.dropped_dead.load(SeqCst), "{id} was dropped twice");
            assert_eq!(entry.live.load(SeqCst), live, "live tokens of number {id}");
        }
    }
}

/// A value that tells its ledger of its copies and of its end. It is compared by its number.
pub struct Token {
    ledger: Ledger,
    id: usize,
}

impl Token {
    pub fn id(&self) -> usize {
        self.id
    }
}

impl Clone for Token {
    fn clone(&self) -> Self {
        self.ledger.token(self.id)
    }
}

impl Drop for Token {
    fn drop(&mut self) {
        let entry = &self.ledger.entries[self.id];
        // Not a panic: during unwinding it would end the process before the test can say why.
        if entry.live.fetch_sub(1, SeqCst) <= 0 {
            entry.dropped_dead.store(true, SeqCst);
        }
    }
}

impl PartialEq for Token {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Token {}

impl PartialOrd for Token {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Token {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.id.cmp(&other.id)
    }
}

impl std::hash::Hash for Token {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Token({})", self.id)
    }
}

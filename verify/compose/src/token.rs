//! An item that owns memory and is counted, so that an item dropped twice or never is noticed.

use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicI64, Ordering};

static LIVE: AtomicI64 = AtomicI64::new(0);

/// A number in a box of its own.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Token(Box<u64>);

/// A token with this number.
pub fn token(value: u64) -> Token {
    LIVE.fetch_add(1, Ordering::Relaxed);
    Token(Box::new(value))
}

/// How many tokens there are.
pub fn live() -> i64 {
    LIVE.load(Ordering::SeqCst)
}

impl Token {
    /// The number.
    pub fn get(&self) -> u64 {
        *self.0
    }

    /// Changes the number.
    pub fn set(&mut self, value: u64) {
        *self.0 = value;
    }
}

impl Clone for Token {
    fn clone(&self) -> Self {
        token(self.get())
    }
}

impl Hash for Token {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.get().hash(state);
    }
}

impl Drop for Token {
    fn drop(&mut self) {
        LIVE.fetch_sub(1, Ordering::Relaxed);
    }
}

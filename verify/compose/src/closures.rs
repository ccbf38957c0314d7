//! What the closures of chains call. All of them decide by an item's number alone, so both forms of a chain decide alike.

use crate::cost::spend;
use crate::token::{Token, token};
use crate::value::{Value, join};
use std::fmt;
use std::panic::panic_any;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Tosses for an item: the same for the same item and salt.
fn toss(value: u64, salt: u64) -> u64 {
    spend(value);
    join(value, salt) >> 7
}

/// Any item as its number.
pub fn number<T: Value>(x: T) -> u64 {
    x.value()
}

/// Another number for the item.
pub fn mix<T: Value>(x: T, salt: u64) -> u64 {
    toss(x.value(), salt)
}

/// As [`mix`], with a state that is changed and makes no difference.
pub fn mix_with<T: Value>(state: &mut Token, x: T, salt: u64) -> u64 {
    state.set(join(state.get(), x.value()));
    mix(x, salt)
}

/// Numbers with these low bits are quiet: what is rare is rarer among them.
const QUIET: u64 = 6;

/// How much rarer.
const RARER: u64 = 60;

/// A quiet number for the item, so that parts of a chain can differ in when a search comes upon something.
pub fn quiet<T: Value>(x: T, salt: u64) -> u64 {
    mix(x, salt) << 3 | QUIET
}

/// Holds but for one item in `most`, and for fewer if they are quiet.
pub fn most<T: Value>(x: &T, salt: u64, most: u64) -> bool {
    let value = x.value();
    let most = if value & 7 == QUIET {
        most * RARER
    } else {
        most
    };
    !toss(value, salt).is_multiple_of(most)
}

/// Holds for two items in three.
pub fn keep<T: Value>(x: &T, salt: u64) -> bool {
    most(x, salt, 3)
}

/// Holds for one item in `rare`.
pub fn rare<T: Value>(x: &T, salt: u64, rare: u64) -> bool {
    !most(x, salt, rare)
}

/// As [`mix`], for the items for which [`most`] holds.
pub fn mix_most<T: Value>(x: T, salt: u64, m: u64) -> Option<u64> {
    most(&x, salt, m).then(|| join(x.value(), 1))
}

/// The item, if [`most`] holds for it.
pub fn some_most<T: Value>(x: T, salt: u64, m: u64) -> Option<T> {
    most(&x, salt, m).then_some(x)
}

/// The item, if [`most`] holds for it, or its number as an error.
pub fn ok_most<T: Value>(x: T, salt: u64, m: u64) -> Result<T, u64> {
    if most(&x, salt, m) {
        Ok(x)
    } else {
        Err(x.value())
    }
}

/// Looks at an item.
pub fn look<T: Value>(x: &T) {
    spend(x.value());
}

/// How many items come of one: mostly below five.
pub fn few<T: Value>(x: &T, salt: u64) -> usize {
    match toss(x.value(), salt) % 64 {
        0 => 40,
        n => (n % 5) as usize,
    }
}

/// A few tokens for an item.
pub fn list<T: Value>(x: T, salt: u64) -> Vec<Token> {
    (0..few(&x, salt) as u64)
        .map(|i| token(join(x.value(), i)))
        .collect()
}

/// Two items of one.
pub fn pair<T: Value>(x: T, salt: u64) -> (u64, Token) {
    (x.value(), token(mix(x, salt)))
}

/// An item in one of two kinds.
pub fn either<T: Value>(x: T, salt: u64) -> filch::iter::Either<T, u64> {
    if keep(&x, salt) {
        filch::iter::Either::Left(x)
    } else {
        filch::iter::Either::Right(x.value())
    }
}

/// An item that can be changed.
pub trait Nudge: Value {
    /// Gives it another number.
    fn nudge(&mut self, salt: u64);
}

impl Nudge for u64 {
    fn nudge(&mut self, salt: u64) {
        *self = mix(*self, salt);
    }
}

impl Nudge for Token {
    fn nudge(&mut self, salt: u64) {
        self.set(mix(self.get(), salt));
    }
}

/// Changes an item.
pub fn nudge<T: Nudge>(x: &mut T, salt: u64) {
    x.nudge(salt);
}

/// Adds an item to a vector.
pub fn gathered<T: Value>(mut items: Vec<T>, x: T) -> Vec<T> {
    spend(x.value());
    items.push(x);
    items
}

/// Adds a vector to another one.
pub fn appended<T>(mut left: Vec<T>, mut right: Vec<T>) -> Vec<T> {
    left.append(&mut right);
    left
}

/// Puts two maps of numbers `x -> p x + q` together: associative, and not commutative.
pub fn affine(a: u64, b: u64) -> u64 {
    let (p, q) = ((a >> 32) | 1, a & 0xffff_ffff);
    let (r, t) = ((b >> 32) | 1, b & 0xffff_ffff);
    let low = |x: u64| x & 0xffff_ffff;
    low(p.wrapping_mul(r)) << 32 | low(r.wrapping_mul(q).wrapping_add(t))
}

/// The map of numbers that changes none.
pub const SAME: u64 = 1 << 32;

/// A map of numbers made of an item.
pub fn map_of<T: Value>(x: T) -> u64 {
    x.value().wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1 << 32
}

/// The panic that a chain plans.
#[derive(Debug)]
pub struct Boom(pub u64);

impl fmt::Display for Boom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "planned panic at {}", self.0)
    }
}

static BY_STD: AtomicBool = AtomicBool::new(false);
static BOOMS: AtomicUsize = AtomicUsize::new(0);

/// Returns the item, but panics at a few. In the form on std's iterators these are counted instead.
pub fn boom<T: Value>(x: T, salt: u64, m: u64) -> T {
    if rare(&x, salt, m) {
        if BY_STD.load(Ordering::Relaxed) {
            BOOMS.fetch_add(1, Ordering::Relaxed);
        } else {
            panic_any(Boom(x.value()));
        }
    }
    x
}

/// Runs the form on std's iterators, and counts the items at which the other form panics.
pub fn counting_booms<R>(by_std: impl FnOnce() -> R) -> (R, usize) {
    BOOMS.store(0, Ordering::SeqCst);
    BY_STD.store(true, Ordering::SeqCst);
    let result = by_std();
    BY_STD.store(false, Ordering::SeqCst);
    (result, BOOMS.load(Ordering::SeqCst))
}

//! One number for an item of any type: what closures decide by, and what results are compared by.

use crate::token::Token;
use std::cmp::Ordering;
use std::ops::Range;

/// An item that has a number.
pub trait Value {
    /// The number. Equal items have equal numbers, and others hardly ever.
    fn value(&self) -> u64;
}

/// Mixes two numbers into one. The order counts.
pub fn join(a: u64, b: u64) -> u64 {
    let mixed = (a.rotate_left(23) ^ b).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 29
}

macro_rules! numbers {
    ($($Type:ty)*) => { $(
        impl Value for $Type {
            fn value(&self) -> u64 {
                *self as u64
            }
        }
    )* };
}

numbers! { u8 u16 u32 u64 usize i32 i64 u128 i128 char bool }

impl Value for Token {
    fn value(&self) -> u64 {
        self.get()
    }
}

impl Value for Ordering {
    fn value(&self) -> u64 {
        *self as i8 as u64
    }
}

impl Value for () {
    fn value(&self) -> u64 {
        0
    }
}

impl<T: Value + ?Sized> Value for &T {
    fn value(&self) -> u64 {
        (**self).value()
    }
}

impl<T: Value + ?Sized> Value for &mut T {
    fn value(&self) -> u64 {
        (**self).value()
    }
}

impl<T: Value> Value for [T] {
    fn value(&self) -> u64 {
        self.iter().fold(11, |sum, x| join(sum, x.value()))
    }
}

impl<T: Value> Value for Vec<T> {
    fn value(&self) -> u64 {
        self[..].value()
    }
}

impl<T: Value, const N: usize> Value for [T; N] {
    fn value(&self) -> u64 {
        self[..].value()
    }
}

impl Value for str {
    fn value(&self) -> u64 {
        self.as_bytes().value()
    }
}

impl Value for Range<u64> {
    fn value(&self) -> u64 {
        join(self.start, self.end)
    }
}

impl<T: Value> Value for Option<T> {
    fn value(&self) -> u64 {
        self.as_ref().map_or(3, |x| join(5, x.value()))
    }
}

impl<A: Value, B: Value> Value for (A, B) {
    fn value(&self) -> u64 {
        join(self.0.value(), self.1.value())
    }
}

impl<A: Value, B: Value, C: Value> Value for (A, B, C) {
    fn value(&self) -> u64 {
        join(join(self.0.value(), self.1.value()), self.2.value())
    }
}

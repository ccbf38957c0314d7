//! Results of all types as vectors of numbers, to be compared.

use crate::judge::FAILED;
use crate::token::Token;
use crate::value::Value;
use filch::ext::MinMax;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::num::Wrapping;
use std::sync::Mutex;

/// A result that can be compared as numbers.
pub trait Out {
    /// The numbers. What the result owns is dropped.
    fn out(self) -> Vec<u64>;
}

/// The numbers of some items.
fn all<T: Value>(items: impl IntoIterator<Item = T>) -> Vec<u64> {
    items.into_iter().map(|x| x.value()).collect()
}

/// The numbers of some items, in the order of the numbers.
fn sorted<T: Value>(items: impl IntoIterator<Item = T>) -> Vec<u64> {
    let mut numbers = all(items);
    numbers.sort_unstable();
    numbers
}

impl<T: Value> Out for Vec<T> {
    fn out(self) -> Vec<u64> {
        all(self)
    }
}

impl<T: Value> Out for Box<[T]> {
    fn out(self) -> Vec<u64> {
        all(self.into_vec())
    }
}

impl<T: Value> Out for VecDeque<T> {
    fn out(self) -> Vec<u64> {
        all(self)
    }
}

impl<T: Value> Out for LinkedList<T> {
    fn out(self) -> Vec<u64> {
        all(self)
    }
}

impl<T: Value, S> Out for HashSet<T, S> {
    fn out(self) -> Vec<u64> {
        sorted(self)
    }
}

impl<T: Value> Out for BTreeSet<T> {
    fn out(self) -> Vec<u64> {
        all(self)
    }
}

impl<T: Value> Out for BinaryHeap<T> {
    fn out(self) -> Vec<u64> {
        sorted(self)
    }
}

impl<K: Value, V: Value, S> Out for HashMap<K, V, S> {
    fn out(self) -> Vec<u64> {
        sorted(self)
    }
}

impl<K: Value, V: Value> Out for BTreeMap<K, V> {
    fn out(self) -> Vec<u64> {
        all(self)
    }
}

impl<T: Value> Out for Option<T> {
    fn out(self) -> Vec<u64> {
        all(self)
    }
}

impl Out for String {
    fn out(self) -> Vec<u64> {
        all(self.chars())
    }
}

impl Out for Wrapping<u64> {
    fn out(self) -> Vec<u64> {
        vec![self.0]
    }
}

impl<T: Value> Out for MinMax<T> {
    fn out(self) -> Vec<u64> {
        match self {
            MinMax::Empty => Vec::new(),
            MinMax::One(x) => all([x]),
            MinMax::Two { min, max } => all([min, max]),
        }
    }
}

macro_rules! single {
    ($($Type:ty)*) => { $(
        impl Out for $Type {
            fn out(self) -> Vec<u64> {
                vec![self.value()]
            }
        }
    )* };
}

single! { u64 usize bool Token Ordering }

impl Out for () {
    fn out(self) -> Vec<u64> {
        Vec::new()
    }
}

impl<A: Out, B: Out> Out for (A, B) {
    fn out(self) -> Vec<u64> {
        let (mut left, mut right) = (self.0.out(), self.1.out());
        let mut numbers = vec![left.len() as u64];
        numbers.append(&mut left);
        numbers.append(&mut right);
        numbers
    }
}

impl<T: Out, E: Value> Out for Result<T, E> {
    fn out(self) -> Vec<u64> {
        match self {
            Ok(x) => x.out(),
            Err(e) => vec![e.value(), FAILED],
        }
    }
}

/// Where closures leave items that come in no particular order.
#[derive(Debug, Default)]
pub struct Bag(Mutex<Vec<u64>>);

impl Bag {
    /// Leaves an item here.
    pub fn add<T: Value>(&self, x: T) {
        let value = x.value();
        drop(x);
        self.0.lock().expect("nothing panics inside").push(value);
    }
}

impl Out for Bag {
    fn out(self) -> Vec<u64> {
        self.0.into_inner().expect("nothing panics inside")
    }
}

//! Whether a chain's result is one that the API promises, given that of the same chain on std's iterators.

/// Stands behind failures, and is no item's number.
pub const FAILED: u64 = 0xfa11_ed5e_0fa1_1ed5;

/// How the two results are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// They are equal.
    Exact,
    /// Both are the items, in order.
    Items,
    /// Both are the items, in any order.
    Bag,
    /// One of the items that the other form has, or nothing if that has none.
    OneOf,
    /// The first failure by position is not promised: `Err` with any failure, if there is one, else equal.
    Fails,
}

/// How many items a chain promises of those that the other form has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// All of them.
    All,
    /// All, or this many if those are more.
    AtMost(usize),
    /// All but this many.
    Without(usize),
    /// Some of them.
    Some,
}

impl Count {
    /// The number of items, of `n`, if it is promised.
    fn of(self, n: usize) -> Option<usize> {
        match self {
            Count::All => Some(n),
            Count::AtMost(k) => Some(n.min(k)),
            Count::Without(k) => Some(n.saturating_sub(k)),
            Count::Some => None,
        }
    }
}

/// What a chain promises.
#[derive(Debug, Clone, Copy)]
pub struct Promise {
    /// How results are compared.
    pub check: Check,
    /// How many items there are.
    pub count: Count,
    /// Whether the order of items is promised.
    pub ordered: bool,
}

impl Promise {
    /// What is wrong with a result, if anything.
    pub fn breach(self, got: &[u64], want: &[u64]) -> Option<String> {
        match self.check {
            Check::Exact => (got != want).then(|| difference(got, want)),
            Check::OneOf => self.one_of(got, want),
            Check::Items if self.ordered => self.items(got, want),
            Check::Items | Check::Bag => self.items(&sorted(got), &sorted(want)),
            Check::Fails => match want.split_last() {
                Some((&FAILED, failures)) if !failures.is_empty() => self.failure(got, failures),
                _ => (got != want).then(|| difference(got, want)),
            },
        }
    }

    /// Compares items; both are in one order.
    fn items(self, got: &[u64], want: &[u64]) -> Option<String> {
        if self.count == Count::All {
            return (got != want).then(|| difference(got, want));
        }
        let expected = self.count.of(want.len());
        if expected.is_some_and(|n| got.len() != n) {
            let n = got.len();
            return Some(format!("{n} items, not {expected:?} of {}", want.len()));
        }
        let mut rest = want.iter();
        let at = got.iter().position(|x| !rest.any(|y| x == y))?;
        Some(format!(
            "item {at} of {}, {}, is not among those that are left of {}",
            got.len(),
            got[at],
            want.len()
        ))
    }

    /// One of the items, or nothing if there is none.
    fn one_of(self, got: &[u64], want: &[u64]) -> Option<String> {
        match got {
            [] if want.is_empty() || self.count != Count::All => None,
            [x] if want.contains(x) => None,
            _ => Some(format!("{got:?} is not one of {}", shown(want))),
        }
    }

    /// One of the failures.
    fn failure(self, got: &[u64], failures: &[u64]) -> Option<String> {
        match got {
            [x, FAILED] if failures.contains(x) => None,
            _ => Some(format!(
                "{} is not one of the failures {}",
                shown(got),
                shown(failures)
            )),
        }
    }
}

fn sorted(numbers: &[u64]) -> Vec<u64> {
    let mut numbers = numbers.to_vec();
    numbers.sort_unstable();
    numbers
}

/// Where two results part.
fn difference(got: &[u64], want: &[u64]) -> String {
    let at = got.iter().zip(want).position(|(a, b)| a != b);
    let at = at.unwrap_or(got.len().min(want.len()));
    format!(
        "{} numbers, not {}; from {at} on {}, not {}",
        got.len(),
        want.len(),
        shown(&got[at..]),
        shown(&want[at..])
    )
}

/// The first few numbers.
fn shown(numbers: &[u64]) -> String {
    let more = if numbers.len() > 8 { ", ..." } else { "" };
    let first: Vec<String> = numbers.iter().take(8).map(u64::to_string).collect();
    format!("[{}{more}]", first.join(", "))
}

//! What sources are made of.

use crate::token::{Token, token};
use filch::ext::CancelToken;
use std::collections::{BTreeMap, HashMap, LinkedList, VecDeque};

/// No run has more items in its sources.
const MOST: usize = 10_100;

/// What chains borrow from.
pub struct Data {
    numbers: Vec<u64>,
    tokens: Vec<Token>,
    text: String,
    /// A token that is never cancelled.
    pub calm: CancelToken,
}

impl Default for Data {
    fn default() -> Self {
        let letters = ["a", "b", ",", "c", "\n", "d ", "\u{e9}", "e,", "\u{1f980}"];
        Data {
            numbers: numbers(MOST),
            tokens: tokens(MOST),
            text: (0..MOST).map(|i| letters[i * i % 31 % 9]).collect(),
            calm: CancelToken::new(),
        }
    }
}

impl Data {
    /// The first `n` numbers.
    pub fn numbers(&self, n: usize) -> &[u64] {
        &self.numbers[..n.min(MOST)]
    }

    /// The first `n` tokens.
    pub fn tokens(&self, n: usize) -> &[Token] {
        &self.tokens[..n.min(MOST)]
    }

    /// A text of about `n` bytes.
    pub fn text(&self, n: usize) -> &str {
        let end = (n..).find(|&end| self.text.is_char_boundary(end));
        &self.text[..end.unwrap_or(0)]
    }
}

/// A vector of `n` numbers.
pub fn numbers(n: usize) -> Vec<u64> {
    (0..n as u64).collect()
}

/// A vector of `n` tokens.
pub fn tokens(n: usize) -> Vec<Token> {
    (0..n as u64).map(token).collect()
}

/// `n` tokens that lie around the end of the room of their queue.
pub fn deque(n: usize) -> VecDeque<Token> {
    let mut queue: VecDeque<Token> = (0..n as u64 / 2).map(token).collect();
    for i in n as u64 / 2..n as u64 {
        queue.push_front(token(i));
    }
    queue
}

/// A list of `n` tokens.
pub fn linked(n: usize) -> LinkedList<Token> {
    tokens(n).into_iter().collect()
}

/// A map with `n` keys, in order.
pub fn tree_map(n: usize) -> BTreeMap<u64, Token> {
    (0..n as u64).map(|i| (i, token(i * 3))).collect()
}

/// A map with `n` keys, in no order.
pub fn hash_map(n: usize) -> HashMap<u64, Token> {
    (0..n as u64).map(|i| (i, token(i * 3))).collect()
}

/// The children of a node in a tree of the numbers below `n`.
pub fn children(node: u64, n: usize) -> Vec<u64> {
    let below = |&child: &u64| child < n as u64;
    [2 * node + 1, 2 * node + 2]
        .into_iter()
        .filter(below)
        .collect()
}

/// The nodes of that tree, each before its children.
pub fn prefix(n: usize) -> Vec<u64> {
    fn walk(node: u64, n: usize, out: &mut Vec<u64>) {
        out.push(node);
        for child in children(node, n) {
            walk(child, n, out);
        }
    }
    let mut out = Vec::new();
    walk(0, n, &mut out);
    out
}

/// The nodes of that tree, each behind its children.
pub fn postfix(n: usize) -> Vec<u64> {
    fn walk(node: u64, n: usize, out: &mut Vec<u64>) {
        for child in children(node, n) {
            walk(child, n, out);
        }
        out.push(node);
    }
    let mut out = Vec::new();
    walk(0, n, &mut out);
    out
}

/// Cuts a range in two, if it has more than three numbers.
pub fn halve(range: std::ops::Range<u64>) -> (std::ops::Range<u64>, Option<std::ops::Range<u64>>) {
    let len = range.end - range.start;
    if len <= 3 {
        return (range, None);
    }
    let mid = range.start + len / 2;
    (range.start..mid, Some(mid..range.end))
}

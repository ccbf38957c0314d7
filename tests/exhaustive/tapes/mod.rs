//! Every decision of the driver: where it cuts, how much it folds before it looks again, and what becomes of what it offers. For a few items
//! there are so few sequences of decisions (tapes) that all of them can be tried, each with a panic at each step, on every kind of consumer, reducer
//! and adaptor.

mod adaptors;
mod complete;
mod own;
mod places;
mod plumbing;
mod searches;
mod sinks;
mod sources;
mod states;
mod steps;
mod tape;
mod totals;

use crate::support::{Ledger, Token, within};
use filch::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use steps::Steps;
use tape::every_tape;

/// Tries a chain of at most `most` tokens against what it gives for `n` tokens.
fn try_all(most: usize, par: fn(Vec<Token>, &Steps) -> Vec<usize>, want: fn(usize) -> Vec<usize>) {
    within(120, move || {
        let mut tapes = 0;
        for n in 0..=most {
            let ledger = Ledger::new(n);
            let run = |steps: &Steps| par(ledger.tokens(), steps);
            let tried = every_tape(&want(n), &run, &|_| ledger.assert_all_gone());
            tapes = tapes.max(tried);
        }
        assert!(tapes > 1, "the driver asked nothing");
    });
}

/// One case a line: a name, how many tokens there are at most, the chain, and what it gives for `n` tokens.
///
/// Where five tokens have too many tapes for a test, there are fewer: `flat_map` would have about 5 million tapes, `flatten_vecs` 1.4 million, the scans
/// 210,000 each, and `walk_postfix` 190,000.
macro_rules! cases {
    ($($name:ident($most:literal): |$v:ident, $s:ident| $par:expr; |$n:ident| $want:expr;)*) => {$(
        #[test]
        fn $name() {
            crate::tapes::try_all($most, |$v, $s| $par, |$n| $want);
        }
    )*};
}
use cases;

fn ids(tokens: impl IntoIterator<Item = Token>) -> Vec<usize> {
    tokens.into_iter().map(|token| token.id()).collect()
}

/// The same where the order is left open.
fn sorted_ids(tokens: impl IntoIterator<Item = Token>) -> Vec<usize> {
    let mut ids = ids(tokens);
    ids.sort();
    ids
}

/// A step for each token that passes.
fn pass(steps: &Steps, token: Token) -> Token {
    steps.step();
    token
}

/// The tokens, with a step for each.
fn stepped<'s>(
    tokens: Vec<Token>,
    steps: &'s Steps,
) -> impl IndexedParallelIterator<Item = Token> + 's {
    tokens.into_par_iter().map(|token| pass(steps, token))
}

/// Their numbers, with a step for each.
fn numbers<'s>(
    tokens: Vec<Token>,
    steps: &'s Steps,
) -> impl IndexedParallelIterator<Item = usize> + 's {
    tokens.into_par_iter().map(|token| pass(steps, token).id())
}

/// Token 2 is the one that fails.
fn unless_2(token: Token) -> Result<Token, Token> {
    if token.id() == 2 {
        Err(token)
    } else {
        Ok(token)
    }
}

/// A state for the first fold, one for each offer that was taken, and at most one for an offer that came back to a fold that was closed: a younger
/// offer of it was taken.
#[test]
fn as_many_states_as_folds() {
    within(120, || {
        let made = AtomicUsize::new(0);
        every_tape(
            &[0, 1, 2, 3, 4],
            &|_| {
                made.store(0, Relaxed);
                let n = (0..5usize).into_par_iter();
                n.map_init(|| made.fetch_add(1, Relaxed), |_, i| i)
                    .collect()
            },
            &|report| {
                if let Some(report) = report {
                    let made = made.load(Relaxed);
                    assert!((1 + report.taken..=1 + report.offers).contains(&made));
                }
            },
        );
    });
}

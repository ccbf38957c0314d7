//! What a run does, step by step, and the states that it makes.

use crate::support::{Ledger, Token, planted};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// So many states in a row have numbers of their own.
const STATES: usize = 8;

/// Counts the steps of a run, and makes one of them panic. Knows which states there are.
pub struct Steps {
    done: AtomicUsize,
    panics_at: AtomicUsize,
    states: Ledger,
}

impl Steps {
    pub fn new() -> Self {
        Steps {
            done: AtomicUsize::new(0),
            panics_at: AtomicUsize::new(usize::MAX),
            states: Ledger::new(STATES),
        }
    }

    /// Before a run.
    pub fn rewind(&self, panics_at: Option<usize>) {
        self.done.store(0, Relaxed);
        self.panics_at
            .store(panics_at.unwrap_or(usize::MAX), Relaxed);
    }

    /// Which step is the one to panic.
    pub fn panics_at(&self) -> Option<usize> {
        Some(self.panics_at.load(Relaxed)).filter(|&at| at != usize::MAX)
    }

    pub fn done(&self) -> usize {
        self.done.load(Relaxed)
    }

    /// A step that may be the one to panic.
    pub fn step(&self) -> usize {
        let step = self.done.fetch_add(1, Relaxed);
        if step == self.panics_at.load(Relaxed) {
            planted(step);
        }
        step
    }

    /// A state; to make it, or to clone it, is a step.
    pub fn state(&self) -> State<'_> {
        let number = self.step() % STATES;
        State {
            seen: Vec::new(),
            _token: self.states.token(number),
            steps: self,
        }
    }

    /// Tokens that are no items: they have to be gone after a run, as states have to.
    pub fn tokens(&self, n: usize) -> Vec<Token> {
        (0..n).map(|id| self.states.token(id)).collect()
    }

    #[track_caller]
    pub fn assert_no_states(&self) {
        self.states.assert_all_gone();
    }
}

/// What closures of one piece share, or what a fold gathers.
pub struct State<'s> {
    seen: Vec<Token>,
    _token: Token,
    steps: &'s Steps,
}

impl State<'_> {
    /// A step that keeps an item in the state.
    pub fn keep(mut self, item: Token) -> Self {
        self.steps.step();
        self.seen.push(item);
        self
    }

    /// A step that lets an item pass, and keeps a copy.
    pub fn see(&mut self, item: Token) -> Token {
        self.steps.step();
        self.seen.push(item.clone());
        item
    }

    /// The items that were kept or seen.
    pub fn seen(self) -> Vec<Token> {
        self.seen
    }
}

impl Clone for State<'_> {
    fn clone(&self) -> Self {
        State {
            seen: self.seen.clone(),
            ..self.steps.state()
        }
    }
}

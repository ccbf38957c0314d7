//! Every sequence of decisions that the driver can take, one after the other.

use super::steps::Steps;
use crate::support::caught;
use filch::iter::plumbing::{Question, Script};
use filch::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// More tapes than any case here has.
const MOST: usize = 1_000_000;

/// The answers to the questions of one run.
#[derive(Debug, Default)]
struct Tape {
    /// What was asked, and which of the possible answers was given.
    answers: Vec<(Question, usize)>,
    /// How many were given since the run began.
    given: usize,
    /// Nothing is written any more: what goes beyond the end is answered with 0.
    fixed: bool,
}

fn choices(question: Question) -> usize {
    match question {
        Question::Cut => 2,
        Question::Block(most) => most,
        Question::Offer => 3,
    }
}

impl Tape {
    fn answer(&mut self, question: Question) -> usize {
        let at = self.given;
        self.given += 1;
        if let Some(&(asked, answer)) = self.answers.get(at) {
            assert!(
                self.fixed || asked == question,
                "the same answers led to {asked:?}, then to {question:?}"
            );
            return answer.min(choices(question) - 1);
        }
        if !self.fixed {
            self.answers.push((question, 0));
        }
        0
    }

    fn rewind(&mut self, fixed: bool) {
        self.given = 0;
        self.fixed = fixed;
    }

    /// Turns to the next sequence, and says how many of its first answers are those of the last one; `None` after the last sequence.
    fn advance(&mut self) -> Option<usize> {
        while let Some((question, answer)) = self.answers.pop() {
            if answer + 1 < choices(question) {
                let same = self.answers.len();
                self.answers.push((question, answer + 1));
                return Some(same);
            }
        }
        None
    }

    /// What became of the offers of the last run.
    fn report(&self) -> Report {
        let offers = self.answers.iter().filter(|(q, _)| *q == Question::Offer);
        let taken = offers.clone().filter(|(_, answer)| *answer > 0);
        Report {
            offers: offers.count(),
            taken: taken.count(),
        }
    }
}

#[derive(Clone, Default)]
struct Player(Arc<Mutex<Tape>>);

impl Player {
    fn tape<R>(&self, f: impl FnOnce(&mut Tape) -> R) -> R {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Prints the answers if a test fails.
struct Tells<'p>(&'p Player, &'p Steps);

impl Drop for Tells<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            let at = self.1.panics_at();
            self.0
                .tape(|tape| eprintln!("tape {:?}, with a panic at {at:?}", tape.answers));
        }
    }
}

impl Script for Player {
    fn answer(&self, question: Question) -> usize {
        self.tape(|tape| tape.answer(question))
    }
}

/// What a run under one tape was like.
pub struct Report {
    /// How many offers were made.
    pub offers: usize,
    /// How many of them were taken.
    pub taken: usize,
}

/// What a run gives.
pub type Run<'r> = dyn Fn(&Steps) -> Vec<usize> + Sync + 'r;

/// Is called after each run, and told how the run went if it did not panic.
pub type Check<'c> = dyn Fn(Option<Report>) + Sync + 'c;

/// Runs `run` under every tape, and under every tape with a panic at every step: without one it gives `want`, and with one the panic comes out.
/// After each run all states are gone.
///
/// A run that panics is left out if it would be the same as an earlier one: it panics at the same step, and asks only questions that were answered
/// alike.
pub fn every_tape(want: &[usize], run: &Run, check: &Check) -> usize {
    let player = Player::default();
    let pool: ThreadPool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.follow(Box::new(player.clone()));
    let steps = Steps::new();
    let play = |panics_at: Option<usize>| {
        player.tape(|tape| tape.rewind(panics_at.is_some()));
        steps.rewind(panics_at);
        let got = caught(|| run(&steps));
        steps.assert_no_states();
        got
    };
    let all = || {
        let _tells = Tells(&player, &steps);
        // For each step, how many answers were given in the last run that panicked there.
        let mut asked: Vec<Option<usize>> = Vec::new();
        for tapes in 1..MOST {
            let got = play(None);
            assert_eq!(got.as_deref(), Ok(want));
            check(Some(player.tape(|tape| tape.report())));
            let made = steps.done();
            asked.resize(made.max(asked.len()), None);
            for (at, asked) in asked[..made].iter_mut().enumerate() {
                if asked.is_none() {
                    let got = play(Some(at));
                    assert_eq!(got, Err(at));
                    check(None);
                    *asked = Some(player.tape(|tape| tape.given));
                }
            }
            let Some(same) = player.tape(Tape::advance) else {
                return tapes;
            };
            for last in &mut asked {
                *last = last.filter(|&answers| answers <= same);
            }
        }
        panic!("there are more tapes than {MOST}");
    };
    pool.install(all)
}

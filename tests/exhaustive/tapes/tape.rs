//! Every sequence of decisions that the driver can take, one after the other.

use crate::support::{caught, planted};
use filch::iter::plumbing::{Question, Script};
use filch::{ThreadPool, ThreadPoolBuilder};
use std::fmt::Debug;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

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

    /// The next sequence; false after the last one.
    fn advance(&mut self) -> bool {
        while let Some((question, answer)) = self.answers.pop() {
            if answer + 1 < choices(question) {
                self.answers.push((question, answer + 1));
                return true;
            }
        }
        false
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

struct Player(Arc<Mutex<Tape>>);

impl Script for Player {
    fn answer(&self, question: Question) -> usize {
        self.0.lock().unwrap().answer(question)
    }
}

/// Counts the steps of a run, and makes one of them panic.
pub struct Steps {
    done: AtomicUsize,
    panics_at: AtomicUsize,
}

impl Steps {
    /// A step that may be the one to panic.
    pub fn step(&self) {
        let step = self.done.fetch_add(1, Relaxed);
        if step == self.panics_at.load(Relaxed) {
            planted(step);
        }
    }
}

/// What a run under one tape was like.
pub struct Report {
    /// How many offers were made.
    pub offers: usize,
    /// How many of them were taken.
    pub taken: usize,
}

/// Runs `run` under every tape, and under every tape with a panic at every step: without one it gives `want`, and with one the panic comes out.
/// `check` is called after each run, and told how the run went if it did not panic.
pub fn every_tape<R>(
    want: &R,
    run: impl Fn(&Steps) -> R + Sync,
    check: impl Fn(Option<Report>),
) -> usize
where
    R: PartialEq + Debug + Send,
{
    let tape = Arc::new(Mutex::new(Tape::default()));
    let pool: ThreadPool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.follow(Box::new(Player(Arc::clone(&tape))));
    let steps = Steps {
        done: AtomicUsize::new(0),
        panics_at: AtomicUsize::new(usize::MAX),
    };
    let play = |panics_at: usize| {
        tape.lock().unwrap().rewind(panics_at != usize::MAX);
        steps.done.store(0, Relaxed);
        steps.panics_at.store(panics_at, Relaxed);
        pool.install(|| caught(|| run(&steps)))
    };
    for tapes in 1..MOST {
        let got = play(usize::MAX);
        let made = steps.done.load(Relaxed);
        let report = tape.lock().unwrap().report();
        assert_eq!(got.as_ref(), Ok(want), "{:?}", tape.lock().unwrap().answers);
        drop(got);
        check(Some(report));
        for at in 0..made {
            let got = play(at);
            assert_eq!(got, Err(at), "{:?}", tape.lock().unwrap().answers);
            check(None);
        }
        if !tape.lock().unwrap().advance() {
            return tapes;
        }
    }
    panic!("there are more tapes than {MOST}");
}

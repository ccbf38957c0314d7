//! Which kind of job a lane is asked for next: kinds take turns.

use std::sync::{Mutex, MutexGuard};

use crate::id::Lane;

/// Lets kinds take turns, for a backend that can be asked for the next job of a kind only, not of a lane.
///
/// The kind that had the last job is asked first, up to eight times, and then the next one. So few empty kinds are asked, and no kind waits for more than eight jobs
/// of each other one, and for those that other hands of the worker take at the same moment.
///
/// Kinds are numbered on and on: a turn that another hand has ended meanwhile is told by its number.
///
/// ```
/// use filch_queue::{Lane, broker::Turns};
/// let turns = Turns::default();
/// // Two kinds, which both have jobs: the first one asked gives one.
/// let given: Vec<u64> = (0..18)
///     .map(|_| {
///         let first = turns.first(Lane::Normal);
///         turns.took(Lane::Normal, first, first);
///         first % 2
///     })
///     .collect();
/// assert_eq!(given, [[0; 8], [1; 8]].concat().into_iter().chain([0, 0]).collect::<Vec<_>>());
/// ```
#[derive(Debug, Default)]
pub struct Turns {
    lanes: Mutex<[Turn; 3]>,
}

/// How many jobs a kind has before it is another's turn.
const TURN: u32 = 8;

#[derive(Debug, Default)]
struct Turn {
    first: u64,
    /// Jobs it has had in its turn.
    had: u32,
}

impl Turns {
    fn lock(&self) -> MutexGuard<'_, [Turn; 3]> {
        self.lanes
            .lock()
            .unwrap_or_else(|poison| poison.into_inner())
    }

    /// The number of the kind to ask first; the next numbers follow. A number stands for the kind at its place in the list, which is gone through again and again.
    pub fn first(&self, lane: Lane) -> u64 {
        self.lock()[lane.index()].first
    }

    /// A job came of the kind of this number, when `first` was asked first. Changes nothing if another hand has moved on since then.
    pub fn took(&self, lane: Lane, first: u64, number: u64) {
        let turn = &mut self.lock()[lane.index()];
        if turn.first != first {
            return;
        }
        if number != first {
            (turn.first, turn.had) = (number, 0);
        }
        turn.had += 1;
        if turn.had >= TURN {
            (turn.first, turn.had) = (turn.first.wrapping_add(1), 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_that_has_jobs_is_asked_first_until_its_turn_is_over() {
        let turns = Turns::default();
        // Only the third has any.
        turns.took(Lane::Low, 0, 2);
        for _ in 1..TURN {
            assert_eq!(turns.first(Lane::Low), 2);
            turns.took(Lane::Low, 2, 2);
        }
        assert_eq!((turns.first(Lane::Low), turns.first(Lane::High)), (3, 0));
    }

    #[test]
    fn a_hand_that_comes_late_gives_nobody_a_second_turn() {
        let turns = Turns::default();
        let first = turns.first(Lane::High);
        // 64 hands asked the same kind first, and all got a job of it.
        (0..64).for_each(|_| turns.took(Lane::High, first, first));
        assert_eq!(turns.first(Lane::High), 1);
    }
}

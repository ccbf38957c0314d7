//! Which kind of a lane is next.
//!
//! A server gives the next job of a kind, not of a lane. So kinds take turns: who had the last job is asked first, up to so many times, and then the next. That
//! asks for few empty kinds, and no kind waits for more than so many jobs of each other one.

use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use crate::broker::Ask;
use crate::id::Lane;

/// For how long a hand that has just had a job takes a kind, or a lane, for empty that was.
pub(super) const EMPTY: Duration = Duration::from_millis(10);
/// How many jobs a kind has before it is another's turn.
const TURN: u32 = 8;

#[derive(Default)]
pub(super) struct Turns {
    lanes: Mutex<[Turn; 3]>,
}

#[derive(Default)]
struct Turn {
    /// Which pair of a class and a kind is asked first, counted on and on.
    first: usize,
    /// Jobs it has had in its turn.
    had: u32,
    /// When the lane was empty last.
    empty: Option<Instant>,
}

impl Turns {
    fn lock(&self) -> MutexGuard<'_, [Turn; 3]> {
        self.lanes
            .lock()
            .unwrap_or_else(|poison| poison.into_inner())
    }

    /// Classes and kinds in the order in which to ask them.
    pub fn order<'a>(&self, lane: Lane, ask: &'a Ask) -> Vec<(&'a String, &'a String)> {
        let of = |class| ask.kinds.iter().map(move |kind| (class, kind));
        let mut pairs: Vec<_> = ask.classes.iter().flat_map(of).collect();
        let first = self.lock()[lane.index()].first;
        if !pairs.is_empty() {
            let middle = first % pairs.len();
            pairs.rotate_left(middle);
        }
        pairs
    }

    /// A job came of the pair at this place of the order.
    pub fn took(&self, lane: Lane, place: usize) {
        let turn = &mut self.lock()[lane.index()];
        if place > 0 {
            (turn.first, turn.had) = (turn.first.wrapping_add(place), 0);
        }
        turn.had += 1;
        if turn.had >= TURN {
            (turn.first, turn.had) = (turn.first.wrapping_add(1), 0);
        }
    }

    /// Whether the lane was empty a moment ago.
    pub fn was_empty(&self, lane: Lane) -> bool {
        let empty = self.lock()[lane.index()].empty;
        empty.is_some_and(|at| at.elapsed() < EMPTY)
    }

    /// Whether the lane is empty now.
    pub fn note(&self, lane: Lane, empty: bool) {
        self.lock()[lane.index()].empty = empty.then(Instant::now);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::aging::Aging;

    #[test]
    fn no_kind_waits_for_more_than_a_turn_of_each_other() {
        let ask = Ask {
            kinds: ["a", "b", "c"].map(String::from).into(),
            classes: vec!["cpu".into()],
            lease: Duration::from_secs(1),
            aging: Arc::new(Aging::new(8)),
        };
        let turns = Turns::default();
        // All have jobs, so the first in the order gives one.
        let mut given = String::new();
        for _ in 0..48 {
            given += turns.order(Lane::Low, &ask)[0].1;
            turns.took(Lane::Low, 0);
        }
        let round: String = ["a", "b", "c"].map(|kind| kind.repeat(8)).concat();
        assert_eq!(given, round.repeat(2));
        // Only the last has; and it is asked first then, until its turn is over.
        assert_eq!(turns.order(Lane::Low, &ask)[2].1, "c");
        turns.took(Lane::Low, 2);
        assert_eq!(turns.order(Lane::Low, &ask)[0].1, "c");
        assert_eq!(turns.order(Lane::High, &ask)[0].1, "a");
    }
}

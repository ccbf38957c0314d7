//! Asking the server for the next job: which lane, and which kind of it.
//!
//! The server gives the next job of a class and kind. A claim asks those whose turn it is, and in a busy lane this is its one question. Only if that kind had no job, and there are more
//! than one left, is the server asked whether the lane has any message at all.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::JetStream;
use crate::broker::{Ask, Lease};
use crate::error::Error;
use crate::id::Lane;

/// For how long a hand that has just had a job takes a kind, or a lane, for empty that was.
const EMPTY: Duration = Duration::from_millis(10);

/// How thoroughly to look for jobs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sweep {
    /// Ask everywhere.
    All,
    /// Leave out what was empty a moment ago. Without it, each job of a lower lane would cost a question for each higher one.
    Hasty,
}

/// What a sweep brought.
#[derive(Default)]
pub(super) struct Swept {
    pub leases: Vec<Lease>,
    /// A class of which more jobs wait.
    pub more: Option<String>,
}

/// When something was empty last.
#[derive(Default)]
pub(super) struct Empty(Mutex<Option<Instant>>);

impl Empty {
    pub fn note(&self, empty: bool) {
        *self.0.lock().unwrap_or_else(|poison| poison.into_inner()) = empty.then(Instant::now);
    }

    /// Whether it need not be asked.
    fn is_left_out(&self, how: Sweep) -> bool {
        let last = *self.0.lock().unwrap_or_else(|poison| poison.into_inner());
        how == Sweep::Hasty && last.is_some_and(|at| at.elapsed() < EMPTY)
    }
}

impl JetStream {
    /// Asks all lanes, each for all kinds, without waiting.
    pub(super) async fn sweep(&self, ask: &Ask, max: usize, how: Sweep) -> Result<Swept, Error> {
        let mut swept = Swept::default();
        while swept.leases.len() < max {
            let Some((lease, more)) = self.next(ask, how).await? else {
                break;
            };
            swept.more = more.then(|| lease.record.class.clone());
            swept.leases.push(lease);
        }
        Ok(swept)
    }

    /// The next job that may be started, and whether more of its class and kind wait.
    async fn next(&self, ask: &Ask, how: Sweep) -> Result<Option<(Lease, bool)>, Error> {
        for lane in ask.aging.order() {
            if let Some(next) = self.next_of(ask, lane, how).await? {
                ask.aging.took(lane);
                return Ok(Some(next));
            }
            ask.aging.was_empty(lane);
        }
        Ok(None)
    }

    async fn next_of(
        &self,
        ask: &Ask,
        lane: Lane,
        how: Sweep,
    ) -> Result<Option<(Lease, bool)>, Error> {
        let empty = &self.empty[lane.index()];
        if empty.is_left_out(how) {
            return Ok(None);
        }
        let first = ask.turns.first(lane);
        let (mut number, end) = (first, first + ask.pairs());
        let mut asked = false;
        while number < end {
            let (class, kind) = ask.pair(number);
            let source = self.source(lane, class, kind).await?;
            if !source.empty.is_left_out(how) {
                if let Some(next) = self.pull(ask, lane, (class, kind), &source).await? {
                    ask.turns.took(lane, first, number);
                    empty.note(false);
                    return Ok(Some(next));
                }
                // One question, instead of one for each that is left. It is put once.
                if !asked && end - number > 2 {
                    asked = true;
                    if self.has_none(lane).await {
                        empty.note(true);
                        return Ok(None);
                    }
                }
            }
            number += 1;
        }
        Ok(None)
    }

    /// Whether a lane has no message at all. A lane that cannot be asked counts as one that has some.
    async fn has_none(&self, lane: Lane) -> bool {
        let info = self.lanes[lane.index()].get_info().await;
        info.is_ok_and(|info| info.state.messages == 0)
    }

    /// Nothing was empty a moment ago any more: jobs were submitted here.
    pub(super) fn forget_empties(&self) {
        self.empty.iter().for_each(|lane| lane.note(false));
        self.each_source(|source| source.empty.note(false));
    }
}

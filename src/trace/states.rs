//! From spans to states: at each moment a thread is in one, and works for one call site at most.

use super::recording::Trace;
use super::spans::Span;
use super::what::What;
use crate::core::track::Track;
use std::collections::BTreeMap;

/// What a thread is doing at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ThreadState {
    /// It runs a job or a loop; of this site, if it is in one.
    Busy(Option<u32>),
    /// It waits for what another thread has, and finds nothing else to do.
    Wait,
    /// It looks for work.
    Search,
    Sleep,
}

/// A time, in ticks since the recording began, in which a thread was in one state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Period {
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) state: ThreadState,
}

impl Period {
    pub(super) fn ticks(&self) -> u64 {
        self.to.saturating_sub(self.from)
    }
}

/// The site of each call, by the call's name.
pub(super) type Calls = BTreeMap<u64, u32>;

impl Trace {
    /// The site of each call that was seen to begin.
    pub(super) fn calls(&self, spans: &[Vec<Span>]) -> Calls {
        let all = spans.iter().flatten().filter_map(|span| match span.what {
            What::Call { site, call, .. } | What::Rest { site, call } if site != 0 => {
                Some((call, site))
            }
            _ => None,
        });
        all.collect()
    }

    /// The states that a thread was in, one after the other; none, where nothing is known. Threads without a desk have none.
    pub(super) fn states(&self, track: &Track, spans: &[Span], calls: &Calls) -> Vec<Period> {
        let mut states = Periods::default();
        if track.of.desk == 0 {
            return states.done;
        }
        // What is around a moment: until when, and the state.
        let mut around: Vec<(u64, ThreadState)> = Vec::new();
        for span in spans {
            while let Some(&(end, state)) = around.last()
                && end <= span.from
            {
                states.go_to(end, Some(state));
                around.pop();
            }
            let outer = around.last().map(|&(_, state)| state);
            states.go_to(span.from, outer);
            let site = match outer {
                Some(ThreadState::Busy(site)) => site,
                _ => None,
            };
            let state = match span.what {
                What::Call { call, .. } | What::Piece { call, .. } => {
                    ThreadState::Busy(calls.get(&call).copied().or(site))
                }
                What::Rest { site, .. } => ThreadState::Busy(Some(site)),
                What::Job(_) | What::Visit | What::Blocks { .. } | What::Region(_) => {
                    ThreadState::Busy(site)
                }
                What::Wait(_) => ThreadState::Wait,
                What::Search | What::Sleep if outer == Some(ThreadState::Wait) => ThreadState::Wait,
                What::Search => ThreadState::Search,
                What::Sleep => ThreadState::Sleep,
            };
            around.push((span.to, state));
        }
        while let Some((end, state)) = around.pop() {
            states.go_to(end, Some(state));
        }
        states.done
    }
}

#[derive(Default)]
struct Periods {
    done: Vec<Period>,
    now: u64,
}

impl Periods {
    /// Until `to` the state was this.
    fn go_to(&mut self, to: u64, state: Option<ThreadState>) {
        if to <= self.now {
            return;
        }
        let from = std::mem::replace(&mut self.now, to);
        let Some(state) = state else { return };
        match self.done.last_mut() {
            Some(last) if last.state == state && last.to == from => last.to = to,
            _ => self.done.push(Period { from, to, state }),
        }
    }
}

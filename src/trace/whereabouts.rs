//! What threads are at when a recording ends, in words: for dumps.

use super::figures::ns;
use super::labels::thread_name;
use super::recording::Trace;
use super::spans::Span;
use super::states::Calls;
use super::what::What;
use crate::core::event::Kind;
use crate::core::track::{Identity, Track};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// How many events of each thread a dump shows.
const LAST: usize = 32;

/// What the threads of a recording are at.
pub(super) struct Whereabouts<'a> {
    pub(super) trace: &'a Trace,
    spans: Vec<Vec<Span>>,
    calls: Calls,
}

/// What a thread is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Activity {
    /// Code of the user's, in a job or a loop; below it on the stack there may be a wait.
    Work {
        in_call: bool,
        in_wait: bool,
    },
    Wait,
    /// Nothing: it looks for work, or sleeps, or left.
    Nothing,
}

impl<'a> Whereabouts<'a> {
    pub(super) fn of(trace: &'a Trace) -> Self {
        let spans = trace.all_spans();
        Whereabouts {
            trace,
            calls: trace.calls(&spans),
            spans,
        }
    }

    /// The number of a desk's track.
    pub(super) fn track(&self, of: Identity) -> Option<usize> {
        self.trace.tracks.iter().position(|track| track.of == of)
    }

    /// What is not over yet, the outer before the inner.
    fn open(&self, track: usize) -> impl DoubleEndedIterator<Item = &Span> {
        let spans = self.spans[track].iter();
        // A span without a recorded end goes to the end of the recording. Blocks are recorded when they have ended, so they are never open.
        let ends = |what: &What| !matches!(what, What::Blocks { .. });
        spans.filter(move |span| span.to >= self.trace.ticks && ends(&span.what))
    }

    pub(super) fn at(&self, track: usize) -> Activity {
        let mut at = Activity::Nothing;
        let (mut in_call, mut in_wait) = (false, false);
        for span in self.open(track) {
            at = match span.what {
                What::Wait(_) => {
                    in_wait = true;
                    Activity::Wait
                }
                What::Search | What::Sleep => match at {
                    Activity::Wait => Activity::Wait,
                    _ => Activity::Nothing,
                },
                What::Call { .. } | What::Piece { .. } | What::Rest { .. } => {
                    in_call = true;
                    Activity::Work { in_call, in_wait }
                }
                _ => Activity::Work { in_call, in_wait },
            };
        }
        at
    }

    /// The name of a thread and of its pool.
    pub(super) fn name(&self, of: Identity) -> String {
        match of.desk {
            0 => thread_name(of),
            _ => format!("{} of {}", thread_name(of), self.trace.pool_name(of)),
        }
    }

    /// Where a thread is: the loop, the region, the job.
    pub(super) fn place(&self, track: usize) -> String {
        let mut places: Vec<String> = Vec::new();
        let mut named = BTreeSet::new();
        for span in self.open(track).rev() {
            let site = |call| match self.calls.get(call) {
                Some(&site) => format!("the loop `{}`", self.trace.site_name(site)),
                None => "a loop".into(),
            };
            // A thread may be in several pieces of a call, each on top of a wait in the one before.
            if let What::Call { call, .. } | What::Piece { call, .. } | What::Rest { call, .. } =
                span.what
                && !named.insert(call)
            {
                continue;
            }
            let place = match span.what {
                What::Call { call, len, .. } if len != u64::MAX => {
                    format!("{} of {len} items", site(&call))
                }
                What::Call { call, .. } | What::Rest { call, .. } => site(&call),
                What::Piece { call, len, at } if len != u64::MAX && at != u64::MAX => {
                    format!(
                        "a piece of {}, {len} items from number {at} on",
                        site(&call)
                    )
                }
                What::Piece { call, .. } => format!("a piece of {}", site(&call)),
                What::Region(name) => format!("region `{}`", self.trace.region_name(name)),
                What::Job(_) => "a job".into(),
                What::Wait(_) => "a wait".into(),
                What::Visit => "a call from outside".into(),
                What::Search | What::Sleep | What::Blocks { .. } => continue,
            };
            if !places.contains(&place) {
                places.push(place);
            }
        }
        match places.is_empty() {
            true => "nothing".into(),
            false => places.join(", in "),
        }
    }

    /// All threads: where they are, and their last events.
    pub(super) fn all(&self) -> String {
        let mut text = String::new();
        for (number, track) in self.trace.tracks.iter().enumerate() {
            let name = self.name(track.of);
            let place = match self.at(number) {
                Activity::Work { .. } => format!("at work in {}", self.place(number)),
                Activity::Wait => format!("waits in {}", self.place(number)),
                Activity::Nothing => "has nothing to do".into(),
            };
            let _ = writeln!(text, "\n{name}: {place}");
            self.last_events(track, &mut text);
        }
        text
    }

    fn last_events(&self, track: &Track, text: &mut String) {
        let end = self.trace.begin.saturating_add(self.trace.ticks);
        for event in &track.events[track.events.len().saturating_sub(LAST)..] {
            let ago = ns(self.trace.ns(end.saturating_sub(event.ticks)));
            let what = match event.kind {
                Kind::Call => self.trace.site_name(event.number as u32),
                Kind::Region | Kind::RegionEnd => self.trace.region_name(event.number).into(),
                _ => format!("{:x}", event.number),
            };
            let _ = writeln!(
                text,
                "  {ago:>8} ago  {:<9} {what}",
                format!("{:?}", event.kind)
            );
        }
    }
}

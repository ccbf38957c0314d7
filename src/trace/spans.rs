//! From events to spans: what a thread was at, from when until when.

use super::recording::Trace;
use crate::core::event::Kind;
use crate::core::recorder::Track;
use crate::core::tape::Event;
use std::cmp::Reverse;

/// What a thread was at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum What {
    /// A job, by its address.
    Job(u64),
    /// A thread from outside worked at this desk.
    Visit,
    /// A call of a parallel iterator: the site, the length (`u64::MAX` if unknown) and the call.
    Call {
        site: u32,
        len: u64,
        call: u64,
    },
    /// A piece of a call, from an index on.
    Piece {
        call: u64,
        len: u64,
        at: u64,
    },
    /// A call or a piece of one of which the begin was overwritten.
    Rest {
        site: u32,
        call: u64,
    },
    /// Blocks: how many items, from an index on.
    Leaf {
        items: u64,
        at: u64,
    },
    /// It looked for work.
    Search,
    Sleep,
    /// It waited for a job, or for something else (0).
    Wait(u64),
    /// A region, by the number of its name.
    Region(u64),
}

/// Something that went on for some time, in ticks since the recording began.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Span {
    pub(super) what: What,
    pub(super) from: u64,
    pub(super) to: u64,
    /// How many others it is inside of.
    pub(super) depth: usize,
}

impl Span {
    pub(super) fn ticks(&self) -> u64 {
        self.to.saturating_sub(self.from)
    }
}

impl What {
    /// What an event begins.
    fn begun(event: &Event) -> Option<What> {
        let [first, second] = event.more;
        Some(match event.kind {
            Kind::Run => What::Job(event.number),
            Kind::Sit => What::Visit,
            Kind::Call => What::Call {
                site: event.number as u32,
                len: unpack(first),
                call: second,
            },
            Kind::Piece => What::Piece {
                call: event.number,
                len: unpack(first),
                at: second,
            },
            Kind::Search => What::Search,
            Kind::Sleep => What::Sleep,
            Kind::Wait => What::Wait(event.number),
            Kind::Region => What::Region(event.number),
            _ => return None,
        })
    }

    /// What an event ends, if the begin was not seen.
    fn ended(event: &Event) -> Option<What> {
        Some(match event.kind {
            Kind::Done => What::Job(event.number),
            Kind::Rise => What::Visit,
            Kind::CallEnd => What::Call {
                site: 0,
                len: u64::MAX,
                call: event.number,
            },
            Kind::PieceEnd => What::Piece {
                call: event.number,
                len: u64::MAX,
                at: u64::MAX,
            },
            Kind::Found => What::Search,
            Kind::Up => What::Sleep,
            Kind::Waited => What::Wait(event.number),
            Kind::RegionEnd => What::Region(event.number),
            _ => return None,
        })
    }

    /// Whether `end`, as [`What::ended`] says, ends this.
    fn is_ended_by(self, end: What) -> bool {
        match (self, end) {
            (What::Call { call: a, .. }, What::Call { call: b, .. })
            | (What::Piece { call: a, .. }, What::Piece { call: b, .. })
            | (
                What::Rest { call: a, .. },
                What::Call { call: b, .. } | What::Piece { call: b, .. },
            ) => a == b,
            (a, b) => a == b,
        }
    }

    /// Whether it is this call, or a piece of it.
    fn is_of(self, of: u64) -> bool {
        match self {
            What::Call { call, .. } | What::Piece { call, .. } | What::Rest { call, .. } => {
                call == of
            }
            _ => false,
        }
    }

    /// Whether the thread had nothing to do.
    pub(super) fn is_idle(self) -> bool {
        matches!(self, What::Search | What::Sleep)
    }
}

/// The places of events that begin what the others do not end.
pub(super) fn still_open(events: &[Event]) -> Vec<usize> {
    let mut open: Vec<(usize, What)> = Vec::new();
    for (at, event) in events.iter().enumerate() {
        if let Some(what) = What::begun(event) {
            open.push((at, what));
        } else if let Some(end) = What::ended(event)
            && let Some(outer) = open.iter().rposition(|(_, what)| what.is_ended_by(end))
        {
            open.truncate(outer);
        }
    }
    open.into_iter().map(|(at, _)| at).collect()
}

/// A length of 48 bits, all of which are set if it is not known.
fn unpack(len: u64) -> u64 {
    match len == (1 << 48) - 1 {
        true => u64::MAX,
        false => len,
    }
}

impl Trace {
    /// From when on all that a thread did is known.
    pub(super) fn known(&self, track: &Track) -> u64 {
        match track.events.first() {
            Some(first) if track.lost > 0 => first.ticks.saturating_sub(self.begin),
            _ => 0,
        }
    }

    /// What the thread of a track was at, by the begin, the outer before the inner. What was under way at the begin or at the end is cut there; what a
    /// panic ended, where that which is around it ends.
    pub(super) fn spans(&self, track: &Track) -> Vec<Span> {
        let mut spans: Vec<Span> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let span = |what, from, to| Span {
            what,
            from,
            to,
            depth: 0,
        };
        let known = self.known(track);
        for event in &track.events {
            let now = event.ticks.saturating_sub(self.begin);
            if event.kind == Kind::Still {
                if !open.iter().any(|&at| spans[at].what.is_of(event.number)) {
                    let from = open.last().map_or(known, |&at| spans[at].from);
                    let site = event.more[0] as u32;
                    let call = event.number;
                    open.push(spans.len());
                    spans.push(span(What::Rest { site, call }, from, self.ticks));
                }
            } else if let Some(what) = What::begun(event) {
                open.push(spans.len());
                spans.push(span(what, now, self.ticks));
            } else if let Some(end) = What::ended(event) {
                match open.iter().rposition(|&at| spans[at].what.is_ended_by(end)) {
                    Some(at) => open.drain(at..).for_each(|inner| spans[inner].to = now),
                    // It was under way when the recording, or what is left of it, began.
                    None if open.is_empty() => spans.push(span(end, known, now)),
                    None => {}
                }
            } else if event.kind == Kind::Leaf {
                let [ticks, at] = event.more;
                let items = event.number & ((1 << 40) - 1);
                let to = now.saturating_sub(event.number >> 40);
                spans.push(span(What::Leaf { items, at }, to.saturating_sub(ticks), to));
            }
        }
        spans.sort_by_key(|span| (span.from, Reverse(span.to)));
        let mut around: Vec<u64> = Vec::new();
        for span in &mut spans {
            around.retain(|&end| end > span.from || end == span.from && span.to == end);
            span.depth = around.len();
            around.push(span.to);
        }
        spans
    }
}

//! The things that a thread can be doing, such as a job, a wait or a sleep, and which events begin and end each.

use crate::core::event::Kind;
use crate::core::slots::Event;

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
    Blocks {
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

impl What {
    /// What an event begins.
    pub(super) fn begun(event: &Event) -> Option<What> {
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
    pub(super) fn ended(event: &Event) -> Option<What> {
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
    pub(super) fn is_ended_by(self, end: What) -> bool {
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
    pub(super) fn is_of(self, of: u64) -> bool {
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

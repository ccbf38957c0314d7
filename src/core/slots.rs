//! How an event is stored in the slots of a ring or of a file. A slot has two words, and an event takes one slot or two.
//!
//! No threads and no clock in here, so that other programs can read files with the same code.

use super::event::Kind;

/// Ticks are kept modulo this.
pub(super) const TICKS: u64 = 1 << 48;

/// An event that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Event {
    pub(crate) ticks: u64,
    pub(crate) kind: Kind,
    pub(crate) small: u8,
    pub(crate) number: u64,
    /// The two numbers of a large event; the first has 48 bits.
    pub(crate) more: [u64; 2],
}

#[allow(dead_code)] // the simulator reads files with this code, and does not ask for all of it
impl Event {
    /// Of [`Kind::Take`]: the job that was taken, and the number of the seat, or [`OUTSIDE`](super::event::OUTSIDE).
    pub(crate) fn taken(&self) -> (u64, u64) {
        (self.number % (1 << 48), self.number >> 48)
    }

    /// Of [`Kind::Blocks`]: how many items they had, and how many ticks before this event the last of them ended.
    pub(crate) fn blocks(&self) -> (u64, u64) {
        (self.number % (1 << 40), self.number >> 40)
    }
}

/// The events in slots that were written before `until`.
pub(crate) fn decode(slots: &[[u64; 2]], until: u64) -> Vec<Event> {
    let mut events: Vec<Event> = Vec::with_capacity(slots.len());
    let mut whole = false;
    for &[word, number] in slots {
        let Some(kind) = Kind::of(word as u8) else {
            whole = false;
            continue;
        };
        let first = word >> 16;
        match (kind, events.last_mut()) {
            (Kind::More, Some(event)) if whole => event.more = [first, number],
            // The first half was overwritten.
            (Kind::More, _) => {}
            _ => {
                whole = true;
                events.push(Event {
                    // The last time at which a clock showed these bits.
                    ticks: until.saturating_sub(until.wrapping_sub(first) % TICKS),
                    kind,
                    small: (word >> 8) as u8,
                    number,
                    more: [0; 2],
                });
            }
        }
    }
    events
}

/// An event as it is kept, for files.
pub(crate) fn encode(event: &Event) -> [[u64; 2]; 2] {
    let word = |first: u64, kind: Kind| {
        ((first % TICKS) << 16) | u64::from(event.small) << 8 | kind as u64
    };
    [
        [word(event.ticks, event.kind), event.number],
        [word(event.more[0], Kind::More), event.more[1]],
    ]
}

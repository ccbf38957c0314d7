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

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;

    fn event(kind: Kind, ticks: u64, number: u64, more: [u64; 2]) -> Event {
        Event {
            ticks,
            kind,
            small: 0xAB,
            number,
            more,
        }
    }

    #[test]
    fn numbers_are_two_in_one() {
        let all = event(Kind::Take, 1, u64::MAX, [0; 2]);
        assert_eq!(all.taken(), ((1 << 48) - 1, (1 << 16) - 1));
        assert_eq!(all.blocks(), ((1 << 40) - 1, (1 << 24) - 1));
        let one = |number| event(Kind::Take, 1, number, [0; 2]);
        assert_eq!(one(5 << 48 | 7).taken(), (7, 5));
        assert_eq!(one(5 << 40 | 7).blocks(), (7, 5));
    }

    /// Also of a time at which the 48 bits that are kept have begun anew.
    #[test]
    fn what_is_kept_is_read_again() {
        for begin in [9, 5 * TICKS - 2] {
            let large = event(Kind::Blocks, begin, u64::MAX - 1, [TICKS - 3, u64::MAX]);
            let small = event(Kind::Run, begin + 4, 1 << 63 | 3, [0; 2]);
            let mut slots = encode(&large).to_vec();
            slots.push(encode(&small)[0]);
            assert_eq!(decode(&slots, begin + 4), [large, small]);
            assert_eq!(decode(&slots, begin + 1000), [large, small]);
            // Only the first half, and only the second one.
            let half = Event {
                more: [0; 2],
                ..large
            };
            assert_eq!(decode(&slots[..1], begin + 4), [half]);
            assert_eq!(decode(&slots[1..], begin + 4), [small]);
        }
    }

    /// A half of an event that was overwritten, or that a later version wrote, belongs to no other event.
    #[test]
    fn halves_of_unknown_events_are_left_out() {
        let small = event(Kind::Run, 5, 3, [0; 2]);
        let [_, half] = encode(&event(Kind::Blocks, 6, 4, [7, 8]));
        let unknown = [0xFF, 1];
        let slots = [half, encode(&small)[0], unknown, half, encode(&small)[0]];
        assert_eq!(decode(&slots, 9), [small; 2]);
    }
}

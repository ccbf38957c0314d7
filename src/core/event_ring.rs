//! Rings of events. Each desk has one. The thread at the desk writes it, and the thread that takes a snapshot reads it. A full ring keeps
//! the newest events.
//!
//! ```text
//!   write: the slots, relaxed;  head, release;  a release fence, so that the next slots come after this head
//!   read:  head, acquire;  the slots, relaxed;  an acquire fence;  head again: what may have been overwritten meanwhile is dropped
//! ```
//!
//! A reader that saw a part of a newer event in a slot also sees, behind its fence, the head that was stored before that event was written.

use super::event::Kind;
use super::slots::{Event, TICKS, decode};
use crate::sync::{AtomicU64, Ordering, fence};

/// Slots of an event, at most.
const LARGEST: u64 = 2;
/// Two words of the ring. An event takes one slot or two.
#[derive(Default)]
struct Slot([AtomicU64; 2]);

/// The last events of one thread.
pub(crate) struct EventRing {
    slots: Box<[Slot]>,
    /// How many slots were ever written.
    head: AtomicU64,
}

impl EventRing {
    /// A ring of `capacity` slots, a power of two.
    pub(crate) fn new(capacity: usize) -> EventRing {
        debug_assert!(capacity.is_power_of_two() && capacity as u64 > LARGEST);
        EventRing {
            slots: (0..capacity).map(|_| Slot::default()).collect(),
            head: AtomicU64::new(0),
        }
    }

    /// How large it is.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.slots)
    }

    /// How many slots it has.
    #[allow(dead_code)] // models do without
    pub(crate) fn slots(&self) -> u64 {
        self.slots.len() as u64
    }

    /// Writes an event. One thread at a time.
    pub(crate) fn write(
        &self,
        ticks: u64,
        (kind, small): (Kind, u8),
        number: u64,
        more: Option<[u64; 2]>,
    ) {
        let mut at = self.head.load(Ordering::Relaxed);
        let mut put = |first: u64, kind: Kind, number: u64| {
            let Slot([head, tail]) = &self.slots[at as usize & (self.slots.len() - 1)];
            let word = ((first % TICKS) << 16) | u64::from(small) << 8 | kind as u64;
            head.store(word, Ordering::Relaxed);
            tail.store(number, Ordering::Relaxed);
            at += 1;
        };
        put(ticks, kind, number);
        if let Some([first, second]) = more {
            put(first.min(TICKS - 1), Kind::More, second);
        }
        self.head.store(at, Ordering::Release);
        if !crate::sync::planted!("event_ring") {
            fence(Ordering::Release);
        }
    }

    /// How many slots were ever written.
    #[allow(dead_code)] // models do without
    pub(crate) fn head(&self) -> u64 {
        self.head.load(Ordering::Acquire)
    }

    /// The events from `since` to `until`, oldest first, and how many slots of before were overwritten, at least.
    #[allow(dead_code)] // for tests and models
    pub(crate) fn read(&self, since: u64, until: u64) -> (Vec<Event>, u64) {
        self.read_after(0, since, until)
    }

    /// The same, but only of what was written after the first `skipped` slots.
    pub(crate) fn read_after(&self, skipped: u64, since: u64, until: u64) -> (Vec<Event>, u64) {
        let capacity = self.slots.len() as u64;
        let head = self.head.load(Ordering::Acquire);
        let first = head.saturating_sub(capacity).max(skipped);
        let copy: Vec<_> = (first..head)
            .map(|at| {
                let Slot(words) = &self.slots[at as usize & (self.slots.len() - 1)];
                words.each_ref().map(|word| word.load(Ordering::Relaxed))
            })
            .collect();
        fence(Ordering::Acquire);
        let head = self.head.load(Ordering::Relaxed);
        // Also what is just being written.
        let kept = (head + LARGEST).saturating_sub(capacity).max(first);
        let whole = copy.get((kept - first) as usize..).unwrap_or_default();
        let mut events = decode(whole, until);
        // Before the first event that was kept, there may have been others of this time.
        let wrapped = events.first().is_none_or(|event| event.ticks >= since);
        events.retain(|event| (since..=until).contains(&event.ticks));
        (events, if wrapped { kept - skipped } else { 0 })
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::super::slots::encode;
    use super::*;

    #[test]
    fn the_newest_events_stay_whole() {
        let ring = EventRing::new(64);
        for at in 0..1000 {
            match at % 3 {
                0 => ring.write(at, (Kind::Blocks, 7), at, Some([at + 1, at + 2])),
                _ => ring.write(at, (Kind::Run, 1), at, None),
            }
            let (events, lost) = ring.read(0, at);
            let wanted = (at + 1).min(40);
            assert!(events.len() as u64 >= wanted, "{} of {at}", events.len());
            assert_eq!(lost > 0, (events.len() as u64) < at + 1);
            for (event, at) in events.iter().rev().zip((0..=at).rev()) {
                let large = at % 3 == 0;
                let more = if large { [at + 1, at + 2] } else { [0; 2] };
                assert_eq!((event.ticks, event.number, event.more), (at, at, more));
                assert_eq!(event.kind == Kind::Blocks, large);
            }
        }
    }

    /// Of a ring of 16 slots 14 count as whole: two may just be written.
    #[test]
    fn what_is_lost_is_of_the_time_that_is_asked_for() {
        let ring = EventRing::new(16);
        let write = |ticks, times| {
            (0..times).for_each(|at| ring.write(ticks, (Kind::Run, 0), at, None));
        };
        let read = |skipped, since| {
            let (events, lost) = ring.read_after(skipped, since, 1000);
            (events.len(), lost)
        };
        write(10, 20);
        assert_eq!((read(0, 10), read(5, 10)), ((14, 6), (14, 1)));
        // What is kept begins before that time, so nothing of it is lost.
        assert_eq!(read(0, 11), (0, 0));
        write(30, 3);
        assert_eq!((read(0, 11), read(0, 10)), ((3, 0), (14, 9)));
        assert_eq!(read(20, 10), (3, 0));
        // All that is kept is of that time: there may have been more of it.
        write(30, 17);
        assert_eq!((read(20, 30), read(23, 11)), ((14, 6), (14, 3)));
        assert_eq!(read(40, 0), (0, 0));
    }

    /// A number of 48 bits that is too large is the largest one.
    #[test]
    fn a_number_that_is_too_large_does_not_begin_anew() {
        let ring = EventRing::new(16);
        for first in [TICKS - 2, TICKS - 1, TICKS, TICKS + 1, u64::MAX] {
            ring.write(5, (Kind::Blocks, 0xFF), 1, Some([first, u64::MAX]));
            let (events, _) = ring.read(0, 9);
            let last = events.last().expect("it was written");
            assert_eq!(last.more, [first.min(TICKS - 1), u64::MAX]);
            assert_eq!((last.kind, last.small, last.ticks), (Kind::Blocks, 0xFF, 5));
        }
    }

    #[test]
    fn ticks_are_found_again_beyond_48_bits() {
        let ring = EventRing::new(16);
        let late = 5 * TICKS - 3;
        for at in 0..6 {
            ring.write(late + at, (Kind::Run, 0), at, None);
        }
        let (events, _) = ring.read(late + 1, late + 5);
        let ticks: Vec<_> = events.iter().map(|event| event.ticks - late).collect();
        assert_eq!(ticks, [1, 2, 3, 4, 5]);
        for event in events {
            let slots = encode(&event);
            assert_eq!(decode(&slots[..1], late + 5), [event]);
        }
    }

    /// Eight threads write, each into its own ring of 64 slots, while another takes snapshots: what it sees is whole, in order, and goes on without gaps.
    #[test]
    fn snapshots_amid_writers_are_whole() {
        use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
        let rings: Vec<_> = (0..8).map(|_| EventRing::new(64)).collect();
        /// The writers end also if an assertion fails.
        struct Done<'a>(&'a AtomicBool);
        impl Drop for Done<'_> {
            fn drop(&mut self) {
                self.0.store(true, Relaxed);
            }
        }
        let (done, started) = (AtomicBool::new(false), std::sync::Barrier::new(9));
        std::thread::scope(|scope| {
            for ring in &rings {
                let (done, started) = (&done, &started);
                scope.spawn(move || {
                    started.wait();
                    for at in 1.. {
                        let more = (at % 2 == 0).then_some([!at % TICKS, at ^ 0xABCD]);
                        ring.write(at, (Kind::Blocks, at as u8), at, more);
                        if done.load(Relaxed) {
                            break;
                        }
                    }
                });
            }
            let _done = Done(&done);
            started.wait();
            let (mut seen, mut snapshots) = (0, 0);
            while snapshots < 2000 || seen < 1000 {
                for ring in &rings {
                    let (events, _) = ring.read(0, TICKS - 1);
                    for (event, next) in events
                        .iter()
                        .zip(events.iter().skip(1).map(Some).chain([None]))
                    {
                        let at = event.number;
                        assert_eq!((event.ticks, event.small), (at, at as u8));
                        let more = if at % 2 == 0 {
                            [!at % TICKS, at ^ 0xABCD]
                        } else {
                            [0; 2]
                        };
                        assert_eq!(event.more, more);
                        assert!(next.is_none_or(|next| next.number == at + 1));
                        seen += 1;
                    }
                }
                snapshots += 1;
            }
        });
    }
}

//! A ring of events is read while its owner writes: what the reader gets is whole, and one event after the other.

use super::check;
use crate::core::event::Kind;
use crate::core::event_ring::EventRing;
use loom::thread;
use std::sync::Arc;

/// The smallest ring that can tell the past from what is just being written has four slots and small events. The writer goes round it once, and
/// then writes over the first slots.
#[test]
fn reader_meets_a_writer_that_goes_round() {
    check("reader_meets_a_writer_that_goes_round", 3, || {
        let ring = Arc::new(EventRing::new(4));
        // What no reader can meet is not explored.
        for at in 1..=4 {
            ring.write(at, (Kind::Run, at as u8), at, None);
        }
        let writer = thread::spawn({
            let ring = Arc::clone(&ring);
            move || {
                for at in 5..=7 {
                    ring.write(at, (Kind::Run, at as u8), at, None);
                }
            }
        });
        let (events, _) = ring.read(0, 100);
        for event in &events {
            assert!(
                event.ticks == event.number && u64::from(event.small) == event.number,
                "an event was torn: {event:?}"
            );
        }
        for pair in events.windows(2) {
            assert_eq!(
                pair[1].number,
                pair[0].number + 1,
                "an event is out of order"
            );
        }
        assert!(
            events.len() <= 2,
            "the slots that may be overwritten were not dropped"
        );
        writer.join().unwrap();
    });
}

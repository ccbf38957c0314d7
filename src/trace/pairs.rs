//! What belongs together on two threads: a steal and the place where the job came from, a wake-up and who was woken.

use super::recording::Trace;
use crate::core::event::Kind;
use std::collections::BTreeMap;

/// Where something happened: the number of the track, and the ticks since the begin.
pub(super) type Place = (usize, u64);

/// An arrow from one thread to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Arrow {
    pub(super) from: Place,
    pub(super) to: Place,
    /// For a steal, the job.
    pub(super) job: Option<u64>,
}

impl Trace {
    /// All events, by time: track, ticks since the begin, and the event's number in its track.
    fn in_order(&self) -> Vec<(u64, usize, usize)> {
        let mut all: Vec<_> = self
            .tracks
            .iter()
            .enumerate()
            .flat_map(|(track, of)| {
                let events = of.events.iter().enumerate();
                events.map(move |(at, event)| (event.ticks.saturating_sub(self.begin), track, at))
            })
            .collect();
        all.sort_unstable();
        all
    }

    /// The arrows of steals, and those of wake-ups. Those whose begin was lost, or lies behind their end because the clocks of two processors
    /// differ a little, are left out.
    pub(super) fn arrows(&self) -> [Vec<Arrow>; 2] {
        let (mut steals, mut wakes) = (Vec::new(), Vec::new());
        let mut origins = BTreeMap::new();
        let mut calls = BTreeMap::new();
        let desks: BTreeMap<_, _> = (0..self.tracks.len())
            .map(|track| {
                let of = self.tracks[track].of;
                (of.pool << 32 | of.desk, track)
            })
            .collect();
        for (now, track, at) in self.in_order() {
            let event = &self.tracks[track].events[at];
            let here = (track, now);
            match event.kind {
                Kind::Promote | Kind::Spawn | Kind::Inject | Kind::Handed => {
                    origins.insert(event.number, here);
                }
                Kind::Take => {
                    let job = event.number & ((1 << 48) - 1);
                    if let Some(from) = origins.remove(&job) {
                        steals.push(Arrow {
                            from,
                            to: here,
                            job: Some(job),
                        });
                    }
                }
                Kind::Wake => {
                    if let Some(&woken) = desks.get(&event.number) {
                        calls.insert(woken, here);
                    }
                }
                Kind::Up => {
                    if let Some(from) = calls.remove(&track) {
                        wakes.push(Arrow {
                            from,
                            to: here,
                            job: None,
                        });
                    }
                }
                _ => {}
            }
        }
        [steals, wakes]
    }
}

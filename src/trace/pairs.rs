//! What belongs together: a steal and the place where the job came from, a wake-up and the thread that was woken, an offer and its end.

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

/// A time in which a job lay there for others, in ticks since the begin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Offer {
    /// The track of the thread that took it; or of the thread that offered it, if it took the job back, or no thread is known to have taken it.
    pub(super) track: usize,
    pub(super) from: u64,
    pub(super) to: u64,
}

impl Trace {
    /// When jobs were public. Of those that were so before the recording began, or whose begin was lost, nothing is known.
    pub(super) fn offers(&self) -> Vec<Offer> {
        let mut offers = Vec::new();
        // By the job: where, since when.
        let mut public: BTreeMap<u64, Place> = BTreeMap::new();
        for (now, track, at) in self.in_order() {
            let event = &self.tracks[track].events[at];
            let (job, begins) = match event.kind {
                Kind::Promote | Kind::Spawn | Kind::Inject | Kind::Handed => (event.number, true),
                Kind::Take => (event.taken().0, false),
                // What its owner runs has no other end; what was taken has had one.
                Kind::Kept | Kind::Run => (event.number, false),
                _ => continue,
            };
            if let Some((_, from)) = public.remove(&job) {
                offers.push(Offer {
                    track,
                    from,
                    to: now,
                });
            }
            if begins {
                public.insert(job, (track, now));
            }
        }
        let left = public.into_values().map(|(track, from)| Offer {
            track,
            from,
            to: self.ticks,
        });
        offers.extend(left);
        offers
    }

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
                    let (job, _) = event.taken();
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

//! Waiting for the map jobs, and second jobs for those that take far longer than the others.
//!
//! A straggler is a job whose machine is slow, or about to be lost. When nine in ten map jobs are done, one that has run three times as long as half of them
//! took gets a twin: a job of the same split under another name. The first of the two that is done counts, and the other is cancelled.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use super::run::Run;
use super::stages::{MapOut, Stage, map_output};
use super::{MapReduce, RunError};
use crate::error::WaitError;
use crate::record::{Record, State};

/// How often the jobs that are not done are looked at.
const LOOK: Duration = Duration::from_millis(200);
/// A job is no straggler before this, however short the others are: a twin costs a job.
const SHORTEST: Duration = Duration::from_millis(500);
/// One job in so many gets a twin at most.
const ONE_IN: usize = 20;

#[derive(Default)]
struct Twins {
    /// How long each job ran that is done, in milliseconds.
    ran: HashMap<usize, u64>,
    /// Since when this driver knows of the running attempt of a job. By its own clock, as those of others differ.
    seen: HashMap<usize, (u32, Instant)>,
    /// Bundles that have a twin.
    made: HashSet<usize>,
    /// Bundles that were looked at for a twin of an earlier driver.
    asked: HashSet<usize>,
}

impl<M: MapReduce> Run<M> {
    /// Waits until every bundle has a result, its own or its twin's; the bytes that all of them wrote.
    pub(super) fn wait_for_maps(&self, end: Option<Instant>) -> Result<u64, RunError> {
        let (mut twins, mut bytes) = (Twins::default(), 0u64);
        let mut looked = Instant::now();
        let mut pause = LOOK;
        for bundle in 0..self.splits.len() {
            let mut from = 0;
            let out = loop {
                if let Some(out) = self.map_result(bundle, &mut twins)? {
                    break out;
                }
                let left = end.map_or(Duration::MAX, |end| {
                    end.saturating_duration_since(Instant::now())
                });
                if left.is_zero() {
                    return Err(RunError::Timeout);
                }
                let id = Stage::Map.id::<M>(&self.run_id, bundle);
                let events = self.queue.broker.watch(id, from, left.min(LOOK))?;
                from = events.last().map_or(from, |last| last.seq + 1);
                if looked.elapsed() >= pause {
                    looked = Instant::now();
                    self.look_for_stragglers(bundle, &mut twins)?;
                    // Looking takes a read a job, and must not become all that the broker does.
                    pause = LOOK.max(looked.elapsed() * 10);
                    looked = Instant::now();
                }
            };
            bytes += out.sections.iter().map(|section| section.len).sum::<u64>();
        }
        Ok(bytes)
    }

    /// The result of a bundle, its own or its twin's, if there is one.
    fn map_result(&self, bundle: usize, twins: &mut Twins) -> Result<Option<MapOut>, RunError> {
        let broker = &*self.queue.broker;
        let (own, twin) = (
            Stage::Map.id::<M>(&self.run_id, bundle),
            Stage::Map.twin::<M>(&self.run_id, bundle),
        );
        let failed = |why| RunError::Failed {
            stage: Stage::Map,
            index: bundle,
            why,
        };
        let record = broker.get(own)?;
        if let Some(out) = record
            .as_ref()
            .and_then(|record| map_output(broker, record).transpose())
        {
            if let Some(record) = &record {
                twins.note(bundle, record);
            }
            if twins.made.contains(&bundle) {
                broker.cancel(twin)?;
            }
            return out.map(Some).map_err(RunError::Broker);
        }
        if twins.asked.insert(bundle) && broker.get(twin)?.is_some() {
            twins.made.insert(bundle);
        }
        if twins.made.contains(&bundle)
            && let Some(second) = broker.get(twin)?
        {
            if let Some(out) = map_output(broker, &second)? {
                broker.cancel(own)?;
                return Ok(Some(out));
            }
            if !second.state.is_settled() {
                return Ok(None);
            }
        }
        match record.map(|record| record.state) {
            None => Err(failed(WaitError::Unknown)),
            Some(State::Dead(why)) => Err(failed(WaitError::Dead(why))),
            Some(State::Cancelled) => Err(failed(WaitError::Cancelled)),
            Some(_) => Ok(None),
        }
    }

    /// Gives twins to bundles from this one on that have run for too long.
    fn look_for_stragglers(&self, first: usize, twins: &mut Twins) -> Result<(), RunError> {
        let broker = &*self.queue.broker;
        let count = self.splits.len();
        let mut running = Vec::new();
        for bundle in first..count {
            if twins.ran.contains_key(&bundle) {
                continue;
            }
            if let Some(record) = broker.get(Stage::Map.id::<M>(&self.run_id, bundle))? {
                twins.note(bundle, &record);
                if record.state == State::Running {
                    running.push(bundle);
                }
            }
        }
        let Some(most) = twins.patience(count) else {
            return Ok(());
        };
        for bundle in running {
            let age = twins.seen.get(&bundle).map(|(_, since)| since.elapsed());
            let room = twins.made.len() < count.div_ceil(ONE_IN);
            if !room || age.is_none_or(|age| age < most) || !twins.made.insert(bundle) {
                continue;
            }
            let id = Stage::Map.twin::<M>(&self.run_id, bundle);
            // A lane that is full has no room for twins. They are not needed.
            let _ = broker.submit(&[self.job(Stage::Map, id, self.map_body(bundle)?)]);
        }
        Ok(())
    }
}

impl Twins {
    fn note(&mut self, bundle: usize, record: &Record) {
        match record.state {
            State::Done(_) => {
                let ran = record.changed.saturating_sub(record.started);
                self.ran.insert(bundle, ran);
            }
            State::Running => {
                let seen = self.seen.entry(bundle);
                let seen = seen.or_insert_with(|| (record.attempt, Instant::now()));
                if seen.0 != record.attempt {
                    *seen = (record.attempt, Instant::now());
                }
            }
            _ => {}
        }
    }

    /// How long a job may run without being a straggler, once nine in ten of all are done.
    fn patience(&self, count: usize) -> Option<Duration> {
        if self.ran.len() < (count * 9).div_ceil(10) {
            return None;
        }
        let mut ran: Vec<u64> = self.ran.values().copied().collect();
        ran.sort_unstable();
        let median = *ran.get(ran.len() / 2)?;
        Some(Duration::from_millis(median.saturating_mul(3)).max(SHORTEST))
    }
}

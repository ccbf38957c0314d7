//! Waiting for the map jobs, and second jobs for those that take far longer than the others.
//!
//! A straggler is a job whose machine is slow, or about to be lost. When nine in ten map jobs are done, one that has run three times as long as half of them
//! took gets a twin: a job of the same split with another id. The first of the two that is done counts, and the other is cancelled.

use std::sync::MutexGuard;
use std::time::{Duration, Instant};

use super::run::{Run, Twins};
use super::stages::{MapOut, Stage, map_output};
use super::{MapReduce, RunError};
use crate::error::WaitError;
use crate::record::{Record, State};

/// How often the jobs that are not done are looked at.
const LOOK: Duration = Duration::from_millis(200);
/// A job is no straggler before this, however short the others are: a twin costs a job.
const SHORTEST: Duration = Duration::from_millis(500);
/// One job in this many gets a twin at most.
const ONE_IN: usize = 20;

impl<M: MapReduce> Run<M> {
    /// Not held while anything is waited for.
    fn twins(&self) -> MutexGuard<'_, Twins> {
        self.twins
            .lock()
            .unwrap_or_else(|poison| poison.into_inner())
    }

    /// Waits until every bundle has a result, its own or its twin's; the bytes that all of them wrote.
    pub(super) fn wait_for_maps(&self, end: Option<Instant>) -> Result<u64, RunError> {
        let mut bytes = 0u64;
        for bundle in 0..self.splits.len() {
            let mut from = 0;
            let out = loop {
                let found = self.map_result(bundle, &mut self.twins())?;
                if let Some(out) = found {
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
                // Looking takes a read a job, and must not become all that the broker does.
                let mut twins = self.twins();
                let (looked, took) = *twins.looked.get_or_insert((Instant::now(), Duration::ZERO));
                if looked.elapsed() >= LOOK.max(took * 10) {
                    let begun = Instant::now();
                    self.look_for_stragglers(bundle, &mut twins)?;
                    twins.looked = Some((Instant::now(), begun.elapsed()));
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
        // One that is settled without a result may have a twin of another driver, which won.
        let lost = record
            .as_ref()
            .is_some_and(|record| record.state.is_settled());
        if (twins.asked.insert(bundle) || lost) && broker.get(twin)?.is_some() {
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

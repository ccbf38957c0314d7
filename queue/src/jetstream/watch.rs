//! Watching a job: what becomes of it, for the tickets that wait for it.

use std::time::{Duration, Instant};

use super::JetStream;
use super::change::{self, Step};
use crate::broker::{Event, Seq};
use crate::error::Error;
use crate::id::JobId;
use crate::record::{Record, Tick};

/// How often a watcher looks for events.
const LOOK: Duration = Duration::from_millis(25);

impl JetStream {
    /// The record of a job, after what time has done to it: the caller must see a lost lease or a deadline even if no worker is left.
    pub(super) async fn get_now(&self, id: JobId) -> Result<Option<Record>, Error> {
        let (Some(record), sequence) = self.read(id).await? else {
            return Ok(None);
        };
        let mut ticked = record.clone();
        let now = self.now();
        if record.state.is_settled() || record.due(now).is_none_or(|due| due > now) {
            return Ok(Some(record));
        }
        ticked.tick(now);
        if !ticked.state.is_settled() {
            // It waits again. Its next claim says so.
            return Ok(Some(ticked));
        }
        let lane = &self.lanes[record.lane.index()];
        let message = self.link.last(lane, &self.names.job(id, &record)).await?;
        let body = message.and_then(|message| Some(change::decode_job(&message.payload).ok()?.2));
        let tick = |record: Option<Record>, now| {
            let Some(mut record) = record.filter(|record| !record.state.is_settled()) else {
                return Step::Leave(None);
            };
            match record.tick(now) {
                Tick::Nothing => Step::Leave(Some(record)),
                _ => Step::Write(Box::new(record.clone()), Some(record)),
            }
        };
        let guess = Some((Some(record), sequence));
        match self.change(id, guess, body.as_deref(), tick).await?.0 {
            Some(record) => {
                self.tell_end(id, &record).await?;
                Ok(Some(record))
            }
            // Settled meanwhile, by another.
            None => Ok(self.read(id).await?.0),
        }
    }

    pub(super) async fn watch_from(
        &self,
        id: JobId,
        from: Seq,
        wait: Duration,
    ) -> Result<Vec<Event>, Error> {
        let end = Instant::now().checked_add(wait);
        loop {
            let events = self.events_from(id, from).await?;
            if !events.is_empty() {
                return Ok(events);
            }
            // Its last event may be missing, if a process was killed before it could write it.
            if let Some(record) = self.get_now(id).await?
                && record.state.is_settled()
                && self.tell_end(id, &record).await?
            {
                continue;
            }
            let left = end.map_or(Duration::MAX, |end| {
                end.saturating_duration_since(Instant::now())
            });
            if left.is_zero() {
                return Ok(events);
            }
            tokio::time::sleep(LOOK.min(left)).await;
        }
    }
}

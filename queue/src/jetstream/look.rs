//! Looking: what the queue holds, and which workers it has.

use std::collections::BTreeMap;
use std::time::Duration;

use async_nats::jetstream::stream::Stream;
use futures_util::{StreamExt, stream};

use super::change;
use super::link::{self, Written};
use super::names::Names;
use super::{AT_ONCE, JetStream};
use crate::admit::count_kind;
use crate::broker::{KindDepth, LaneDepth, Seen};
use crate::error::Error;
use crate::id::{JobId, Lane};
use crate::record::{Record, State};

/// How many jobs of a lane are looked at one by one for the depth. Of more, those that are put off count as leased.
const EXACT: u64 = 1000;

impl JetStream {
    /// The jobs that a stream has a message of.
    pub(super) async fn jobs_in(
        &self,
        stream: &Stream,
        subjects: &str,
    ) -> Result<Vec<JobId>, Error> {
        let list = self
            .link
            .again("a list", || async {
                stream.info_with_subjects(subjects).await
            })
            .await?;
        let mut ids = Vec::new();
        let mut list = std::pin::pin!(list);
        while let Some(entry) = list.next().await {
            let (subject, _) = entry.map_err(|error| link::failed("a list", error))?;
            ids.extend(Names::id_of(&subject));
        }
        Ok(ids)
    }

    pub(super) async fn records(
        &self,
        ids: Vec<JobId>,
    ) -> Result<Vec<(JobId, Option<Record>)>, Error> {
        let reads = stream::iter(ids).map(|id| async move { Ok((id, self.read(id).await?.0)) });
        let all: Vec<Result<_, Error>> = reads.buffer_unordered(AT_ONCE).collect().await;
        all.into_iter().collect()
    }

    pub(super) async fn lane_depth(&self, lane: Lane) -> Result<LaneDepth, Error> {
        let mut depth = LaneDepth::default();
        let stream = &self.lanes[lane.index()];
        let info = self
            .link
            .again("a state", || async { stream.get_info().await })
            .await?;
        if info.state.messages == 0 {
            return Ok(depth);
        }
        if info.state.messages > EXACT {
            let pending = self.pending(stream).await?;
            depth.leased = pending.min(info.state.messages);
            depth.queued = info.state.messages - depth.leased;
            depth.bytes = info.state.bytes;
            return Ok(depth);
        }
        let now = self.now();
        for (_, record) in self
            .records(self.jobs_in(stream, &self.names.lane(lane)).await?)
            .await?
        {
            // Without a record it is about to be claimed, and that makes one.
            let Some(record) = record else {
                depth.queued += 1;
                continue;
            };
            match record.state {
                State::Running if record.lease_until > now => depth.leased += 1,
                State::Queued if record.ready_at > now => depth.delayed += 1,
                State::Running | State::Queued => depth.queued += 1,
                _ => continue,
            }
            depth.bytes += record.len;
        }
        Ok(depth)
    }

    /// By the records, of the first jobs of each lane: what is told of more would take a read each.
    pub(super) async fn kinds_of_all(&self) -> Result<Vec<KindDepth>, Error> {
        let now = self.now();
        let mut kinds = BTreeMap::<(Lane, String), KindDepth>::new();
        for lane in Lane::ALL {
            let stream = &self.lanes[lane.index()];
            let mut ids = self.jobs_in(stream, &self.names.lane(lane)).await?;
            ids.truncate(EXACT as usize);
            for (_, record) in self.records(ids).await? {
                if let Some(record) = record {
                    count_kind(&mut kinds, &record, now);
                }
            }
        }
        Ok(kinds.into_values().collect())
    }

    pub(super) async fn pending(&self, stream: &Stream) -> Result<u64, Error> {
        let mut consumers = stream.consumers();
        let mut pending = 0;
        while let Some(consumer) = consumers.next().await {
            pending += consumer
                .map_err(|error| link::failed("a list of consumers", error))?
                .num_ack_pending as u64;
        }
        Ok(pending)
    }

    pub(super) async fn dead_jobs(&self) -> Result<Vec<(JobId, Record)>, Error> {
        let records = self
            .records(self.jobs_in(&self.dead, &self.names.all("dead")).await?)
            .await?;
        let dead = records
            .into_iter()
            .filter_map(|(id, record)| Some((id, record?)));
        let mut dead: Vec<_> = dead
            .filter(|(_, record)| matches!(record.state, State::Dead(_)))
            .collect();
        dead.sort_by_key(|(id, record)| (record.changed, *id));
        Ok(dead)
    }

    pub(super) async fn attend_as(
        &self,
        worker: &str,
        drain: Option<bool>,
    ) -> Result<Option<bool>, Error> {
        let subject = self.names.worker(worker);
        loop {
            let last = self.link.last(&self.state, &subject).await?;
            let known = last
                .as_ref()
                .and_then(|last| postcard::from_bytes::<(u64, bool)>(&last.payload).ok());
            if known.is_none() && drain == Some(true) {
                return Ok(None);
            }
            let leaving = drain.or(known.map(|(_, drain)| drain)).unwrap_or(false);
            let bytes = change::encode(&(self.now(), leaving))?;
            let after = last.map_or(0, |last| last.sequence);
            if let Written::At(_) = self.link.write(&subject, bytes.into(), Some(after)).await? {
                return Ok(Some(leaving));
            }
        }
    }

    pub(super) async fn list_workers(&self) -> Result<Vec<Seen>, Error> {
        let all = self.names.all("worker");
        let list = self
            .link
            .again("a list", || async {
                self.state.info_with_subjects(all.clone()).await
            })
            .await?;
        let (mut list, mut workers) = (std::pin::pin!(list), Vec::new());
        while let Some(entry) = list.next().await {
            let (subject, _) = entry.map_err(|error| link::failed("a list", error))?;
            let (Some(name), Some(last)) = (
                Names::worker_of(&subject),
                self.link.last(&self.state, &subject).await?,
            ) else {
                continue;
            };
            let Ok((at, drain)) = postcard::from_bytes::<(u64, bool)>(&last.payload) else {
                continue;
            };
            let ago = Duration::from_millis(self.now().saturating_sub(at));
            if ago < Duration::from_secs(60) {
                workers.push(Seen { name, ago, drain });
            } else {
                // Names have the number of a process, so they would pile up.
                self.link
                    .again("a purge", || async {
                        self.state.purge().filter(subject.clone()).await
                    })
                    .await?;
            }
        }
        workers.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(workers)
    }
}

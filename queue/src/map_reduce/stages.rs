//! What the jobs of the two stages do.

use std::fmt;

use filch::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::MapReduce;
use super::merge::{self, Pairs};
use super::store::{Section, Shuffle, Writer};
use crate::broker::Broker;
use crate::error::Error;
use crate::id::JobId;
use crate::job::{Cx, Fail};
use crate::record::{Record, State};

/// More runs than this are merged in several rounds: each takes a buffer and an open file.
const FAN_IN: usize = 512;

/// The stages of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// A job for each split.
    Map,
    /// A job for each partition.
    Reduce,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stage::Map => "map",
            Stage::Reduce => "reduce",
        })
    }
}

impl Stage {
    pub(super) fn kind<M: MapReduce>(self) -> String {
        format!("{self}:{}", M::NAME)
    }

    /// The same in the driver and in every worker, whatever they call the queue.
    pub(super) fn id<M: MapReduce>(self, run_id: &str, index: usize) -> JobId {
        JobId::of_key(run_id, &self.kind::<M>(), &index.to_string())
    }

    /// A second job for the same.
    pub(super) fn twin<M: MapReduce>(self, run_id: &str, index: usize) -> JobId {
        JobId::of_key(run_id, &self.kind::<M>(), &format!("{index}.twin"))
    }
}

#[derive(Serialize, Deserialize)]
pub(super) struct MapBody {
    pub work: Vec<u8>,
    pub run_id: String,
    pub bundle: usize,
    pub split: Vec<u8>,
    pub partitions: usize,
    pub shuffle: Shuffle,
}

/// A section for each partition.
#[derive(Serialize, Deserialize)]
pub(super) struct MapOut {
    pub sections: Vec<Section>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct ReduceBody {
    pub work: Vec<u8>,
    pub run_id: String,
    pub bundles: usize,
    pub partition: usize,
    pub shuffle: Shuffle,
}

#[derive(Serialize, Deserialize)]
pub(super) struct ReduceOut {
    pub section: Section,
}

fn decode<T: DeserializeOwned>(what: &str, bytes: &[u8]) -> Result<T, Fail> {
    postcard::from_bytes(bytes)
        .map_err(|error| Fail::Dead(format!("the {what} cannot be decoded: {error}")))
}

/// An object's name, another for every attempt: only names in records count.
fn name(run_id: &str, stage: Stage, index: usize, cx: &Cx) -> String {
    format!(
        "{run_id}.{stage}{index}.{}.{:x}",
        cx.attempt(),
        cx.lease.record.holder
    )
}

/// Deals the pairs of a split into partitions, sorts and merges each, and writes them.
pub(super) fn map<M: MapReduce>(cx: &Cx) -> Result<Vec<u8>, Fail> {
    let mut body: MapBody = decode("body", &cx.lease.body)?;
    body.shuffle.settle(&cx.places).map_err(Fail::dead)?;
    let (work, split): (M, M::Split) = (decode("work", &body.work)?, decode("split", &body.split)?);
    let partitions = body.partitions.clamp(1, 4096);
    let pairs = work.map(&split, cx)?;
    let mut dealt: Vec<Vec<(M::Key, M::Value)>> = Vec::new();
    dealt.resize_with(partitions, || Vec::with_capacity(pairs.len() / partitions));
    let mut key = Vec::new();
    for pair in pairs {
        key.clear();
        key = postcard::to_extend(&pair.0, key).map_err(Fail::dead)?;
        // Never std's hash or another that may change: workers of all versions must agree.
        let partition = xxhash_rust::xxh64::xxh64(&key, 0) % partitions as u64;
        dealt[partition as usize].push(pair);
    }
    let parts = dealt
        .into_par_iter()
        .map(|pairs| pack(&work, pairs))
        .collect::<Result<Vec<_>, Error>>()
        .map_err(Fail::dead)?;
    if cx.cancel().is_cancelled() {
        return Err(Fail::Retry("told to stop".into()));
    }
    let sections = body.shuffle.put(
        &*cx.broker,
        &name(&body.run_id, Stage::Map, body.bundle, cx),
        &parts,
    )?;
    postcard::to_stdvec(&MapOut { sections }).map_err(Fail::dead)
}

/// A run of the pairs, with one for each key. The sort is stable, so pairs of one key are merged in the order they came in.
fn pack<M: MapReduce>(work: &M, mut pairs: Vec<(M::Key, M::Value)>) -> Result<Vec<u8>, Error> {
    pairs.sort_by(|a, b| a.0.cmp(&b.0));
    let mut packer = Packer {
        work,
        bytes: Vec::new(),
        open: None,
        writer: None,
    };
    pairs.into_iter().try_for_each(|pair| packer.add(pair))?;
    packer.finish()
}

/// Makes a run of pairs that come in the order of their keys.
struct Packer<'a, M: MapReduce> {
    work: &'a M,
    bytes: Vec<u8>,
    open: Option<(M::Key, M::Value)>,
    /// Where bytes go as soon as there are enough, so that a run may be longer than memory.
    writer: Option<&'a mut Writer>,
}

/// How many bytes are written at once.
const FLUSH: usize = 256 << 10;

impl<M: MapReduce> Packer<'_, M> {
    fn add(&mut self, (key, value): (M::Key, M::Value)) -> Result<(), Error> {
        if let Some((open, total)) = &mut self.open {
            if *open == key {
                self.work.merge(total, value);
                return Ok(());
            }
            merge::push(&mut self.bytes, open, total)?;
            if let (Some(writer), FLUSH..) = (&mut self.writer, self.bytes.len()) {
                writer.write(&self.bytes)?;
                self.bytes.clear();
            }
        }
        self.open = Some((key, value));
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<u8>, Error> {
        if let Some((key, value)) = &self.open {
            merge::push(&mut self.bytes, key, value)?;
        }
        Ok(self.bytes)
    }
}

/// What a map job wrote, if it is done.
pub(super) fn map_output(broker: &dyn Broker, record: &Record) -> Result<Option<MapOut>, Error> {
    let State::Done(output) = &record.state else {
        return Ok(None);
    };
    let bytes = output.clone().into_bytes(broker.blobs())?;
    let bytes = bytes.map_err(Error::new)?;
    postcard::from_bytes(&bytes).map(Some).map_err(|error| {
        Error::new(format!(
            "the result of a map job cannot be decoded: {error}"
        ))
    })
}

/// What was written for a bundle, by its job or by its twin.
fn finished<M: MapReduce>(
    broker: &dyn Broker,
    run_id: &str,
    bundle: usize,
) -> Result<MapOut, Fail> {
    let mut known = false;
    for id in [
        Stage::Map.id::<M>(run_id, bundle),
        Stage::Map.twin::<M>(run_id, bundle),
    ] {
        let Some(record) = broker.get(id)? else {
            continue;
        };
        known = true;
        if let Some(out) = map_output(broker, &record).map_err(Fail::dead)? {
            return Ok(out);
        }
    }
    Err(if known {
        Fail::Retry(format!("map {bundle} is not done"))
    } else {
        Fail::Dead(format!(
            "map {bundle} is forgotten: give the run a new name"
        ))
    })
}

/// Merges what all map jobs wrote for a partition.
pub(super) fn reduce<M: MapReduce>(cx: &Cx) -> Result<Vec<u8>, Fail> {
    let mut body: ReduceBody = decode("body", &cx.lease.body)?;
    body.shuffle.settle(&cx.places).map_err(Fail::dead)?;
    let work: M = decode("work", &body.work)?;
    let mut runs = Vec::with_capacity(body.bundles.min(1 << 16));
    for bundle in 0..body.bundles {
        let mut out = finished::<M>(&*cx.broker, &body.run_id, bundle)?;
        if body.partition >= out.sections.len() {
            return Err(Fail::Dead(format!(
                "map {bundle} has {} partitions, and not number {}",
                out.sections.len(),
                body.partition
            )));
        }
        runs.push(out.sections.swap_remove(body.partition));
    }
    let name = name(&body.run_id, Stage::Reduce, body.partition, cx);
    let mut round = 0;
    // Neighbours first, so that the order of merging stays that of the bundles.
    while runs.len() > FAN_IN {
        let next = runs.chunks(FAN_IN).enumerate().map(|(chunk, runs)| {
            merge_runs(
                &work,
                cx,
                &body.shuffle,
                runs,
                &format!("{name}.{round}-{chunk}"),
            )
        });
        runs = next.collect::<Result<_, _>>()?;
        round += 1;
    }
    let section = merge_runs(&work, cx, &body.shuffle, &runs, &name)?;
    postcard::to_stdvec(&ReduceOut { section }).map_err(Fail::dead)
}

fn merge_runs<M: MapReduce>(
    work: &M,
    cx: &Cx,
    shuffle: &Shuffle,
    runs: &[Section],
    name: &str,
) -> Result<Section, Fail> {
    let open = |section| Pairs::<M::Key, M::Value>::open(shuffle, &*cx.broker, section);
    let runs = runs.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    let mut writer = shuffle.create(name)?;
    let mut packer = Packer {
        work,
        bytes: Vec::new(),
        open: None,
        writer: Some(&mut writer),
    };
    merge::merge(runs, |pair| {
        if cx.cancel().is_cancelled() {
            return Err(Error::new("told to stop"));
        }
        packer.add(pair)
    })?;
    let rest = packer.finish()?;
    writer.write(&rest)?;
    Ok(writer.finish(&*cx.broker)?)
}

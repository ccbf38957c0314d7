//! Which job was offered where, and where its end was waited for.

use super::nest::Thread;
use super::recording::Trace;
use super::what::What;
use crate::core::event::Kind;
use std::collections::{BTreeMap, BTreeSet};

/// A place in a recording: the thread, and the node of what it did.
pub(super) type Place = (usize, usize);

/// A job that ran beside what offered it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fork {
    /// When it was offered, in ticks.
    pub(super) at: u64,
    /// When it was waited for, or over.
    pub(super) until: u64,
    pub(super) job: Place,
}

/// All that is known of jobs.
#[derive(Debug, Default)]
pub(super) struct Forks {
    /// What was offered inside of a node, by time.
    pub(super) of: BTreeMap<Place, Vec<Fork>>,
    /// The jobs in there.
    pub(super) at_home: BTreeSet<Place>,
    /// The parts of each call that ran as jobs.
    pub(super) parts: BTreeMap<u64, Vec<Place>>,
    /// How many offers came back.
    pub(super) kept: usize,
}

impl Forks {
    pub(super) fn of(trace: &Trace, threads: &[Thread]) -> Forks {
        let mut forks = Forks::default();
        let mut waits: BTreeMap<(usize, u64), Vec<usize>> = BTreeMap::new();
        for (track, thread) in threads.iter().enumerate() {
            for (at, node) in thread.nodes.iter().enumerate() {
                if let What::Wait(job) = node.what {
                    waits.entry((track, job)).or_default().push(at);
                }
                if let Some(call) = thread.part_of(at) {
                    forks.parts.entry(call).or_default().push((track, at));
                }
            }
        }
        // By the job's address, which many use one after the other: the thread that offered it, and when.
        let mut offered: BTreeMap<u64, (usize, u64)> = BTreeMap::new();
        for (now, track, at) in in_order(trace) {
            let event = &trace.tracks[track].events[at];
            match event.kind {
                Kind::Promote | Kind::Spawn | Kind::Inject => {
                    offered.insert(event.number, (track, now));
                }
                Kind::Kept => {
                    forks.kept += 1;
                    offered.remove(&event.number);
                }
                Kind::Run => {
                    let node = job_at(&threads[track], now, event.number);
                    if let (Some((owner, at)), Some(node)) = (offered.remove(&event.number), node) {
                        let waits = waits.get(&(owner, event.number));
                        let waits = waits.map(Vec::as_slice).unwrap_or_default();
                        forks.add(threads, (owner, at), waits, (track, node));
                    }
                }
                _ => {}
            }
        }
        for forks in forks.of.values_mut() {
            forks.sort_by_key(|fork| fork.at);
        }
        forks
    }

    /// A job was offered by `owner`. Its home is the innermost node that was not over before the job was.
    fn add(&mut self, threads: &[Thread], (owner, at): (usize, u64), waits: &[usize], job: Place) {
        let thread = &threads[owner];
        let node = &threads[job.0].nodes[job.1];
        let waited = waits.iter().map(|&wait| &thread.nodes[wait]);
        let mut waited = waited.filter(|wait| wait.from >= at && wait.to >= node.from);
        let waited = waited.next().filter(|wait| wait.from <= node.to);
        let until = waited.map_or(node.to, |wait| wait.to.max(node.to));
        if threads[job.0].part_of(job.1).is_some() {
            return;
        }
        let (mut home, mut at) = (thread.at(at), at);
        while let Some(inner) = home {
            let node = &thread.nodes[inner];
            let waits = matches!(node.what, What::Wait(_) | What::Search | What::Sleep);
            if !waits && node.to >= until {
                break;
            }
            // It was there before what goes on inside began.
            at = at.min(node.from);
            home = node.around;
        }
        if let Some(home) = home {
            self.at_home.insert(job);
            let fork = Fork { at, until, job };
            self.of.entry((owner, home)).or_default().push(fork);
        }
    }

    /// What was offered inside of a node.
    pub(super) fn inside(&self, of: Place) -> &[Fork] {
        self.of.get(&of).map(Vec::as_slice).unwrap_or_default()
    }

    /// The parts of a call that ran as jobs.
    pub(super) fn parts_of(&self, call: u64) -> &[Place] {
        self.parts.get(&call).map(Vec::as_slice).unwrap_or_default()
    }
}

/// The job that began at this time.
fn job_at(thread: &Thread, time: u64, address: u64) -> Option<usize> {
    let first = thread.nodes.partition_point(|node| node.from < time);
    let nodes = thread.nodes.iter().enumerate().skip(first);
    let mut now = nodes.take_while(|(_, node)| node.from == time);
    now.find(|(_, node)| node.what == What::Job(address))
        .map(|(at, _)| at)
}

/// All events, by time: ticks since the begin, the track, and the event's number in it.
fn in_order(trace: &Trace) -> Vec<(u64, usize, usize)> {
    let mut all = Vec::new();
    for (track, of) in trace.tracks.iter().enumerate() {
        let times = of.events.iter().map(|event| event.ticks);
        let times = times.map(|ticks| ticks.saturating_sub(trace.begin));
        all.extend(times.enumerate().map(|(at, now)| (now, track, at)));
    }
    all.sort_unstable();
    all
}

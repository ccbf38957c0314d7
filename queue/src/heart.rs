//! The heartbeat of a worker: renews its leases from a thread of its own, so that a job may compute as long as it likes.
//!
//! It must not run in a job's thread: a job that never pauses would lose its lease, and a job that hangs would keep it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use filch::ext::CancelToken;

use crate::broker::{Beat, Broker, Lease};
use crate::planted::planted;
use crate::stats::Counters;

/// How often a worker shows that it lives, if it has no leases to renew more often.
const ATTEND: Duration = Duration::from_millis(500);

#[derive(Default)]
pub(crate) struct Heart {
    state: Mutex<Beating>,
    changed: Condvar,
}

#[derive(Default)]
struct Beating {
    /// By the number of the claim, which no other has.
    held: HashMap<u64, Held>,
    stop: bool,
    stop_when_idle: bool,
    /// When the heart looks again by itself. Waking it for each job would cost more than a short job does.
    looks: Option<Instant>,
}

struct Held {
    lease: Arc<Lease>,
    cancel: CancelToken,
    began: Instant,
    /// The start of the last renewal that went well, by this process's clock: the lease may have ended one lease after it.
    renewed: Instant,
}

impl Held {
    fn is_over(&self, now: Instant) -> bool {
        now.saturating_duration_since(self.renewed) >= self.lease.lease
    }

    fn ran_out(&self, now: Instant) -> bool {
        now.saturating_duration_since(self.began)
            >= Duration::from_millis(self.lease.record.max_run)
    }
}

impl Heart {
    fn lock(&self) -> MutexGuard<'_, Beating> {
        self.state
            .lock()
            .unwrap_or_else(|poison| poison.into_inner())
    }

    /// From now on the lease is renewed. The token is cancelled when the job is to stop.
    pub fn take_up(&self, lease: Arc<Lease>, asked: Instant) -> CancelToken {
        let cancel = CancelToken::new();
        let held = Held {
            cancel: cancel.clone(),
            began: Instant::now(),
            renewed: asked,
            lease: lease.clone(),
        };
        let due = asked + pause_of(&lease);
        let mut beating = self.lock();
        beating.held.insert(lease.record.holder, held);
        if beating.looks.is_none_or(|looks| due < looks) {
            self.changed.notify_all();
        }
        cancel
    }

    /// From now on the lease is not renewed.
    pub fn lay_down(&self, lease: &Lease) {
        let mut beating = self.lock();
        beating.held.remove(&lease.record.holder);
        if beating.stop_when_idle {
            self.changed.notify_all();
        }
    }

    /// Whether the lease is ours as far as this process can know.
    pub fn holds(&self, lease: &Lease) -> bool {
        self.lock()
            .held
            .get(&lease.record.holder)
            .is_some_and(|held| !held.is_over(Instant::now()))
    }

    /// The leases of jobs that are not done. Their tokens are cancelled.
    pub fn abandon(&self) -> Vec<Arc<Lease>> {
        let beating = self.lock();
        beating.held.values().for_each(|held| held.cancel.cancel());
        beating
            .held
            .values()
            .map(|held| held.lease.clone())
            .collect()
    }

    pub fn stop(&self) {
        self.lock().stop = true;
        self.changed.notify_all();
    }

    pub fn stop_when_idle(&self) {
        self.lock().stop_when_idle = true;
        self.changed.notify_all();
    }
}

/// How long after a renewal the next is due: with a look as late again, never later than a third of the lease.
fn pause_of(lease: &Lease) -> Duration {
    lease.lease / 6
}

/// Beats until it is told to stop. Sets `leave` when the worker was asked to.
pub(crate) fn beat(
    heart: &Heart,
    broker: &dyn Broker,
    counters: &Counters,
    name: &str,
    leave: &AtomicBool,
) {
    let mut attended: Option<Instant> = None;
    loop {
        if attended.is_none_or(|at| at.elapsed() >= ATTEND) {
            attended = Some(Instant::now());
            if broker.attend(name).unwrap_or(false) {
                leave.store(true, Ordering::Relaxed);
            }
        }
        let due = due(heart);
        if !due.is_empty() && !planted!("heart") {
            renew(heart, broker, counters, &due);
        }
        let mut beating = heart.lock();
        if beating.stop || beating.stop_when_idle && beating.held.is_empty() {
            return;
        }
        let pause = beating
            .held
            .values()
            .map(|held| pause_of(&held.lease))
            .min()
            .unwrap_or(ATTEND)
            .min(ATTEND);
        beating.looks = Instant::now().checked_add(pause);
        drop(heart.changed.wait_timeout(beating, pause));
    }
}

/// The leases to renew now. Those that cannot be renewed any more are told so.
fn due(heart: &Heart) -> Vec<Arc<Lease>> {
    let mut beating = heart.lock();
    let now = Instant::now();
    beating.held.retain(|_, held| {
        let keep = !held.is_over(now) && !held.ran_out(now);
        if !keep {
            held.cancel.cancel();
        }
        keep
    });
    let old = |held: &&Held| now.saturating_duration_since(held.renewed) >= pause_of(&held.lease);
    beating
        .held
        .values()
        .filter(old)
        .map(|held| held.lease.clone())
        .collect()
}

pub(crate) fn renew(heart: &Heart, broker: &dyn Broker, counters: &Counters, due: &[Arc<Lease>]) {
    let asked = Instant::now();
    let leases: Vec<&Lease> = due.iter().map(|lease| &**lease).collect();
    let Ok(beats) = broker.renew(&leases) else {
        for lease in &leases {
            counters.count(lease.record.lane, &lease.record.kind, |counts| {
                counts.renewals_failed += 1
            });
        }
        return;
    };
    let mut beating = heart.lock();
    for (lease, beat) in leases.iter().zip(beats) {
        let holder = lease.record.holder;
        let Some(held) = beating.held.get_mut(&holder) else {
            continue;
        };
        match beat {
            Beat::Held | Beat::Cancelled => held.renewed = asked,
            Beat::Stale => {}
        }
        match beat {
            Beat::Held => counters.count(lease.record.lane, &lease.record.kind, |counts| {
                counts.renewed += 1
            }),
            Beat::Cancelled => held.cancel.cancel(),
            Beat::Stale => {
                held.cancel.cancel();
                beating.held.remove(&holder);
            }
        }
    }
}

//! The recorder: whether a recording is on, and the recorders and tables of all desks.

use super::child;
use super::clock;
use super::event::Kind;
use super::event_ring::EventRing;
use super::row::Row;
use super::rows::Rows;
use super::track::{Identity, Track};
use crate::sync::{Arc, AtomicU64, AtomicUsize, Mutex, OnceLock, Ordering, lock};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::thread;
use std::time::{Duration, Instant};

/// How many recordings are under way.
static ARMED: AtomicUsize = AtomicUsize::new(0);
/// The recorders that exist, also those of pools that are gone.
static RECORDERS: Mutex<Vec<Arc<DeskRecorder>>> = Mutex::new(Vec::new());
/// The names of regions, by number.
static REGIONS: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());
/// For threads without a desk; the lock is held while one writes.
static OUTSIDE: Mutex<Option<Arc<DeskRecorder>>> = Mutex::new(None);

/// Slots of a ring, at most and at least; and how many bytes all rings have together, at most.
const SLOTS: [usize; 2] = [1 << 18, 1 << 10];
const ALL: usize = 64 << 20;
/// How many slots an event takes, at most.
const SLOTS_OF_AN_EVENT: u64 = 2;

/// How many workers the largest pool had.
static WORKERS: AtomicUsize = AtomicUsize::new(0);

/// Whether anything is recorded.
#[inline]
pub(crate) fn is_armed() -> bool {
    // What a parent process recorded ends at the fork: its threads may have held any of the locks below.
    ARMED.load(Ordering::Relaxed) != 0 && !child::is_child()
}

/// How many recorders are kept of desks that are gone. What older ones counted is added up in [`GONE`], and their events are lost.
const DEAD: usize = 64;
static GONE: Mutex<SiteCounts> = Mutex::new(SiteCounts {
    rows: BTreeMap::new(),
    left_out: 0,
    lost: 0,
});

/// What records at one desk: its events, newest last, and the counts of the call sites that ran there.
pub(crate) struct DeskRecorder {
    pub(crate) of: Identity,
    ring: EventRing,
    pub(crate) rows: Rows,
    calls: AtomicU64,
    /// Differs between all recorders there ever were.
    number: u64,
}

/// A desk's recorder, made when there is the first thing to record.
#[derive(Default)]
pub(crate) struct LazyRecorder {
    of: OnceLock<Identity>,
    recorder: OnceLock<Arc<DeskRecorder>>,
}

impl LazyRecorder {
    pub(crate) fn introduce(&self, of: Identity) {
        let workers = of.worker.map_or(0, |worker| worker as usize + 1);
        WORKERS.fetch_max(workers, Ordering::Relaxed);
        let _ = self.of.set(of);
    }

    pub(crate) fn identity(&self) -> Identity {
        self.of.get().copied().unwrap_or_default()
    }

    /// The recorder, made if need be.
    pub(crate) fn get(&self) -> &Arc<DeskRecorder> {
        self.recorder
            .get_or_init(|| DeskRecorder::make(self.identity()))
    }

    #[inline]
    pub(crate) fn note(&self, kind: Kind, number: impl FnOnce() -> u64) {
        if is_armed() {
            self.write(kind, number());
        }
    }

    #[cold]
    fn write(&self, kind: Kind, number: u64) {
        self.get().write((kind, 0), number, None);
    }
}

impl DeskRecorder {
    pub(crate) fn make(of: Identity) -> Arc<DeskRecorder> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let mut recorders = lock(&RECORDERS);
        bury(&mut recorders);
        let used: usize = recorders.iter().map(|recorder| recorder.ring.bytes()).sum();
        // As much for each as there is for the largest pool, or one with a thread for each processor, and as many guests; but always a part of what is
        // left only, so that there is something for all.
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let threads = threads.max(WORKERS.load(Ordering::Relaxed));
        let bytes = (ALL / (2 * threads)).min(ALL.saturating_sub(used) / 4);
        let slots = (bytes / size_of::<[u64; 2]>()).max(1).ilog2();
        let slots = (1 << slots).clamp(SLOTS[1], SLOTS[0]);
        let recorder = Arc::new(DeskRecorder {
            of,
            ring: EventRing::new(slots),
            rows: Rows::default(),
            calls: AtomicU64::new(0),
            number: NEXT.fetch_add(1, Ordering::Relaxed),
        });
        recorders.push(Arc::clone(&recorder));
        recorder
    }

    /// A name for a call, other than those of all calls before. Only for the thread at the desk.
    pub(crate) fn new_call(&self) -> u64 {
        super::histogram::add(&self.calls, 1);
        let count = self.calls.load(Ordering::Relaxed) & ((1 << 32) - 1);
        count | (self.of.desk & 0xFFFF) << 32 | self.of.pool << 48
    }

    /// How many slots were ever written: what changes when anything happens.
    pub(crate) fn head(&self) -> u64 {
        self.ring.head()
    }

    /// How many slots it has.
    #[cfg(test)]
    pub(crate) fn slots(&self) -> u64 {
        self.ring.slots()
    }

    /// Whether more than a quarter of the ring was written since `before`. `before` becomes now the first time, and whenever that is so.
    pub(crate) fn is_far_from(&self, before: &Cell<u64>) -> bool {
        let head = self.ring.head();
        let far = head.saturating_sub(before.get()) > self.ring.slots() / 4;
        let first = before.get() == 0;
        if first || far {
            before.set(head.max(1));
        }
        far && !first
    }

    /// Writes an event that happens now.
    pub(crate) fn write(&self, kind: (Kind, u8), number: u64, more: Option<[u64; 2]>) {
        self.write_at(clock::ticks(), kind, number, more);
    }

    /// Writes an event of a moment that is not before the last one.
    pub(crate) fn write_at(&self, now: u64, kind: (Kind, u8), number: u64, more: Option<[u64; 2]>) {
        self.ring.write(now, kind, number, more);
    }
}

/// Writes an event of a thread that is at no desk.
pub(crate) fn write_outside(kind: Kind, number: u64) {
    let mut outside = lock(&OUTSIDE);
    let recorder = outside.get_or_insert_with(|| DeskRecorder::make(Identity::default()));
    recorder.write((kind, 0), number, None);
}

/// The number of a region's name.
pub(crate) fn region(name: &'static str) -> u64 {
    let mut names = lock(&REGIONS);
    let at = names.iter().position(|&known| known == name);
    at.unwrap_or_else(|| {
        names.push(name);
        names.len() - 1
    }) as u64
}

/// The names of regions, by number.
pub(crate) fn regions() -> Vec<&'static str> {
    if child::is_child() {
        return Vec::new();
    }
    lock(&REGIONS).clone()
}

/// A moment, by three clocks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Time {
    pub(crate) ticks: u64,
    pub(crate) time: Instant,
    /// What all threads of the process have run until then, if the system tells.
    pub(crate) processor: Option<Duration>,
}

impl Time {
    pub(crate) fn now() -> Time {
        Time {
            ticks: clock::ticks(),
            time: Instant::now(),
            processor: processor_time(),
        }
    }
}

/// None where the system has no such clock; Miri does not know it.
fn processor_time() -> Option<Duration> {
    #[cfg(all(
        any(
            target_os = "linux",
            target_os = "android",
            target_vendor = "apple",
            target_os = "freebsd",
            target_os = "openbsd",
            target_os = "illumos"
        ),
        not(miri)
    ))]
    {
        let mut time = std::mem::MaybeUninit::<libc::timespec>::zeroed();
        let clock = libc::CLOCK_PROCESS_CPUTIME_ID;
        // SAFETY: the pointer is to a place for a `timespec`, which lives until the call is over.
        let told = unsafe { libc::clock_gettime(clock, time.as_mut_ptr()) };
        // SAFETY: it was zeroed, and zeros are a `timespec`: it has numbers alone.
        let time = unsafe { time.assume_init() };
        if told == 0 {
            return Some(Duration::new(time.tv_sec as u64, time.tv_nsec as u32));
        }
    }
    None
}

/// A recording that is under way until this is dropped.
pub(crate) struct Recording {
    pub(crate) since: Time,
    /// What was in the recorders before.
    before: SiteCounts,
    /// How far each recorder was written, by their numbers.
    heads: BTreeMap<u64, u64>,
}

/// What all call sites did, and what there was no room for.
#[derive(Clone, Default)]
pub(crate) struct SiteCounts {
    pub(crate) rows: BTreeMap<u32, Row>,
    /// Times at which nothing was counted, for want of room.
    pub(crate) left_out: u64,
    /// Events of desks that are gone, at least.
    pub(crate) lost: u64,
}

impl SiteCounts {
    /// Adds what was counted at a desk.
    fn add(&mut self, recorder: &DeskRecorder) {
        for (site, row) in recorder.rows.read() {
            *self.rows.entry(site).or_default() += row;
        }
        self.left_out += recorder.rows.left_out.load(Ordering::Relaxed);
    }
}

/// Drops the oldest recorders of desks that are gone, if there are many such.
fn bury(recorders: &mut Vec<Arc<DeskRecorder>>) {
    let is_dead = |recorder: &Arc<DeskRecorder>| Arc::strong_count(recorder) == 1;
    let mut dead = recorders
        .iter()
        .filter(|recorder| is_dead(recorder))
        .count();
    if dead <= DEAD {
        return;
    }
    let mut gone = lock(&GONE);
    recorders.retain(|recorder| {
        let stays = dead <= DEAD || !is_dead(recorder);
        if !stays {
            dead -= 1;
            gone.add(recorder);
            gone.lost += recorder.ring.head().div_ceil(SLOTS_OF_AN_EVENT);
        }
        stays
    });
}

impl Recording {
    /// Begins one; `prepare` makes the recorders of all desks there are.
    pub(crate) fn begin(prepare: impl FnOnce()) -> Recording {
        if child::is_child() {
            // Nothing is recorded here, and any lock may be held for ever.
            ARMED.fetch_add(1, Ordering::Relaxed);
            return Recording {
                since: Time::now(),
                before: SiteCounts::default(),
                heads: BTreeMap::new(),
            };
        }
        // Before anything is timed, and before the first lock, because it sees to it that child processes know what they are.
        let is_first = ARMED.fetch_add(1, Ordering::Relaxed) == 0;
        prepare();
        // Tracks whose pool is gone are thrown away, if no reader has them.
        if is_first {
            lock(&RECORDERS).retain(|recorder| Arc::strong_count(recorder) > 1);
        }
        let heads = lock(&RECORDERS)
            .iter()
            .map(|recorder| (recorder.number, recorder.ring.head()))
            .collect();
        Recording {
            before: counted(),
            heads,
            since: Time::now(),
        }
    }

    /// What was recorded so far: for each desk its events, and how many were lost, at least; and what the call sites did.
    pub(crate) fn read(&self, until: u64) -> (Vec<Track>, SiteCounts) {
        if child::is_child() {
            return (Vec::new(), SiteCounts::default());
        }
        let recorders = lock(&RECORDERS).clone();
        let mut tracks: Vec<_> = recorders
            .iter()
            .map(|recorder| {
                let skipped = self.heads.get(&recorder.number).copied().unwrap_or(0);
                let (events, slots) = recorder.ring.read_after(skipped, self.since.ticks, until);
                Track {
                    of: recorder.of,
                    events,
                    lost: slots.div_ceil(SLOTS_OF_AN_EVENT),
                }
            })
            .filter(|track| !track.events.is_empty() || track.lost > 0)
            .collect();
        tracks.sort_by_key(|track| track.of);
        let mut all = counted();
        for (site, row) in &mut all.rows {
            if let Some(before) = self.before.rows.get(site) {
                *row -= *before;
            }
        }
        all.rows
            .retain(|_, row| row.0.iter().any(|&count| count != 0));
        all.left_out = all.left_out.saturating_sub(self.before.left_out);
        all.lost = all.lost.saturating_sub(self.before.lost);
        (tracks, all)
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        ARMED.fetch_sub(1, Ordering::Relaxed);
    }
}

/// All that was counted, over all desks.
fn counted() -> SiteCounts {
    let recorders = lock(&RECORDERS);
    let mut all = lock(&GONE).clone();
    recorders.iter().for_each(|recorder| all.add(recorder));
    all
}

#[cfg(all(test, unix, not(any(filch_loom, filch_shuttle))))]
mod tests;

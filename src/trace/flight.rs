//! The flight recorder: it records all the time, keeps the newest events, and writes them when something goes wrong.

use super::file::{check, save};
use super::recording::Trace;
use super::watchdog::Watchdog;
use super::whereabouts::Whereabouts;
use crate::core::desk_here;
use crate::core::pools;
use crate::core::recorder::Recording;
use crate::core::{is_child, say};
use std::error::Error;
use std::fmt;
use std::panic::{self, PanicHookInfo};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::time::Duration;

/// Whether there is one.
static FLYING: AtomicBool = AtomicBool::new(false);
/// What to write at a panic: of which recording, how much of it, and where.
type AtPanic = Option<(Arc<Recording>, Options, PathBuf)>;
static AT_PANIC: Mutex<AtPanic> = Mutex::new(None);

/// A recorder that runs all the time, and keeps the newest events of each thread. Older events are overwritten.
///
/// It ends when it is dropped. It costs as much time as a [recording](super::record), and at most 64 MiB of memory. A process has one at a time.
///
/// ```
/// use filch::prelude::*;
/// use filch::trace::{Flight, Options};
/// let flight = Flight::start(Options::default())?;
/// (0..100_000u32).into_par_iter().for_each(|i| drop(std::hint::black_box(i.to_string())));
/// println!("{}", flight.snapshot().explain());
/// # Ok::<(), filch::trace::Busy>(())
/// ```
#[doc(alias("flight_recorder", "black_box"))]
#[must_use = "a flight recorder ends when it is dropped"]
pub struct Flight {
    recording: Arc<Recording>,
    options: Options,
    // Before the recording ends, so that a dump that is being written is whole.
    watchdog: Option<Watchdog>,
}

/// Options of a [`Flight`] recorder.
///
/// ```
/// use std::time::Duration;
/// let options = filch::trace::Options::default().last(Duration::from_secs(10));
/// assert_eq!(options, options.clone());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    last: Option<Duration>,
}

impl Options {
    /// Limits snapshots to the last stretch of time of this length. Without this they have all events that were kept. The counts of call
    /// sites are those since the start in any case.
    ///
    /// ```
    /// use filch::trace::{Flight, Options};
    /// use std::time::Duration;
    /// let flight = Flight::start(Options::default().last(Duration::from_millis(1)))?;
    /// std::thread::sleep(Duration::from_millis(5));
    /// assert!(flight.snapshot().elapsed() <= Duration::from_millis(2));
    /// # Ok::<(), filch::trace::Busy>(())
    /// ```
    pub fn last(self, time: Duration) -> Options {
        Options { last: Some(time) }
    }

    /// The end of a recording, as far as it is asked for.
    fn cut(&self, trace: Trace) -> Trace {
        match self.last {
            Some(last) => trace.cut_to_last(last),
            None => trace,
        }
    }
}

/// There is a flight recorder already, and a process has one at a time.
///
/// ```
/// use filch::trace::{Flight, Options};
/// let first = Flight::start(Options::default())?;
/// let second = Flight::start(Options::default()).unwrap_err();
/// assert_eq!(second.to_string(), "filch: there is a flight recorder already; drop it before another one is started");
/// # drop(first);
/// # Ok::<(), filch::trace::Busy>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Busy;

impl fmt::Display for Busy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "filch: there is a flight recorder already; drop it before another one is started",
        )
    }
}

impl Error for Busy {}

impl Flight {
    /// Starts to record, in all pools of the process.
    ///
    /// ```
    /// use filch::trace::{Flight, Options};
    /// let flight = Flight::start(Options::default())?;
    /// drop(flight);
    /// assert!(Flight::start(Options::default()).is_ok());
    /// # Ok::<(), filch::trace::Busy>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is another one already. That includes a child process whose parent had one at the fork. (A child process of a program with
    /// pools records nothing.)
    pub fn start(options: Options) -> Result<Flight, Busy> {
        if FLYING.swap(true, Ordering::Acquire) {
            return Err(Busy);
        }
        Ok(Flight {
            recording: Arc::new(Recording::begin(pools::make_recorders)),
            options,
            watchdog: None,
        })
    }

    /// What was kept so far. The recorder goes on.
    ///
    /// [`Trace::lost`] then counts what was overwritten since the start.
    ///
    /// ```
    /// use filch::trace::{Flight, Options};
    /// let flight = Flight::start(Options::default())?;
    /// let [first, second] = [(); 2].map(|()| flight.snapshot());
    /// assert!(first.elapsed() <= second.elapsed());
    /// # Ok::<(), filch::trace::Busy>(())
    /// ```
    pub fn snapshot(&self) -> Trace {
        self.options.cut(Trace::of(&self.recording))
    }

    /// At the first panic, in whatever thread, writes what was kept to a file: a page if its name ends in `.html`, for Perfetto if in `.json`, for
    /// [`Trace::read_raw`] if in `.filch`, text if in `.txt`. Page and text begin with where each thread was, and with the thread that panicked.
    ///
    /// It sets a panic hook, once in the process, which first calls the one before. A line on standard error says what was written, or that
    /// the file cannot be written. A panic that is [resumed](std::panic::resume_unwind) calls no hook.
    ///
    /// ```no_run
    /// use filch::trace::{Flight, Options};
    /// let _flight = Flight::start(Options::default())?.on_panic("panic.html");
    /// # Ok::<(), filch::trace::Busy>(())
    /// ```
    ///
    /// # Panics
    ///
    /// When called by a thread that is panicking, as std's [`set_hook`](std::panic::set_hook).
    pub fn on_panic(self, path: impl Into<PathBuf>) -> Flight {
        let path = path.into();
        if is_child() {
            // Nothing is recorded here, and any lock may be held for ever.
            return self;
        }
        match check(&path) {
            Ok(()) => {
                static HOOK: Once = Once::new();
                // A panicking thread sets no hook; the next one may.
                HOOK.call_once_force(|_| {
                    let before = panic::take_hook();
                    panic::set_hook(Box::new(move |info| {
                        before(info);
                        write_at_panic(info);
                    }));
                });
                *at_panic() = Some((Arc::clone(&self.recording), self.options.clone(), path));
            }
            Err(why) => say(&format!("filch: on_panic: {why}, so no panic is recorded")),
        }
        self
    }

    /// Writes what was kept, as [`on_panic`](Flight::on_panic) does, when no thread has moved on for `stall`: once for each time that this happens.
    ///
    /// A separate thread looks at all pools a few times in `stall`. It writes to standard error and to the file which thread in which loop
    /// is to blame, and one of these reasons:
    ///
    /// - a thread in a loop, or one that others wait for, makes no progress: an item takes long, or is blocked, perhaps by a lock that is
    ///   held across a parallel call;
    /// - all threads that have work wait for each other;
    /// - there is work, threads sleep, and none looks for the work: that would be a bug of filch, please report it.
    ///
    /// It cannot distinguish a long item from one that is blocked. So choose a `stall` that is longer than any item, and at least a millisecond.
    ///
    /// ```no_run
    /// use filch::trace::{Flight, Options};
    /// use std::time::Duration;
    /// let _flight = Flight::start(Options::default())?.watchdog(Duration::from_secs(30), "stuck.html");
    /// # Ok::<(), filch::trace::Busy>(())
    /// ```
    pub fn watchdog(mut self, stall: Duration, path: impl Into<PathBuf>) -> Flight {
        let path = path.into();
        let begun = check(&path).and_then(|()| {
            // Not two at a time.
            self.watchdog = None;
            let options = self.options.clone();
            let dump = move |trace: Trace, report: &str| {
                save(&options.cut(trace), &path, Some(report)).map(|()| path.display().to_string())
            };
            Watchdog::start(Arc::clone(&self.recording), stall, Box::new(dump))
        });
        match begun {
            Ok(watchdog) => self.watchdog = Some(watchdog),
            Err(why) => say(&format!("filch: watchdog: {why}, so nothing is watched")),
        }
        self
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        if is_child() {
            return;
        }
        self.watchdog = None;
        *at_panic() = None;
        FLYING.store(false, Ordering::Release);
    }
}

impl fmt::Debug for Flight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut flight = f.debug_struct("Flight");
        flight.field("options", &self.options);
        flight.field("watched", &self.watchdog.is_some());
        flight.finish_non_exhaustive()
    }
}

fn at_panic() -> MutexGuard<'static, AtPanic> {
    AT_PANIC.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The hook: it must not panic, for that would end the process.
fn write_at_panic(info: &PanicHookInfo<'_>) {
    if is_child() {
        return;
    }
    let Some((recording, options, path)) = at_panic().take() else {
        return;
    };
    let trace = Trace::of(&recording);
    let whereabouts = Whereabouts::of(&trace);
    let of = desk_here();
    let place = match of.and_then(|of| whereabouts.track(of)) {
        Some(track) => whereabouts.place(track),
        None => "no pool's work".into(),
    };
    let name = match of {
        Some(of) => whereabouts.name(of),
        None => format!(
            "thread {}",
            std::thread::current().name().unwrap_or("without a name")
        ),
    };
    let report = format!("{name} panicked in {place}\n{info}\n{}", whereabouts.all());
    drop(whereabouts);
    match save(&options.cut(trace), &path, Some(&report)) {
        Ok(()) => say(&format!(
            "filch: {name} panicked in {place}; what the threads did before is in {}",
            path.display()
        )),
        Err(why) => say(&format!("filch: {name} panicked in {place}; {why}")),
    }
}

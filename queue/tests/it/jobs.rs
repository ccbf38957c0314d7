//! Jobs that tests run.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use filch_queue::{Backoff, Cx, Fail, Job, Opts};
use serde::{Deserialize, Serialize};

/// Options without pauses.
pub fn opts() -> Opts {
    Opts {
        backoff: Backoff::NONE,
        ..Opts::default()
    }
}

/// Gives its square.
#[derive(Serialize, Deserialize)]
pub struct Square(pub u64);

impl Job for Square {
    const KIND: &'static str = "square/1";
    type Out = u64;
    fn run(&self, _: &Cx) -> Result<u64, Fail> {
        Ok(self.0 * self.0)
    }
}

/// Same kind as `Square`, another layout.
#[derive(Serialize, Deserialize)]
pub struct Impostor(pub String, pub String);

impl Job for Impostor {
    const KIND: &'static str = "square/1";
    type Out = u64;
    fn run(&self, _: &Cx) -> Result<u64, Fail> {
        unreachable!("no worker has its code")
    }
}

/// Fails or panics until an attempt, then tells its number.
#[derive(Serialize, Deserialize)]
pub struct Stubborn {
    pub until: u32,
    pub panics: bool,
}

impl Job for Stubborn {
    const KIND: &'static str = "stubborn/1";
    type Out = u32;
    fn run(&self, cx: &Cx) -> Result<u32, Fail> {
        if cx.attempt() >= self.until {
            return Ok(cx.attempt());
        }
        if self.panics {
            // Skips the hook, which would print a backtrace.
            std::panic::resume_unwind(Box::new("planned"));
        }
        Err(Fail::Retry("planned".into()))
    }
}

/// A file that jobs wait for, so that a test and not the speed of the machine says what comes first.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Gate(PathBuf);

impl Gate {
    pub fn new(directory: &Path, name: &str) -> Self {
        Gate(directory.join(name))
    }

    pub fn open(&self) {
        std::fs::write(&self.0, "").unwrap();
    }

    pub fn is_open(&self) -> bool {
        self.0.exists()
    }

    /// Waits until it is open, or until there is another reason to go on.
    pub fn wait(&self, or: impl Fn() -> bool) {
        while !self.is_open() && !or() {
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// Works until a gate opens; tells the attempt.
#[derive(Serialize, Deserialize)]
pub struct Patient {
    pub gate: Gate,
    /// Looks at its token. Without that it goes on to the end.
    pub polite: bool,
    /// The first attempt that does not wait, unless it is in a child process.
    pub through: u32,
}

/// How many `Patient` jobs began in this process.
pub static PATIENTS: AtomicU32 = AtomicU32::new(0);

impl Job for Patient {
    const KIND: &'static str = "patient/1";
    type Out = u32;
    fn run(&self, cx: &Cx) -> Result<u32, Fail> {
        PATIENTS.fetch_add(1, Ordering::Relaxed);
        if cx.attempt() < self.through || super::children::is_child() {
            let told = || self.polite && cx.cancel().is_cancelled();
            self.gate.wait(told);
            if told() {
                return Err(Fail::Retry("told to stop".into()));
            }
        }
        Ok(cx.attempt())
    }
}

/// Gives so many bytes.
#[derive(Serialize, Deserialize)]
pub struct Large(pub usize);

impl Job for Large {
    const KIND: &'static str = "large/1";
    type Out = Vec<u8>;
    fn run(&self, _: &Cx) -> Result<Vec<u8>, Fail> {
        Ok((0..self.0).map(|i| i as u8).collect())
    }
}

/// Works in steps, leaves a checkpoint after each, and writes each step into a file of its attempt: what a storm may hit anywhere.
#[derive(Serialize, Deserialize)]
pub struct Marked {
    pub number: u64,
    pub steps: u32,
    pub ledger: PathBuf,
    pub hold: Hold,
}

#[derive(Serialize, Deserialize)]
pub enum Hold {
    Nothing,
    /// No attempt gives the result before this is open.
    Gate(Gate),
    /// After its first step it waits for ever, unless it goes on at a checkpoint: an attempt that began at the start has to be lost.
    Loss,
}

/// Number squared, the fence of the attempt that gave it, and the step at which that attempt began.
pub type Marks = (u64, u64, u32);

impl Job for Marked {
    const KIND: &'static str = "marked/1";
    type Out = Marks;
    fn run(&self, cx: &Cx) -> Result<Marks, Fail> {
        // A fence is given out once: the file must not be there.
        let name = format!("{}.{}", self.number, cx.fence());
        std::fs::File::create_new(self.ledger.join(name))
            .map_err(|error| Fail::Dead(format!("a fence came twice: {error}")))?;
        let from = cx
            .resume()
            .map_or(0, |bytes| u32::from_le_bytes(bytes.try_into().unwrap()));
        let lost = || cx.cancel().is_cancelled();
        for step in from..self.steps {
            std::thread::sleep(Duration::from_millis(3));
            cx.emit(&step.to_le_bytes())?;
            cx.checkpoint(&(step + 1).to_le_bytes())?;
            if let (0, Hold::Loss) = (step, &self.hold) {
                while !lost() {
                    std::thread::sleep(Duration::from_millis(2));
                }
            }
        }
        if let Hold::Gate(gate) = &self.hold {
            gate.wait(lost);
            if lost() {
                return Err(Fail::Retry("told to stop".into()));
            }
        }
        Ok((self.number * self.number, cx.fence(), from))
    }
}

/// Counts how often each of its bundles was computed, by files; fails once, after some of them.
#[derive(Serialize, Deserialize)]
pub struct Bundled {
    pub items: Vec<u32>,
    pub each: usize,
    pub directory: PathBuf,
}

impl Job for Bundled {
    const KIND: &'static str = "bundled/1";
    type Out = Vec<filch_queue::Blob>;
    fn run(&self, cx: &Cx) -> Result<Self::Out, Fail> {
        let square = |items: &[u32]| {
            let name = format!("{}.{:x}", items[0], cx.fence());
            std::fs::write(self.directory.join(name), "").unwrap();
            items.iter().flat_map(|n| (n * n).to_le_bytes()).collect()
        };
        if cx.attempt() == 1 {
            let half = self.items.len() / 2 / self.each * self.each;
            cx.bundles(&self.items[..half], self.each, square)?;
            return Err(Fail::Retry("planned".into()));
        }
        Ok(cx.bundles(&self.items, self.each, square)?)
    }
}

//! Ends the process if a run does not end.

use std::process::exit;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// No run takes so long, also on a machine that has much else to do.
const PATIENCE: Duration = Duration::from_secs(60);

/// The exit code of a program that hung.
pub const HUNG: i32 = 86;

/// What runs at present, and since when.
type Present = Mutex<Option<(String, Instant)>>;

/// Watches one run after the other.
pub struct Watch(Arc<Present>);

impl Watch {
    /// Begins to watch.
    pub fn start() -> Watch {
        let present: Arc<Present> = Arc::default();
        let watched = present.clone();
        thread::spawn(move || {
            loop {
                thread::sleep(Duration::from_secs(1));
                if let Some((run, since)) = &*lock(&watched)
                    && since.elapsed() > PATIENCE
                {
                    println!("hung {run}");
                    exit(HUNG);
                }
            }
        });
        Watch(present)
    }

    /// A run begins, and the one before has ended.
    pub fn begin(&self, run: String) {
        *lock(&self.0) = Some((run, Instant::now()));
    }

    /// Nothing runs any more.
    pub fn stop(&self) {
        *lock(&self.0) = None;
    }
}

fn lock(present: &Present) -> MutexGuard<'_, Option<(String, Instant)>> {
    present.lock().unwrap_or_else(PoisonError::into_inner)
}

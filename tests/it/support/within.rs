//! A watchdog for what could hang.

use std::panic::{Location, resume_unwind};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// Limits are there to end what hangs, and are meant for a quiet machine: a busy one has so many
/// times as long.
pub const BUSY: u32 = 4;

/// Runs `body` on a thread of its own and gives its result, or panics with the test's name when
/// [`BUSY`] times so many seconds are over; the thread is then left behind.
#[track_caller]
pub fn within<R: Send + 'static>(seconds: u64, body: impl FnOnce() -> R + Send + 'static) -> R {
    let (result, receiver) = mpsc::channel();
    let limit = BUSY * Duration::from_secs(seconds);
    watch(limit, Box::new(move || _ = result.send(body())));
    receiver.recv().expect("the body is done")
}

/// The same for one type, so that the machinery behind it is not compiled for each test.
#[track_caller]
fn watch(limit: Duration, body: Box<dyn FnOnce() + Send>) {
    let caller = Location::caller();
    let name = thread::current().name().unwrap_or("test").to_owned();
    let (done, end) = mpsc::channel();
    let runner = thread::Builder::new().name(name.clone()).spawn(move || {
        body();
        let _ = done.send(());
    });
    let runner = runner.expect("a thread for the test");
    match end.recv_timeout(limit) {
        Ok(()) => runner.join().expect("nothing after the body can panic"),
        Err(RecvTimeoutError::Timeout) => {
            panic!("{name} ({caller}) was not done after {limit:?}")
        }
        Err(RecvTimeoutError::Disconnected) => {
            resume_unwind(runner.join().expect_err("no end, so a panic"))
        }
    }
}

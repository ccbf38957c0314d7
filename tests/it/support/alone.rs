//! Tests that need a process of their own: a fresh global pool of a chosen size, and no other test
//! in it.

use super::within::{BUSY, within};
use std::env;
use std::io::Read;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Set in a child process, to the name of the test that it was started for.
const CHILD: &str = "FILCH_TEST_ALONE";

/// Runs this test binary once more for the calling test only, with a global pool of `threads`,
/// and there runs `body` on a thread outside that pool. What the child prints is shown if it fails.
///
/// The child ends when `body` does, with a pool that `body` has to itself. `body` must be a closure
/// that stands in the test, because the test's name is taken from it.
pub fn alone<F: FnOnce() + Send + 'static>(threads: usize, seconds: u64, body: F) {
    let test = name_of::<F>();
    if env::var_os(CHILD).is_some_and(|name| name == test) {
        within(seconds, body);
        std::process::exit(0);
    }
    if cfg!(miri) {
        eprintln!("skipped: {test}: Miri starts no processes");
        return;
    }
    let threads = threads.to_string();
    let mut child = Command::new(env::current_exe().expect("the path of the test binary"))
        .args([test, "--exact", "--nocapture"])
        .env(CHILD, test)
        .env("FILCH_NUM_THREADS", &threads)
        .env("RAYON_NUM_THREADS", &threads)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a process for the test");
    let mut pipe = child.stderr.take().expect("a pipe");
    let errors = thread::spawn(move || {
        let mut errors = String::new();
        let _ = pipe.read_to_string(&mut errors);
        errors
    });
    let end = Instant::now() + BUSY * Duration::from_secs(seconds + 10);
    let status = loop {
        if let Some(status) = child.try_wait().expect("the state of the child") {
            break status;
        }
        if Instant::now() > end {
            child.kill().expect("an end for the child");
            child.wait().expect("the state of the child");
            panic!("{test}: the child process did not end");
        }
        thread::sleep(Duration::from_millis(2));
    };
    assert!(
        status.success(),
        "{test}: the child process failed: {status}\n{}",
        errors.join().unwrap_or_default()
    );
}

/// The path of the test that wrote the closure, as the test harness knows it.
fn name_of<F>() -> &'static str {
    let path = std::any::type_name::<F>();
    let path = path.strip_suffix("::{{closure}}").expect("a closure");
    path.split_once("::").expect("a closure in a module").1
}

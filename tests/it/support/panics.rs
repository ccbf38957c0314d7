//! Panics on purpose, and what is told of the others.
//!
//! The test harness keeps what a thread prints for the test that the thread was started in. Threads of the pools that all tests share were started
//! in some other test, so what they print would be lost. Their panics are noted here, and printed where they come out.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo, catch_unwind, resume_unwind};
use std::sync::{Mutex, Once, PoisonError};
use std::thread;

/// The payload of a panic on purpose, with a number to know it by.
#[derive(Debug, PartialEq)]
pub struct Planted(pub usize);

/// Panics with this number. It skips the panic hook, so a passing test prints nothing.
pub fn planted(id: usize) -> ! {
    resume_unwind(Box::new(Planted(id)))
}

/// Runs `f`, and gives the number of the panic that came out of it. Any other panic travels on.
pub fn caught<R>(f: impl FnOnce() -> R) -> Result<R, usize> {
    catch_unwind(AssertUnwindSafe(f)).map_err(|payload| match payload.downcast::<Planted>() {
        Ok(planted) => planted.0,
        Err(other) => resume_unwind(other),
    })
}

thread_local! {
    /// Whether the panics of this thread are not to be printed.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Runs `f`, and gives its result or its panic. A panic on this thread is not printed: to find out where it happened takes milliseconds if
/// `RUST_BACKTRACE` is set. Not on a thread of a pool, which may run jobs of other tests meanwhile.
pub fn quietly<R>(f: impl FnOnce() -> R) -> thread::Result<R> {
    assert_eq!(filch::current_thread_index(), None);
    hook_panics();
    let before = QUIET.replace(true);
    let outcome = catch_unwind(AssertUnwindSafe(f));
    QUIET.set(before);
    outcome
}

/// What a call panics with, as a text.
#[track_caller]
pub fn message<R>(call: impl FnOnce() -> R) -> String {
    let payload = quietly(call).err().expect("bad input is told");
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => payload.downcast::<&str>().expect("a text").to_string(),
    }
}

/// The last panics on threads of pools, whatever tests they belong to.
static NOTED: Mutex<Vec<String>> = Mutex::new(Vec::new());
/// How many are kept.
const MOST: usize = 8;

/// Has panics on threads of pools noted from now on, and none printed that is expected.
pub fn hook_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if QUIET.get() {
                return;
            }
            if filch::current_thread_index().is_some() {
                note(info);
            }
            before(info);
        }));
    });
}

fn note(info: &PanicHookInfo) {
    let mut noted = NOTED.lock().unwrap_or_else(PoisonError::into_inner);
    if noted.len() == MOST {
        noted.remove(0);
    }
    noted.push(info.to_string());
}

/// Prints the panics that were noted, if it is dropped because of one.
pub struct Tells;

impl Drop for Tells {
    fn drop(&mut self) {
        if thread::panicking() {
            eprint!("{}", told());
        }
    }
}

/// What is printed of the panics that were noted.
fn told() -> String {
    let noted = NOTED.lock().unwrap_or_else(PoisonError::into_inner);
    let lines = noted.iter().map(|panic| format!("  {panic}\n"));
    ["the last panics on threads of pools:\n".to_owned()]
        .into_iter()
        .chain(lines)
        .collect()
}

#[test]
fn a_panic_on_a_thread_of_a_shared_pool_is_told() {
    super::Place::Pool(2).run(|| ());
    let first = || super::Place::Pool(2).run(|| -> () { panic!("told of {}", "seven") });
    assert!(catch_unwind(first).is_err());
    assert!(
        told().contains("told of seven") && told().contains(file!()),
        "{}",
        told()
    );
    assert_eq!(
        caught(|| super::Place::Pool(2).run(|| planted(3))),
        Err::<(), _>(3)
    );
}

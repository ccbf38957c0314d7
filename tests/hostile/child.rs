//! A process for a test, and what became of it.

use std::env;
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, RwLock};
use std::thread;
use std::time::{Duration, Instant};

/// Set in a child process, to the name of the test that it was started for.
const CHILD: &str = "FILCH_TEST_CHILD";
/// How long a child may take: it is stuck if it takes longer, however slow and busy the machine is.
const LIMIT: Duration = Duration::from_secs(300);

/// Set in a child that became another user: it ends without std's cleanup. To change the user, the C library interrupts all threads; std frees the
/// main thread's signal stack at the end, and then that thread may still be on it.
pub static HAS_OTHER_USER: AtomicBool = AtomicBool::new(false);

/// Shared by children that do not mind others beside them.
static COMPANY: RwLock<()> = RwLock::new(());

/// How a child ended.
#[derive(Debug)]
pub struct End {
    test: &'static str,
    pub status: ExitStatus,
    /// What it wrote to standard error.
    pub errors: String,
}

impl End {
    /// It ran to its end, or says why it could not be run here.
    #[track_caller]
    pub fn is_well(&self) {
        assert!(self.status.success(), "{self:?}");
        for line in self.errors.lines() {
            if let Some(why) = line.strip_prefix(SKIPPED) {
                skipped(self.test, why);
            }
        }
    }

    /// It ended itself with SIGABRT, and said `why`.
    #[track_caller]
    pub fn is_abort(&self, why: &str) {
        assert_eq!(self.status.signal(), Some(libc::SIGABRT), "{self:?}");
        assert!(self.errors.contains(why), "{self:?}");
    }
}

/// What begins the line in which a child says why it could not be run here.
pub const SKIPPED: &str = "skipped: ";

/// Says that a test did not run what it is for. Not by a macro: the test harness keeps what those print to itself when the test passes.
pub fn skipped(test: &str, why: &str) {
    let line = format!("{test} skipped: {why}\n");
    let _ = std::io::stderr().write_all(line.as_bytes());
}

/// Whether this process is the child of a test.
pub fn is_child() -> bool {
    env::var_os(CHILD).is_some()
}

/// Runs this test binary once more for the calling test only, and there `body`, with a global pool of `threads`.
///
/// `body` must be a closure that stands in the test, because the test's name is taken from it; so a test has one child.
#[track_caller]
pub fn child<F: FnOnce() + Send + 'static>(threads: usize, body: F) -> End {
    child_after(threads, || Ok(()), body)
}

/// The same, while none of this binary's other children runs.
#[track_caller]
pub fn child_alone<F: FnOnce() + Send + 'static>(threads: usize, body: F) -> End {
    let _alone = COMPANY.write().unwrap_or_else(|e| e.into_inner());
    run(threads, || Ok(()), body)
}

/// [`child`]; `prepare` runs in the child before the program does, so it may only make system calls.
#[track_caller]
pub fn child_after<F: FnOnce() + Send + 'static>(
    threads: usize,
    prepare: impl FnMut() -> std::io::Result<()> + Send + Sync + 'static,
    body: F,
) -> End {
    let _company = COMPANY.read().unwrap_or_else(|e| e.into_inner());
    run(threads, prepare, body)
}

#[track_caller]
fn run<F: FnOnce() + Send + 'static>(
    threads: usize,
    prepare: impl FnMut() -> std::io::Result<()> + Send + Sync + 'static,
    body: F,
) -> End {
    let test = name_of::<F>();
    if env::var_os(CHILD).is_some_and(|name| name == test) {
        body();
        if HAS_OTHER_USER.load(Relaxed) {
            // SAFETY: nothing of this process is wanted any more.
            unsafe { libc::_exit(0) };
        }
        std::process::exit(0);
    }
    // A second child would run the first one's body: it knows itself by the name only.
    static SEEN: Mutex<Vec<&str>> = Mutex::new(Vec::new());
    let mut seen = SEEN.lock().unwrap_or_else(|e| e.into_inner());
    assert!(!seen.contains(&test), "{test} has a child already");
    seen.push(test);
    drop(seen);
    let log = env::temp_dir().join(format!(
        "filch-{}-{}",
        std::process::id(),
        test.replace(':', "-")
    ));
    let mut errors = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(true)
        .open(&log)
        .expect("a file for the child's words");
    let mut command = Command::new(env::current_exe().expect("the path of the test binary"));
    command
        .args([test, "--exact", "--nocapture", "--test-threads=1"])
        .env(CHILD, test)
        .env("FILCH_NUM_THREADS", threads.to_string())
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(errors.try_clone().expect("a second handle"));
    // SAFETY: by this function's contract `prepare` only makes system calls, which is what may be done between fork and exec.
    unsafe { command.pre_exec(prepare) };
    let mut child = command.spawn().expect("a process for the test");
    let end = Instant::now() + LIMIT;
    let status = loop {
        if let Some(status) = child.try_wait().expect("the state of the child") {
            break status;
        }
        if Instant::now() > end {
            child.kill().expect("an end for the child");
            child.wait().expect("the state of the child");
            panic!("{test}: not done after {LIMIT:?}");
        }
        thread::sleep(Duration::from_millis(2));
    };
    let mut said = String::new();
    errors.rewind().expect("the beginning of the log");
    errors
        .read_to_string(&mut said)
        .expect("what the child said");
    let _ = std::fs::remove_file(log);
    End {
        test,
        status,
        errors: said,
    }
}

/// The path of the test that wrote the closure, as the test harness knows it.
fn name_of<F>() -> &'static str {
    let path = std::any::type_name::<F>();
    let path = path.strip_suffix("::{{closure}}").expect("a closure");
    path.split_once("::").expect("a closure in a module").1
}

/// A file for a test and its child, which both know.
pub fn file(name: &str) -> PathBuf {
    // SAFETY: nothing can go wrong.
    let parent = || unsafe { libc::getppid() } as u32;
    let pid = if is_child() {
        parent()
    } else {
        std::process::id()
    };
    env::temp_dir().join(format!("filch-{pid}-{name}"))
}

/// Enough of everything to notice that something does not work.
pub fn work() {
    use filch::prelude::*;
    assert_eq!((0..100_000u64).into_par_iter().sum::<u64>(), 4_999_950_000);
    assert_eq!(filch::join(|| 1, || 2), (1, 2));
    let mut spawned = false;
    filch::scope(|s| s.spawn(|_| spawned = true));
    assert!(spawned);
    let mut numbers: Vec<u32> = (0..50_000).rev().collect();
    numbers.par_sort();
    assert!(numbers.is_sorted());
    let odd: Vec<u32> = numbers.into_par_iter().filter(|n| n % 2 == 1).collect();
    assert_eq!(odd.len(), 25_000);
    let threads = filch::current_num_threads();
    assert_eq!(
        filch::broadcast(|context| context.index()),
        (0..threads).collect::<Vec<_>>()
    );
}

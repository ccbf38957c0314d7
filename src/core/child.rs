//! Child processes: after `fork` there is one thread, and none of those that its parent's pools had.

use crate::sync::{AtomicU32, Ordering};

/// How many forks lie between this process and the first process that used the crate.
static FORKS: AtomicU32 = AtomicU32::new(0);

/// Differs between a process and its children. No model forks.
#[inline]
pub(crate) fn generation() -> u32 {
    if cfg!(filch_shuttle) {
        return 0;
    }
    FORKS.load(Ordering::Relaxed)
}

/// Whether this process is a child of one that used the crate.
pub(crate) fn is_child() -> bool {
    generation() != 0
}

/// This process has just begun, as a child.
#[cfg(unix)]
pub(crate) fn begin() {
    FORKS.fetch_add(1, Ordering::Relaxed);
}

/// For tests of what a process has once. In a process of its own for the test `name`: none. Else such a process is started, with more variables in its
/// environment, the test has to pass there, and what it writes on standard error is returned.
#[cfg(all(test, unix, not(any(filch_loom, filch_shuttle))))]
pub(crate) fn in_a_process(name: &str, environment: &[(&str, &str)]) -> Option<String> {
    const CHILD: &str = "FILCH_TEST_PROCESS";
    if std::env::var_os(CHILD).is_some_and(|of| of == name) {
        // SAFETY: it has no preconditions. No test waits for so long.
        unsafe { libc::alarm(60) };
        return None;
    }
    let mut child = std::process::Command::new(std::env::current_exe().unwrap());
    child.args([name, "--exact", "--nocapture", "--test-threads=1"]);
    let variables = environment.iter().copied();
    let ended = child.env(CHILD, name).envs(variables).output().unwrap();
    let [out, errors] = [ended.stdout, ended.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(
        ended.status.success() && out.contains(" 1 passed"),
        "{name}: {}\n{out}\n{errors}",
        ended.status
    );
    Some(errors)
}

//! Notices when nothing moves, and says what everybody is doing.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How long nothing may move.
const PATIENCE: Duration = Duration::from_secs(10);

/// How many programs have ended.
pub static ENDED: AtomicU64 = AtomicU64::new(0);

/// Starts the watch; it ends with the process, and the process with it, unless it is to `hold` for a debugger.
pub fn start(hold: bool, what: impl Fn() -> String + Send + 'static) {
    thread::spawn(move || {
        let (mut seen, mut since) = (ENDED.load(Ordering::Relaxed), Instant::now());
        loop {
            thread::sleep(Duration::from_millis(200));
            let ended = ENDED.load(Ordering::Relaxed);
            if ended != seen {
                (seen, since) = (ended, Instant::now());
            } else if since.elapsed() > PATIENCE {
                eprintln!("soak: nothing has moved for {PATIENCE:?}\n{}", what());
                eprintln!("counters of the global pool:\n{}", filch::stats());
                eprintln!("{}", threads());
                if hold {
                    eprintln!("process {} waits for a debugger", std::process::id());
                    thread::sleep(Duration::MAX);
                }
                std::process::abort();
            }
        }
    });
}

/// Name, state and processor time of each thread of this process, as the system tells them.
fn threads() -> String {
    let Ok(tasks) = std::fs::read_dir("/proc/self/task") else {
        return "what the threads do is not to be had here".to_owned();
    };
    let mut lines = String::from("threads (name, state, user and system time in ticks):\n");
    for task in tasks.flatten() {
        let stat = std::fs::read_to_string(task.path().join("stat")).unwrap_or_default();
        // The name is in parentheses and may hold anything, so count from its end.
        if let (Some(open), Some(close)) = (stat.find('('), stat.rfind(')')) {
            let fields: Vec<&str> = stat[close + 1..].split_whitespace().collect();
            if let [state, ..] = fields[..] {
                let times = (fields.get(11), fields.get(12));
                lines += &format!("  {} {state} {times:?}\n", &stat[open + 1..close]);
            }
        }
    }
    lines
}

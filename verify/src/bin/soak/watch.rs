//! Notices when nothing moves, and says what each thread is doing.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How long nothing may move while hardly any processor time is used: all wait for each other.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long no program may end although the threads are busy: they go round in circles, unless others have the processors.
const MORE_PATIENCE: Duration = Duration::from_secs(120);

/// How many programs have ended.
pub static ENDED: AtomicU64 = AtomicU64::new(0);

/// Starts the watch; it ends with the process, and the process with it, unless it is to `hold` for a debugger.
pub fn start(hold: bool, what: impl Fn() -> String + Send + 'static) {
    thread::spawn(move || {
        let (mut seen, mut since) = (ENDED.load(Ordering::Relaxed), Instant::now());
        let mut used = processor_time();
        loop {
            thread::sleep(Duration::from_millis(200));
            let ended = ENDED.load(Ordering::Relaxed);
            if ended != seen {
                (seen, since, used) = (ended, Instant::now(), processor_time());
                continue;
            }
            let quiet = since.elapsed();
            let is_asleep = processor_time() - used < quiet.as_secs_f64() / 10.0;
            if quiet > MORE_PATIENCE || quiet > PATIENCE && is_asleep {
                eprintln!("soak: no program has ended for {quiet:?}\n{}", what());
                eprintln!("{}", threads());
                if hold {
                    wait_for_a_debugger();
                }
                std::process::abort();
            }
        }
    });
}

/// Stands still until the process is ended from outside.
pub fn wait_for_a_debugger() {
    eprintln!("process {} waits for a debugger", std::process::id());
    thread::sleep(Duration::MAX);
}

/// The seconds of processor time that this process has used; 0 if the system does not tell.
fn processor_time() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks = fields.split_whitespace().skip(11).take(2);
    // A tick is a hundredth of a second on every Linux.
    ticks.filter_map(|n| n.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// Name, state and times of each thread of this process, as the system tells them, now and a second later: so one sees which of them run.
pub fn threads() -> String {
    let now = list();
    thread::sleep(Duration::from_secs(1));
    format!(
        "threads (user and system time in ticks, where in the kernel it waits, then runs, waits and turns):\n{now}and a second later:\n{}",
        list()
    )
}

fn list() -> String {
    let Ok(tasks) = std::fs::read_dir("/proc/self/task") else {
        return "what the threads do is not to be had here\n".to_owned();
    };
    let mut lines = String::new();
    for task in tasks.flatten() {
        let read = |file: &str| std::fs::read_to_string(task.path().join(file)).unwrap_or_default();
        let stat = read("stat");
        // The name is in parentheses and may hold anything, so count from its end.
        if let (Some(open), Some(close)) = (stat.find('('), stat.rfind(')')) {
            let fields: Vec<&str> = stat[close + 1..].split_whitespace().collect();
            if let [state, ..] = fields[..] {
                let field = |at| fields.get(at).copied().unwrap_or_default();
                let (id, name) = (stat[..open].trim(), &stat[open + 1..close]);
                let (user, system) = (field(11), field(12));
                let (place, turns) = (read("wchan"), read("schedstat"));
                let turns = turns.trim();
                lines += &format!("  {id} {name}: {state}, {user} {system}, {place}, {turns}\n");
            }
        }
    }
    lines
}

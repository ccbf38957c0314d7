//! What the kernel's scheduler knows about this process (Linux only).

use std::{fs, process};

/// Sums over threads, in nanoseconds.
#[derive(Clone, Copy, Default)]
pub struct Times {
    /// How long they ran.
    pub ran: u64,
    /// How long they could have run, but other threads had the processors.
    pub waited: u64,
}

/// The times of all threads of this process, with or without the main thread.
pub fn times(with_main: bool) -> Option<Times> {
    let main = process::id().to_string();
    let mut sum = Times::default();
    for task in fs::read_dir("/proc/self/task").ok()? {
        let task = task.ok()?;
        if !with_main && task.file_name().to_str() == Some(&main) {
            continue;
        }
        let counts = fs::read_to_string(task.path().join("schedstat")).ok()?;
        let mut counts = counts.split(' ').map(str::parse::<u64>);
        sum.ran += counts.next()?.ok()?;
        sum.waited += counts.next()?.ok()?;
    }
    Some(sum)
}

/// Runs `f` and says whether its threads had to wait for processors for so long
/// that another program must have been at work, if there are as many processors as
/// threads.
pub fn disturbed<T>(f: impl FnOnce() -> T) -> (T, bool) {
    /// The wake-ups in a batch add up to less.
    const WAKES: u64 = 150_000;
    let before = times(true);
    let result = f();
    let after = times(true);
    let (Some(before), Some(after)) = (before, after) else {
        return (result, false);
    };
    let waited = after.waited.saturating_sub(before.waited);
    let ran = after.ran.saturating_sub(before.ran);
    (result, waited > WAKES + ran / 10)
}

/// Processor time spent so far, in hundredths of a second.
pub struct Load {
    idle: u64,
    all: u64,
    own: u64,
}

impl Load {
    pub fn now() -> Option<Self> {
        let number = |field: &str| field.parse::<u64>().ok();
        let machine = fs::read_to_string("/proc/stat").ok()?;
        // user, nice, system, idle, iowait, irq, softirq, steal
        let fields = machine.lines().next()?.split_whitespace();
        let machine: Vec<_> = fields.skip(1).take(8).map_while(number).collect();
        let process = fs::read_to_string("/proc/self/stat").ok()?;
        // The 14th and 15th field, user and system; the 2nd is a name in
        // brackets that may contain spaces.
        let (_, fields) = process.rsplit_once(')')?;
        let own = fields.split_whitespace().skip(11).take(2);
        Some(Load {
            idle: machine.get(3)? + machine.get(4)?,
            all: machine.iter().sum(),
            own: own.map_while(number).sum(),
        })
    }

    /// The share of the machine that others have used since `before`.
    pub fn of_others_since(&self, before: &Load) -> f64 {
        let all = self.all.saturating_sub(before.all) as f64;
        let free = self.idle.saturating_sub(before.idle) + self.own.saturating_sub(before.own);
        ((all - free as f64) / all.max(1.0)).max(0.0)
    }
}

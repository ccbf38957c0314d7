//! filch-queue's `Local` beside apalis-sqlite, on the same file system and with the same durability: how long three worker processes take for many empty jobs,
//! and how soon an idle worker begins one.
//!
//! ```text
//! cargo run --release --manifest-path queue/rivals/Cargo.toml            # 3,000 jobs, 5 rounds
//! cargo run --release --manifest-path queue/rivals/Cargo.toml -- 1000 3  # so many jobs and rounds
//! ```
//!
//! Contenders take turns. `NORMAL` survives the kill of every process, `FULL` a loss of power too; for that, filch-queue flushes its log by itself. apalis sets `OFF` by itself, on one connection of its pool;
//! here its pool is opened anew after that, with the setting that is compared. It takes ten jobs at a time by default, and settles ten in one transaction;
//! with one at a time it does what a worker of filch-queue does.

mod apalis_side;
mod ours;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode};
use std::thread;
use std::time::{Duration, Instant};

type Failure = Box<dyn Error + Send + Sync>;

const WORKERS: usize = 3;
/// How often an idle worker looks. That is what filch-queue does; apalis is told to.
const INTERVAL: Duration = Duration::from_millis(4);

/// Which queue is measured, and how.
#[derive(Clone, Copy)]
struct Contender {
    /// Jobs that apalis takes at a time. `None` is filch-queue.
    batch: Option<usize>,
    /// Whether each commit waits for the disk.
    full: bool,
}

const CONTENDERS: [Contender; 6] = {
    const fn of(batch: Option<usize>, full: bool) -> Contender {
        Contender { batch, full }
    }
    [
        of(None, false),
        of(Some(1), false),
        of(Some(10), false),
        of(None, true),
        of(Some(1), true),
        of(Some(10), true),
    ]
};

impl Contender {
    fn name(self) -> String {
        let who = match self.batch {
            None => "filch-queue".to_owned(),
            Some(batch) => format!("apalis-sqlite, {batch} at a time"),
        };
        format!("{who}, {}", if self.full { "FULL" } else { "NORMAL" })
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("queue-rivals: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [worker, contender, file] = &words[..]
        && worker == "worker"
    {
        return work(
            CONTENDERS[contender.parse::<usize>()?],
            Path::new(file),
            None,
        );
    }
    let (jobs, rounds) = match &words[..] {
        [] => (3000, 5),
        [jobs, rounds] => (jobs.parse()?, rounds.parse()?),
        _ => return Err("usage: queue-rivals [JOBS ROUNDS]".into()),
    };
    let directory = std::env::temp_dir().join(format!("queue-rivals-{}", std::process::id()));
    std::fs::create_dir_all(&directory)?;
    let measured = measure(&directory, jobs, rounds);
    std::fs::remove_dir_all(&directory)?;
    measured
}

fn measure(directory: &Path, jobs: u64, rounds: usize) -> Result<(), Failure> {
    let mut times = vec![Vec::new(); CONTENDERS.len()];
    let mut pickups = vec![Vec::new(); CONTENDERS.len()];
    for round in 0..rounds {
        for number in 0..CONTENDERS.len() {
            let file = directory.join(format!("{round}-{number}.db"));
            times[number].push(throughput(number, &file, jobs)?);
            if round == 0 {
                let file = directory.join(format!("{number}-idle.db"));
                pickups[number] = pickup(CONTENDERS[number], &file)?;
            }
        }
    }
    println!(
        "{jobs} jobs, {WORKERS} processes, {rounds} rounds       a job: least    median   pickup: p50       p99"
    );
    for ((contender, times), pickups) in CONTENDERS.iter().zip(&mut times).zip(&mut pickups) {
        times.sort();
        pickups.sort();
        let each = |time: Duration| time / u32::try_from(jobs).unwrap_or(u32::MAX);
        println!(
            "{:<40} {:>9.1?} {:>9.1?}    {:>9.1?} {:>9.1?}",
            contender.name(),
            each(times[0]),
            each(times[times.len() / 2]),
            pickups[pickups.len() / 2],
            pickups[pickups.len() * 99 / 100],
        );
    }
    Ok(())
}

/// Until it is killed.
fn work(contender: Contender, file: &Path, interval: Option<Duration>) -> Result<(), Failure> {
    match contender.batch {
        None => ours::work(file, contender.full),
        Some(batch) => apalis_side::work(file, contender.full, batch, interval),
    }
}

/// Processes that end with it.
struct Crew(Vec<Child>);

impl Crew {
    fn new(contender: usize, file: &Path) -> Result<Self, Failure> {
        let mut crew = Crew(Vec::new());
        for _ in 0..WORKERS {
            let mut command = Command::new(std::env::current_exe()?);
            command.args(["worker", &contender.to_string()]).arg(file);
            crew.0.push(command.spawn()?);
        }
        Ok(crew)
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// From the first submit to the last job that is settled; the start of the processes is in it.
fn throughput(number: usize, file: &Path, jobs: u64) -> Result<Duration, Failure> {
    let contender = CONTENDERS[number];
    let side: Box<dyn Side> = match contender.batch {
        None => Box::new(ours::Ours::open(file, contender.full)?),
        Some(_) => Box::new(apalis_side::Theirs::open(file, contender.full)?),
    };
    let begun = Instant::now();
    side.submit(jobs)?;
    // Not before: a worker of apalis that has found nothing looks again with its next heartbeat.
    let _crew = Crew::new(number, file)?;
    while side.done()? < jobs {
        if begun.elapsed() > Duration::from_secs(300) {
            return Err(format!(
                "{} has done {} of {jobs} in 300 s",
                contender.name(),
                side.done()?
            )
            .into());
        }
        thread::sleep(Duration::from_millis(5));
    }
    Ok(begun.elapsed())
}

/// What is done to both.
trait Side {
    fn submit(&self, jobs: u64) -> Result<(), Failure>;
    /// How many are settled.
    fn done(&self) -> Result<u64, Failure>;
}

/// From the submit of a job to its first line, at an idle worker in another thread.
fn pickup(contender: Contender, file: &Path) -> Result<Vec<Duration>, Failure> {
    const TIMES: usize = 100;
    let side: Box<dyn Side> = match contender.batch {
        None => Box::new(ours::Ours::open(file, contender.full)?),
        Some(_) => Box::new(apalis_side::Theirs::open(file, contender.full)?),
    };
    let began = began::listen();
    let path: PathBuf = file.to_owned();
    // It stays, idle, until the program ends.
    thread::spawn(move || {
        work(contender, &path, Some(INTERVAL)).map_err(|error| eprintln!("queue-rivals: {error}"))
    });
    thread::sleep(Duration::from_millis(500));
    (0..TIMES)
        .map(|time| {
            thread::sleep(Duration::from_millis(15 + (time as u64 * 7) % 23));
            let submitted = Instant::now();
            side.submit(1)?;
            let began = began.recv_timeout(Duration::from_secs(60))?;
            Ok(began.duration_since(submitted))
        })
        .collect()
}

/// When jobs began: a channel from the jobs to the measurement.
mod began {
    use std::sync::Mutex;
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::time::Instant;

    static LISTENER: Mutex<Option<Sender<Instant>>> = Mutex::new(None);

    pub fn listen() -> Receiver<Instant> {
        let (sender, receiver) = channel();
        *LISTENER.lock().unwrap() = Some(sender);
        receiver
    }

    pub fn tell() {
        if let Some(sender) = &*LISTENER.lock().unwrap() {
            let _ = sender.send(Instant::now());
        }
    }
}

//! Runs a target without cargo-fuzz: on files, and on random bytes.

use crate::bytes::mix;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// What a target is.
pub type Target = fn(&[u8]);

/// `[FILE | FOLDER]... [--seconds N] [--seed N]`: the files, then random bytes for so long.
pub fn main(target: Target) -> ExitCode {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let mut seed = now.map_or(1, |now| now.as_nanos() as u64);
    let mut seconds = 0;
    let mut files = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut number = || args.next().and_then(|arg| arg.parse().ok());
        match arg.as_str() {
            "--seconds" => seconds = number().expect("a number of seconds"),
            "--seed" => seed = number().expect("a number"),
            _ => files.extend(files_of(Path::new(&arg))),
        }
    }
    keep_panics();
    for file in &files {
        let input = fs::read(file).expect("a file that can be read");
        if !holds(target, &input) {
            eprintln!("it was {}", file.display());
            return ExitCode::FAILURE;
        }
    }
    println!("{} files", files.len());
    if seconds > 0 {
        println!("{seconds} s of random inputs, --seed {seed}");
        let end = Instant::now() + Duration::from_secs(seconds);
        let mut runs = 0u64;
        while Instant::now() < end {
            if !holds(target, &random(seed, runs)) {
                return ExitCode::FAILURE;
            }
            runs += 1;
        }
        println!("{runs} random inputs");
    }
    ExitCode::SUCCESS
}

/// The files of a folder, in order; or this one.
pub fn files_of(path: &Path) -> Vec<PathBuf> {
    if !path.is_dir() {
        return vec![path.to_path_buf()];
    }
    let entries = fs::read_dir(path).expect("a folder that can be read");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    files
}

/// The `run`th random input of this seed.
pub fn random(seed: u64, run: u64) -> Vec<u8> {
    let start = mix(seed ^ mix(run));
    let len = 8 + start % 120;
    (0..len).map(|i| mix(start ^ mix(i)) as u8).collect()
}

/// The last panic's message and place: most panics are part of a target, and need not be printed.
static LAST: Mutex<String> = Mutex::new(String::new());

/// What the last panic said, and where it was.
pub fn last_panic() -> String {
    LAST.lock().unwrap_or_else(|e| e.into_inner()).clone()
}

/// Keeps the messages of panics instead of printing them.
pub fn keep_panics() {
    std::panic::set_hook(Box::new(|info| {
        *LAST.lock().unwrap_or_else(|e| e.into_inner()) = info.to_string();
    }));
}

/// Whether the target holds for this input; if not, says what was wrong. The input is left in a file if it ends the process.
pub fn holds(target: Target, input: &[u8]) -> bool {
    let name = format!(
        "filch-fuzz-{}-{:?}",
        std::process::id(),
        std::thread::current().id()
    );
    let file = std::env::temp_dir().join(name);
    fs::write(&file, input).expect("a folder for temporary files");
    let held = catch_unwind(AssertUnwindSafe(|| target(input))).is_ok();
    if held {
        fs::remove_file(&file).expect("the file that was just written");
    } else {
        let hex: String = input.iter().map(|byte| format!("{byte:02x}")).collect();
        let last = last_panic();
        eprintln!(
            "{last}\nwith the input (in hexadecimal) {hex}\nwhich is in {}",
            file.display()
        );
    }
    held
}

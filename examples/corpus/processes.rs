//! The word count once more, as map-reduce over several processes.
//!
//! The processes are this program, started with `--worker`. They share a queue in a file, and none of them is
//! special: kill any, and the others go on with what it held.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{self, Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use filch::prelude::*;
use filch_queue::map_reduce::{FilePart, Files, MapReduce, RunError, Shuffle};
use filch_queue::{Cx, Fail, Limits, Queue, Worker};
use serde::{Deserialize, Serialize};

use super::pipeline::{FileSize, Summary};
use super::progress::Progress;
use super::read::Content;
use super::words;

/// Bytes of a map job: some tenths of a second, so that a killed process costs little.
const SPLIT: u64 = 8 << 20;
/// How soon the job of a killed process is taken up by another.
const LEASE: Duration = Duration::from_secs(1);

/// Counts words as the stage `words` does.
#[derive(Serialize, Deserialize)]
struct Words;

impl MapReduce for Words {
    const NAME: &'static str = "words/1";
    type Split = Vec<FilePart>;
    type Key = String;
    type Value = u64;

    fn map(&self, split: &Vec<FilePart>, _: &Cx) -> Result<Vec<(String, u64)>, Fail> {
        let texts = split.par_iter().map(FilePart::read_lines);
        let texts = texts.collect::<Result<Vec<_>, _>>().map_err(Fail::retry)?;
        let files: Vec<Content<'_>> = texts
            .iter()
            .zip(split)
            .map(|(bytes, part)| Content {
                path: part.path.clone(),
                bytes,
            })
            .collect();
        let counts = words::parallel(&files, &Progress::new(false));
        Ok(counts
            .into_iter()
            .map(|count| (count.word.to_owned(), count.times))
            .collect())
    }

    fn merge(&self, times: &mut u64, more: u64) {
        *times += more;
    }
}

/// Works on the queue in this file until it is killed, or the process that started it is.
pub fn work(file: &Path) -> Result<(), String> {
    thread::spawn(|| {
        // That process holds the other end, and writes nothing: the end of its life ends the input.
        let _ = io::copy(&mut io::stdin(), &mut io::sink());
        process::exit(1);
    });
    let queue = Queue::local(file, Limits::default()).map_err(|error| error.to_string())?;
    let worker = Worker::new(&queue)
        .accept_map_reduce::<Words>()
        .lease(LEASE);
    worker.run().wait();
    Ok(())
}

/// Counts the words of all files in so many processes, and says how long it took. An error, if a count differs.
pub fn compare(summary: &Summary, processes: usize, kill: bool) -> Result<Duration, String> {
    let directory = env::temp_dir().join(format!("filch-corpus-{}", process::id()));
    fs::create_dir_all(&directory)
        .map_err(|error| format!("cannot create {}: {error}", directory.display()))?;
    let result = count(summary, processes, kill, &directory);
    let removed = fs::remove_dir_all(&directory);
    let (counts, took) = result?;
    removed.map_err(|error| format!("cannot remove {}: {error}", directory.display()))?;

    let mut words: Vec<(&str, u64)> = summary
        .words
        .iter()
        .map(|(word, times)| (&**word, *times))
        .collect();
    words.sort_unstable();
    let same = words.len() == counts.len()
        && words
            .iter()
            .zip(&counts)
            .all(|(one, other)| *one == (other.0.as_str(), other.1));
    if !same {
        return Err(format!(
            "one process found {} words, {processes} processes found {}, and they differ; do files change meanwhile?",
            words.len(),
            counts.len()
        ));
    }
    Ok(took)
}

type Counts = Vec<(String, u64)>;

fn count(
    summary: &Summary,
    processes: usize,
    kill: bool,
    directory: &Path,
) -> Result<(Counts, Duration), String> {
    let text = |error: &dyn std::fmt::Display| error.to_string();
    let begun = Instant::now();
    let file = directory.join("queue.db");
    let queue = Queue::local(&file, Limits::default()).map_err(|error| text(&error))?;
    // They start while the files are looked at.
    let mut crew = Crew::new(&file, processes)?;
    // No look at the disk for each: the workers see the same names from the same directory.
    let absolute = |file: &FileSize| std::path::absolute(&file.path);
    let paths = summary.files.par_iter().map(absolute);
    let mut paths: Vec<PathBuf> = paths
        .collect::<Result<_, _>>()
        .map_err(|error| text(&error))?;
    paths.par_sort_unstable_by(|a, b| a.as_os_str().cmp(b.as_os_str()));
    let splits = Files::splits(&paths, SPLIT).map_err(|error| text(&error))?;
    let run = queue
        .map_reduce(Words)
        .input(splits)
        .partitions(8)
        .shuffle(Shuffle::Dir(directory.join("shuffle")))
        .run_id("words")
        .start()
        .map_err(|error| text(&error))?;
    loop {
        match run.wait(Duration::from_millis(700)) {
            Ok(segments) => {
                let counts = segments.into_sorted_vec().map_err(|error| text(&error))?;
                return Ok((counts, begun.elapsed()));
            }
            Err(RunError::Timeout) if kill => crew.kill_one()?,
            Err(RunError::Timeout) => {}
            Err(error) => return Err(text(&error)),
        }
    }
}

/// The processes. They end with it.
struct Crew {
    file: PathBuf,
    members: Vec<Child>,
    kills: usize,
}

impl Crew {
    fn new(file: &Path, processes: usize) -> Result<Self, String> {
        let mut crew = Crew {
            file: file.to_owned(),
            members: Vec::new(),
            kills: 0,
        };
        for _ in 0..processes {
            crew.hire()?;
        }
        Ok(crew)
    }

    fn hire(&mut self) -> Result<(), String> {
        let program = env::current_exe().map_err(|error| format!("cannot find myself: {error}"))?;
        let member = Command::new(program)
            .arg("--worker")
            .arg(&self.file)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .map_err(|error| format!("cannot start a process: {error}"))?;
        self.members.push(member);
        Ok(())
    }

    /// Kills the longest serving, and starts another. Not more than ten times, or a slow machine would never be done.
    fn kill_one(&mut self) -> Result<(), String> {
        if self.kills < 10 {
            self.kills += 1;
            let mut victim = self.members.remove(0);
            // It may have ended by itself.
            let _ = victim.kill();
            victim.wait().map_err(|error| error.to_string())?;
            self.hire()?;
        }
        Ok(())
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        for member in &mut self.members {
            let _ = member.kill();
            let _ = member.wait();
        }
    }
}

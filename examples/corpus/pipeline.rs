//! The stages in a row, each timed.

use std::fmt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::choose::{self, LeftOut};
use super::directories::{self, Directory};
use super::duplicates;
use super::input::Root;
use super::kinds::{self, Kind};
use super::progress::Progress;
use super::read::{self, Content};
use super::sizes::{self, Histogram, Sizes};
use super::walk::{self, Unreadable};
use super::words::{self, Count};

/// On what the stages run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Iterators of std, on the calling thread.
    Sequential,
    /// Parallel iterators, on the global pool.
    Parallel,
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mode::Sequential => f.write_str("sequential"),
            Mode::Parallel => match filch::current_num_threads() {
                1 => f.write_str("1 thread"),
                threads => write!(f, "{threads} threads"),
            },
        }
    }
}

/// The stages, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    Walk,
    Choose,
    Read,
    Words,
    Rank,
    Duplicates,
    Sizes,
    Directories,
    Kinds,
}

impl Stage {
    pub const ALL: [Stage; 9] = [
        Stage::Walk,
        Stage::Choose,
        Stage::Read,
        Stage::Words,
        Stage::Rank,
        Stage::Duplicates,
        Stage::Sizes,
        Stage::Directories,
        Stage::Kinds,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Stage::Walk => "walk",
            Stage::Choose => "choose",
            Stage::Read => "read",
            Stage::Words => "words",
            Stage::Rank => "rank",
            Stage::Duplicates => "duplicates",
            Stage::Sizes => "sizes",
            Stage::Directories => "directories",
            Stage::Kinds => "kinds",
        }
    }
}

/// How long each stage took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    stages: [Duration; Stage::ALL.len()],
}

impl Times {
    pub fn of(&self, stage: Stage) -> Duration {
        self.stages[stage as usize]
    }

    pub fn total(&self) -> Duration {
        self.stages.iter().sum()
    }

    fn measure<T>(&mut self, stage: Stage, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        // With its name in a recording (`--trace`).
        let result = filch::region(stage.name(), work);
        self.stages[stage as usize] = start.elapsed();
        result
    }
}

/// A file that was read, without its content.
#[derive(Debug, PartialEq, Eq)]
pub struct FileSize {
    pub path: PathBuf,
    pub size: u64,
}

/// All that a run finds out.
#[derive(Debug, PartialEq, Eq)]
pub struct Summary {
    /// The largest first.
    pub files: Vec<FileSize>,
    pub bytes: u64,
    /// The most frequent first.
    pub words: Vec<(Box<str>, u64)>,
    /// Groups of equal files as indices into `files`, the most wasteful group first.
    pub duplicates: Vec<Vec<usize>>,
    pub histogram: Histogram,
    /// Those with files anywhere below them, the largest first.
    pub directories: Vec<Directory>,
    /// The most frequent first.
    pub kinds: Vec<Kind>,
    /// Ordered by path.
    pub unreadable: Vec<Unreadable>,
    pub left_out: LeftOut,
}

/// Runs all stages.
pub fn run(mode: Mode, roots: &[Root], max_bytes: u64, progress: &Progress) -> (Summary, Times) {
    let mut times = Times::default();

    progress.start(Stage::Walk.name(), 1);
    let entries = times.measure(Stage::Walk, || match mode {
        Mode::Sequential => walk::sequential(roots),
        Mode::Parallel => walk::parallel(roots),
    });
    let choice = times.measure(Stage::Choose, || match mode {
        Mode::Sequential => choose::sequential(entries, max_bytes),
        Mode::Parallel => choose::parallel(entries, max_bytes),
    });
    let size = choice.files.iter().map(|file| file.size).sum();
    progress.start(Stage::Read.name(), size);
    let mut buffer = vec![0; size as usize];
    let results = times.measure(Stage::Read, || match mode {
        Mode::Sequential => read::sequential(choice.files, &mut buffer, progress),
        Mode::Parallel => read::parallel(choice.files, &mut buffer, progress),
    });
    let mut unreadable = choice.unreadable;
    let mut files: Vec<Content<'_>> = Vec::with_capacity(results.len());
    for result in results {
        match result {
            Ok(file) => files.push(file),
            Err(failure) => unreadable.push(failure),
        }
    }
    unreadable.sort_unstable();

    let bytes = files.iter().map(|file| file.bytes.len() as u64).sum();
    progress.start(Stage::Words.name(), bytes);
    let mut counts = times.measure(Stage::Words, || match mode {
        Mode::Sequential => words::sequential(&files, progress),
        Mode::Parallel => words::parallel(&files, progress),
    });
    times.measure(Stage::Rank, || match mode {
        Mode::Sequential => words::rank_sequential(&mut counts),
        Mode::Parallel => words::rank_parallel(&mut counts),
    });
    progress.start(Stage::Duplicates.name(), 1);
    let groups = times.measure(Stage::Duplicates, || match mode {
        Mode::Sequential => duplicates::sequential(&files),
        Mode::Parallel => duplicates::parallel(&files),
    });
    let sizes = times.measure(Stage::Sizes, || match mode {
        Mode::Sequential => sizes::sequential(&files),
        Mode::Parallel => sizes::parallel(&files),
    });
    let directories = times.measure(Stage::Directories, || match mode {
        Mode::Sequential => directories::sequential(roots, &files),
        Mode::Parallel => directories::parallel(roots, &files),
    });
    let kinds = times.measure(Stage::Kinds, || match mode {
        Mode::Sequential => kinds::sequential(&files),
        Mode::Parallel => kinds::parallel(&files),
    });

    let words = owned(&counts);
    let (files, duplicates, histogram) = by_size(files, groups, sizes);
    let left_out = choice.left_out;
    (
        Summary {
            files,
            bytes,
            words,
            duplicates,
            histogram,
            directories,
            kinds,
            unreadable,
            left_out,
        },
        times,
    )
}

/// The words without the texts they stand in.
fn owned(counts: &[Count<'_>]) -> Vec<(Box<str>, u64)> {
    counts
        .iter()
        .map(|count| (count.word.into(), count.times))
        .collect()
}

/// Puts the files in the order of their sizes, and lets the groups follow.
fn by_size(
    files: Vec<Content<'_>>,
    mut groups: Vec<Vec<usize>>,
    sizes: Sizes,
) -> (Vec<FileSize>, Vec<Vec<usize>>, Histogram) {
    let mut place = vec![0; files.len()];
    for (to, &from) in sizes.order.iter().enumerate() {
        place[from] = to;
    }
    for file in groups.iter_mut().flatten() {
        *file = place[*file];
    }
    let mut files: Vec<Option<FileSize>> = files
        .into_iter()
        .map(|file| {
            Some(FileSize {
                path: file.path,
                size: file.bytes.len() as u64,
            })
        })
        .collect();
    let files = sizes
        .order
        .iter()
        .filter_map(|&from| files[from].take())
        .collect();
    (files, groups, sizes.histogram)
}

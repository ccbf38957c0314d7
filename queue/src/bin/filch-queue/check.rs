//! `conformance`: checks every promise.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Mutex, MutexGuard};

use filch_queue::conformance::{Backend, CHECKS, InMemory};
use filch_queue::{Limits, Queue};

use super::place::{Outcome, file, server};

/// Queues in one place, for `conformance`: files of a directory of their own, or names on a server.
struct Fresh {
    place: Place,
    opened: Mutex<BTreeMap<String, Queue>>,
}

enum Place {
    Directory(PathBuf),
    Server(String),
}

impl Fresh {
    fn new(place: &str) -> Outcome<Self> {
        let place = if place.contains("://") {
            Place::Server(place.to_owned())
        } else {
            let directory = format!("{place}.conformance-{}", std::process::id());
            std::fs::create_dir(&directory).map_err(|error| format!("{directory}: {error}"))?;
            Place::Directory(directory.into())
        };
        Ok(Fresh {
            place,
            opened: Mutex::default(),
        })
    }

    /// Leaves the place as it was.
    fn remove(&self) -> Outcome {
        match &self.place {
            Place::Directory(directory) => std::fs::remove_dir_all(directory)
                .map_err(|error| format!("{}: {error}", directory.display()).into()),
            Place::Server(_) => {
                let opened = std::mem::take(&mut *self.opened());
                for queue in opened.into_values() {
                    queue.broker().erase()?;
                }
                Ok(())
            }
        }
    }

    fn opened(&self) -> MutexGuard<'_, BTreeMap<String, Queue>> {
        self.opened
            .lock()
            .unwrap_or_else(|poison| poison.into_inner())
    }
}

impl Backend for Fresh {
    fn open(&self, name: &str, limits: Limits) -> Queue {
        let opened = match &self.place {
            Place::Directory(directory) => file(&directory.join(name).to_string_lossy(), limits),
            Place::Server(url) => server(url, name, limits),
        };
        let queue = opened.unwrap_or_else(|error| panic!("{name}: {error}"));
        if let Place::Server(_) = self.place {
            self.opened()
                .entry(name.to_owned())
                .or_insert_with(|| queue.clone());
        }
        queue
    }
}

/// Checks all promises beside a file, or on a server.
pub fn place(out: &mut dyn Write, place: &str) -> Outcome<ExitCode> {
    let fresh = Fresh::new(place)?;
    let checked = check(out, &fresh);
    fresh.remove()?;
    checked
}

/// Checks all promises in memory, and in temporary files.
pub fn here(out: &mut dyn Write) -> Outcome<ExitCode> {
    writeln!(out, "in memory")?;
    let memory = check(out, &InMemory::default())?;
    if cfg!(not(feature = "local")) {
        return Ok(memory);
    }
    let place = std::env::temp_dir().join("filch-queue");
    writeln!(out, "\nin files of {}", std::env::temp_dir().display())?;
    let files = self::place(out, &place.to_string_lossy())?;
    Ok(if memory == ExitCode::SUCCESS {
        files
    } else {
        memory
    })
}

fn check(out: &mut dyn Write, backend: &dyn Backend) -> Outcome<ExitCode> {
    let failed = filch_queue::conformance::run(backend, |name, well| {
        // If the output is closed, the line is lost; the exit code still says whether all is well.
        let _ = writeln!(out, "{}  {name}", if well { "ok    " } else { "FAILED" });
    });
    let all = CHECKS.len();
    writeln!(out, "{} of {all} promises kept", all - failed.len())?;
    Ok(if failed.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

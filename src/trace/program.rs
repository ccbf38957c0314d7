//! A recording of a whole program, from its first pool to its end.

use super::file::{check, save};
use super::recording::Trace;
use crate::core::pools;
use crate::core::recorder::Recording;
use crate::core::say;
use std::ffi::{OsString, c_int};
use std::panic;
use std::path::{PathBuf, absolute};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The recording that is under way, and where it is to be written.
static PROGRAM: Mutex<Option<(Recording, PathBuf)>> = Mutex::new(None);

fn program() -> MutexGuard<'static, Option<(Recording, PathBuf)>> {
    PROGRAM.lock().unwrap_or_else(PoisonError::into_inner)
}

unsafe extern "C" {
    /// The C library's. It is safe: all it does is to remember the function, which never unwinds.
    safe fn atexit(at_exit: extern "C" fn()) -> c_int;
}

/// Records what happens from now on, and writes it to a file of this name when the program ends: in it, `%p` stands for the number of the process.
pub(crate) fn record_program(name: OsString) -> Result<(), String> {
    let name = name
        .into_string()
        .map_err(|name| format!("{} is not Unicode", name.display()))?;
    let name = PathBuf::from(name.replace("%p", &std::process::id().to_string()));
    // The program may go to another directory.
    let path = absolute(&name).map_err(|error| format!("{}: {error}", name.display()))?;
    check(&path)?;
    // Not behind the lock: recorders are made here.
    let recording = Recording::begin(pools::make_recorders);
    *program() = Some((recording, path));
    match atexit(at_exit) {
        0 => Ok(()),
        _ => {
            *program() = None;
            Err("the system takes no more functions to call at the end".into())
        }
    }
}

/// Also called in a child process, which inherits it, and where another thread may have had the lock.
extern "C" fn at_exit() {
    if !crate::core::is_child() {
        // Whatever happens here, the program ends as it would without.
        let _ = panic::catch_unwind(write);
    }
}

fn write() {
    let under_way = program().take();
    let Some((recording, path)) = under_way else {
        return;
    };
    let trace = Trace::of(&recording);
    if let Err(why) = save(&trace, &path, None) {
        return say(&format!("filch: FILCH_TRACE: {why}"));
    }
    let lost = trace.lost();
    if lost > 0 {
        let path = path.display();
        say(&format!(
            "filch: FILCH_TRACE: at least {lost} events were overwritten by later ones, so {path} has the last part of the run"
        ));
    }
}

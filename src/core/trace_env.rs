//! `FILCH_TRACE=run-%p.html`: a recording of the whole program, without a change to it.

use super::child;
use super::schedtrace::say;
use std::sync::Once;

const VARIABLE: &str = "FILCH_TRACE";

/// Begins to record, if the environment asks for it. Called before a pool's first thread is started; only the first call does anything.
pub(crate) fn begin() {
    static ONCE: Once = Once::new();
    // A model has no environment, and a child process no threads.
    if cfg!(filch_shuttle) || child::is_child() {
        return;
    }
    ONCE.call_once(|| {
        let Some(value) = std::env::var_os(VARIABLE).filter(|value| !value.is_empty()) else {
            return;
        };
        // What is recorded is known here; how it is written, only above.
        #[cfg(all(feature = "trace", any(unix, windows)))]
        let begun = crate::trace::record_program(value);
        #[cfg(all(feature = "trace", not(any(unix, windows))))]
        let begun = {
            let _ = value;
            Err("this target does not tell when a program ends".to_owned())
        };
        #[cfg(not(feature = "trace"))]
        let begun = {
            let _ = value;
            Err("this program was built without filch's feature `trace`".to_owned())
        };
        let begun: Result<(), String> = begun;
        if let Err(why) = begun {
            say(&format!("filch: {VARIABLE}: {why}, so nothing is recorded"));
        }
    });
}

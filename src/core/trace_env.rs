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

#[cfg(all(test, unix, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use crate::core::child::in_a_process;

    /// What is told of a recording that cannot be, and never twice. Without the feature none can be.
    #[test]
    fn a_complaint_is_told_once_and_not_in_a_child() {
        const IN_A_CHILD: &str = "FILCH_TEST_IN_A_CHILD";
        let name = "core::trace_env::tests::a_complaint_is_told_once_and_not_in_a_child";
        let complaints = |environment: &[(&str, &str)]| {
            let errors = in_a_process(name, environment)?;
            let lines = errors.lines();
            Some(lines.filter(|line| line.contains(VARIABLE)).count())
        };
        let Some(once) = complaints(&[(VARIABLE, "run.docx")]) else {
            if std::env::var_os(IN_A_CHILD).is_some() {
                child::begin();
            }
            begin();
            begin();
            return;
        };
        let nothing = complaints(&[(VARIABLE, "")]);
        let in_a_child = complaints(&[(VARIABLE, "run.docx"), (IN_A_CHILD, "1")]);
        assert_eq!((once, nothing, in_a_child), (1, Some(0), Some(0)));
    }
}

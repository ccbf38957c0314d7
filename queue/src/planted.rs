//! Faults that are planted on purpose, to see that tests find them: `tests/planted`.

/// Whether this fault is planted. Never, unless the crate is built with `--cfg filch_queue_canary` for that script.
#[cfg(not(filch_queue_canary))]
macro_rules! planted {
    ($fault:literal) => {
        false
    };
}

/// Asks as it runs, so that the tests are built once for all faults.
#[cfg(filch_queue_canary)]
macro_rules! planted {
    ($fault:literal) => {
        $crate::planted::is_planted($fault)
    };
}

pub(crate) use planted;

/// Whether the environment variable `FILCH_QUEUE_CANARY` names this fault.
#[cfg(filch_queue_canary)]
pub(crate) fn is_planted(fault: &str) -> bool {
    static PLANTED: std::sync::OnceLock<Option<String>> = std::sync::OnceLock::new();
    let planted = PLANTED.get_or_init(|| std::env::var("FILCH_QUEUE_CANARY").ok());
    planted.as_deref() == Some(fault)
}

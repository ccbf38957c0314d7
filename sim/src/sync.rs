//! What the files of the crate that are compiled in want of its own `sync`.

/// No fault is planted here.
macro_rules! planted {
    ($fault:literal) => {
        false
    };
}
pub(crate) use planted;

//! Map-reduce by key, against naive models. Panics, odd keys and hashers, and keys that fill tables are in `tests/exhaustive`.

mod ends;
mod forced;
mod hot;
#[allow(dead_code)] // `tests/exhaustive` uses the rest
mod keys;
mod reproducible;

//! What filch has and rayon has not.

mod counters;
mod forced;
#[cfg(unix)]
mod fork;
mod isolate;
mod pools;
mod states;
mod stolen;
mod tapes;

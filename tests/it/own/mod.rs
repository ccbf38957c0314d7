//! What filch has and rayon has not.

mod counters;
mod forced;
mod isolate;
mod pools;

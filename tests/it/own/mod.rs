//! What filch has and rayon has not.

#[cfg(target_os = "linux")]
mod affinity;
#[cfg(unix)]
mod ahead;
mod callers;
mod counters;
mod far;
mod forced;
#[cfg(unix)]
mod fork;
#[cfg(unix)]
mod fork_in_scope;
mod held;
mod home;
mod isolate;
mod piles;
mod pools;
mod restricted;
mod rights;
mod seen;
mod sharp;
mod states;
mod stolen;
mod sub_roots;
mod turned;
mod whole;

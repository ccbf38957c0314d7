//! What random programs are run with: pools and threads of a model.

pub(crate) use crate::Pool;
use shuttle::thread;

/// Lets other threads run.
pub fn breathe() {
    thread::yield_now();
}

pub fn yield_now() {
    thread::yield_now();
}

/// Whether it is no use to look again for something that has to come soon.
pub fn was_enough(looks: u32, _: bool) -> bool {
    looks > 2_000
}

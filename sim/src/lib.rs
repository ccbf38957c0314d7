//! Runs filch's policies in virtual time, for any number of workers: see `README.md`.
//!
//! ```text
//! let workload = sim::named("last 1 %", 64);
//! let outcome = sim::run(&workload, 64, &sim::Choices::SHIPPED, &sim::Costs::default(), 1);
//! ```

mod choices;
mod core;
mod costs;
mod driver;
/// What one thread has measured of a loop, and how much it folds before it looks again: the crate's own.
#[path = "../../src/iter/plumbing/gauge.rs"]
mod gauge;
/// The crate's own thresholds of what is worth cutting. (Here, because its items are for the module around it.)
#[allow(dead_code)] // not all of it decides something here
#[path = "../../src/iter/plumbing/grain.rs"]
mod grain;
mod machine;
/// Whom a thread counts on for a part of a loop: the crate's own.
#[path = "../../src/iter/plumbing/market.rs"]
mod market;
/// What a call site remembers from call to call: the crate's own.
#[allow(dead_code)] // lengths are known here, and no call is too short to be measured
#[path = "../../src/iter/plumbing/memory.rs"]
mod memory;
/// The crate's reasons to cut, or not.
#[allow(dead_code)] // not all of them come up here
#[path = "../../src/iter/plumbing/reason.rs"]
mod reason;
mod replay;
mod sync;
mod work;

pub use choices::{Ahead, Cap, Choices, Loud, Pass, Patience, Victims, Wake};
pub use costs::{Costs, GROUP};
pub use machine::{Outcome, Split, run, splits};
pub use replay::{Replay, Seen, read};
pub use work::{Caller, IRREGULAR, Loop, Node, Step, Tree, Workload, named, names, sized};

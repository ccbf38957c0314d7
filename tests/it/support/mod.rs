//! What the tests share: where they run, what they count, and how long they may take.

mod alone;
mod data;
mod disorder;
mod effort;
mod meet;
mod oracle;
mod panics;
mod place;
mod splits;
mod token;
mod within;

pub use alone::alone;
pub use data::{Dice, costly, cuts, ints, small_ints, text};
pub use disorder::{Comparator, DISORDERS};
pub use effort::cases;
pub use meet::{Flag, Meeting, Muster, PATIENCE};
pub use oracle::{oracle, oracle_few, same_everywhere};
pub use panics::{Planted, caught, planted};
pub use place::{Place, pool};
pub use splits::{Way, split_everywhere};
pub use token::{Ledger, Token};
pub use within::within;

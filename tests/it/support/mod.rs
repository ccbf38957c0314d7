//! What the tests share: where they run, what they count, and how long they may take.

mod alone;
mod asked;
mod cutting;
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
pub use asked::{
    all_requests, largest_request, most_in_use, number_of_requests, with_slow_requests,
};
pub use cutting::stolen_of;
pub use data::{Dice, costly, cuts, ints, small_ints, text};
pub use disorder::{Comparator, DISORDERS};
pub use effort::cases;
pub use meet::{Flag, Meeting, Muster, PATIENCE};
pub use oracle::{oracle, oracle_few, same_everywhere};
pub use panics::{Planted, caught, message, planted, quietly};
pub use place::{Place, SIZES, force_everywhere, pieces_taken, pool};
pub use splits::{Way, split_everywhere};
pub use token::{Ledger, Token};
pub use within::within;

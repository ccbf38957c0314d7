//! What the programs are made of that `compose` writes: items, closures, the forms on std's iterators, and the runs. See the binary for what it is for.

pub mod closures;
pub mod cost;
pub mod data;
pub mod judge;
pub mod out;
pub mod plain;
pub mod run;
pub mod setting;
pub mod token;
pub mod value;
pub mod watch;

/// What a chain's source names.
pub mod prelude {
    pub use crate::closures::*;
    pub use crate::data::*;
    pub use crate::judge::{Check, Count, Promise};
    pub use crate::out::{Bag, Out};
    pub use crate::plain::Plain;
    pub use crate::run::Chain;
    pub use crate::token::{Token, token};
    pub use crate::value::{Value, join};
    pub use filch;
    pub use filch::iter::Either;
    pub use std::collections::*;
    pub use std::num::Wrapping;
}

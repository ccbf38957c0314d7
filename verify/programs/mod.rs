//! Random programs that use the whole of filch, and the books that show whether one of them went wrong.
//!
//! A [`Node`] is a program. It is made from a seed ([`program`]), run in pools ([`run`]) and compared with what the rules say
//! ([`expect`]): what it gives, how often each node runs, which panics may come out, which items are seen. The [`Ledger`] counts while it
//! runs. A program that fails is made smaller ([`shrink`]).
//!
//! `FILCH_WITHOUT=ChainFind,Nth` leaves chains out. Seeds then stand for other programs.
//!
//! The soak includes these files on threads of the system, the models under shuttle on shuttle's. What differs is in `crate::world`.

pub mod chain;
pub mod check;
pub mod dice;
pub mod expect;
pub mod ledger;
pub mod plant;
pub mod program;
pub mod run;
mod run_chain;
mod run_ends;
pub mod shrink;

pub use check::check;
pub use program::{Limits, Node};

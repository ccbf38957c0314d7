//! The traits between sources, adaptors and ends. Read this to write your own.
//!
#![doc = include_str!("../../../docs/guide/links.md")]
#![doc = include_str!("../../../docs/guide/src/writing-your-own.md")]

mod as_base;
mod bridge;
mod call;
mod demand;
mod depth;
mod drive;
mod folded;
mod force;
mod front;
mod gauge;
mod grain;
mod head;
mod indexed;
mod lane;
mod leaves;
mod length;
mod market;
mod memory;
mod offering;
mod parts;
mod piece;
mod piece_fold;
mod plan;
mod probe;
pub(crate) mod reason;
mod restore;
mod rounds;
mod run;
mod sharing;
mod site;
mod steps;
mod tiny;
mod traits;
mod unseen;
mod vast;
mod watched;
mod way;

#[doc(hidden)]
pub use crate::core::{Cuts, Question, Script, force_cuts, force_leaves};
pub(crate) use as_base::{as_base, as_producer, first_part, split_anywhere};
pub use bridge::{
    bridge, bridge_into, bridge_producer_consumer, bridge_unindexed, bridge_unindexed_into,
};
pub use folded::Folded;
pub(crate) use force::{is_forced, is_taken, offer};
#[cfg(feature = "trace")]
pub(crate) use grain::{LIMITS, least_share};
pub(crate) use head::consume_head;
pub(crate) use indexed::Indexed;
#[doc(hidden)]
pub use length::Length;
pub use rounds::{RoundSource, RoundsCallback};
pub(crate) use rounds::{Whole, indexed_rounds, round_len};
pub(crate) use run::{apart, begin_parts};
pub(crate) use site::Site;
#[cfg(filch_shuttle)]
pub(crate) use site::forget_sites;
pub use traits::{
    Consumer, Folder, Producer, ProducerCallback, Reducer, UnindexedConsumer, UnindexedProducer,
};
pub(crate) use watched::Watched;

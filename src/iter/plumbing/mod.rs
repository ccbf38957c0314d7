//! The traits between sources, adaptors and ends, for those who write their own.

mod bridge;
mod drive;
mod force;
mod grain;
mod lane;
mod piece;
mod traits;

pub use bridge::{
    bridge, bridge_into, bridge_producer_consumer, bridge_unindexed, bridge_unindexed_into,
};
pub use drive::Folded;
#[doc(hidden)]
pub use force::{Cuts, force_cuts};
pub use traits::{
    Consumer, Folder, Producer, ProducerCallback, Reducer, UnindexedConsumer, UnindexedProducer,
};

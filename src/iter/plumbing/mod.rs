//! The traits between sources, adaptors and ends, for those who write their own.

mod drive;
mod force;
mod grain;
mod piece;
mod traits;

pub use drive::{
    Folded, bridge, bridge_into, bridge_producer_consumer, bridge_unindexed, bridge_unindexed_into,
};
#[doc(hidden)]
pub use force::{Cuts, force_cuts};
pub use traits::{
    Consumer, Folder, Producer, ProducerCallback, Reducer, UnindexedConsumer, UnindexedProducer,
};

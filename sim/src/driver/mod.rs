//! How loops are split, by the crate's own thresholds.

mod lane;

pub(crate) use lane::{Block, Lane, Run};

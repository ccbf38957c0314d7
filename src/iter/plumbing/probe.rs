//! What is recorded of calls, pieces and blocks. Without the feature `trace`, nothing is, and all of these functions are empty.

#[cfg(feature = "trace")]
#[path = "probe/on.rs"]
mod imp;
#[cfg(not(feature = "trace"))]
#[path = "probe/off.rs"]
mod imp;

pub(super) use imp::*;

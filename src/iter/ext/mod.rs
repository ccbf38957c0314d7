//! Methods that rayon lacks: adaptors and ends, in separate traits; see [`crate::ext`] for the list.

pub(crate) mod array_chunks;
pub(crate) mod background;
mod board;
mod border;
pub(crate) mod bridge_ordered;
pub(crate) mod cancel;
pub(crate) mod cancel_scope;
pub(crate) mod compensated;
mod counted;
mod gather;
pub(crate) mod map_while;
pub(crate) mod min_max;
mod nth;
pub(crate) mod ordered_iter;
pub(crate) mod progress;
pub(crate) mod reproducible;
mod sizes;
pub(crate) mod skip_while;
mod sorted;
pub(crate) mod states;
mod task;
pub(crate) mod token;
pub(crate) mod traits;
pub(crate) mod using;

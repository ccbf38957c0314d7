//! Parallel iterators over the collections of the standard library.
//!
//! They are made by `par_iter`, `par_iter_mut`, `into_par_iter` and `par_drain`. Their names are needed only in signatures.
//!
//! Queues and heaps can be cut anywhere. Maps, sets and lists cannot be cut: one thread walks through them. If another thread asks for
//! work, and the items are expensive enough, the walking thread copies the next few items to a batch (references, if it iterates by
//! reference). It keeps the batch, and gives the rest of the walk away. So a collection is never copied as a whole, cheap loops run at the
//! speed of an ordinary one, and the order of ordered collections is kept.
//!
//! ```
//! use filch::prelude::*;
//! use std::collections::{BTreeMap, HashMap};
//!
//! let ages = HashMap::from([("Ann", 31), ("Bo", 57), ("Cy", 8)]);
//! assert_eq!(ages.par_iter().map(|(_, age)| age).sum::<u32>(), 96);
//!
//! let mut counts = BTreeMap::from([('a', 1), ('b', 2)]);
//! counts.par_iter_mut().for_each(|(_, count)| *count *= 10);
//! assert_eq!(counts, BTreeMap::from([('a', 10), ('b', 20)]));
//! ```

pub mod binary_heap;
pub mod btree_map;
pub mod btree_set;
mod bulk_build;
pub mod hash_map;
pub mod hash_set;
mod lent;
pub mod linked_list;
mod map_mut;
pub mod vec_deque;
mod walked;

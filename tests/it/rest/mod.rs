//! The rest of rayon's list: what is used less often, and compatible all the same.

mod adapters;
mod blocks;
mod collect;
mod collections;
mod compare;
mod folds;
mod indexed;
mod slice;
mod sources;
mod splits;
mod str;
mod take_any;

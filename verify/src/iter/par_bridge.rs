//! A run of `par_bridge`, with an entry for the models.

#[path = "../../../src/iter/sources/par_bridge/part.rs"]
mod part;
#[path = "../../../src/iter/sources/par_bridge/shared.rs"]
mod shared;

use super::plumbing::{Folder, UnindexedProducer};
use crate::sync::Ordering;
use part::Part;
use shared::Shared;

pub(crate) struct Run<I: Iterator>(Shared<I>);

impl<I: Iterator<Item: Send> + Send> Run<I> {
    /// The source, of which so many items are fetched at once, at first.
    pub(crate) fn new(source: I, batch: usize) -> Self {
        let shared = Shared::new(source);
        shared.batch.store(batch, Ordering::Relaxed);
        Run(shared)
    }

    /// Takes part until the source has ended, or the folder is full.
    pub(crate) fn fold<F: Folder<I::Item>>(&self, folder: F) -> F {
        Part::of(&self.0).fold_with(folder)
    }
}

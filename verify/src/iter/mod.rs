//! `par_bridge`, from the crate's own files, with stand-ins for the traits between producers and ends.

pub(crate) mod par_bridge;

/// The traits, as far as `par_bridge` knows them.
pub(crate) mod plumbing {
    pub(crate) trait Folder<Item>: Sized {
        fn consume(self, item: Item) -> Self;

        fn full(&self) -> bool;

        fn consume_iter<I: IntoIterator<Item = Item>>(mut self, items: I) -> Self {
            for item in items {
                self = self.consume(item);
                if self.full() {
                    break;
                }
            }
            self
        }
    }

    pub(crate) trait UnindexedProducer: Send + Sized {
        type Item;
        const CAN_PAUSE: bool;

        fn split(self) -> (Self, Option<Self>);
        fn fold_with<F: Folder<Self::Item>>(self, folder: F) -> F;
        fn fold_some<F: Folder<Self::Item>>(self, folder: F, budget: usize) -> (F, Option<Self>);
        fn split_cost(&self) -> u32;
    }
}

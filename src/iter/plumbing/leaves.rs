//! The driver for iterators whose result must not depend on timing: the tree of reductions is a function of the length alone.
//!
//! The items are cut into leaves of a fixed length. Each leaf is folded in one go, by its own fold. The left part of a tree holds the largest
//! power of two of leaves that is less than all of them, so it is a full binary tree. The rules of [`Lane`] decide, as always, which thread
//! drives a part. They have no say in where it is cut.

use super::indexed::Indexed;
use super::lane::Lane;
use super::offering::offering;
use super::piece::reduce;
use super::site::Site;
use super::traits::{Consumer, Folder, Producer};
use crate::core::fork::Forked;
use crate::core::guest::in_pool;

/// How many items a leaf has: enough that its fold and its reduction cost next to nothing compared with the cheapest items.
const LEAF: usize = 4096;

/// Drives a piece to a consumer, in a pool.
pub(super) fn run_leaves<P, C>(piece: Indexed<P>, consumer: C) -> C::Result
where
    P: Producer,
    C: Consumer<P::Item>,
{
    // The limits that a user sets on pieces do not depend on timing.
    let (min, max) = (piece.producer.min_len(), piece.producer.max_len());
    let leaf = LEAF.min(max).max(min).max(1);
    let site = Site::of(run_leaves::<P, C> as *const ());
    in_pool(move |worker, _| {
        let (len, mut input, mut result) = (Some(piece.len), Some((piece, consumer)), None);
        Lane::begin(worker, site, len, C::SPLIT_IS_EXPENSIVE, &mut |lane| {
            let input = input.take();
            result = input.map(|(piece, consumer)| drive(lane, leaf, piece, consumer));
        });
        result.expect("a call is driven once")
    })
}

fn drive<P, C>(lane: &Lane<'_>, leaf: usize, piece: Indexed<P>, consumer: C) -> C::Result
where
    P: Producer,
    C: Consumer<P::Item>,
{
    if consumer.full() {
        return consumer.into_folder().complete();
    }
    let leaves = piece.len.div_ceil(leaf);
    if leaves <= 1 {
        let mut folder = consumer.into_folder();
        C::expect(&mut folder, usize::MAX, piece.producer.min_len());
        C::reproduce(&mut folder);
        // In one go, even if such a piece is otherwise folded in blocks. Blocks depend on the clock, and the sum of a block may be rounded.
        let folder = piece.producer.fold_with(folder);
        lane.look(piece.len.max(1));
        return folder.complete();
    }
    let wanted = lane.wants_cut(piece.len, 1, 0);
    let at = leaf << (leaves - 1).ilog2();
    let (left, right) = piece.split_at(at);
    let (left_consumer, right_consumer, reducer) = consumer.split_at(at);
    let (left, right) = if wanted {
        let again = |lane: &Lane<'_>, (right, consumer)| drive(lane, leaf, right, consumer);
        let first = || drive(lane, leaf, left, left_consumer);
        let (len, right) = (Some(right.len), (right, right_consumer));
        let (left, right) = offering(lane, len, right, again, first);
        let right = match right {
            Forked::Kept(right) => again(lane, right),
            Forked::Taken(result) => result,
        };
        (left, right)
    } else {
        let left = drive(lane, leaf, left, left_consumer);
        (left, drive(lane, leaf, right, right_consumer))
    };
    reduce(reducer, left, right)
}

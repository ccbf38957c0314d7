//! Sorted runs that lie behind one another, merged into one.

use super::in_place::merge_in_place;
use super::order::Order;
use super::rank::cut;
use super::sequential;
use super::span::Span;
use super::weight::{is_tiny, weight};
use super::{SHORT, both, current_num_threads, in_pool};

/// Merges the sorted runs `v[..mid]` and `v[mid..]`, with a buffer as long as the second one.
pub(crate) fn merge_neighbours<T: Send, O: Order<T>>(v: &mut [T], mid: usize, order: &O) {
    let is_alone = is_tiny(v) || size_of::<T>() == 0 || current_num_threads() == 1;
    let weight = if is_alone { 1 } else { weight(v, order) };
    if is_alone || v.len() <= SHORT / weight {
        // Runs are what a stable sort looks for first.
        return sequential::sort(v, order);
    }
    let mut buffer = Vec::with_capacity(v.len() - mid);
    in_pool(|| merge_in_place(v, mid, buffer.spare_capacity_mut(), weight, order));
}

/// Merges the sorted runs, none of them empty, that end at `ends`, with a buffer as long as the slice.
pub(crate) fn merge_runs<T: Send, O: Order<T>>(v: &mut [T], ends: &[usize], order: &O) {
    let is_alone = is_tiny(v) || size_of::<T>() == 0;
    let weight = if is_alone { 1 } else { weight(v, order) };
    if is_alone || v.len() <= SHORT / weight {
        return sequential::sort(v, order);
    }
    let mut buffer = Vec::with_capacity(v.len());
    in_pool(|| {
        // SAFETY: `T` is not zero-sized. The span goes home here, or is dropped when a comparator
        // unwinds, and so are the spans made from it, as in `stable`.
        let span = unsafe { Span::new(v, buffer.spare_capacity_mut()) };
        merge_span(span, 0, ends, weight, order).go_home();
    });
}

/// Merges runs into one span, which begins at `start` of what `ends` are indices of.
fn merge_span<'a, T, O>(
    span: Span<'a, T>,
    start: usize,
    ends: &[usize],
    weight: usize,
    order: &O,
) -> Span<'a, T>
where
    T: Send,
    O: Order<T>,
{
    let Some((before, mid)) = cut(start + span.len() / 2, ends) else {
        return span;
    };
    let (low_ends, high_ends) = ends.split_at(before);
    let (low, high) = span.split_at(mid - start);
    let (low, high) = both(
        || merge_span(low, start, low_ends, weight, order),
        || merge_span(high, mid, high_ends, weight, order),
    );
    low.merge(high, weight, order)
}

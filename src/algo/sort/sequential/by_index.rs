//! The stable sort of large elements: their indices are sorted, and then each element moves once.
//!
//! Work O(n log n) comparisons and n moves of elements; memory: two numbers of four bytes per element.

use super::super::order::Less;
use super::super::span::BufferedSpan;
use super::natural;

/// Longest span whose elements are counted in four bytes.
const MOST: usize = if cfg!(test) {
    1 << 10
} else {
    u32::MAX as usize
};

/// Sorts the elements of a span, and moves them to the other place.
pub(super) fn sort_span<'a, T, O: Less<T>>(
    mut span: BufferedSpan<'a, T>,
    order: &O,
) -> BufferedSpan<'a, T> {
    if span.len() > MOST {
        let mid = span.len() / 2;
        let (left, right) = span.split_at(mid);
        let left = sort_span(left, order);
        return left.merge_alone(sort_span(right, order), order);
    }
    let elements = span.elements();
    let mut indices: Vec<u32> = (0..elements.len() as u32).collect();
    let mut room = Vec::with_capacity(indices.len());
    // SAFETY: an index is not zero-sized. The span is dropped here, or when a comparison unwinds, and so are those made from it.
    let unsorted = unsafe { BufferedSpan::new(&mut indices, room.spare_capacity_mut()) };
    drop(natural::sort_span(unsorted, &OfIndices { elements, order }));
    // SAFETY: every index once: a span keeps each of its elements, whatever the order answers.
    unsafe { span.permute(&indices) };
    span
}

/// The order of elements that are given by their indices.
struct OfIndices<'a, T, O> {
    elements: &'a [T],
    order: &'a O,
}

impl<T, O: Less<T>> Less<u32> for OfIndices<'_, T, O> {
    #[inline(always)]
    fn is_less(&self, &a: &u32, &b: &u32) -> bool {
        self.order
            .is_less(&self.elements[a as usize], &self.elements[b as usize])
    }
}

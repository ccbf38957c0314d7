//! The stable sort of large elements: their indices are sorted, and then each element moves once.
//!
//! Work O(n log n) comparisons and n moves of elements; memory: two numbers of four bytes per element.

use super::super::buffered_slice::BufferedSlice;
use super::super::order::Less;
use super::natural;

/// Longest buffered slice whose elements are counted in four bytes.
const MOST: usize = if cfg!(test) {
    1 << 10
} else {
    u32::MAX as usize
};

/// Sorts the elements of a buffered slice, and moves them to the other place.
pub(super) fn sort_buffered<'a, T, O: Less<T>>(
    mut slice: BufferedSlice<'a, T>,
    order: &O,
) -> BufferedSlice<'a, T> {
    if slice.len() > MOST {
        let mid = slice.len() / 2;
        let (left, right) = slice.split_at(mid);
        let left = sort_buffered(left, order);
        return left.merge_alone(sort_buffered(right, order), order);
    }
    let elements = slice.elements();
    let mut indices: Vec<u32> = (0..elements.len() as u32).collect();
    let mut room = Vec::with_capacity(indices.len());
    // SAFETY: an index is not zero-sized. The buffered slice is dropped here, or when a comparison unwinds, and so are those made from it.
    let unsorted = unsafe { BufferedSlice::new(&mut indices, room.spare_capacity_mut()) };
    drop(natural::sort_buffered(
        unsorted,
        &OfIndices { elements, order },
    ));
    // SAFETY: every index once: a buffered slice keeps each of its elements, whatever the order answers.
    unsafe { slice.permute(&indices) };
    slice
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

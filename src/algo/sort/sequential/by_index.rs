//! The stable sort of large elements: their indices are sorted, and then each element moves once.
//!
//! Work O(n log n) comparisons and n moves of elements; memory: two numbers of four bytes per element.

use super::super::buffered_slice::BufferedSlice;
use super::super::order::Less;
use super::natural;
use std::ptr;

/// Longest buffered slice whose elements are counted in four bytes.
const MOST: usize = if cfg!(test) {
    1 << 10
} else {
    u32::MAX as usize
};

/// Sorts the elements of a buffered slice, and moves them to the other place.
pub(super) fn sort_buffered<'a, T, O: Less<T>>(
    slice: BufferedSlice<'a, T>,
    order: &O,
) -> BufferedSlice<'a, T> {
    slice.sort_parts(MOST, order, &|part| sort_part(part, order))
}

fn sort_part<'a, T, O: Less<T>>(
    mut slice: BufferedSlice<'a, T>,
    order: &O,
) -> BufferedSlice<'a, T> {
    let (elements, to) = slice.with_room();
    let mut indices: Vec<u32> = (0..elements.len() as u32).collect();
    let mut room = Vec::with_capacity(indices.len());
    // SAFETY: an index is not zero-sized. The buffered slice is dropped here, or when a comparison unwinds, and so are those made from it.
    let unsorted = unsafe { BufferedSlice::new(&mut indices, room.spare_capacity_mut()) };
    let by_index = OfIndices { elements, order };
    drop(natural::sort_buffered(unsorted, &by_index));
    for (slot, &index) in to.iter_mut().zip(&indices) {
        // SAFETY: an element and a slot beside it, which do not overlap. The copy is the element once all have been made.
        unsafe { ptr::copy_nonoverlapping(&elements[index as usize], slot.as_mut_ptr(), 1) };
    }
    // SAFETY: every index occurred once: a buffered slice keeps each of its elements, whatever the order answers.
    unsafe { slice.moved() };
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

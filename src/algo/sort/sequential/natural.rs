//! The stable sort by one thread: long runs are kept, what lies between them is sorted, and all is merged.
//!
//! Work O(n log n), and O(n log r) for r long runs; memory: where the runs end, and the room beside the slice.

use super::super::buffered_slice::BufferedSlice;
use super::super::leading_run::LeadingRun;
use super::super::order::Less;
use super::super::rank::cut;
use super::stable;
use std::mem::MaybeUninit;

/// Up to this length, runs of [`SHORT_RUN`] count as long, and beyond, those of the length's square root.
const SHORT: usize = 1 << 12;

const SHORT_RUN: usize = 64;

/// Sorts the elements of a buffered slice.
pub(crate) fn sort_buffered<'a, T, O: Less<T>>(
    mut slice: BufferedSlice<'a, T>,
    order: &O,
) -> BufferedSlice<'a, T> {
    let (v, room) = slice.with_room();
    let ends = sort_stretches(v, room, order);
    merge_stretches(slice, 0, &ends, order)
}

/// Sorts `v` in stretches, and returns where they end.
fn sort_stretches<T, O: Less<T>>(
    v: &mut [T],
    room: &mut [MaybeUninit<T>],
    order: &O,
) -> Vec<usize> {
    let len = v.len();
    let long = if len <= SHORT {
        SHORT_RUN.min(len - len / 2)
    } else {
        len.isqrt()
    };
    let mut ends = Vec::new();
    let (mut sorted, mut at) = (0, 0);
    while at < len {
        let run = LeadingRun::leading_alone(&v[at..], order);
        if run.len() < long {
            at = len.min(at + long);
            continue;
        }
        if sorted < at {
            sort_stretch(&mut v[sorted..at], room, order);
            ends.push(at);
        }
        run.ascend_alone(&mut v[at..]);
        at += run.len();
        sorted = at;
        ends.push(at);
    }
    if sorted < len {
        sort_stretch(&mut v[sorted..], room, order);
        ends.push(len);
    }
    ends
}

fn sort_stretch<T, O: Less<T>>(v: &mut [T], room: &mut [MaybeUninit<T>], order: &O) {
    if !order.sort_by_std(v) {
        stable::sort(v, room, order);
    }
}

/// Merges sorted stretches, none of them empty, into one. `start` is where the buffered slice begins in what `ends` are indices of.
fn merge_stretches<'a, T, O: Less<T>>(
    slice: BufferedSlice<'a, T>,
    start: usize,
    ends: &[usize],
    order: &O,
) -> BufferedSlice<'a, T> {
    let Some((before, mid)) = cut(start + slice.len() / 2, ends) else {
        return slice;
    };
    let (low_ends, high_ends) = ends.split_at(before);
    let (low, high) = slice.split_at(mid - start);
    let low = merge_stretches(low, start, low_ends, order);
    low.merge_alone(merge_stretches(high, mid, high_ends, order), order)
}

//! A stable merge sort: `join` sorts the halves, and `join` merges them, too.
//!
//! `cargo run --release --example merge_sort -- [length]`
//!
//! To sort in a program of your own, call `par_sort`, which is faster.

use std::env;
use std::time::{Duration, Instant};

use filch::prelude::*;

/// Sorted by the key alone; the position tells whether equal keys kept their order.
#[derive(Clone, Copy, Default, PartialEq)]
struct Entry {
    key: u32,
    position: u32,
}

fn main() {
    let length: u32 = env::args().nth(1).map_or(2_000_000, |n| {
        n.parse().expect("usage: merge_sort [length]")
    });
    let input: Vec<Entry> = (0..length)
        .into_par_iter()
        .map(|position| Entry {
            // Few enough keys that many are equal.
            key: position.wrapping_mul(0x9e37_79b9).rotate_left(15) % (length / 4).max(1),
            position,
        })
        .collect();

    let mut expected = input.clone();
    let ((), std) = timed(|| expected.sort_by_key(|entry| entry.key));
    let mut sorted = input;
    let ((), ours) = timed(|| {
        let mut spare = vec![Entry::default(); sorted.len()];
        sort(&mut sorted, &mut spare, Place::Here);
    });

    assert!(sorted == expected, "not in order, or not stable");
    println!("sorted {length} entries");
    println!(
        "std's stable sort {std:.2?}, this one on {} threads {ours:.2?}: speed-up {:.2}",
        filch::current_num_threads(),
        std.as_secs_f64() / ours.as_secs_f64()
    );
}

/// Where the result of a sort is to be.
#[derive(Clone, Copy)]
enum Place {
    Here,
    Spare,
}

/// Sorts `v`; the result is in `v` or in `spare`, which is as long, and the other one holds what is left.
fn sort(v: &mut [Entry], spare: &mut [Entry], place: Place) {
    if v.len() <= 1_024 {
        v.sort_by_key(|entry| entry.key);
        if let Place::Spare = place {
            spare.copy_from_slice(v);
        }
        return;
    }
    let middle = v.len() / 2;
    let (left, right) = v.split_at_mut(middle);
    let (left_spare, right_spare) = spare.split_at_mut(middle);
    // Each level merges from one buffer into the other, so the halves are sorted into the buffer that this level does not write.
    let other = match place {
        Place::Here => Place::Spare,
        Place::Spare => Place::Here,
    };
    filch::join(
        || sort(left, left_spare, other),
        || sort(right, right_spare, other),
    );
    match place {
        Place::Here => merge(left_spare, right_spare, v),
        Place::Spare => merge(left, right, spare),
    }
}

/// Merges two sorted slices into `out`. Of equal entries those in `left` come first.
///
/// To merge in parallel, cut the longer one in the middle, find where that entry belongs in the other one, and merge what is before and
/// what is behind on their own: logarithmic depth instead of one long loop at the end of the sort.
fn merge(left: &[Entry], right: &[Entry], out: &mut [Entry]) {
    if out.len() <= 4096 {
        return merge_sequentially(left, right, out);
    }
    let (i, j) = if left.len() >= right.len() {
        let i = left.len() / 2;
        (i, right.partition_point(|entry| entry.key < left[i].key))
    } else {
        let j = right.len() / 2;
        (left.partition_point(|entry| entry.key <= right[j].key), j)
    };
    let (front, back) = out.split_at_mut(i + j);
    filch::join(
        || merge(&left[..i], &right[..j], front),
        || merge(&left[i..], &right[j..], back),
    );
}

fn merge_sequentially(left: &[Entry], right: &[Entry], out: &mut [Entry]) {
    let (mut i, mut j) = (0, 0);
    while i < left.len() && j < right.len() {
        let right_first = right[j].key < left[i].key;
        out[i + j] = if right_first { right[j] } else { left[i] };
        i += usize::from(!right_first);
        j += usize::from(right_first);
    }
    let (left, right) = (&left[i..], &right[j..]);
    let rest = if left.is_empty() { right } else { left };
    out[i + j..].copy_from_slice(rest);
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    (work(), start.elapsed())
}

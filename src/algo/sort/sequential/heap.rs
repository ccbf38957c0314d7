//! Williams' heap sort (1964): whatever the comparator answers, it ends after O(n log n) comparisons, and elements are only swapped.

use super::super::order::Less;

/// Sorts `v`.
pub(super) fn sort<T, O: Less<T>>(v: &mut [T], order: &O) {
    for root in (0..v.len() / 2).rev() {
        sift_down(v, root, order);
    }
    for last in (1..v.len()).rev() {
        v.swap(0, last);
        sift_down(&mut v[..last], 0, order);
    }
}

fn sift_down<T, O: Less<T>>(heap: &mut [T], mut at: usize, order: &O) {
    loop {
        let mut child = 2 * at + 1;
        if child >= heap.len() {
            return;
        }
        if child + 1 < heap.len() && order.is_less(&heap[child], &heap[child + 1]) {
            child += 1;
        }
        if !order.is_less(&heap[at], &heap[child]) {
            return;
        }
        heap.swap(at, child);
        at = child;
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::order::Natural;
    use super::sort;

    #[test]
    fn every_length_is_sorted() {
        for n in 0..200 {
            let mut v: Vec<usize> = (0..n).map(|i| i * 7919 % 211 % 50).collect();
            sort(&mut v, &Natural);
            assert!(v.is_sorted());
        }
    }
}

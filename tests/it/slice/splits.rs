//! Producers of slices, vectors, arrays and ranges, and of every adaptor with positions: cut at
//! each index and walked from both ends.

use crate::support::{Ledger, Way, split_everywhere};
use filch::prelude::*;

const N: usize = 11;

fn numbers() -> [u32; N] {
    std::array::from_fn(|i| i as u32 * 3)
}

#[test]
fn slices() {
    let v = numbers();
    split_everywhere(|| v.par_iter(), &v.iter().collect::<Vec<_>>());
    split_everywhere(|| v.par_iter().copied(), &v);
    split_everywhere(|| v.par_iter().cloned(), &v);
    split_everywhere(<&[u32]>::default, &[]);
}

#[test]
fn mutable_slices() {
    let mut want = numbers();
    let want: Vec<&mut u32> = want.iter_mut().collect();
    for way in Way::all(N) {
        assert_eq!(way.walk(numbers().par_iter_mut()), want, "{way:?}");
    }
}

#[test]
fn vectors_and_arrays() {
    let texts = || numbers().map(|x| x.to_string());
    split_everywhere(|| texts().to_vec(), &texts());
    split_everywhere(texts, &texts());
    split_everywhere(|| [0u8; 0], &[]);
}

/// Pieces that are not walked, or only in part, drop what they hold.
#[test]
fn drops() {
    use filch::iter::plumbing::{Producer, ProducerCallback};

    struct Abandon(usize, usize);

    impl<T> ProducerCallback<T> for Abandon {
        type Output = usize;

        fn callback<P: Producer<Item = T>>(self, producer: P) -> usize {
            let (a, b) = producer.split_at(self.0);
            let mut b = b.into_iter();
            drop(a);
            let front = b.by_ref().take(self.1).count();
            front + b.rev().take(1).count()
        }
    }

    for i in 0..=N {
        for taken in 0..=N - i {
            let want = taken + usize::from(i + taken < N);
            let ledger = Ledger::new(N);
            let cut = || Abandon(i, taken);
            assert_eq!(ledger.tokens().into_par_iter().with_producer(cut()), want);
            assert_eq!(ledger.tokens().par_drain(..).with_producer(cut()), want);
            let array: [_; N] = ledger.tokens().try_into().unwrap();
            assert_eq!(array.into_par_iter().with_producer(cut()), want);
            ledger.assert_all_gone();
        }
    }
}

#[test]
fn drains() {
    let want: Vec<u32> = numbers()[2..7].to_vec();
    for way in Way::all(5) {
        let mut v = numbers().to_vec();
        assert_eq!(way.walk(v.par_drain(2..7)), want, "{way:?}");
        assert_eq!(v.len(), N - 5);
    }
}

#[test]
fn ranges() {
    split_everywhere(|| 3..14usize, &(3..14).collect::<Vec<_>>());
    split_everywhere(|| -5..6i32, &(-5..6).collect::<Vec<_>>());
    split_everywhere(|| 250..255u8, &[250, 251, 252, 253, 254]);
    split_everywhere(|| i8::MIN..i8::MIN + 4, &[-128, -127, -126, -125]);
    split_everywhere(
        || u32::MAX - 3..u32::MAX,
        &(u32::MAX - 3..u32::MAX).collect::<Vec<_>>(),
    );
    split_everywhere(|| 5..5i16, &[]);
}

#[test]
fn chunks() {
    let v = numbers();
    for n in [1, 2, 3, 4, 10, 11, 12] {
        split_everywhere(|| v.par_chunks(n), &v.chunks(n).collect::<Vec<_>>());
        let chunks: Vec<Vec<u32>> = v.chunks(n).map(<[u32]>::to_vec).collect();
        split_everywhere(|| v.par_iter().copied().chunks(n), &chunks);
        let mut w = numbers();
        let want: Vec<&mut [u32]> = w.chunks_mut(n).collect();
        for way in Way::all(want.len()) {
            assert_eq!(way.walk(numbers().par_chunks_mut(n)), want, "{way:?}");
        }
    }
}

#[test]
fn adaptors_of_one() {
    let v = || numbers().into_par_iter();
    let want = || numbers().into_iter();
    split_everywhere(
        || v().map(|x| x + 1),
        &want().map(|x| x + 1).collect::<Vec<_>>(),
    );
    split_everywhere(|| v().inspect(|_| ()), &numbers());
    split_everywhere(|| v().enumerate(), &want().enumerate().collect::<Vec<_>>());
    split_everywhere(|| v().rev(), &want().rev().collect::<Vec<_>>());
    split_everywhere(
        || v().rev().enumerate(),
        &want().rev().enumerate().collect::<Vec<_>>(),
    );
    split_everywhere(
        || v().enumerate().rev(),
        &want().enumerate().rev().collect::<Vec<_>>(),
    );
    split_everywhere(
        || v().map_init(|| 1, |one, x| x + *one),
        &want().map(|x| x + 1).collect::<Vec<_>>(),
    );
    split_everywhere(
        || v().map_with(1, |one, x| x + *one),
        &want().map(|x| x + 1).collect::<Vec<_>>(),
    );
    split_everywhere(|| v().with_min_len(3), &numbers());
    split_everywhere(|| v().with_max_len(3), &numbers());
    split_everywhere(|| v().panic_fuse(), &numbers());
}

#[test]
fn skip_and_take() {
    let v = || numbers().into_par_iter();
    let want = || numbers().into_iter();
    for n in [0, 1, 5, 10, 11, 12] {
        split_everywhere(|| v().skip(n), &want().skip(n).collect::<Vec<_>>());
        split_everywhere(|| v().take(n), &want().take(n).collect::<Vec<_>>());
        split_everywhere(
            || v().rev().skip(n).rev(),
            &want().rev().skip(n).rev().collect::<Vec<_>>(),
        );
        split_everywhere(
            || v().rev().take(n).rev(),
            &want().rev().take(n).rev().collect::<Vec<_>>(),
        );
    }
}

#[test]
fn adaptors_of_two() {
    let (a, b) = (
        || (0..7u32).into_par_iter(),
        || (100..104u32).into_par_iter(),
    );
    split_everywhere(
        || a().chain(b()),
        &(0..7).chain(100..104).collect::<Vec<_>>(),
    );
    split_everywhere(
        || b().chain(a()),
        &(100..104).chain(0..7).collect::<Vec<_>>(),
    );
    split_everywhere(|| a().chain(0..0), &(0..7).collect::<Vec<_>>());
    split_everywhere(|| a().zip(b()), &(0..7).zip(100..104).collect::<Vec<_>>());
    split_everywhere(|| b().zip(a()), &(100..104).zip(0..7).collect::<Vec<_>>());
    let all = || a().chain(b()).rev().chunks(3).enumerate();
    let want: Vec<u32> = (0..7).chain(100..104).rev().collect();
    let want: Vec<_> = want.chunks(3).map(<[u32]>::to_vec).enumerate().collect();
    split_everywhere(all, &want);
}

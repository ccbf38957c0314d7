//! Chains of adaptors, two at a time, against the same on std's iterators.
//!
//! What two adaptors give is collected, and is what the next two begin with. So all pairs meet, and all lengths come up, without a type for each
//! chain there is.

use crate::bytes::{Bytes, mix};
use crate::pools::somewhere;
use filch::prelude::*;

/// No chain gets longer than this.
const MOST: usize = 20_000;

/// Adaptors that keep positions.
#[derive(Debug, Clone, Copy)]
enum Indexed {
    Map,
    Rev,
    Skip(usize),
    Take(usize),
    StepBy(usize),
    EnumerateSum,
    ZipWithSelf,
    Chain,
    ChunkSums(usize),
    Interleave,
    MinLen(usize),
    MaxLen(usize),
}

/// Adaptors that do not, or that end a chain.
#[derive(Debug, Clone, Copy)]
enum Rest {
    Filter,
    FilterMap,
    FlatMap,
    FlatMapIter,
    Inspect,
    WhileSome,
    Fold,
    Partition,
    Intersperse,
    Collect,
}

fn indexed(bytes: &mut Bytes<'_>) -> Indexed {
    use Indexed::*;
    let small = |bytes: &mut Bytes<'_>| bytes.below(30) + 1;
    match bytes.below(12) {
        0 => Map,
        1 => Rev,
        2 => Skip(bytes.len(64)),
        3 => Take(bytes.len(64)),
        4 => StepBy(small(bytes)),
        5 => EnumerateSum,
        6 => ZipWithSelf,
        7 => Chain,
        8 => ChunkSums(small(bytes)),
        9 => Interleave,
        10 => MinLen(bytes.len(16)),
        _ => MaxLen(small(bytes)),
    }
}

fn rest(bytes: &mut Bytes<'_>) -> Rest {
    use Rest::*;
    const ALL: [Rest; 10] = [
        Filter,
        FilterMap,
        FlatMap,
        FlatMapIter,
        Inspect,
        WhileSome,
        Fold,
        Partition,
        Intersperse,
        Collect,
    ];
    ALL[bytes.below(ALL.len())]
}

fn sum(items: impl IntoIterator<Item = u64>) -> u64 {
    items.into_iter().fold(0, |a, b| a.wrapping_mul(3) ^ b)
}

fn is_kept(x: &u64) -> bool {
    mix(*x).is_multiple_of(3)
}

fn some(x: u64) -> Option<u64> {
    (!mix(x).is_multiple_of(50)).then_some(x + 1)
}

fn few(x: u64) -> std::ops::Range<u64> {
    x % 7..x % 7 + mix(x) % 4
}

/// `v` through the first adaptor and the second, in parallel.
fn ours(v: &[u64], first: Indexed, second: Rest) -> Vec<u64> {
    use Indexed::*;
    let other = || v.par_iter().copied();
    let all = other();
    if !matches!(
        second,
        Rest::Filter | Rest::FlatMapIter | Rest::Inspect | Rest::Collect
    ) {
        // A type for each pair would take minutes to compile.
        return expensive_end(ours(v, first, Rest::Collect).into_par_iter(), second);
    }
    match first {
        Map => end(all.map(mix), second),
        Rev => end(all.rev(), second),
        Skip(n) => end(all.skip(n), second),
        Take(n) => end(all.take(n), second),
        StepBy(n) => end(all.step_by(n), second),
        EnumerateSum => end(all.enumerate().map(|(i, x)| x ^ i as u64), second),
        ZipWithSelf => end(
            all.zip(other().rev()).map(|(a, b)| a ^ b.rotate_left(1)),
            second,
        ),
        Chain => end(all.chain(other().map(mix)), second),
        ChunkSums(n) => end(all.chunks(n).map(sum), second),
        Interleave => end(all.interleave(other().skip(3)), second),
        MinLen(n) => end(all.with_min_len(n), second),
        MaxLen(n) => end(all.with_max_len(n), second),
    }
}

fn end(iter: impl IndexedParallelIterator<Item = u64>, second: Rest) -> Vec<u64> {
    use Rest::*;
    let len = iter.len();
    match second {
        Filter => iter.filter(is_kept).collect(),
        FlatMapIter => iter.flat_map_iter(few).collect(),
        Inspect => iter.inspect(|_| ()).rev().collect(),
        _ => {
            let mut v = vec![1, 2, 3];
            iter.collect_into_vec(&mut v);
            assert_eq!(v.len(), len, "length of an indexed iterator");
            v
        }
    }
}

fn expensive_end(iter: filch::vec::IntoIter<u64>, second: Rest) -> Vec<u64> {
    use Rest::*;
    match second {
        FilterMap => iter.filter_map(some).collect(),
        FlatMap => iter.flat_map(|x| few(x).into_par_iter()).collect(),
        WhileSome => {
            // Which of the others come through depends on the schedule; but no wrong one does.
            iter.map(some).while_some().collect()
        }
        Fold => iter
            .fold(Vec::new, |mut v, x| {
                v.push(x);
                v
            })
            .reduce(Vec::new, |mut a, b| {
                a.extend(b);
                a
            }),
        Partition => {
            let (mut a, b): (Vec<_>, Vec<_>) = iter.partition(is_kept);
            a.extend(b);
            a
        }
        Intersperse => iter.intersperse(5).collect(),
        _ => iter.collect(),
    }
}

/// The same on one thread.
fn naive(v: &[u64], first: Indexed, second: Rest) -> Vec<u64> {
    use Indexed::*;
    let other = || v.iter().copied();
    let all = other();
    let v: Vec<u64> = match first {
        Map => all.map(mix).collect(),
        Rev => all.rev().collect(),
        Skip(n) => all.skip(n).collect(),
        Take(n) => all.take(n).collect(),
        StepBy(n) => all.step_by(n).collect(),
        EnumerateSum => all.enumerate().map(|(i, x)| x ^ i as u64).collect(),
        ZipWithSelf => all
            .zip(other().rev())
            .map(|(a, b)| a ^ b.rotate_left(1))
            .collect(),
        Chain => all.chain(other().map(mix)).collect(),
        ChunkSums(n) => v
            .chunks(n)
            .map(|chunk| sum(chunk.iter().copied()))
            .collect(),
        Interleave => interleaved(v, v.get(3..).unwrap_or(&[])),
        MinLen(_) | MaxLen(_) => v.to_vec(),
    };
    let all = v.iter().copied();
    match second {
        Rest::Filter => all.filter(is_kept).collect(),
        Rest::FilterMap => all.filter_map(some).collect(),
        Rest::FlatMap | Rest::FlatMapIter => all.flat_map(few).collect(),
        Rest::Inspect => all.rev().collect(),
        Rest::WhileSome => all.map_while(some).collect(),
        Rest::Fold | Rest::Collect => v,
        Rest::Partition => {
            let (mut a, b): (Vec<u64>, Vec<u64>) = all.partition(is_kept);
            a.extend(b);
            a
        }
        Rest::Intersperse => {
            let spread = all.flat_map(|x| [5, x]);
            spread.skip(1).collect()
        }
    }
}

fn interleaved(a: &[u64], b: &[u64]) -> Vec<u64> {
    let (mut a, mut b) = (a.iter(), b.iter());
    let mut all = Vec::new();
    loop {
        let pair = (a.next(), b.next());
        all.extend(pair.0);
        all.extend(pair.1);
        if pair == (None, None) {
            return all;
        }
    }
}

/// Ends that give one value.
fn check_ends(v: &[u64]) {
    let iter = || v.par_iter().copied();
    let seq = || v.iter().copied();
    assert_eq!(
        iter().map(|x| x % 1000).sum::<u64>(),
        seq().map(|x| x % 1000).sum()
    );
    assert_eq!((iter().min(), iter().max()), (seq().min(), seq().max()));
    assert_eq!(iter().count(), v.len());
    assert_eq!(iter().find_first(is_kept), seq().find(is_kept));
    assert_eq!(iter().find_last(is_kept), seq().rfind(is_kept));
    assert_eq!(
        iter().find_any(is_kept).is_some(),
        seq().any(|x| is_kept(&x))
    );
    assert_eq!(
        iter().position_first(|x| is_kept(&x)),
        seq().position(|x| is_kept(&x))
    );
    let (a, b): (Vec<_>, Vec<_>) = iter().map(|x| (x, mix(x))).unzip();
    assert!(a == v && b.iter().copied().eq(seq().map(mix)));
    let ours: Option<Vec<_>> = iter().map(some).collect();
    assert_eq!(ours, seq().map(some).collect());
    let text = |x: u64| (x % 10).to_string();
    assert_eq!(
        iter().map(text).collect::<String>(),
        seq().map(text).collect::<String>()
    );
}

/// Chains until the input is over.
pub fn chains(data: &[u8]) {
    let mut bytes = Bytes(data);
    let mut place = bytes.clone();
    bytes.byte();
    bytes.byte();
    let seed = u64::from(bytes.byte());
    let mut v: Vec<u64> = (0..bytes.len(32) as u64).map(|i| mix(i ^ seed)).collect();
    somewhere(&mut place, || {
        let mut steps = 0;
        while !bytes.is_over() && steps < 12 && v.len() <= MOST {
            steps += 1;
            let (first, second) = (indexed(&mut bytes), rest(&mut bytes));
            let (ours, wanted) = (ours(&v, first, second), naive(&v, first, second));
            match second {
                Rest::WhileSome => assert!(
                    is_within(&ours, &wanted, &v, first),
                    "{first:?}, {second:?}"
                ),
                _ => assert!(ours == wanted, "{first:?}, {second:?} of {} items", v.len()),
            }
            v = wanted;
        }
        check_ends(&v);
    });
}

/// Whether `while_some` may give this: some of what the chain gives, in order, and all of it if nothing stopped it.
fn is_within(ours: &[u64], wanted: &[u64], v: &[u64], first: Indexed) -> bool {
    let all = naive(v, first, Rest::Collect);
    if wanted.len() == all.len() {
        return ours == wanted;
    }
    let mut rest = all.into_iter().filter_map(some);
    ours.iter().all(|x| rest.any(|y| y == *x))
}

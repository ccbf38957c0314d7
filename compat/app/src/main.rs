//! Counts words with published crates that implement rayon's traits, and checks each against std.

use hashbrown::{HashMap, HashSet};
use indexmap::{IndexMap, IndexSet};
use rayon::prelude::*;

/// 5,000 words in a fixed order, `w0` to `w996` again and again.
fn words() -> Vec<String> {
    (0..5_000).map(|i| format!("w{}", i * 31 % 997)).collect()
}

fn expected(words: &[String]) -> std::collections::BTreeMap<&str, usize> {
    let mut counts = std::collections::BTreeMap::new();
    for word in words {
        *counts.entry(word.as_str()).or_default() += 1;
    }
    counts
}

/// hashbrown's table is an unindexed producer of its own, its collections are filled by `par_extend`.
fn with_hashbrown(words: &[String]) {
    let distinct: HashSet<&str> = words.par_iter().map(String::as_str).collect();
    let mut counts: HashMap<&str, usize> = distinct.par_iter().map(|&word| (word, 0)).collect();
    counts
        .par_iter_mut()
        .for_each(|(&word, n)| *n = words.iter().filter(|&other| other == word).count());
    assert_eq!(counts.par_values().sum::<usize>(), words.len());
    assert!(counts.par_eq(&counts.clone()));

    let expected = expected(words);
    assert_eq!(counts.len(), expected.len());
    assert!(counts.par_iter().all(|(&word, &n)| expected[word] == n));

    let odd: HashSet<&str> = counts
        .par_drain()
        .filter(|(_, n)| n % 2 == 1)
        .map(|(word, _)| word)
        .collect();
    assert!(counts.is_empty());
    assert_eq!(odd.len(), expected.values().filter(|&n| n % 2 == 1).count());
    assert!(odd.par_is_subset(&distinct));
    assert_eq!(
        distinct.par_difference(&odd).count(),
        distinct.len() - odd.len()
    );
}

/// indexmap wraps indexed iterators, keeps their order, and sorts in parallel.
fn with_indexmap(words: &[String]) {
    let distinct: IndexSet<&str> = words.par_iter().map(String::as_str).collect();
    assert!(distinct.iter().zip(words).all(|(&kept, word)| kept == word));

    let mut lengths: IndexMap<&str, usize> = IndexMap::new();
    lengths.par_extend(distinct.par_iter().map(|&word| (word, word.len())));
    assert!(lengths.par_keys().eq(distinct.par_iter()));
    assert_eq!(
        lengths
            .par_iter()
            .enumerate()
            .find_first(|(_, (_, n))| **n == 2)
            .map(|(at, _)| at),
        lengths.values().position(|&n| n == 2)
    );

    lengths.par_sort_by(|a, m, b, n| m.cmp(n).then(a.cmp(b)));
    let mut expected: Vec<&str> = distinct.iter().copied().collect();
    expected.sort_by_key(|word| (word.len(), *word));
    assert!(lengths.keys().eq(&expected));

    let drained: Vec<(&str, usize)> = lengths.par_drain(10..).collect();
    assert_eq!(lengths.len(), 10);
    assert!(drained.iter().map(|(word, _)| word).eq(&expected[10..]));
}

/// Names that filch has beside rayon's. A program that was written for rayon may have its own, and import both by a glob.
mod own {
    pub struct Folded;
    pub struct Cuts;

    pub fn bridge_into() -> (Folded, Cuts) {
        (Folded, Cuts)
    }
}

mod globs {
    use super::own::*;
    use rayon::iter::plumbing::*;
    use rayon::iter::*;

    struct First(usize);

    impl<T> ProducerCallback<T> for First {
        type Output = usize;

        fn callback<P: Producer<Item = T>>(self, producer: P) -> usize {
            producer.split_at(self.0).0.into_iter().count()
        }
    }

    pub fn count(n: usize) -> usize {
        let (Folded, Cuts) = bridge_into();
        repeat_n(1, 10).with_producer(First(n))
    }
}

fn main() {
    assert_eq!(globs::count(7), 7);
    let words = words();
    for threads in [1, 2, 8] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            with_hashbrown(&words);
            with_indexmap(&words);
        });
    }
    println!("{}", std::any::type_name::<rayon::ThreadPool>());
}

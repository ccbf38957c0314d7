//! The guide: chapters to read, from the first parallel loop to the core.
//!
//! It is written as a book (`docs/guide` in the repository, for mdBook), and most of it is here, too. Two chapters are only in the book, because they need
//! pictures: *How splitting works* and *The design of the core*. All examples are run as tests.
//!
//! | chapter | for |
//! |---|---|
//! | [Getting started](getting_started) | the first parallel loop |
//! | [Moving from rayon](moving_from_rayon) | what is the same, what is better, what differs and why |
//! | [Cheat sheet](cheat_sheet) | the same task in std, rayon and filch |
//! | [Questions](faq) | why is my loop not parallel, containers, locks, `fork`, async |
//! | [Other libraries](other_libraries) | what each does better, and what its names are here |
//! | [Is it worth it?](is_it_worth_it) | when parallel helps |
//! | [Why is it slow?](why_is_it_slow) | where the time went, why a loop was not cut, and what to do about it |
//! | [Choosing an algorithm](choosing_an_algorithm) | what there is, by what you want to do |
//! | [Sort and merge](sort_and_merge) | |
//! | [Scan, pack, partition, reorder](scan_and_pack) | |
//! | [Map-reduce by key](by_key) | |
//! | [Trees and graphs](trees_and_graphs) | |
//! | [Locks, blocking and isolate](locks) | deadlocks, and how not to have them |
//! | [Floats and reproducibility](floats) | the same bits in every run |
//! | [Pools, guests, threads](pools) | numbers of threads, pools of one's own, containers, wasm |
//! | [Reliability](reliability) | what you can rely on |
//! | [Past one machine](past_one_machine) | jobs for other processes and machines, with the crate `filch-queue` |
//! | [Writing your own iterator](crate::iter::plumbing) | sources, adaptors and ends |

/// A chapter. Links between chapters are names of files in the book. The definitions in `links.md` come first, so here they lead to modules, and
/// pictures to an empty image.
macro_rules! chapters {
    ($($(#[$attr:meta])* $name:ident: $file:literal,)*) => { $(
        $(#[$attr])*
        #[doc = include_str!("../docs/guide/links.md")]
        #[doc = include_str!(concat!("../docs/guide/src/", $file))]
        pub mod $name {}
    )* };
}

chapters! {
    getting_started: "getting-started.md",
    moving_from_rayon: "moving-from-rayon.md",
    cheat_sheet: "cheat-sheet.md",
    faq: "faq.md",
    other_libraries: "other-libraries.md",
    is_it_worth_it: "is-it-worth-it.md",
    why_is_it_slow: "why-is-it-slow.md",
    choosing_an_algorithm: "choosing-an-algorithm.md",
    sort_and_merge: "sort-and-merge.md",
    scan_and_pack: "scan-and-pack.md",
    by_key: "by-key.md",
    trees_and_graphs: "trees-and-graphs.md",
    locks: "locks.md",
    floats: "floats.md",
    pools: "pools.md",
    reliability: "reliability.md",
    past_one_machine: "past-one-machine.md",
    #[cfg(doctest)]
    how_splitting_works: "how-splitting-works.md",
    #[cfg(doctest)]
    the_core: "core.md",
}

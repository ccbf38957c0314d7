// As drawn first, of seed 2. The second part was stolen before the first one had its hit, and what the first part did then counted as behind it.
pub const CHAIN: Chain = Chain {
    name: "map_while_over_a_chain_of_flattened_chains",
    by_filch,
    by_std,
    promise: Promise { check: Check::Exact, count: Count::All, ordered: true },
    growth: 4,
    eager: false,
    turn: 0,
};

fn by_filch(n: usize, d: &Data) -> Vec<u64> {
    Out::out(d.numbers(n).par_iter().map(move |x| { let n = few(&x, 4); d.numbers((n + 3)).par_chunks_exact(9).chunks(2) }).flatten().map(number).chain(d.text(n).par_bytes().map(number)).map_while(|x| mix_most(x, 7, 5)).top_k_by_count(2, |x| x.value() % 50))
}

fn by_std(n: usize, d: &Data) -> Vec<u64> {
    Out::out({ let mut counts = BTreeMap::new(); for x in d.numbers(n).iter().map(move |x| { let n = few(&x, 4); d.numbers((n + 3)).chunks_exact(9).chunks(2) }).flatten().map(number).chain(d.text(n).bytes().map(number)).map_while(|x| mix_most(x, 7, 5)) { *counts.entry(x.value() % 50).or_insert(0usize) += 1; } let mut v: Vec<_> = counts.into_iter().collect(); v.sort_by_key(|x| std::cmp::Reverse(x.1)); v.truncate(2); v })
}

// The second part was stolen before the first one had its hit, and what the first part did then counted as behind it.
pub const CHAIN: Chain = Chain {
    name: "find_first_in_blocks_before_a_chain",
    by_filch,
    by_std,
    promise: Promise { check: Check::Exact, count: Count::All, ordered: true },
    growth: 1,
    eager: false,
    turn: 0,
};

fn by_filch(n: usize, d: &Data) -> Vec<u64> {
    let late = n * 9 / 10;
    Out::out((0..n).into_par_iter().by_uniform_blocks(10).inspect(look).chain(filch::iter::once(7_000_000)).find_first(|&x| x == late || x >= 7_000_000))
}

fn by_std(n: usize, d: &Data) -> Vec<u64> {
    let late = n * 9 / 10;
    Out::out((0..n).chain(std::iter::once(7_000_000)).find(|&x| x == late || x >= 7_000_000))
}

// The second part was stolen before the first one had its hit, and what the first part did then counted as behind it.
pub const CHAIN: Chain = Chain {
    name: "take_while_over_a_chain",
    by_filch,
    by_std,
    promise: Promise { check: Check::Items, count: Count::All, ordered: true },
    growth: 1,
    eager: false,
    turn: 0,
};

fn by_filch(n: usize, d: &Data) -> Vec<u64> {
    let late = n * 9 / 10;
    Out::out((0..n).into_par_iter().flat_map(|x| { look(&x); [x] }).chain(filch::iter::once(7_000_000)).take_while(|&x| x < late).collect::<Vec<_>>())
}

fn by_std(n: usize, d: &Data) -> Vec<u64> {
    let late = n * 9 / 10;
    Out::out((0..n).chain(std::iter::once(7_000_000)).take_while(|&x| x < late).collect::<Vec<_>>())
}

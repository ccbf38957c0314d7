// As drawn first, number 310 of seed 4. The leftmost consumer, the only one that can fill a text, was never folded.
pub const CHAIN: Chain = Chain {
    name: "text_after_skip_while",
    by_filch,
    by_std,
    promise: Promise { check: Check::Items, count: Count::All, ordered: true },
    growth: 1,
    eager: true,
    turn: 0,
};

fn by_filch(n: usize, d: &Data) -> Vec<u64> {
    Out::out(tokens(n).into_par_iter().skip_while(|x| most(x, 16, 300)).map(|x| char::from(x.value() as u8)).collect::<String>())
}

fn by_std(n: usize, d: &Data) -> Vec<u64> {
    Out::out(tokens(n).into_iter().skip_while(|x| most(x, 16, 300)).map(|x| char::from(x.value() as u8)).collect::<String>())
}

//! Programs, and what they give on one thread.

use crate::dice::{Dice, mix};
use std::collections::BTreeMap;

/// A program. Each gives a number, or panics.
#[derive(Debug, Clone)]
pub enum Program {
    /// Some work.
    Leaf(u64),
    /// Panics.
    Panic,
    /// What the program inside gives; a number of its own if it panics.
    Catch(Box<Program>),
    /// Both.
    Join(Box<Program>, Box<Program>),
    /// All, as jobs of a scope: first in, first out, or not.
    Scope(Vec<Program>, bool),
    /// The program, while its thread runs nothing else.
    Isolate(Box<Program>),
    /// The program in the shared pool of this number.
    Install(usize, Box<Program>),
    /// The program in a pool of its own, of so many threads.
    OwnPool(usize, Box<Program>),
    /// On each thread of one of the shared pools.
    Broadcast,
    /// So many items through one of the chains; some of the items run a program.
    Chain(Chain, u64, Box<Program>),
    /// So many keys, through one of the sorts.
    Sort(u64, u64),
    /// Spawned, and awaited through a channel.
    Spawn(u64),
}

/// What a parallel iterator does.
#[derive(Debug, Clone, Copy)]
pub enum Chain {
    Sum,
    CollectEven,
    CollectInPlace,
    FlatMap,
    FoldReduce,
    ZipRev,
    FindFirst,
    TryUntil,
    Bridge,
    Map,
    Text,
    MaxLen,
    Drain,
    Tree,
    Ordered,
    Background,
    BridgeOrdered,
    Group,
    Count,
    Scan,
    Retain,
    TreeReduce,
    WorkList,
    TakeWhile,
    Using,
    Cancel,
}

const CHAINS: [Chain; 26] = [
    Chain::Sum,
    Chain::CollectEven,
    Chain::CollectInPlace,
    Chain::FlatMap,
    Chain::FoldReduce,
    Chain::ZipRev,
    Chain::FindFirst,
    Chain::TryUntil,
    Chain::Bridge,
    Chain::Map,
    Chain::Text,
    Chain::MaxLen,
    Chain::Drain,
    Chain::Tree,
    Chain::Ordered,
    Chain::Background,
    Chain::BridgeOrdered,
    Chain::Group,
    Chain::Count,
    Chain::Scan,
    Chain::Retain,
    Chain::TreeReduce,
    Chain::WorkList,
    Chain::TakeWhile,
    Chain::Using,
    Chain::Cancel,
];

/// How many different keys the chains have that group.
pub const KINDS: u64 = 997;

/// How many shared pools there are.
pub const POOLS: usize = 3;

/// How many programs inside each other may call into pools: whoever waits for a pool runs other things meanwhile, on the same stack.
const CALLS: u32 = 2;

/// Where a program runs. Isolated ones call in one direction only, because they could wait for each other for ever.
#[derive(Clone, Copy, Default)]
struct Place {
    isolated: bool,
    /// The least pool that may be called from an isolated program here.
    above: usize,
}

impl Program {
    /// A random program, `depth` levels deep at most.
    pub fn random(dice: &mut Dice, depth: u32) -> Program {
        Self::inner(dice, depth, CALLS, Place::default())
    }

    fn inner(dice: &mut Dice, depth: u32, calls: u32, place: Place) -> Program {
        if dice.below(300) == 0 {
            return Program::Panic;
        }
        if depth == 0 {
            return match dice.below(8) {
                0 => Program::Spawn(dice.next()),
                1 if calls > 0 => Program::Broadcast,
                2 => Program::Sort(dice.size(3000), dice.next()),
                _ => Program::Leaf(dice.size(2000)),
            };
        }
        let again = |dice: &mut Dice| Box::new(Self::inner(dice, depth - 1, calls, place));
        match dice.below(20) {
            0..6 => Program::Join(again(dice), again(dice)),
            6 | 7 => {
                let jobs = dice.size(6);
                let jobs = (0..jobs).map(|_| *again(dice)).collect();
                Program::Scope(jobs, dice.below(2) == 0)
            }
            8 => {
                let isolated = true;
                let place = Place { isolated, ..place };
                Program::Isolate(Box::new(Self::inner(dice, depth - 1, calls, place)))
            }
            9 if calls > 0 => {
                let least = if place.isolated { place.above } else { 0 };
                let Some(choice) = (POOLS - least).checked_sub(1) else {
                    return Program::Leaf(dice.size(2000));
                };
                let at = least + dice.below(choice as u64 + 1) as usize;
                let above = at + 1;
                let place = Place { above, ..place };
                let program = Self::inner(dice, depth - 1, calls - 1, place);
                Program::Install(at, Box::new(program))
            }
            10 if calls > 0 && dice.below(8) == 0 => {
                let program = Self::inner(dice, depth - 1, 0, place);
                Program::OwnPool(dice.below(5) as usize + 1, Box::new(program))
            }
            11 => {
                let program = again(dice);
                let joined = Box::new(Program::Join(program, Box::new(Program::Panic)));
                Program::Catch(if dice.below(2) == 0 {
                    joined
                } else {
                    again(dice)
                })
            }
            12 => Program::Sort(dice.size(100_000), dice.next()),
            _ => {
                let chain = CHAINS[dice.below(CHAINS.len() as u64) as usize];
                let shallow = Self::inner(dice, (depth - 1).min(2), 0, place);
                Program::Chain(chain, dice.size(20_000), Box::new(shallow))
            }
        }
    }
}

/// A planned panic.
pub struct Planned;

/// What work of this size gives.
pub fn work(size: u64) -> u64 {
    (0..size).fold(size, |x, i| mix(x ^ i))
}

/// Whether item `i` of a chain of `len` runs the chain's program: a few of them do.
pub fn is_special(i: u64, len: u64) -> bool {
    i % (len / 3 + 1) == len / 5
}

/// The number of keys that a sort sorts.
pub fn keys(len: u64, seed: u64) -> Vec<u64> {
    let few = seed.is_multiple_of(3);
    (0..len)
        .map(|i| mix(i ^ seed) % if few { 10 } else { u64::MAX })
        .collect()
}

/// A number for a sequence of numbers.
pub fn digest(items: impl IntoIterator<Item = u64>) -> u64 {
    items
        .into_iter()
        .fold(7, |x, item| mix(x.wrapping_mul(31) ^ item))
}

/// The text of a chain over text.
pub fn text(len: u64) -> String {
    (0..len / 8)
        .map(|i| format!("{} {}\n", mix(i) % 100, i))
        .collect()
}

/// What the program gives on one thread. `Err`: it panics.
pub fn expected(program: &Program) -> Result<u64, Planned> {
    Ok(match program {
        Program::Leaf(size) => work(*size),
        Program::Panic => return Err(Planned),
        Program::Catch(inner) => expected(inner).unwrap_or(13),
        Program::Join(left, right) => {
            let (left, right) = (expected(left), expected(right));
            mix(left? ^ right?.rotate_left(1))
        }
        Program::Scope(jobs, _) => {
            let all: Vec<_> = jobs.iter().map(expected).collect();
            digest(all.into_iter().collect::<Result<Vec<_>, _>>()?)
        }
        Program::Isolate(inner) | Program::Install(_, inner) | Program::OwnPool(_, inner) => {
            expected(inner)?
        }
        Program::Broadcast => 1,
        Program::Spawn(n) => mix(*n),
        Program::Sort(len, seed) => {
            let mut keys = keys(*len, *seed);
            keys.sort();
            digest(keys)
        }
        // How many items run depends on the threads, so none of them runs a program.
        Program::Chain(Chain::Cancel, ..) => 3,
        Program::Chain(chain, len, inner) => {
            let special = match (0..*len).any(|i| is_special(i, *len)) {
                true => expected(inner)?,
                false => 0,
            };
            let item = |i: u64| mix(i) ^ if is_special(i, *len) { special } else { 0 };
            let items = || (0..*len).map(item);
            match chain {
                Chain::Sum | Chain::MaxLen | Chain::TreeReduce | Chain::WorkList | Chain::Using => {
                    items().fold(0, u64::wrapping_add)
                }
                Chain::CollectEven => digest(items().filter(|x| x % 2 == 0)),
                Chain::CollectInPlace
                | Chain::FoldReduce
                | Chain::Drain
                | Chain::Ordered
                | Chain::Background
                | Chain::BridgeOrdered => digest(items()),
                Chain::FlatMap => digest(items().flat_map(|x| (0..x % 4).map(move |y| x ^ y))),
                Chain::ZipRev => digest(
                    items()
                        .zip(items().rev())
                        .map(|(a, b)| a ^ b.rotate_left(9)),
                ),
                Chain::FindFirst => items().find(|x| x % 1000 == 0).unwrap_or(5),
                Chain::TryUntil => u64::from(items().all(|x| x % 5000 != 0)),
                Chain::Bridge => items().fold(0, u64::wrapping_add),
                Chain::Map => digest(
                    items()
                        .map(|x| x % 1000)
                        .collect::<std::collections::BTreeSet<_>>(),
                ),
                Chain::Text => {
                    let lines = text(*len);
                    digest(lines.lines().map(|line| line.len() as u64)) ^ special
                }
                Chain::Group => {
                    let mut groups = BTreeMap::<u64, Vec<u64>>::new();
                    items().for_each(|x| groups.entry(x % KINDS).or_default().push(x));
                    digest(groups.into_values().flatten())
                }
                Chain::Count => {
                    let mut counts = BTreeMap::<u64, u64>::new();
                    items().for_each(|x| *counts.entry(x % KINDS).or_default() += 1);
                    digest(counts.into_values())
                }
                Chain::Scan => digest(items().scan(0u64, |sum, x| {
                    *sum = sum.wrapping_add(x);
                    Some(*sum)
                })),
                Chain::Retain => digest(items().filter(|x| x % 3 != 0)),
                Chain::TakeWhile => {
                    let all: Vec<u64> = items().collect();
                    digest(all.into_iter().take_while(|x| x % 3000 != 0))
                }
                Chain::Cancel => unreachable!("see above"),
                Chain::Tree => (0..*len).fold(0, |x, i| x.wrapping_add(item(i))),
            }
        }
    })
}

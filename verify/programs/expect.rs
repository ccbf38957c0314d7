//! What the rules say of a program.

use super::chain::{self, Chain, Reach, is_mark, is_special};
use super::dice::mix;
use super::program::{Kind, Node};
use std::collections::{BTreeMap, BTreeSet};

/// What may come out of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The number, if it may return.
    pub value: Option<u64>,
    /// The nodes whose panics may come out.
    pub panics: BTreeSet<u32>,
}

/// What the rules say of a whole program.
pub struct Expected {
    pub outcome: Outcome,
    /// For each node: its name, how often it runs at least and at most.
    pub runs: Vec<(&'static str, u32, u32)>,
    /// What may come out of the programs that are caught.
    pub caught: BTreeMap<u32, Outcome>,
    /// For each chain: how many items from the front have to be computed, and how often each.
    pub needed: BTreeMap<u32, (u64, u8)>,
}

/// What caught panics count as.
pub const CAUGHT: u64 = 13;

impl Expected {
    pub fn of(program: &Node) -> Expected {
        let mut expected = Expected {
            outcome: Outcome::returns(0),
            runs: vec![("", 0, 0); program.size() as usize],
            caught: BTreeMap::new(),
            needed: BTreeMap::new(),
        };
        expected.outcome = expected.visit(program, (1, 1), &mut None);
        expected
    }

    /// The outcome of `node`, which runs so many `times`, at least and at most. Jobs for the scope around add theirs to `outer`.
    fn visit(&mut self, node: &Node, times: (u32, u32), outer: &mut Option<Outcome>) -> Outcome {
        self.runs[node.id as usize] = (name(&node.kind), times.0, times.1);
        match &node.kind {
            Kind::Leaf(size) => Outcome::returns(work(*size)),
            Kind::Panic => Outcome {
                value: None,
                panics: BTreeSet::from([node.id]),
            },
            Kind::Catch(inner) => {
                let outcome = self.visit(inner, times, outer);
                let calm = outcome.panics.is_empty();
                let value = outcome.value.filter(|_| calm).unwrap_or(CAUGHT);
                self.caught.insert(node.id, outcome);
                Outcome::returns(value)
            }
            Kind::Join(left, right) => {
                let left = self.visit(left, times, outer);
                left.before(self.visit(right, times, outer))
            }
            Kind::Handle { here, there, .. } => {
                let here = self.visit(here, times, outer);
                here.before(self.visit(there, times, &mut None))
            }
            Kind::Scope(jobs, flavour) => {
                let mut inside = Some(Outcome::returns(0));
                let taker = if flavour.passes { outer } else { &mut inside };
                let all: Vec<Outcome> = jobs
                    .iter()
                    .map(|job| self.visit(job, times, taker))
                    .collect();
                let mut all = Outcome::of_all(all);
                if let Some(inside) = inside {
                    all.and(inside);
                }
                all
            }
            Kind::Outer(inner) => {
                let outcome = self.visit(inner, times, outer);
                match outer {
                    Some(outer) => {
                        // Whether it runs for certain is known where it is put in.
                        let value = outcome.value.or((times.0 == 0).then_some(0));
                        outer.and(Outcome { value, ..outcome });
                        Outcome::returns(1)
                    }
                    None => outcome.map(|_| 1),
                }
            }
            Kind::CancelScope(jobs, cancels) => {
                let mut all = Outcome::returns(0);
                for (i, job) in jobs.iter().enumerate() {
                    // The job that cancels runs in any case. All others may be left out.
                    let least = if i == *cancels { times.0 } else { 0 };
                    let outcome = self.visit(job, (least, times.1), outer);
                    let value = outcome.value.or((i != *cancels).then_some(0));
                    all.and(Outcome { value, ..outcome });
                }
                all.map(|_| 17)
            }
            Kind::Isolate(inner)
            | Kind::Install(_, inner)
            | Kind::OwnPool(_, inner)
            | Kind::Locked(inner) => self.visit(inner, times, outer),
            Kind::Shares { threads, share, .. } => {
                let times = (times.0 * threads, times.1 * threads);
                let share = self.visit(share, times, outer);
                share.map(|value| chain::digest((0..*threads).map(|_| value)))
            }
            Kind::Broadcast => Outcome::returns(1),
            Kind::Spawn(n) => Outcome::returns(mix(*n)),
            Kind::Sort(len, seed) => {
                let mut keys = keys(*len, *seed);
                keys.sort();
                Outcome::returns(chain::digest(keys))
            }
            Kind::Chain(Chain::Cancel, _, inner) => {
                // How many items run depends on the threads, so none of them runs a program.
                self.visit(inner, (0, 0), &mut None);
                Outcome::returns(3)
            }
            Kind::Chain(chain, len, inner) => {
                let mut nowhere = None;
                let outer = if chain.outlives_scopes() {
                    &mut nowhere
                } else {
                    outer
                };
                self.chain(node.id, *chain, *len, inner, times, outer)
            }
        }
    }

    fn chain(
        &mut self,
        id: u32,
        chain: Chain,
        len: u64,
        inner: &Node,
        times: (u32, u32),
        outer: &mut Option<Outcome>,
    ) -> Outcome {
        // What it gives first, for that decides how often it runs.
        let mut aside = outer.clone();
        let found = self.visit(inner, (0, 0), &mut aside);
        let special = found.value;
        let items: Vec<u64> = (0..len)
            .map(|i| {
                let special = special.filter(|_| is_special(i, len));
                chain::item(i, len, special.unwrap_or(0))
            })
            .collect();
        let is_special = |i: &u64| is_special(*i, len);
        let (needed, copies) = match chain.reach() {
            Reach::All(copies) => (len, copies),
            Reach::Any => (0, 1),
            Reach::UpToMark => {
                let returns = |i: &u64| special.is_some() || !is_special(i);
                let hit = (0..len).find(|i| returns(i) && is_mark(items[*i as usize]));
                (hit.map_or(len, |hit| hit + 1), 1)
            }
        };
        let runs = if chain == Chain::Text {
            let any = u32::from((0..len).any(|i| is_special(&i)));
            (any, any)
        } else {
            let copies = u32::from(copies);
            let all = (0..len).filter(is_special).count() as u32;
            let due = (0..needed).filter(is_special).count() as u32;
            (due * copies, all * copies)
        };
        let has_panics = !found.panics.is_empty();
        let least = if has_panics { runs.0.min(1) } else { runs.0 };
        self.visit(inner, (times.0 * least, times.1 * runs.1), outer);
        let counted = if chain == Chain::Text { 0 } else { needed };
        self.needed.insert(id, (counted, copies));
        let returns = special.is_some() || runs.0 == 0;
        let value = || match chain {
            Chain::Text => chain.expected(&items) ^ special.filter(|_| runs.1 > 0).unwrap_or(0),
            _ => chain.expected(&items),
        };
        Outcome {
            value: returns.then(value),
            panics: if runs.1 > 0 {
                found.panics
            } else {
                BTreeSet::new()
            },
        }
    }
}

impl Outcome {
    fn returns(value: u64) -> Self {
        Outcome {
            value: Some(value),
            panics: BTreeSet::new(),
        }
    }

    fn map(self, change: impl FnOnce(u64) -> u64) -> Self {
        Outcome {
            value: self.value.map(change),
            ..self
        }
    }

    /// Of things that all run, any may panic.
    fn and(&mut self, other: Outcome) {
        self.panics.extend(other.panics);
        self.value = self.value.filter(|_| other.value.is_some());
    }

    /// This and `right`, of which both run. This one's panic comes out, so the other one's does only if this one may return.
    fn before(mut self, right: Outcome) -> Self {
        let Some(value) = self.value else {
            return self;
        };
        self.panics.extend(right.panics);
        self.value = right.value.map(|right| mix(value ^ right.rotate_left(1)));
        self
    }

    fn of_all(all: Vec<Outcome>) -> Self {
        let values: Option<Vec<u64>> = all.iter().map(|outcome| outcome.value).collect();
        Outcome {
            value: values.map(chain::digest),
            panics: all.into_iter().flat_map(|outcome| outcome.panics).collect(),
        }
    }

    /// What is wrong with `found`, which came out of `node`: a number, or the panic of a node.
    pub fn judge(&self, node: u32, found: Result<u64, u32>) -> Option<String> {
        match (found, self.value) {
            (Ok(found), Some(value)) if found == value => None,
            (Ok(found), Some(value)) => {
                Some(format!("node {node} gave {found} instead of {value}"))
            }
            (Ok(_), None) => Some(format!(
                "node {node} returned, but has to panic with one of {:?}",
                self.panics
            )),
            (Err(panic), _) if self.panics.contains(&panic) => None,
            (Err(panic), _) => Some(format!(
                "the panic of node {panic} came out instead of one of {:?} at node {node}",
                self.panics
            )),
        }
    }
}

/// What work of this size gives.
pub fn work(size: u64) -> u64 {
    (0..size).fold(size, |x, i| mix(x ^ i))
}

/// The keys that a sort sorts.
pub fn keys(len: u64, seed: u64) -> Vec<u64> {
    let few = seed.is_multiple_of(3);
    (0..len)
        .map(|i| mix(i ^ seed) % if few { 10 } else { u64::MAX })
        .collect()
}

fn name(kind: &Kind) -> &'static str {
    match kind {
        Kind::Leaf(_) => "leaf",
        Kind::Panic => "panic",
        Kind::Catch(_) => "catch",
        Kind::Join(..) => "join",
        Kind::Scope(..) => "scope",
        Kind::Outer(_) => "job for an outer scope",
        Kind::CancelScope(..) => "scope with a token",
        Kind::Isolate(_) => "isolated",
        Kind::Install(..) => "call into a pool",
        Kind::OwnPool(..) => "pool",
        Kind::Broadcast => "broadcast",
        Kind::Shares { .. } => "broadcast of a program",
        Kind::Handle { .. } => "job with a handle",
        Kind::Locked(_) => "holder of a lock",
        Kind::Chain(..) => "chain",
        Kind::Sort(..) => "sort",
        Kind::Spawn(_) => "spawned job",
    }
}

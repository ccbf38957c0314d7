//! What programs look like, and how they are made from a seed.

use super::chain::Chain;
use super::dice::Dice;

/// A program. Each gives a number, or panics.
#[derive(Debug, Clone)]
pub struct Node {
    /// Its identity: its place in the order in which the program is written down.
    pub id: u32,
    pub kind: Kind,
}

#[derive(Debug, Clone)]
pub enum Kind {
    /// Some work.
    Leaf(u64),
    /// Panics.
    Panic,
    /// What the program inside gives; a number of its own if it may panic.
    Catch(Box<Node>),
    /// Both.
    Join(Box<Node>, Box<Node>),
    /// All, as jobs of a scope.
    Scope(Vec<Node>, Flavour),
    /// A job for a scope that the program is in: the innermost one that takes such jobs. Gives nothing.
    Outer(Box<Node>),
    /// All, as jobs of a scope with a token, which the job of this number cancels.
    CancelScope(Vec<Node>, usize),
    /// The program, while its thread runs nothing else.
    Isolate(Box<Node>),
    /// The program in the shared pool of this number.
    Install(usize, Box<Node>),
    /// The program in a pool of its own, of so many threads.
    OwnPool(usize, Box<Node>),
    /// A number on each thread of one of the shared pools.
    Broadcast,
    /// The program on each thread of the shared pool of this number.
    Shares {
        at: usize,
        threads: u32,
        share: Box<Node>,
    },
    /// The first program here, while the second one is a job with a handle in the shared pool `at`. The job is joined here, or in the shared pool `joined_in`.
    Handle {
        at: usize,
        joined_in: Option<usize>,
        here: Box<Node>,
        there: Box<Node>,
    },
    /// The program, isolated, while its thread holds a lock that each run of this node takes.
    Locked(Box<Node>),
    /// So many items through one of the chains; some of the items run a program.
    Chain(Chain, u64, Box<Node>),
    /// So many keys, through one of the sorts.
    Sort(u64, u64),
    /// Spawned, and awaited.
    Spawn(u64),
}

/// What a scope is like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flavour {
    /// First in, first out.
    pub fifo: bool,
    /// On the thread that is there.
    pub in_place: bool,
    /// Jobs for an outer scope go past this one.
    pub passes: bool,
}

/// What the programs of a run may have.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// How many levels are inside each other.
    pub depth: u32,
    /// How many threads each of the shared pools has.
    pub pools: &'static [usize],
    /// How many items a chain has, how many keys a sort, and how long a leaf takes.
    pub items: u64,
    pub keys: u64,
    pub work: u64,
    /// How many threads the pool of a program has.
    pub own_threads: u64,
    /// Also what takes too many steps, or has threads of its own, for a model.
    pub all: bool,
}

/// How many programs inside each other may call into pools: a thread that waits for a pool runs other things meanwhile, on the same stack.
const CALLS: u32 = 2;

/// Where a program is.
#[derive(Clone, Copy, Default)]
struct Place {
    /// How many calls into pools there may be inside.
    calls: u32,
    /// There is a scope that takes jobs.
    in_scope: bool,
    /// It may lie on top of a job with a handle. A thread that polls there runs any job, perhaps one that joins the job below.
    on_job: bool,
    /// It is a part of a broadcast, which may want no lock that is held in an isolated call.
    in_share: bool,
    /// A lock is held. Then no item of a background iterator may be awaited, because all threads that compute items may want the lock.
    locked: bool,
}

/// Makes one program.
struct Maker {
    dice: Dice,
    limits: Limits,
}

impl Node {
    /// The program of this seed.
    pub fn of_seed(seed: u64, limits: Limits) -> Node {
        let mut dice = Dice::new(seed);
        let depth = dice.below(u64::from(limits.depth) + 1) as u32;
        let mut maker = Maker { dice, limits };
        let calls = CALLS;
        let mut program = maker.node(
            depth,
            Place {
                calls,
                ..Place::default()
            },
        );
        program.number();
        program
    }

    /// A node whose number comes later.
    pub fn new(kind: Kind) -> Node {
        Node { id: 0, kind }
    }

    /// Numbers the nodes, and says how many there are.
    pub fn number(&mut self) -> u32 {
        fn count(node: &mut Node, next: &mut u32) {
            node.id = *next;
            *next += 1;
            for child in node.children_mut() {
                count(child, next);
            }
        }
        let mut next = 0;
        count(self, &mut next);
        next
    }

    /// How many nodes there are.
    pub fn size(&self) -> u32 {
        1 + self.children().into_iter().map(Node::size).sum::<u32>()
    }

    pub fn children(&self) -> Vec<&Node> {
        match &self.kind {
            Kind::Catch(inner)
            | Kind::Outer(inner)
            | Kind::Isolate(inner)
            | Kind::Install(_, inner)
            | Kind::OwnPool(_, inner)
            | Kind::Shares { share: inner, .. }
            | Kind::Locked(inner)
            | Kind::Chain(_, _, inner) => vec![inner],
            Kind::Join(left, right)
            | Kind::Handle {
                here: left,
                there: right,
                ..
            } => vec![left, right],
            Kind::Scope(jobs, _) | Kind::CancelScope(jobs, _) => jobs.iter().collect(),
            Kind::Leaf(_) | Kind::Panic | Kind::Broadcast | Kind::Sort(..) | Kind::Spawn(_) => {
                Vec::new()
            }
        }
    }

    pub fn children_mut(&mut self) -> Vec<&mut Node> {
        match &mut self.kind {
            Kind::Catch(inner)
            | Kind::Outer(inner)
            | Kind::Isolate(inner)
            | Kind::Install(_, inner)
            | Kind::OwnPool(_, inner)
            | Kind::Shares { share: inner, .. }
            | Kind::Locked(inner)
            | Kind::Chain(_, _, inner) => vec![inner],
            Kind::Join(left, right)
            | Kind::Handle {
                here: left,
                there: right,
                ..
            } => vec![left, right],
            Kind::Scope(jobs, _) | Kind::CancelScope(jobs, _) => jobs.iter_mut().collect(),
            Kind::Leaf(_) | Kind::Panic | Kind::Broadcast | Kind::Sort(..) | Kind::Spawn(_) => {
                Vec::new()
            }
        }
    }
}

impl Maker {
    fn leaf(&mut self) -> Kind {
        Kind::Leaf(self.dice.size(self.limits.work))
    }

    fn node(&mut self, depth: u32, place: Place) -> Node {
        Node::new(self.kind(depth, place))
    }

    fn boxed(&mut self, depth: u32, place: Place) -> Box<Node> {
        Box::new(self.node(depth, place))
    }

    fn kind(&mut self, depth: u32, place: Place) -> Kind {
        let limits = self.limits;
        if self.dice.below(300) == 0 {
            return Kind::Panic;
        }
        let Some(less) = depth.checked_sub(1) else {
            return match self.dice.below(8) {
                0 if !(place.on_job || place.locked && place.calls > 0) => {
                    Kind::Spawn(self.dice.next())
                }
                1 if place.calls > 0 && !place.locked => Kind::Broadcast,
                2 => Kind::Sort(self.dice.size(limits.keys / 30), self.dice.next()),
                _ => self.leaf(),
            };
        };
        match self.dice.below(28) {
            0..6 => Kind::Join(self.boxed(less, place), self.boxed(less, place)),
            6..9 => {
                let flavour = Flavour {
                    fifo: self.dice.below(2) == 0,
                    in_place: self.dice.below(4) == 0,
                    passes: place.in_scope && self.dice.below(3) == 0,
                };
                let in_scope = true;
                Kind::Scope(self.jobs(less, Place { in_scope, ..place }), flavour)
            }
            9 if place.in_scope => Kind::Outer(self.boxed(less, place)),
            10 => {
                let mut jobs = self.jobs(less, place);
                jobs.push(self.node(less, place));
                let cancels = self.dice.below(jobs.len() as u64) as usize;
                Kind::CancelScope(jobs, cancels)
            }
            11 => Kind::Isolate(self.boxed(less, place)),
            12 | 13 if place.calls > 0 => {
                let (at, inside) = self.call(place);
                Kind::Install(at, self.boxed(less, inside))
            }
            24 if place.calls > 0 && !place.locked => {
                let (at, inside) = self.call(place);
                let threads = limits.pools[at] as u32;
                let inside = Place {
                    on_job: true,
                    in_share: true,
                    ..inside
                };
                let share = self.boxed(less.min(2), inside);
                Kind::Shares { at, threads, share }
            }
            25 | 26 if place.calls > 0 => {
                let (at, inside) = self.call(place);
                // The job outlives the scopes that it is in, as far as the types know.
                let inside = Place {
                    in_scope: false,
                    on_job: true,
                    ..inside
                };
                let joins_there = self.dice.below(2) == 0;
                Kind::Handle {
                    at,
                    joined_in: joins_there.then(|| self.call(place).0),
                    here: self.boxed(less, place),
                    there: self.boxed(less, inside),
                }
            }
            // In a model no thread of the system may block.
            27 if limits.all && !place.in_share => {
                let inside = Place {
                    locked: true,
                    ..place
                };
                Kind::Locked(self.boxed(less, inside))
            }
            14 if place.calls > 0 && self.dice.below(8) == 0 => {
                let threads = self.dice.below(limits.own_threads) as usize + 1;
                Kind::OwnPool(threads, self.boxed(less, Place { calls: 0, ..place }))
            }
            15 | 16 => Kind::Catch(self.panicking(less, place)),
            17 if limits.keys > 0 => Kind::Sort(self.dice.size(limits.keys), self.dice.next()),
            _ => {
                let chain = Chain::random(&mut self.dice, limits.all);
                if place.locked && chain.outlives_scopes() {
                    return self.leaf();
                }
                // What runs in the background outlives the scopes that it is in.
                let in_scope = place.in_scope && !chain.outlives_scopes();
                let place = Place {
                    in_scope,
                    calls: 0,
                    ..place
                };
                let inner = self.boxed(less.min(2), place);
                Kind::Chain(chain, self.dice.size(limits.items), inner)
            }
        }
    }

    /// One of the shared pools, and the place of what is called there.
    fn call(&mut self, place: Place) -> (usize, Place) {
        let at = self.dice.below(self.limits.pools.len() as u64) as usize;
        let calls = place.calls - 1;
        (at, Place { calls, ..place })
    }

    fn jobs(&mut self, depth: u32, place: Place) -> Vec<Node> {
        let jobs = self.dice.size(6);
        (0..jobs).map(|_| self.node(depth, place)).collect()
    }

    /// A program that often panics: at the left, at the right, in both places.
    fn panicking(&mut self, depth: u32, place: Place) -> Box<Node> {
        let less = depth.saturating_sub(1);
        let inner = self.boxed(less, place);
        let panic = Box::new(Node::new(Kind::Panic));
        let kind = match self.dice.below(5) {
            0 => Kind::Join(inner, panic),
            1 => Kind::Join(panic, inner),
            2 => {
                let left = Kind::Join(inner, panic.clone());
                Kind::Join(Box::new(Node::new(left)), panic)
            }
            3 => {
                let right = Kind::Join(inner, panic.clone());
                Kind::Join(panic, Box::new(Node::new(right)))
            }
            _ => return inner,
        };
        Box::new(Node::new(kind))
    }
}

//! The machine: workers, their queues, and what they do in virtual time.
//!
//! It mirrors the crate's core as state machines:
//!
//! | file | what | in the crate |
//! |---|---|---|
//! | `thread` | a thread, its queues, its stack | `desk`, `deque` |
//! | `queue` | push, pop, promote, steal | `deque`, `worker`, `fork` |
//! | `idle` | search and sleep | `search`, `wait` |
//! | `wake` | wake-ups, rights to run | `wake`, `rights`, `sleepers` |
//! | `exec` | what a thread with work does next | `fork`, `drive` |
//! | `demand` | whether to cut a loop, and whom to wake for it, by the crate's own `grain` and `market` | `demand` |

mod demand;
mod exec;
mod idle;
mod queue;
mod thread;
mod wake;

use crate::choices::Choices;
use crate::core::policy;
use crate::costs::Costs;
use crate::driver::{Lane, Run};
use crate::grain::Grain;
use crate::memory;
use crate::work::{Caller, Loop, Step, Workload};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, VecDeque};
use thread::{Frame, Job, Place, State, Thread, What};

/// What happened.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// When the call was over, or how long an answer took in the mean, in nanoseconds.
    pub time: u64,
    /// Processor time in nanoseconds, until all sleep again: work, ...
    pub work: u64,
    /// ... forks, cuts, steals and the like, ...
    pub handing: u64,
    /// ... looking for work in vain, ...
    pub searching: u64,
    /// ... and waking and falling asleep.
    pub waking: u64,
    /// Jobs that were taken from another thread.
    pub steals: u64,
    /// Attempts that found nothing any more.
    pub failed: u64,
    /// Threads that were woken to look for work.
    pub wakes: u64,
    /// How often a thread fell asleep.
    pub parks: u64,
    /// How often a loop was cut.
    pub cuts: u64,
    /// How many jobs became public.
    pub promotions: u64,
    /// The longest that a thread folded without a look, in nanoseconds: until then no other thread could take a part of that.
    pub unseen: u64,
}

impl Outcome {
    /// All processor time, in nanoseconds.
    pub fn processor(&self) -> u64 {
        self.work + self.handing + self.searching + self.waking
    }
}

/// For what a thread pays.
#[derive(Clone, Copy, PartialEq)]
enum For {
    Work,
    Handing,
    Searching,
    Waking,
}

/// Comes from outside when its time has come.
const OUTSIDE: usize = usize::MAX;

/// A thread split what was left of a loop: it folded the first part then and there, or offered the second one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// The number of the first item that was left.
    pub at: usize,
    /// How many items the first part has.
    pub items: usize,
}

struct Machine<'a> {
    workers: usize,
    choices: &'a Choices,
    costs: &'a Costs,
    grain: Grain,
    now: u64,
    /// What the thread whose turn it is has paid in this turn.
    spent: u64,
    sequence: u64,
    events: BinaryHeap<Reverse<(u64, u64, usize)>>,
    random: u64,
    threads: Vec<Thread>,
    jobs: Vec<Job>,
    lanes: Vec<Lane>,
    runs: Vec<Run>,
    calls: &'a [(u64, Vec<Step>)],
    /// What is done one thing after the other: first the calls, then the sides of forks that were met.
    parts: Vec<&'a [Step]>,
    arrived: usize,
    injected: VecDeque<usize>,
    searching: u32,
    /// Workers that sleep for want of work.
    parked: BTreeSet<usize>,
    /// Those that sleep inside a wait.
    lying: BTreeSet<usize>,
    /// The caller does. It runs only what belongs to its call, so it is not counted among the sleepers.
    caller_lies: bool,
    /// A sleeper was wanted when there was no right for it.
    missed: bool,
    /// How many threads look for something to do while they wait.
    hungry: u32,
    /// How many rights to run no thread holds.
    rights: usize,
    /// Threads that could go on, and wait for a right.
    waits_for_right: VecDeque<usize>,
    /// How many jobs are public.
    public: usize,
    outcome: Outcome,
    answers: u64,
    /// How loops are split, if that is asked for.
    splits: Option<Vec<Split>>,
}

/// How one thread splits a loop at each of its `calls`, one after the other, where handing over costs nothing; alone, or beside a thread of its pool that looks for work
/// and never takes any. And how often it offered a part. Nothing is remembered at the first call; then, what the call site remembers of those before.
pub fn splits(calls: &[Loop], thief: bool) -> Vec<(Vec<Split>, u64)> {
    let mut remembered = 0.0;
    let calls = calls.iter().map(|items| {
        let (splits, rate) = splits_of_call(items.clone().remembering(remembered), thief);
        remembered = memory::rate_after(remembered, rate).map_or(remembered, f64::from);
        splits
    });
    calls.collect()
}

/// The same of one call, and what an item took.
fn splits_of_call(items: Loop, thief: bool) -> ((Vec<Split>, u64), f64) {
    let costs = Costs {
        clock: 0,
        jitter: 0,
        cut: 0,
        ..Costs::default()
    };
    let len = items.items();
    let calls = [(0, vec![Step::Loop(items.into())])];
    let workers = 1 + usize::from(thief);
    let mut machine = Machine::new(&calls, (workers, 0), &Choices::SHIPPED, (&costs, 1));
    machine.splits = Some(Vec::new());
    if thief {
        machine.parked.remove(&1);
        machine.searching = 1;
    }
    machine.begin(Caller::Worker);
    machine.go();
    let splits = machine.splits.take().unwrap_or_default();
    let busy = (machine.runs[0].busy as f64).max(0.5);
    ((splits, machine.outcome.cuts), busy / len as f64)
}

/// Runs a workload on `workers` workers. The same arguments give the same outcome.
///
/// # Panics
///
/// If there are no workers, or if the machine stands still with work left, or forgets some of it.
pub fn run(
    workload: &Workload,
    workers: usize,
    choices: &Choices,
    costs: &Costs,
    seed: u64,
) -> Outcome {
    assert!(workers > 0, "a pool has at least one worker, not 0");
    let guest = usize::from(workload.caller == Caller::Guest);
    let mut machine = Machine::new(&workload.calls, (workers, guest), choices, (costs, seed));
    machine.begin(workload.caller);
    machine.go();
    machine.end(workload)
}

impl<'a> Machine<'a> {
    /// A machine on which all sleep, with so many workers and `guests` beside them.
    fn new(
        calls: &'a [(u64, Vec<Step>)],
        (workers, guests): (usize, usize),
        choices: &'a Choices,
        (costs, seed): (&'a Costs, u64),
    ) -> Machine<'a> {
        Machine {
            workers,
            choices,
            costs,
            grain: Grain::get(),
            now: 0,
            spent: 0,
            sequence: 0,
            events: BinaryHeap::new(),
            random: crate::work::hash(seed) | 1,
            threads: (0..workers + guests).map(|_| Thread::new()).collect(),
            jobs: Vec::new(),
            lanes: Vec::new(),
            runs: Vec::new(),
            calls,
            parts: calls.iter().map(|(_, steps)| &steps[..]).collect(),
            arrived: 0,
            injected: VecDeque::new(),
            searching: 0,
            parked: (0..workers).collect(),
            lying: BTreeSet::new(),
            caller_lies: false,
            missed: false,
            hungry: 0,
            rights: workers,
            waits_for_right: VecDeque::new(),
            public: 0,
            outcome: Outcome::default(),
            answers: 0,
            splits: None,
        }
    }

    /// Lets each thread have its turns until all sleep.
    fn go(&mut self) {
        while let Some(Reverse((at, _, who))) = self.events.pop() {
            self.now = at;
            self.spent = 0;
            match who {
                OUTSIDE => self.arrive(),
                _ => self.turn(who),
            }
        }
    }
}

impl Machine<'_> {
    fn begin(&mut self, caller: Caller) {
        let caller = match caller {
            Caller::Outside => return self.schedule(self.calls[0].0, OUTSIDE),
            Caller::Guest => self.workers,
            Caller::Worker => 0,
        };
        self.parked.remove(&caller);
        self.rights -= 1;
        self.threads[caller].state = State::Running;
        self.threads[caller]
            .stack
            .push(Frame::Steps { part: 0, at: 0 });
        self.schedule(0, caller);
    }

    /// A request comes in from a thread outside, which pays for a wake-up itself.
    fn arrive(&mut self) {
        let call = self.arrived;
        self.arrived += 1;
        let job = self.new_job(OUTSIDE, What::Call(call));
        self.jobs[job].place = Place::Public;
        self.public += 1;
        self.injected.push_back(job);
        self.notify();
        if let Some((at, _)) = self.calls.get(self.arrived) {
            self.schedule(*at, OUTSIDE);
        }
    }

    fn end(mut self, workload: &Workload) -> Outcome {
        let all_sleep = self.parked.len() == self.workers && self.searching == 0;
        assert!(all_sleep, "a worker did not fall asleep in the end");
        assert_eq!(self.rights, self.workers, "a right was not put down");
        assert_eq!((self.public, self.hungry), (0, 0), "counts are wrong");
        if self.costs.crowd == 0 {
            assert_eq!(
                self.outcome.work,
                workload.work(),
                "work was lost, or done twice"
            );
        }
        if workload.caller == Caller::Outside {
            self.outcome.time = self.answers / self.calls.len() as u64;
        }
        self.outcome
    }

    /// `items` items from `at` on are split off, of which there are more.
    fn note_split(&mut self, at: usize, items: usize) {
        if let Some(splits) = &mut self.splits {
            splits.push(Split { at, items });
        }
    }

    fn schedule(&mut self, at: u64, who: usize) {
        self.sequence += 1;
        self.events.push(Reverse((at, self.sequence, who)));
    }

    /// Goes on after what was paid for in this turn.
    fn go_on(&mut self, who: usize) {
        self.schedule(self.now + self.spent, who);
    }

    fn pay(&mut self, what: For, cost: u64) {
        let cost = match what {
            For::Work => cost,
            _ => self.about(cost),
        };
        self.spent += cost;
        let outcome = &mut self.outcome;
        let account = match what {
            For::Work => &mut outcome.work,
            For::Handing => &mut outcome.handing,
            For::Searching => &mut outcome.searching,
            For::Waking => &mut outcome.waking,
        };
        *account += cost;
    }

    fn random(&mut self) -> u64 {
        policy::random(&mut self.random)
    }

    /// `cost`, more or less.
    fn about(&mut self, cost: u64) -> u64 {
        let most = cost * self.costs.jitter / 100;
        if most == 0 {
            return cost;
        }
        let random = self.random();
        cost - most + crate::work::below(2 * most + 1, random)
    }

    fn new_job(&mut self, owner: usize, what: What) -> usize {
        let place = Place::Private;
        self.jobs.push(Job {
            owner,
            thief: None,
            what,
            place,
        });
        self.jobs.len() - 1
    }

    /// How many sleep, and would run anything.
    fn asleep(&self) -> usize {
        self.parked.len() + self.lying.len()
    }

    /// How many do not.
    fn awake(&self) -> u32 {
        (self.workers - self.asleep()) as u32
    }
}

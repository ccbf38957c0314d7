//! The policies to compare: the crate's own, each of them replaceable.

use crate::core::policy::{self, Next};
use crate::costs::GROUP;

/// How many workers may look for work at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cap {
    /// As the crate says.
    Shipped,
    /// As many as there are.
    Unlimited,
    /// One for so many that are awake.
    OneIn(u32),
}

/// How many sleepers are woken at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wake {
    /// As the crate says.
    Shipped,
    /// At most so many, by the worker that pushes and by the worker that finds something.
    AtMost(usize),
    /// All.
    All,
}

/// For which public jobs a searcher that found something wakes the next ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Loud {
    /// For those that the crate calls loud: joins, halves of loops that are worth a wake-up, what comes from outside, and what a thief asked for.
    Shipped,
    /// For no halves that no thief asked for.
    Joins,
    /// For any.
    Any,
}

/// Which thread wakes others when it has found work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pass {
    /// Each, as long as there are more queues with work than threads that look for it, as the crate does.
    Shipped,
    /// The last that looked for work.
    Last,
}

/// Which threads are woken when a thread ends a job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ahead {
    /// The thread that sleeps while it waits for that job, as the crate does.
    Owner,
    /// Also those that wait for what the worker ends next, if it has nothing else to do before.
    Chain,
}

/// How long a worker looks for work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Patience {
    /// As the crate says.
    Shipped,
    /// So many nanoseconds.
    Nanoseconds(u64),
}

/// From which thread a thief steals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Victims {
    /// As the crate says.
    Shipped,
    /// First its own group.
    NearFirst,
}

/// One policy of each kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choices {
    /// How many may look for work.
    pub cap: Cap,
    /// How many are woken.
    pub wake: Wake,
    /// For what a finder wakes others.
    pub loud: Loud,
    /// Which finder does.
    pub pass: Pass,
    /// Which threads the end of a job wakes.
    pub ahead: Ahead,
    /// Each request that waits outside counts as work for one thread more; else all of them count as one.
    pub requests: bool,
    /// How long a worker looks.
    pub patience: Patience,
    /// How long a thread does inside a wait.
    pub waiters: Patience,
    /// From which thread a thief steals.
    pub victims: Victims,
    /// All pushes are public, as in a pool without private jobs.
    pub public: bool,
}

impl Choices {
    /// What the crate does.
    pub const SHIPPED: Choices = Choices {
        cap: Cap::Shipped,
        wake: Wake::Shipped,
        loud: Loud::Shipped,
        pass: Pass::Shipped,
        ahead: Ahead::Owner,
        requests: true,
        patience: Patience::Shipped,
        waiters: Patience::Shipped,
        victims: Victims::Shipped,
        public: false,
    };

    /// What the crate did before the simulator was asked: only the last finder woke others, no halves were loud, threads inside a wait were as
    /// patient as searchers, and all requests that waited outside counted as one.
    pub const BEFORE: Choices = Choices {
        loud: Loud::Joins,
        pass: Pass::Last,
        waiters: Patience::Nanoseconds(50_000),
        requests: false,
        ..Choices::SHIPPED
    };

    /// All that the table compares, with names.
    pub fn all() -> Vec<(&'static str, Choices)> {
        let shipped = Choices::SHIPPED;
        let cap = |cap| Choices { cap, ..shipped };
        let wake = |wake| Choices { wake, ..shipped };
        let time = |us: u64| Patience::Nanoseconds(us * 1000);
        let patience = |us| Choices {
            patience: time(us),
            ..shipped
        };
        let waiters = |us| Choices {
            waiters: time(us),
            ..shipped
        };
        let victims = Victims::NearFirst;
        let (pass, ahead) = (Pass::Last, Ahead::Chain);
        let requests = false;
        let loud = |loud| Choices { loud, ..shipped };
        vec![
            ("as shipped", shipped),
            ("cap none", cap(Cap::Unlimited)),
            ("cap half", cap(Cap::OneIn(2))),
            ("cap quarter", cap(Cap::OneIn(4))),
            ("cap eighth", cap(Cap::OneIn(8))),
            ("wake one", wake(Wake::AtMost(1))),
            ("wake two", wake(Wake::AtMost(2))),
            ("wake all", wake(Wake::All)),
            ("loud: joins only", loud(Loud::Joins)),
            ("loud: any", loud(Loud::Any)),
            ("patience 10 us", patience(10)),
            ("patience 50 us", patience(50)),
            ("patience 300 us", patience(300)),
            ("waiters 50 us", waiters(50)),
            ("waiters 150 us", waiters(150)),
            ("waiters 600 us", waiters(600)),
            ("near first", Choices { victims, ..shipped }),
            ("last finder wakes", Choices { pass, ..shipped }),
            (
                "requests as one",
                Choices {
                    requests,
                    ..shipped
                },
            ),
            ("wakes ahead", Choices { ahead, ..shipped }),
            ("as before", Choices::BEFORE),
        ]
    }

    pub(crate) fn may_search(&self, searching: u32, awake: u32, threads: u32) -> bool {
        match self.cap {
            Cap::Shipped => policy::may_search(searching, awake, threads),
            Cap::Unlimited => true,
            Cap::OneIn(n) => searching < (awake / n).max(policy::least_searchers(threads)),
        }
    }

    /// How many sleepers a thread wakes that found something, where `searching` others look for more of the `loot`.
    pub(crate) fn wakes(&self, loot: usize, searching: usize) -> usize {
        match self.wake {
            Wake::Shipped => policy::wakes(loot.min(policy::most_loot(searching)), searching),
            Wake::AtMost(n) => loot.saturating_sub(searching).min(n),
            Wake::All => loot.saturating_sub(searching),
        }
    }

    pub(crate) fn first_wakes(&self, asleep: usize, threads: usize) -> usize {
        match self.wake {
            Wake::Shipped => policy::first_wakes(asleep, threads),
            Wake::AtMost(n) => n,
            Wake::All => asleep,
        }
    }

    /// What to do after the `looks`th look in vain, `spent` nanoseconds after the first; `waits` inside a wait.
    pub(crate) fn after_look(&self, looks: u32, spent: u64, waits: bool) -> Next {
        match if waits { self.waiters } else { self.patience } {
            Patience::Shipped => policy::after_look(looks, waits),
            Patience::Nanoseconds(most) if spent >= most => Next::Sleep,
            Patience::Nanoseconds(_) => match policy::after_look(looks, waits) {
                Next::Sleep => Next::Yield,
                next => next,
            },
        }
    }

    /// The first of `seats` seats that has `loot`, in the order in which `thief` visits them.
    pub(crate) fn victim(
        &self,
        seats: usize,
        thief: usize,
        random: u64,
        loot: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let first = policy::first_victim(seats, random);
        let mut order = (first..seats).chain(0..first);
        if self.victims == Victims::NearFirst {
            let near = |at: usize| at / GROUP == thief / GROUP;
            let order: Vec<usize> = order.collect();
            let (close, far): (Vec<usize>, Vec<usize>) = order.iter().partition(|&&at| near(at));
            return close.into_iter().chain(far).find(|&at| loot(at));
        }
        order.find(|&at| loot(at))
    }

    pub(crate) fn eager_pushes(&self, threads: usize) -> u32 {
        match self.public {
            true => u32::MAX,
            false => policy::eager_pushes(threads),
        }
    }
}

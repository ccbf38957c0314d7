//! What things cost, in nanoseconds: the simulated machine.

/// What each step of a thread takes, in nanoseconds.
///
/// Every worker has a processor of its own. What a worker pays is processor time, too; only the way of a wake-up is not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs {
    /// To offer a job and take it back, if no other worker sees it.
    pub fork: u64,
    /// To make a job public.
    pub promote: u64,
    /// To take a public job back.
    pub regain: u64,
    /// To cut a loop's piece, and the bookkeeping around it.
    pub cut: u64,
    /// To read the clock after a block of a loop, and what follows.
    pub clock: u64,
    /// To take a job from a worker in the same group of [`GROUP`] workers.
    pub steal_near: u64,
    /// To take one from elsewhere.
    pub steal_far: u64,
    /// To combine two results.
    pub reduce: u64,
    /// A look for work, ...
    pub look: u64,
    /// ... and what it costs more for each worker.
    pub look_seat: u64,
    /// A spin hint.
    pub pause: u64,
    /// To let other threads have the processor, when none wants it.
    pub give_way: u64,
    /// What a wake-up costs the waker.
    pub wake: u64,
    /// How long a wake-up takes to arrive, at least and at most.
    pub arrival: (u64, u64),
    /// What it costs the woken thread.
    pub rise: u64,
    /// To fall asleep.
    pub park: u64,
    /// By how many percent each of these varies, up or down. Without that, searchers move in step.
    pub jitter: u64,
    /// By how much longer work takes while others work as well, in percent. For machines whose processors share something.
    pub crowd: u64,
}

/// How many workers are near each other.
pub const GROUP: usize = 8;

impl Default for Costs {
    /// A server: what a 2-core virtual machine measures, but with the wake-ups of one that is not virtual.
    fn default() -> Costs {
        Costs {
            fork: 8,
            promote: 25,
            regain: 30,
            cut: 150,
            clock: 35,
            steal_near: 200,
            steal_far: 400,
            reduce: 50,
            look: 60,
            look_seat: 3,
            pause: 12,
            give_way: 350,
            wake: 5_000,
            arrival: (30_000, 50_000),
            rise: 2_000,
            park: 1_000,
            jitter: 10,
            crowd: 0,
        }
    }
}

impl Costs {
    /// A machine on which everything but the work itself is all but free, to compare with what theory says.
    pub fn free() -> Costs {
        Costs {
            fork: 0,
            promote: 0,
            regain: 0,
            cut: 0,
            clock: 0,
            steal_near: 1,
            steal_far: 1,
            reduce: 0,
            look: 1,
            look_seat: 0,
            pause: 0,
            give_way: 0,
            wake: 0,
            arrival: (1, 1),
            rise: 0,
            park: 0,
            jitter: 0,
            crowd: 0,
        }
    }
}

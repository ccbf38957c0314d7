//! Small decisions, as pure functions: whom to rob, how long to look, how many pushes to make public at the start.
//!
//! No threads and no clocks in here, so that a simulation can run the very same decisions for any number of workers.

// In a model of shuttle's, looking more often shows nothing new.

/// How often an idle thread looks through all queues before it yields its processor between looks.
const SPINS: u32 = if cfg!(filch_shuttle) { 0 } else { 32 };
/// How many looks before it goes to sleep, if it is the last one that is awake. With the yields this is about 300 us on an idle
/// machine: long enough that a burst of small calls needs no system call, too short to be seen as load.
const LOOKS_LAST: u32 = if cfg!(filch_shuttle) { 2 } else { 1200 };
/// The same for a thread that is not the last one: somebody else is on the watch.
const LOOKS_OTHER: u32 = if cfg!(filch_shuttle) { 1 } else { 64 };

/// How often a thread looks for a job where it finds one at once, until it looks elsewhere first: no multiple of anything, and so often that
/// what waits elsewhere waits for some microseconds of short jobs, not so often that it costs something.
const TURN: u32 = if cfg!(any(filch_loom, filch_shuttle)) {
    5
} else {
    61
};

/// As [`TURN`], for a thread that waits inside `depth` other jobs: what it takes then lies on top of those waits, so each of them makes it sixteen times
/// as rare. Jobs inside one another are then few, however many wait elsewhere, and yet none of them waits for ever.
pub(crate) fn turn(depth: usize) -> u32 {
    TURN << (4 * depth.min(6))
}

/// What an idle thread does after a look that found nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// Pause for this many spin hints and look again.
    Spin(u32),
    /// Let another thread run and look again.
    Yield,
    /// Go to sleep.
    Sleep,
}

/// What to do after the `looks`th look in vain (from 0); `others` is how many other threads are looking.
#[allow(clippy::absurd_extreme_comparisons)] // where a model has no spins
pub(crate) fn after_look(looks: u32, others: u32) -> Next {
    let patience = if others == 0 { LOOKS_LAST } else { LOOKS_OTHER };
    match looks {
        _ if looks >= patience => Next::Sleep,
        _ if looks < SPINS => Next::Spin(1 << (looks / 4).min(6)),
        _ => Next::Yield,
    }
}

/// The order in which a thief visits `seats` seats: the one it last robbed with success, then all from a random start.
pub(crate) fn victims(seats: usize, random: u64, last: usize) -> impl Iterator<Item = usize> {
    let start = (((random >> 32) * seats as u64) >> 32) as usize;
    std::iter::once(last).chain((start..seats).chain(0..start))
}

/// How many of a call's first pushes are public at once: enough that `threads` threads find something without asking.
pub(crate) fn eager_pushes(threads: usize) -> u32 {
    threads.max(1).ilog2() + 2
}

/// The next number of a small random sequence (xorshift64*); `state` is never 0.
pub(crate) fn random(state: &mut u64) -> u64 {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    state.wrapping_mul(0x2545_F491_4F6C_DD1D)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn victims_visits_every_seat_once_after_the_favourite() {
        for seats in 1..20 {
            for seed in 1..50u64 {
                let mut state = seed;
                let r = random(&mut state);
                let order: Vec<_> = victims(seats, r, seats - 1).collect();
                assert_eq!(order[0], seats - 1);
                let mut rest = order[1..].to_vec();
                rest.sort_unstable();
                assert_eq!(rest, (0..seats).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn an_idle_thread_sleeps_in_the_end() {
        for others in 0..3 {
            assert!((0..10_000).any(|looks| after_look(looks, others) == Next::Sleep));
            assert!(matches!(after_look(0, others), Next::Spin(_)));
        }
    }
}

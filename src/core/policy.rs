//! Small decisions, as pure functions: from which thread to steal, how long to look for work, how many threads may look, how many to wake,
//! how many pushes are made public at the begin of a call.
//!
//! No threads and no clocks in here, so that a simulation can run the very same decisions for any number of workers.

// Where a constant is smaller under shuttle: in its models, further looks show nothing new.

/// How often an idle thread looks through all queues before it yields its processor between looks: for about half a microsecond, because the thread that it has
/// just woken may wait for this processor. Where no thread does, a yield is hardly longer than such a pause. With 32 looks and 764 pauses, a hand-over on one
/// processor took 54 us instead of 18.
const SPINS: u32 = if cfg!(filch_shuttle) { 0 } else { 8 };
/// How many looks before it goes to sleep. With the yields this is about 40 us on an idle machine, which is about what a wake-up costs: so a thread
/// that looks in vain has never used more than twice what the best choice would have cost.
const LOOKS: u32 = if cfg!(filch_shuttle) { 2 } else { 100 };
/// The same for a thread inside a wait: about 300 us, or until a yield takes long. It knows that something will happen, and at the end of a call one thread waits for the next, so
/// wake-ups would add up.
const LOOKS_IN_WAIT: u32 = if cfg!(filch_shuttle) { 2 } else { 600 };
/// How many threads that are awake there are to each one that may look for work. More that look find nothing sooner, and burn processors.
const AWAKE_PER_SEARCHER: u32 = 4;
/// In a pool of at most this many threads, two may always look for work. With one, the other of two threads that ran a short call sleeps before the next one
/// comes, and each call has to wake it. In a large pool, a second one would burn more than it brings.
const FEW: u32 = 16;
/// How many sleepers a thread wakes that looked for work and found some, if there is more to do. So a pool is awake after a number of steps that is the
/// logarithm of its size.
const WAKES: usize = 2;

/// How many queues a finder visits for each queue with work that it could count, while other threads search. If fewer than one queue in this many has work, the
/// searchers are enough for it.
const VISITS: usize = 4;

/// How many steals of a thread are not timed for each one that is: a reading of the clock takes 10 to 20 ns, and a job may take 200. A model's time is not
/// that of its threads.
pub(crate) const UNTIMED: u32 = if cfg!(filch_shuttle) { u32::MAX } else { 8 };
/// Two threads that run the jobs of a scope are faster than one if a job, and the way back to the queue, take five times as long as a steal.
const SHORT: u64 = 5;
/// How often the wait of a thief doubles, from the time of a steal on. At the longest, the queue is its owner's for nearly all of the time, and the thief is
/// soon back when jobs get longer: at most 32 us, and 3 to 6 us where it was measured.
const LONGEST_BACKOFF: u32 = 6;

/// Whether a job that took so long, with the way back to the queue, was too short for a steal that took so long.
pub(crate) fn is_short(job: u64, steal: u64) -> bool {
    job < SHORT * steal
}

/// For how long a thief leaves a queue alone whose last `times` jobs were short. A steal that took longer than half a microsecond was interrupted.
pub(crate) fn backoff(steal: u64, times: u32, microsecond: u64) -> u64 {
    steal.min(microsecond / 2) << times.min(LONGEST_BACKOFF)
}

/// One look for a job in this many begins with the jobs that are otherwise found last. The number is prime, so that it does not keep
/// step with a pattern in the user's jobs. If jobs are short, the others wait for some microseconds only, and yet the looks cost next to nothing.
const OVERDUE_INTERVAL: u32 = if cfg!(any(filch_loom, filch_shuttle)) {
    5
} else {
    61
};

/// As [`OVERDUE_INTERVAL`], for a thread that waits inside `depth` other jobs. What it takes then lies on top of those waits, so each of them
/// makes it sixteen times as rare. So few jobs lie on top of one another, however many wait elsewhere, and yet none of these waits for ever.
pub(crate) fn overdue_interval(depth: usize) -> u32 {
    OVERDUE_INTERVAL << (4 * depth.min(6))
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

/// What to do after the `looks`th look in vain (from 0), of a thread that `waits` for something or has nothing else to do.
#[allow(clippy::absurd_extreme_comparisons)] // where a model has no spins
pub(crate) fn after_look(looks: u32, waits: bool) -> Next {
    let patience = if waits { LOOKS_IN_WAIT } else { LOOKS };
    match looks {
        _ if looks >= patience => Next::Sleep,
        _ if looks < SPINS => Next::Spin(1 << (looks / 4)),
        _ => Next::Yield,
    }
}

/// Whether one more thread may look for work where `searching` others do, and `awake` of `threads` do not sleep. Else it goes to sleep at once.
pub(crate) fn may_search(searching: u32, awake: u32, threads: u32) -> bool {
    searching < (awake / AWAKE_PER_SEARCHER).max(least_searchers(threads))
}

/// How many of `threads` may look for work however many sleep.
pub(crate) fn least_searchers(threads: u32) -> u32 {
    if threads <= FEW { 2 } else { 1 }
}

/// How many sleepers to wake where `loot` queues have work that is worth it and `searching` threads look for some, by a thread that has just found some.
pub(crate) fn wakes(loot: usize, searching: usize) -> usize {
    loot.saturating_sub(searching).min(WAKES)
}

/// How many queues with work to count at most: more make no difference to [`wakes`].
pub(crate) fn most_loot(searching: usize) -> usize {
    searching + WAKES
}

/// How many queues a thread that has just found work looks at, to see whether there is more. All, if it was the last one that looked for some: then no other
/// thread will see what there is. Where `searching` others look for work, a few will do: what they leave, the next one to find something sees.
pub(crate) fn loot_visits(searching: usize) -> usize {
    match searching {
        0 => usize::MAX,
        _ => VISITS * most_loot(searching),
    }
}

/// How many of `asleep` sleepers to wake for work that has become visible while no thread looks for work, in a pool of `threads`.
///
/// Two if all sleep: on a virtual machine, the kernel may queue a woken thread behind its waker, although another processor is idle. Of two, one gets
/// the idle processor.
pub(crate) fn first_wakes(asleep: usize, threads: usize) -> usize {
    1 + usize::from(threads > 1 && asleep >= threads)
}

/// Where a thief begins its round of the others of `threads`: anywhere.
pub(crate) fn first_victim(threads: usize, random: u64) -> usize {
    (((random >> 32) * threads as u64) >> 32) as usize
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
    fn a_thief_leaves_a_queue_of_short_jobs_alone_for_longer_each_time() {
        assert!(is_short(49, 10) && !is_short(50, 10));
        let backoffs = [0, 1, 5, 6, 7, 100].map(|times| backoff(10, times, 1000));
        assert_eq!(backoffs, [10, 20, 320, 640, 640, 640]);
        assert_eq!(backoff(10_000, 1, 1000), 1000);
    }

    #[test]
    fn a_round_begins_at_each_thread_about_as_often() {
        for threads in [1, 2, 3, 7, 64] {
            let (mut state, mut times) = (1, vec![0; threads]);
            for _ in 0..1000 * threads {
                times[first_victim(threads, random(&mut state))] += 1;
            }
            assert!(
                times.iter().all(|times| (800..1200).contains(times)),
                "{times:?}"
            );
        }
    }

    #[test]
    fn an_idle_thread_spins_then_yields_and_sleeps_in_the_end() {
        for (waits, patience) in [(false, LOOKS), (true, LOOKS_IN_WAIT)] {
            for looks in 0..2 * patience {
                let next = match looks {
                    _ if looks >= patience => Next::Sleep,
                    _ if looks >= SPINS => Next::Yield,
                    4.. => Next::Spin(2),
                    _ => Next::Spin(1),
                };
                assert_eq!(after_look(looks, waits), next, "{looks} looks");
            }
        }
    }

    /// On one processor, the thread that was just woken gets it when its waker sleeps or yields.
    #[test]
    fn an_idle_thread_pauses_a_few_times_only_before_it_lets_others_run() {
        let pauses = |next| match next {
            Next::Spin(pauses) => Some(pauses),
            Next::Yield | Next::Sleep => None,
        };
        for waits in [false, true] {
            let first: u32 = (0..)
                .map_while(|looks| pauses(after_look(looks, waits)))
                .sum();
            assert!(first <= 16, "{first} pauses");
        }
    }

    #[test]
    fn the_more_waits_lie_below_the_rarer_a_job_is_put_on_top() {
        assert_eq!(overdue_interval(0), OVERDUE_INTERVAL);
        for depth in 0..6 {
            assert_eq!(overdue_interval(depth + 1), 16 * overdue_interval(depth));
        }
        assert_eq!(overdue_interval(1000), overdue_interval(6));
    }

    #[test]
    fn as_many_are_woken_as_there_is_work_that_nobody_looks_for_but_few_by_one_thread() {
        for (loot, searching, woken) in [(0, 0, 0), (1, 0, 1), (9, 0, 2), (3, 2, 1), (1, 4, 0)] {
            assert_eq!(wakes(loot, searching), woken);
        }
        for searching in 0..5 {
            let most = most_loot(searching);
            assert_eq!(wakes(most, searching), wakes(usize::MAX, searching));
            assert!(wakes(most - 1, searching) < wakes(most, searching));
        }
        assert_eq!([0, 1, 2].map(loot_visits), [usize::MAX, 12, 16]);
    }

    #[test]
    fn two_of_a_pool_that_sleeps_are_woken_and_one_of_a_pool_that_does_not() {
        for (asleep, threads, woken) in [(1, 1, 1), (2, 2, 2), (1, 2, 1), (7, 8, 1), (8, 8, 2)] {
            assert_eq!(first_wakes(asleep, threads), woken, "{asleep} of {threads}");
        }
    }

    #[test]
    fn the_first_pushes_are_enough_for_all_threads() {
        assert_eq!([0, 1, 2, 3, 4, 64].map(eager_pushes), [2, 2, 3, 3, 4, 8]);
    }

    /// The first numbers of xorshift64*, from 1.
    #[test]
    fn random_numbers_are_those_of_the_generator() {
        let mut state = 1;
        let numbers = [(); 3].map(|()| random(&mut state));
        assert_eq!(
            numbers,
            [
                0x47e4_ce4b_896c_dd1d,
                0xabcf_a6a8_e079_651d,
                0xb9d1_0d8f_eb73_1f57
            ]
        );
    }

    #[test]
    fn a_quarter_may_look_for_work_and_always_one_and_two_of_few() {
        for (threads, least) in [(1, 2), (2, 2), (16, 2), (17, 1), (64, 1), (1024, 1)] {
            for awake in 0..=threads {
                let most = (0..)
                    .take_while(|&searching| may_search(searching, awake, threads))
                    .count();
                assert_eq!(most as u32, (awake / 4).max(least), "{awake} of {threads}");
            }
        }
    }
}

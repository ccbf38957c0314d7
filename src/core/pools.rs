//! A list of all pools of the process, for code that reports on them.

use super::child;
use super::global_pointer;
use super::pool::Pool;
use crate::sync::{Arc, Mutex, Weak, lock};

/// Pools that were built in this process, by their numbers.
static POOLS: Mutex<Vec<(u64, Weak<Pool>)>> = Mutex::new(Vec::new());

/// Puts a pool on the list, for as long as it lives.
pub(crate) fn register(pool: &Arc<Pool>) {
    // A child process has one pool at most, and the lock may be held for ever.
    if child::is_child() {
        return;
    }
    let mut pools = lock(&POOLS);
    pools.retain(|(_, pool)| pool.strong_count() > 0);
    pools.push((pool.number, Arc::downgrade(pool)));
}

/// The pools that live, with a name each: `global`, or a number, in the order in which they were built.
pub(crate) fn all() -> Vec<(String, Arc<Pool>)> {
    if child::is_child() {
        let pool = global_pointer::get().filter(|pool| !pool.is_orphan());
        return pool
            .map(|pool| ("global".into(), pool.to_arc()))
            .into_iter()
            .collect();
    }
    // Before the first lock: a child that does not know what it is would wait for it.
    global_pointer::watch_forks();
    let all = lock(&POOLS);
    let there: Vec<_> = all
        .iter()
        .filter_map(|(number, pool)| Some((*number, pool.upgrade()?)))
        .collect();
    // If this is the last to hold a pool, what handlers captured is dropped here, and may build a pool.
    drop(all);
    // One that was dropped lives on until its threads have ended.
    let living = there.into_iter().filter(|(_, pool)| !pool.is_stopped());
    let living = living.map(|(number, pool)| {
        let is_global = global_pointer::get().is_some_and(|global| std::ptr::eq(global, &*pool));
        let name = match is_global {
            true => "global".into(),
            false => number.to_string(),
        };
        (name, pool)
    });
    let mut living: Vec<_> = living.collect();
    // One without threads was never registered.
    if let Some(pool) = global_pointer::get()
        && !living.iter().any(|(name, _)| name == "global")
    {
        living.push(("global".into(), pool.to_arc()));
    }
    living
}

/// Makes the recorders of all desks there are, so that nothing has to be made while time is taken.
#[cfg(feature = "trace")]
pub(crate) fn make_recorders() {
    for (_, pool) in all() {
        for desk in pool.all_desks() {
            desk.probe.recorder.get();
        }
    }
}

#[cfg(all(test, not(filch_shuttle)))]
mod tests {
    use super::{POOLS, all};
    use crate::core::start::with_what_there_is;
    use crate::sync::{Arc, lock};
    use std::thread;

    /// An entry keeps the memory of its pool.
    #[test]
    fn a_pool_that_is_gone_leaves_the_list() {
        let [gone, here] = [(), ()].map(|()| with_what_there_is(1));
        let is_there = |number| lock(&POOLS).iter().any(|(other, _)| *other == number);
        let numbers = [gone.number, here.number];
        assert!(numbers.into_iter().all(is_there));
        gone.release();
        let weak = Arc::downgrade(&gone);
        drop(gone);
        while weak.strong_count() > 0 {
            thread::yield_now();
        }
        let next = with_what_there_is(1);
        assert_eq!(numbers.map(is_there), [false, true]);
        for pool in [here, next] {
            pool.release();
        }
    }

    /// What was dropped is gone, however long its memory lives.
    #[test]
    fn a_pool_that_was_dropped_is_not_listed() {
        let pool = with_what_there_is(2);
        let number = pool.number;
        let listed = || all().iter().any(|(_, pool)| pool.number == number);
        assert!(listed());
        pool.release();
        assert!(!listed());
        pool.wait_until_ended();
    }

    /// After `fork`, a thread of the parent may hold the lock of the list for ever. This process stands in for the child.
    #[cfg(unix)]
    #[test]
    fn a_child_has_one_pool_and_needs_no_list() {
        const CHILD: &str = "FILCH_TEST_LIST";
        if std::env::var_os(CHILD).is_none() {
            let name = "core::pools::tests::a_child_has_one_pool_and_needs_no_list";
            let mut child = std::process::Command::new(std::env::current_exe().unwrap());
            let status = child.args([name, "--exact"]).env(CHILD, "1").status();
            assert!(status.unwrap().success());
            return;
        }
        // SAFETY: it has no preconditions.
        unsafe { libc::alarm(60) };
        let parents = with_what_there_is(1);
        let _held = lock(&POOLS);
        super::child::begin();
        assert!(all().is_empty());
        crate::join(|| (), || ());
        super::register(&parents);
        let names: Vec<_> = all().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["global"]);
    }

    /// How often the global pool is listed, beside another one.
    fn global_ones() -> usize {
        let other = with_what_there_is(1);
        crate::join(|| (), || ());
        let listed = all();
        assert!(listed.iter().any(|(_, pool)| pool.number == other.number));
        other.release();
        listed.iter().filter(|(name, _)| name == "global").count()
    }

    #[test]
    fn the_global_pool_is_listed_once_also_without_threads() {
        const CHILD: &str = "FILCH_TEST_LISTED";
        if std::env::var_os(CHILD).is_some() {
            crate::core::thread_builder::refusal::after(0, || crate::join(|| (), || ()));
        } else {
            let name = "core::pools::tests::the_global_pool_is_listed_once_also_without_threads";
            let mut child = std::process::Command::new(std::env::current_exe().unwrap());
            let status = child.args([name, "--exact"]).env(CHILD, "1").status();
            assert!(status.unwrap().success());
        }
        assert_eq!(global_ones(), 1);
    }
}

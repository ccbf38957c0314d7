//! What to look at, and what to say about it.

/// A kind of place to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    HeldLock,
    Waits,
    Broadcast,
    ThreadIndex,
    ThreadLocal,
    PoolSetup,
    MinLen,
    MaxLen,
    CutOff,
    ThreadChunks,
    MapFold,
    VecFold,
    LinkedLists,
    IndexableBridge,
    NumberedBridge,
    FloatSum,
}

/// What is said of a kind: once, whatever the number of its places.
pub struct Advice {
    /// Short, to be searched for.
    pub name: &'static str,
    pub title: &'static str,
    /// What filch does differently.
    pub differs: &'static str,
    /// What to write, or to check.
    pub instead: &'static str,
}

impl Kind {
    /// First what may change a result or hang, then what may be slower than need be.
    pub const ALL: [Kind; 16] = [
        Kind::HeldLock,
        Kind::Waits,
        Kind::Broadcast,
        Kind::ThreadIndex,
        Kind::ThreadLocal,
        Kind::PoolSetup,
        Kind::MinLen,
        Kind::MaxLen,
        Kind::CutOff,
        Kind::ThreadChunks,
        Kind::MapFold,
        Kind::VecFold,
        Kind::LinkedLists,
        Kind::IndexableBridge,
        Kind::NumberedBridge,
        Kind::FloatSum,
    ];

    pub fn advice(self) -> Advice {
        match self {
            Kind::HeldLock => Advice {
                name: "held-lock",
                title: "Locks that are held across a parallel call",
                differs: "In both crates a thread that waits in the call may run other work of the pool, and hangs if that wants the same lock. \
                    filch has a cure: nothing unrelated runs on a thread that waits inside `isolate`.",
                instead: "Release the lock before the call. Where that cannot be, put the call into `isolate(|| ..)`.",
            },
            Kind::Waits => Advice {
                name: "waits",
                title: "Closures of a parallel call that wait for something",
                differs: "filch runs cheap items on one thread, and a thread from outside takes part in the global pool itself. \
                    So items that wait for each other (a barrier, a channel) may wait for ever.",
                instead: "For items that wait for each other, use `broadcast` in a pool of known size, or threads. \
                    Put any other wait into `blocking(|| ..)`, which first shows pending work to the other threads.",
            },
            Kind::Broadcast => Advice {
                name: "broadcast",
                title: "Broadcasts",
                differs: "After the first broadcast on the global pool, threads from outside no longer take part: they hand work over and sleep, as in \
                    rayon. A thread runs its share of a broadcast even while it waits inside `isolate`.",
                instead: "For one value per thread, use `using(init)` or `States`. To set threads up, use the builder's `start_handler`. Otherwise keep \
                    the broadcast in a pool of its own, and take no lock in it that is held across an `isolate`.",
            },
            Kind::ThreadIndex => Advice {
                name: "thread-index",
                title: "Uses of current_thread_index",
                differs: "In filch a thread from outside takes the place of a pool's thread during a call on the global pool, and has its index. \
                    That index may change where the caller sleeps inside a wait. In rayon such a thread has none.",
                instead: "For a state or a buffer a thread, use `using(init)`, or `States` if it outlives the call. \
                    Where the index stays, do not keep it across a parallel call.",
            },
            Kind::ThreadLocal => Advice {
                name: "thread-local",
                title: "Thread-locals in closures of a parallel call",
                differs: "In filch the caller runs a share of the items itself, so its own thread-locals are used, too. \
                    In both crates a borrow that lasts across a parallel call may be met again by other work on the same thread.",
                instead: "Use `using(init)`, which lends a state to one item at a time, or `using_states` if the states outlive the call.",
            },
            Kind::PoolSetup => Advice {
                name: "pool-setup",
                title: "Settings of the global pool's threads",
                differs: "In filch a thread from outside takes part in the global pool itself, but not if the builder sets thread names, a stack size, \
                    a start, exit or spawn handler, or `use_current_thread`: short calls then cost a trip to the pool, as in rayon.",
                instead: "Leave out what is not needed, or say what you want by `guests(true)`, or `guests(false)`.",
            },
            Kind::MinLen => Advice {
                name: "min-len",
                title: "Guesses by with_min_len",
                differs: "In filch pieces are cut by measured time, so cheap loops need no least length. \
                    One that is too large only keeps threads from helping.",
                instead: "Delete `with_min_len(..)`, and measure. Keep it where a closure needs that many items at once.",
            },
            Kind::MaxLen => Advice {
                name: "max-len",
                title: "Guesses by with_max_len",
                differs: "In filch a running piece can be cut at any moment, so long pieces of unequal cost need no greatest length.",
                instead: "Delete `with_max_len(..)`, and measure. Keep it where a fold must not see more items than that.",
            },
            Kind::CutOff => Advice {
                name: "cut-off",
                title: "Cut-offs by length",
                differs: "In filch a short loop runs on the caller, for about 0.1 us more than a plain loop. In rayon it waits for the pool.",
                instead: "Keep the parallel branch alone, and measure. Keep a cut-off that saves allocations, or a recursion below 1 us.",
            },
            Kind::ThreadChunks => Advice {
                name: "thread-chunks",
                title: "Chunks by the number of threads",
                differs: "In filch pieces are cut by measured time, and by idle threads while they run. \
                    One chunk a thread cannot be evened out if one of them takes longer.",
                instead: "Iterate over the items themselves: `par_iter()` with `fold`, or with `using(init)` for a state a thread.",
            },
            Kind::MapFold => Advice {
                name: "map-fold",
                title: "Maps by fold and reduce",
                differs: "filch groups by key itself: each thread has a small table, or items are dealt out by hash if there are many keys. There is no \
                    map for each piece, and whole maps are not merged. The result's map has another hasher: `filch::algo::group::Map`.",
                instead: "Use `count_by_key` for counts, `reduce_by_key` for one value per key, `aggregate_by_key` for any other result, `group_by_key` \
                    for all values, `histogram` for small numbers. For sorted keys: `by_key(..)` and `into_sorted_vec()`.",
            },
            Kind::VecFold => Advice {
                name: "vec-fold",
                title: "Vectors by fold and reduce",
                differs: "filch collects a chain of unknown length (`filter`, `flat_map`) in order, with one vector for the call and one \
                    more for each piece that another thread took.",
                instead: "Use `filter`, `filter_map` or `flat_map_iter`, and `collect::<Vec<_>>()`, and measure: a fold that pushes several items \
                    for each that comes in may stay faster.",
            },
            Kind::LinkedLists => Advice {
                name: "linked-lists",
                title: "Lists of vectors",
                differs: "filch collects a chain of unknown length into one vector, in parallel. \
                    How many vectors a list gets is not to be counted on: one, and one more for each piece that another thread took.",
                instead: "Use `collect::<Vec<_>>()`, or `vec.par_extend(..)` to add to one that is there.",
            },
            Kind::IndexableBridge => Advice {
                name: "indexable-bridge",
                title: "par_bridge over what can be cut",
                differs: "In both crates `par_bridge` takes items one after the other from one iterator, and loses their order. \
                    What lies in memory can be cut instead.",
                instead: "Use the parallel source that is named at each place.",
            },
            Kind::NumberedBridge => Advice {
                name: "numbered-bridge",
                title: "par_bridge over numbered items",
                differs: "filch has a bridge that keeps the order of the items, so they need no numbers to be sorted by.",
                instead: "Use `par_bridge_ordered()`, and `with_ordered_iter` or `into_ordered_iter` to take results out in order.",
            },
            Kind::FloatSum => Advice {
                name: "float-sum",
                title: "Sums of floats",
                differs: "In both crates the last bits of a sum of floats depend on how the input was cut. In filch it is cut by time, \
                    so they may differ from run to run on one machine, too.",
                instead: "If that matters: `.reproducible()` before the sum has the same bits on any machine and number of threads, \
                    and `sum_compensated()` a smaller error.",
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    /// All identifiers in a directory's sources.
    fn identifiers(directory: &Path, found: &mut BTreeSet<String>) {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                identifiers(&path, found);
            } else {
                let text = fs::read_to_string(path).unwrap();
                let defined = ["fn ", "struct ", "type ", "enum "];
                for (i, word) in defined.iter().flat_map(|it| text.match_indices(it)) {
                    let rest = &text[i + word.len()..];
                    let end = rest.find(|c: char| c != '_' && !c.is_alphanumeric());
                    found.insert(rest[..end.unwrap_or(rest.len())].to_owned());
                }
            }
        }
    }

    /// What is recommended is there: each word in backquotes that is no shell of a call of the user's own.
    #[test]
    fn names_in_advice_are_names_of_filch() {
        let mut defined = BTreeSet::new();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src");
        identifiers(&root, &mut defined);
        let mut seen = BTreeSet::new();
        for kind in Kind::ALL {
            let Advice {
                name,
                differs,
                instead,
                ..
            } = kind.advice();
            assert!(seen.insert(name), "{name} is there twice");
            for quoted in [differs, instead]
                .iter()
                .flat_map(|it| it.split('`').skip(1).step_by(2))
            {
                let path = quoted
                    .split(['(', '<'])
                    .next()
                    .unwrap()
                    .trim_end_matches(':');
                let last = path.rsplit(['.', ':']).next().unwrap();
                assert!(
                    defined.contains(last),
                    "{name} names `{quoted}`, which is not in filch"
                );
            }
        }
    }
}

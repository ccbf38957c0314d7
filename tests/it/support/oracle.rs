//! The oracle: the same chain on std's iterators.

use super::{Place, cases, within};
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use std::cell::Cell;
use std::fmt::Debug;

/// Time for one property in all places: an end for hangs, not a measure.
const LIMIT: u64 = 120;

/// Checks on random inputs that the parallel computation gives what the sequential one gives,
/// in every place; by default each input is for [some](Place::some).
#[track_caller]
pub fn oracle<S, R>(
    input: S,
    par: impl Fn(&S::Value) -> R + Send + Sync + 'static,
    seq: impl Fn(&S::Value) -> R + Send + 'static,
) where
    S: Strategy<Value: Sync> + Send + 'static,
    R: PartialEq + Debug + Send,
{
    run(cases(24), input, par, seq);
}

/// The same on fewer inputs, for computations that take longer.
#[track_caller]
pub fn oracle_few<S, R>(
    input: S,
    par: impl Fn(&S::Value) -> R + Send + Sync + 'static,
    seq: impl Fn(&S::Value) -> R + Send + 'static,
) where
    S: Strategy<Value: Sync> + Send + 'static,
    R: PartialEq + Debug + Send,
{
    run(cases(8), input, par, seq);
}

#[track_caller]
fn run<S, R>(
    cases: u32,
    input: S,
    par: impl Fn(&S::Value) -> R + Send + Sync + 'static,
    seq: impl Fn(&S::Value) -> R + Send + 'static,
) where
    S: Strategy<Value: Sync> + Send + 'static,
    R: PartialEq + Debug + Send,
{
    within(LIMIT, move || {
        let (round, failed) = (Cell::new(0), Cell::new(false));
        draw(cases, input, &|input| {
            let want = seq(input);
            let now = round.replace(round.get() + 1);
            // While it looks for the smallest input that fails, each is tried everywhere.
            let others = failed.get().then(|| Place::some(now + 1));
            let places = Place::some(now).chain(others.into_iter().flatten());
            for place in places {
                let got = place.run(|| par(input));
                if got != want {
                    failed.set(true);
                    return Err(format!(
                        "{place:?}\n  parallel: {got:?}\nsequential: {want:?}"
                    ));
                }
            }
            Ok(())
        });
    });
}

/// Runs the check on random inputs. It is compiled once for each kind of input, not for each
/// property.
fn draw<S: Strategy>(cases: u32, input: S, check: &dyn Fn(&S::Value) -> Result<(), String>) {
    let mut runner = TestRunner::new(Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    });
    let outcome = runner.run(&input, |input| check(&input).map_err(TestCaseError::fail));
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}

/// Checks for one input that a computation gives the same in every place.
#[track_caller]
pub fn same_everywhere<R>(par: impl Fn() -> R + Sync, seq: impl FnOnce() -> R)
where
    R: PartialEq + Debug + Send,
{
    let want = seq();
    for place in Place::all() {
        assert_eq!(place.run(&par), want, "{place:?}");
    }
}

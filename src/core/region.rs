//! Regions: parts of a program that have a name in recordings.

use super::event::Kind;
use super::note;
use super::probe;

/// Runs `f`, and gives that part of the program the name `name` in recordings, on this thread. Not in rayon.
///
/// Without the feature `trace`, or while nothing is recorded, this is a plain call of `f`.
///
/// ```
/// let sum = filch::region("sum", || (1..=10).sum::<u32>());
/// assert_eq!(sum, 55);
/// ```
///
/// # Panics
///
/// With the panic of `f`.
pub fn region<R>(name: &'static str, f: impl FnOnce() -> R) -> R {
    struct RegionEnd(&'static str);
    impl Drop for RegionEnd {
        fn drop(&mut self) {
            note::here(Kind::RegionEnd, || probe::region(self.0));
        }
    }
    note::here(Kind::Region, || probe::region(name));
    let _end = RegionEnd(name);
    f()
}

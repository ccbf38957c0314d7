//! What the simulator has of the crate's core: the policies, from the crate's own file, and a clock that ticks once a nanosecond.

#[allow(dead_code)] // not all of it decides something here
#[path = "../../../src/core/policy.rs"]
pub(crate) mod policy;

/// Stands in for the crate's clock.
pub(crate) mod clock {
    /// How many ticks there are to a nanosecond.
    pub(crate) fn per_ns() -> f64 {
        1.0
    }
}

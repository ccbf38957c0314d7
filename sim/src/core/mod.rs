//! What the simulator has of the crate's core: the policies and what recordings consist of, from the crate's own files, and a clock that ticks once a nanosecond.

#[allow(dead_code)] // not all of it is looked at here
#[path = "../../../src/core/event.rs"]
pub(crate) mod event;
#[allow(dead_code)] // not all of it decides something here
#[path = "../../../src/core/policy.rs"]
pub(crate) mod policy;
#[allow(dead_code)] // not all of it is looked at here
#[path = "../../../src/core/row.rs"]
pub(crate) mod row;
#[allow(dead_code)] // nothing is written but in tests
#[path = "../../../src/core/slots.rs"]
pub(crate) mod slots;
#[path = "../../../src/core/track.rs"]
pub(crate) mod track;

/// Stands in for the crate's clock.
pub(crate) mod clock {
    /// How many ticks there are to a nanosecond.
    pub(crate) fn per_ns() -> f64 {
        1.0
    }
}

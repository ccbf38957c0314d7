//! Time as records hold it: milliseconds since 1970, by the system's clock.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970 by the system's clock, the one clock that all processes of a machine share and that survives a reboot.
///
/// It may be set back or forth. Then leases last longer or end early, which costs time or an attempt; fences keep the results right.
pub(crate) fn now() -> u64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or(Duration::ZERO);
    millis(since)
}

/// Whole milliseconds, rounded up, so that no pause is shorter than asked for.
pub(crate) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX)
}

/// `duration` from `now`, or never.
pub(crate) fn after(now: u64, duration: Duration) -> u64 {
    now.saturating_add(millis(duration))
}

//! Quantiles of times.

/// Times of one kind, in ticks, the shortest first.
#[derive(Default)]
pub(super) struct Times(pub(super) Vec<u64>);

impl Times {
    pub(super) fn of(times: impl Iterator<Item = u64>) -> Times {
        let mut times: Vec<_> = times.collect();
        times.sort_unstable();
        Times(times)
    }

    /// The time that so many percent of them take at most; 0, if there are none.
    pub(super) fn quantile(&self, percent: usize) -> u64 {
        let at = (self.0.len() * percent).div_ceil(100).max(1) - 1;
        self.0.get(at).copied().unwrap_or(0)
    }
}

//! What is recorded of loops without the feature `trace`: the functions of `on.rs`, empty.

use super::super::call::Call;
use super::super::lane::Lane;
use super::super::reason::Reason;
use super::super::site::Site;
use super::super::way::Way;
use crate::core::worker::Worker;

/// One call, as the recorder knows it.
#[derive(Clone, Copy)]
pub(in super::super) struct CallProbe;

/// One thread's part in a call, as the recorder knows it.
pub(in super::super) struct LaneProbe;

/// A place among the items of a call.
#[derive(Clone, Copy)]
pub(in super::super) struct At;

/// How many items of a call come before some.
#[derive(Clone, Copy)]
pub(in super::super) struct Before;

impl Before {
    #[inline(always)]
    pub(in super::super) fn of(_: usize) -> Before {
        Before
    }
}

#[inline(always)]
pub(in super::super) fn call(
    _: Worker<'_>,
    _: Site,
    _: &Way,
    _: Option<usize>,
    _: impl Fn() -> [&'static str; 2],
) {
}

/// A call that should be short.
pub(in super::super) struct ShortCall;

impl ShortCall {
    #[inline(always)]
    pub(in super::super) fn new(_: Worker<'_>, _: (Site, f64), _: usize) -> ShortCall {
        ShortCall
    }

    #[inline(always)]
    pub(in super::super) fn ends_here(self, _: Before) {}
}

#[inline(always)]
pub(in super::super) fn overwritten(_: Site, _: u32) {}

impl CallProbe {
    #[inline(always)]
    pub(in super::super) fn new(_: Worker<'_>, _: Site, _: Option<usize>, _: f64) -> CallProbe {
        CallProbe
    }

    #[inline(always)]
    pub(in super::super) fn end(&self, _: Worker<'_>, _: usize, _: u64) {}
}

impl LaneProbe {
    #[inline(always)]
    pub(in super::super) fn new(_: &Call, _: u64) -> LaneProbe {
        LaneProbe
    }
}

impl Lane<'_> {
    #[inline(always)]
    pub(in super::super) fn note_piece(&self, _: Option<usize>, _: At) {}

    #[inline(always)]
    pub(in super::super) fn note_end(&self) {}

    #[inline(always)]
    pub(in super::super) fn note_rest(&self) {}

    #[inline(always)]
    pub(in super::super) fn note_items(&self, _: usize) {}

    #[inline(always)]
    pub(in super::super) fn note_unplaced(&self) {}

    #[inline(always)]
    pub(in super::super) fn note_reason(&self, reason: Reason) -> Reason {
        reason
    }

    #[inline(always)]
    pub(in super::super) fn note_cut(&self, _: Option<usize>) {}

    #[inline(always)]
    pub(in super::super) fn note_back(&self, _: bool) {}

    #[inline(always)]
    pub(in super::super) fn note_parts(
        &self,
        _: impl FnOnce() -> Option<usize>,
        _: bool,
    ) -> [At; 2] {
        [At; 2]
    }

    #[inline(always)]
    pub(in super::super) fn offered_at(&self) -> At {
        At
    }

    #[inline(always)]
    pub(in super::super) fn go_to(&self, _: At) {}
}

//! Decides how closely to look at a call; see the table in [`run`](super::run).

use super::force::is_forced;
use super::grain::Grain;
use super::piece::Piece;
use super::site::Site;
use super::traits::Consumer;
use super::unseen::skip_look_alone;
use super::way::Way;
use crate::core::worker::Worker;

impl Way {
    /// Decides how to do a call, from its facts and from what is remembered.
    pub(super) fn of(worker: Worker<'_>, site: Site, facts: &mut Facts) -> Way {
        let (rate, Some(len)) = (site.rate(), facts.len) else {
            return Way::of_unknown(worker, site, facts);
        };
        if rate == 0.0 || !facts.in_one || is_forced(worker) {
            Way::Driven
        } else if !facts.stops && skip_look_alone(worker, rate, len) {
            Way::Blind
        } else {
            Way::of_little(rate, len, facts)
        }
    }

    /// The same for what has no length, and should be as long as the last time, if it was run before.
    #[inline(never)]
    fn of_unknown(worker: Worker<'_>, site: Site, facts: &mut Facts) -> Way {
        let (rate, len) = (site.rate(), site.items());
        if rate == 0.0 || len == 0 || !facts.in_one || is_forced(worker) {
            return Way::Driven;
        }
        facts.likely = len;
        Way::of_little(rate, len, facts)
    }

    /// What a call is if it is short enough, or is driven.
    #[inline]
    fn of_little(rate: f64, len: usize, facts: &Facts) -> Way {
        match facts.live && !facts.whole && Grain::get().is_tiny(rate * len as f64) {
            true => Way::Tiny(rate),
            false => Way::Driven,
        }
    }
}

/// What the decision depends on.
pub(super) struct Facts {
    pub(super) len: Option<usize>,
    /// How many items it should have, if the length is unknown: the number on which the decision is based. (What is remembered may change meanwhile.)
    pub(super) likely: usize,
    /// One folder may see all items.
    pub(super) in_one: bool,
    /// They can be stopped.
    pub(super) stops: bool,
    /// The fold can be cut while it runs.
    pub(super) live: bool,
    /// What is not cut is folded in one go.
    pub(super) whole: bool,
    /// The first items are to be folded first.
    pub(super) from_front: bool,
    /// A split of the consumer costs something.
    pub(super) expensive: bool,
}

impl Facts {
    #[inline]
    pub(super) fn of<Pc: Piece<C>, C: Consumer<Pc::Item>>(piece: &Pc) -> Facts {
        let len = piece.len();
        Facts {
            len,
            likely: 0,
            in_one: piece.is_one(),
            stops: C::STOPS_EARLY,
            live: Pc::LIVE,
            whole: Pc::WHOLE,
            from_front: C::FRONT_FIRST,
            expensive: C::SPLIT_IS_EXPENSIVE,
        }
    }
}

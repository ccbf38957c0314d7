//! Demand: whether another thread would take a part of what is left, and whether to wake one for it. The answer depends on what a thread
//! sees of the others.
//!
//! No threads and no clock in here, so that a simulation can use the same rules.

use super::grain::IMPATIENT;
use super::reason::Reason;

/// On how many jobs, each run during a wait of the one before, pieces are still cut for threads that wait.
pub(super) const DEEP: usize = 8;

/// What a thread that works sees of the others. Each is a question, because most of them are seldom asked.
pub(super) trait Market {
    /// A thread looks for work.
    fn is_searched(&self) -> bool;
    /// A thread looks for something to do while it waits, and may be fed.
    fn is_hungry(&self) -> bool;
    /// A thread sleeps that could run now.
    fn can_wake(&self) -> bool;
    /// The thread has no job of its own that others have not taken yet.
    fn offers_nothing(&self) -> bool;
    /// It has worked alone for so long that it wakes a thread for little.
    fn is_out_of_patience(&self) -> bool;
}

/// Whether a thread would take a piece now: one looks for work and finds nothing here, or one sleeps and should be woken, because the rest alone is
/// `worth_waking` or the thread has been alone for so long.
#[inline]
pub(super) fn is_wanted(market: &impl Market, worth_waking: bool) -> Reason {
    let can_wake = market.can_wake();
    if can_wake && market.is_out_of_patience() {
        return Reason::Wanted;
    }
    if !(market.is_searched() || market.is_hungry()) {
        if !can_wake {
            return Reason::NoThreadFree;
        }
        if !worth_waking {
            return Reason::NotWorthWaking;
        }
    }
    match market.offers_nothing() {
        true => Reason::Wanted,
        false => Reason::AlreadyOffering,
    }
}

/// Who comes for an offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comer {
    /// A thread that is at work now, if any: none could be woken.
    Later,
    /// A thread that looks for work, and finds nothing else here.
    Searcher,
    /// A thread that happens to look: none is woken for so little.
    Chance,
    /// A thread that is woken because the offer is worth it.
    Woken,
    /// A thread that is woken because those that are awake did not come.
    WokenInVain,
}

/// Who comes for a part that is about to be offered, and whether the part is worth a wake-up, of which `is_much` says whether its cost alone is.
///
/// A thread that is awake and leaves an earlier offer has no processor; perhaps it waits for ours. When patience ends, another thread is woken, on a processor
/// where it can run.
#[inline]
pub(super) fn comer(market: &impl Market, is_much: impl FnOnce() -> bool) -> (Comer, bool) {
    if !market.can_wake() {
        return (Comer::Later, false);
    }
    let much = is_much();
    let searched = market.is_searched();
    let comer = if searched && market.offers_nothing() {
        Comer::Searcher
    } else if much && !searched {
        Comer::Woken
    } else if market.is_out_of_patience() {
        Comer::WokenInVain
    } else {
        Comer::Chance
    };
    (comer, much)
}

impl Comer {
    /// From now on the thread waits for another one to come.
    #[inline]
    pub(super) fn is_relied_on(self) -> bool {
        self != Comer::Chance
    }

    /// The thread has worked alone for no time, as far as its patience is concerned.
    #[inline]
    pub(super) fn ends_being_alone(self) -> bool {
        !matches!(self, Comer::Later | Comer::Chance)
    }

    /// A thread is woken.
    #[inline]
    pub(super) fn is_woken(self) -> bool {
        matches!(self, Comer::Woken | Comer::WokenInVain)
    }

    /// How patient the thread is then, if it was so `patient`: twice as much after a wake-up that may be in vain, until a thread takes something.
    #[inline]
    pub(super) fn patience(self, patient: u32) -> u32 {
        match self {
            Comer::WokenInVain => (patient * 2).min(IMPATIENT),
            _ => patient,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What each question is answered, in their order.
    struct Answers([bool; 5]);

    impl Market for Answers {
        fn is_searched(&self) -> bool {
            self.0[0]
        }
        fn is_hungry(&self) -> bool {
            self.0[1]
        }
        fn can_wake(&self) -> bool {
            self.0[2]
        }
        fn offers_nothing(&self) -> bool {
            self.0[3]
        }
        fn is_out_of_patience(&self) -> bool {
            self.0[4]
        }
    }

    /// All states there are.
    fn all() -> impl Iterator<Item = Answers> {
        (0..32u32).map(|state| Answers(std::array::from_fn(|bit| state >> bit & 1 == 1)))
    }

    #[test]
    fn a_piece_is_cut_if_a_thread_would_come_for_it_and_finds_nothing_else() {
        for market in all() {
            let Answers([searched, hungry, can_wake, offers_nothing, impatient]) = market;
            for worth in [false, true] {
                let comes = searched || hungry || can_wake && worth;
                let wanted = can_wake && impatient || comes && offers_nothing;
                let reason = is_wanted(&market, worth);
                assert_eq!(reason.is_cut(), wanted, "{:?}, {worth}", market.0);
                // Of the reasons not to, the first that holds.
                let why = match reason {
                    Reason::Wanted => continue,
                    Reason::NoThreadFree => !searched && !hungry && !can_wake,
                    Reason::NotWorthWaking => !searched && !hungry && can_wake && !worth,
                    Reason::AlreadyOffering => comes && !offers_nothing,
                    _ => false,
                };
                assert!(why, "{reason:?}: {:?}, {worth}", market.0);
            }
        }
    }

    #[test]
    fn a_thread_is_woken_only_if_none_looks_or_patience_ends() {
        for market in all() {
            let Answers([searched, _, can_wake, offers_nothing, impatient]) = market;
            for worth in [false, true] {
                let (comer, much) = comer(&market, || worth);
                let state = (market.0, worth);
                assert_eq!(much, can_wake && worth, "{state:?}");
                let found = searched && offers_nothing;
                let woken = can_wake && !found && (worth && !searched || impatient);
                assert_eq!(comer.is_woken(), woken, "{state:?}");
                // A wake-up for an offer that is worth it is not in vain.
                let vain = woken && (searched || !worth);
                assert_eq!(comer.patience(4), if vain { 8 } else { 4 }, "{state:?}");
                assert_eq!(
                    comer.is_relied_on(),
                    !can_wake || found || woken,
                    "{state:?}"
                );
                assert_eq!(
                    comer.ends_being_alone(),
                    can_wake && (found || woken),
                    "{state:?}"
                );
            }
        }
        assert_eq!(Comer::WokenInVain.patience(IMPATIENT), IMPATIENT);
    }
}

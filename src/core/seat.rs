//! A seat: what belongs to the number of a [right](super::rights), whichever thread holds that right.

use super::desk::Desk;
use super::mail::Mail;
use crate::sync::{AtomicPtr, Cell, Ordering};
use crossbeam_utils::CachePadded;
use std::ptr;

/// The desk of the thread that has a number, or had it last: where thieves look.
pub(crate) struct AtWork(AtomicPtr<Desk>);

impl AtWork {
    /// # Safety
    /// The desk lives as long, and so do those that sit down later.
    pub(crate) unsafe fn new(desk: *const Desk) -> Self {
        AtWork(AtomicPtr::new(desk.cast_mut()))
    }

    #[inline]
    pub(crate) fn desk(&self) -> &Desk {
        // SAFETY: by the contract of `new`.
        unsafe { &*self.0.load(Ordering::Acquire) }
    }

    /// The thread that has the number works at `desk` from now on. Whether another desk was shown until now.
    #[inline]
    pub(crate) fn sit_down(&self, desk: &Desk) -> bool {
        let desk = ptr::from_ref(desk).cast_mut();
        let changes = self.0.load(Ordering::Relaxed) != desk;
        if changes {
            self.0.store(desk, Ordering::Release);
        }
        changes
    }
}

/// What goes with one right of a pool.
pub(crate) struct Seat {
    at_work: AtWork,
    /// The desk of the worker with this number, whichever right that worker holds now.
    worker: *const Desk,
    /// Jobs for the thread that holds the right.
    pub(crate) mail: Mail,
    /// A desk for the next thread from outside that takes this right; null while a guest is at that desk. Only the holder of the right touches this field. It does so
    /// at each call, so the field has a cache line of its own: thieves look at the rest of the seat.
    guest_desk: CachePadded<Cell<*const Desk>>,
}

// SAFETY: `guest_desk` is touched only by the holder of the right, and a right changes hands with acquire and release. Desks are Sync, and all else is.
unsafe impl Sync for Seat {}
// SAFETY: as above; nothing in a seat is bound to a thread.
unsafe impl Send for Seat {}

impl Seat {
    /// The seat of the number that `worker` is the desk of.
    ///
    /// # Safety
    /// The desk lives as long as the seat.
    pub(crate) unsafe fn new(worker: *const Desk) -> Self {
        Seat {
            // SAFETY: by the caller; all desks of a pool live as long as its seats.
            at_work: unsafe { AtWork::new(worker) },
            worker,
            mail: Mail::new(),
            guest_desk: CachePadded::new(Cell::new(ptr::null())),
        }
    }

    /// The desk where the holder of this right works.
    #[inline]
    pub(crate) fn at_work(&self) -> &Desk {
        self.at_work.desk()
    }

    /// The desk of the worker that has this seat's number, wherever that worker is now.
    pub(crate) fn own_desk(&self) -> &Desk {
        // SAFETY: by the contract of `new`.
        unsafe { &*self.worker }
    }

    /// The holder of the right works at `desk` from now on. Whether the seat showed another desk until now.
    #[inline]
    pub(crate) fn sit_down(&self, desk: &Desk) -> bool {
        self.at_work.sit_down(desk)
    }

    /// Takes the desk for a guest, if it is there. Only for the holder of the right.
    #[inline]
    pub(crate) fn take_guest_desk(&self) -> Option<&Desk> {
        let guest_desk = self.guest_desk.replace(ptr::null());
        // SAFETY: null or a desk of the pool, which lives as long.
        unsafe { guest_desk.as_ref() }
    }

    /// Leaves a desk for the next guest. False: there is one already. Only for the holder of the right.
    #[inline]
    pub(crate) fn leave_guest_desk(&self, desk: &Desk) -> bool {
        let none = self.guest_desk.get().is_null();
        if none {
            self.guest_desk.set(desk);
        }
        none
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use std::mem::offset_of;

    /// What a caller from outside writes at each call shares no line of the cache with what thieves look at, in this seat or the next one.
    #[test]
    fn callers_and_thieves_share_no_line() {
        assert!(align_of::<Seat>() >= 64);
        let guest_desk = offset_of!(Seat, guest_desk);
        assert!(guest_desk.is_multiple_of(64));
        for polled in [offset_of!(Seat, at_work), offset_of!(Seat, mail)] {
            assert!(!(guest_desk..guest_desk + 64).contains(&polled));
        }
        assert!(
            offset_of!(Seat, mail) + size_of::<Mail>() <= guest_desk
                || guest_desk + 64 <= offset_of!(Seat, at_work)
        );
    }

    #[test]
    fn a_seat_has_one_desk_at_work_and_one_for_a_guest() {
        let [own, other] = [1, 2].map(|id| Desk::new(id, None, ptr::null(), false));
        // SAFETY: the desk lives as long.
        let seat = unsafe { Seat::new(&own) };
        let is = |desk: &Desk, expected: &Desk| ptr::eq(desk, expected);
        assert!(is(seat.at_work(), &own) && !seat.sit_down(&own));
        assert!(seat.sit_down(&other) && is(seat.at_work(), &other) && !seat.sit_down(&other));
        assert!(is(seat.own_desk(), &own));
        assert!(seat.take_guest_desk().is_none());
        assert!(seat.leave_guest_desk(&other) && !seat.leave_guest_desk(&own));
        assert!(seat.take_guest_desk().is_some_and(|desk| is(desk, &other)));
        assert!(seat.take_guest_desk().is_none());
    }
}

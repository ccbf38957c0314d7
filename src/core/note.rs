//! Writes an event of the calling thread to the recording: to the ring of its desk. Threads that are at no desk share a ring. Without the
//! feature `trace` it does nothing.

use super::desk::Desk;
use super::event::Kind;
#[cfg(feature = "trace")]
use super::{desk, recorder};

/// Notes what happens on this thread, at a desk or at none, if anything is recorded.
#[inline(always)]
pub(crate) fn here(kind: Kind, number: impl FnOnce() -> u64) {
    #[cfg(feature = "trace")]
    if recorder::is_armed() {
        write(kind, number());
    }
    #[cfg(not(feature = "trace"))]
    let _ = (kind, number);
}

/// Notes that this thread wakes the one at `desk`.
pub(crate) fn wake(desk: &Desk) {
    here(Kind::Wake, || {
        #[cfg(feature = "trace")]
        {
            let of = desk.probe.recorder.identity();
            of.pool << 32 | of.desk
        }
        #[cfg(not(feature = "trace"))]
        {
            desk.id() as u64
        }
    });
}

#[cfg(feature = "trace")]
#[cold]
fn write(kind: Kind, number: u64) {
    match desk::current() {
        Some(desk) => desk.probe.recorder.get().write((kind, 0), number, None),
        None => recorder::write_outside(kind, number),
    }
}

/// The desk that this thread is at.
#[cfg(feature = "trace")]
pub(crate) fn desk_here() -> Option<super::track::Identity> {
    desk::current().map(|desk| desk.probe.recorder.identity())
}

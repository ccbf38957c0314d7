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

#[cfg(all(test, feature = "trace", unix, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use crate::core::child::in_a_process;
    use crate::core::clock::{self, mock};
    use crate::core::pool::{Handlers, Pool};
    use crate::core::recorder::Recording;
    use crate::core::worker::Worker;

    /// It is recorded at the desk that the thread is at, else among the events of threads without one.
    #[test]
    fn what_a_thread_does_is_recorded_where_it_is() {
        let name = "core::note::tests::what_a_thread_does_is_recorded_where_it_is";
        if in_a_process(name, &[]).is_some() {
            return;
        }
        let [_, pool] = [(), ()].map(|()| Pool::new(2, 0, Handlers::default(), true, false));
        let [first, second] = [0, 1].map(|at| pool.seats[at].own_desk());
        here(Kind::Inject, || panic!("nothing is recorded yet"));
        assert!(desk_here().is_none());
        mock::with(0, || {
            let recording = Recording::begin(|| ());
            here(Kind::Inject, || 5);
            wake(second);
            {
                // SAFETY: a worker's right is born in its hand, and its desk is for it alone.
                let _sitting = unsafe { Worker::sit(first, 0) };
                here(Kind::Spawn, || 6);
                assert_eq!(desk_here().map(|of| (of.pool, of.desk)), Some((1, 1)));
            }
            let (tracks, _) = recording.read(clock::ticks());
            let events = tracks.iter().flat_map(|track| {
                let events = track.events.iter();
                events.map(|it| (track.of.desk, it.kind, it.small, it.number))
            });
            let expected = [
                (0, Kind::Inject, 0, 5),
                (0, Kind::Wake, 0, 1 << 32 | 2),
                (1, Kind::Spawn, 0, 6),
            ];
            assert!(events.eq(expected));
        });
    }
}

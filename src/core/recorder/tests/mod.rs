//! What is shared by all desks of a process is tested in processes of their own.

use super::*;
use crate::core::child::in_a_process;
use crate::core::clock::mock;
use crate::core::row::columns::{CALLS, ITEMS};

/// A recorder that no recording knows.
fn apart(of: Identity) -> Arc<DeskRecorder> {
    Arc::new(DeskRecorder {
        of,
        ring: EventRing::new(1024),
        rows: Rows::default(),
        calls: AtomicU64::new(0),
        number: 0,
    })
}

fn desk(desk: u64) -> Identity {
    Identity {
        pool: 7,
        desk,
        worker: None,
    }
}

fn write(recorder: &DeskRecorder, times: u64) {
    (0..times).for_each(|at| recorder.write((Kind::Run, 3), at, None));
}

/// For each track the name of its desk, how many events it has, and how many it lost.
fn tracks(recording: &Recording) -> Vec<(u64, usize, u64)> {
    let (tracks, _) = recording.read(clock::ticks());
    let tracks = tracks.into_iter();
    tracks
        .map(|track| (track.of.desk, track.events.len(), track.lost))
        .collect()
}

/// Also when a desk has had 2^32 calls.
#[test]
fn a_call_is_named_by_its_count_and_its_desk() {
    let recorder = apart(Identity {
        pool: 5,
        desk: 0x1_2345,
        worker: Some(0),
    });
    let place = 0x2345 << 32 | 5 << 48;
    let after = |calls| {
        recorder.calls.store(calls, Ordering::Relaxed);
        [(), ()].map(|()| recorder.new_call())
    };
    assert_eq!(after(0), [1 | place, 2 | place]);
    assert_eq!(
        after((1 << 31) - 1),
        [1 << 31 | place, ((1 << 31) + 1) | place]
    );
    assert_eq!(after((1 << 32) - 1), [place, 1 | place]);
}

/// What goes on is named again when a quarter of the ring was written since.
#[test]
fn a_quarter_of_the_ring_is_far() {
    let (recorder, before) = (apart(desk(1)), Cell::new(0));
    let far_at = |head: u64| {
        write(&recorder, head - recorder.head());
        recorder.is_far_from(&before)
    };
    assert_eq!([0, 100, 257].map(far_at), [false; 3]);
    assert_eq!(
        [258, 258, 514, 515, 515].map(far_at),
        [true, false, false, true, false]
    );
    let later = Cell::new(0);
    let is_far = || recorder.is_far_from(&later);
    assert!(!is_far());
    write(&recorder, 256);
    assert!(!is_far());
    write(&recorder, 1);
    assert!(is_far() && !is_far());
}

#[test]
fn events_are_recorded_while_any_recording_goes_on() {
    let name = "core::recorder::tests::events_are_recorded_while_any_recording_goes_on";
    if in_a_process(name, &[]).is_some() {
        return;
    }
    mock::with(0, || {
        let lazy = LazyRecorder::default();
        assert_eq!(lazy.identity(), Identity::default());
        lazy.introduce(desk(4));
        assert_eq!(WORKERS.load(Ordering::Relaxed), 0);
        lazy.note(Kind::Run, || panic!("nothing is recorded"));
        assert!(lazy.recorder.get().is_none() && !is_armed());
        let mut prepared = 0;
        let first = Recording::begin(|| prepared += 1);
        lazy.note(Kind::Run, || 1);
        let second = Recording::begin(|| prepared += 1);
        lazy.note(Kind::Done, || 2);
        write_outside(Kind::Inject, 3);
        drop(first);
        assert!(is_armed());
        let (tracks, _) = second.read(clock::ticks());
        let events = tracks.iter().flat_map(|track| {
            let events = track.events.iter();
            events.map(|it| (track.of.desk, it.kind, it.small, it.number))
        });
        // Of what was before the second one began, nothing.
        assert!(events.eq([(0, Kind::Inject, 0, 3), (4, Kind::Done, 0, 2)]));
        drop(second);
        assert!(!is_armed() && prepared == 2);
        assert_eq!(ARMED.load(Ordering::Relaxed), 0);
        assert!(!cfg!(target_os = "linux") || Time::now().processor.is_some());
    });
}

/// A recording has its own part of each track, whatever was lost before it, in the order of their desks.
#[test]
fn a_recording_has_the_events_of_its_time() {
    let name = "core::recorder::tests::a_recording_has_the_events_of_its_time";
    if in_a_process(name, &[]).is_some() {
        return;
    }
    // So that all rings are short.
    LazyRecorder::default().introduce(Identity {
        worker: Some(1 << 20),
        ..desk(0)
    });
    mock::with(0, || {
        let [second, first, silent] = [2, 1, 3].map(|at| DeskRecorder::make(desk(at)));
        assert!(
            [&first, &second, &silent]
                .iter()
                .all(|it| it.slots() == 1024)
        );
        write(&first, 5000);
        let recording = Recording::begin(|| ());
        assert_eq!(tracks(&recording), []);
        write(&second, 1);
        assert_eq!(tracks(&recording), [(2, 1, 0)]);
        let new = DeskRecorder::make(desk(0));
        write(&new, 1);
        write(&first, 2022);
        // 1,000 slots of the other 2,022 are gone, with room for what may just be written; an event takes two at most.
        assert_eq!(tracks(&recording), [(0, 1, 0), (1, 1022, 500), (2, 1, 0)]);
        assert_eq!(tracks(&Recording::begin(|| ())), []);
    });
}

#[test]
fn a_recording_has_what_sites_did_in_its_time() {
    let name = "core::recorder::tests::a_recording_has_what_sites_did_in_its_time";
    if in_a_process(name, &[]).is_some() {
        return;
    }
    let [first, second] = [1, 2].map(|at| DeskRecorder::make(desk(at)));
    first.rows.add(10, None, &[(CALLS, 3), (ITEMS, 50)]);
    first.rows.add(11, None, &[(CALLS, 7)]);
    first.rows.left_out.store(4, Ordering::Relaxed);
    lock(&GONE).lost = 20;
    let recording = Recording::begin(|| ());
    let counted = || {
        let (_, all) = recording.read(clock::ticks());
        let row = |(site, row): (u32, Row)| (site, row.0[CALLS], row.0[ITEMS]);
        let rows: Vec<_> = all.rows.into_iter().map(row).collect();
        (rows, all.left_out, all.lost)
    };
    assert_eq!(counted(), (vec![], 0, 0));
    first.rows.add(10, None, &[(CALLS, 1)]);
    second.rows.add(10, None, &[(CALLS, 4), (ITEMS, 6)]);
    second.rows.add(12, None, &[(CALLS, 1)]);
    second.rows.left_out.store(3, Ordering::Relaxed);
    lock(&GONE).lost += 2;
    assert_eq!(counted(), (vec![(10, 5, 6), (12, 1, 0)], 3, 2));
}

/// A recorder whose desk is gone is kept for recordings that go on, unless there are many such; one that begins alone needs none.
#[test]
fn the_oldest_recorders_of_desks_that_are_gone_are_dropped() {
    let name = "core::recorder::tests::the_oldest_recorders_of_desks_that_are_gone_are_dropped";
    if in_a_process(name, &[]).is_some() {
        return;
    }
    let mut recorders = Vec::new();
    let mut alive = Vec::new();
    let dead = DEAD as u64;
    let push_dead = |recorders: &mut Vec<_>, at: u64| {
        let recorder = apart(desk(at));
        recorder.rows.add(9, None, &[(CALLS, 1)]);
        recorder.rows.left_out.store(2, Ordering::Relaxed);
        write(&recorder, 5);
        recorders.push(recorder);
    };
    alive.push(apart(desk(1000)));
    recorders.push(Arc::clone(&alive[0]));
    (0..dead).for_each(|at| push_dead(&mut recorders, at));
    alive.push(apart(desk(1001)));
    recorders.push(Arc::clone(&alive[1]));
    bury(&mut recorders);
    assert_eq!((recorders.len(), lock(&GONE).lost), (DEAD + 2, 0));
    (dead..dead + 3).for_each(|at| push_dead(&mut recorders, at));
    bury(&mut recorders);
    let desks: Vec<_> = recorders.iter().map(|it| it.of.desk).collect();
    let expected: Vec<_> = [1000].into_iter().chain(3..dead).chain([1001]).collect();
    assert_eq!(desks[..expected.len()], expected);
    assert_eq!(desks[expected.len()..], [dead, dead + 1, dead + 2]);
    // Five slots are three events at least.
    let gone = lock(&GONE).clone();
    assert_eq!(
        (gone.rows[&9].0[CALLS], gone.left_out, gone.lost),
        (3, 6, 9)
    );

    // By all that makes one.
    for _ in 0..DEAD + 9 {
        DeskRecorder::make(desk(5));
    }
    let known = || lock(&RECORDERS).len();
    assert_eq!(known(), DEAD + 1);
    let first = Recording::begin(|| ());
    assert_eq!(known(), 0);
    write(&DeskRecorder::make(desk(6)), 2);
    let _second = Recording::begin(|| ());
    assert_eq!(tracks(&first), [(6, 2, 0)]);
}

/// For a thousand workers and as many guests. What comes later has a part of what is left, and a little in any case.
#[test]
fn rings_share_the_memory_there_is() {
    let name = "core::recorder::tests::rings_share_the_memory_there_is";
    if in_a_process(name, &[]).is_some() {
        return;
    }
    let introduce = |worker| {
        let of = Identity { worker, ..desk(1) };
        LazyRecorder::default().introduce(of);
        WORKERS.load(Ordering::Relaxed)
    };
    let workers = [Some(7), None, Some(999), Some(3)].map(introduce);
    assert_eq!(workers, [8, 8, 1000, 1000]);
    let all: Vec<_> = (0..2060).map(|_| DeskRecorder::make(desk(1))).collect();
    let slots: Vec<_> = all.iter().map(|recorder| recorder.slots()).collect();
    let [long, short] = [2048, 1024].map(|of| slots.iter().filter(|&&it| it == of).count());
    assert_eq!((long, short), (2045, 15));
    assert!(slots.is_sorted_by(|a, b| a >= b));
}

#[test]
fn a_region_has_one_number() {
    let name = "core::recorder::tests::a_region_has_one_number";
    if in_a_process(name, &[]).is_some() {
        return;
    }
    assert_eq!(["a", "b", "a", "c", "b"].map(region), [0, 1, 0, 2, 1]);
    assert_eq!(regions(), ["a", "b", "c"]);
}

/// After `fork`, threads of the parent may hold every lock for ever. This process stands in for the child.
#[test]
fn a_child_records_nothing_and_needs_no_lock() {
    let name = "core::recorder::tests::a_child_records_nothing_and_needs_no_lock";
    if in_a_process(name, &[]).is_some() {
        return;
    }
    let recorder = DeskRecorder::make(desk(1));
    region("of the parent");
    let parents = Recording::begin(|| ());
    write(&recorder, 3);
    let held = (lock(&RECORDERS), lock(&REGIONS), lock(&GONE));
    child::begin();
    assert!(!is_armed() && tracks(&parents).is_empty() && regions().is_empty());
    let own = Recording::begin(|| panic!("there is nothing to prepare"));
    assert!(!is_armed() && tracks(&own).is_empty());
    LazyRecorder::default().note(Kind::Run, || panic!("nothing is recorded"));
    drop((own, parents));
    assert_eq!(ARMED.load(Ordering::Relaxed), 0);
    drop(held);
}

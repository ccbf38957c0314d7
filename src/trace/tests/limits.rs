//! Tests: events and call sites that a recording has no room for are counted, exactly.

use super::alone;
use crate::core::event::Kind;
use crate::core::recorder::{DeskRecorder, Recording};
use crate::core::row::columns::CALLS;
use crate::core::rows::{self, ROWS, Rows};
use crate::core::track::Identity;
use crate::sync::Ordering;
use crate::trace::explain::Explain;
use crate::trace::recording::Trace;

fn recorder() -> std::sync::Arc<DeskRecorder> {
    DeskRecorder::make(Identity {
        pool: 77_777,
        desk: 1,
        worker: Some(0),
    })
}

fn track(recording: &Recording) -> (u64, u64) {
    let trace = Trace::of(recording);
    let tracks = trace.tracks.iter();
    let mut ours = tracks.filter(|track| track.of.pool == 77_777);
    let track = ours.next().expect("the track of the recorder");
    assert!(ours.next().is_none());
    (track.events.len() as u64, track.lost)
}

/// What was overwritten before a recording began is none of its losses, and an event of two slots is one event.
#[test]
fn lost_events_are_those_of_the_recording() {
    let _alone = alone();
    let recorder = recorder();
    let full = 4 * recorder.slots();
    let write = |times: u64| {
        (0..times).for_each(|at| recorder.write((Kind::Blocks, 0), at, Some([at, at])));
    };
    write(full);
    let recording = Recording::begin(|| ());
    assert!(
        Trace::of(&recording)
            .tracks
            .iter()
            .all(|track| track.of.pool != 77_777)
    );
    write(3);
    assert_eq!(track(&recording), (3, 0));
    write(full - 3);
    let (kept, lost) = track(&recording);
    // Up to two slots more count as being written.
    assert!(
        (full - 2..=full).contains(&(kept + lost)),
        "{kept} and {lost} of {full}"
    );
    let later = Recording::begin(|| ());
    write(1);
    assert_eq!(track(&later), (1, 0));
}

/// However many pools come and go, memory does not grow, and what they counted stays.
#[test]
fn desks_that_are_gone_are_counted() {
    let _alone = alone();
    let recording = Recording::begin(|| ());
    let site = 0x7F10_0001;
    const MANY: u64 = 300;
    for _ in 0..MANY {
        let recorder = recorder();
        recorder.write((Kind::Run, 0), 1, None);
        recorder.rows.add(site, None, &[(CALLS, 2)]);
    }
    let trace = Trace::of(&recording);
    let kept = trace.tracks.iter().filter(|track| track.of.pool == 77_777);
    let kept = kept.count() as u64;
    assert!((60..=70).contains(&kept), "{kept}");
    // Those of other tests may be among them.
    let lost = trace.lost();
    assert!(lost >= MANY - kept && lost < 2 * MANY, "{lost}");
    let ours = trace.sites.iter().find(|row| row.key == site).unwrap();
    assert_eq!(ours.row.0[CALLS], 2 * MANY);
    let mut file = Vec::new();
    trace.write_raw(&mut file).unwrap();
    assert_eq!(Trace::read_raw(&*file).unwrap().lost(), lost);
}

/// A site that is known by number first gets its name as soon as that is told; and sites beyond the room for them are left out, but counted.
#[test]
fn sites_beyond_the_room_are_counted() {
    let rows = Rows::default();
    let named = || ["a::Piece", "a::Consumer"];
    let site = 0x7F00_0001;
    rows.add(site, None, &[(CALLS, 1)]);
    assert_eq!(rows::name_of(site), ["?", "?"]);
    rows.add(site, Some(&named), &[(CALLS, 1)]);
    assert_eq!(rows::name_of(site), named());
    for more in 1..ROWS as u32 + 100 {
        rows.add(site + more, None, &[(CALLS, 1)]);
    }
    let all = rows.read();
    assert_eq!(all.len(), ROWS);
    assert_eq!(rows.left_out.load(Ordering::Relaxed), 100);
    let calls: u64 = all.iter().map(|(_, row)| row.0[CALLS]).sum();
    assert_eq!(calls, ROWS as u64 + 1);
    let explain = Explain {
        sites: Vec::new(),
        lost: 0,
        left_out: 100,
    };
    assert_eq!(
        explain.to_string(),
        "a thread has room for 512 sites: others were left out, 100 times\n"
    );
}

/// The last part has what happened then, and what was under way.
#[test]
fn the_last_part_knows_what_is_under_way() {
    use crate::trace::what::What;
    use std::time::Duration;
    let _alone = alone();
    let recorder = recorder();
    let recording = Recording::begin(|| ());
    let write = |kind, number| recorder.write((kind, 0), number, None);
    write(Kind::Run, 1);
    write(Kind::Run, 2);
    write(Kind::Done, 2);
    write(Kind::Region, 0);
    std::thread::sleep(Duration::from_millis(20));
    write(Kind::Run, 3);
    write(Kind::Done, 3);
    let trace = Trace::of(&recording);
    let whole = trace.elapsed();
    let trace = trace.cut_to_last(Duration::from_millis(10));
    assert!(trace.elapsed() <= Duration::from_millis(11) && whole >= Duration::from_millis(20));
    let track = trace
        .tracks
        .iter()
        .find(|track| track.of.pool == 77_777)
        .unwrap();
    let spans = trace.spans(track);
    let what: Vec<_> = spans.iter().map(|span| span.what).collect();
    assert_eq!(what, [What::Job(1), What::Region(0), What::Job(3)]);
    assert_eq!((spans[0].from, spans[0].to), (0, trace.ticks));
    // All of it, if that is asked for.
    let all = Trace::of(&recording).cut_to_last(Duration::MAX);
    assert!(all.elapsed() >= whole);
}

//! Recordings made by hand, of which everything is known.

use super::recording::{PoolRow, SiteRow, Trace};
use super::{Replay, of_bytes};
use crate::core::event::Kind;
use crate::core::row::{Row, columns::REASONS};
use crate::core::slots::Event;
use crate::core::track::{Identity, Track};
use crate::work::Step;
use crate::{Choices, Costs, run};
use filch::trace::Reason;

const BEGIN: u64 = 1_000_000;
const MS: u64 = 1_000_000;
const SITE: u32 = 7;

/// An event at this time, with its numbers.
type Note = (u64, Kind, u64, [u64; 2]);

/// A recording of `ticks` nanoseconds, on a guest's desk and on those of workers.
fn trace(ticks: u64, tracks: &[&[Note]]) -> Trace {
    let track = |(desk, notes): (usize, &&[Note])| Track {
        of: Identity {
            pool: 1,
            desk: 1 + desk as u64,
            worker: (desk as u64).checked_sub(1),
        },
        events: notes.iter().map(note).collect(),
        lost: 0,
    };
    let note_of_pool = PoolRow {
        number: 1,
        threads: 2,
        name: "global".into(),
    };
    Trace {
        tracks: tracks.iter().enumerate().map(track).collect(),
        sites: Vec::new(),
        regions: vec!["all".into()],
        pools: vec![note_of_pool],
        left_out: 0,
        gone: 0,
        begin: BEGIN,
        ticks,
        per_ns: 1.0,
        processor: None,
    }
}

fn note(&(at, kind, number, more): &Note) -> Event {
    Event {
        ticks: BEGIN + at,
        kind,
        small: 0,
        number,
        more,
    }
}

fn begin(at: u64, call: u64, items: u64) -> Note {
    let prior = u64::from(20f32.to_bits()) << 32;
    (at, Kind::Call, u64::from(SITE) | prior, [items, call])
}

fn end(at: u64, call: u64) -> Note {
    (at, Kind::CallEnd, call, [0; 2])
}

/// Items from `first` on were folded in the `ticks` up to this time.
fn blocks(at: u64, items: u64, ticks: u64, first: u64) -> Note {
    (at, Kind::Blocks, items, [ticks, first])
}

/// Anything with one number.
fn just(at: u64, kind: Kind, number: u64) -> Note {
    (at, kind, number, [0; 2])
}

fn written(trace: &Trace) -> Vec<u8> {
    let mut bytes = Vec::new();
    trace.write_raw(&mut bytes).unwrap();
    bytes
}

fn replayed(trace: &Trace) -> Replay {
    of_bytes(&written(trace)).unwrap()
}

/// The steps in words.
fn told(steps: &[Step]) -> String {
    let steps = steps.iter().map(|step| match step {
        Step::Serial(ns) => format!("{ns}"),
        Step::Loop(items) => format!("loop {} {}", items.items(), items.work()),
        Step::Fork(sides) => {
            let [left, right] = sides.each_ref().map(|side| told(side));
            format!("({left} | {right})")
        }
        Step::Tree(tree) => panic!("{tree:?} is in no recording"),
    });
    steps.collect::<Vec<_>>().join(", ")
}

fn steps(trace: &Trace) -> String {
    told(&replayed(trace).workload.calls[0].1)
}

/// Blocks that were folded without a look at the clock take no time, and end where another one begins or ends. They are blocks of their own all the same.
#[test]
fn items_without_a_look_are_items() {
    let notes = [
        just(0, Kind::Sit, 0),
        begin(0, 1, 18),
        blocks(100, 10, 100, 0),
        blocks(100, 3, 0, 10),
        blocks(150, 4, 50, 13),
        blocks(150, 1, 0, 17),
        end(150, 1),
        just(150, Kind::Rise, 0),
    ];
    let replay = replayed(&trace(150, &[&notes]));
    assert_eq!(told(&replay.workload.calls[0].1), "loop 18 150");
}

/// 200 ms of a loop between 2 ms and 1 ms of serial code: 10 million items of 20 ns.
fn long_loop() -> Trace {
    let mut notes = vec![just(2 * MS, Kind::Sit, 0), begin(2 * MS, 1, 10_000_000)];
    notes.extend((0..200).map(|at| blocks((3 + at) * MS, 50_000, MS, 50_000 * at)));
    notes.extend([end(202 * MS, 1), just(202 * MS, Kind::Rise, 0)]);
    trace(203 * MS, &[&notes])
}

/// One worker takes what the recording took; 64 take little more than their share of the work and the longest chain together, which is what a greedy
/// scheduler without any cost may take.
#[test]
fn a_loop_of_known_cost_is_scheduled_as_theory_says() {
    let Replay { workload, seen, .. } = replayed(&long_loop());
    assert_eq!(
        told(&workload.calls[0].1),
        format!("{}, loop 10000000 {}, {MS}", 2 * MS, 200 * MS)
    );
    assert_eq!((seen.serial, seen.loops, seen.left_out), (3 * MS, 1, 0));
    let (work, chain) = (workload.work(), workload.chain());
    assert_eq!((work, chain), (203 * MS, 3 * MS + 20));
    let time =
        |workers| run(&workload, workers, &Choices::SHIPPED, &Costs::default(), 1).time as f64;
    let alone = time(1) / workload.ideal(1);
    assert!((1.0..1.02).contains(&alone), "{alone}");
    let brent = work as f64 / 64.0 + chain as f64;
    let many = time(64);
    assert!(
        (workload.ideal(64)..1.1 * brent).contains(&many),
        "{many}, {brent}"
    );
}

/// What another thread folded stands where its items are, whichever thread was first.
#[test]
fn parts_of_a_loop_are_put_in_order() {
    let owner = [
        just(0, Kind::Sit, 0),
        begin(0, 5, 100),
        just(10, Kind::Promote, 0xA0),
        blocks(5_010, 50, 5_000, 0),
        just(5_010, Kind::Wait, 0xA0),
        just(9_030, Kind::Waited, 0xA0),
        end(9_030, 5),
        just(9_030, Kind::Rise, 0),
    ];
    let thief = [
        just(1_000, Kind::Take, 0xA0),
        just(1_010, Kind::Run, 0xA0),
        (1_020, Kind::Piece, 5, [50, 50]),
        blocks(3_020, 25, 2_000, 50),
        blocks(9_020, 25, 6_000, 75),
        just(9_020, Kind::PieceEnd, 5),
        just(9_025, Kind::Done, 0xA0),
    ];
    let replay = replayed(&trace(10_000, &[&owner, &thief]));
    let [Step::Loop(items), Step::Serial(970)] = &replay.workload.calls[0].1[..] else {
        panic!("{}", told(&replay.workload.calls[0].1));
    };
    let costs = [(0, 50), (50, 75), (75, 100)].map(|(from, to)| items.cost(from, to));
    assert_eq!((items.items(), costs), (100, [5_000, 2_000, 6_000]));
    assert_eq!((items.cost(10, 11), items.longest()), (100, 240));
    assert_eq!(items.remembered(), 20.0);
    let Replay { seen, .. } = replay;
    assert_eq!((seen.forks, seen.serial, seen.left_out), (0, 970, 10));
}

/// A join of which another thread took the right side, inside the left side of one; the outer one was published late, in a loop.
#[test]
fn joins_nest_as_they_were_waited_for() {
    let owner = [
        just(100, Kind::Sit, 0),
        begin(200, 1, 10),
        just(250, Kind::Promote, 0xA),
        blocks(400, 10, 200, 0),
        end(400, 1),
        just(500, Kind::Promote, 0xB),
        just(800, Kind::Wait, 0xB),
        just(900, Kind::Waited, 0xB),
        just(1_000, Kind::Wait, 0xA),
        just(1_500, Kind::Waited, 0xA),
        just(1_600, Kind::Rise, 0),
    ];
    let outer = [
        just(300, Kind::Take, 0xA),
        just(300, Kind::Run, 0xA),
        just(1_490, Kind::Done, 0xA),
    ];
    let inner = [
        just(510, Kind::Take, 0xB),
        just(520, Kind::Run, 0xB),
        just(890, Kind::Done, 0xB),
    ];
    let trace = trace(1_650, &[&owner, &outer, &inner]);
    assert_eq!(
        steps(&trace),
        "200, (loop 10 200, 100, (300 | 370), 100 | 1190), 150"
    );
}

/// Two jobs of a scope, of which one was run while the scope was waited for.
#[test]
fn a_scope_ends_when_its_jobs_have() {
    let owner = [
        just(0, Kind::Sit, 0),
        just(100, Kind::Spawn, 0xA),
        just(200, Kind::Spawn, 0xB),
        just(300, Kind::Wait, 0),
        just(310, Kind::Run, 0xB),
        just(910, Kind::Done, 0xB),
        just(2_000, Kind::Waited, 0),
        just(2_100, Kind::Rise, 0),
    ];
    let other = [
        just(150, Kind::Take, 0xA),
        just(160, Kind::Run, 0xA),
        just(1_990, Kind::Done, 0xA),
    ];
    let trace = trace(2_100, &[&owner, &other]);
    assert_eq!(steps(&trace), "100, (100, (100 | 600) | 1830), 100");
}

/// A call inside an item, of which another thread took a part: all its work is the item's.
#[test]
fn calls_inside_of_items_keep_their_work() {
    let owner = [
        just(0, Kind::Sit, 0),
        begin(0, 1, 2),
        begin(100, 2, 100),
        just(150, Kind::Promote, 0xA),
        blocks(500, 50, 400, 0),
        just(500, Kind::Wait, 0xA),
        just(900, Kind::Waited, 0xA),
        end(900, 2),
        blocks(1_000, 2, 1_000, 0),
        end(1_000, 1),
        just(1_000, Kind::Rise, 0),
    ];
    let thief = [
        just(190, Kind::Take, 0xA),
        just(200, Kind::Run, 0xA),
        (200, Kind::Piece, 2, [50, 50]),
        blocks(890, 50, 690, 50),
        just(890, Kind::PieceEnd, 2),
        just(900, Kind::Done, 0xA),
    ];
    let replay = replayed(&trace(1_000, &[&owner, &thief]));
    assert_eq!(told(&replay.workload.calls[0].1), "loop 2 1300");
    assert_eq!((replay.seen.nested, replay.seen.loops), (1, 1));
}

/// Two callers at a time, and one after them.
#[test]
fn what_overlapped_may_overlap_again() {
    let jobs = |from: u64, job| {
        [
            just(from, Kind::Run, job),
            just(from + 500, Kind::Done, job),
        ]
    };
    let (first, second) = (jobs(100, 0xA), jobs(400, 0xB));
    let third = jobs(1_000, 0xC);
    let both = [&second[..], &third].concat();
    let trace = trace(1_600, &[&[], &first, &both]);
    assert_eq!(
        steps(&trace),
        "100, (500 | 500), 100, 500, 100".replace("100, 500, 100", "700")
    );
}

/// A recording that was made inside a job does not see the job itself.
#[test]
fn a_job_around_the_recording_is_guessed() {
    let owner = [
        just(100, Kind::Promote, 0xA),
        just(600, Kind::Wait, 0xA),
        just(900, Kind::Waited, 0xA),
    ];
    let other = [
        just(150, Kind::Take, 0xA),
        just(150, Kind::Run, 0xA),
        just(890, Kind::Done, 0xA),
    ];
    let trace = trace(1_000, &[&[], &owner, &other]);
    assert_eq!(steps(&trace), "100, (500 | 740), 100");
}

/// Loops that were told not to be cut are not cut here either.
#[test]
fn a_least_length_makes_a_loop_serial() {
    let mut trace = long_loop();
    let mut row = Row::default();
    row.0[REASONS + Reason::MinLen as usize] = 200;
    trace.sites.push(SiteRow {
        key: SITE,
        name: "a site".into(),
        row,
        alone_and_shared: None,
    });
    assert_eq!(steps(&trace), format!("{}", 203 * MS));
    trace.sites[0].row.0[REASONS + Reason::Large as usize] = 1;
    assert_eq!(steps(&trace), steps(&long_loop()));
}

/// What is no recording, or not a whole one, is told with its value.
#[test]
fn what_cannot_be_replayed_is_said() {
    let why = |bytes: &[u8]| of_bytes(bytes).unwrap_err();
    let good = written(&long_loop());
    assert_eq!(why(b"filch traces"), "this is no recording of filch");
    assert_eq!(why(b""), "this is no recording of filch");
    let head = 1 + good.iter().position(|&byte| byte == b'\n').unwrap();
    let older = [b"filch trace 2\n", &good[head..]].concat();
    assert!(
        why(&older)
            .starts_with("this recording is of version 2, and what reads it here knows version")
    );
    for len in [head, good.len() / 2, good.len() - 1] {
        let said = why(&good[..len]);
        assert!(
            said.contains(&format!(
                "the recording is cut short: it goes on after the {len} bytes"
            )),
            "{said}"
        );
    }
    // A file may end anywhere, and says so.
    let small = written(&trace(10, &[&[just(5, Kind::Sleep, 0)]]));
    assert!((0..small.len()).all(|len| of_bytes(&small[..len]).is_err()));
    assert_eq!(
        why(&small),
        "nothing in these 10.000ns is parallel: 0 calls of parallel iterators were driven, and 0 jobs ran"
    );
    let mut lost = long_loop();
    lost.tracks[0].lost = 12_345;
    assert!(why(&written(&lost)).starts_with("at least 12345 events were overwritten"));
}

//! Tests: recordings that are written, and read again.

use super::{alone, recorded};
use crate::trace::record;
use crate::trace::recording::Trace;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::ErrorKind::{InvalidData, UnexpectedEof};

/// The numbers of a process and a thread.
type Thread = [u64; 2];

fn thread(event: &Value) -> Thread {
    ["pid", "tid"].map(|number| event[number].as_u64().unwrap())
}

#[test]
fn chrome_s_format_is_read_by_a_strict_reader() {
    let _alone = alone();
    let (trace, stats) = recorded(4, false);
    let mut json = Vec::new();
    trace.write_chrome(&mut json).unwrap();
    let all: Value = serde_json::from_slice(&json).unwrap();
    let events = all["traceEvents"].as_array().unwrap();
    let mut flows: BTreeMap<u64, Vec<(f64, String, Thread)>> = BTreeMap::new();
    let mut spans: BTreeMap<Thread, Vec<(f64, f64)>> = BTreeMap::new();
    let mut names = BTreeMap::<&str, u64>::new();
    let mut counters = BTreeMap::<_, (i64, i64)>::new();
    for event in events {
        let phase = event["ph"].as_str().unwrap();
        assert!(
            event["pid"].is_u64() && event["name"].is_string(),
            "{event}"
        );
        *names.entry(event["name"].as_str().unwrap()).or_default() += 1;
        let time = || event["ts"].as_f64().filter(|&ts| ts >= 0.0).unwrap();
        match phase {
            "X" => {
                let end = time() + event["dur"].as_f64().unwrap();
                assert!(end >= time());
                spans.entry(thread(event)).or_default().push((time(), end));
            }
            "s" | "f" => {
                assert_eq!(event["bp"].is_string(), phase == "f");
                let id = event["id"].as_u64().unwrap();
                let end = (time(), phase.into(), thread(event));
                flows.entry(id).or_default().push(end);
            }
            "C" => {
                time();
                let counts = event["args"].as_object().unwrap();
                for (what, count) in counts {
                    let most = if what == "public" { 1000 } else { 4 };
                    assert!((0..=most).contains(&count.as_i64().unwrap()), "{event}");
                    let last = counters.entry((event["pid"].as_u64(), what.clone()));
                    let (last, highest) = last.or_default();
                    *last = count.as_i64().unwrap();
                    *highest = (*highest).max(*last);
                }
            }
            "i" => drop(time()),
            "M" => assert!(event["args"]["name"].is_string()),
            other => panic!("{other}"),
        }
    }
    for (_, flow) in flows {
        assert_eq!(flow.len(), 2);
        assert!(flow[0].1 == "s" && flow[1].1 == "f" && flow[0].0 <= flow[1].0);
        // Else it is not shown.
        for (time, phase, thread) in flow {
            let of_thread = spans.get(&thread).into_iter().flatten();
            let mut around = of_thread.filter(|&&(from, to)| from <= time && time <= to);
            assert!(around.next().is_some(), "{phase} in no span: {thread:?}");
        }
    }
    // Of two spans of a thread, one is inside the other, or they are apart; but for what rounding to a nanosecond does.
    for (thread, mut spans) in spans {
        spans.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)));
        let mut around: Vec<f64> = Vec::new();
        for (from, to) in spans {
            around.retain(|&end| end > from + 0.002);
            let end = around.last().copied().unwrap_or(f64::MAX);
            assert!(to <= end + 0.002, "{thread:?}: {from} to {to}, over {end}");
            around.push(to);
        }
    }
    assert_eq!(
        (names["job_execute"], names["worker_thread"]),
        (stats.jobs, 4)
    );
    // All that was offered was taken, or came back: nothing is left at the end.
    let of = |name: &'static str| counters.iter().filter(move |((_, what), _)| what == name);
    assert!(of("public").any(|(_, &(_, highest))| highest >= 2));
    assert!(
        of("public").all(|(_, &(last, _))| last == 0),
        "{counters:?}"
    );
    assert!(of("searching").count() >= 1 && of("asleep").count() >= 1);
    assert!(names["idle"] > 0 && names["active"] > 0 && names["injected"] > 0);
}

#[test]
fn a_recording_is_read_as_it_was_written() {
    let _alone = alone();
    let (trace, _) = recorded(2, false);
    let mut file = Vec::new();
    trace.write_raw(&mut file).unwrap();
    assert!(Trace::read_raw(&*file).unwrap() == trace);
    // Neither a part nor nonsense does any harm.
    for end in (0..file.len()).step_by(1 + file.len() / 97) {
        assert!(Trace::read_raw(&file[..end]).is_err(), "{end}");
    }
    for at in (14..file.len()).step_by(1 + file.len() / 131) {
        let mut file = file.clone();
        file[at] ^= 0xFF;
        if let Ok(trace) = Trace::read_raw(&*file) {
            trace.write_chrome(std::io::sink()).unwrap();
            drop(trace.explain().to_string());
            drop(trace.scalability().to_string());
        }
    }
}

/// A file of another version, and one of something else, are told apart.
#[test]
fn what_cannot_be_read_is_said() {
    let _alone = alone();
    let ((), trace) = record(|| ());
    let mut file = Vec::new();
    trace.write_raw(&mut file).unwrap();
    assert!(file.starts_with(b"filch trace 4\n"));
    let says = |file: &[u8]| {
        let error = Trace::read_raw(file).unwrap_err();
        (error.kind(), error.to_string())
    };
    for version in ["1", "3", "17"] {
        let mut other = format!("filch trace {version}\n").into_bytes();
        other.extend(&file[14..]);
        assert_eq!(
            says(&other),
            (
                InvalidData,
                format!(
                    "filch: this recording is of version {version}, and what reads it here knows version 4: read it with the filch that wrote it"
                )
            )
        );
    }
    for other in [
        "",
        "<!DOCTYPE html>",
        "filch trace",
        "filch trace x\n",
        "filch trace \n",
        "filch trace 1234567\n",
    ] {
        let none = (
            InvalidData,
            "filch: this is no recording of filch".to_owned(),
        );
        assert_eq!(says(other.as_bytes()), none, "{other}");
    }
    assert_eq!(says(b"filch trace 4").0, UnexpectedEof);
}

//! Tests: the page against a strict reader of XML, and against what it is made of.

use super::super::recording::Trace;
use super::super::summary::Summary;
use super::super::tests::alone;
use super::super::what::What;
use super::super::{record, states::ThreadState};
use crate::core::event::Kind;
use crate::core::slots::Event;
use crate::prelude::*;
use crate::sync::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// An element that begins, text, or an element that ends.
#[derive(Debug, PartialEq)]
enum Part {
    Begin(String, Vec<(String, String)>),
    Text(String),
    End(String),
}

/// Reads a page, and panics where it is not well-formed. An empty element gives both a begin and an end.
fn read(page: &str) -> Vec<Part> {
    let mut rest = page.strip_prefix("<!DOCTYPE html>\n").expect("a doctype");
    let (mut parts, mut open) = (Vec::new(), Vec::new());
    while !rest.is_empty() {
        let Some(after) = rest.strip_prefix('<') else {
            let (text, after) = rest.split_at(rest.find('<').unwrap_or(rest.len()));
            parts.push(Part::Text(plain(text)));
            rest = after;
            continue;
        };
        let (tag, after) = after.split_once('>').expect("an end of the tag");
        assert!(!tag.contains('<'), "{tag}");
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "</{name}>");
            parts.push(Part::End(name.into()));
            continue;
        }
        let (tag, empty) = match tag.strip_suffix('/') {
            Some(tag) => (tag, true),
            None => (tag, false),
        };
        let (name, mut attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric()), "<{tag}>");
        let mut all: Vec<(String, String)> = Vec::new();
        while !attributes.trim().is_empty() {
            let (name, after) = attributes.split_once("=\"").expect("a value in quotes");
            let (value, after) = after.split_once('"').expect("an end of the value");
            assert!(all.iter().all(|(other, _)| other != name.trim()), "{tag}");
            all.push((name.trim().into(), plain(value)));
            attributes = after;
        }
        parts.push(Part::Begin(name.into(), all));
        match empty {
            true => parts.push(Part::End(name.into())),
            false => open.push(name.to_owned()),
        }
    }
    assert!(open.is_empty(), "{open:?} are open");
    parts
}

/// Text without entities.
fn plain(text: &str) -> String {
    let mut pieces = text.split('&');
    let mut plain = pieces.next().unwrap_or("").to_owned();
    for piece in pieces {
        let (name, after) = piece.split_once(';').expect("an end of the entity");
        plain += match name {
            "lt" => "<",
            "gt" => ">",
            "amp" => "&",
            "quot" => "\"",
            other => panic!("&{other};"),
        };
        plain += after;
    }
    assert!(
        plain.chars().all(|c| !c.is_control() || c == '\n'),
        "{plain}"
    );
    plain
}

fn page(trace: &Trace) -> (String, Vec<Part>) {
    let mut page = Vec::new();
    trace.write_html(&mut page).unwrap();
    let page = String::from_utf8(page).unwrap();
    let parts = read(&page);
    (page, parts)
}

/// The exact figures behind those that are shown, in elements of this name, in their order.
fn values(parts: &[Part], element: &str) -> Vec<u128> {
    let all = parts.iter().filter_map(|part| match part {
        Part::Begin(name, attributes) if name == element => {
            let value = attributes.iter().find(|(name, _)| name == "data-value");
            value.map(|(_, value)| value.parse().unwrap())
        }
        _ => None,
    });
    all.collect()
}

fn spin(time: Duration) {
    let end = Instant::now() + time;
    while Instant::now() < end {
        std::hint::spin_loop();
    }
}

/// Loops of several kinds, inside regions whose names are hostile, on a pool that is told to cut and on one of a single thread.
fn recorded() -> Trace {
    let told = crate::ThreadPoolBuilder::new()
        .num_threads(4)
        .build()
        .unwrap();
    told.force_cuts(crate::iter::plumbing::Cuts::Random(3));
    let one = crate::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    let ((), trace) = record(|| {
        crate::region("<script src=\"x\">&]]>\u{7}", || {
            // On a busy machine it may take a while until a second thread takes a piece.
            let threads = AtomicUsize::new(0);
            for call in 1..10_000 {
                told.install(|| {
                    let all = (0..400u32).into_par_iter();
                    all.for_each(|_| {
                        spin(Duration::from_micros(2));
                        let index = crate::current_thread_index().unwrap();
                        threads.fetch_or(1 << index, Relaxed);
                    });
                });
                if call >= 20 && threads.load(Relaxed).count_ones() > 1 {
                    break;
                }
            }
        });
        crate::region("alone", || {
            one.install(|| {
                crate::region("within", || {
                    let all = (0..100u32).into_par_iter();
                    let sum: u32 = all.map(std::hint::black_box).sum();
                    assert_eq!(sum, 4950);
                })
            })
        });
    });
    trace
}

#[test]
fn a_page_is_well_formed_and_loads_nothing() {
    let _alone = alone();
    let (text, parts) = page(&recorded());
    for word in [
        "http",
        "src=",
        "<script",
        "url(",
        "@import",
        "<link",
        "<img",
        "javascript",
    ] {
        let found = text.replace("src=&quot;", "").replace("url(#hatch)", "");
        assert!(!found.contains(word), "{word}");
    }
    // What a name says is text.
    let titles = parts.iter().filter(|part| matches!(part, Part::Text(text) if text.starts_with("<script src=\"x\">&]]>\u{FFFD}")));
    assert!(titles.count() > 0);
    for part in &parts {
        if let Part::Begin(_, attributes) = part {
            assert!(
                attributes
                    .iter()
                    .all(|(name, _)| name != "src" && name != "href" && !name.starts_with("on"))
            );
        }
    }
}

#[test]
fn figures_of_the_page_are_those_of_the_recording() {
    let _alone = alone();
    let trace = recorded();
    let (text, parts) = page(&trace);
    let (explain, summary) = (trace.explain(), Summary::of(&trace));
    assert!(explain.sites.len() >= 2 && explain.sites.iter().any(|site| site.taken > 0));

    let mut cells = Vec::new();
    for site in &explain.sites {
        cells.extend([
            site.time.as_nanos(),
            site.calls.into(),
            site.items.into(),
            0,
        ]);
        cells.extend([
            site.grain.as_nanos(),
            site.grain_items.into(),
            site.cuts.into(),
            site.taken.into(),
            site.p50.as_nanos(),
            site.p99.as_nanos(),
        ]);
        for words in [&site.name, &site.why] {
            let is_it =
                |part: &Part| matches!(part, Part::Text(text) if text.contains(words.as_str()));
            assert!(parts.iter().any(is_it), "{words}");
        }
    }
    for (sum, track) in summary.sums.iter().zip(&trace.tracks) {
        if track.of.desk > 0 {
            let counts = [
                sum.busy, sum.wait, sum.search, sum.sleep, sum.jobs, sum.steals, track.lost,
            ];
            cells.extend(counts.map(u128::from));
        }
    }
    assert_eq!(values(&parts, "td"), cells);

    let steals: u64 = summary.sums.iter().map(|sum| sum.steals).sum();
    let tiles = [
        trace.ticks,
        summary.work,
        0,
        summary.threads,
        steals,
        trace.lost(),
    ];
    assert_eq!(&values(&parts, "div")[..6], tiles.map(u128::from));
    let counts = summary
        .histograms
        .each_ref()
        .map(|(_, times)| times.0.len() as u128);
    assert_eq!(values(&parts, "p"), counts);
    assert!(counts[0] >= 20, "{counts:?}");
    assert!(text.contains("in alone") || text.contains("in within"));
}

/// Work and span of the page are those that were measured; without them there is a bound.
#[test]
fn the_speed_up_is_what_was_measured_or_a_bound() {
    let _alone = alone();
    let trace = recorded();
    let (_, measured) = super::super::measure(|| {
        let all = (0..400u32).into_par_iter();
        all.for_each(|_| spin(Duration::from_micros(2)));
    });
    let mut page = Vec::new();
    trace.write_html_with(&measured, &mut page).unwrap();
    let page = String::from_utf8(page).unwrap();
    let parts = read(&page);
    let times = [
        measured.work(),
        measured.span(),
        measured.span_of_rules(),
        measured.burdened_span(),
    ];
    assert_eq!(values(&parts, "b")[..4], times.map(|time| time.as_nanos()));
    assert!(!page.contains("http") && !page.contains("≤ "));
    let (page, parts) = self::page(&trace);
    let summary = Summary::of(&trace);
    let rest = trace.ticks - summary.full;
    assert_eq!(values(&parts, "b"), [summary.work.into(), rest.into(), 0]);
    let bounds = trace.scalability();
    let parallelism = format!("<b data-value=\"0\">≤ {:.1}", bounds.parallelism());
    assert!(page.contains("bounds (≥ and ≤)") && page.contains(&parallelism));
    assert!(bounds.to_string().contains("at most "), "{bounds}");
}

/// What threads did adds up to what the counters say, and never to more than there is time.
#[test]
fn states_add_up() {
    let _alone = alone();
    let trace = recorded();
    let summary = Summary::of(&trace);
    let total: u64 = summary.working.values().sum();
    assert_eq!(total, trace.ticks);
    let busy: u64 = summary.sums.iter().map(|sum| sum.busy).sum();
    let until =
        |sum: &super::super::summary::ThreadSum| sum.busy + sum.wait + sum.search + sum.sleep;
    assert!(summary.sums.iter().all(|sum| until(sum) <= trace.ticks));
    // Ends may lie a little behind the end of the recording.
    assert!(
        summary.work <= busy && busy - summary.work <= busy / 100 + 1000,
        "{busy} {}",
        summary.work
    );
    for states in &summary.states {
        assert!(states.windows(2).all(|two| two[0].to <= two[1].from));
        assert!(states.iter().all(|period| period.from < period.to));
    }
    let alone: u64 = summary.alone.values().sum();
    assert_eq!(alone, summary.working.get(&1).copied().unwrap_or(0));
    assert!(
        summary
            .states
            .iter()
            .flatten()
            .any(|period| matches!(period.state, ThreadState::Busy(Some(_))))
    );
}

/// However much a thread did, it has 2,000 shapes at most, and what is overwritten is shown as such.
#[test]
fn a_long_recording_is_drawn_with_few_shapes() {
    let _alone = alone();
    let mut trace = recorded();
    let event = |ticks, kind, number| Event {
        ticks: trace.begin + ticks,
        kind,
        small: 0,
        number,
        more: [0; 2],
    };
    // Jobs of one tick, and of hundreds, with a search after each.
    let mut events = Vec::new();
    let mut now = 10_000;
    for job in 0..50_000 {
        events.push(event(now, Kind::Run, job));
        now += if job % 7 == 0 { 700 } else { 1 };
        events.push(event(now, Kind::Done, job));
        events.push(event(now, Kind::Search, 0));
        now += 5 + job % 900;
        events.push(event(now, Kind::Found, 0));
    }
    trace.ticks = now + 1;
    let track = trace
        .tracks
        .iter_mut()
        .find(|track| track.of.worker.is_some())
        .unwrap();
    (track.events, track.lost) = (events, 1_234_567);
    trace.tracks.retain(|track| track.lost > 0);
    let (text, parts) = page(&trace);
    let shapes = |class: &str| {
        let is = |part: &&Part| matches!(part, Part::Begin(name, all) if name == "rect" && all.iter().any(|(name, value)| name == "class" && value == class));
        parts.iter().filter(is).count()
    };
    let all = shapes("busy") + shapes("search") + shapes("lane");
    assert!((100..=2001).contains(&all), "{all}");
    assert_eq!(shapes("lost"), 1);
    assert!(text.contains("At least 1,234,567 events were overwritten"));
}

/// Threads that work have a processor, or it is said that they had none.
#[test]
fn work_without_a_processor_is_told() {
    let _alone = alone();
    let mut trace = recorded();
    let work = trace.duration(Summary::of(&trace).work);
    for (percent, told) in [(79, true), (81, false), (300, false)] {
        trace.processor = Some(work * percent / 100);
        let (text, _) = page(&trace);
        assert_eq!(
            text.contains("but had a processor for 79 % of that at most"),
            told
        );
        assert_eq!(
            text.contains("waits for a processor that another program has"),
            told
        );
        assert!(!told || !text.contains("little to gain"));
    }
    // Of what was overwritten it is not known how much was work.
    trace.processor = None;
    assert!(!page(&trace).0.contains("processor for"));
}

#[test]
fn an_empty_recording_is_a_page_too() {
    let _alone = alone();
    let ((), mut trace) = record(|| ());
    trace.tracks.clear();
    let (text, _) = page(&trace);
    assert!(text.contains("no thread of a pool did anything"));
    trace.ticks = 0;
    page(&trace);
}

/// Where the begin of a call was overwritten, it is still known what the rest was of.
#[test]
fn the_rest_of_a_call_has_its_name() {
    let _alone = alone();
    let pool = crate::ThreadPoolBuilder::new()
        .num_threads(2)
        .build()
        .unwrap();
    pool.force_cuts(crate::iter::plumbing::Cuts::Random(1));
    let ((), trace) = record(|| {
        pool.install(|| {
            (0..300_000u32)
                .into_par_iter()
                .with_max_len(1)
                .for_each(|i| assert!(std::hint::black_box(i) < 300_000))
        })
    });
    assert!(trace.lost() > 0, "{trace:?}");
    let summary = Summary::of(&trace);
    let rest = summary
        .spans
        .iter()
        .flatten()
        .find(|span| matches!(span.what, What::Rest { .. }));
    let Some(super::super::spans::Span {
        what: What::Rest { site, .. },
        ..
    }) = rest
    else {
        panic!("{trace:?}");
    };
    assert!(trace.site_name(*site).contains("the_rest_of_a_call"));
    assert!(summary.known > 0);
    let seen: u64 = summary.working.values().sum();
    assert_eq!(seen, trace.ticks - summary.known);
    assert!(
        summary.working.keys().all(|&count| count <= 2),
        "{:?}",
        summary.working
    );
    page(&trace);
}

#[test]
fn numbers_and_texts_are_written_for_people_and_xml() {
    use crate::trace::figures::grouped;
    use crate::trace::xml::XmlText;
    for (number, wanted) in [
        (0, "0"),
        (999, "999"),
        (1000, "1,000"),
        (1234567, "1,234,567"),
    ] {
        assert_eq!(grouped(number), wanted);
    }
    assert_eq!(
        XmlText("a<b>&\"c\u{1}").to_string(),
        "a&lt;b&gt;&amp;&quot;c\u{FFFD}"
    );
}

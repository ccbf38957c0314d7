//! Runs all examples on small inputs. Each checks its own result and fails if it is wrong.
//!
//! `cargo test` builds the examples before it runs this. Alone: `cargo build --examples && cargo test --test examples`.

use std::env;
use std::env::consts::EXE_SUFFIX;
use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// An example that takes longer hangs: each takes a second or two, on a busy machine ten times that.
const LIMIT: Duration = Duration::from_secs(120);

/// Names and arguments; `TMP` stands for a directory for what they write.
const RUNS: &[(&str, &[&str])] = &[
    ("background_pool", &["200"]),
    ("bfs", &["20000"]),
    ("blur", &["90", "TMP/blur.png"]),
    ("components", &[]),
    ("compress", &["1"]),
    ("compress", &["1", "TMP/compressed.gz"]),
    ("convex_hull", &["1"]),
    ("convex_hull", &["20000"]),
    ("corpus", &["--max-bytes", "1M", "src"]),
    ("corpus", &["--max-bytes", "1M", "--processes", "2", "src"]),
    ("csv_group_by", &["5000"]),
    ("deadline", &["30"]),
    ("dir_sizes", &["src"]),
    ("fib", &["20"]),
    ("isolate", &["50"]),
    ("json_lines", &["3000"]),
    ("kmeans", &["20000", "6"]),
    ("life", &["64", "20"]),
    ("log_analysis", &["5000"]),
    ("mandelbrot", &["60", "TMP/mandelbrot.png"]),
    ("matrix_product", &["150"]),
    ("merge_sort", &["50000"]),
    ("monte_carlo_pi", &["300000"]),
    ("mutex_deque", &["500"]),
    ("nbody", &["100", "3"]),
    ("nqueens", &["9"]),
    ("pagerank", &[]),
    ("pagerank", &["500"]),
    ("pagerank", &["TMP/edges.txt"]),
    ("progress_bar", &["200"]),
    ("quicksort", &["50000"]),
    ("sample_sort", &["20000"]),
    ("server", &["48"]),
    ("shortest_paths", &["1"]),
    ("shortest_paths", &["60"]),
    ("sieve", &["1000000"]),
    ("spell_check", &["60"]),
    ("sudoku", &["20"]),
    ("sudoku", &["21"]),
    ("tokio_server", &["48"]),
    ("topological", &[]),
    ("tsp", &["9"]),
    ("word_count", &["20000"]),
    ("word_count", &["README.md"]),
];

/// Those that need the feature `trace`.
const TRACED: &[(&str, &[&str])] = &[
    ("timeline", &["TMP/timeline.html", "2"]),
    ("timeline", &["TMP/timeline.json"]),
    ("work_span", &["2000", "TMP/curves.svg"]),
    (
        "corpus",
        &["--max-bytes", "1M", "--trace", "TMP/corpus.html", "src"],
    ),
];

#[test]
fn all_run_and_find_their_results_right() {
    let tmp = env!("CARGO_TARGET_TMPDIR");
    fs::write(
        Path::new(tmp).join("edges.txt"),
        "# from to\na b\nb c\nc a\nd a\n",
    )
    .unwrap();
    let failures: Vec<String> = RUNS
        .iter()
        .chain(TRACED.iter().filter(|_| cfg!(feature = "trace")))
        .filter_map(|(name, args)| {
            let args = args.iter().map(|arg| arg.replace("TMP", tmp));
            run(name, &args.collect::<Vec<_>>()).err()
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));

    for (name, size) in [("mandelbrot.png", (60, 40)), ("blur.png", (90, 120))] {
        let file = File::open(Path::new(tmp).join(name)).unwrap();
        let mut picture = png::Decoder::new(BufReader::new(file)).read_info().unwrap();
        let mut pixels = vec![0; picture.output_buffer_size().unwrap()];
        picture.next_frame(&mut pixels).unwrap();
        assert_eq!(picture.info().size(), size, "{name}");
    }
}

/// Else those of a program that is killed would look for work for ever.
#[test]
fn processes_of_corpus_end_with_the_one_that_started_them() {
    let directory = env::temp_dir().join(format!("filch-orphan-{}", std::process::id()));
    fs::create_dir_all(&directory).unwrap();
    let queue = directory.join("queue.db");
    let mut worker = Command::new(program("corpus").unwrap())
        .arg("--worker")
        .arg(&queue)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    while !queue.exists() {
        thread::yield_now();
    }
    // This is what the end of the process that started it does.
    drop(worker.stdin.take());
    let begun = Instant::now();
    let ended = loop {
        if worker.try_wait().unwrap().is_some() {
            break true;
        }
        if begun.elapsed() > Duration::from_secs(60) {
            break false;
        }
        thread::sleep(Duration::from_millis(5));
    };
    let _ = worker.kill();
    let _ = fs::remove_dir_all(&directory);
    assert!(ended, "it goes on alone");
}

/// Runs an example; the error says what it did wrong.
fn run(name: &str, args: &[String]) -> Result<(), String> {
    let mut child = Command::new(program(name)?)
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{name}: {error}"))?;
    // A full pipe would stop it.
    let out = reader(child.stdout.take());
    let err = reader(child.stderr.take());
    let begun = Instant::now();
    let status = loop {
        match child
            .try_wait()
            .map_err(|error| format!("{name}: {error}"))?
        {
            Some(status) => break status,
            None if begun.elapsed() > LIMIT => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("{name} {args:?}: does not end"));
            }
            None => thread::sleep(Duration::from_millis(2)),
        }
    };
    let [out, err] = [out, err].map(|it| it.join().unwrap());
    let complaint = if !status.success() {
        status.to_string()
    } else if !err.is_empty() || out.contains('\x1b') {
        "not quiet, although its output is no terminal".to_owned()
    } else if out.is_empty() {
        "says nothing".to_owned()
    } else {
        return Ok(());
    };
    Err(format!("{name} {args:?}: {complaint}\n{out}{err}"))
}

/// Reads what a program says, beside what the caller does.
fn reader(pipe: Option<impl Read + Send + 'static>) -> JoinHandle<String> {
    let mut pipe = pipe.expect("a pipe");
    thread::spawn(move || {
        let mut said = Vec::new();
        let _ = pipe.read_to_end(&mut said);
        String::from_utf8_lossy(&said).into_owned()
    })
}

/// Where an example is; the error says that it is not built.
fn program(name: &str) -> Result<PathBuf, String> {
    let program = binaries().join(format!("{name}{EXE_SUFFIX}"));
    is_fresh(&program).then_some(program).ok_or_else(|| {
        format!("{name} is missing or older than its sources: `cargo build --examples`")
    })
}

/// Whether a program is there and newer than its sources, which cargo lists beside it: `cargo test --test examples` does not build it.
fn is_fresh(program: &Path) -> bool {
    let modified = |path: &Path| path.metadata().and_then(|it| it.modified());
    let (Ok(built), Ok(list)) = (
        modified(program),
        fs::read_to_string(program.with_extension("d")),
    ) else {
        return false;
    };
    // A name with a space in it is cut in two that do not exist.
    let mut sources = list.split_whitespace().skip(1).map(Path::new);
    !sources.any(|source| modified(source).is_ok_and(|changed| changed > built))
}

/// Where cargo puts the examples: beside the directory of the tests.
fn binaries() -> PathBuf {
    let test = env::current_exe().unwrap();
    test.ancestors().nth(2).unwrap().join("examples")
}

#[test]
fn all_are_in_the_lists_and_say_what_they_show() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let list = fs::read_to_string(root.join("examples/README.md")).unwrap();
    for entry in fs::read_dir(root.join("examples")).unwrap() {
        let mut path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            path.push("main.rs");
        }
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("//! "), "{name} does not say what it is");
        assert!(
            RUNS.iter().chain(TRACED).any(|(run, _)| *run == name),
            "{name} never runs"
        );
        assert!(
            list.contains(&format!("| [`{name}`](")),
            "{name} is not in examples/README.md"
        );
    }
}

//! The example `corpus` as its user sees it: arguments in; report, complaints and exit status out.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[path = "../examples/corpus/main.rs"]
#[allow(dead_code)]
mod corpus;

/// A directory of files that is removed in the end.
struct Tree(PathBuf);

impl Tree {
    /// `name` must be that of the test, since tests run side by side.
    fn new(name: &str) -> Tree {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("corpus-{name}"));
        // Left over from a run that was interrupted.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Tree(path)
    }

    fn file(self, name: &str, bytes: impl AsRef<[u8]>) -> Tree {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
        self
    }

    #[cfg(unix)]
    fn link(self, name: &str, target: &str) -> Tree {
        std::os::unix::fs::symlink(target, self.0.join(name)).unwrap();
        self
    }

    fn run(&self, options: &[&str]) -> Outcome {
        let mut args: Vec<OsString> = options.iter().map(OsString::from).collect();
        args.push(self.0.clone().into());
        run(args)
    }

    /// Runs both versions, checks that they print the same up to the times, and returns the parallel one.
    fn run_both(&self, options: &[&str]) -> Outcome {
        let parallel = self.run(options);
        let sequential = self.run(&[options, &["--sequential"]].concat());
        assert_eq!(parallel.status, sequential.status);
        assert_eq!(parallel.err, sequential.err);
        let (parallel_results, parallel_times) = parallel.out.split_once("\nTimes").unwrap();
        let (sequential_results, sequential_times) = sequential.out.split_once("\nTimes").unwrap();
        assert_eq!(parallel_results, sequential_results);
        assert!(parallel_times.contains(" thread"), "{parallel_times}");
        assert!(
            sequential_times.contains("(sequential)"),
            "{sequential_times}"
        );
        parallel
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

struct Outcome {
    status: u8,
    out: String,
    err: String,
}

impl Outcome {
    /// The lines below the first one that starts with `title`, up to an empty one.
    fn section(&self, title: &str) -> Vec<&str> {
        let mut lines = self.out.lines().skip_while(|line| !line.starts_with(title));
        assert!(lines.next().is_some(), "no {title:?} in {}", self.out);
        lines
            .take_while(|line| !line.is_empty())
            .map(str::trim)
            .collect()
    }

    fn words(&self) -> HashMap<String, u64> {
        self.section("Most frequent")
            .into_iter()
            .map(|line| {
                let (times, word) = line.split_once("  ").unwrap();
                (word.to_owned(), times.replace(',', "").parse().unwrap())
            })
            .collect()
    }
}

fn run(args: impl IntoIterator<Item = impl Into<OsString>>) -> Outcome {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let status = corpus::run(args.into_iter().map(Into::into), &mut out, &mut err, false);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Outcome {
        status,
        out: text(out),
        err: text(err),
    }
}

/// Counts words as plainly as can be.
fn count_words<'a>(files: impl IntoIterator<Item = &'a [u8]>) -> HashMap<String, u64> {
    let mut counts = HashMap::new();
    for bytes in files {
        let text = String::from_utf8_lossy(bytes);
        for word in text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
        {
            *counts.entry(word.to_owned()).or_default() += 1;
        }
    }
    counts
}

/// Bytes that look random and are always the same.
fn noise(length: usize, alphabet: &[&[u8]], mut state: u64) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(length + 16);
    while bytes.len() < length {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        bytes.extend_from_slice(alphabet[(state >> 33) as usize % alphabet.len()]);
    }
    bytes
}

#[test]
fn counts_files_words_and_sizes() {
    let tree = Tree::new("counts")
        .file("a.txt", "apple banana apple")
        .file("deep/er/b.txt", "apple, banana; cherry!")
        .file("empty", "");
    let outcome = tree.run_both(&[]);

    assert_eq!((outcome.status, outcome.err.as_str()), (0, ""));
    assert!(
        outcome.out.contains("3 files of 40 B; 0 unreadable\n"),
        "{}",
        outcome.out
    );
    assert_eq!(
        outcome.section("Largest"),
        ["22 B  deep/er/b.txt", "18 B  a.txt", "0 B  empty"]
    );
    assert!(
        outcome
            .out
            .contains("Most frequent of 6 words, 3 different\n"),
        "{}",
        outcome.out
    );
    assert_eq!(
        outcome.section("Most frequent"),
        ["3  apple", "2  banana", "1  cherry"]
    );
    let sizes: Vec<(&str, &str)> = outcome
        .section("Sizes")
        .into_iter()
        .filter(|line| !line.contains(" 0 files"))
        .map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            (words[1], words[3])
        })
        .collect();
    assert_eq!(sizes, [("1", "1"), ("64", "2")]);
}

#[test]
fn lists_no_more_than_asked_for() {
    let outcome = Tree::new("top")
        .file("a", "a a a b b c")
        .file("b", "d")
        .run_both(&["--top", "2"]);
    assert_eq!(outcome.section("Most frequent"), ["3  a", "2  b"]);
    let outcome = Tree::new("top")
        .file("a", "a b")
        .file("b", "c")
        .run_both(&["--top=0"]);
    assert_eq!(outcome.section("Largest"), [""; 0]);
}

#[test]
fn finds_files_of_equal_content() {
    let long = "x".repeat(3000);
    let almost = format!("{}y", &long[1..]);
    let outcome = Tree::new("duplicates")
        .file("a", &long)
        .file("b", &almost)
        .file("c/d", &long)
        .file("e", "short")
        .file("f", "short")
        .file("g", "other")
        .file("h", "short")
        .file("i", "short")
        .run_both(&[]);
    let head = "Duplicates: 4 files are copies of 2 others and take 2.9 KiB";
    let groups = [
        "2.9 KiB  2 files of 2.9 KiB",
        "a",
        "c/d",
        "15 B  4 files of 5 B",
        "e",
        "f",
        "h",
        "and 1 more",
    ];
    assert_eq!(outcome.section(head), groups);
}

#[test]
fn adds_up_directories_and_counts_kinds() {
    let tree = Tree::new("directories")
        .file("a/b/c.txt", [b'x'; 10])
        .file("a/b/d.rs", [b'x'; 5])
        .file("a/e.txt", [b'x'; 20])
        // Sorts between a directory and what is in it, byte by byte.
        .file("a-b/f", [b'x'; 1])
        .file("g.txt", [b'x'; 100]);
    let outcome = tree.run_both(&[]);
    let squeezed = |lines: Vec<&str>| -> Vec<String> {
        let words = lines.into_iter().map(str::split_whitespace);
        words.map(|it| it.collect::<Vec<_>>().join(" ")).collect()
    };
    assert_eq!(
        squeezed(outcome.section("Largest directories")),
        [
            "136 B 5 files .",
            "35 B 3 files a",
            "15 B 2 files a/b",
            "1 B 1 files a-b",
        ]
    );
    let kinds = outcome.section("Kinds: 3 different ends");
    assert_eq!(kinds, ["3  txt", "1  (none)", "1  rs"]);

    // Of several roots, files have no directories, and each tree ends at its own root.
    let roots = ["a/b", "a-b", "g.txt"].map(|path| tree.0.join(path));
    let outcome = run(roots);
    let found = squeezed(outcome.section("Largest directories"));
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("15 B 2 files ") && found[0].ends_with("b"));
    assert!(found[1].starts_with("1 B 1 files ") && found[1].ends_with("a-b"));
}

#[test]
fn takes_broken_utf_8_as_the_lossy_conversion_does() {
    let files: [&[u8]; 5] = [
        b"caf\xe9 na\xc3\xafve \xffword\xfe",
        b"\xe2\x82",
        "größe ÄÖÜ \u{fffd}x\u{fffd} 数字 ①②".as_bytes(),
        b"one\xe2\x82two\xf0\x9f\x98three",
        b"plain ASCII, 123 times",
    ];
    let mut tree = Tree::new("lossy");
    for (at, bytes) in files.iter().enumerate() {
        tree = tree.file(&at.to_string(), bytes);
    }
    let outcome = tree.run_both(&["--top", "1000"]);
    assert_eq!(outcome.status, 0);
    assert_eq!(outcome.words(), count_words(files));
    assert_eq!(outcome.words()["naïve"], 1);
}

#[test]
fn counts_every_word_of_a_large_file_once() {
    let syllables: [&[u8]; 8] = [
        b"la",
        b"tion",
        b" ",
        b"\n",
        "é".as_bytes(),
        b"\xff",
        " 字".as_bytes(),
        b"x, ",
    ];
    // Larger than the pieces that large files are cut into; the last two have nowhere to be cut.
    let files = [
        noise(700_000, &syllables, 1),
        noise(200_000, &syllables[..3], 2),
        vec![b'a'; 300_000],
        "é".repeat(100_000).into_bytes(),
    ];
    let mut tree = Tree::new("large");
    for (at, bytes) in files.iter().enumerate() {
        tree = tree.file(&at.to_string(), bytes);
    }
    let outcome = tree.run_both(&["--top", "1000000"]);
    assert_eq!(
        outcome.words(),
        count_words(files.iter().map(Vec::as_slice))
    );
}

#[cfg(unix)]
#[test]
fn lists_what_it_cannot_read_and_goes_on() {
    let outcome = Tree::new("unreadable")
        .file("good", "fine words")
        .file("sub/good", "fine")
        .link("dangling", "nowhere")
        .link("itself", "itself")
        .link("sub/up", "..")
        .run_both(&[]);
    assert_eq!(outcome.status, 0);
    // The link to a directory is not followed, or the files would be found again and again.
    assert!(
        outcome.out.contains("2 files of 14 B; 2 unreadable\n"),
        "{}",
        outcome.out
    );
    let complaints: Vec<&str> = outcome.err.lines().collect();
    assert_eq!(complaints.len(), 2, "{complaints:?}");
    assert!(
        complaints[0].contains("dangling': No such file"),
        "{complaints:?}"
    );
    assert!(
        complaints[1].contains("itself': Too many levels"),
        "{complaints:?}"
    );
}

#[cfg(unix)]
#[test]
fn follows_links_to_files() {
    let outcome = Tree::new("links")
        .file("file", "word")
        .link("link", "file")
        .run_both(&[]);
    assert_eq!(outcome.section("Most frequent"), ["2  word"]);
}

#[test]
fn takes_the_first_files_that_fit() {
    let tree = Tree::new("limit")
        .file("a", [b'a'; 1000])
        .file("b", [b'b'; 2000])
        .file("c", [b'c'; 20])
        .file("d", [b'd'; 5]);
    let outcome = tree.run_both(&["--max-bytes", "1K"]);
    assert_eq!(outcome.section("Largest"), ["1000 B  a", "20 B  c"]);
    assert!(
        outcome.out.contains("2 more files of 2.0 KiB left out"),
        "{}",
        outcome.out
    );

    let outcome = tree.run_both(&["--max-bytes", "3025"]);
    assert!(
        outcome.out.contains("4 files of 3.0 KiB"),
        "{}",
        outcome.out
    );
    assert!(!outcome.out.contains("left out"), "{}", outcome.out);
}

#[test]
fn understands_sizes() {
    let tree = Tree::new("suffixes").file("a", "word");
    for size in ["4", "4b", "1K", "1k", "1M", "1MiB", "1GB", "15T"] {
        assert!(
            tree.run(&["--max-bytes", size])
                .out
                .contains("1 files of 4 B"),
            "{size}"
        );
    }
    for size in ["", "M", "-1", "1.5M", "64Q", "64MM", "64é", "99999999999T"] {
        let outcome = tree.run(&["--max-bytes", size]);
        assert_eq!((outcome.status, outcome.out.as_str()), (2, ""), "{size}");
        assert!(outcome.err.contains("Usage: corpus"), "{}", outcome.err);
    }
}

#[test]
fn reads_no_file_twice() {
    let tree = Tree::new("nested").file("a/b", "word").file("a-b", "word");
    let root = tree.0.clone();
    let outcome = run([
        root.join("a/b"),
        root.join("a"),
        root.clone(),
        root.join("a/../a-b"),
        root,
    ]);
    assert_eq!(outcome.section("Most frequent"), ["2  word"]);
}

#[test]
fn takes_files_and_several_roots() {
    let tree = Tree::new("roots")
        .file("a", "one")
        .file("b/c", "two")
        .file("d", "three");
    let outcome = run([tree.0.join("a"), tree.0.join("b")]);
    assert_eq!(outcome.section("Most frequent"), ["1  one", "1  two"]);
    // With several roots a path must say below which of them it lies.
    let whole = tree.0.join("b/c").display().to_string();
    assert!(
        outcome
            .section("Largest")
            .iter()
            .any(|line| line.ends_with(&whole)),
        "{}",
        outcome.out
    );
}

#[test]
fn nothing_to_read_is_no_failure() {
    let outcome = Tree::new("nothing").run_both(&[]);
    assert_eq!((outcome.status, outcome.err.as_str()), (0, ""));
    assert!(
        outcome.out.contains("0 files of 0 B; 0 unreadable"),
        "{}",
        outcome.out
    );
}

#[test]
fn compares_both_versions() {
    let outcome = Tree::new("compare")
        .file("a", "one two two")
        .file("b", "two")
        .run(&["--compare"]);
    assert_eq!((outcome.status, outcome.err.as_str()), (0, ""));
    assert!(
        outcome
            .out
            .contains("agree on 2 files, 2 different words and 0 groups"),
        "{}",
        outcome.out
    );
    let stages: Vec<&str> = outcome
        .section("  stage")
        .into_iter()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(
        stages,
        [
            "walk",
            "choose",
            "read",
            "words",
            "rank",
            "duplicates",
            "sizes",
            "directories",
            "kinds",
            "total"
        ]
    );
}

/// A stage has a rate only of what it goes through. Where it has none, a dash stands.
#[test]
fn rates_are_those_of_what_a_stage_reads() {
    /// For each stage, whether it has a rate of bytes, and one of files.
    fn rates(outcome: &Outcome) -> Vec<(&str, bool, bool)> {
        outcome
            .section("Times")
            .into_iter()
            .skip(1)
            .map(|line| {
                // Two spaces or more lie between columns, one inside of them.
                let columns: Vec<&str> = line
                    .split("  ")
                    .filter(|column| !column.is_empty())
                    .collect();
                assert_eq!(columns.len(), 4, "{line}");
                (
                    columns[0],
                    columns[2].trim() != "-",
                    columns[3].trim() != "-",
                )
            })
            .collect()
    }
    let outcome = Tree::new("rates")
        .file("a", [b'a'; 10_000])
        .file("b", [b'b'; 20_000])
        .run_both(&[]);
    assert_eq!(
        rates(&outcome),
        [
            ("walk", false, true),
            ("choose", false, true),
            ("read", true, true),
            ("words", true, true),
            ("rank", false, false),
            ("duplicates", false, true),
            ("sizes", false, true),
            ("directories", false, true),
            ("kinds", false, true),
            ("total", true, true),
        ]
    );
    // Files of nothing have no rate of bytes, and no files have none of files.
    let empty = Tree::new("rates-of-nothing").file("a", "").run_both(&[]);
    assert!(rates(&empty).iter().all(|&(_, bytes, _)| !bytes));
    let none = Tree::new("rates-of-no-files").run_both(&[]);
    assert!(
        rates(&none)
            .iter()
            .all(|&(_, bytes, files)| !bytes && !files)
    );
}

#[test]
fn prints_the_counters_of_the_pool() {
    let tree = Tree::new("stats").file("a", "word");
    assert!(tree.run(&["--stats"]).out.contains("\nWhat the pool did\n"));
    assert!(!tree.run(&[]).out.contains("\nWhat the pool did\n"));
}

#[test]
fn a_missing_path_is_named() {
    let tree = Tree::new("missing").file("a", "word");
    let missing = tree.0.join("no").join("such");
    let outcome = run([tree.0.join("a"), missing.clone()]);
    assert_eq!((outcome.status, outcome.out.as_str()), (2, ""));
    assert_eq!(
        outcome.err,
        format!(
            "corpus: no such file or directory: '{}'\n",
            missing.display()
        )
    );
}

#[test]
fn a_wrong_command_line_shows_the_usage() {
    for (args, complaint) in [
        (&["--frobnicate"] as &[&str], "'--frobnicate'"),
        (&["-x"], "'-x'"),
        (&["--threads", "0"], "--threads 0: expected a number"),
        (&["--threads", "99999999"], "--threads 99999999: expected"),
        (&["--top", "-1"], "--top -1: expected a whole number"),
        (&["--max-bytes", "12Q"], "--max-bytes 12Q: expected"),
        (&["--processes", "x"], "--processes x: expected"),
        (&["--kill"], "add --processes"),
        (&["--threads"], "'--threads'"),
        (&["--compare", "--sequential"], "--sequential"),
        (&["--compare", "--trace", "out.html"], "drop --compare"),
        (&["--trace", "out.doc"], "not out.doc"),
        #[cfg(not(feature = "trace"))]
        (&["--trace", "out.html"], "needs the feature `trace`"),
    ] {
        let outcome = run(args.iter().copied());
        assert_eq!((outcome.status, outcome.out.as_str()), (2, ""), "{args:?}");
        assert!(
            outcome.err.lines().next().unwrap().contains(complaint),
            "{}",
            outcome.err
        );
        assert!(outcome.err.contains("\nUsage: corpus"), "{}", outcome.err);
    }
}

#[test]
fn help_goes_to_standard_output() {
    for option in ["--help", "-h"] {
        let outcome = run([option]);
        assert_eq!((outcome.status, outcome.err.as_str()), (0, ""));
        assert!(outcome.out.contains("Usage: corpus"), "{}", outcome.out);
    }
}

/// Takes some bytes, then fails.
struct Full {
    room: usize,
    kind: io::ErrorKind,
}

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(self.room);
        self.room -= taken;
        if taken == 0 {
            Err(self.kind.into())
        } else {
            Ok(taken)
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_reader_that_leaves_ends_the_program_quietly() {
    let tree = Tree::new("pipe").file("a", "word");
    let fails = |room, kind| {
        let mut err = Vec::new();
        let status = corpus::run(
            [tree.0.clone().into()],
            &mut Full { room, kind },
            &mut err,
            false,
        );
        (status, String::from_utf8(err).unwrap())
    };
    for room in [0, 10, 200] {
        assert_eq!(fails(room, io::ErrorKind::BrokenPipe), (0, String::new()));
        let (status, complaint) = fails(room, io::ErrorKind::StorageFull);
        assert_eq!(status, 1);
        assert!(
            complaint.starts_with("corpus: cannot write the report"),
            "{complaint}"
        );
    }
}

/// A page of the run, with the names of its stages; and a complaint where it cannot be written.
#[cfg(feature = "trace")]
#[test]
fn a_trace_has_the_stages() {
    let tree = Tree::new("trace").file("a", "some words, some more");
    let page = Path::new(env!("CARGO_TARGET_TMPDIR")).join("corpus-trace.html");
    let outcome = tree.run(&["--trace", page.to_str().unwrap()]);
    assert_eq!((outcome.status, outcome.err.as_str()), (0, ""));
    let text = fs::read_to_string(page).unwrap();
    assert!(
        text.starts_with("<!DOCTYPE html>") && text.contains("walk") && text.contains("in words")
    );
    let outcome = tree.run(&["--trace", "/no/such/directory/out.html"]);
    assert_eq!(outcome.status, 1);
    assert!(
        outcome
            .err
            .contains("cannot write /no/such/directory/out.html"),
        "{}",
        outcome.err
    );
}

/// A disk that fills up while the recording is written costs the recording, not the report.
#[cfg(all(target_os = "linux", feature = "trace"))]
#[test]
fn a_trace_that_cannot_be_written_leaves_the_report() {
    let tree = Tree::new("full").file("a", "some words, some more");
    let page = Path::new(env!("CARGO_TARGET_TMPDIR")).join("full.html");
    let _ = fs::remove_file(&page);
    std::os::unix::fs::symlink("/dev/full", &page).unwrap();
    let outcome = tree.run(&["--trace", page.to_str().unwrap()]);
    assert_eq!(outcome.status, 1);
    assert!(outcome.out.contains("Most frequent of "), "{}", outcome.out);
    let err = &outcome.err;
    assert!(
        err.starts_with("corpus: cannot write ") && err.lines().count() == 1,
        "{err}"
    );
}

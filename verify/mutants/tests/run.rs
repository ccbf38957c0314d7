//! Runs the tool on a package of a few lines, with one mutant of each fate.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const MANIFEST: &str = "\
[package]
name = \"small\"
version = \"0.0.0\"
edition = \"2024\"

[workspace]
members = [\"other\"]
default-members = [\".\", \"other\"]
";

/// A package whose tests cargo builds, too, unless it is told which package is meant.
const OTHER: &str = "\
[package]
name = \"other\"
version = \"0.0.0\"
edition = \"2024\"
";

const LIBRARY: &str = "\
/// Whether a thing of this size fits.
pub fn fits(size: u32) -> bool {
    size < 10
}

/// How many times 2 goes into a number.
pub fn twos(mut number: u32) -> u64 {
    let mut twos = 0;
    while number & 1 == 0 {
        number >>= 1;
        twos += 1;
    }
    twos
}

pub fn greeting(name: &str) -> String {
    String::from(\"for \") + name
}

#[cfg(test)]
mod tests {
    #[test]
    fn of_twos() {
        assert_eq!((super::twos(1), super::twos(12)), (0, 2));
    }
}
";

const TEST: &str = "\
#[test]
fn small_things_fit() {
    assert!(small::fits(3) && !small::fits(11));
}

#[test]
fn the_bound_does_not() {
    assert!(!small::fits(10));
}
";

/// A package of its own for each test.
fn small(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    for (file, text) in [
        ("Cargo.toml", MANIFEST),
        ("src/lib.rs", LIBRARY),
        ("tests/fit.rs", TEST),
        ("other/Cargo.toml", OTHER),
        (
            "other/src/lib.rs",
            "#[cfg(test)]\ncompile_error!(\"the tests of another package\");\n",
        ),
    ] {
        let path = root.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    root
}

fn mutants(root: &Path, args: &str) -> (Output, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_mutants"))
        .args(args.split_whitespace())
        .current_dir(root)
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout.clone()).unwrap();
    (output, printed)
}

/// The lines that begin with `word`.
fn lines<'t>(printed: &'t str, word: &str) -> Vec<&'t str> {
    printed
        .lines()
        .filter(|line| line.starts_with(word))
        .collect()
}

#[test]
fn each_mutant_has_its_fate() {
    let root = small("fates");
    // With half of the tests, the bound is not looked at.
    let (output, printed) = mutants(&root, "src/lib.rs --slack 2 --lib --test fit small_things");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{printed}{error}");
    assert!(
        error.contains("lib: 1 tests pass without a mutant"),
        "{error}"
    );

    let survived = lines(&printed, "survived:");
    assert_eq!(survived.len(), 2, "{printed}");
    assert!(
        survived[0].ends_with("src/lib.rs:3 fits: size < 10 -> size <= 10"),
        "{printed}"
    );
    assert!(
        survived[1].ends_with("src/lib.rs:3 fits: 10 -> 9"),
        "{printed}"
    );

    let found = lines(&printed, "found");
    let has =
        |lines: &[&str], text: &str| assert!(lines.iter().any(|it| it.contains(text)), "{printed}");
    has(
        &found,
        "src/lib.rs:11 twos: without twos += 1;  [lib: tests::of_twos]",
    );
    has(&lines(&printed, "timed out"), "twos: without number >>= 1;");
    // A text cannot be subtracted.
    has(&lines(&printed, "left out"), "greeting: String::from");
    has(
        &printed.lines().collect::<Vec<_>>(),
        "2 survived; 1 left out, 0 are known",
    );
    // The original is as it was.
    assert_eq!(
        fs::read_to_string(root.join("src/lib.rs")).unwrap(),
        LIBRARY
    );
}

#[test]
fn what_is_known_is_not_tried() {
    let root = small("known");
    let known = |lines: &str| fs::write(root.join("known.tsv"), lines).unwrap();
    let args = "src/lib.rs --slack 2 --known known.tsv --only 1-2 --test fit small_things";
    known(
        "# file\tfunction\tchange\treason\nsrc/lib.rs\tfits\tsize < 10 -> size <= 10\tno one has ten\nsrc/lib.rs\tfits\t10 -> 9\tnor nine\n",
    );
    let (output, printed) = mutants(&root, args);
    assert_eq!(output.status.code(), Some(0), "{printed}");
    assert!(
        printed.contains("0 mutants: 0 found, 0 timed out, 0 survived"),
        "{printed}"
    );
    // Two numbers of one function become the same.
    fs::write(
        root.join("src/lib.rs"),
        LIBRARY.replace("size < 10", "size < 10 && size != 10"),
    )
    .unwrap();
    known("src/lib.rs\tfits\t10 -> 9\tnor nine\n");
    let (output, _) = mutants(&root, args);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(
        error.contains("fits more than one mutant: src/lib.rs, fits: 10 -> 9"),
        "{error}"
    );
    fs::write(root.join("src/lib.rs"), LIBRARY).unwrap();
    // The code has changed since.
    known("src/lib.rs\tfits\tsize < 11 -> size <= 11\tno one has eleven\n");
    let (output, printed) = mutants(&root, args);
    assert_eq!(output.status.code(), Some(1), "{printed}");
    assert!(
        printed.contains("no such mutant, but it is listed: src/lib.rs, fits: size < 11"),
        "{printed}"
    );
}

#[test]
fn tests_that_fail_by_themselves_are_told() {
    let root = small("broken");
    fs::write(root.join("tests/fit.rs"), TEST.replace("3)", "30)")).unwrap();
    let (output, _) = mutants(&root, "src/lib.rs --test fit");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(
        error.contains("fails without a mutant: fit: small_things_fit"),
        "{error}"
    );
    let (output, _) = mutants(&root, "src/lib.rs --test fit no_such_test");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("no test has such a name"), "{error}");
}

#[test]
fn a_run_that_tries_nothing_has_no_verdict() {
    let root = small("nothing");
    let (_, printed) = mutants(&root, "src/lib.rs --list");
    let greeting = printed
        .lines()
        .find(|line| line.contains("greeting: String::from"));
    let number = greeting.unwrap().split_whitespace().next().unwrap();
    let args = format!("src/lib.rs --only {number} --lib");
    let (output, _) = mutants(&root, &args);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("nothing was tried"), "{error}");
}

/// `Sum` cannot be subtracted, unless the feature or the other file makes it so.
#[test]
fn what_does_not_compile_is_remembered_for_the_same_package_only() {
    // As if no run had been before.
    let _ = fs::remove_dir_all(Path::new(env!("CARGO_TARGET_TMPDIR")).join("remembered"));
    let root = small("remembered");
    let write = |file: &str, text: &str| fs::write(root.join(file), text).unwrap();
    let manifest = MANIFEST.replace("[workspace]", "[features]\nminus = []\n\n[workspace]");
    write("Cargo.toml", &manifest);
    let library = "\
mod sum;

pub fn both(a: u8, b: u8) -> u8 {
    (sum::Sum(a) + sum::Sum(b)).0
}

#[test]
fn of_both() {
    assert_eq!(both(1, 2), 3);
}
";
    let plus = "\
pub struct Sum(pub u8);

impl std::ops::Add for Sum {
    type Output = Sum;
    fn add(self, other: Sum) -> Sum {
        Sum(self.0 + other.0)
    }
}
";
    let minus = plus
        .replace("Add", "Sub")
        .replace("add", "sub")
        .replace('+', "-");
    let (_, minus) = minus.split_once("\n\n").unwrap();
    write("src/lib.rs", library);
    write(
        "src/sum.rs",
        &format!("{plus}#[cfg(feature = \"minus\")]\n{minus}"),
    );
    let run = |args: &str| {
        let (output, printed) = mutants(&root, &format!("src/lib.rs --lib {args}"));
        let error = String::from_utf8(output.stderr).unwrap();
        let built: Vec<String> = lines(&error, "building")
            .into_iter()
            .map(str::to_owned)
            .collect();
        (built, printed + &error)
    };
    let (all, none) = ("building 1 mutants", "building 0 mutants");

    let (built, printed) = run("");
    assert_eq!(built, [all, none], "{printed}");
    // It is not built again to know.
    let (built, printed) = run("");
    assert_eq!(built, [none], "{printed}");
    let (built, printed) = run("--features minus");
    assert_eq!(built, [all], "{printed}");
    assert_eq!(lines(&printed, "found").len(), 1, "{printed}");
    // Another file than the one that is changed.
    write("src/sum.rs", &format!("{plus}{minus}"));
    let (built, printed) = run("");
    assert_eq!(built, [all], "{printed}");
    assert_eq!(lines(&printed, "found").len(), 1, "{printed}");
}

/// A program that goes on when the tool has been ended does not go on for ever.
#[test]
#[cfg(unix)]
fn a_program_has_a_limit_of_processor_time() {
    let root = small("limited");
    let tells = "\
#[test]
fn is_limited() {
    let limit = std::process::Command::new(\"sh\").args([\"-c\", \"ulimit -t\"]).output();
    std::fs::write(\"limit\", limit.unwrap().stdout).unwrap();
    small::fits(3);
}
";
    fs::write(root.join("tests/fit.rs"), tells).unwrap();
    let (_, printed) = mutants(&root, "src/lib.rs --only 1 --slack 2 --test fit");
    assert_eq!(lines(&printed, "survived").len(), 2, "{printed}");
    let told = fs::read_to_string(root.join("target/mutants/tree/limit")).unwrap();
    let seconds: u64 = told.trim().parse().expect("a limit");
    // Of all processors together. The run before, without a mutant, may take half an hour.
    let processors = std::thread::available_parallelism().unwrap().get() as u64;
    let allowed = 4 * processors..1800 * processors;
    assert!(allowed.contains(&seconds), "{seconds} of {allowed:?}");
}

/// The system may end a program when memory is short, which says nothing of the mutant.
#[test]
#[cfg(unix)]
fn a_program_that_was_killed_is_not_found() {
    let root = small("killed");
    let kills = "\
#[test]
fn is_killed() {
    if small::fits(10) {
        let id = std::process::id().to_string();
        std::process::Command::new(\"kill\").args([\"-9\", &id]).status().unwrap();
        loop {
            std::thread::yield_now();
        }
    }
}
";
    fs::write(root.join("tests/fit.rs"), kills).unwrap();
    let (output, printed) = mutants(&root, "src/lib.rs --only 1 --test fit");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{printed}{error}");
    assert!(printed.contains("fit: someone killed it"), "{printed}");
    assert!(error.contains("1 were not run"), "{error}");
}

//! Runs the tool on the small packages in `tests/fixtures`.
//!
//! What it prints is in `tests/expected`, to the letter; `MIGRATE_BLESS=1 cargo test -p migrate` writes it anew, to be read before it is
//! committed. Which lines it has to find is marked in the fixtures themselves.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

fn migrate(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_migrate"))
        .args(args)
        .current_dir(here().join("fixtures"))
        .output()
        .unwrap()
}

/// A line of a source, and under which name it is listed.
type Found = BTreeSet<(usize, String)>;

/// Lines that end in `// NAME NAME`, names being those in brackets in the tool's output.
fn marked(source: &str) -> Found {
    let mut found = Found::new();
    for (i, line) in source.lines().enumerate() {
        let Some((code, names)) = line.rsplit_once("// ") else {
            continue;
        };
        // Comments are on lines of their own.
        if !code.trim().is_empty() && !code.trim().starts_with('/') {
            let names = names.split_whitespace().map(str::to_owned);
            found.extend(names.map(|name| (i + 1, name)));
        }
    }
    found
}

/// `title [NAME]: 2 places`, then lines such as `    chains/src/main.rs:12:3  code`.
fn listed(output: &str, path: &str) -> Found {
    let mut found = Found::new();
    let mut name = "";
    for line in output.lines() {
        if let Some((_, rest)) = line.split_once(" [")
            && !line.starts_with(' ')
        {
            name = rest.split_once(']').unwrap().0;
        }
        if let Some(rest) = line.strip_prefix(&format!("    {path}:")) {
            let number = rest.split(':').next().unwrap();
            found.insert((number.parse().unwrap(), name.to_owned()));
        }
    }
    found
}

/// How many kinds of places there are.
const KINDS: usize = 16;

#[test]
fn marked_lines_are_listed_and_no_others() {
    let mut kinds = BTreeSet::new();
    for path in [
        "chains/src/main.rs",
        "lengths/src/lib.rs",
        "locks/src/lib.rs",
        "threads/src/lib.rs",
    ] {
        let source = fs::read_to_string(here().join("fixtures").join(path)).unwrap();
        let output = String::from_utf8(migrate(&[path]).stdout).unwrap();
        let (marked, listed) = (marked(&source), listed(&output, path));
        kinds.extend(marked.iter().map(|(_, name)| name.clone()));
        let missing: Vec<_> = marked.difference(&listed).collect();
        let wrong: Vec<_> = listed.difference(&marked).collect();
        assert!(
            missing.is_empty() && wrong.is_empty(),
            "{path}: not listed {missing:?}, listed without a mark {wrong:?}"
        );
    }
    assert_eq!(kinds.len(), KINDS, "kinds that no fixture has: {kinds:?}");
}

/// Names of files in `tests/expected`, and the arguments that print what is there.
const RUNS: &[(&str, &[&str])] = &[
    ("broken", &["broken"]),
    ("chains", &["chains"]),
    ("file", &["lengths/src/lib.rs"]),
    ("locks", &["locks"]),
    ("missing", &["nowhere"]),
    ("none", &["none"]),
    ("no-source", &["workspace/Cargo.lock"]),
    ("option", &["--patches", "chains"]),
    (
        "patch-package",
        &["--patch", "--filch", "../filch", "threads"],
    ),
    (
        "patch-workspace",
        &["--patch", "--filch", "../filch", "workspace"],
    ),
    ("threads", &["threads"]),
    ("workspace", &["workspace"]),
];

#[test]
fn output_is_as_expected() {
    for (name, args) in RUNS {
        let output = migrate(args);
        let mut text = format!("$ migrate {}\n", args.join(" "));
        text += &String::from_utf8(output.stdout).unwrap();
        for line in String::from_utf8(output.stderr).unwrap().lines() {
            text += &format!("error: {line}\n");
        }
        text += &format!("exit code {}\n", output.status.code().unwrap());
        let path = here().join("expected").join(format!("{name}.txt"));
        if env::var_os("MIGRATE_BLESS").is_some() {
            fs::write(&path, text).unwrap();
            continue;
        }
        let expected = fs::read_to_string(&path).unwrap();
        // On Windows paths are printed with another separator, and checked out with other ends of lines.
        let plain = |text: &str| text.replace('\\', "/").replace('\r', "");
        assert_eq!(plain(&text), plain(&expected), "{name}");
    }
}

/// The lines of `--patch` are TOML, as they are printed.
#[test]
fn patch_lines_are_toml() {
    for package in ["chains", "threads", "workspace"] {
        let output = migrate(&["--patch", "--filch", "../filch", package]);
        let text = String::from_utf8(output.stdout).unwrap();
        let patch: toml_edit::Document<String> = text.parse().unwrap();
        let paths = &patch["patch"]["crates-io"];
        assert_eq!(
            paths["rayon-core"]["path"].as_str(),
            Some("../filch/compat/rayon-core")
        );
    }
}

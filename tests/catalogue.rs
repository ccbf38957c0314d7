//! `docs/reliability.md` is a table: it has each number once, and every test that it names is there. One of its rows is checked here.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn catalogue() -> String {
    fs::read_to_string(root().join("docs/reliability.md")).expect("the catalogue")
}

/// The files in which `name` may stand, and the function.
fn place(name: &str) -> (Vec<PathBuf>, &str) {
    let (path, test) = name.rsplit_once("::").expect("a path");
    let mut parts: Vec<&str> = path.split("::").collect();
    let folder = match parts[0] {
        "algo" | "catalogue" | "compile_fail" | "exhaustive" | "ext" | "floors" | "hostile" => {
            root().join("tests")
        }
        "models" => root().join("verify/src"),
        "shuttle" => root().join("verify/shuttle/models"),
        "fuzz" => root().join("fuzz/tests"),
        "compose" => root().join("verify/compose/tests"),
        "tracing" => root().join("tracing/tests"),
        "src" => root().to_owned(),
        _ => root().join("tests/it"),
    };
    if matches!(parts[0], "compose" | "shuttle" | "fuzz" | "tracing") {
        parts.remove(0);
    }
    let file = parts.iter().fold(folder, |folder, part| folder.join(part));
    (vec![file.with_extension("rs"), file.join("mod.rs")], test)
}

/// Whether there is a function of this name in `source` with `#[test]` among its attributes, or a macro of the file that makes such
/// functions is given the name, as `name: case;`.
fn has_test(source: &str, test: &str) -> bool {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let head = format!("fn {test}(");
    let belongs = |line: &&&str| line.starts_with("#[") || line.starts_with("//");
    let is_given = |line: &&str| {
        let case = line.strip_prefix(test).and_then(|l| l.strip_prefix(": "));
        case.is_some_and(|case| case.ends_with(';'))
    };
    if source.contains("#[test]\n        fn $name()") && lines.iter().any(is_given) {
        return true;
    }
    lines.iter().enumerate().any(|(at, line)| {
        let mut above = lines[..at].iter().rev().take_while(belongs);
        line.starts_with(&head) && above.any(|&line| line == "#[test]")
    })
}

#[test]
fn names_only_tests_that_exist() {
    let text = catalogue();
    let names = text.split('`').skip(1).step_by(2);
    let mut missing = Vec::new();
    let mut found = 0;
    for name in names.filter(|name| name.contains("::")) {
        let (files, test) = place(name);
        let sources = files
            .iter()
            .filter_map(|file| fs::read_to_string(file).ok());
        if sources.into_iter().any(|source| has_test(&source, test)) {
            found += 1;
        } else {
            missing.push(name);
        }
    }
    assert!(missing.is_empty(), "no such tests: {missing:?}");
    assert!(
        found > 100,
        "only {found} names found: is the catalogue still a table?"
    );
}

#[test]
fn has_each_number_once() {
    let text = catalogue();
    let cells = text.lines().filter_map(|line| line.strip_prefix('|'));
    let numbers: Vec<usize> = cells
        .filter_map(|cells| cells.split('|').next()?.trim().parse().ok())
        .collect();
    assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
    let guide =
        fs::read_to_string(root().join("docs/guide/src/reliability.md")).expect("the guide");
    let (_, after) = guide
        .split_once("lists more than ")
        .expect("a number of cases");
    let claimed: usize = after
        .split(' ')
        .next()
        .expect("a word")
        .parse()
        .expect("a number");
    assert!(
        numbers.len() > claimed,
        "the guide says more than {claimed}"
    );
}

#[test]
fn the_check_knows_a_test_from_other_functions() {
    let source = "/// Says why.\n#[test]\n#[ignore]\nfn one() {}\nfn two() {}\n// fn three()\n#[test]\nfn three_more() {}";
    assert!(has_test(source, "one") && has_test(source, "three_more"));
    assert!(!has_test(source, "two") && !has_test(source, "three") && !has_test(source, "more"));
}

/// Every file of the crate's.
fn sources(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, all);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            all.push(path);
        }
    }
}

/// The names that a file has from crossbeam, and those that it gives them.
fn from_crossbeam(source: &str) -> Vec<&str> {
    let mut names = vec!["crossbeam_deque", "crossbeam_utils"];
    for line in source
        .lines()
        .filter(|line| line.starts_with("use crossbeam_"))
    {
        let (_, imported) = line.split_once("::").expect("a path");
        for part in imported.trim_matches(['{', '}', ';']).split(", ") {
            names.push(part.split_once(" as ").map_or(part, |(_, name)| name));
        }
    }
    names
}

/// Whether `text` has `name` as a word.
fn mentions(text: &str, name: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.any(|word| word == name)
}

// 78: what is declared `pub` and what a trait is implemented for. (`pub(crate)` is not `pub `.)
#[test]
fn no_public_declaration_names_a_type_of_crossbeams() {
    let (mut files, mut shown, mut users) = (Vec::new(), Vec::new(), 0);
    sources(&root().join("src"), &mut files);
    for file in files {
        let source = fs::read_to_string(&file).expect("a source");
        let names = from_crossbeam(&source);
        users += usize::from(names.len() > 2);
        for (at, _) in source.match_indices("\n") {
            let line = source[at + 1..].trim_start_matches(' ');
            if line.starts_with("pub ") || line.starts_with("impl") {
                let declaration = line.split(['{', ';']).next().expect("a part");
                let here = names.iter().any(|name| mentions(declaration, name));
                if here {
                    shown.push((file.clone(), declaration.to_owned()));
                }
            }
        }
    }
    assert!(shown.is_empty(), "{shown:#?}");
    assert!(
        users > 5,
        "{users} files use crossbeam: is this check blind?"
    );
}

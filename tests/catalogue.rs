//! Every test that `docs/reliability.md` names is there.

use std::fs;
use std::path::{Path, PathBuf};

/// The file in which `name` should stand, and the function.
fn place(name: &str) -> (Vec<PathBuf>, &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (path, test) = name.rsplit_once("::").expect("a path");
    let mut parts: Vec<&str> = path.split("::").collect();
    let folder = match parts[0] {
        "algo" | "ext" | "hostile" => root.join("tests"),
        "models" => root.join("verify/src"),
        "shuttle" => root.join("verify/shuttle/models"),
        "fuzz" => root.join("fuzz/src"),
        "src" => root.to_owned(),
        _ => root.join("tests/it"),
    };
    if matches!(parts[0], "shuttle" | "fuzz") {
        parts.remove(0);
    }
    let file = parts.iter().fold(folder, |folder, part| folder.join(part));
    (vec![file.with_extension("rs"), file.join("mod.rs")], test)
}

#[test]
fn names_only_tests_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("docs/reliability.md")).expect("the catalogue");
    let names = text
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|name| name.contains("::"));
    let mut missing = Vec::new();
    let mut found = 0;
    for name in names {
        let (files, test) = place(name);
        let source: String = files
            .iter()
            .filter_map(|file| fs::read_to_string(file).ok())
            .collect();
        // Some tests are made by a macro from their name.
        let defined = [
            format!("fn {test}("),
            format!("{test}:"),
            format!("{test} "),
        ];
        if defined.iter().any(|form| source.contains(form)) {
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

//! The floors of the house: in the core, no file imports one that imports it, however many others lie between.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

type Imports = BTreeMap<String, BTreeSet<String>>;

/// What the lines of code of each file of `folder` import from the files beside it.
fn imports(folder: &Path) -> Imports {
    let entries = fs::read_dir(folder).unwrap();
    let files = entries.map(|entry| entry.unwrap().path());
    let named = files.filter(|path| path.extension().is_some_and(|ext| ext == "rs"));
    let texts: BTreeMap<_, _> = named
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (name, fs::read_to_string(path).unwrap())
        })
        .filter(|(name, _)| name != "mod")
        .collect();
    let all: BTreeSet<_> = texts.keys().cloned().collect();
    let of = |text: &str, own: &str| {
        let code = text.split("\n#[cfg(all(test").next().unwrap();
        let code = code.split("\n#[cfg(test)]\nmod").next().unwrap();
        let lines = code
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        let named =
            lines.flat_map(|line| line.split("super::").skip(1).map(names).collect::<Vec<_>>());
        named
            .flatten()
            .filter(|name| name != own && all.contains(name))
            .collect()
    };
    texts
        .iter()
        .map(|(name, text)| (name.clone(), of(text, name)))
        .collect()
}

/// The names that a path behind `super::` begins with: one, or those in braces.
fn names(path: &str) -> Vec<String> {
    let word = |text: &str| -> String {
        text.trim()
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect()
    };
    match path.strip_prefix('{') {
        Some(list) => list
            .split('}')
            .next()
            .unwrap()
            .split(',')
            .map(word)
            .collect(),
        None => vec![word(path)],
    }
}

/// All that `file` imports, and what that imports, and so on.
fn below<'a>(imports: &'a Imports, file: &str) -> BTreeSet<&'a str> {
    let mut seen = BTreeSet::new();
    let mut next: Vec<_> = imports[file].iter().collect();
    while let Some(name) = next.pop() {
        if seen.insert(name.as_str()) {
            next.extend(&imports[name]);
        }
    }
    seen
}

fn rings(imports: &Imports) -> BTreeSet<BTreeSet<&str>> {
    let below: BTreeMap<_, _> = imports
        .keys()
        .map(|file| (file.as_str(), below(imports, file)))
        .collect();
    let in_rings = below.keys().filter(|file| below[*file].contains(*file));
    in_rings
        .map(|file| {
            below[file]
                .iter()
                .copied()
                .filter(|other| below[other].contains(file))
                .collect()
        })
        .collect()
}

#[test]
fn the_core_imports_downward() {
    let imports = imports(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/core"));
    assert!(
        imports["worker"].contains("pool") && imports["pool"].contains("desk"),
        "{imports:?}"
    );
    let rings = rings(&imports);
    assert!(rings.is_empty(), "these import each other: {rings:?}");
}

#[test]
fn a_ring_is_found() {
    let to = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
    let files = [
        ("a", to(&["b"])),
        ("b", to(&["c"])),
        ("c", to(&["a"])),
        ("d", to(&["a"])),
    ];
    let imports: Imports = files
        .into_iter()
        .map(|(name, of)| (name.to_owned(), of))
        .collect();
    assert_eq!(
        rings(&imports),
        BTreeSet::from([BTreeSet::from(["a", "b", "c"])])
    );
    assert_eq!(names("{child, pool::Pool}; x"), ["child", "pool"]);
    assert_eq!(names("pool::{Handlers, Pool};"), ["pool"]);
}

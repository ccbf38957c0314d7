//! The floors of the house: in the core, no file imports one that imports it, however many others lie between. A folder counts as one file, and a call of
//! a method that another file adds to a type counts as an import.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

type Imports = BTreeMap<String, BTreeSet<String>>;
/// The code of each file, by name.
type Texts = BTreeMap<String, String>;

/// The lines of code of each file of `folder`, without tests; those of a folder in it as if they were one file.
fn texts(folder: &Path) -> Texts {
    let mut texts = Texts::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let files: Vec<_> = match path.is_dir() {
            true => fs::read_dir(&path)
                .unwrap()
                .map(|entry| entry.unwrap().path())
                .collect(),
            false => vec![path],
        };
        let sources = files
            .iter()
            .filter(|path| path.extension().is_some_and(|ext| ext == "rs"));
        for source in sources {
            let text = code(&fs::read_to_string(source).unwrap());
            texts.entry(name.clone()).or_default().push_str(&text);
        }
    }
    texts.remove("mod");
    texts
}

/// The lines of `text` that are neither comments nor tests.
fn code(text: &str) -> String {
    let code = text.split("\n#[cfg(all(test").next().unwrap();
    let code = code.split("\n#[cfg(test)]\nmod").next().unwrap();
    let lines = code
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    lines.fold(String::new(), |all, line| all + line + "\n")
}

/// What each file imports from the others.
fn imports(texts: &Texts) -> Imports {
    let added = added_methods(texts);
    let of = |text: &str, own: &str| {
        let paths = ["super::", "crate::core::"].map(|from| text.split(from).skip(1));
        let named = paths.into_iter().flatten().flat_map(names);
        let called = added
            .iter()
            .filter(|(method, _)| calls(text, method))
            .map(|(_, file)| file.clone());
        named
            .chain(called)
            .filter(|name| name != own && texts.contains_key(name))
            .collect()
    };
    texts
        .iter()
        .map(|(name, text)| (name.clone(), of(text, name)))
        .collect()
}

/// The word that `text` begins with.
fn word(text: &str) -> String {
    text.trim()
        .chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect()
}

/// The words behind `before`, wherever that is.
fn words_after<'a>(text: &'a str, before: &'a str) -> impl Iterator<Item = String> + 'a {
    text.split(before).skip(1).map(word)
}

/// The methods that a file adds to a type of another file, and that file. Names that more than one function has are left out: without types, no one
/// can tell which is called.
fn added_methods(texts: &Texts) -> BTreeMap<String, String> {
    let mut homes = BTreeMap::new();
    let mut functions = BTreeMap::<_, u32>::new();
    for (file, text) in texts {
        let types = ["struct ", "enum "].map(|kind| words_after(text, kind));
        homes.extend(types.into_iter().flatten().map(|name| (name, file)));
        words_after(text, "fn ").for_each(|name| *functions.entry(name).or_default() += 1);
    }
    let mut added = BTreeMap::new();
    for (file, text) in texts {
        for block in text.split("\nimpl").skip(1) {
            let (head, body) = block.split_once('{').unwrap();
            let of = head.split_once("> ").map_or(head, |(_, of)| of);
            let elsewhere = homes.get(&word(of)).is_some_and(|home| *home != file);
            if head.contains(" for ") || !elsewhere {
                continue;
            }
            let body = body.split("\n}").next().unwrap();
            let methods = words_after(body, "fn ").filter(|name| functions[name] == 1);
            added.extend(methods.map(|name| (name, file.clone())));
        }
    }
    added
}

/// Whether a method of this name is called.
fn calls(text: &str, method: &str) -> bool {
    ["(", "::<"].iter().any(|behind| {
        let call = format!("{method}{behind}");
        [".", "::"]
            .iter()
            .any(|dot| text.contains(&format!("{dot}{call}")))
    })
}

/// The names that a path behind `super::` begins with: one, or those in braces.
fn names(path: &str) -> Vec<String> {
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
    let texts = texts(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/core"));
    let imports = imports(&texts);
    let has = |file: &str, of: &str| assert!(imports[file].contains(of), "{imports:?}");
    has("worker", "pool");
    has("pool", "desk");
    // By a method, and from a folder.
    has("life", "wake");
    has("meter", "clock");
    let rings = rings(&imports);
    assert!(rings.is_empty(), "these import each other: {rings:?}");
}

#[test]
fn a_method_that_another_file_adds_is_an_import() {
    let files = [
        (
            "pool",
            "pub struct Pool;\nimpl Pool {\n    fn end(&self) {\n        self.wake_all();\n    }\n    fn len() {}\n}\n",
        ),
        (
            "wake",
            "use super::pool::Pool;\nimpl<'a> Pool {\n    fn wake_all(&self) {}\n    fn push(&self) {}\n}\n",
        ),
        (
            "queue",
            "struct Queue;\nimpl Queue {\n    fn push(&self) {}\n}\n// wake_all()\nimpl Clone for Queue {\n    fn clone(&self) {}\n}\n",
        ),
        ("user", "fn f() {\n    x.push();\n    Queue::clone(x);\n}\n"),
    ];
    let texts: Texts = files
        .into_iter()
        .map(|(name, text)| (name.to_owned(), code(text)))
        .collect();
    let imports = imports(&texts);
    assert_eq!(
        rings(&imports),
        BTreeSet::from([BTreeSet::from(["pool", "wake"])])
    );
    assert!(imports["user"].is_empty() && imports["queue"].is_empty());
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

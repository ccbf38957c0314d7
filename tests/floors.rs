//! The floors of the house: no file imports one that imports it, however many others lie between. In the core a folder counts as one file, and a call of a
//! method that another file adds to a type counts as an import. And no two types have one name.

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

    // The table in the documentation of the module, from the ground up.
    let table = floors_of(include_str!("../src/core/mod.rs"));
    let files: BTreeSet<_> = texts.keys().map(String::as_str).collect();
    let listed: BTreeSet<_> = table.iter().copied().collect();
    assert_eq!(table.len(), listed.len(), "a file is on two floors");
    assert_eq!(listed, files, "the table of floors");
    let place = |name: &str| table.iter().position(|file| *file == name);
    let upward = imports.iter().flat_map(|(file, others)| {
        let above = others.iter().filter(|of| place(of) > place(file));
        above.map(move |of| format!("{file} imports {of}"))
    });
    let upward: Vec<_> = upward.collect();
    assert!(upward.is_empty(), "upward in the table: {upward:#?}");
}

/// The names of files in the table of `text`, row by row.
fn floors_of(text: &str) -> Vec<&str> {
    let rows = text.lines().filter_map(|line| line.strip_prefix("//! |"));
    let cells = rows.filter_map(|row| row.split('|').nth(1));
    let names = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    names.collect()
}

/// What each file below `folder` imports from the others, by their paths as modules. Files that only gather others (`mod.rs`, `lib.rs`, and those with a
/// folder of their name) are left out.
fn modules(folder: &Path) -> Imports {
    let mut files = Texts::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(at) = folders.pop() {
        for entry in fs::read_dir(&at).unwrap() {
            let path = entry.unwrap().path();
            let stem = path.with_extension("");
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ext| ext == "rs")
                && !["mod", "lib", "main"]
                    .iter()
                    .any(|face| stem.ends_with(face))
                && !stem.is_dir()
            {
                let name = stem.strip_prefix(folder).unwrap().iter();
                let name: Vec<_> = name.map(|part| part.to_str().unwrap()).collect();
                files.insert(name.join("::"), code(&fs::read_to_string(&path).unwrap()));
            }
        }
    }
    let imports = |name: &String, text: &String| {
        let full = paths_in(text).into_iter().map(|path| full(name, &path));
        full.filter_map(|path| file_of(&path, &files))
            .filter(|file| file != name)
            .collect()
    };
    let all = files.iter();
    all.map(|(name, text)| (name.clone(), imports(name, text)))
        .collect()
}

fn is_path(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == ':'
}

/// All paths in `text` that begin with `crate`, `super` or `self`; one for each name in braces.
fn paths_in(text: &str) -> Vec<String> {
    let mut paths = Vec::new();
    for first in ["crate::", "super::", "self::"] {
        for (at, _) in text.match_indices(first) {
            // Not the second half of `super::super::x`, nor of a longer word.
            if !text[..at].ends_with(is_path) {
                expand("", &text[at..], &mut paths);
            }
        }
    }
    paths
}

/// Reads the path that `text` begins with, behind `before`, with all that is in its braces. Returns what follows it.
fn expand<'t>(before: &str, text: &'t str, paths: &mut Vec<String>) -> &'t str {
    let (own, rest) = text.split_at(text.find(|c| !is_path(c)).unwrap_or(text.len()));
    let path = format!("{before}{own}");
    let Some(mut list) = rest.strip_prefix('{').filter(|_| own.ends_with("::")) else {
        paths.push(path);
        return rest;
    };
    loop {
        list = expand(&path, list.trim_start(), paths).trim_start();
        if let Some(name) = list.strip_prefix("as ") {
            list = name.trim_start_matches(is_path).trim_start();
        }
        match list.strip_prefix(',') {
            Some(more) => list = more,
            None => return list.strip_prefix('}').unwrap_or(list),
        }
    }
}

/// A path in the file `name`, from the top.
fn full(name: &str, path: &str) -> Vec<String> {
    let mut at: Vec<&str> = name.split("::").collect();
    for part in path.split("::") {
        match part {
            "crate" => at.clear(),
            "super" => drop(at.pop()),
            "self" | "" => (),
            part => at.push(part),
        }
    }
    at.into_iter().map(str::to_owned).collect()
}

/// The file that a path leads to, or into.
fn file_of(path: &[String], files: &Texts) -> Option<String> {
    let mut lengths = (1..=path.len()).rev();
    lengths.find_map(|length| {
        let name = path[..length].join("::");
        files.contains_key(&name).then_some(name)
    })
}

#[test]
fn all_import_downward() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tools = ["migrate/src", "report/src", "sim/src", "verify/mutants/src"];
    for folder in ["src", "queue/src"].into_iter().chain(tools) {
        let folder = root.join(folder);
        // What is published of the crate is `src` alone.
        if !folder.is_dir() {
            continue;
        }
        let imports = modules(&folder);
        if imports.contains_key("core::pool") {
            let has = |file: &str, of: &str| assert!(imports[file].contains(of), "{imports:?}");
            has("iter::plumbing::piece_fold", "iter::plumbing::drive");
            has("iter::plumbing::drive", "core::unwind");
        }
        let rings = rings(&imports);
        assert!(
            rings.is_empty(),
            "in {}, these import each other: {rings:?}",
            folder.display()
        );
    }
}

#[test]
fn all_paths_of_a_file_are_read() {
    let text =
        "use crate::{a::{B, C as D}, e};\nuse super::super::f::{self, g::H};\nlet x = self::i::J;";
    let mut paths: Vec<_> = paths_in(text)
        .iter()
        .map(|path| full("x::y::z", path).join("::"))
        .collect();
    paths.sort();
    let read = ["a::B", "a::C", "e", "x::f", "x::f::g::H", "x::y::z::i::J"];
    assert_eq!(paths, read);
    let files = Texts::from([("x::f".to_owned(), String::new())]);
    let path = full("x::y::z", "super::super::f::g::H");
    assert_eq!(file_of(&path, &files).as_deref(), Some("x::f"));
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

/// Files that define the same types as another file does: `off.rs` where a feature is off, `followed.rs` where ThreadSanitizer follows the locks.
const TWINS: [&str; 2] = ["off.rs", "followed.rs"];

/// The names of the types and traits in `text`, and whether all the world may use them.
fn types(text: &str) -> impl Iterator<Item = (String, bool)> {
    text.lines().filter_map(|line| {
        let line = line.trim_start();
        let own = line.strip_prefix("pub ").unwrap_or(line);
        let own = match own.strip_prefix("pub(") {
            Some(own) => own.split_once(") ")?.1,
            None => own,
        };
        let own = own.strip_prefix("unsafe ").unwrap_or(own);
        let kinds = ["struct ", "enum ", "trait ", "union "];
        let name = kinds.iter().find_map(|kind| own.strip_prefix(kind))?;
        Some((word(name), line.starts_with("pub ")))
    })
}

#[test]
fn one_name_is_one_type() {
    let mut homes = BTreeMap::<_, Vec<_>>::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(at) = folders.pop() {
        for entry in fs::read_dir(&at).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.extend((!path.ends_with("tests")).then_some(path));
            } else if path.extension().is_some_and(|ext| ext == "rs")
                && !TWINS.iter().any(|twin| path.ends_with(twin))
                && !path.ends_with("tests.rs")
            {
                for (name, public) in types(&code(&fs::read_to_string(&path).unwrap())) {
                    homes.entry(name).or_default().push((public, path.clone()));
                }
            }
        }
    }
    assert!(homes["PieceFold"].len() == 1 && homes["Iter"].len() > 1);
    // Public types are in modules that users name with them, as `slice::Chunks` and `iter::Chunks`. A trait is sealed by one that no one can name.
    homes.retain(|name, homes| homes.len() > 1 && name != "Sealed");
    homes.retain(|_, homes| homes.iter().any(|(public, _)| !public));
    assert!(homes.is_empty(), "one name for several types: {homes:#?}");
}

#[test]
fn types_are_found() {
    let text =
        "pub struct A<T>(T);\n    pub(super) unsafe trait B {}\nenum C {\nlet struct_d = 1;\n";
    let found: Vec<_> = types(text).collect();
    let named = |name: &str, public| (name.to_owned(), public);
    assert_eq!(
        found,
        [named("A", true), named("B", false), named("C", false)]
    );
}

//! What is public in the crate, by a plain reading of its formatted source.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Files with sources that are no methods: a row names each, without `src/` and `.rs`.
const COLLECTIONS: [&str; 7] = [
    "array",
    "option",
    "range",
    "range_inclusive",
    "result",
    "string",
    "vec",
];

/// Modules in `src/collections` that hold what the collections share.
const SHARED: [&str; 5] = ["bulk_build", "lent", "map_mut", "mod", "walked"];

/// Methods of public traits as `Trait::method`, methods of public types as `Type::method`, functions as `floor::function`, and collections as
/// `collections::module`.
pub fn public(src: &Path) -> io::Result<BTreeSet<String>> {
    let mut texts = Vec::new();
    for path in files(src)? {
        let inside = path.strip_prefix(src).unwrap_or(&path).to_path_buf();
        texts.push((inside, fs::read_to_string(&path)?));
    }
    let mut names: BTreeSet<String> = COLLECTIONS.iter().map(|name| name.to_string()).collect();
    // What the core gives to the floors above, which alone is public of it.
    let mut of_core = BTreeSet::new();
    for (path, text) in &texts {
        let (floor, module) = (floor(path), stem(path));
        if floor == "collections" && !SHARED.contains(&module) {
            names.insert(format!("collections::{module}"));
        }
        if is_hidden(floor) {
            continue;
        }
        for (from, name) in uses(text) {
            if name.starts_with(char::is_lowercase) {
                names.insert(format!("{floor}::{name}"));
            }
            if from == "crate::core" {
                of_core.insert(name);
            }
        }
        let functions = text.lines().filter_map(|line| line.strip_prefix("pub fn "));
        names.extend(functions.map(|rest| format!("{floor}::{}", word(rest))));
    }
    for (path, text) in &texts {
        let hidden = is_hidden(floor(path));
        let methods = methods(text).into_iter();
        names.extend(
            methods
                .filter(|(owner, _)| !hidden || of_core.contains(owner))
                .map(|(owner, method)| format!("{owner}::{method}")),
        );
    }
    Ok(names)
}

/// Whether nothing on a floor is public, unless another floor gives it on.
fn is_hidden(floor: &str) -> bool {
    matches!(floor, "core" | "sync")
}

/// The part of the crate that a file belongs to: `algo`, `plumbing`, and so on; `filch` for the top.
fn floor(path: &Path) -> &str {
    let folders = path.parent().and_then(Path::to_str).unwrap_or_default();
    match folders.split('/').next() {
        _ if folders.starts_with("iter/plumbing") => "plumbing",
        Some("") | None => "filch",
        Some(floor) => floor,
    }
}

fn stem(path: &Path) -> &str {
    path.file_stem()
        .and_then(|stem| stem.to_str())
        .unwrap_or_default()
}

/// What a file gives on: from where, and the name.
fn uses(text: &str) -> Vec<(String, String)> {
    let mut uses = Vec::new();
    let marked = format!("\n{text}");
    for statement in marked.split("\npub use ").skip(1) {
        let statement = statement.split(';').next().unwrap_or_default();
        let (from, names) = match statement.split_once("::{") {
            Some((from, names)) => (from, names.trim_end_matches('}')),
            None => statement.rsplit_once("::").unwrap_or(("", statement)),
        };
        let names = names
            .split(',')
            .filter_map(|name| name.split_whitespace().last());
        uses.extend(names.map(|name| (from.to_string(), name.to_string())));
    }
    uses
}

/// The public methods of one file, each with its trait or type.
fn methods(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    // The trait or type that the lines belong to, and whether its methods are public as they are.
    let mut owner: Option<(String, bool)> = None;
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("pub trait ") {
            owner = Some((word(rest), true));
        } else if line.starts_with("impl") && !line.contains(" for ") {
            owner = Some((implemented(line), false));
        } else if line.starts_with("impl") || line == "}" {
            owner = None;
        } else if let Some((owner, is_trait)) = &owner
            && let Some(rest) = line.strip_prefix("    ")
        {
            let rest = if *is_trait {
                // A macro is told the names one level deeper.
                let told = rest.strip_prefix("    ");
                told.filter(|told| told.ends_with([';', ',']) && !told.contains('('))
                    .unwrap_or(rest)
            } else {
                rest.strip_prefix("pub ").unwrap_or("")
            };
            let rest = ["const ", "unsafe "]
                .iter()
                .fold(rest, |rest, word| rest.strip_prefix(word).unwrap_or(rest));
            if let Some(name) = rest.strip_prefix("fn ") {
                found.push((owner.clone(), word(name)));
            }
        }
    }
    found
}

/// The first name in a text.
fn word(text: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.chars().take_while(|&c| is_part(c)).collect()
}

/// The type that an `impl` without a trait is of.
fn implemented(line: &str) -> String {
    let rest = &line["impl".len()..];
    let mut depth = 0;
    for (at, c) in rest.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if !rest[..at].ends_with('-') => depth -= 1,
            _ if depth == 0 && c.is_alphabetic() => return word(&rest[at..]),
            _ => (),
        }
    }
    String::new()
}

/// All sources in a folder and those inside.
pub fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            all.append(&mut files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            all.push(path);
        }
    }
    all.sort();
    Ok(all)
}

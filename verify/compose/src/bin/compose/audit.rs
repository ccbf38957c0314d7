//! Compares the table with the crate's public methods, by a plain reading of its formatted source.

use crate::table::{self, LEFT_OUT};
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

/// What is public and not in the table, and what is in the table and not public.
pub fn audit() -> io::Result<Vec<String>> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src");
    let public = public(&src)?;
    let rows: BTreeSet<String> = table::sources()
        .chain(table::adaptors())
        .chain(table::ends())
        .map(|row| row.name.to_string())
        .collect();
    let left_out: BTreeSet<String> = LEFT_OUT.iter().map(|(name, _)| name.to_string()).collect();
    // `Owner::*` leaves out all of a trait's methods.
    let is_left_out = |name: &String| {
        let owner = name.split("::").next().unwrap_or_default();
        left_out.contains(name) || left_out.contains(&format!("{owner}::*"))
    };
    let mut wrong = Vec::new();
    for name in &public {
        if !rows.contains(name) && !is_left_out(name) {
            wrong.push(format!("{name} is public, and has no row in the table"));
        }
        if rows.contains(name) && left_out.contains(name) {
            wrong.push(format!("{name} has a row in the table, and is left out"));
        }
    }
    let owners: BTreeSet<&str> = public
        .iter()
        .filter_map(|name| name.split("::").next())
        .collect();
    for name in rows.iter().chain(&left_out) {
        let known = match name.strip_suffix("::*") {
            Some(owner) => owners.contains(owner),
            // Rows of the table for which no method stands.
            None => public.contains(name) || matches!(name.as_str(), "either" | "multi_zip"),
        };
        if !known {
            wrong.push(format!("{name} is in the table, and is not public"));
        }
    }
    Ok(wrong)
}

/// Methods of public traits as `Trait::method`, methods of types that are made by adaptors as `Type::method`, functions of `iter` as `iter::function`,
/// and collections as `collections::module`.
fn public(src: &Path) -> io::Result<BTreeSet<String>> {
    let mut names: BTreeSet<String> = COLLECTIONS.iter().map(|name| name.to_string()).collect();
    for path in files(src)? {
        let inside = path.strip_prefix(src).unwrap_or(&path);
        let text = fs::read_to_string(&path)?;
        let folder = inside.parent().and_then(Path::to_str).unwrap_or_default();
        if folder == "collections" {
            let module = inside.file_stem().and_then(|stem| stem.to_str());
            names.extend(
                module
                    .filter(|module| !SHARED.contains(module))
                    .map(|module| format!("collections::{module}")),
            );
        }
        let floor = folder.split('/').next().unwrap_or_default();
        if matches!(floor, "core" | "sync") || folder.starts_with("iter/plumbing") {
            continue;
        }
        names.extend(methods(&text, folder));
    }
    Ok(names)
}

/// The public methods and functions of one file.
fn methods(text: &str, folder: &str) -> Vec<String> {
    let mut names = Vec::new();
    // The trait or type that the lines belong to, and whether its methods are public as they are.
    let mut owner: Option<(String, bool)> = None;
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("pub trait ") {
            owner = Some((word(rest), true));
        } else if line.starts_with("impl") && !line.contains(" for ") {
            owner = Some((implemented(line), false));
        } else if line.starts_with("impl") || line == "}" {
            owner = None;
        } else if owner.is_none()
            // A macro is told the name one level deeper.
            && let Some(rest) = line.strip_prefix("    ").unwrap_or(line).strip_prefix("pub fn ")
            && folder.starts_with("iter/sources")
        {
            names.push(format!("iter::{}", word(rest)));
        } else if let Some((owner, is_trait)) = &owner
            && let Some(rest) = line.strip_prefix("    ")
        {
            let rest = if *is_trait {
                // So are the names of methods.
                let told = rest.strip_prefix("    ");
                told.filter(|told| told.ends_with([';', ',']) && !told.contains('('))
                    .unwrap_or(rest)
            } else {
                rest.strip_prefix("pub ").unwrap_or("")
            };
            if let Some(name) = rest.strip_prefix("fn ") {
                names.push(format!("{owner}::{}", word(name)));
            }
        }
    }
    names
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

fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
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

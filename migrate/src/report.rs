//! What is printed.

use std::fmt::Write;
use std::path::PathBuf;

use crate::advice::{Advice, Kind};
use crate::manifest::{Manifest, shown};
use crate::state::Place;

/// A source with places to look at.
pub struct Source {
    pub path: PathBuf,
    pub text: String,
    pub places: Vec<Place>,
}

/// All places by kind, with what is to be said of each kind.
pub fn report(read: usize, sources: &[Source], manifests: &[Manifest]) -> String {
    let mut out = String::new();
    let places: usize = sources.iter().map(|it| it.places.len()).sum();
    let with_places = sources.iter().filter(|it| !it.places.is_empty()).count();
    let of_them = match places {
        0 => "nothing to look at".to_owned(),
        n => format!(
            "{} to look at in {with_places} of them",
            counted(n, "place")
        ),
    };
    writeln!(out, "{} read, {of_them}", counted(read, "source")).unwrap();
    for kind in Kind::ALL {
        section(&mut out, kind, sources);
    }
    if manifests.iter().any(|it| !it.rayon.is_empty()) {
        out += "\nIn Cargo.toml (--patch prints the lines that are needed)\n";
    }
    for manifest in manifests {
        let path = shown(&manifest.path);
        for dependency in &manifest.rayon {
            writeln!(out, "    {path}:{}  {}", dependency.line, dependency.text).unwrap();
        }
        if let (Some((version, line)), false) = (&manifest.too_old, manifest.rayon.is_empty()) {
            writeln!(
                out,
                "    {path}:{line}  asks for Rust {version}; filch needs 1.88"
            )
            .unwrap();
        }
    }
    if places == 0 {
        out += "\nThe sources can stay as they are, as far as their form tells.\n";
    }
    out
}

fn section(out: &mut String, kind: Kind, sources: &[Source]) {
    let places = |source: &Source| source.places.iter().filter(|it| it.kind == kind).count();
    let count: usize = sources.iter().map(places).sum();
    if count == 0 {
        return;
    }
    let Advice {
        name,
        title,
        differs,
        instead,
        ..
    } = kind.advice();
    writeln!(out, "\n{title} [{name}]: {}", counted(count, "place")).unwrap();
    wrap(out, differs);
    wrap(out, instead);
    for source in sources {
        for place in source.places.iter().filter(|it| it.kind == kind) {
            let (path, Place { line, column, .. }) = (shown(&source.path), place);
            let code = source.text.lines().nth(line - 1).unwrap_or_default().trim();
            writeln!(out, "    {path}:{line}:{column}  {}", clipped(code)).unwrap();
            if let Some(note) = &place.note {
                writeln!(out, "        {note}").unwrap();
            }
        }
    }
}

fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// At most this many characters of a line of code.
const WIDTH: usize = 80;

fn clipped(code: &str) -> String {
    match code.char_indices().nth(WIDTH) {
        Some((at, _)) => format!("{}..", &code[..at]),
        None => code.to_owned(),
    }
}

/// Prints a paragraph in lines of up to 100 characters.
fn wrap(out: &mut String, text: &str) {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if line.len() + 1 + word.len() > 100 {
            writeln!(out, " {line}").unwrap();
            line.clear();
        }
        line.push(' ');
        line += word;
    }
    writeln!(out, " {line}").unwrap();
}

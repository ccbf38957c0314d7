//! Lists what to look at when a program moves from rayon to filch.
//!
//! It goes by the form of the code, without types, so it may name a place that is fine, and miss one. README.md has more.

mod advice;
mod code;
mod files;
mod manifest;
mod report;
mod rules;
mod scan;
mod state;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use files::Files;
use manifest::Manifest;
use report::Source;

const HELP: &str = "\
Lists what to look at when a program moves from rayon to filch, with file and line.

usage: cargo run -p migrate -- [--patch] [--filch DIR] PATH

  PATH         a directory, with all sources and Cargo.tomls below it, or one file
  --patch      prints the lines for Cargo.toml instead
  --filch DIR  where a clone of filch is, for --patch; else the clone that this tool is in

It exits with 0 if all was read, 1 if some files could not be read, 2 if there was nothing to do.
";

struct Options {
    path: PathBuf,
    patch: bool,
    filch: PathBuf,
}

fn main() -> ExitCode {
    match options().and_then(|options| options.map_or(Ok(ExitCode::SUCCESS), |it| run(&it))) {
        Ok(code) => code,
        Err(complaint) => {
            eprintln!("migrate: {complaint}");
            ExitCode::from(2)
        }
    }
}

/// What is asked for; nothing if that was only help.
fn options() -> Result<Option<Options>, String> {
    use lexopt::prelude::*;
    let mut args = lexopt::Parser::from_env();
    let (mut path, mut patch) = (None, false);
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut filch = own.parent().unwrap_or(own).to_owned();
    let wrong = |error: lexopt::Error| format!("{error} (--help says what there is)");
    while let Some(arg) = args.next().map_err(wrong)? {
        match arg {
            Long("patch") => patch = true,
            Long("filch") => filch = args.value().map_err(wrong)?.into(),
            Short('h') | Long("help") => {
                print(HELP)?;
                return Ok(None);
            }
            Value(value) if path.is_none() => path = Some(PathBuf::from(value)),
            other => return Err(wrong(other.unexpected())),
        }
    }
    let path = path.ok_or("which directory? (--help says what there is)")?;
    Ok(Some(Options { path, patch, filch }))
}

fn run(options: &Options) -> Result<ExitCode, String> {
    let files = Files::below(&options.path)?;
    let mut unread = files.unread;

    let (mut sources, mut concerned) = (Vec::new(), false);
    for path in &files.sources {
        match read(path) {
            Ok((source, uses_rayon)) => {
                concerned |= uses_rayon;
                sources.push(source);
            }
            Err(why) => unread.push((path.clone(), why)),
        }
    }
    let mut manifests = Vec::new();
    for path in &files.manifests {
        match Manifest::read(path) {
            Ok(manifest) => manifests.push(manifest),
            Err(why) => unread.push((path.clone(), why)),
        }
    }

    concerned |= manifests.iter().any(|it| !it.rayon.is_empty());
    if concerned && options.patch {
        print(&manifest::patch(&options.path, &manifests, &options.filch))?;
    } else if concerned {
        print(&report::report(sources.len(), &sources, &manifests))?;
    }
    for (path, why) in &unread {
        eprintln!("migrate: left out {}: {why}", manifest::shown(path));
    }
    if !concerned {
        return Err(format!(
            "found no rayon in {}: none of its Cargo.tomls ({}) depends on it, and none of its sources ({}) uses it",
            options.path.display(),
            manifests.len(),
            sources.len()
        ));
    }
    Ok(ExitCode::from(u8::from(!unread.is_empty())))
}

/// A source with its places, and whether it has to do with rayon; or why it cannot be read.
fn read(path: &Path) -> Result<(Source, bool), String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let file = syn::parse_file(&text).map_err(|error| {
        let at = error.span().start();
        format!("not valid Rust at {}:{}: {error}", at.line, at.column + 1)
    })?;
    let (places, uses_rayon) = scan::scan(&file);
    let path = path.to_owned();
    Ok((Source { path, text, places }, uses_rayon))
}

/// To standard output, whose reader may have seen enough.
fn print(text: &str) -> Result<(), String> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.to_string()),
        _ => Ok(()),
    }
}

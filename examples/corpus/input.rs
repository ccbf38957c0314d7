//! Which trees to read.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A path to start from, and what it is.
#[derive(Debug)]
pub struct Root {
    pub path: PathBuf,
    pub is_dir: bool,
}

/// The paths of the command line, or the default input if it names none.
///
/// A path inside another one is dropped, so that no file is read twice. A path that cannot be
/// used is an error that names it.
pub fn roots(paths: &[PathBuf]) -> Result<Vec<Root>, String> {
    if paths.is_empty() {
        return check(&default_input()).map(|(_, root)| vec![root]);
    }
    let mut checked = paths
        .iter()
        .map(|path| check(path))
        .collect::<Result<Vec<_>, _>>()?;
    // Outer paths sort before the paths inside them.
    checked.sort_by(|(a, _), (b, _)| a.cmp(b));
    checked.dedup_by(|(inner, _), (outer, _)| inner.starts_with(outer));
    Ok(checked.into_iter().map(|(_, root)| root).collect())
}

/// Returns the canonical path beside the one to show.
fn check(path: &Path) -> Result<(PathBuf, Root), String> {
    let shown = path.display();
    let explain = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => format!("no such file or directory: '{shown}'"),
        _ => format!("cannot read '{shown}': {error}"),
    };
    let metadata = fs::metadata(path).map_err(explain)?;
    if !metadata.is_dir() && !metadata.is_file() {
        return Err(format!("neither a file nor a directory: '{shown}'"));
    }
    let canonical = fs::canonicalize(path).map_err(explain)?;
    Ok((
        canonical,
        Root {
            path: path.to_owned(),
            is_dir: metadata.is_dir(),
        },
    ))
}

/// Something large that a machine with Rust is likely to have.
fn default_input() -> PathBuf {
    documentation()
        .or_else(sources)
        .unwrap_or_else(|| PathBuf::from("."))
}

/// The toolchain's documentation.
fn documentation() -> Option<PathBuf> {
    let output = Command::new("rustc")
        .args(["--print", "sysroot"])
        .output()
        .ok()?;
    let sysroot = String::from_utf8(output.stdout).ok()?;
    let doc = Path::new(sysroot.trim_end()).join("share").join("doc");
    // A minimal toolchain has licences here and nothing else.
    doc.join("rust").join("html").is_dir().then_some(doc)
}

/// The sources of the crates that cargo has downloaded.
fn sources() -> Option<PathBuf> {
    let home = env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| env::home_dir().map(|home| home.join(".cargo")))?;
    let src = home.join("registry").join("src");
    src.is_dir().then_some(src)
}

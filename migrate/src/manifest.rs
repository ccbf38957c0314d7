//! What the Cargo.toml of a package says of rayon, and the lines that it needs instead.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use toml_edit::{Document, Item, TableLike};

/// The release that a program moves to.
const VERSION: &str = "0.1";
/// The oldest compiler that builds it: a minor release of Rust 1.
const RUST_VERSION: u32 = 88;

/// A Cargo.toml.
pub struct Manifest {
    pub path: PathBuf,
    /// Where it depends on rayon.
    pub rayon: Vec<Dependency>,
    /// The `rust-version` that it asks for and where, if that is too old.
    pub too_old: Option<(String, usize)>,
    /// Whether a `[workspace]` begins here.
    is_root: bool,
    has_patch: bool,
}

/// A dependency on rayon or rayon-core.
pub struct Dependency {
    /// The name that the package knows it by.
    key: String,
    pub line: usize,
    optional: bool,
    /// As it is written.
    pub text: String,
}

impl Manifest {
    /// # Errors
    ///
    /// If it cannot be read, or is no TOML.
    pub fn read(path: &Path) -> Result<Manifest, String> {
        let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
        let document = parse(&text)?;
        let root = document.as_table();
        let mut rayon = Vec::new();
        for (name, item) in root.iter() {
            dependencies(name, item, &text, &mut rayon);
        }
        if let Some(targets) = root.get("target").and_then(Item::as_table_like) {
            for (_, target) in targets.iter() {
                for (name, item) in target.as_table_like().into_iter().flat_map(TableLike::iter) {
                    dependencies(name, item, &text, &mut rayon);
                }
            }
        }
        let workspace = root.get("workspace");
        if let Some(item) = workspace.and_then(|it| it.get("dependencies")) {
            dependencies("dependencies", item, &text, &mut rayon);
        }
        rayon.sort_by_key(|it| it.line);
        let packages = [
            root.get("package"),
            workspace.and_then(|it| it.get("package")),
        ];
        Ok(Manifest {
            path: path.to_owned(),
            rayon,
            too_old: packages
                .into_iter()
                .flatten()
                .find_map(|it| too_old(it, &text)),
            is_root: workspace.is_some(),
            has_patch: root
                .get("patch")
                .is_some_and(|it| it.get("crates-io").is_some()),
        })
    }
}

fn parse(text: &str) -> Result<Document<&str>, String> {
    Document::parse(text).map_err(|error| {
        let line = error.span().map_or(1, |it| line_of(text, it.start));
        format!("line {line}: {}", error.message())
    })
}

fn line_of(text: &str, at: usize) -> usize {
    1 + text[..at].matches('\n').count()
}

/// Notes the dependencies on rayon in a table, if it is one of dependencies.
fn dependencies(name: &str, item: &Item, text: &str, found: &mut Vec<Dependency>) {
    let tables = ["dependencies", "dev-dependencies", "build-dependencies"];
    let (true, Some(table)) = (tables.contains(&name), item.as_table_like()) else {
        return;
    };
    for (key, item) in table.iter() {
        let package = item.get("package").and_then(Item::as_str).unwrap_or(key);
        let is_true = |name: &str| item.get(name).and_then(Item::as_bool) == Some(true);
        if !["rayon", "rayon-core"].contains(&package) || is_true("workspace") {
            continue;
        }
        let start = table
            .key(key)
            .and_then(|it| it.span())
            .map_or(0, |it| it.start);
        let line = line_of(text, start);
        found.push(Dependency {
            key: key.to_owned(),
            line,
            optional: is_true("optional"),
            text: text.lines().nth(line - 1).unwrap_or(key).trim().to_owned(),
        });
    }
}

fn too_old(package: &Item, text: &str) -> Option<(String, usize)> {
    let item = package.get("rust-version")?;
    let version = item.as_str()?;
    let minor: u32 = version.split('.').nth(1)?.parse().ok()?;
    let line = line_of(text, item.span()?.start);
    (minor < RUST_VERSION).then(|| (version.to_owned(), line))
}

/// Packages from elsewhere that depend on rayon, as the nearest Cargo.lock above has them; nothing if there is none.
fn locked_dependents(path: &Path) -> Option<Vec<String>> {
    let start = fs::canonicalize(path).ok()?;
    let lock = start
        .ancestors()
        .map(|it| it.join("Cargo.lock"))
        .find(|it| it.is_file())?;
    let text = fs::read_to_string(lock).ok()?;
    let document = parse(&text).ok()?;
    let packages = document.get("package")?.as_array_of_tables()?;
    let mut names = Vec::new();
    for package in packages.iter() {
        let name = package
            .get("name")
            .and_then(Item::as_str)
            .unwrap_or_default();
        let on_rayon = package
            .get("dependencies")
            .and_then(Item::as_array)
            .into_iter()
            .flatten()
            .filter_map(|it| it.as_str()?.split(' ').next())
            .any(|it| ["rayon", "rayon-core"].contains(&it));
        // What has no source is a part of the program itself.
        if on_rayon && package.contains_key("source") && name != "rayon" {
            names.push(name.to_owned());
        }
    }
    names.sort();
    names.dedup();
    Some(names)
}

/// The lines that move a program: for packages alone, and for all of it. `filch` is where a clone of filch is.
pub fn patch(root: &Path, manifests: &[Manifest], filch: &Path) -> String {
    let mut out = String::new();
    for manifest in manifests {
        let path = shown(&manifest.path);
        for dependency in &manifest.rayon {
            let Dependency {
                key,
                line,
                optional,
                text,
            } = dependency;
            let more = if *optional { ", optional = true" } else { "" };
            // `[dependencies.rayon]`
            let place = match text.rsplit_once('.') {
                Some((table, _)) if text.starts_with('[') => {
                    format!("the table `{text}`, in `{table}]`")
                }
                _ => format!("`{text}`"),
            };
            writeln!(
                out,
                "# {path}, line {line}: for this package alone, instead of {place}"
            )
            .unwrap();
            writeln!(
                out,
                "{key} = {{ package = \"filch\", version = \"{VERSION}\"{more} }}\n"
            )
            .unwrap();
        }
    }
    let top = manifests.iter().find(|it| it.is_root).or(manifests.first());
    let (path, has_patch) = match top {
        Some(it) => (shown(&it.path), it.has_patch),
        None => ("Cargo.toml of the program".to_owned(), false),
    };
    let dependents = match locked_dependents(root) {
        None => "there is no Cargo.lock to tell which".to_owned(),
        Some(names) if names.is_empty() => {
            "none, says Cargo.lock, so the lines above will do".to_owned()
        }
        Some(names) => names.join(", "),
    };
    let place = if has_patch {
        "in its `[patch.crates-io]`"
    } else {
        "at its end"
    };
    writeln!(
        out,
        "# Or {path}, {place}: for the whole program, with all dependencies that use rayon"
    )
    .unwrap();
    writeln!(
        out,
        "# ({dependents}). Then the other lines stay as they are."
    )
    .unwrap();
    if !has_patch {
        out += "[patch.crates-io]\n";
    }
    for name in ["rayon", "rayon-core"] {
        let compat = filch.join("compat").join(name);
        // As TOML has it: a backslash begins an escape.
        let compat = shown(&compat).replace('\\', "/");
        writeln!(out, "{name} = {{ path = \"{compat}\" }}").unwrap();
    }
    out
}

/// A path as it is printed.
pub fn shown(path: &Path) -> String {
    let path = path.strip_prefix(".").unwrap_or(path);
    path.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_those_of_filch() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.toml");
        let text = fs::read_to_string(root).unwrap();
        let document = parse(&text).unwrap();
        let of = |name: &str| document["package"][name].as_str().unwrap().to_owned();
        assert!(of("version").starts_with(&format!("{VERSION}.")));
        assert_eq!(of("rust-version"), format!("1.{RUST_VERSION}"));
    }
}

//! Builds the tests of a copy with all mutants in it. Mutants that do not compile are left out, and it is built again.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::copy::Copy;
use crate::mutant::Mutant;
use crate::plant::{self, Planted};

/// A program of tests.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Target {
    /// The tests of the library itself.
    Library,
    /// A test by its name.
    Test(String),
    /// The models of the package `verify`, whose library compiles the changed sources once more, on loom.
    Models,
}

/// The package of the models.
const MODELS: &str = "verify";

impl Target {
    pub fn name(&self) -> &str {
        match self {
            Target::Library => "lib",
            Target::Test(name) => name,
            Target::Models => "loom",
        }
    }
}

pub struct Build<'c> {
    pub copy: &'c Copy,
    /// The folder of the package, in the workspace.
    pub package: PathBuf,
    pub target: PathBuf,
    pub features: Option<String>,
    /// The sources that are changed, by name.
    pub sources: BTreeMap<String, String>,
}

pub struct Built {
    /// The program of each target.
    pub programs: BTreeMap<Target, PathBuf>,
    pub left_out: BTreeSet<u32>,
}

impl Build<'_> {
    /// `say` is told about each round.
    pub fn run(
        &self,
        mutants: &[Mutant],
        targets: &BTreeSet<Target>,
        say: impl Fn(String),
    ) -> Result<Built, String> {
        let kept = self.target.join("does-not-compile");
        let state = self.state()?;
        let known = read(&kept).unwrap_or_default();
        let mut known: BTreeSet<String> = known.lines().map(str::to_owned).collect();
        let mut left_out: BTreeSet<u32> = mutants
            .iter()
            .filter(|it| known.contains(&key(&state, it)))
            .map(|it| it.number)
            .collect();
        loop {
            let planted = self.plant(mutants, &left_out)?;
            say(format!(
                "building {} mutants",
                mutants.len() - left_out.len()
            ));
            let (mut programs, mut complaints) = (BTreeMap::new(), Vec::new());
            let (models, own) = targets
                .iter()
                .partition::<Vec<_>, _>(|it| **it == Target::Models);
            for targets in [own, models].iter().filter(|it| !it.is_empty()) {
                if complaints.is_empty() {
                    complaints = self.cargo(targets, &mut programs)?;
                }
            }
            if complaints.is_empty() {
                let new = mutants.iter().filter(|it| left_out.contains(&it.number));
                known.extend(new.map(|it| key(&state, it)));
                let lines: Vec<String> = known.into_iter().collect();
                let kept = std::fs::write(&kept, lines.join("\n"));
                kept.map_err(|error| format!("{}: {error}", self.target.display()))?;
                return Ok(Built { programs, left_out });
            }
            let before = left_out.len();
            for complaint in &complaints {
                for (file, planted) in &planted {
                    if let Some(spans) = complaint.spans.get(file) {
                        left_out.extend(planted.blamed(spans));
                    }
                }
            }
            if left_out.len() == before {
                let texts: Vec<&str> = complaints.iter().map(|it| &*it.text).collect();
                return Err(format!("it does not compile:\n{}", texts.join("\n")));
            }
        }
    }

    /// All but the mutant itself that decides whether it compiles: the package's manifest and sources, which may use each other's types, and the
    /// versions of what it depends on; features and flags, and the compiler. Which sources are changed decides what else is blamed with it.
    /// Nothing is planted yet.
    fn state(&self) -> Result<DefaultHasher, String> {
        let mut rustc = Command::new("rustc");
        rustc.arg("-vV").current_dir(self.copy.path(&self.package));
        let output = rustc.output().map_err(|error| format!("rustc: {error}"))?;
        let mut state = DefaultHasher::new();
        let texts = self.copy.texts(&[
            Path::new("Cargo.lock"),
            &self.package.join("Cargo.toml"),
            &self.package.join("src"),
        ]);
        let texts = texts.map_err(|error| format!("{}: {error}", self.package.display()))?;
        let changed: Vec<&String> = self.sources.keys().collect();
        (texts, changed, &self.features, flags(), output.stdout).hash(&mut state);
        Ok(state)
    }

    fn plant(
        &self,
        mutants: &[Mutant],
        left_out: &BTreeSet<u32>,
    ) -> Result<BTreeMap<String, Planted>, String> {
        let mut all = BTreeMap::new();
        for (file, text) in &self.sources {
            let own: Vec<Mutant> = mutants
                .iter()
                .filter(|it| it.file == *file && !left_out.contains(&it.number))
                .cloned()
                .collect();
            let planted = plant::plant(text, &own);
            self.write(Path::new(file), &planted.text)?;
            all.insert(file.clone(), planted);
        }
        for package in [&*self.package, Path::new(MODELS)] {
            let library = package.join("src/lib.rs");
            let text = match all.get(&*library.to_string_lossy()) {
                Some(planted) => planted.text.clone(),
                None if self.copy.path(&library).is_file() => read(&self.copy.path(&library))?,
                // This workspace has no models.
                None => continue,
            };
            if !text.ends_with(&plant::module()) {
                self.write(&library, &(text + &plant::module()))?;
            }
        }
        Ok(all)
    }

    fn write(&self, path: &Path, text: &str) -> Result<(), String> {
        let written = self.copy.write(path, text.as_bytes());
        written.map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Builds targets of one package, and tells their programs. What it returns are errors in the package.
    fn cargo(
        &self,
        targets: &[&Target],
        programs: &mut BTreeMap<Target, PathBuf>,
    ) -> Result<Vec<Complaint>, String> {
        let of_models = targets == [&Target::Models];
        let package = if of_models {
            Path::new(MODELS)
        } else {
            &self.package
        };
        let manifest = self.copy.path(package).join("Cargo.toml");
        let mut command = Command::new("cargo");
        command.args(["test", "--no-run", "--message-format=json"]);
        // Without a name cargo builds all default members of the workspace.
        command.args(["--package", &name(&manifest)?]);
        for target in targets {
            match target {
                Target::Library | Target::Models => command.arg("--lib"),
                Target::Test(name) => command.args(["--test", name]),
            };
        }
        let (mut flags, mut target) = (flags(), self.target.clone());
        if of_models {
            // What loom checks is built with other flags, so it does not share a folder.
            target.push("loom");
            flags += " --cfg filch_loom";
            let loom = self.loom_source(&target)?;
            command.args(["--release", "--config", &format!("paths=['{loom}']")]);
        } else if let Some(features) = &self.features {
            command.args(["--features", features]);
        }
        command
            .current_dir(self.copy.path(package))
            .env("CARGO_TARGET_DIR", &target)
            .env("RUSTFLAGS", flags)
            .stdin(Stdio::null());
        let output = command
            .output()
            .map_err(|error| format!("cargo: {error}"))?;
        let manifest = manifest.canonicalize().map_err(|error| error.to_string())?;
        let mut complaints = Vec::new();
        let mut of_others = String::new();
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let Ok(message) = serde_json::from_str::<Value>(line) else {
                continue;
            };
            let is_own = message["manifest_path"]
                .as_str()
                .and_then(|path| Path::new(path).canonicalize().ok())
                .is_some_and(|path| path == manifest);
            if !is_own {
                of_others += message["message"]["rendered"].as_str().unwrap_or_default();
                continue;
            }
            if let Some(program) = message["executable"].as_str()
                && message["profile"]["test"] == true
            {
                let target = match message["target"]["name"].as_str() {
                    _ if of_models => Target::Models,
                    Some(name) if message["target"]["kind"][0] == "test" => {
                        Target::Test(name.to_owned())
                    }
                    _ => Target::Library,
                };
                programs.insert(target, PathBuf::from(program));
            }
            if message["message"]["level"] == "error" {
                complaints.push(Complaint::of(&message["message"]));
            }
        }
        if !output.status.success() && complaints.is_empty() {
            let error = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{of_others}{error}"));
        }
        Ok(complaints)
    }

    /// Where the copy of loom is that forgets no schedule.
    fn loom_source(&self, target: &Path) -> Result<String, String> {
        let mut script = Command::new("sh");
        script.arg(self.copy.path(Path::new(MODELS)).join("loom-source"));
        script.env("CARGO_TARGET_DIR", target).stdin(Stdio::null());
        let output = script.output().map_err(|error| format!("sh: {error}"))?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }
}

/// A mutant beside what else decides whether it compiles, so that the next run knows what does not.
fn key(state: &DefaultHasher, mutant: &Mutant) -> String {
    let mut hasher = state.clone();
    (&mutant.file, &mutant.at, &mutant.new).hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// Lints must not refuse a mutant.
fn flags() -> String {
    let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
    format!("{flags} --cap-lints=allow")
}

/// The name of the package that a manifest describes.
fn name(manifest: &Path) -> Result<String, String> {
    let text = read(manifest)?;
    let package = text
        .lines()
        .map(str::trim)
        .skip_while(|line| *line != "[package]")
        .skip(1)
        .take_while(|line| !line.starts_with('['));
    let mut names = package.filter_map(|line| {
        let (key, value) = line.split_once('=')?;
        (key.trim() == "name").then(|| value.split('"').nth(1).map(str::to_owned))?
    });
    let name = names.next();
    name.ok_or_else(|| format!("{}: it names no package", manifest.display()))
}

pub fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// An error of the compiler.
struct Complaint {
    text: String,
    /// The bytes that it points to, by file.
    spans: BTreeMap<String, Vec<Range<usize>>>,
}

impl Complaint {
    fn of(message: &Value) -> Complaint {
        let mut spans = BTreeMap::<String, Vec<_>>::new();
        for span in message["spans"].as_array().into_iter().flatten() {
            let byte = |key: &str| span[key].as_u64().unwrap_or(0) as usize;
            let file = plain(span["file_name"].as_str().unwrap_or_default());
            let range = byte("byte_start")..byte("byte_end");
            spans.entry(file).or_default().push(range);
        }
        let text = message["rendered"].as_str().unwrap_or_default().to_owned();
        Complaint { text, spans }
    }
}

/// A path without steps up: the models name files of the crate from their own folder.
fn plain(path: &str) -> String {
    let mut plain: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            ".." if plain.last().is_some_and(|it| *it != "..") => drop(plain.pop()),
            _ => plain.push(part),
        }
    }
    plain.join("/")
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn steps_up_are_gone() {
        let paths = [
            "verify/src/core/../../../src/core/wake.rs",
            "src/lib.rs",
            "../a.rs",
        ];
        assert_eq!(
            paths.map(plain),
            ["src/core/wake.rs", "src/lib.rs", "../a.rs"]
        );
    }
}

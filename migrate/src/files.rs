//! Finds the files to read.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What lies below a path, each in order of its name.
#[derive(Default)]
pub struct Files {
    pub sources: Vec<PathBuf>,
    pub manifests: Vec<PathBuf>,
    /// Directories that cannot be read, and why.
    pub unread: Vec<(PathBuf, String)>,
}

impl Files {
    /// Files of a directory and of all below it but those that cargo builds into, hidden ones, and links; or the one file that is named.
    ///
    /// # Errors
    ///
    /// If there is nothing of that name, or nothing that can be read.
    pub fn below(path: &Path) -> Result<Files, String> {
        let complaint = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => format!("no such file or directory: `{}`", path.display()),
            _ => format!("{}: {error}", path.display()),
        };
        let mut files = Files::default();
        if fs::metadata(path).map_err(complaint)?.is_dir() {
            files.visit(path).map_err(complaint)?;
        } else if !files.note(path) {
            return Err(format!(
                "{} is no Rust source, no Cargo.toml and no directory",
                path.display()
            ));
        }
        Ok(files)
    }

    fn visit(&mut self, directory: &Path) -> io::Result<()> {
        let mut entries = fs::read_dir(directory)?.collect::<io::Result<Vec<_>>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let path = entry.path();
            if entry.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            let kind = entry.file_type()?;
            if kind.is_file() {
                self.note(&path);
            } else if kind.is_dir()
                // Cargo marks the directories that it builds into.
                && !path.join("CACHEDIR.TAG").exists()
                && let Err(error) = self.visit(&path)
            {
                self.unread.push((path, error.to_string()));
            }
        }
        Ok(())
    }

    /// Whether a file is of a kind that is read.
    fn note(&mut self, path: &Path) -> bool {
        if path.extension().is_some_and(|it| it == "rs") {
            self.sources.push(path.to_owned());
        } else if path.file_name().is_some_and(|it| it == "Cargo.toml") {
            self.manifests.push(path.to_owned());
        } else {
            return false;
        }
        true
    }
}

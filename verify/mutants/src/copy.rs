//! A copy of the workspace, in which sources are changed. It stays from run to run, so that cargo builds only what differs.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub struct Copy {
    root: PathBuf,
}

impl Copy {
    /// Brings the copy at `to` up to date. Files that are as they were keep their time.
    pub fn of(root: &Path, to: &Path) -> io::Result<Copy> {
        let copy = Copy {
            root: to.to_owned(),
        };
        let kept = below(root)?;
        for path in &kept {
            copy.write(path, &fs::read(root.join(path))?)?;
        }
        for path in below(to)?.difference(&kept) {
            fs::remove_file(to.join(path))?;
        }
        Ok(copy)
    }

    pub fn path(&self, path: &Path) -> PathBuf {
        self.root.join(path)
    }

    /// What is in some files, and in all files of some folders, by their paths; those that are not there are left out.
    pub fn texts(&self, of: &[&Path]) -> io::Result<BTreeMap<PathBuf, Vec<u8>>> {
        let mut texts = BTreeMap::new();
        for path in below(&self.root)? {
            if of.iter().any(|it| path.starts_with(it)) {
                let text = fs::read(self.root.join(&path))?;
                texts.insert(path, text);
            }
        }
        Ok(texts)
    }

    pub fn write(&self, path: &Path, text: &[u8]) -> io::Result<()> {
        let path = self.root.join(path);
        if fs::read(&path).is_ok_and(|old| old == text) {
            return Ok(());
        }
        fs::create_dir_all(path.parent().expect("it is in a folder"))?;
        fs::write(path, text)
    }
}

/// All files, but what was built and what git keeps for itself. Links are not followed.
fn below(root: &Path) -> io::Result<BTreeSet<PathBuf>> {
    let mut files = BTreeSet::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        if !folder.is_dir() {
            continue;
        }
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            if kind.is_dir() && entry.file_name() != "target" && entry.file_name() != ".git" {
                folders.push(path);
            } else if kind.is_file() && entry.file_name() != ".git" {
                let path = path.strip_prefix(root).expect("it is below");
                files.insert(path.to_owned());
            }
        }
    }
    Ok(files)
}

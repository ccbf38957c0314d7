//! Text that people wrote, as far as this machine has any.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
};

use crate::inputs;

const BYTES: usize = 10_000_000;

/// Text, and where it is from.
pub struct Text {
    pub source: &'static str,
    pub text: String,
}

/// Ten megabytes of text: of the toolchain's documentation, of the sources of downloaded crates, or else generated.
pub fn text() -> &'static Text {
    static TEXT: LazyLock<Text> = LazyLock::new(|| {
        let places = [
            ("the toolchain's documentation", documentation()),
            ("the sources of downloaded crates", sources()),
        ];
        for (source, place) in places {
            let mut text = String::new();
            if let Some(place) = place {
                gather(&place, &mut text);
            }
            if text.len() >= BYTES {
                return Text { source, text };
            }
        }
        Text {
            source: "generated text",
            text: inputs::text(BYTES),
        }
    });
    &TEXT
}

/// About the first `bytes` bytes of it.
pub fn prefix(bytes: usize) -> &'static str {
    let text = &text().text;
    let end = (bytes.min(text.len())..text.len())
        .find(|&end| text.is_char_boundary(end))
        .unwrap_or(text.len());
    &text[..end]
}

/// Appends files of text, in the order of their names, until there are enough.
fn gather(path: &Path, text: &mut String) {
    let Ok(entries) = fs::read_dir(path) else {
        return;
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if text.len() >= BYTES {
            return;
        }
        if path.is_dir() {
            gather(&path, text);
        } else if path
            .extension()
            .is_some_and(|it| it == "rs" || it == "md" || it == "html")
        {
            text.push_str(&fs::read_to_string(path).unwrap_or_default());
        }
    }
}

fn documentation() -> Option<PathBuf> {
    let output = Command::new("rustc")
        .args(["--print", "sysroot"])
        .output()
        .ok()?;
    let sysroot = String::from_utf8(output.stdout).ok()?;
    Some(Path::new(sysroot.trim_end()).join("share/doc/rust/html"))
}

fn sources() -> Option<PathBuf> {
    let home = env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| env::home_dir().map(|home| home.join(".cargo")))?;
    Some(home.join("registry/src"))
}

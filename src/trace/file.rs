//! Recordings in files, in the format that the name's ending asks for.

use super::recording::Trace;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// How a recording is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Html,
    Json,
    Raw,
    Text,
}

impl Format {
    /// What the ending of a name asks for.
    pub(super) fn of(path: &Path) -> Result<Format, String> {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("html") => Ok(Format::Html),
            Some("json") => Ok(Format::Json),
            Some("filch") => Ok(Format::Raw),
            Some("txt") => Ok(Format::Text),
            _ => Err(format!(
                "{} ends in none of .html, .json, .filch and .txt",
                path.display()
            )),
        }
    }

    /// Writes `trace`, and a report in front where people read it.
    pub(super) fn write(
        self,
        trace: &Trace,
        report: Option<&str>,
        mut w: impl Write,
    ) -> io::Result<()> {
        match self {
            Format::Html => trace.write_page(w, report, None),
            Format::Json => trace.write_chrome(w),
            Format::Raw => trace.write_raw(w),
            Format::Text => {
                report.map_or(Ok(()), |report| writeln!(w, "{report}"))?;
                write!(w, "{}", trace.explain())
            }
        }
    }
}

/// Writes `trace` to a file.
pub(super) fn save(trace: &Trace, path: &Path, report: Option<&str>) -> Result<(), String> {
    let format = Format::of(path)?;
    let written = File::create(path).and_then(|file| format.write(trace, report, file));
    written.map_err(|error| format!("{} cannot be written: {error}", path.display()))
}

/// Whether a file can be written there. What is there already stays.
pub(super) fn check(path: &Path) -> Result<(), String> {
    Format::of(path)?;
    let checked = match File::create_new(path) {
        Ok(_) => std::fs::remove_file(path),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            File::options().append(true).open(path).map(drop)
        }
        Err(error) => Err(error),
    };
    checked.map_err(|error| format!("{} cannot be written: {error}", path.display()))
}

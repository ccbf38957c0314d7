//! What the threads did during a run, as a file (`--trace`).

use std::path::Path;

/// The endings that a file's name may have.
const ENDINGS: [&str; 3] = ["html", "json", "filch"];

/// Whether `path` can be written: its ending says how, and this program must have been built for it.
pub fn check(path: &Path) -> Result<(), String> {
    let ending = path.extension().and_then(|ending| ending.to_str());
    if !ending.is_some_and(|ending| ENDINGS.contains(&ending)) {
        let path = path.display();
        return Err(format!(
            "--trace takes a name that ends in .html, .json or .filch, not {path}"
        ));
    }
    if cfg!(not(feature = "trace")) {
        return Err(
            "--trace needs the feature `trace`: cargo run --release --features trace --example corpus -- --trace ..."
                .into(),
        );
    }
    Ok(())
}

/// What became of the work, and of the file.
pub type Recorded<R> = (R, Result<(), String>);

/// Runs `work` and, if there is a `path`, records it and writes what was seen there. An error comes before the work.
#[cfg(feature = "trace")]
pub fn record<R>(path: Option<&Path>, work: impl FnOnce() -> R) -> Result<Recorded<R>, String> {
    use filch::trace;
    use std::fs::File;
    let Some(path) = path else {
        return Ok((work(), Ok(())));
    };
    let cannot = |error| format!("cannot write {}: {error}", path.display());
    // Before the work, so that nothing is lost where this is not possible.
    let file = File::create(path).map_err(cannot)?;
    let (result, trace) = trace::record(work);
    let written = match path.extension().and_then(|ending| ending.to_str()) {
        Some("html") => trace.write_html(file),
        Some("json") => trace.write_chrome(file),
        _ => trace.write_raw(file),
    };
    Ok((result, written.map_err(cannot)))
}

/// The same, where nothing can be recorded.
#[cfg(not(feature = "trace"))]
pub fn record<R>(_: Option<&Path>, work: impl FnOnce() -> R) -> Result<Recorded<R>, String> {
    Ok((work(), Ok(())))
}

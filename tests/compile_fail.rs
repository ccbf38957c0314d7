//! What must not compile does not, and for the reason that is meant.
//!
//! Each file of `tests/compile_fail` goes through the compiler once. A line that is to be rejected ends with `//~ CODE: MESSAGE`: an error code or
//! the name of a lint, and a part of the message or of its notes. The errors must be those, on those lines, and no others. So the lines without a mark are known
//! to compile.

use serde_json::Value;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// An error, or the mark that asks for it.
#[derive(Debug)]
struct Complaint {
    line: u64,
    code: String,
    message: String,
}

impl Complaint {
    /// Whether this is an error that the mark asks for.
    fn answers(&self, mark: &Complaint) -> bool {
        self.line == mark.line && self.code == mark.code && self.message.contains(&mark.message)
    }
}

/// The marks of a source.
fn marks(source: &str) -> Vec<Complaint> {
    let lines = (1..).zip(source.lines());
    let marked = lines.filter_map(|(line, text)| Some((line, text.split_once("//~ ")?.1)));
    let mark = |(line, text): (u64, &str)| {
        let (code, message) = text.split_once(": ").expect("a code and a message");
        Complaint {
            line,
            code: code.to_owned(),
            message: message.to_owned(),
        }
    };
    marked.map(mark).collect()
}

/// The compiler that built this test, as far as it is known.
fn compiler() -> OsString {
    let beside_cargo = Path::new(env!("CARGO")).with_file_name("rustc");
    env::var_os("RUSTC").unwrap_or_else(|| match beside_cargo.exists() {
        true => beside_cargo.into(),
        false => "rustc".into(),
    })
}

/// The crate as it was built last: it lies beside this test.
fn library(folder: &Path) -> PathBuf {
    let entries = fs::read_dir(folder).expect("the folder of this test");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let libraries = paths.filter(|path| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with("libfilch-") && name.ends_with(".rlib"))
    });
    let age = |path: &PathBuf| path.metadata().and_then(|it| it.modified()).ok();
    libraries.max_by_key(age).expect("a library of filch's")
}

/// The errors that the compiler finds in a file.
fn errors(file: &Path) -> Vec<Complaint> {
    let test = env::current_exe().expect("the path of this test");
    let folder = test.parent().expect("the folder of this test");
    let name = file.file_stem().expect("a name");
    let output = Command::new(compiler())
        .args([
            "--edition=2024",
            "--crate-type=lib",
            "--emit=metadata",
            "--error-format=json",
        ])
        .arg("--out-dir")
        .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join(name))
        .arg("-L")
        .arg(
            [OsString::from("dependency="), folder.into()]
                .into_iter()
                .collect::<OsString>(),
        )
        .arg("--extern")
        .arg(
            [OsString::from("filch="), library(folder).into()]
                .into_iter()
                .collect::<OsString>(),
        )
        .arg(file)
        .output()
        .expect("the compiler");
    let printed = String::from_utf8(output.stderr).expect("text");
    printed
        .lines()
        .filter_map(|line| error(line, &printed))
        .collect()
}

/// An error that the compiler reports in a line of JSON, unless it is a warning or the sum of errors.
fn error(line: &str, printed: &str) -> Option<Complaint> {
    let report: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("{printed}"));
    let message = report["message"].as_str().expect("a message");
    if report["level"] != "error" || message.starts_with("aborting") {
        return None;
    }
    let spans = report["spans"].as_array().expect("spans");
    let place = spans.iter().find(|span| span["is_primary"] == true);
    let notes = report["children"].as_array().expect("notes");
    let said = notes.iter().filter_map(|note| note["message"].as_str());
    let message = [message].into_iter().chain(said).collect::<Vec<_>>();
    Some(Complaint {
        line: place.map_or(0, |span| span["line_start"].as_u64().expect("a line")),
        code: report["code"]["code"]
            .as_str()
            .unwrap_or_default()
            .to_owned(),
        // Names come with their path if there are two of them.
        message: message
            .join("\n")
            .replace("filch::ext::", "")
            .replace("filch::iter::", ""),
    })
}

/// Checks that the compiler rejects what is marked, and nothing else.
fn check(name: &str, at_least: usize) {
    let file = root().join("tests/compile_fail").join(name);
    let marks = marks(&fs::read_to_string(&file).expect("a source"));
    assert!(marks.len() >= at_least, "{name} has {} marks", marks.len());
    let errors = errors(&file);
    let unasked: Vec<_> = errors
        .iter()
        .filter(|error| !marks.iter().any(|mark| error.answers(mark)))
        .collect();
    let compiled: Vec<_> = marks
        .iter()
        .filter(|mark| !errors.iter().any(|error| error.answers(mark)))
        .collect();
    assert!(
        unasked.is_empty() && compiled.is_empty(),
        "{name}: not rejected as marked: {compiled:#?}\nerrors that no mark asks for: {unasked:#?}"
    );
}

#[test]
fn what_is_unsound_is_rejected() {
    check("rejected.rs", 39);
}

#[test]
fn what_is_lazy_has_to_be_used() {
    check("unused.rs", 59);
}

/// The types under `folder` that are marked `#[must_use]`.
fn must_be_used(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            must_be_used(&path, found);
            continue;
        }
        let source = fs::read_to_string(&path).expect("a source");
        for (_, after) in source
            .split("#[must_use")
            .skip(1)
            .map(|part| part.split_once('\n').expect("a line"))
        {
            let item = after
                .lines()
                .map(str::trim)
                .find(|line| !line.starts_with(['#', '/']));
            let name = item.and_then(|item| item.strip_prefix("pub struct "));
            if let Some(name) = name.and_then(|name| name.split(['<', '(', ' ', ';']).next())
                && !name.starts_with('$')
            {
                found.push(name.to_owned());
            }
        }
        // What the macro of that name defines has to be used, too.
        for adaptor in source.split("adaptor! {\n").skip(1) {
            let item = adaptor
                .lines()
                .map(str::trim)
                .find_map(|line| line.strip_prefix("pub struct "));
            if let Some(name) = item.and_then(|name| name.split('<').next()) {
                found.push(name.to_owned());
            }
        }
    }
}

#[test]
fn every_lazy_type_is_in_the_list() {
    let mut types = Vec::new();
    must_be_used(&root().join("src"), &mut types);
    let list = fs::read_to_string(root().join("tests/compile_fail/unused.rs")).expect("the list");
    let missing: Vec<_> = types
        .iter()
        .filter(|name| !list.contains(&format!("{name}`")))
        .collect();
    assert!(missing.is_empty(), "not in unused.rs: {missing:?}");
    assert!(
        types.len() > 40,
        "only {} types found: is this check blind?",
        types.len()
    );
}

#[test]
fn a_mark_asks_for_its_line_its_code_and_its_message() {
    let mark = &marks("fine();\nwrong(); //~ E0277: cannot be sent")[0];
    let error = |line, code: &str, message: &str| Complaint {
        line,
        code: code.to_owned(),
        message: message.to_owned(),
    };
    assert!(
        error(
            2,
            "E0277",
            "`Rc<i32>` cannot be sent between threads safely"
        )
        .answers(mark)
    );
    assert!(
        !error(
            1,
            "E0277",
            "`Rc<i32>` cannot be sent between threads safely"
        )
        .answers(mark)
    );
    assert!(
        !error(
            2,
            "E0308",
            "`Rc<i32>` cannot be sent between threads safely"
        )
        .answers(mark)
    );
    assert!(
        !error(
            2,
            "E0277",
            "`Rc<i32>` cannot be shared between threads safely"
        )
        .answers(mark)
    );
}

#[test]
fn what_is_rejected_comes_with_advice() {
    check("advice.rs", 6);
}

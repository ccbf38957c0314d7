//! Compares the table with what is public in the crate.

use crate::public::{files, public};
use crate::table::{self, LEFT_OUT};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

/// Rows of the table for which no method stands.
const NO_METHODS: [&str; 2] = ["either", "multi_zip"];

/// What is public and not in the table, what is in the table and not public, and what no test has that is said to have one.
pub fn audit() -> io::Result<Vec<String>> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let public = public(&package.join("src"))?;
    let rows: BTreeSet<&str> = table::sources()
        .chain(table::adaptors())
        .chain(table::ends())
        .map(|row| row.name)
        .collect();
    let left_out = LEFT_OUT.iter().flat_map(|group| group.names).copied();
    let left_out: BTreeSet<&str> = left_out.collect();
    // `Owner::*` leaves out all of a trait's or type's methods.
    let is_left_out = |name: &str| {
        let owner = name.split("::").next().unwrap_or_default();
        left_out.contains(name) || left_out.contains(format!("{owner}::*").as_str())
    };
    let mut wrong = Vec::new();
    for name in &public {
        let name = name.as_str();
        if !rows.contains(name) && !is_left_out(name) {
            wrong.push(format!("{name} is public, and has no row in the table"));
        }
        if rows.contains(name) && left_out.contains(name) {
            wrong.push(format!("{name} has a row in the table, and is left out"));
        }
    }
    let owners = public.iter().filter_map(|name| name.split("::").next());
    let owners: BTreeSet<&str> = owners.collect();
    for &name in rows.iter().chain(&left_out) {
        let known = match name.strip_suffix("::*") {
            Some(owner) => owners.contains(owner),
            None => public.contains(name) || NO_METHODS.contains(&name),
        };
        if !known {
            wrong.push(format!("{name} is in the table, and is not public"));
        }
    }
    wrong.append(&mut untested(&package, &public)?);
    Ok(wrong)
}

/// Names that are left out because of tests which do not have them.
fn untested(package: &Path, public: &BTreeSet<String>) -> io::Result<Vec<String>> {
    let mut wrong = Vec::new();
    for group in LEFT_OUT.iter().filter(|group| !group.tests.is_empty()) {
        let mut tested = BTreeSet::new();
        for test in group.tests {
            let test = package.join(test);
            let files = match test.is_dir() {
                true => files(&test)?,
                false => vec![test.with_extension("rs")],
            };
            for file in files {
                tested.extend(words(&fs::read_to_string(file)?));
            }
        }
        let all = |name: &str| match name.strip_suffix('*') {
            Some(owner) => public
                .iter()
                .filter(|name| name.starts_with(owner))
                .cloned()
                .collect(),
            None => vec![name.to_string()],
        };
        for name in group.names.iter().copied().flat_map(all) {
            let last = name.rsplit("::").next().unwrap_or_default();
            // A test of the method is one of the function, as each calls the other.
            if !tested.contains(last) && !tested.contains(&format!("par_{last}")) {
                let tests = group.tests.join(", ");
                wrong.push(format!("{name} is left out, and is in none of {tests}"));
            }
        }
    }
    Ok(wrong)
}

/// All names in a text.
fn words(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.split(|c| !is_part(c)).map(str::to_string).collect()
}

/// Says what is left out, and why.
pub fn left_out() -> String {
    let groups = LEFT_OUT.iter().map(|group| {
        let tests = match group.tests {
            [] => String::new(),
            tests => format!(" (tested in {})", tests.join(", ")),
        };
        format!("{}{tests}: {}\n", group.why, group.names.join(", "))
    });
    groups.collect()
}

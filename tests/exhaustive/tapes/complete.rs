//! No method of parallel iterators is without a case.

use std::fs;
use std::path::{Path, PathBuf};

/// Methods without a case, each with a reason.
const LEFT_OUT: [(&str, &str); 9] = [
    ("drive_into", "each `chain` calls it"),
    ("into_ordered_iter", "a thread of its own drives it"),
    ("len", "makes no item"),
    (
        "nth",
        "the caller makes the one item: the driver has no say",
    ),
    ("opt_len", "makes no item"),
    ("progress_with", "`progress`, with a hook of another crate"),
    ("with_ordered_iter", "a thread of its own drives it"),
    ("with_producer", "each indexed adaptor calls it"),
    ("with_rounds", "`take_while` calls it"),
];

/// All sources in a folder.
fn sources(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = paths.partition(|path| path.is_dir());
    let mut texts: Vec<String> = folders.iter().flat_map(|folder| sources(folder)).collect();
    let read = |path: &PathBuf| fs::read_to_string(path).expect("a source");
    texts.extend(files.iter().map(read));
    texts
}

fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    &text[..end.unwrap_or(text.len())]
}

/// The methods of the traits that are, or extend, `ParallelIterator`.
fn methods(text: &str) -> Vec<&str> {
    let is_ours = |head: &str| {
        let bounds = [": ParallelIterator", ": IndexedParallelIterator"];
        matches!(word(head), "ParallelIterator" | "IndexedParallelIterator")
            || bounds.iter().any(|bound| head.contains(bound))
    };
    let mut inside = false;
    let mut names = Vec::new();
    for line in text.lines() {
        match line.strip_prefix("pub trait ") {
            Some(head) => inside = is_ours(head),
            None => inside &= line != "}",
        }
        // A macro is told names one level deeper.
        let told = line
            .strip_prefix("        fn ")
            .filter(|told| told.ends_with(';'));
        if let Some(name) = line.strip_prefix("    fn ").or(told)
            && inside
        {
            names.push(word(name));
        }
    }
    names
}

/// The chains of the cases in a source: what stands between the names and what they give.
fn chains(text: &str) -> Vec<String> {
    let text = text.replace("|_n|", "|n|");
    let cases = text
        .split("|n|")
        .filter_map(|part| part.rsplit_once("): |v, s| "));
    cases.map(|(_, chain)| chain.to_owned()).collect()
}

fn has_case(chains: &[String], name: &str) -> bool {
    let calls = [format!(".{name}("), format!(".{name}::<")];
    let mut chains = chains.iter();
    chains.any(|chain| calls.iter().any(|call| chain.contains(call)))
}

#[test]
fn each_method_has_a_case_or_a_reason_to_have_none() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let cases = sources(&root.join("tests/exhaustive/tapes"));
    let chains: Vec<String> = cases.iter().flat_map(|text| chains(text)).collect();
    let crates = ["src/iter", "src/algo"].map(|folder| sources(&root.join(folder)));
    let public: Vec<&str> = crates
        .iter()
        .flatten()
        .flat_map(|text| methods(text))
        .collect();
    assert!(
        public.len() > 120,
        "only {} methods were found",
        public.len()
    );
    let left_out = |name: &&str| LEFT_OUT.iter().any(|(left, _)| left == name);
    let missing: Vec<&&str> = public
        .iter()
        .filter(|name| !left_out(name) && !has_case(&chains, name))
        .collect();
    assert!(missing.is_empty(), "no case calls {missing:?}");
    for (name, _) in LEFT_OUT {
        assert!(public.contains(&name), "there is no method {name}");
    }
}

#[test]
fn the_check_knows_chains_from_what_they_give() {
    let text = "    one(5): |v, s| v.first(); |n| n.second();\n    two(5): |v, s| {\n        v.third()\n    }; |_n| vec![];\n";
    let chains = chains(text);
    assert!(has_case(&chains, "first") && has_case(&chains, "third"));
    assert!(!has_case(&chains, "second") && !has_case(&chains, "fir"));
    let text = "pub trait A: ParallelIterator {\n    fn one(self) {\n        fn two() {}\n    }\n    told! {\n        fn three;\n    }\n}\nimpl B {\n    fn four() {}\n}\n";
    assert_eq!(methods(text), ["one", "three"]);
}

//! The guide: every link leads somewhere, and every chapter is in the list of chapters. (Its examples are tests of the documentation.)

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn chapters() -> BTreeSet<PathBuf> {
    let entries = fs::read_dir(root().join("docs/guide/src")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .filter(|path| path.extension().is_some_and(|it| it == "md"))
        .collect()
}

/// Where the links of a text lead: `[..](here)` and `[label]: here`, outside of code.
fn targets(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut in_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if in_code {
            continue;
        }
        if line.starts_with('[')
            && let Some((_, target)) = line.split_once("]: ")
        {
            found.push(target.to_owned());
        }
        let mut rest = line;
        while let Some((_, after)) = rest.split_once("](") {
            let (target, behind) = after.split_once(')').expect("a link that ends");
            found.push(target.to_owned());
            rest = behind;
        }
    }
    found
}

/// The labels that a text defines, and those that it uses as `[text][label]`.
fn labels(text: &str) -> (BTreeSet<&str>, BTreeSet<&str>) {
    let defined = text.lines().filter_map(|line| {
        let (label, _) = line.strip_prefix('[')?.split_once("]: ")?;
        Some(label)
    });
    let used = text.split("][").skip(1);
    let used = used.map(|after| after.split_once(']').expect("a label that ends").0);
    (defined.collect(), used.collect())
}

/// The names of a text's headings, as GitHub and mdBook make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut in_code = false;
    let headings = text.lines().filter(|line| {
        in_code ^= line.trim_start().starts_with("```");
        !in_code && line.starts_with('#')
    });
    let name = |heading: &str| -> String {
        let letters = heading.trim_start_matches('#').trim().chars();
        let kept = letters.filter(|it| it.is_alphanumeric() || " -_".contains(*it));
        kept.flat_map(char::to_lowercase)
            .map(|it| if it == ' ' { '-' } else { it })
            .collect()
    };
    headings.map(name).collect()
}

#[test]
fn links_lead_somewhere() {
    let readable = [
        "README.md",
        "CONTRIBUTING.md",
        "docs/decisions.md",
        "examples/README.md",
    ];
    let readable = readable.map(|it| root().join(it));
    for file in chapters().into_iter().chain(readable) {
        let text = fs::read_to_string(&file).unwrap();
        for target in targets(&text) {
            let (path, heading) = target.split_once('#').unwrap_or((&target, ""));
            if target.contains("://") {
                continue;
            }
            let there = match path {
                "" => file.clone(),
                _ => file.parent().unwrap().join(path),
            };
            assert!(there.exists(), "{}: {target} is not there", file.display());
            if !heading.is_empty() {
                let names = anchors(&fs::read_to_string(there).unwrap());
                let known = names.contains(heading);
                assert!(known, "{}: {target} has no heading", file.display());
            }
        }
    }
}

#[test]
fn labels_are_defined_and_used() {
    for file in chapters() {
        let text = fs::read_to_string(&file).unwrap();
        let (defined, used) = labels(&text);
        let missing: Vec<_> = used.difference(&defined).collect();
        assert!(missing.is_empty(), "{}: {missing:?}", file.display());
        let plain = |label: &&&str| !label.starts_with('`');
        let unused: Vec<_> = defined.difference(&used).filter(plain).collect();
        assert!(unused.is_empty(), "{}: {unused:?}", file.display());
    }
}

#[test]
fn every_chapter_is_listed_and_tested() {
    let summary = fs::read_to_string(root().join("docs/guide/src/SUMMARY.md")).unwrap();
    let listed: BTreeSet<String> = targets(&summary).into_iter().collect();
    let module = fs::read_to_string(root().join("src/guide.rs")).unwrap();
    let plumbing = fs::read_to_string(root().join("src/iter/plumbing/mod.rs")).unwrap();
    for file in chapters() {
        let name = file.file_name().unwrap().to_str().unwrap();
        if name == "SUMMARY.md" {
            continue;
        }
        assert!(listed.contains(name), "{name} is not in SUMMARY.md");
        let quoted = module.contains(&format!("\"{name}\""));
        let tested = quoted || plumbing.contains(&format!("/{name}\""));
        assert!(tested, "the examples of {name} are not run");
    }
}

#[test]
fn every_picture_is_shown() {
    let texts: String = chapters()
        .iter()
        .map(|file| fs::read_to_string(file).unwrap())
        .collect();
    for entry in fs::read_dir(root().join("docs/guide/src/img")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(
            texts.contains(&format!("img/{name}")),
            "{name} is not shown"
        );
    }
}

/// Pictures of measurements are copies, which `cargo run --release -p report` writes. (The originals are not in the package.)
#[test]
fn pictures_of_measurements_are_the_last_ones() {
    let originals = root().join("docs/benchmarks");
    if !originals.exists() {
        return;
    }
    let mut copies = 0;
    for entry in fs::read_dir(root().join("docs/guide/src/img")).unwrap() {
        let copy = entry.unwrap().path();
        let original = originals.join(copy.file_name().unwrap());
        if original.exists() {
            let same = fs::read(&copy).unwrap() == fs::read(&original).unwrap();
            assert!(same, "{} is not that of docs/benchmarks", copy.display());
            copies += 1;
        }
    }
    assert_eq!(copies, 4);
}

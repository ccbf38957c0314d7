//! Files as the input of a map-reduce.

use std::path::PathBuf;
use std::time::Duration;

use filch_queue::map_reduce::{FilePart, Files};

use super::support::{Random, Scratch, cases};

#[test]
fn parts_of_a_file_have_each_line_once() {
    let directory = Scratch::new();
    let mut random = Random::new();
    for _ in 0..20 * cases() {
        let lines: Vec<String> = (0..random.below(40))
            .map(|i| format!("{i}{}\n", "x".repeat(random.below(9) as usize)))
            .collect();
        let mut text = lines.concat();
        if random.below(2) == 0 {
            text.push_str("no end");
        }
        let paths: Vec<_> = ["a", "empty", "b"]
            .map(|name| directory.path().join(name))
            .into();
        std::fs::write(&paths[0], &text).unwrap();
        std::fs::write(&paths[1], "").unwrap();
        std::fs::write(&paths[2], &text).unwrap();
        let splits: Vec<Vec<FilePart>> = Files::splits(&paths, 1 + random.below(30)).unwrap();
        let read: Vec<u8> = splits
            .iter()
            .flatten()
            .flat_map(|part| part.read_lines().unwrap())
            .collect();
        assert_eq!(String::from_utf8(read).unwrap(), format!("{text}{text}"));
    }
    assert!(Files::splits([directory.path()], 5).is_err());
    assert!(Files::splits([directory.path().join("none")], 5).is_err());
}

#[test]
fn names_of_many_small_files_fit_into_jobs() {
    let directory = Scratch::new();
    let deep = directory.path().join("x".repeat(200));
    std::fs::create_dir(&deep).unwrap();
    let paths: Vec<PathBuf> = (0..1500).map(|n| deep.join(n.to_string())).collect();
    for path in &paths {
        std::fs::write(path, "a").unwrap();
    }
    let splits = Files::splits(&paths, 8 << 20).unwrap();
    let encoded = |split| postcard::to_stdvec(split).unwrap().len();
    assert!(
        splits
            .iter()
            .map(encoded)
            .all(|len| len <= filch_queue::MAX_BODY / 2)
    );
    let named = splits.concat().into_iter().map(|part| part.path);
    assert_eq!(named.collect::<Vec<_>>(), paths);
}

#[test]
fn a_file_that_changed_is_not_read() {
    let directory = Scratch::new();
    let path = directory.path().join("words");
    std::fs::write(&path, "one\ntwo\n").unwrap();
    let parts = Files::splits([&path], 4).unwrap();
    assert_eq!(parts[1][0].read_lines().unwrap(), b"two\n");
    let later = std::time::SystemTime::now() + Duration::from_secs(5);
    std::fs::write(&path, "uno\ndos\n").unwrap();
    let file = std::fs::File::options().write(true).open(&path).unwrap();
    file.set_modified(later).unwrap();
    let refused = parts[1][0].read_lines().unwrap_err();
    assert!(refused.to_string().contains("new name"), "{refused}");
}

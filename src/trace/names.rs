//! What call sites are called: the names of their types, without what every such name has.

/// A site's name, from the names of its piece and its consumer.
pub(super) fn site_name([piece, consumer]: [&str; 2]) -> String {
    format!("{} → {}", short(piece), short(consumer))
}

/// Leaves the last part of each path; of paths that are the user's own, the crate, too, and of a closure the function that it is in.
pub(super) fn short(name: &str) -> String {
    let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '{' | '}' | '#');
    let mut result = String::new();
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let end = match is_path(first) {
            true => rest.find(|c| !is_path(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (part, after) = rest.split_at(end);
        result += &if is_path(first) {
            last_part(part)
        } else {
            part.to_owned()
        };
        rest = after;
    }
    result
}

fn last_part(path: &str) -> String {
    let (path, closure) = match path.find("::{{closure}}") {
        Some(end) => (&path[..end], "{}"),
        None => (path, ""),
    };
    let parts: Vec<_> = path.split("::").collect();
    let own = ["core", "alloc", "std", "filch"].contains(&parts[0]);
    let name = match parts.as_slice() {
        [first, .., last] if !own && closure.is_empty() => format!("{first}::{last}"),
        [.., last] => (*last).to_owned(),
        [] => String::new(),
    };
    name + closure
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn paths_are_short_and_types_stay_whole() {
        for (name, wanted) in [
            (
                "filch::iter::adapters::map::Map<core::ops::range::Range<u64>, app::load::{{closure}}>",
                "Map<Range<u64>, load{}>",
            ),
            ("alloc::vec::Vec<(u32, &str)>", "Vec<(u32, &str)>"),
            ("app::words::count::Words", "app::Words"),
            ("[f64; 3]", "[f64; 3]"),
            ("", ""),
        ] {
            assert_eq!(short(name), wanted);
        }
    }
}

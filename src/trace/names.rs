//! What call sites are called: the names of their types, told as what is done to the items.
//!
//! ```text
//!   Indexed<IterProducer<'_, Word>>                              &[Word]
//!   OpConsumer<'_, OpConsumer<'_, Grow, MapOp<f>>, FilterOp<g>>  filter(g) → map(f) → collect
//! ```

/// The longest name, in characters: what types say in more is no help.
const LONGEST: usize = 140;
/// The longest name of one step.
const STEP: usize = 60;

/// A site's name, from the names of its piece and its consumer.
pub(super) fn site_name([piece, consumer]: [&str; 2]) -> String {
    let mut name = source(&short(piece));
    for step in steps(&short(consumer)) {
        name += " → ";
        name += &cut(&step, STEP);
    }
    cut(&name, LONGEST)
}

/// The first characters of a text.
fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Where items come from.
fn source(name: &str) -> String {
    let (head, args) = parts(name);
    let told = match (head, args.as_slice()) {
        ("Indexed" | "Unindexed" | "Counted", [inner]) => source(inner),
        ("IterProducer", [item]) => format!("&[{item}]"),
        ("IterMutProducer", [item]) => format!("&mut [{item}]"),
        ("Owned", [item]) => format!("Vec<{item}>"),
        ("StdRange", [number]) => format!("range of {number}"),
        ("Bounded", [inner]) => source(inner) + " of bounded length",
        ("OpProducer", [inner, op]) => format!("{} → {}", source(inner), step(op)),
        (_, [_, ..]) if head.ends_with("Producer") => {
            let name = snake(head.trim_end_matches("Producer"));
            format!("{name}({})", args.join(", "))
        }
        _ => name.to_owned(),
    };
    cut(&told, STEP)
}

/// What is done to them, one after the other, and the end.
fn steps(name: &str) -> Vec<String> {
    let (head, args) = parts(name);
    let after = |first: String, rest: &str| {
        let mut all = vec![first];
        all.extend(steps(rest));
        all
    };
    match (head, args.as_slice()) {
        // `flat_map` is a `map` in front of what flattens.
        ("OpConsumer", [rest, op]) if rest.starts_with("FlattenConsumer<") => {
            after(format!("flat_{}", step(op)), rest)
        }
        ("OpConsumer", [rest, op]) => after(step(op), rest),
        ("PlainConsumer", [end, ..]) => steps(end),
        ("FlattenConsumer", [rest]) => steps(rest),
        ("FoldConsumer", [rest, .., op]) => after(step(op), rest),
        ("TotalConsumer", ["Adds", ..]) => vec!["sum".into()],
        ("TotalConsumer", ["Multiplies", ..]) => vec!["product".into()],
        ("Grow" | "Slots", _) => vec!["collect".into()],
        (_, [rest, .., f]) if head.ends_with("Consumer") => {
            let name = snake(head.trim_end_matches("Consumer"));
            after(format!("{name}({f})"), rest)
        }
        _ => vec![step(name)],
    }
}

/// A step, by the name of its type: `MapOp<f>` is `map(f)`.
fn step(name: &str) -> String {
    let (head, args) = parts(name.trim_start_matches('&'));
    let name = snake(head.trim_end_matches("Op"));
    match args.as_slice() {
        [] => name,
        [args @ .., last] if head == "Reduce" && !args.is_empty() => format!("{name}({last})"),
        args => format!("{name}({})", args.join(", ")),
    }
}

/// `FlatMapIter` is `flat_map_iter`; other names stay.
fn snake(name: &str) -> String {
    if !name.chars().all(|c| c.is_ascii_alphanumeric()) {
        return name.to_owned();
    }
    let mut snake = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}

/// The name of a type, and the types in its angle brackets, without lifetimes.
fn parts(name: &str) -> (&str, Vec<&str>) {
    let plain = name.starts_with(|c: char| c.is_alphabetic());
    let (Some(open), true, Some(inside)) = (name.find('<'), plain, name.strip_suffix('>')) else {
        return (name, Vec::new());
    };
    let (mut depth, mut from, mut args) = (0, open + 1, Vec::new());
    let mut last = ' ';
    for (at, c) in inside.char_indices().skip_while(|&(at, _)| at <= open) {
        match c {
            '<' | '(' | '[' => depth += 1,
            // Not that of an arrow.
            '>' if last == '-' => {}
            '>' | ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                args.push(inside[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
        last = c;
        if depth < 0 {
            // These brackets do not belong to each other.
            return (name, Vec::new());
        }
    }
    if depth > 0 {
        return (name, Vec::new());
    }
    args.push(inside[from..].trim());
    args.retain(|arg| !arg.starts_with('\''));
    (&name[..open], args)
}

/// Leaves the last part of each path; of paths that are the user's own, the last two.
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
    // Lifetimes say nothing here.
    result
        .replace("<'_>", "")
        .replace("'_, ", "")
        .replace("&'_ ", "&")
}

fn last_part(path: &str) -> String {
    let (path, closure) = match path.find("::{{closure}}") {
        Some(end) => (&path[..end], "{}"),
        None => (path, ""),
    };
    let parts: Vec<_> = path.split("::").collect();
    let own = ["core", "alloc", "std", "filch"].contains(&parts[0]);
    let name = match parts.as_slice() {
        [.., module, last] if !own => format!("{module}::{last}"),
        [.., last] => (*last).to_owned(),
        [] => String::new(),
    };
    name + closure
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_short_and_types_stay_whole() {
        for (name, wanted) in [
            (
                "filch::iter::adapters::map::Map<core::ops::range::Range<u64>, app::load::{{closure}}>",
                "Map<Range<u64>, app::load{}>",
            ),
            ("alloc::vec::Vec<(u32, &str)>", "Vec<(u32, &str)>"),
            ("app::words::count::Words<'_>", "count::Words"),
            ("[f64; 3]", "[f64; 3]"),
            ("", ""),
        ] {
            assert_eq!(short(name), wanted);
        }
    }

    #[test]
    fn sites_are_told_as_what_is_done() {
        for (names, wanted) in [
            (
                [
                    "filch::Indexed<filch::StdRange<u32>>",
                    "filch::OpConsumer<'_, filch::TotalConsumer<'_, filch::Adds, u64>, &'_ filch::MapOp<app::main::{{closure}}>>",
                ],
                "range of u32 → map(app::main{}) → sum",
            ),
            (
                [
                    "filch::Indexed<filch::IterProducer<'_, (u8, app::Word<'_>)>>",
                    "filch::FoldConsumer<filch::OpConsumer<'_, filch::Grow, filch::FilterMapOp<app::deal>>, app::new, filch::FoldOp<'_, fn(u8) -> u8>>",
                ],
                "&[(u8, app::Word)] → fold(fn(u8) -> u8) → filter_map(app::deal) → collect",
            ),
            (
                [
                    "filch::Unindexed<filch::Prefix<'_, app::Node>>",
                    "filch::OpConsumer<filch::FlattenConsumer<filch::PlainConsumer<'_, filch::ForEach<app::f>, u8>>, &'_ filch::MapOp<app::g>>",
                ],
                "Prefix<app::Node> → flat_map(app::g) → for_each(app::f)",
            ),
            (
                [
                    "filch::Indexed<filch::OpProducer<filch::StdRange<u32>, filch::EnumerateOp>>",
                    "filch::Grow",
                ],
                "range of u32 → enumerate → collect",
            ),
            (
                [
                    "filch::Unindexed<filch::SplitProducer<'_, u8, app::halve>>",
                    "filch::PlainConsumer<'_, filch::ForEach<app::f>, u8>",
                ],
                "split(u8, app::halve) → for_each(app::f)",
            ),
            (["?", "?"], "? → ?"),
            (["", "<"], " → <"),
            (["A<B>C>", "A<(>"], "A<B>C> → A<(>"),
        ] {
            assert_eq!(site_name(names), wanted);
        }
        let long = site_name([&"x".repeat(1000), &"y".repeat(1000)]);
        assert!(
            long.chars().count() <= LONGEST + 1 && long.contains('…'),
            "{long}"
        );
    }
}

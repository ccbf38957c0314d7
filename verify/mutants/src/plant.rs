//! Writes a source anew, with all its mutants in it. Each is `if on(number) { changed } else { as it was }`, and what was on one line stays on it.

use std::cmp::Reverse;
use std::ops::Range;

use crate::mutant::{Mutant, Place};

/// A module of this name is added to the crate.
pub const MODULE: &str = "planted_mutant";

/// The environment variable with the number of the mutant that is on.
pub const SWITCH: &str = "FILCH_MUTANT";

/// The source of the module. It looks at the environment once.
pub fn module() -> String {
    format!(
        "
mod {MODULE} {{
    use std::sync::atomic::{{AtomicU32, Ordering}};

    static ON: AtomicU32 = AtomicU32::new(u32::MAX);

    #[inline]
    pub(crate) fn on(number: u32) -> bool {{
        match ON.load(Ordering::Relaxed) {{
            u32::MAX => look() == number,
            on => on == number,
        }}
    }}

    #[cold]
    fn look() -> u32 {{
        let on = std::env::var(\"{SWITCH}\").ok().and_then(|on| on.parse().ok());
        let on = on.unwrap_or(0);
        ON.store(on, Ordering::Relaxed);
        on
    }}
}}
"
    )
}

/// A source with its mutants.
#[derive(Debug)]
pub struct Planted {
    pub text: String,
    /// Where each mutant is in it.
    pub places: Vec<PlantedAt>,
}

#[derive(Debug)]
pub struct PlantedAt {
    pub number: u32,
    /// The choice with both of its sides.
    pub whole: Range<usize>,
    /// The choice up to the side that is as it was.
    pub changed: Range<usize>,
    /// The function that it is in.
    pub inside: Range<usize>,
}

/// `mutants` are those of this source.
pub fn plant(text: &str, mutants: &[Mutant]) -> Planted {
    // What is put in at one place: first the ends, the inner ones first; then the starts, the outer ones first. Of two mutants of one expression,
    // the later one is inside.
    let mut put = Vec::new();
    for (nth, mutant) in mutants.iter().enumerate() {
        let (Range { start, end }, nth_back) = (mutant.at.clone(), Reverse(nth));
        put.push((start, true, Reverse(end), Some(nth), nth_back, mutant));
        put.push((end, false, Reverse(start), None, nth_back, mutant));
    }
    put.sort_by_key(|&(at, is_start, other, nth, nth_back, _)| {
        (at, is_start, other, nth, nth_back)
    });

    let mut out = String::new();
    let mut places: Vec<PlantedAt> = Vec::new();
    // For each byte at which something is put in, how far what follows has moved.
    let mut moved = vec![(0, 0)];
    let mut from = 0;
    for (at, is_start, .., mutant) in put {
        out.push_str(&text[from..at]);
        from = at;
        let (number, new) = (mutant.number, &mutant.new);
        if is_start {
            let start = out.len();
            out.push_str(&match mutant.place {
                Place::Value => format!("(if crate::{MODULE}::on({number}) {{ {new} }} else {{ "),
                Place::Statement => format!("if crate::{MODULE}::on({number}) {{}} else {{ "),
            });
            places.push(PlantedAt {
                number,
                whole: start..start,
                changed: start..out.len(),
                inside: mutant.inside.clone(),
            });
        } else {
            out.push_str(match mutant.place {
                Place::Value => " })",
                Place::Statement => " }",
            });
            let place = places.iter_mut().find(|place| place.number == number);
            place.expect("it starts before it ends").whole.end = out.len();
        }
        moved.push((at, out.len() - at));
    }
    out.push_str(&text[from..]);
    for place in &mut places {
        let new = |at: usize| {
            let last = moved.iter().rev().find(|(from, _)| *from <= at);
            at + last.map_or(0, |&(_, by)| by)
        };
        place.inside = new(place.inside.start)..new(place.inside.end);
    }
    Planted { text: out, places }
}

impl Planted {
    /// The mutants to blame for an error of the compiler that points to these bytes: those whose changed side it points into; else the innermost one
    /// around it; else all of the function.
    pub fn blamed(&self, spans: &[Range<usize>]) -> Vec<u32> {
        let meets = |a: &Range<usize>, b: &Range<usize>| {
            a.start < b.end.max(b.start + 1) && b.start < a.end
        };
        let numbers = |blame: &dyn Fn(&PlantedAt, &Range<usize>) -> bool| -> Vec<u32> {
            let of = |place: &&PlantedAt| spans.iter().any(|span| blame(place, span));
            self.places
                .iter()
                .filter(of)
                .map(|place| place.number)
                .collect()
        };
        // A span around several whole choices says nothing of one of them.
        let changed = numbers(&|place, span| {
            meets(&place.changed, span)
                && !(span.start < place.whole.start && place.whole.end < span.end)
        });
        if !changed.is_empty() {
            return changed;
        }
        let around = self.places.iter().filter(|place| {
            spans
                .iter()
                .any(|span| place.whole.start <= span.start && span.end <= place.whole.end)
        });
        if let Some(innermost) = around.min_by_key(|place| place.whole.len()) {
            return vec![innermost.number];
        }
        let within =
            numbers(&|place, span| span.start <= place.whole.start && place.whole.end <= span.end);
        if !within.is_empty() {
            return within;
        }
        numbers(&|place, span| meets(&place.inside, span))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find::mutants;

    fn planted(text: &str) -> Planted {
        plant(text, &mutants("a.rs", text, 1).unwrap())
    }

    #[test]
    fn every_change_is_a_choice() {
        let text = "fn f(a: u8) -> u8 {\n    g();\n    a + a * 2 // a sum\n}\n";
        let expected = "fn f(a: u8) -> u8 {\n    if crate::planted_mutant::on(1) {} else { g(); }\n    \
            (if crate::planted_mutant::on(2) { a - a * 2 } else { a + \
            (if crate::planted_mutant::on(3) { a + 2 } else { a * \
            (if crate::planted_mutant::on(4) { 1 } else { 2 }) }) }) // a sum\n}\n";
        assert_eq!(planted(text).text, expected);
    }

    #[test]
    fn without_mutants_it_is_as_it_was() {
        let text = "fn f() {}\n";
        assert_eq!(plant(text, &[]).text, text);
    }

    #[test]
    fn what_it_writes_is_rust() {
        let text = "fn f(a: &[u8]) { if a[0] == 1 && !h(a) { g(a) } else if a.len() > 2 { unsafe { k(); l() } } }";
        syn::parse_file(&planted(text).text).unwrap();
        syn::parse_file(&module()).unwrap();
    }

    #[test]
    fn an_error_is_blamed_on_the_change_it_points_to() {
        let planted = planted("fn f(a: u8) -> u8 { a + a * 2 }\nfn g() { h(); }\n");
        let blamed = |text: &str| {
            let start = planted.text.find(text).unwrap();
            let span = start..start + text.len();
            planted.blamed(std::slice::from_ref(&span))
        };
        assert_eq!(blamed("a - a * 2"), [1]);
        assert_eq!(blamed("a + 2"), [2]);
        // Inside of two, on neither's changed side.
        assert_eq!(blamed("h();"), [4]);
        // In a function, but in no mutant of it.
        assert_eq!(blamed("-> u8"), [1, 2, 3]);
    }
}

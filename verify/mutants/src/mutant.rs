//! One change of a source.

use std::ops::Range;

/// One change of a source. `old` and `new` are texts.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// From 1 on, over all files; 0 stands for no mutant.
    pub number: u32,
    /// Relative to the root of the workspace.
    pub file: String,
    pub line: usize,
    /// The function that it is in.
    pub function: String,
    /// The bytes of that function.
    pub inside: Range<usize>,
    /// The bytes that are changed.
    pub at: Range<usize>,
    pub place: Place,
    pub old: String,
    pub new: String,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Place {
    /// An expression becomes another one of the same type.
    Value,
    /// A statement goes.
    Statement,
}

impl Mutant {
    /// What is changed, on one line. A line of a list of known mutants has it, so it is the same wherever the code moves.
    pub fn change(&self) -> String {
        let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let cut = |text: String| match text.char_indices().nth(70) {
            Some((end, _)) => format!("{}...", &text[..end]),
            None => text,
        };
        let (old, new) = (line(&self.old), line(&self.new));
        match self.place {
            Place::Statement => format!("without {}", cut(old)),
            Place::Value if old.len() > 70 && new.len() > 70 => {
                let same = old
                    .char_indices()
                    .zip(new.chars())
                    .take_while(|((_, a), b)| a == b)
                    .last()
                    .map_or(0, |((at, _), _)| at);
                // A few words before what differs.
                let from = old[..same]
                    .char_indices()
                    .rev()
                    .nth(30)
                    .map_or(0, |it| it.0);
                format!(
                    "...{} -> ...{}",
                    cut(old[from..].to_owned()),
                    cut(new[from..].to_owned())
                )
            }
            Place::Value => format!("{} -> {}", cut(old), cut(new)),
        }
    }
}

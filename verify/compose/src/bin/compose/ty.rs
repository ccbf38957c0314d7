//! Types of items, as far as the table asks for them.

use crate::row::{Gives, Takes};

/// What can be done with items of a type.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    Number,
    Token,
    /// A reference to a `u64`, or to a `Token`.
    Ref(&'static str),
    Pair,
    /// Can be flattened into items of another type.
    List(Box<Ty>),
    Other,
}

/// A type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ty {
    pub text: String,
    kind: Kind,
    /// How many types are inside each other.
    pub depth: usize,
}

impl Ty {
    fn new(text: &str, kind: Kind) -> Ty {
        Ty {
            text: text.to_string(),
            kind,
            depth: 0,
        }
    }

    pub fn number() -> Ty {
        Ty::new("u64", Kind::Number)
    }

    fn token() -> Ty {
        Ty::new("Token", Kind::Token)
    }

    fn reference(to: &'static str) -> Ty {
        Ty::new(&format!("&{to}"), Kind::Ref(to))
    }

    /// Whether a row can have items of this type.
    pub fn suits(&self, takes: Takes) -> bool {
        match takes {
            Takes::Any => true,
            Takes::Number => self.kind == Kind::Number,
            Takes::Plain => matches!(self.kind, Kind::Number | Kind::Token),
            Takes::Ref => self.kind == Kind::Ref("u64"),
            Takes::Lent => matches!(self.kind, Kind::Ref(_)),
            Takes::List => matches!(self.kind, Kind::List(_)),
            Takes::Pair => self.kind == Kind::Pair,
        }
    }

    /// An item of this type, if it is a plain one.
    pub fn example(&self, salt: usize) -> String {
        match self.kind {
            Kind::Token => format!("token({salt})"),
            _ => format!("{salt}u64"),
        }
    }

    /// What a row makes of items of this type, with those of a nested chain.
    pub fn after(&self, gives: Gives, nested: &[Ty]) -> Ty {
        let around = |text: String, kind: Kind, depth: usize| Ty {
            text,
            kind,
            depth: depth + 1,
        };
        match gives {
            Gives::Same => self.clone(),
            Gives::Number => Ty::number(),
            Gives::Token => Ty::token(),
            Gives::Ref => Ty::reference("u64"),
            Gives::Lent => Ty::reference("Token"),
            Gives::Owned => match self.kind {
                Kind::Ref("Token") => Ty::token(),
                _ => Ty::number(),
            },
            Gives::Other(text) => Ty::new(text, Kind::Other),
            Gives::Slices(text) => Ty::new(text, Kind::List(Box::new(Ty::reference("u64")))),
            Gives::Pair => Ty::new("(u64, Token)", Kind::Pair),
            Gives::Numbered => around(format!("(usize, {})", self.text), Kind::Pair, self.depth),
            Gives::Zipped => {
                // A source that zips two chains has no items of its own.
                let (left, right) = match nested {
                    [left, right] => (left, right),
                    [right] => (self, right),
                    _ => unreachable!("the table zips one nested chain or two"),
                };
                let text = format!("({}, {})", left.text, right.text);
                around(text, Kind::Pair, left.depth.max(right.depth))
            }
            Gives::List => {
                let kind = Kind::List(Box::new(self.clone()));
                around(format!("Vec<{}>", self.text), kind, self.depth)
            }
            Gives::Array => {
                let kind = Kind::List(Box::new(self.clone()));
                around(format!("[{}; 3]", self.text), kind, self.depth)
            }
            Gives::Flat => match &self.kind {
                Kind::List(item) => (**item).clone(),
                _ => unreachable!("only lists are flattened"),
            },
            Gives::Nested => nested[0].clone(),
        }
    }
}

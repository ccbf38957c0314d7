//! A chain as a tree of rows, and both its forms as Rust.

use crate::row::{Counts, Gives, Index, Nested, Row, Takes};
use crate::ty::Ty;
use std::iter;

/// What stands for the letters in templates.
#[derive(Debug, Clone, Copy)]
pub struct Letters {
    /// A salt, and what makes variables different from each other.
    pub s: usize,
    pub k: usize,
    pub b: usize,
    pub m: usize,
    pub n: &'static str,
}

/// A row with its letters and nested chains.
#[derive(Debug, Clone)]
pub struct Node {
    pub row: &'static Row,
    pub letters: Letters,
    pub nested: Vec<Tree>,
}

/// A source with adaptors.
#[derive(Debug, Clone)]
pub struct Tree {
    pub source: Node,
    pub steps: Vec<Node>,
}

/// A tree with an end.
#[derive(Debug, Clone)]
pub struct Whole {
    pub tree: Tree,
    pub end: Node,
}

impl Tree {
    /// The source, and then the adaptors.
    pub fn nodes(&self) -> impl Iterator<Item = &Node> {
        iter::once(&self.source).chain(&self.steps)
    }
}

impl Whole {
    /// The trees inside others, however deep.
    pub fn nested(&self) -> Vec<&Tree> {
        let inside = |tree| Tree::nodes(tree).flat_map(|node| &node.nested);
        let mut found: Vec<&Tree> = inside(&self.tree).chain(&self.end.nested).collect();
        let mut next = 0;
        while let Some(&tree) = found.get(next) {
            found.extend(inside(tree));
            next += 1;
        }
        found
    }

    /// All rows.
    pub fn rows(&self) -> Vec<&'static Row> {
        let trees = iter::once(&self.tree).chain(self.nested());
        let nodes = trees.flat_map(Tree::nodes).chain([&self.end]);
        nodes.map(|node| node.row).collect()
    }
}

/// How many of the items there are, as an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Size {
    All,
    AtMost(usize),
    Without(usize),
    Some,
}

/// A chain so far: both forms, and what is known of its items.
#[derive(Debug, Clone)]
pub struct Part {
    by_filch: String,
    by_std: String,
    /// Variables that both forms borrow from.
    variables: String,
    pub ty: Ty,
    indexed: bool,
    ordered: bool,
    size: Size,
    owned: bool,
    eager: bool,
    /// How many items come of one of the source.
    pub growth: usize,
}

/// A chain in both forms, with what it promises.
#[derive(Debug, Clone)]
pub struct Written {
    pub variables: String,
    pub by_filch: String,
    pub by_std: String,
    pub promise: String,
    pub growth: usize,
    pub eager: bool,
}

/// Why a tree is no chain. Trees are drawn without much thought, and thrown away if they are none.
pub type Misfit = &'static str;

impl Part {
    /// Makes numbers of the items.
    fn numbers(mut self) -> Part {
        if !self.ty.suits(Takes::Number) {
            self.by_filch.push_str(".map(number)");
            self.by_std.push_str(".map(number)");
            self.ty = Ty::number();
        }
        self
    }

    /// Makes items that a row can have.
    fn fitted(self, row: &Row, salt: usize) -> Result<Part, Misfit> {
        if self.ty.suits(row.takes) {
            return Ok(self);
        }
        let (map, gives) = match row.takes {
            Takes::Number | Takes::Plain => return Ok(self.numbers()),
            Takes::List => (format!(".map(|x| list(x, {salt}))"), Gives::List),
            Takes::Pair => (format!(".map(|x| pair(x, {salt}))"), Gives::Pair),
            Takes::Ref | Takes::Lent => return Err("no references"),
            Takes::Any => unreachable!("that always suits"),
        };
        let from = match gives {
            Gives::List => self.ty.after(Gives::Token, &[]),
            _ => self.ty.clone(),
        };
        Ok(Part {
            by_filch: self.by_filch.clone() + &map,
            by_std: self.by_std.clone() + &map,
            ty: from.after(gives, &[]),
            ..self
        })
    }
}

/// A template with its letters filled in.
fn filled(template: &str, letters: Letters, one: &str, nested: &[&str], before: &str) -> String {
    let mut text = template
        .replace("{s}", &letters.s.to_string())
        .replace("{k}", &letters.k.to_string())
        .replace("{b}", &letters.b.to_string())
        .replace("{m}", &letters.m.to_string())
        .replace("{n}", letters.n)
        .replace("{v}", &format!("v{}", letters.s))
        .replace("{one}", one);
    for (name, nested) in ["{a}", "{a2}"].iter().zip(nested) {
        text = text.replace(name, nested);
    }
    text.replace("{p}", before)
}

/// The nested chains of a node, of the same items as what is before them if they have to be.
fn nested(node: &Node, before: &mut Option<Part>, inner: bool) -> Result<Vec<Part>, Misfit> {
    let wanted = node.row.nested;
    let inner = inner || wanted == Nested::Inner;
    let mut parts = Vec::new();
    for tree in &node.nested {
        parts.push(write_tree(tree, inner)?);
    }
    let indexed = matches!(
        wanted,
        Nested::SameIndexed | Nested::Indexed | Nested::TwoIndexed
    );
    if indexed && parts.iter().any(|part| !part.indexed) {
        return Err("a nested chain is not indexed");
    }
    if matches!(wanted, Nested::Same | Nested::SameIndexed | Nested::Two) {
        let mut all: Vec<&mut Part> = before.iter_mut().chain(&mut parts).collect();
        if all[1..].iter().any(|part| part.ty != all[0].ty) {
            for part in &mut all {
                **part = part.clone().numbers();
            }
        }
    }
    Ok(parts)
}

/// What a row makes of the part before it and of nested chains.
fn applied(node: &Node, before: Option<Part>, inner: bool) -> Result<Part, Misfit> {
    let row = node.row;
    if inner && !row.variable.is_empty() {
        return Err("a variable inside of a closure");
    }
    let mut before = match before {
        Some(part) => Some(part.fitted(row, node.letters.s)?),
        None => None,
    };
    let nested = nested(node, &mut before, inner)?;
    let source = before.is_none();
    let base = before.unwrap_or_else(|| Part {
        by_filch: String::new(),
        by_std: String::new(),
        variables: String::new(),
        ty: Ty::number(),
        indexed: true,
        ordered: true,
        size: Size::All,
        owned: true,
        eager: true,
        growth: if nested.is_empty() { 1 } else { 0 },
    });
    if matches!(row.index, Index::Needs | Index::Ends) && !base.indexed {
        return Err("not indexed");
    }
    if row.by_order && !(base.ordered && base.size == Size::All) {
        return Err("no order");
    }
    let example = base.ty.example(node.letters.s);
    let fill = |template, form: fn(&Part) -> &str| {
        let texts: Vec<&str> = nested.iter().map(form).collect();
        form(&base).to_string() + &filled(template, node.letters, &example, &texts, "")
    };
    let types: Vec<Ty> = nested.iter().map(|part| part.ty.clone()).collect();
    let inner_growth: usize = nested.iter().map(|part| part.growth).sum();
    let all = nested.iter().all(|part| part.size == Size::All);
    // A nested iterator that is chosen, not one of several, keeps positions; one for each item does not.
    let positions = nested.iter().all(|part| part.indexed) || row.nested == Nested::Inner;
    let part = Part {
        by_filch: fill(row.by_filch, |part| &part.by_filch),
        by_std: fill(row.by_std, |part| &part.by_std),
        variables: nested
            .iter()
            .fold(base.variables.clone(), |sum, part| sum + &part.variables)
            + &filled(row.variable, node.letters, "", &[], ""),
        ty: base.ty.after(row.gives, &types),
        indexed: base.indexed && positions && !matches!(row.index, Index::Ends | Index::Loses),
        ordered: base.ordered && !row.unordered && nested.iter().all(|part| part.ordered),
        size: match row.counts {
            _ if !all => Size::Some,
            Counts::Keeps => base.size,
            Counts::AtMost if base.size == Size::All => Size::AtMost(node.letters.k),
            Counts::Without if base.size == Size::All => Size::Without(node.letters.k),
            Counts::Changes if base.size == Size::All => Size::All,
            _ => Size::Some,
        },
        owned: base.owned && !row.borrows && nested.iter().all(|part| part.owned),
        eager: base.eager && row.is_eager() && nested.iter().all(|part| part.eager),
        growth: match row.nested {
            Nested::Inner => base.growth * row.grows * inner_growth,
            _ => base.growth * row.grows + inner_growth,
        },
    };
    let depth = if source { 1 } else { 2 };
    Ok(if part.ty.depth > depth {
        part.numbers()
    } else {
        part
    })
}

/// Writes a source with adaptors. In a closure there are no variables.
pub fn write_tree(tree: &Tree, inner: bool) -> Result<Part, Misfit> {
    let mut part = applied(&tree.source, None, inner)?;
    for step in &tree.steps {
        part = applied(step, Some(part), inner)?;
    }
    Ok(part)
}

/// Writes a chain.
pub fn write(whole: &Whole) -> Result<Written, Misfit> {
    let end = &whole.end;
    let row = end.row;
    let part = write_tree(&whole.tree, false)?.fitted(row, end.letters.s)?;
    let exact = !matches!(row.check, "Items" | "Bag" | "OneOf");
    let all = part.size == Size::All;
    if exact && !all || row.by_order && !(part.ordered && all) {
        return Err("no order");
    }
    if row.index == Index::Needs && !part.indexed {
        return Err("not indexed");
    }
    if row.owned && !part.owned {
        return Err("borrows");
    }
    let mut before = Some(part);
    let nested = nested(end, &mut before, false)?;
    if !nested
        .iter()
        .all(|part| part.ordered && part.size == Size::All)
    {
        return Err("no order");
    }
    let part = before.expect("it was put there");
    let example = part.ty.example(end.letters.s);
    let fill = |template, form: fn(&Part) -> &str| {
        let texts: Vec<&str> = nested.iter().map(form).collect();
        filled(template, end.letters, &example, &texts, form(&part))
    };
    let size = match part.size {
        Size::All => "All".to_string(),
        Size::AtMost(k) => format!("AtMost({k})"),
        Size::Without(k) => format!("Without({k})"),
        Size::Some => "Some".to_string(),
    };
    Ok(Written {
        variables: nested
            .iter()
            .fold(part.variables.clone(), |sum, part| sum + &part.variables),
        by_filch: fill(row.by_filch, |part| &part.by_filch),
        by_std: fill(row.by_std, |part| &part.by_std),
        promise: format!(
            "Promise {{ check: Check::{}, count: Count::{size}, ordered: {} }}",
            row.check, part.ordered
        ),
        growth: part.growth.max(1),
        eager: part.eager && row.is_eager() && nested.iter().all(|part| part.eager),
    })
}

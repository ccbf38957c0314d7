//! Finds what can be changed in a source.

use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{
    Attribute, BinOp, Block, Expr, ExprBinary, ExprIf, ExprLit, ExprMethodCall, ImplItemFn, ItemFn,
    Lit, Pat, ReturnType, Signature, Stmt, TraitItemFn, UnOp,
};

use crate::mutant::{Mutant, Place};

/// Methods that are easily taken for each other.
const METHODS: [(&str, &str); 10] = [
    ("add", "sub"),
    ("all", "any"),
    ("is_eq", "is_ne"),
    ("is_ge", "is_gt"),
    ("is_le", "is_lt"),
    ("is_none", "is_some"),
    ("is_err", "is_ok"),
    ("max", "min"),
    ("saturating_add", "saturating_sub"),
    ("wrapping_add", "wrapping_sub"),
];

const ASSERTIONS: [&str; 3] = ["assert", "assert_eq", "assert_ne"];

/// All mutants of a source, numbered from `first` on.
pub fn mutants(file: &str, text: &str, first: u32) -> syn::Result<Vec<Mutant>> {
    let mut finder = Finder {
        file,
        text,
        function: String::new(),
        inside: 0..text.len(),
        found: Vec::new(),
    };
    finder.visit_file(&syn::parse_file(text)?);
    let mut found = finder.found;
    found.sort_by_key(|mutant| mutant.at.start);
    for (number, mutant) in (first..).zip(&mut found) {
        mutant.number = number;
    }
    Ok(found)
}

struct Finder<'t> {
    file: &'t str,
    text: &'t str,
    function: String,
    inside: Range<usize>,
    found: Vec<Mutant>,
}

fn bytes(of: &impl Spanned) -> Range<usize> {
    of.span().byte_range()
}

/// Whether what has these attributes is left out of the crate as it is built here, or belongs to its tests.
fn is_elsewhere(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let words = ["cfg", "test"];
        let named = words.iter().any(|word| attribute.path().is_ident(word));
        let list = attribute.meta.require_list();
        let tokens = list.map(|list| list.tokens.to_string()).unwrap_or_default();
        let apart = ["test", "loom", "shuttle"];
        named
            && !tokens.starts_with("not")
            && (tokens.is_empty() || apart.iter().any(|it| tokens.contains(it)))
    })
}

/// Those of a statement that can be left out.
fn attributes(statement: &Stmt) -> &[Attribute] {
    match statement {
        Stmt::Local(it) => &it.attrs,
        Stmt::Macro(it) => &it.attrs,
        Stmt::Expr(expr, _) => match expr {
            Expr::Assign(it) => &it.attrs,
            Expr::Block(it) => &it.attrs,
            Expr::Call(it) => &it.attrs,
            Expr::If(it) => &it.attrs,
            Expr::MethodCall(it) => &it.attrs,
            Expr::Unsafe(it) => &it.attrs,
            _ => &[],
        },
        Stmt::Item(_) => &[],
    }
}

impl Finder<'_> {
    fn add(&mut self, place: Place, at: Range<usize>, line: usize, new: String) {
        let old = self.text[at.clone()].to_owned();
        if self.found.iter().any(|it| it.at == at && it.new == new) {
            return;
        }
        self.found.push(Mutant {
            number: 0,
            file: self.file.to_owned(),
            line,
            function: self.function.clone(),
            inside: self.inside.clone(),
            at,
            place,
            old,
            new,
        });
    }

    fn value(&mut self, of: &impl Spanned, new: impl Into<String>) {
        self.add(Place::Value, bytes(of), of.span().start().line, new.into());
    }

    /// The text of `whole` with `part` of it replaced.
    fn with(&self, whole: &impl Spanned, part: &impl Spanned, new: &str) -> String {
        let (whole, part) = (bytes(whole), bytes(part));
        let before = &self.text[whole.start..part.start];
        format!("{before}{new}{}", &self.text[part.end..whole.end])
    }

    /// `whole` with one of its operators or names replaced.
    fn swap(&mut self, whole: &impl Spanned, part: &impl Spanned, new: &str) {
        let text = self.with(whole, part, new);
        let line = part.span().start().line;
        self.add(Place::Value, bytes(whole), line, text);
    }

    /// A condition that always holds, and one that never does.
    fn condition(&mut self, condition: &Expr) {
        if !has_let(condition) && !matches!(condition, Expr::Lit(_)) && !is_of_the_build(condition)
        {
            self.value(condition, "true");
            self.value(condition, "false");
        }
    }

    /// A function, free or of a type or a trait, unless the compiler runs it: then it would have to know of the environment.
    fn function(
        &mut self,
        attributes: &[Attribute],
        signature: &Signature,
        block: Option<&Block>,
        whole: Range<usize>,
    ) {
        let Some(block) = block else {
            return;
        };
        if is_elsewhere(attributes) || signature.constness.is_some() {
            return;
        }
        let name = std::mem::replace(&mut self.function, signature.ident.to_string());
        let inside = std::mem::replace(&mut self.inside, whole);
        if matches!(signature.output, ReturnType::Default) {
            self.no_value(block);
        }
        self.visit_block(block);
        (self.function, self.inside) = (name, inside);
    }

    /// The statements of a block whose value is `()`: its last one may lack a semicolon.
    fn no_value(&mut self, block: &Block) {
        if let Some(Stmt::Expr(last, None)) = block.stmts.last() {
            self.statement(last, bytes(last));
        }
    }

    /// A statement that may go.
    fn statement(&mut self, expr: &Expr, at: Range<usize>) {
        match expr {
            Expr::Call(_) | Expr::MethodCall(_) | Expr::Assign(_) | Expr::Try(_) => (),
            Expr::Binary(binary) if is_assignment(&binary.op) => (),
            Expr::Unsafe(it) if !is_one_statement(&it.block) => (),
            Expr::If(it) => return self.branches(it),
            Expr::Block(it) => return self.no_value(&it.block),
            Expr::Match(it) => {
                for arm in &it.arms {
                    if let Expr::Block(body) = &*arm.body {
                        self.no_value(&body.block);
                    }
                }
                return;
            }
            _ => return,
        }
        self.add(
            Place::Statement,
            at,
            expr.span().start().line,
            String::new(),
        );
    }

    fn branches(&mut self, it: &ExprIf) {
        self.no_value(&it.then_branch);
        match it.else_branch.as_ref().map(|(_, other)| &**other) {
            Some(Expr::If(other)) => self.branches(other),
            Some(Expr::Block(other)) => self.no_value(&other.block),
            _ => (),
        }
    }
}

/// Whether a block is one statement, which is a mutant of its own.
fn is_one_statement(block: &Block) -> bool {
    use Stmt::{Expr, Local, Macro};
    matches!(block.stmts[..], [Expr(_, Some(_)) | Local(_) | Macro(_)])
}

fn is_assignment(op: &BinOp) -> bool {
    use BinOp::*;
    matches!(
        op,
        AddAssign(_)
            | SubAssign(_)
            | MulAssign(_)
            | DivAssign(_)
            | RemAssign(_)
            | BitXorAssign(_)
            | BitAndAssign(_)
            | BitOrAssign(_)
            | ShlAssign(_)
            | ShrAssign(_)
    )
}

/// What an operator becomes.
fn other(op: &BinOp) -> Option<&'static str> {
    use BinOp::*;
    Some(match op {
        Lt(_) => "<=",
        Le(_) => "<",
        Gt(_) => ">=",
        Ge(_) => ">",
        Eq(_) => "!=",
        Ne(_) => "==",
        And(_) => "||",
        Or(_) => "&&",
        Add(_) => "-",
        Sub(_) => "+",
        Mul(_) => "+",
        Div(_) => "*",
        Rem(_) => "/",
        Shl(_) => ">>",
        Shr(_) => "<<",
        BitAnd(_) => "|",
        BitOr(_) => "&",
        AddAssign(_) => "-=",
        SubAssign(_) => "+=",
        _ => return None,
    })
}

/// Whether a condition asks how the crate is built, or for a bug that is planted there: it never holds, and the models see to it that it does harm.
fn is_of_the_build(condition: &Expr) -> bool {
    match condition {
        Expr::Macro(it) => {
            let names = ["cfg", "planted"];
            names.iter().any(|name| it.mac.path.is_ident(name))
        }
        Expr::Unary(it) => is_of_the_build(&it.expr),
        _ => false,
    }
}

/// Whether a condition binds names: it cannot stand in parentheses.
fn has_let(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(it) => has_let(&it.left) || has_let(&it.right),
        _ => false,
    }
}

impl<'a> Visit<'a> for Finder<'_> {
    fn visit_item_fn(&mut self, it: &'a ItemFn) {
        self.function(&it.attrs, &it.sig, Some(&it.block), bytes(it));
    }

    fn visit_impl_item_fn(&mut self, it: &'a ImplItemFn) {
        self.function(&it.attrs, &it.sig, Some(&it.block), bytes(it));
    }

    fn visit_trait_item_fn(&mut self, it: &'a TraitItemFn) {
        self.function(&it.attrs, &it.sig, it.default.as_ref(), bytes(it));
    }

    fn visit_item_mod(&mut self, it: &'a syn::ItemMod) {
        if !is_elsewhere(&it.attrs) {
            visit::visit_item_mod(self, it);
        }
    }

    fn visit_item_impl(&mut self, it: &'a syn::ItemImpl) {
        if !is_elsewhere(&it.attrs) {
            visit::visit_item_impl(self, it);
        }
    }

    // What the compiler works out.
    fn visit_attribute(&mut self, _: &'a Attribute) {}
    fn visit_expr_const(&mut self, _: &'a syn::ExprConst) {}
    fn visit_generic_argument(&mut self, _: &'a syn::GenericArgument) {}
    fn visit_impl_item_const(&mut self, _: &'a syn::ImplItemConst) {}
    fn visit_item_const(&mut self, _: &'a syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'a syn::ItemStatic) {}
    fn visit_trait_item_const(&mut self, _: &'a syn::TraitItemConst) {}
    fn visit_type(&mut self, _: &'a syn::Type) {}
    fn visit_variant(&mut self, _: &'a syn::Variant) {}

    fn visit_expr_repeat(&mut self, it: &'a syn::ExprRepeat) {
        self.visit_expr(&it.expr);
    }

    fn visit_pat(&mut self, pat: &'a Pat) {
        // Only what a guard computes is a value.
        if let Pat::Guard(it) = pat {
            self.condition(&it.guard);
            self.visit_expr(&it.guard);
        }
    }

    fn visit_stmt(&mut self, statement: &'a Stmt) {
        if is_elsewhere(attributes(statement)) {
            return;
        }
        if let Stmt::Expr(expr, semicolon) = statement
            && let Some(semicolon) = semicolon
        {
            self.statement(expr, bytes(expr).start..bytes(semicolon).end);
        }
        // An assertion may be all that keeps unsafe code from doing harm.
        if let Stmt::Macro(it) = statement
            && ASSERTIONS.iter().any(|name| it.mac.path.is_ident(name))
        {
            self.add(
                Place::Statement,
                bytes(it),
                it.span().start().line,
                String::new(),
            );
        }
        visit::visit_stmt(self, statement);
    }

    fn visit_block(&mut self, block: &'a Block) {
        // All but the last have no value.
        for statement in block.stmts.iter().rev().skip(1) {
            if let Stmt::Expr(expr, None) = statement
                && !is_elsewhere(attributes(statement))
            {
                self.statement(expr, bytes(expr));
            }
        }
        visit::visit_block(self, block);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Binary(it) if !has_let(expr) => self.operator(it),
            Expr::Unary(it) if matches!(it.op, UnOp::Not(_)) && !is_of_the_build(expr) => {
                let inner = self.text[bytes(&it.expr)].to_owned();
                self.value(it, inner);
            }
            Expr::If(it) => {
                self.condition(&it.cond);
                if it.else_branch.is_none() {
                    self.no_value(&it.then_branch);
                }
            }
            Expr::While(it) => {
                if !has_let(&it.cond) && !matches!(*it.cond, Expr::Lit(_)) {
                    self.value(&it.cond, "false");
                }
                self.no_value(&it.body);
            }
            Expr::ForLoop(it) => self.no_value(&it.body),
            Expr::Loop(it) => self.no_value(&it.body),
            Expr::MethodCall(it) => self.method(it),
            Expr::Lit(it) => self.literal(it),
            _ => (),
        }
        match expr {
            // As if the statement were not there.
            Expr::Binary(it) if is_assignment(&it.op) && matches!(*it.right, Expr::Lit(_)) => {
                self.visit_expr(&it.left);
            }
            _ => visit::visit_expr(self, expr),
        }
    }
}

impl Finder<'_> {
    fn operator(&mut self, it: &ExprBinary) {
        // A condition that is always true or false says more than the opposite one.
        let is_condition = || {
            self.found
                .iter()
                .any(|found| found.at == bytes(it) && found.new == "true")
        };
        let is_equality = matches!(it.op, BinOp::Eq(_) | BinOp::Ne(_));
        if let Some(new) = other(&it.op)
            && !(is_equality && is_condition())
        {
            self.swap(it, &it.op, new);
        }
    }

    fn method(&mut self, it: &ExprMethodCall) {
        for (one, other) in METHODS {
            if it.method == one {
                self.swap(it, &it.method, other);
            } else if it.method == other {
                self.swap(it, &it.method, one);
            }
        }
    }

    fn literal(&mut self, it: &ExprLit) {
        match &it.lit {
            Lit::Bool(lit) => self.value(it, (!lit.value).to_string()),
            Lit::Int(lit) => {
                if let Ok(number) = lit.base10_parse::<u128>() {
                    let new = if number == 0 { 1 } else { number - 1 };
                    self.value(it, format!("{new}{}", lit.suffix()));
                }
            }
            _ => (),
        }
    }
}

#[cfg(test)]
mod tests;

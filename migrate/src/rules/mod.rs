//! The rules: what to look for in a program, a file for each subject.

pub mod chains;
pub mod lengths;
pub mod locks;
pub mod threads;

use proc_macro2::Span;
use syn::visit::{self, Visit};
use syn::{Expr, ExprMethodCall};

/// Where a method call is: at its name, since a chain begins lines above.
fn at(call: &ExprMethodCall) -> Span {
    call.method.span()
}

fn is_closure(expr: &Expr) -> bool {
    matches!(crate::code::peel(expr), Expr::Closure(_))
}

/// Whether an expression, or a part of it that is no closure, is as asked.
fn any_part(expr: &Expr, test: impl Fn(&Expr) -> bool) -> bool {
    struct Search<F> {
        test: F,
        found: bool,
    }
    impl<'ast, F: Fn(&Expr) -> bool> Visit<'ast> for Search<F> {
        fn visit_expr(&mut self, expr: &'ast Expr) {
            self.found = self.found || (self.test)(expr);
            if !self.found && !matches!(expr, Expr::Closure(_)) {
                visit::visit_expr(self, expr);
            }
        }
    }
    let mut search = Search { test, found: false };
    search.visit_expr(expr);
    search.found
}

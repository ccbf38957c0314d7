//! Lengths that a program gives to parallel iterators, which say where to cut.

use syn::visit::Visit;
use syn::{BinOp, Block, Expr, ExprBinary, ExprIf, ExprMethodCall, Stmt};

use super::{any_part, at, threads};
use crate::advice::Kind;
use crate::code::has_parallel_call;
use crate::state::Scan;

pub fn method(scan: &mut Scan<'_>, call: &ExprMethodCall, method: &str) {
    match method {
        "with_min_len" => scan.note(Kind::MinLen, at(call), None),
        "with_max_len" => scan.note(Kind::MaxLen, at(call), None),
        "div_ceil" if call.args.iter().any(|it| threads::counts_threads(scan, it)) => {
            scan.note(Kind::ThreadChunks, at(call), None);
        }
        _ => {}
    }
}

/// `len / current_num_threads()`
pub fn division(scan: &mut Scan<'_>, binary: &ExprBinary) {
    if matches!(binary.op, BinOp::Div(_)) && threads::counts_threads(scan, &binary.right) {
        let at = syn::spanned::Spanned::span(&binary.op);
        scan.note(Kind::ThreadChunks, at, None);
    }
}

/// `if n < 1000 { sequential } else { parallel }`, and the other way round.
pub fn branches(scan: &mut Scan<'_>, branch: &ExprIf) {
    let Some((_, other)) = &branch.else_branch else {
        return;
    };
    let then = has_parallel_call(scan.names, |it| it.visit_block(&branch.then_branch));
    let or = has_parallel_call(scan.names, |it| it.visit_expr(other));
    if then != or && compares_length(&branch.cond) {
        scan.note(Kind::CutOff, branch.if_token.span, None);
    }
}

/// `if n < 1000 { return sequential }`, and something parallel below.
pub fn early_return(scan: &mut Scan<'_>, block: &Block) {
    for (i, stmt) in block.stmts.iter().enumerate() {
        let Stmt::Expr(Expr::If(branch), _) = stmt else {
            continue;
        };
        let returns = matches!(
            branch.then_branch.stmts.last(),
            Some(Stmt::Expr(Expr::Return(_), _))
        );
        let below = &block.stmts[i + 1..];
        if returns
            && branch.else_branch.is_none()
            && compares_length(&branch.cond)
            && !has_parallel_call(scan.names, |it| it.visit_block(&branch.then_branch))
            && has_parallel_call(scan.names, |it| below.iter().for_each(|s| it.visit_stmt(s)))
        {
            scan.note(Kind::CutOff, branch.if_token.span, None);
        }
    }
}

/// Whether something is compared with a constant that is more than a special case (0, 1, 2).
fn compares_length(cond: &Expr) -> bool {
    any_part(cond, |expr| match expr {
        Expr::Binary(it) => {
            let compares = matches!(
                it.op,
                BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_)
            );
            compares && (is_limit(&it.left) || is_limit(&it.right))
        }
        _ => false,
    })
}

fn is_limit(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(lit) => match &lit.lit {
            syn::Lit::Int(n) => n.base10_parse::<u64>().is_ok_and(|n| n > 2),
            _ => false,
        },
        Expr::Path(path) => path.path.segments.last().is_some_and(|it| {
            let name = it.ident.to_string();
            name.len() > 1 && !name.contains(char::is_lowercase)
        }),
        Expr::Binary(it) => is_limit(&it.left) && is_limit(&it.right),
        _ => false,
    }
}

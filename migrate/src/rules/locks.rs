//! Locks that are held across a parallel call.

use proc_macro2::Span;
use syn::{Expr, ExprCall, ExprMethodCall, UnOp};

use super::{any_part, at, is_closure};
use crate::advice::Kind;
use crate::code;
use crate::state::{Guard, Scan};

/// The guard that a `let` binds.
pub fn bound(init: &Expr, names: Vec<String>, at: Span) -> Option<Guard> {
    // `&*lock.lock().unwrap()` lives as long as what it is bound to; what `*` alone copies out of it does not keep it.
    let place = match init {
        Expr::Reference(it) => match &*it.expr {
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => &unary.expr,
            other => other,
        },
        other => other,
    };
    is_guard(place).then(|| Guard {
        names,
        line: at.start().line,
    })
}

/// The guard that a part of an expression is, if the expression is what a `match`, `for`, `if let` or `while let` looks at.
pub fn held_by(scrutinee: &Expr) -> Option<Guard> {
    let looked_at = match scrutinee {
        Expr::Let(it) => &*it.expr,
        // The condition of an `if` is over before its branches begin.
        Expr::Binary(_) | Expr::Unary(_) | Expr::Call(_) | Expr::Lit(_) => return None,
        Expr::MethodCall(_) if is_bool(scrutinee) => return None,
        other => other,
    };
    any_part(looked_at, is_lock_call).then(|| Guard {
        names: Vec::new(),
        line: syn::spanned::Spanned::span(scrutinee).start().line,
    })
}

/// Methods whose value keeps nothing of what they are called on.
fn is_bool(expr: &Expr) -> bool {
    let (calls, _) = code::chain(expr);
    calls.first().is_some_and(|call| {
        let method = call.method.to_string();
        method.starts_with("is_") || method.starts_with("contains")
    })
}

/// `drop(guard)` ends it.
pub fn dropped(scan: &mut Scan<'_>, expr: &Expr) {
    if let Expr::Call(call) = expr
        && let Expr::Path(function) = &*call.func
        && code::last(&function.path).is_some_and(|it| it == "drop")
        && let Some(Expr::Path(what)) = call.args.first()
        && let Some(name) = what.path.get_ident()
    {
        let name = name.to_string();
        scan.here.guards.retain(|it| !it.names.contains(&name));
    }
}

pub fn method(scan: &mut Scan<'_>, call: &ExprMethodCall, method: &str) {
    if code::is_source(method) {
        let temporary = any_part(&call.receiver, is_lock_call);
        let own = temporary.then(|| "the lock is held to the end of the statement".to_owned());
        note(scan, at(call), own);
    } else if runs_in_pool(call, method) {
        note(scan, at(call), None);
    } else if matches!(code::peel(&call.receiver), Expr::Path(it) if it.path.is_ident("self"))
        && scan.names.makes_calls(method)
    {
        note_call(scan, at(call), method);
    }
}

pub fn call(scan: &mut Scan<'_>, call: &ExprCall, function: Option<&str>) {
    let at = syn::spanned::Spanned::span(&call.func);
    if function.is_some_and(code::waits_for_parallel_work) {
        note(scan, at, None);
    } else if let Some(name) = scan.names.caller(&call.func) {
        note_call(scan, at, &name);
    }
}

/// `pool.install(|| ..)`, `pool.join(|| .., || ..)`.
fn runs_in_pool(call: &ExprMethodCall, method: &str) -> bool {
    let closures = call.args.iter().filter(|it| is_closure(it)).count();
    match method {
        "install" => closures == 1,
        "join" => closures == 2,
        _ => false,
    }
}

/// A parallel call: notes it if a lock is held, which `own` may say.
fn note(scan: &mut Scan<'_>, at: Span, own: Option<String>) {
    let held = scan.here.guards.iter().map(Guard::description).chain(own);
    let held: Vec<String> = held.collect();
    if !held.is_empty() {
        scan.note(Kind::HeldLock, at, Some(held.join("; ")));
    }
}

/// A call of a function of this file that makes a parallel call.
fn note_call(scan: &mut Scan<'_>, at: Span, name: &str) {
    if let Some(guard) = scan.here.guards.last() {
        let note = format!(
            "{}, and `{name}` makes a parallel call",
            guard.description()
        );
        scan.note(Kind::HeldLock, at, Some(note));
    }
}

/// Whether an expression's value is a guard: a lock, with what unwraps it.
fn is_guard(expr: &Expr) -> bool {
    let (calls, _) = code::chain(expr);
    let unwrapping = ["unwrap", "expect", "unwrap_or_else", "ok"];
    let mut calls = calls.into_iter().map(|it| (it.method.to_string(), it));
    calls
        .find(|(method, _)| !unwrapping.contains(&method.as_str()))
        .is_some_and(|(_, call)| locks(call))
}

fn is_lock_call(expr: &Expr) -> bool {
    matches!(expr, Expr::MethodCall(call) if locks(call))
}

/// Names that take a lock when they have no argument.
fn locks(call: &ExprMethodCall) -> bool {
    let methods = [
        "lock",
        "lock_arc",
        "read",
        "read_arc",
        "try_lock",
        "try_read",
        "try_write",
        "upgradable_read",
        "write",
        "write_arc",
    ];
    call.args.is_empty() && methods.contains(&call.method.to_string().as_str())
}

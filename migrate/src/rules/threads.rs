//! Code that counts on threads: on their number, on which one it is, on what belongs to one, on others that run at the same time.

use syn::spanned::Spanned;
use syn::{Expr, ExprCall, ExprIndex, ExprMethodCall};

use super::{any_part, at, is_closure};
use crate::advice::Kind;
use crate::code;
use crate::state::Scan;

pub fn method(scan: &mut Scan<'_>, call: &ExprMethodCall, method: &str) {
    match method {
        "broadcast" | "spawn_broadcast" if call.args.iter().any(is_closure) => {
            scan.note(Kind::Broadcast, at(call), None);
        }
        "current_thread_index" => scan.note(Kind::ThreadIndex, at(call), None),
        "build_global" => set_up(scan, call),
        "with" | "with_borrow" | "with_borrow_mut"
            if scan.here.in_call && is_static(&call.receiver) =>
        {
            scan.note(Kind::ThreadLocal, at(call), None);
        }
        "get_or" | "get_or_default" if scan.here.in_call => {
            scan.note(Kind::ThreadLocal, at(call), None);
        }
        "wait" | "wait_while" | "recv" | "park" if scan.here.in_call => {
            scan.note(Kind::Waits, at(call), None);
        }
        "join" if scan.here.in_call && call.args.is_empty() => {
            scan.note(Kind::Waits, at(call), None);
        }
        _ => {}
    }
}

pub fn call(scan: &mut Scan<'_>, call: &ExprCall, function: Option<&str>) {
    let at = call.func.span();
    match function {
        Some("broadcast" | "spawn_broadcast") => scan.note(Kind::Broadcast, at, None),
        Some("current_thread_index") => scan.note(Kind::ThreadIndex, at, None),
        _ => {}
    }
}

/// Remembers what is bound to the index of a thread, or to their number.
pub fn local(scan: &mut Scan<'_>, names: &[String], init: &Expr) {
    if any_part(init, |it| calls(scan, it, "current_thread_index")) {
        scan.here.indices.extend(names.iter().cloned());
    }
    let (chain, _) = code::chain(init);
    // Not what was computed from it: that is noted where it is computed.
    let plain = !chain.iter().any(|it| it.method == "div_ceil") && !matches!(init, Expr::Binary(_));
    if plain && counts_threads(scan, init) {
        scan.here.thread_counts.extend(names.iter().cloned());
    }
}

/// `buffers[i]`, where `i` is a thread's index.
pub fn index(scan: &mut Scan<'_>, index: &ExprIndex) {
    let indices = &scan.here.indices;
    let by_thread = any_part(&index.index, |it| match it {
        Expr::Path(path) => path
            .path
            .get_ident()
            .is_some_and(|it| indices.contains(&it.to_string())),
        _ => false,
    });
    if by_thread {
        let note = "indexed by the thread".to_owned();
        scan.note(
            Kind::ThreadIndex,
            index.bracket_token.span.open(),
            Some(note),
        );
    }
}

/// Whether an expression is a number of threads, or has one in it.
pub fn counts_threads(scan: &Scan<'_>, expr: &Expr) -> bool {
    any_part(expr, |it| {
        calls(scan, it, "current_num_threads")
            || match it {
                Expr::Path(path) => path
                    .path
                    .get_ident()
                    .is_some_and(|it| scan.here.thread_counts.contains(&it.to_string())),
                Expr::Call(call) if scan.names.use_rayon() => match &*call.func {
                    Expr::Path(path) => {
                        let words: Vec<_> = path
                            .path
                            .segments
                            .iter()
                            .map(|it| it.ident.to_string())
                            .collect();
                        words.ends_with(&["num_cpus".into(), "get".into()])
                            || words.ends_with(&["available_parallelism".into()])
                    }
                    _ => false,
                },
                _ => false,
            }
    })
}

/// Whether this calls one of rayon's functions, as a function or as a pool's method.
fn calls(scan: &Scan<'_>, expr: &Expr, name: &str) -> bool {
    match expr {
        Expr::Call(call) => scan.names.rayon_call(call).is_some_and(|it| it == name),
        Expr::MethodCall(call) => call.method == name,
        _ => false,
    }
}

/// Methods that are no source and run closures in the pool: a scope's `spawn`, whose closure is given the scope, and a pool's `join`.
///
/// Not `broadcast`: there is one closure on each thread, so they may wait for each other, and set thread-locals.
pub fn runs_closures(call: &ExprMethodCall, method: &str) -> bool {
    match method {
        "spawn" | "spawn_fifo" => call.args.first().is_some_and(|arg| match code::peel(arg) {
            Expr::Closure(it) => !it.inputs.is_empty(),
            _ => false,
        }),
        "join" => call.args.len() == 2,
        _ => false,
    }
}

/// The settings that keep threads from outside away from the global pool.
fn set_up(scan: &mut Scan<'_>, call: &ExprMethodCall) {
    let settings = [
        "exit_handler",
        "spawn_handler",
        "stack_size",
        "start_handler",
        "thread_name",
        "use_current_thread",
    ];
    let (calls, _) = code::chain(&call.receiver);
    let mut set: Vec<String> = calls.iter().map(|it| it.method.to_string()).collect();
    set.retain(|it| settings.contains(&it.as_str()));
    set.reverse();
    if !set.is_empty() {
        scan.note(
            Kind::PoolSetup,
            at(call),
            Some(format!("it sets {}", set.join(", "))),
        );
    }
}

/// Whether this is named as statics are.
fn is_static(expr: &Expr) -> bool {
    match code::peel(expr) {
        Expr::Path(path) => {
            code::last(&path.path).is_some_and(|it| !it.contains(char::is_lowercase))
        }
        _ => false,
    }
}

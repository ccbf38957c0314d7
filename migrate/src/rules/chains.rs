//! Chains that end in something that filch has a better word for.

use syn::{Expr, ExprMethodCall, GenericArgument, Local, Pat, RangeLimits, Type};

use super::{any_part, at};
use crate::advice::Kind;
use crate::code::{self, type_name};
use crate::state::Scan;

pub fn method(scan: &mut Scan<'_>, call: &ExprMethodCall, method: &str) {
    match method {
        "fold" | "fold_with" | "try_fold" | "try_fold_with" => fold(scan, call),
        "reduce" | "try_reduce" => reduce(scan, call),
        "collect_vec_list" => scan.note(Kind::LinkedLists, at(call), None),
        "collect" => {
            let is_list = turbofish(call)
                .and_then(type_name)
                .is_some_and(|it| it == "LinkedList");
            if is_list && scan.is_parallel(&call.receiver) {
                scan.note(Kind::LinkedLists, at(call), None);
            }
        }
        "sum" | "product" => {
            let float = turbofish(call).is_some_and(is_float);
            if float && scan.is_parallel(&call.receiver) {
                scan.note(Kind::FloatSum, at(call), None);
            }
        }
        "par_bridge" => bridge(scan, call),
        _ => {}
    }
}

/// `let total: f64 = ... .sum();` and `let parts: LinkedList<_> = ... .collect();`
pub fn typed_local(scan: &mut Scan<'_>, local: &Local) {
    if let Pat::Type(typed) = &local.pat
        && let Some(init) = &local.init
        && let Expr::MethodCall(call) = code::peel(&init.expr)
        && call.turbofish.is_none()
        && scan.is_parallel(&call.receiver)
    {
        let method = call.method.to_string();
        if ["sum", "product"].contains(&method.as_str()) && is_float(&typed.ty) {
            scan.note(Kind::FloatSum, at(call), None);
        }
        if method == "collect" && type_name(&typed.ty).is_some_and(|it| it == "LinkedList") {
            scan.note(Kind::LinkedLists, at(call), None);
        }
    }
}

fn turbofish(call: &ExprMethodCall) -> Option<&Type> {
    match call.turbofish.as_ref()?.args.first()? {
        GenericArgument::Type(kind) => Some(kind),
        _ => None,
    }
}

fn is_float(kind: &Type) -> bool {
    type_name(kind).is_some_and(|it| it == "f64" || it == "f32")
}

/// What a fold of a parallel iterator begins each piece with: the name of the type.
fn begun_with(scan: &Scan<'_>, call: &ExprMethodCall) -> Option<String> {
    let parallel = scan.is_parallel(&call.receiver);
    parallel.then(|| scan.names.made(call.args.first()?))?
}

fn fold(scan: &mut Scan<'_>, call: &ExprMethodCall) {
    match begun_with(scan, call) {
        Some(name) if name.ends_with("Map") => {
            let note = (name == "BTreeMap")
                .then(|| "a sorted map: `by_key(..)` and `into_sorted_vec()`".to_owned());
            scan.note(Kind::MapFold, at(call), note);
        }
        Some(name) if name == "Vec" => scan.note(Kind::VecFold, at(call), None),
        _ => {}
    }
}

/// Maps that items are mapped to, and that are then merged.
fn reduce(scan: &mut Scan<'_>, call: &ExprMethodCall) {
    let merges_maps = begun_with(scan, call).is_some_and(|it| it.ends_with("Map"));
    let (calls, _) = code::chain(&call.receiver);
    // Else the fold has been noted.
    if merges_maps
        && !calls
            .iter()
            .any(|it| it.method.to_string().contains("fold"))
    {
        scan.note(Kind::MapFold, at(call), None);
    }
}

fn bridge(scan: &mut Scan<'_>, call: &ExprMethodCall) {
    let (calls, root) = code::chain(&call.receiver);
    let numbered = calls.iter().any(|it| it.method == "enumerate");
    let source = calls
        .iter()
        .find(|it| !keeps_source(&it.method.to_string()));
    let instead = match source {
        Some(source) => source_instead(source),
        None => range_instead(root),
    };
    if let Some(instead) = instead {
        scan.note(Kind::IndexableBridge, at(call), Some(instead));
    } else if numbered {
        scan.note(Kind::NumberedBridge, at(call), None);
    }
}

/// Adaptors that parallel iterators have, too.
fn keeps_source(method: &str) -> bool {
    [
        "chain",
        "cloned",
        "copied",
        "enumerate",
        "filter",
        "filter_map",
        "flat_map",
        "flatten",
        "inspect",
        "map",
        "rev",
        "skip",
        "step_by",
        "take",
        "zip",
    ]
    .contains(&method)
}

/// The parallel source for a sequential one.
fn source_instead(source: &ExprMethodCall) -> Option<String> {
    let method = source.method.to_string();
    // Files and directories are read one after the other.
    let reads = [
        "BufReader",
        "Walk",
        "WalkBuilder",
        "WalkDir",
        "glob",
        "read_dir",
        "stdin",
    ];
    let is_reader = |expr: &Expr| match expr {
        Expr::Path(path) => path
            .path
            .segments
            .iter()
            .any(|it| reads.contains(&it.ident.to_string().as_str())),
        _ => false,
    };
    if any_part(&source.receiver, is_reader) {
        return None;
    }
    let collection = "if this is a slice, a vector, a range or one of std's collections";
    let (instead, condition) = match method.as_str() {
        "iter" => ("par_iter", collection),
        "iter_mut" => ("par_iter_mut", collection),
        "into_iter" => ("into_par_iter", collection),
        "drain" => (
            "par_drain",
            "if this is a vector or one of std's collections",
        ),
        "keys" | "values" => ("par_iter", "and take the key or the value of each pair"),
        "values_mut" => ("par_iter_mut", "and take the value of each pair"),
        "lines" => ("par_lines", "if the text is in memory"),
        "chunks"
        | "chunks_mut"
        | "chunks_exact"
        | "chunks_exact_mut"
        | "rchunks"
        | "windows"
        | "split"
        | "split_mut"
        | "char_indices"
        | "chars"
        | "bytes"
        | "split_whitespace"
        | "split_ascii_whitespace"
        | "split_inclusive"
        | "split_terminator"
        | "matches"
        | "match_indices" => return Some(format!("`par_{method}`")),
        _ => return None,
    };
    Some(format!("`{instead}()`, {condition}"))
}

fn range_instead(root: &Expr) -> Option<String> {
    match root {
        Expr::Range(range) if range.end.is_some() => {
            let dots = match range.limits {
                RangeLimits::HalfOpen(_) => "..",
                RangeLimits::Closed(_) => "..=",
            };
            Some(format!("`(a{dots}b).into_par_iter()`"))
        }
        _ => None,
    }
}

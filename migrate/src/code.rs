//! Questions about Rust code that its form alone can answer; types are not known.

use std::collections::{HashMap, HashSet};

use syn::visit::{self, Visit};
use syn::{
    Expr, ExprCall, ExprClosure, ExprMethodCall, File, FnArg, ItemType, ItemUse, Pat, PatIdent,
    Path, ReturnType, Signature, Stmt, Type, UseTree,
};

/// What a file says of its names, wherever it says it.
#[derive(Default)]
pub struct Names {
    /// What `use rayon::..` brings in: the name here, and rayon's.
    imported: HashMap<String, String>,
    /// Functions that return a parallel iterator.
    parallel: HashSet<String>,
    /// Functions that make a parallel call.
    callers: HashSet<String>,
    /// Names of types, and the last word of what they stand for.
    aliases: HashMap<String, String>,
}

impl Names {
    pub fn of(file: &File) -> Names {
        let mut names = Names::default();
        names.visit_file(file);
        // Needs the imports, which may stand below.
        let mut callers = Callers {
            names: &names,
            found: HashSet::new(),
        };
        callers.visit_file(file);
        names.callers = callers.found;
        names
    }

    /// Whether the file has something to do with rayon.
    pub fn use_rayon(&self) -> bool {
        !self.imported.is_empty() || !self.callers.is_empty()
    }

    /// Which of rayon's names a path means, if it is one.
    pub fn of_rayon(&self, path: &Path) -> Option<String> {
        let first = path.segments.first()?.ident.to_string();
        let last = path.segments.last()?.ident.to_string();
        match self.imported.get(&first) {
            _ if is_rayon(&first) && path.segments.len() > 1 => Some(last),
            Some(original) if path.segments.len() == 1 => Some(original.clone()),
            Some(_) => Some(last),
            None => None,
        }
    }

    /// Which of rayon's functions is called.
    pub fn rayon_call(&self, call: &ExprCall) -> Option<String> {
        match peel(&call.func) {
            Expr::Path(path) => self.of_rayon(&path.path),
            _ => None,
        }
    }

    /// Whether this expression is a parallel iterator, as far as its form tells. `locals` are those that are bound to one.
    pub fn is_parallel(&self, expr: &Expr, locals: &HashSet<String>) -> bool {
        match peel(expr) {
            Expr::MethodCall(call) => {
                let method = call.method.to_string();
                is_source(&method)
                    || self.parallel.contains(&method)
                    || !is_end(&method) && self.is_parallel(&call.receiver, locals)
            }
            Expr::Call(call) => match peel(&call.func) {
                Expr::Path(path) => {
                    let is_iter = path.path.segments.iter().any(|it| it.ident == "iter");
                    last(&path.path).is_some_and(|it| self.parallel.contains(&it))
                        || is_iter && self.of_rayon(&path.path).is_some()
                }
                _ => false,
            },
            Expr::Path(path) => path
                .path
                .get_ident()
                .is_some_and(|it| locals.contains(&it.to_string())),
            _ => false,
        }
    }

    /// Whether a function of this file makes a parallel call.
    pub fn makes_calls(&self, name: &str) -> bool {
        self.callers.contains(name)
    }

    /// The function of this file that is called, if it makes a parallel call.
    pub fn caller(&self, func: &Expr) -> Option<String> {
        match peel(func) {
            Expr::Path(path) => last(&path.path).filter(|it| self.callers.contains(it)),
            _ => None,
        }
    }

    /// The name of a type behind aliases.
    fn resolved(&self, name: &str) -> String {
        self.aliases.get(name).map_or(name, |it| it).to_owned()
    }

    /// The name of the type that an expression makes a new value of: `HashMap::new`, `|| Vec::with_capacity(9)`, `|| vec![]`.
    pub fn made(&self, expr: &Expr) -> Option<String> {
        match peel(expr) {
            Expr::Path(path) => {
                let mut segments = path.path.segments.iter().rev();
                let function = segments.next()?.ident.to_string();
                let makes = ["new", "default"].contains(&function.as_str())
                    || function.starts_with("with_");
                makes.then(|| {
                    segments
                        .next()
                        .map(|it| self.resolved(&it.ident.to_string()))
                })?
            }
            Expr::Call(call) => self.made(&call.func),
            Expr::Closure(ExprClosure { body, output, .. }) => match output {
                ReturnType::Type(_, kind) => type_name(kind).map(|it| self.resolved(&it)),
                ReturnType::Default => self.made(body),
            },
            Expr::Block(block) => match block.block.stmts.as_slice() {
                [Stmt::Expr(expr, None)] => self.made(expr),
                _ => None,
            },
            Expr::Macro(it) => it.mac.path.is_ident("vec").then(|| "Vec".to_owned()),
            _ => None,
        }
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if let UseTree::Path(path) = &item.tree
            && is_rayon(&path.ident.to_string())
        {
            import(&path.tree, &mut self.imported);
        }
    }

    fn visit_signature(&mut self, signature: &'ast Signature) {
        if let ReturnType::Type(_, kind) = &signature.output
            && is_parallel_type(kind)
        {
            self.parallel.insert(signature.ident.to_string());
        }
    }

    fn visit_item_type(&mut self, item: &'ast ItemType) {
        if let Some(name) = type_name(&item.ty) {
            self.aliases.insert(item.ident.to_string(), name);
        }
    }
}

/// Functions whose own bodies make a parallel call.
struct Callers<'n> {
    names: &'n Names,
    found: HashSet<String>,
}

impl<'ast> Visit<'ast> for Callers<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if has_parallel_call(self.names, |it| it.visit_block(&item.block)) {
            self.found.insert(item.sig.ident.to_string());
        }
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if has_parallel_call(self.names, |it| it.visit_block(&item.block)) {
            self.found.insert(item.sig.ident.to_string());
        }
        visit::visit_impl_item_fn(self, item);
    }
}

/// Whether what `visit` shows to the visitor makes a parallel call.
pub fn has_parallel_call(names: &Names, visit: impl FnOnce(&mut Calls<'_>)) -> bool {
    let mut calls = Calls {
        names,
        found: false,
    };
    visit(&mut calls);
    calls.found
}

pub struct Calls<'n> {
    names: &'n Names,
    found: bool,
}

impl<'ast> Visit<'ast> for Calls<'_> {
    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        self.found |= is_source(&call.method.to_string());
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        let name = self.names.rayon_call(call);
        self.found |= name.is_some_and(|it| waits_for_parallel_work(&it));
        visit::visit_expr_call(self, call);
    }

    // What is another function's body is not called by being written down here.
    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

fn is_rayon(name: &str) -> bool {
    ["rayon", "rayon_core"].contains(&name)
}

fn import(tree: &UseTree, names: &mut HashMap<String, String>) {
    match tree {
        UseTree::Path(path) => {
            import(&path.tree, names);
        }
        UseTree::Name(name) => {
            names.insert(name.ident.to_string(), name.ident.to_string());
        }
        UseTree::Rename(name) => {
            names.insert(name.rename.to_string(), name.ident.to_string());
        }
        UseTree::Group(group) => group.items.iter().for_each(|it| import(it, names)),
        // No name of one's own begins so, hence it says no more than that the file imports something.
        UseTree::Glob(_) => {
            names.insert("*".to_owned(), "*".to_owned());
        }
    }
}

/// Methods that begin a parallel iterator, or are a parallel call themselves.
pub fn is_source(method: &str) -> bool {
    method.starts_with("par_") || method == "into_par_iter"
}

/// Functions of rayon's that come back when parallel work is done.
pub fn waits_for_parallel_work(function: &str) -> bool {
    [
        "join",
        "join_context",
        "scope",
        "scope_fifo",
        "in_place_scope",
        "in_place_scope_fifo",
        "broadcast",
    ]
    .contains(&function)
}

/// Methods after which a chain is parallel no more.
fn is_end(method: &str) -> bool {
    let ends = [
        "all",
        "any",
        "cmp",
        "collect",
        "collect_vec_list",
        "count",
        "eq",
        "for_each",
        "for_each_init",
        "for_each_with",
        "ge",
        "gt",
        "le",
        "len",
        "lt",
        "ne",
        "opt_len",
        "partial_cmp",
        "partition",
        "partition_map",
        "product",
        "reduce",
        "reduce_with",
        "sum",
        "unzip",
    ];
    let starts = [
        "find_",
        "max",
        "min",
        "position_",
        "try_for_each",
        "try_reduce",
    ];
    ends.contains(&method) || starts.iter().any(|it| method.starts_with(it))
}

/// An expression without what only passes it on: parentheses, references, `?`, `.await`.
pub fn peel(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(it) => peel(&it.expr),
        Expr::Group(it) => peel(&it.expr),
        Expr::Reference(it) => peel(&it.expr),
        Expr::Try(it) => peel(&it.expr),
        Expr::Await(it) => peel(&it.base),
        _ => expr,
    }
}

/// The method calls of a chain, from the last one written to the first; then what they begin with.
pub fn chain(expr: &Expr) -> (Vec<&ExprMethodCall>, &Expr) {
    let mut calls = Vec::new();
    let mut expr = peel(expr);
    while let Expr::MethodCall(call) = expr {
        calls.push(call);
        expr = peel(&call.receiver);
    }
    (calls, expr)
}

pub fn last(path: &Path) -> Option<String> {
    path.segments.last().map(|it| it.ident.to_string())
}

/// The last word of a type's path.
pub fn type_name(kind: &Type) -> Option<String> {
    match kind {
        Type::Path(path) => last(&path.path),
        Type::Reference(it) => type_name(&it.elem),
        _ => None,
    }
}

/// The names that a pattern binds.
pub fn bound(pat: &Pat) -> Vec<String> {
    struct Bound(Vec<String>);
    impl<'ast> Visit<'ast> for Bound {
        fn visit_pat_ident(&mut self, pat: &'ast PatIdent) {
            self.0.push(pat.ident.to_string());
            visit::visit_pat_ident(self, pat);
        }
    }
    let mut bound = Bound(Vec::new());
    bound.visit_pat(pat);
    bound.0
}

/// Whether `impl ParallelIterator<..>` or the like is somewhere in a type.
fn is_parallel_type(kind: &Type) -> bool {
    struct Found(bool);
    impl<'ast> Visit<'ast> for Found {
        fn visit_path(&mut self, path: &'ast Path) {
            let names = ["ParallelIterator", "IndexedParallelIterator"];
            self.0 |= last(path).is_some_and(|it| names.contains(&it.as_str()));
            visit::visit_path(self, path);
        }
    }
    let mut found = Found(false);
    found.visit_type(kind);
    found.0
}

/// Parameters of a function that are parallel iterators by their types.
pub fn parallel_parameters(signature: &Signature) -> HashSet<String> {
    let typed = signature.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(it) if is_parallel_type(&it.ty) => Some(bound(&it.pat)),
        _ => None,
    });
    typed.flatten().collect()
}

//! Walks through the code of a file, remembers what is in force at each place, and asks the rules about it.

use std::mem;

use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprCall, ExprMethodCall, File, Local, Macro, Pat, Signature, Stmt, Token};

use crate::code::{self, Names};
use crate::rules::{chains, lengths, locks, threads};
use crate::state::{Guard, Here, Place, Scan};

/// What a file has to look at, in order; and whether it has to do with rayon at all.
pub fn scan(file: &File) -> (Vec<Place>, bool) {
    let names = Names::of(file);
    let mut scan = Scan {
        names: &names,
        here: Here::default(),
        places: Vec::new(),
    };
    scan.visit_file(file);
    let mut places = scan.places;
    places.sort();
    places.dedup();
    let concerned = names.use_rayon() || !places.is_empty();
    (places, concerned)
}

impl Scan<'_> {
    /// Goes into a function's body, where nothing holds of what holds outside.
    fn enter(&mut self, signature: &Signature, visit: impl FnOnce(&mut Self)) {
        let inside = Here {
            parallel: code::parallel_parameters(signature),
            ..Here::default()
        };
        let outside = mem::replace(&mut self.here, inside);
        visit(self);
        self.here = outside;
    }

    /// Goes through the arguments of a parallel call. Locks that are held have been noted at the call; inside they need not be once more.
    fn visit_arguments<'e>(&mut self, args: impl IntoIterator<Item = &'e Expr>) {
        let guards = mem::take(&mut self.here.guards);
        for arg in args {
            let is_closure = matches!(code::peel(arg), Expr::Closure(_));
            let outside = self.here.in_call;
            self.here.in_call |= is_closure;
            self.visit_expr(arg);
            self.here.in_call = outside;
        }
        self.here.guards = guards;
    }

    /// Visits with one more lock held.
    fn holding(&mut self, guard: Option<Guard>, visit: impl FnOnce(&mut Self)) {
        let before = self.here.guards.len();
        self.here.guards.extend(guard);
        visit(self);
        self.here.guards.truncate(before);
    }
}

impl<'ast> Visit<'ast> for Scan<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.enter(&item.sig, |it| it.visit_block(&item.block));
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.enter(&item.sig, |it| it.visit_block(&item.block));
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.enter(&item.sig, |it| it.visit_block(block));
        }
    }

    fn visit_block(&mut self, block: &'ast Block) {
        lengths::early_return(self, block);
        // A lock that is released in a branch is still held behind it.
        let outside = self.here.guards.clone();
        for stmt in &block.stmts {
            self.visit_stmt(stmt);
            if let Stmt::Expr(expr, _) = stmt {
                locks::dropped(self, expr);
            }
        }
        self.here.guards = outside;
    }

    fn visit_local(&mut self, local: &'ast Local) {
        visit::visit_local(self, local);
        let Some(init) = &local.init else { return };
        chains::typed_local(self, local);
        let names = code::bound(&local.pat);
        for name in &names {
            self.here.parallel.remove(name);
        }
        if self.is_parallel(&init.expr) {
            self.here.parallel.extend(names.iter().cloned());
        }
        threads::local(self, &names, &init.expr);
        if !matches!(local.pat, Pat::Wild(_)) {
            let guard = locks::bound(&init.expr, names, local.span());
            self.here.guards.extend(guard);
        }
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        let method = call.method.to_string();
        chains::method(self, call, &method);
        lengths::method(self, call, &method);
        threads::method(self, call, &method);
        locks::method(self, call, &method);
        self.visit_expr(&call.receiver);
        if code::is_source(&method)
            || threads::runs_closures(call, &method)
            || self.is_parallel(&call.receiver)
        {
            self.visit_arguments(&call.args);
        } else {
            call.args.iter().for_each(|it| self.visit_expr(it));
        }
    }

    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        let function = self.names.rayon_call(call);
        threads::call(self, call, function.as_deref());
        locks::call(self, call, function.as_deref());
        self.visit_expr(&call.func);
        if function.is_some_and(|it| !it.contains("broadcast")) {
            self.visit_arguments(&call.args);
        } else {
            call.args.iter().for_each(|it| self.visit_expr(it));
        }
    }

    fn visit_expr_index(&mut self, index: &'ast syn::ExprIndex) {
        threads::index(self, index);
        visit::visit_expr_index(self, index);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        lengths::division(self, binary);
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_if(&mut self, branch: &'ast syn::ExprIf) {
        lengths::branches(self, branch);
        let held = locks::held_by(&branch.cond);
        self.visit_expr(&branch.cond);
        self.holding(held, |it| {
            it.visit_block(&branch.then_branch);
            if let Some((_, other)) = &branch.else_branch {
                it.visit_expr(other);
            }
        });
    }

    fn visit_expr_match(&mut self, it: &'ast syn::ExprMatch) {
        self.visit_expr(&it.expr);
        let held = locks::held_by(&it.expr);
        self.holding(held, |scan| {
            it.arms.iter().for_each(|arm| scan.visit_arm(arm))
        });
    }

    fn visit_expr_while(&mut self, it: &'ast syn::ExprWhile) {
        self.visit_expr(&it.cond);
        let held = locks::held_by(&it.cond);
        self.holding(held, |scan| scan.visit_block(&it.body));
    }

    fn visit_expr_for_loop(&mut self, it: &'ast syn::ExprForLoop) {
        self.visit_expr(&it.expr);
        let held = locks::held_by(&it.expr);
        self.holding(held, |scan| scan.visit_block(&it.body));
    }

    /// The arguments of a macro, where they look like those of a function (`assert_eq!`, `println!`, `vec!`); else statements; else nothing.
    fn visit_macro(&mut self, mac: &'ast Macro) {
        let list = Punctuated::<Expr, Token![,]>::parse_terminated;
        if let Ok(exprs) = mac.parse_body_with(list) {
            exprs.iter().for_each(|it| self.visit_expr(it));
        } else if let Ok(stmts) = mac.parse_body_with(Block::parse_within) {
            stmts.iter().for_each(|it| self.visit_stmt(it));
        }
    }
}

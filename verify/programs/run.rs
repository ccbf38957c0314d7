//! Runs programs in pools.

use super::chain::digest;
use super::dice::mix;
use super::expect::{CAUGHT, Expected, keys, work};
use super::ledger::{Ledger, Planned, Token, caught, panic_as};
use super::plant::Plant;
use super::program::{Flavour, Kind, Node};
use crate::world::{Pool, breathe};
use filch::ext::{CancelScope, CancelToken, Cancelled, JobHandle};
use filch::prelude::*;
use filch::{Scope, ScopeFifo};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// One run of a program.
#[derive(Clone)]
pub struct Run {
    pub ledger: Arc<Ledger>,
    pub expected: Arc<Expected>,
    pub pools: Arc<Vec<Pool>>,
}

/// The scope that takes jobs of the programs inside.
#[derive(Clone, Copy)]
pub enum Out<'e, 's> {
    None,
    Lifo(&'e Scope<'s>),
    Fifo(&'e ScopeFifo<'s>),
}

impl Run {
    pub fn token(&self) -> Token {
        self.ledger.token()
    }

    /// What the program gives.
    pub fn node<'p: 's, 's>(&'p self, node: &'p Node, out: Out<'_, 's>) -> u64 {
        let _open = self.ledger.enter(node.id);
        match &node.kind {
            Kind::Leaf(size) => {
                breathe();
                work(*size)
            }
            Kind::Panic => {
                breathe();
                panic_as(node.id, &self.ledger)
            }
            Kind::Catch(inner) => {
                let found = caught(|| self.node(inner, out));
                self.judge(node.id, &found);
                // What may panic counts the same whether it does.
                let calm = self.expected.caught[&node.id].panics.is_empty();
                found.ok().filter(|_| calm).unwrap_or(CAUGHT)
            }
            Kind::Join(left, right) => {
                let (left, right) = self.join(left, right, out);
                mix(left ^ right.rotate_left(1))
            }
            Kind::Scope(jobs, flavour) => self.scope(jobs, *flavour, out),
            Kind::Outer(inner) => {
                let held = self.token();
                match out {
                    Out::None => {
                        self.node(inner, out);
                    }
                    Out::Lifo(scope) => scope.spawn(move |scope| {
                        let _held = held;
                        self.node(inner, Out::Lifo(scope));
                    }),
                    Out::Fifo(scope) => scope.spawn_fifo(move |scope| {
                        let _held = held;
                        self.node(inner, Out::Fifo(scope));
                    }),
                }
                1
            }
            Kind::CancelScope(jobs, cancels) => self.cancel_scope(node.id, jobs, *cancels, out),
            Kind::Isolate(inner) => filch::isolate(|| self.node(inner, out)),
            Kind::Install(at, inner) => self.pools[*at].install(|| self.node(inner, out)),
            Kind::OwnPool(threads, inner) => {
                let pool = Pool::new(*threads);
                let result = caught(|| pool.install(|| self.node(inner, out)));
                pool.stop();
                result.unwrap_or_else(|planned| resume_unwind(planned))
            }
            Kind::Broadcast => {
                // Not in the global pool, which would have no guests after that.
                let pool = self.pools.last().expect("some pools");
                let all = pool.broadcast(|context| context.index());
                let is_all = all.into_iter().eq(0..pool.current_num_threads());
                u64::from(is_all)
            }
            Kind::Shares { at, share, .. } => {
                digest(self.pools[*at].broadcast(|_| self.node(share, out)))
            }
            Kind::Handle {
                at,
                joined_in,
                here,
                there,
            } => {
                let job = self.spawn_handle(*at, there);
                let here = caught(|| self.node(here, out));
                let there = match joined_in {
                    Some(at) => self.pools[*at].install(|| job.join()),
                    None => job.join(),
                };
                let here = here.unwrap_or_else(|planned| resume_unwind(planned));
                let there = there.unwrap_or_else(|payload| resume_unwind(payload));
                mix(here ^ there.rotate_left(1))
            }
            Kind::Locked(inner) => {
                let _held = self.ledger.lock(node.id);
                filch::isolate(|| self.node(inner, out))
            }
            Kind::Spawn(n) => self.spawn(*n),
            Kind::Sort(len, seed) => self.sort(*len, *seed),
            Kind::Chain(chain, len, inner) => self.chain(node.id, *chain, *len, inner, out),
        }
    }

    /// Notes what is wrong with what came out of a caught program.
    fn judge(&self, node: u32, found: &Result<u64, Box<Planned>>) {
        let found = found.as_ref().map_err(|planned| planned.node);
        let fault = self.expected.caught[&node].judge(node, found.copied());
        fault.into_iter().for_each(|text| self.ledger.fault(text));
    }

    fn join<'p: 's, 's>(&'p self, left: &'p Node, right: &'p Node, out: Out<'_, 's>) -> (u64, u64) {
        let half = |node: &'p Node| {
            let held = self.token();
            move || {
                let _held = held;
                self.node(node, out)
            }
        };
        let ledger = &self.ledger;
        if ledger.strikes(Plant::LostHalf) {
            return (half(left)(), 0);
        }
        if ledger.is_due(Plant::LostPanic) || ledger.is_due(Plant::LeftLoses) {
            let halves = (caught(half(left)), caught(half(right)));
            return match halves {
                (Ok(left), Ok(right)) => (left, right),
                (Err(_), Err(right)) if ledger.strikes(Plant::LeftLoses) => resume_unwind(right),
                _ if ledger.strikes(Plant::LostPanic) => (0, 0),
                (Err(planned), _) | (_, Err(planned)) => resume_unwind(planned),
            };
        }
        filch::join(half(left), half(right))
    }

    fn spawn_handle(&self, at: usize, program: &Node) -> JobHandle<u64> {
        let (run, program, held) = (self.clone(), program.clone(), self.token());
        self.pools[at].spawn_handle(move || {
            let _held = held;
            run.node(&program, Out::None)
        })
    }

    fn scope<'p: 's, 's>(&'p self, jobs: &'p [Node], flavour: Flavour, out: Out<'_, 's>) -> u64 {
        let mut results = vec![0; jobs.len()];
        let slots = results.iter_mut().zip(jobs);
        let jobs = slots
            .map(|(slot, node)| (slot, node, self.token()))
            .collect();
        let out = flavour.passes.then_some(out);
        match (flavour.fifo, flavour.in_place) {
            (false, false) => filch::scope(|scope| self.fill(scope, jobs, out)),
            (false, true) => filch::in_place_scope(|scope| self.fill(scope, jobs, out)),
            (true, false) => filch::scope_fifo(|scope| self.fill_fifo(scope, jobs, out)),
            (true, true) => filch::in_place_scope_fifo(|scope| self.fill_fifo(scope, jobs, out)),
        }
        digest(results)
    }

    /// Spawns jobs into a scope. Their own jobs for a scope go to `out`, or to this one.
    fn fill<'p: 'i + 's, 'i, 'e: 'i, 's: 'i>(
        &'p self,
        scope: &Scope<'i>,
        jobs: Vec<Job<'i, 'p>>,
        out: Option<Out<'e, 's>>,
    ) {
        for (slot, node, held) in jobs {
            scope.spawn(move |scope| {
                let _held = held;
                *slot = match out {
                    Some(out) => self.node(node, out),
                    None => self.node(node, Out::Lifo(scope)),
                };
            });
        }
    }

    /// As `fill`.
    fn fill_fifo<'p: 'i + 's, 'i, 'e: 'i, 's: 'i>(
        &'p self,
        scope: &ScopeFifo<'i>,
        jobs: Vec<Job<'i, 'p>>,
        out: Option<Out<'e, 's>>,
    ) {
        for (slot, node, held) in jobs {
            scope.spawn_fifo(move |scope| {
                let _held = held;
                *slot = match out {
                    Some(out) => self.node(node, out),
                    None => self.node(node, Out::Fifo(scope)),
                };
            });
        }
    }

    fn cancel_scope<'p: 's, 's>(
        &'p self,
        id: u32,
        jobs: &'p [Node],
        cancels: usize,
        out: Out<'_, 's>,
    ) -> u64 {
        let token = CancelToken::new();
        let (begun, ended) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let outcome = token.scope(|scope: &CancelScope<'_, '_>| {
            for (i, job) in jobs.iter().enumerate() {
                let held = self.token();
                let (begun, ended) = (&begun, &ended);
                scope.spawn(move |scope| {
                    let _held = held;
                    begun.fetch_add(1, Ordering::Relaxed);
                    if i == cancels {
                        scope.token().cancel();
                    }
                    self.node(job, out);
                    ended.fetch_add(1, Ordering::Relaxed);
                });
            }
        });
        let done = match outcome {
            Ok(()) => jobs.len(),
            Err(Cancelled { done, .. }) => done,
        };
        let (begun, ended) = (begun.into_inner(), ended.into_inner());
        self.ledger.ensure(done == begun && done == ended, || {
            format!("node {id} says that {done} jobs ran, while {begun} began and {ended} ended")
        });
        17
    }

    fn spawn(&self, n: u64) -> u64 {
        let (result, held) = (Arc::new(Mutex::new(None)), self.token());
        let slot = Arc::clone(&result);
        filch::spawn(move || {
            let _held = held;
            *slot.lock().unwrap() = Some(mix(n));
        });
        loop {
            if let Some(result) = result.lock().unwrap().take() {
                return result;
            }
            // On a thread of a pool the job may be ours to run.
            if filch::yield_now() != Some(filch::Yield::Executed) {
                crate::world::yield_now();
            }
        }
    }

    fn sort(&self, len: u64, seed: u64) -> u64 {
        let mut keys = keys(len, seed);
        match seed % 7 {
            0 => keys.par_sort(),
            1 => keys.par_sort_unstable(),
            2 => keys.par_sort_by(|a, b| a.cmp(b)),
            3 => filch::algo::radix_sort(&mut keys),
            4 => keys = merged(keys),
            5 => {
                // Elements that have to be dropped.
                let mut held: Vec<_> = keys.drain(..).map(|key| (key, self.token())).collect();
                held.par_sort_by_key(|(key, _)| *key);
                keys = held.into_par_iter().map(|(key, _)| key).collect();
            }
            _ => keys.par_sort_by_cached_key(|key| *key),
        }
        digest(keys)
    }
}

/// Where the result goes, what gives it, and what the job holds.
type Job<'i, 'p> = (&'i mut u64, &'p Node, Token);

/// The keys in order, by sorting halves and merging them.
fn merged(mut keys: Vec<u64>) -> Vec<u64> {
    let half = keys.len() / 2;
    let (left, right) = keys.split_at_mut(half);
    filch::join(|| left.par_sort(), || right.par_sort());
    filch::algo::merge(left, right)
}

//! The stealing core: joins, scopes, spawns, broadcasts and pools.

mod active;
mod broadcast;
mod build_failures;
mod builder;
mod deprecated;
mod fairness;
mod guests;
mod handlers;
mod index;
mod install;
mod join;
mod join_panics;
mod order;
mod pool_life;
mod scope;
mod scope_memory;
mod scope_panics;
mod single_thread;
mod spawn;
mod yielding;

//! Tells the program which compiler made it.

use std::{env, process::Command};

fn main() {
    let version = env::var("RUSTC")
        .ok()
        .and_then(|rustc| Command::new(rustc).arg("--version").output().ok())
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .unwrap_or_default();
    // "rustc 1.90.0 (hash date)"
    let number = version.split(' ').nth(1).unwrap_or("unknown");
    println!("cargo::rustc-env=COMPILER={number}");
    println!("cargo::rerun-if-changed=build.rs");
}

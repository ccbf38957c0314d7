//! A small application, `compat/app`, whose dependencies implement rayon's traits for rayon: with `[patch.crates-io]` they do for filch.

use std::path::Path;
use std::process::Command;

#[test]
#[ignore = "it builds an application: `.ci/run patched`"]
fn an_application_moves_with_its_dependencies() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("compat/app/Cargo.toml");
    let run = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--manifest-path"])
        .arg(manifest)
        .arg("--target-dir")
        .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join("patched"))
        // It is built for one run.
        .envs([
            ("CARGO_PROFILE_DEV_DEBUG", "false"),
            ("CARGO_INCREMENTAL", "0"),
        ])
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&run.stdout);
    assert!(
        run.status.success() && printed.trim() == "filch::core::thread_pool::ThreadPool",
        "{printed}\n{}",
        String::from_utf8_lossy(&run.stderr)
    );
}

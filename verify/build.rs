//! Plants the bug that the environment variable `FILCH_CANARY` names. A flag for the compiler would do too, but it would build loom anew
//! for every bug.

fn main() {
    println!("cargo:rerun-if-env-changed=FILCH_CANARY");
    if let Ok(canary) = std::env::var("FILCH_CANARY")
        && !canary.is_empty()
    {
        println!("cargo:rustc-cfg=filch_canary=\"{canary}\"");
    }
}

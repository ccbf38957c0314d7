//! Puts the crate on shuttle, and plants the bug that the environment variable `FILCH_CANARY` names.

fn main() {
    println!("cargo:rustc-cfg=filch_shuttle");
    println!("cargo:rerun-if-env-changed=FILCH_CANARY");
    if let Ok(canary) = std::env::var("FILCH_CANARY")
        && !canary.is_empty()
    {
        println!("cargo:rustc-cfg=filch_canary=\"{canary}\"");
    }
}

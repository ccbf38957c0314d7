//! Puts the crate on shuttle.

fn main() {
    println!("cargo:rustc-cfg=filch_shuttle");
}

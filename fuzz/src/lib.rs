//! Fuzz targets: bytes are read as a call into filch, whose outcome is checked. A target panics if it is wrong.
//!
//! ```text
//! cargo fuzz run chains                                                              with cargo-fuzz
//! cargo run --release --manifest-path fuzz/Cargo.toml --bin chains -- --seconds 60   without: on random bytes
//! cargo run --release --manifest-path fuzz/Cargo.toml --bin chains -- FILE...        on these files, or all files of a folder
//! cargo test --release --manifest-path fuzz/Cargo.toml                               the corpus, and a few hundred random inputs
//! ```

pub mod alone;
mod bytes;
mod chains;
pub mod guided;
mod ledger;
mod lying_producers;
mod pools;
mod sort_comparators;

pub use chains::chains;
pub use lying_producers::lying_producers;
pub use sort_comparators::sort_comparators;

//! How much a test tries: little by default, so that all tests are soon over, and more on request.

use std::sync::LazyLock;

/// The number of cases to try: so many by default, and as many times as many as the variable `FILCH_TEST_CASES` says.
pub fn cases(by_default: u32) -> u32 {
    static FACTOR: LazyLock<u32> = LazyLock::new(|| match std::env::var("FILCH_TEST_CASES") {
        Ok(text) => text.parse().expect("FILCH_TEST_CASES is a number"),
        Err(_) => 1,
    });
    by_default.saturating_mul((*FACTOR).max(1))
}

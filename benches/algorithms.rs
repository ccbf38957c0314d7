//! What do the algorithms take, beside std and all rivals, by criterion's clock?
//!
//! ```text
//! cargo bench --bench algorithms -- "sort: u64, stable"
//! ```
//!
//! Criterion measures one contender after the other, so on a machine that others use ratios are better had from `sort`, `scan_pack`, `group` and
//! `trees`, whose contenders take turns, and which have more cases.

use suite::families;

fn main() {
    for family in [
        families::sort,
        families::scan_pack,
        families::group,
        families::trees,
    ] {
        suite::criterion::run(&family);
    }
}

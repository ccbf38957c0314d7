//! The place for a sub-root is read while one sub-root ends and the next one begins.

use super::check;
use crate::core::above::Above;
use crate::core::root::Root;
use loom::thread;
use std::sync::Arc;

/// What is above each sub-root is its own root, or, before it begins and when it has ended, nothing.
#[test]
fn reader_meets_the_next_sub_root() {
    check("reader_meets_the_next_sub_root", 3, || {
        let [first, second, root, other] = [1, 2, 3, 4].map(Root::isolated);
        let above = Arc::new(Above::nothing());
        assert!(above.put(first, root), "nothing was here");
        assert!(!above.put(second, other), "the first one is here");
        let writer = thread::spawn({
            let above = Arc::clone(&above);
            move || {
                above.end(first);
                assert!(above.put(second, other), "the first one is over");
            }
        });
        for (sub_root, its_root) in [(first, root), (second, other)] {
            assert!(
                above.of(sub_root).is_none_or(|found| found == its_root),
                "the root above another sub-root was found"
            );
        }
        writer.join().unwrap();
        assert!(above.of(first).is_none() && above.of(second) == Some(other));
    });
}

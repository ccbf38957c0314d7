//! Panics on purpose. They skip the panic hook, so a passing test prints nothing.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// The payload of a panic on purpose, with a number to know it by.
#[derive(Debug, PartialEq)]
pub struct Planted(pub usize);

/// Panics with this number.
pub fn planted(id: usize) -> ! {
    resume_unwind(Box::new(Planted(id)))
}

/// Runs `f`, and gives the number of the panic that came out of it. Any other panic travels on.
pub fn caught<R>(f: impl FnOnce() -> R) -> Result<R, usize> {
    catch_unwind(AssertUnwindSafe(f)).map_err(|payload| match payload.downcast::<Planted>() {
        Ok(planted) => planted.0,
        Err(other) => resume_unwind(other),
    })
}

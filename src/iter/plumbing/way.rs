//! How closely a call is looked at; see the table in [`run`](super::run).

/// How closely a call is looked at.
pub(super) enum Way {
    /// Not at all: it has one item, or none.
    Lone,
    /// Not at all.
    Blind,
    /// With two looks, at items that should cost this much each.
    Tiny(f64),
    /// As the driver does.
    Driven,
}

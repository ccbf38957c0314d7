//! A row of the table: a source, an adaptor or an end, in both forms, and what it asks for and promises.
//!
//! In templates `{s}` stands for a salt, `{k}` for a small number from 1 on, `{b}` for one of any size, `{m}` for how rare something is, `{n}` for the length of
//! a source, `{v}` for the name of a variable, `{a}` and `{a2}` for nested chains, `{p}` for the chain before an end, `{one}` for an item.

/// Which items an adaptor or end can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    Any,
    /// `u64`.
    Number,
    /// `u64` or `Token`.
    Plain,
    /// References to `u64`.
    Ref,
    /// References to `u64` or to `Token`.
    Lent,
    /// Something that can be flattened.
    List,
    /// Pairs.
    Pair,
}

/// Which items come out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gives {
    Same,
    Number,
    Token,
    /// References to `u64`.
    Ref,
    /// References to `Token`.
    Lent,
    /// What references refer to.
    Owned,
    /// A type by its name.
    Other(&'static str),
    /// Slices of `u64`, which can be flattened, by their name.
    Slices(&'static str),
    /// `(u64, Token)`.
    Pair,
    /// `(usize, T)`.
    Numbered,
    /// `(T, U)`, with a nested chain's items.
    Zipped,
    /// `Vec<T>`.
    List,
    /// `[T; 3]`.
    Array,
    /// The items of what can be flattened.
    Flat,
    /// The nested chain's items.
    Nested,
}

/// What becomes of positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Index {
    /// What is indexed stays so.
    Keeps,
    /// Only for what is indexed, and stays so.
    Needs,
    /// Only for what is indexed, and is so no more.
    Ends,
    /// Is indexed no more.
    Loses,
}

/// What nested chains there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nested {
    None,
    /// One with the same items.
    Same,
    /// One with the same items, indexed.
    SameIndexed,
    /// One with any items, indexed.
    Indexed,
    /// One in a closure.
    Inner,
    /// Two with the same items.
    Two,
    /// Two with any items, indexed.
    TwoIndexed,
}

/// What becomes of the number of items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counts {
    /// There are as many.
    Keeps,
    /// There are others, as many as on std.
    Changes,
    /// `{k}` of them, any.
    AtMost,
    /// All but `{k}`, any.
    Without,
    /// Some of them, any.
    Some,
}

#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// What it stands for, as `Trait::method`.
    pub name: &'static str,
    pub by_filch: &'static str,
    pub by_std: &'static str,
    /// A variable that the chain borrows from.
    pub variable: &'static str,
    pub takes: Takes,
    pub gives: Gives,
    pub index: Index,
    pub nested: Nested,
    pub counts: Counts,
    /// How many items come of one.
    pub grows: usize,
    /// For a source: items come in no order.
    pub unordered: bool,
    /// What comes out depends on the order of the items.
    pub by_order: bool,
    /// Borrows from the data or from a variable.
    pub borrows: bool,
    /// Only for chains that borrow nothing.
    pub owned: bool,
    /// Stops when it knows enough.
    pub early: bool,
    /// Some items may not be computed, though nothing stops early.
    pub skips: bool,
    /// Of `filch::ext`.
    pub ext: bool,
    /// How an end's results are compared, as a variant of `Check`.
    pub check: &'static str,
    /// How often it is drawn.
    pub weight: usize,
}

/// A row with the same source in both forms.
pub const fn row(name: &'static str, by_filch: &'static str) -> Row {
    Row {
        name,
        by_filch,
        by_std: by_filch,
        variable: "",
        takes: Takes::Any,
        gives: Gives::Same,
        index: Index::Keeps,
        nested: Nested::None,
        counts: Counts::Keeps,
        grows: 1,
        unordered: false,
        by_order: false,
        borrows: false,
        owned: false,
        early: false,
        skips: false,
        ext: false,
        check: "Exact",
        weight: 4,
    }
}

impl Row {
    /// Gives it another form on std's iterators.
    pub const fn std(mut self, by_std: &'static str) -> Row {
        self.by_std = by_std;
        self
    }

    pub const fn takes(mut self, takes: Takes) -> Row {
        self.takes = takes;
        self
    }

    pub const fn gives(mut self, gives: Gives) -> Row {
        self.gives = gives;
        self
    }

    pub const fn index(mut self, index: Index) -> Row {
        self.index = index;
        self
    }

    /// An adaptor after which nothing is indexed.
    pub const fn loses(self) -> Row {
        self.index(Index::Loses)
    }

    /// An adaptor, or end, for what is indexed.
    pub const fn needs(self) -> Row {
        self.index(Index::Needs)
    }

    pub const fn nested(mut self, nested: Nested) -> Row {
        self.nested = nested;
        self
    }

    pub const fn counts(mut self, counts: Counts) -> Row {
        self.counts = counts;
        self
    }

    /// There are other items than before, as many as on std.
    pub const fn changes(self) -> Row {
        self.counts(Counts::Changes)
    }

    pub const fn grows(mut self, grows: usize) -> Row {
        self.grows = grows;
        self
    }

    pub const fn unordered(mut self) -> Row {
        self.unordered = true;
        self
    }

    pub const fn by_order(mut self) -> Row {
        self.by_order = true;
        self
    }

    pub const fn borrows(mut self) -> Row {
        self.borrows = true;
        self
    }

    /// Borrows from a variable that is made before the chain.
    pub const fn variable(mut self, variable: &'static str) -> Row {
        self.variable = variable;
        self.borrows()
    }

    pub const fn owned(mut self) -> Row {
        self.owned = true;
        self
    }

    pub const fn early(mut self) -> Row {
        self.early = true;
        self
    }

    pub const fn skips(mut self) -> Row {
        self.skips = true;
        self
    }

    /// Whether all items are computed.
    pub const fn is_eager(&self) -> bool {
        !self.early && !self.skips
    }

    pub const fn ext(mut self) -> Row {
        self.ext = true;
        self
    }

    pub const fn check(mut self, check: &'static str) -> Row {
        self.check = check;
        self
    }

    pub const fn weight(mut self, weight: usize) -> Row {
        self.weight = weight;
        self
    }
}

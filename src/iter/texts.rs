//! Strings made of, and extended with, the pieces of text that parallel iterators yield.

use super::sinks::collect::is_roomy;
use super::sinks::pour::pour;
use super::{FromParallelIterator, IntoParallelIterator, ParallelExtend};
use std::borrow::Cow;
use std::ffi::{OsStr, OsString};

/// A string, how another one is put behind it, and what it is made of. Its parts are strings.
macro_rules! texts {
    ($Text:ident, $push:ident: $([$($life:tt)*] $Item:ty;)*) => { $(
        impl<$($life)*> ParallelExtend<$Item> for $Text {
            fn par_extend<I_: IntoParallelIterator<Item = $Item>>(&mut self, par_iter: I_) {
                pour(self, par_iter.into_par_iter(), |text, part: $Text| text.$push(&part));
            }
        }

        impl<$($life)*> FromParallelIterator<$Item> for $Text {
            fn from_par_iter<I_: IntoParallelIterator<Item = $Item>>(par_iter: I_) -> Self {
                let mut text = $Text::new();
                text.par_extend(par_iter);
                if is_roomy::<u8>(text.len(), text.capacity()) {
                    text.shrink_to_fit();
                }
                text
            }
        }
    )* };
}
texts! {
    String, push_str:
    [] char;
    ['a] &'a char;
    ['a] &'a str;
    [] String;
    [] Box<str>;
    ['a] Cow<'a, str>;
}
texts! {
    OsString, push:
    ['a] &'a OsStr;
    [] OsString;
    ['a] Cow<'a, OsStr>;
}

/// Boxed strings, which are made as strings.
macro_rules! boxed {
    ($([$($life:tt)*] $Item:ty;)*) => { $(
        impl<$($life)*> FromParallelIterator<$Item> for Box<str> {
            fn from_par_iter<I_: IntoParallelIterator<Item = $Item>>(par_iter: I_) -> Self {
                String::from_par_iter(par_iter).into_boxed_str()
            }
        }
    )* };
}
boxed! {
    [] char;
    ['a] &'a char;
    ['a] &'a str;
    [] String;
    [] Box<str>;
    ['a] Cow<'a, str>;
}

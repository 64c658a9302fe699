//! Ids: numbers that stand for things of one kind, so that those of two kinds cannot be confused.

/// Declares types for ids, each with `index()`: `ids! { /// A state. StateId(pub u32); }`. The visibility says who may
/// make one of a number.
#[macro_export]
macro_rules! ids {
    ($($(#[$attribute:meta])* $id:ident($visibility:vis u32);)*) => {$(
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $id($visibility u32);

        impl $id {
            /// Its position among its kind, counted from 0.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sets of repairs: a protocol as published has none of them, the repaired protocol has all.

/// Declares the repairs of a protocol, each one bit of a set.
///
/// ```
/// awgstar_sync::repairs! {
///     /// Repairs of a door.
///     pub struct DoorRepairs {
///         /// A hinge.
///         HINGE = 0 "hinge";
///         /// A handle.
///         HANDLE = 1 "handle";
///     }
/// }
/// let without = DoorRepairs::ALL.without(DoorRepairs::HINGE);
/// assert!(without.has(DoorRepairs::HANDLE) && !without.has(DoorRepairs::HINGE));
/// assert_eq!(without, DoorRepairs::NONE.with(DoorRepairs::HANDLE));
/// assert_eq!(DoorRepairs::LIST[0].1, "hinge");
/// ```
#[macro_export]
macro_rules! repairs {
    ($(#[$doc:meta])* pub struct $name:ident {
        $($(#[$one_doc:meta])* $one:ident = $bit:literal $one_name:literal;)*
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $name(u16);

        impl $name {
            $($(#[$one_doc])* pub const $one: $name = $name(1 << $bit);)*
            /// The protocol as published: no repair.
            pub const NONE: $name = $name(0);
            /// Repaired.
            pub const ALL: $name = $name($(1 << $bit)|*);
            /// Every repair and its name.
            pub const LIST: &'static [($name, &'static str)] = &[$(($name::$one, $one_name)),*];

            /// Returns true if all of `some` are made.
            #[must_use]
            pub const fn has(self, some: $name) -> bool {
                self.0 & some.0 == some.0
            }

            /// These and `some`.
            #[must_use]
            pub const fn with(self, some: $name) -> $name {
                $name(self.0 | some.0)
            }

            /// These without `some`.
            #[must_use]
            pub const fn without(self, some: $name) -> $name {
                $name(self.0 & !some.0)
            }
        }
    };
}

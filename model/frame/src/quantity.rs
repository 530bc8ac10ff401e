// SPDX-License-Identifier: MIT OR Apache-2.0
//! Quantities as types, so that node numbers, byte addresses, cycles and nanoseconds cannot be exchanged by
//! mistake.
//!
//! Every value of the inner integer is valid, so it is public: `NodeId(3)`, `id.0`. `Display` and `Debug`
//! write the number alone, so that tables, vectors and states such as `waiting [0, 2]` hold numbers.

use core::{
    fmt,
    iter::Sum,
    ops::{Add, AddAssign, BitOr, Div, Mul, Sub},
};

/// Number of a node: the low byte of its MAC, and its place on the ring.
#[repr(transparent)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u8);

impl NodeId {
    /// The nodes of a ring of `count`, from 0; a ring has at most 256.
    ///
    /// ```
    /// use awgstar_frame::quantity::NodeId;
    /// assert!(NodeId::all(2).eq([NodeId(0), NodeId(1)]));
    /// assert_eq!(NodeId::all(300).count(), 256);
    /// ```
    pub fn all(count: usize) -> impl Iterator<Item = NodeId> {
        (0..=u8::MAX).take(count).map(NodeId)
    }

    /// The node at a place that is known to be on a ring; see [`narrow`].
    #[must_use]
    pub fn at(at: usize) -> NodeId {
        NodeId(narrow(at))
    }

    /// Position on the ring, to index a list of nodes.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<NodeId> for u32 {
    fn from(id: NodeId) -> u32 {
        id.0.into()
    }
}

/// A byte address: of the shared memory, or of the bus of a host, where the shared memory begins at
/// [`WINDOW_BIT`](crate::contract::board::WINDOW_BIT). `addr + 4` is the address 4 bytes later.
///
/// ```
/// use awgstar_frame::quantity::ByteAddress;
/// let addr = ByteAddress::at_word(16) + 5;
/// assert_eq!((addr, addr.word(), addr.is_aligned()), (ByteAddress(69), 17, false));
/// assert_eq!(addr.aligned(), ByteAddress(68));
/// assert_eq!(addr.checked_add(u32::MAX), None);
/// assert_eq!(format!("{addr} {addr:#06x}"), "69 0x0045");
/// ```
#[repr(transparent)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ByteAddress(pub u32);

impl ByteAddress {
    /// Address of the first byte of a 32-bit word, by its index; see [`narrow`].
    #[must_use]
    pub fn at_word(index: usize) -> ByteAddress {
        ByteAddress(narrow(4 * index))
    }

    /// The address of a byte at an index that is known to fit 32 bits; see [`narrow`].
    #[must_use]
    pub fn at(index: usize) -> ByteAddress {
        ByteAddress(narrow(index))
    }

    /// Index in a list of bytes.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Index of the 32-bit word that has this byte.
    #[must_use]
    pub const fn word(self) -> usize {
        self.0 as usize / 4
    }

    /// Lane of the byte within its word, 0 to 3.
    #[must_use]
    pub const fn lane(self) -> usize {
        self.0 as usize % 4
    }

    /// Returns true if this is the address of a word: a multiple of 4.
    #[must_use]
    pub const fn is_aligned(self) -> bool {
        self.0.is_multiple_of(4)
    }

    /// Address of the word that has this byte.
    #[must_use]
    pub const fn aligned(self) -> ByteAddress {
        ByteAddress(self.0 & !3)
    }

    /// The address `bytes` later; `None` beyond 32 bits.
    #[must_use]
    pub fn checked_add(self, bytes: u32) -> Option<ByteAddress> {
        self.0.checked_add(bytes).map(ByteAddress)
    }
}

impl Add<u32> for ByteAddress {
    type Output = ByteAddress;

    fn add(self, bytes: u32) -> ByteAddress {
        ByteAddress(self.0 + bytes)
    }
}

impl AddAssign<u32> for ByteAddress {
    fn add_assign(&mut self, bytes: u32) {
        self.0 += bytes;
    }
}

impl Sub for ByteAddress {
    type Output = u32;

    fn sub(self, earlier: ByteAddress) -> u32 {
        self.0 - earlier.0
    }
}

impl BitOr<u32> for ByteAddress {
    type Output = ByteAddress;

    fn bitor(self, bits: u32) -> ByteAddress {
        ByteAddress(self.0 | bits)
    }
}

impl fmt::Display for ByteAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for ByteAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::LowerHex for ByteAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::LowerHex::fmt(&self.0, f)
    }
}

macro_rules! times {
    ($($(#[$doc:meta])* $name:ident;)*) => { $(
        $(#[$doc])*
        #[repr(transparent)]
        #[cfg_attr(
            feature = "serde",
            derive(serde::Serialize, serde::Deserialize),
            serde(transparent)
        )]
        #[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u64);

        impl $name {
            /// The greatest value: a moment that never comes.
            pub const MAX: $name = $name(u64::MAX);

            /// The moment `span` later; the greatest value if that is beyond 64 bits.
            #[must_use]
            pub const fn saturating_add(self, span: $name) -> $name {
                $name(self.0.saturating_add(span.0))
            }

            /// From `earlier` to this moment; 0 if `earlier` is later.
            #[must_use]
            pub const fn saturating_sub(self, earlier: $name) -> $name {
                $name(self.0.saturating_sub(earlier.0))
            }

            /// How often `span` fits into this one, rounded up; `span` is not 0.
            #[must_use]
            pub const fn div_ceil(self, span: $name) -> u64 {
                self.0.div_ceil(span.0)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl From<u32> for $name {
            fn from(number: u32) -> $name {
                $name(number.into())
            }
        }

        impl Add for $name {
            type Output = $name;

            fn add(self, span: $name) -> $name {
                $name(self.0 + span.0)
            }
        }

        impl AddAssign for $name {
            fn add_assign(&mut self, span: $name) {
                self.0 += span.0;
            }
        }

        impl Sub for $name {
            type Output = $name;

            fn sub(self, earlier: $name) -> $name {
                $name(self.0 - earlier.0)
            }
        }

        impl Mul<u64> for $name {
            type Output = $name;

            fn mul(self, times: u64) -> $name {
                $name(self.0 * times)
            }
        }

        impl Mul<$name> for u64 {
            type Output = $name;

            fn mul(self, span: $name) -> $name {
                span * self
            }
        }

        impl Div<u64> for $name {
            type Output = $name;

            fn div(self, parts: u64) -> $name {
                $name(self.0 / parts)
            }
        }

        impl Sum for $name {
            fn sum<I: Iterator<Item = $name>>(spans: I) -> $name {
                $name(spans.map(|span| span.0).sum())
            }
        }
    )* };
}

times! {
    /// A moment or a span in cycles of the link clock ([`CLOCK_HZ`](crate::contract::limits::CLOCK_HZ)).
    Cycle;
    /// A moment or a span in nanoseconds.
    Nanoseconds;
}

/// An integer that [`narrow`] can give.
pub trait Narrow: Copy {
    /// The greatest value.
    const MAX: Self;
}

macro_rules! narrows {
    ($($int:ident)*) => { $(impl Narrow for $int { const MAX: $int = $int::MAX; })* };
}
narrows!(u8 u16 u32 u64 usize i64);

/// `value` in a narrower type that it is known to fit into: a bound checked before, or a remainder.
///
/// A debug build asserts that it fits. A release build gives the greatest value instead, so that a run
/// that was accepted does not end in a panic. Not for what a user types or a frame carries: that is
/// checked with `try_from` and refused.
#[must_use]
#[track_caller]
pub fn narrow<T: Narrow>(value: impl TryInto<T>) -> T {
    let narrowed = value.try_into();
    debug_assert!(narrowed.is_ok(), "a value beyond its bound");
    narrowed.unwrap_or(T::MAX)
}

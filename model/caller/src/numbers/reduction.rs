// SPDX-License-Identifier: MIT OR Apache-2.0
//! What two numbers become.

/// What two numbers become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    Sum,
    Product,
    Min,
    Max,
    /// Of the values without sign.
    AbsMin,
    AbsMax,
    /// Of integers only, as the following.
    BitAnd,
    BitOr,
    BitXor,
    And,
    Or,
    Xor,
}

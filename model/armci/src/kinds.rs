// SPDX-License-Identifier: MIT OR Apache-2.0
//! Types and operations of `message.h` and `mpi.h` as numbers and reductions.

use awgstar_caller::numbers::{Number, Reduction};
use std::ffi::c_int;

/// Type of `message.h`.
pub(crate) fn armci_type(type_: c_int) -> Option<Number> {
    let all =
        [Number::Signed32, Number::Signed64, Number::Signed64, Number::Float32, Number::Float64];
    all.get(usize::try_from(type_).ok()?).copied()
}

/// Type of `mpi.h`.
pub(crate) fn mpi_type(type_: c_int) -> Option<Number> {
    let all = [
        Number::Unsigned8,
        Number::Signed32,
        Number::Unsigned32,
        Number::Signed64,
        Number::Unsigned64,
        Number::Float32,
        Number::Float64,
    ];
    all.get(usize::try_from(type_.checked_sub(1)?).ok()?).copied()
}

/// Operation of `message.h`.
pub(crate) fn armci_reduction(op: &str) -> Option<Reduction> {
    Some(match op {
        "+" => Reduction::Sum,
        "*" => Reduction::Product,
        "min" => Reduction::Min,
        "max" => Reduction::Max,
        "absmin" => Reduction::AbsMin,
        "absmax" => Reduction::AbsMax,
        "or" => Reduction::BitOr,
        _ => return None,
    })
}

/// Operation of `mpi.h`.
pub(crate) fn mpi_reduction(op: c_int) -> Option<Reduction> {
    let all = [
        Reduction::Sum,
        Reduction::Product,
        Reduction::Min,
        Reduction::Max,
        Reduction::BitAnd,
        Reduction::BitOr,
        Reduction::BitXor,
        Reduction::And,
        Reduction::Or,
        Reduction::Xor,
    ];
    all.get(usize::try_from(op.checked_sub(1)?).ok()?).copied()
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Commands for those who change the code. Users of the project have `awgstar`.

#![forbid(unsafe_code)]

pub mod house;
pub mod site;
pub mod times;

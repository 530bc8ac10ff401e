// SPDX-License-Identifier: MIT OR Apache-2.0
//! Shared memory virtualisation (PAG-1 to PAG-8).

mod bench;
mod documents;
mod holds;
mod printed;
mod units;

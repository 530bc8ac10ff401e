// SPDX-License-Identifier: MIT OR Apache-2.0
//! `system = "board-ring"`: rings of boards, with hosts that access them or firmware on them.

mod act;
mod convert;
mod processes;
mod program;
mod router;

pub(super) use convert::{convert, noise};
pub(super) use processes::{firmware_of, for_processes};
pub(super) use program::VARIANTS;
use program::{choice, firmware};
pub(super) use {act::STATES, router::LOSSES};

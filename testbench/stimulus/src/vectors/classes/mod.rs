// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vector classes. Within a class neighbours differ in every field and in length, so that what
//! a module keeps from one frame to the next shows.

mod bad_content;
mod bad_fcs;
mod bad_length;
mod build;
mod crc;
mod good_data;
mod good_header;
mod good_link;
mod good_signals;
mod link_defects;
mod mixed;
mod random;
mod tx_inputs;
mod tx_stream;

pub use random::random;

use crate::vectors::vector::Class;

/// Every class, frame classes first.
#[must_use]
pub fn all() -> Vec<Class> {
    [
        good_header::classes(),
        good_signals::classes(),
        good_data::classes(),
        good_link::classes(),
        bad_fcs::classes(),
        bad_length::classes(),
        bad_content::classes(),
        link_defects::classes(),
        mixed::classes(),
        tx_inputs::classes(),
        tx_stream::classes(),
        crc::classes(),
    ]
    .concat()
}

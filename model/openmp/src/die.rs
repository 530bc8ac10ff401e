// SPDX-License-Identifier: MIT OR Apache-2.0
//! Messages of the library, and the end of a run that cannot go on.

use crate::{rank, system};

/// Prints a line to standard error, after `awgstar: openmp:` and the node.
pub(crate) fn say(text: &str) {
    let node = if rank::started() { format!("node {}: ", rank::rank()) } else { String::new() };
    system::write(2, format!("awgstar: openmp: {node}{text}\n").as_bytes());
}

/// Ends the run with a message.
pub(crate) fn end(text: &str) -> ! {
    say(text);
    if let Some(forked) = rank::forked() {
        forked.set_told();
    }
    system::exit(1)
}

/// Ends the run with a message that is made here.
macro_rules! die {
    ($($arg:tt)*) => { $crate::die::end(&format!($($arg)*)) };
}
pub(crate) use die;

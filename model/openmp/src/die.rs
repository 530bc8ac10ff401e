// SPDX-License-Identifier: MIT OR Apache-2.0
//! Messages of the library, and the end of a run that cannot go on.

use crate::system;
use awgstar_program::Forked;
use std::{
    fmt,
    panic::Location,
    sync::{
        OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
};

/// Words shared with the launcher.
static FORKED: OnceLock<&'static Forked> = OnceLock::new();
/// Number of this node; `usize::MAX` before the fork.
static NODE: AtomicUsize = AtomicUsize::new(usize::MAX);

/// The launcher is to know who has said why the run ends.
pub(crate) fn set_forked(forked: &'static Forked) {
    // A process reads the launcher's options once.
    let _ = FORKED.set(forked);
}

/// Messages name this node from now on.
pub(crate) fn set_node(node: usize) {
    NODE.store(node, Ordering::Relaxed);
}

/// Ends this process after a message.
fn exit() -> ! {
    if let Some(forked) = FORKED.get() {
        forked.set_told();
    }
    system::exit(1)
}

/// Prints a line to standard error, after `awgstar: openmp:` and the node.
pub(crate) fn say(text: &str) {
    let node = match NODE.load(Ordering::Relaxed) {
        usize::MAX => String::new(),
        node => format!("node {node}: "),
    };
    system::write(2, format!("awgstar: openmp: {node}{text}\n").as_bytes());
}

/// Ends the run with a message.
pub(crate) fn end(text: &str) -> ! {
    say(text);
    exit()
}

/// A text of limited length: made without the allocator, whose state may be the one in use.
struct Line {
    bytes: [u8; 512],
    len: usize,
}

impl fmt::Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = self.bytes.len() - self.len;
        let part = &text.as_bytes()[..text.len().min(room)];
        self.bytes[self.len..self.len + part.len()].copy_from_slice(part);
        self.len += part.len();
        Ok(())
    }
}

/// Ends the run: a state of the library is used at two places at once.
pub(crate) fn second_borrow(first: &Location<'_>, second: &Location<'_>) -> ! {
    let mut line = Line { bytes: [0; 512], len: 0 };
    let text = format_args!(
        "awgstar: openmp: internal: a state is used at {second} while it is used at {first}\n"
    );
    if fmt::Write::write_fmt(&mut line, text).is_ok() {
        system::write(2, &line.bytes[..line.len]);
    }
    exit()
}

/// Ends the run with a message that is made here.
macro_rules! die {
    ($($arg:tt)*) => { $crate::die::end(&format!($($arg)*)) };
}
pub(crate) use die;

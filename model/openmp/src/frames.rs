// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames of the program on its own stack: where they end, and where the program called the library.

use crate::{
    cell::Value,
    layout::{PAGE, SLICES, STACKS, page},
    objects,
};
use std::ops::Range;

/// Lowest address and top of the own stack of the program; zeros before the fork.
static STACK: Value<(usize, usize)> = Value::new((0, 0));
/// End of the program's stack when the library was entered.
static END: Value<usize> = Value::new(0);
/// The region that ends now, for [`caller`].
static ENDING: Value<usize> = Value::new(0);

/// Lowest address and top of the own stack of the program; zeros before the fork, and with one node.
pub(crate) fn stack() -> (usize, usize) {
    STACK.get()
}

/// Sets them.
pub(crate) fn set_stack(base: usize, top: usize) {
    STACK.set((base, top));
}

/// Returns true if the address is on the own stack of the program.
pub(crate) fn on_stack(at: usize) -> bool {
    let (base, top) = STACK.get();
    (base..top).contains(&at)
}

/// Where the stack of the program ends, below which it has nothing that other ranks need.
pub(crate) fn end() -> usize {
    END.get()
}

/// Sets it: the library was entered, or an instruction of the program trapped.
pub(crate) fn set_end(sp: usize) {
    END.set(sp);
}

/// A region with this body ends; 0 when it has ended.
pub(crate) fn set_ending(body: usize) {
    ENDING.set(body);
}

/// Words of the stack in which the return address to the program is looked for.
const FRAMES: usize = 256;

/// First return address to the program from a stack pointer on, and where it is.
fn return_address(sp: usize) -> Option<(usize, usize)> {
    let top = sp.saturating_add(8 * FRAMES).min(STACK.get().1);
    // SAFETY: the words are on the stack of the program, below its top.
    let word = |at: usize| unsafe { (at as *const usize).read() };
    let mut all = (sp..top.saturating_sub(7)).step_by(8).map(|at| (at, word(at)));
    all.find(|&(_, value)| objects::in_program(value))
}

/// Where the frames of the program end, when the stack pointer is in a frame of the library: what the library
/// has on the stack is no data of the program.
pub(crate) fn end_from(sp: usize) -> usize {
    return_address(sp).map_or(sp, |(at, _)| at + 8)
}

/// The place in the program from which the library was entered.
pub(crate) fn caller() -> usize {
    if ENDING.get() != 0 {
        return ENDING.get();
    }
    // The return address is just below what the program has on the stack.
    return_address(END.get().saturating_sub(8)).map_or(0, |(_, value)| value)
}

/// Pages of the thread-local variables of the first thread, which the C library has mapped.
static FIRST_TLS: Value<(usize, usize)> = Value::new((0, 0));

/// Sets them, before the fork.
pub(crate) fn set_first_tls(tls: &Range<usize>) {
    FIRST_TLS.set((page(tls.start), page(tls.end + PAGE - 1)));
}

/// Returns true for an address whose page may have a protocol. Stacks and thread-local variables travel as records;
/// those of the other threads are above their stacks.
pub(crate) fn has_protocol(at: usize) -> bool {
    let (first, end) = FIRST_TLS.get();
    !(STACKS..SLICES).contains(&at) && !(first..end).contains(&at)
}

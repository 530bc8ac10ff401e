// SPDX-License-Identifier: MIT OR Apache-2.0
//! Addresses that the library gives its memory. They are the same in every run, so that pointers in shared
//! data are too.

/// Number of bytes of a page.
pub(crate) const PAGE: usize = 4096;
pub(crate) type Bytes = [u8; PAGE];
/// Greatest number of nodes: one slice of heap for each fits into the addresses of a process.
pub(crate) const RANKS_MAX: usize = 64;

/// The library's own memory: a zone for the time before the fork, then one for each rank.
pub(crate) const ARENA: usize = 0x0600_0000_0000;
pub(crate) const ARENA_ZONE: usize = 1 << 34;
/// The stack of the library and that of its signal handlers.
pub(crate) const OWN_STACK: usize = 0x0500_0000_0000;
pub(crate) const OWN_STACK_SIZE: usize = 64 << 20;
pub(crate) const SIGNAL_STACK: usize = 0x0510_0000_0000;
pub(crate) const SIGNAL_STACK_SIZE: usize = 1 << 20;
/// Code between the program and the library, and its two words.
pub(crate) const GATES: usize = 0x0540_0000_0000;
pub(crate) const GATES_SIZE: usize = 64 << 10;
pub(crate) const GATE_WORDS: usize = 0x0541_0000_0000;
/// Stacks of the program, one for each rank.
pub(crate) const STACKS: usize = 0x0800_0000_0000;
pub(crate) const STACK_SIZE: usize = 63 << 20;
/// Distance of two stacks: what is between them cannot be accessed.
pub(crate) const STACK_STEP: usize = 1 << 30;
/// Bytes above a stack that the start of a thread uses, without the thread-local variables of the program.
pub(crate) const STACK_HEAD: usize = 1 << 20;
/// Most bytes of thread-local variables of the program, which are above a stack, too.
pub(crate) const TLS_MAX: usize = 768 << 20;
/// Most bytes of the stack on which the program starts.
pub(crate) const FIRST_STACK: usize = 8 << 20;
/// What this rank last published of its own stack.
pub(crate) const STACK_TWIN: usize = 0x0780_0000_0000;
const _: () = {
    assert!(ARENA + (RANKS_MAX + 1) * ARENA_ZONE <= STACK_TWIN);
    assert!(STACK_TWIN + STACK_SIZE <= STACKS && STACKS + RANKS_MAX * STACK_STEP <= SLICES);
    assert!(STACK_SIZE + STACK_HEAD + TLS_MAX < STACK_STEP);
};
/// Heap of the program: a slice for each rank, a class of blocks in each part of it.
pub(crate) const SLICES: usize = 0x1000_0000_0000;
pub(crate) const SLICE: usize = 1 << 39;
pub(crate) const CLASS: usize = 1 << 32;

/// The stack of a rank: its first address, and that of the first frame of the program.
pub(crate) const fn stack(rank: usize) -> (usize, usize) {
    let base = STACKS + rank * STACK_STEP;
    (base, base + STACK_SIZE)
}

/// Returns true for an address on the stack of a rank.
pub(crate) const fn on_a_stack(at: usize) -> bool {
    at >= STACKS && at < STACKS + RANKS_MAX * STACK_STEP && (at - STACKS) % STACK_STEP < STACK_SIZE
}

/// Address of the page that holds an address.
pub(crate) const fn page(addr: usize) -> usize {
    addr & !(PAGE - 1)
}

/// Returns true if the address is in memory that the library keeps for itself.
pub(crate) const fn own(addr: usize) -> bool {
    addr >= OWN_STACK && addr < STACKS
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Short names of operations.

use awgstar_coherence::check::Op;

pub(crate) const fn lock(lock: u32) -> Op {
    Op::Acquire(lock)
}

pub(crate) const fn free(lock: u32) -> Op {
    Op::Release(lock)
}

pub(crate) const fn load(at: usize) -> Op {
    Op::Load(at)
}

pub(crate) const fn store(at: usize) -> Op {
    Op::Store(at)
}

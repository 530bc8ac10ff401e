// SPDX-License-Identifier: MIT OR Apache-2.0
//! Processes.

use crate::{Answer, Request};
use awgstar_frame::quantity::ByteAddress;

/// A process. It is asked for its first request with an empty answer.
pub trait Process {
    /// Takes an answer and says what it wants next.
    fn next(&mut self, answer: &Answer) -> Request;

    /// Returns true if the process wants to see its node's replica besides what it reads. It is asked before each
    /// [`Process::next`].
    fn watches(&self) -> bool {
        false
    }

    /// It looks at memory again and again, its last look found nothing, and all its requests until memory changes are such
    /// looks: no other process gets an answer by them.
    fn polls(&self) -> bool {
        false
    }

    /// Takes bytes of the replica, from `at` on, that may have changed since the last call; all of them at first. What
    /// it takes last before [`Process::next`] is what had arrived then.
    fn see(&mut self, at: ByteAddress, bytes: &[u8]) {
        let _ = (at, bytes);
    }
}

impl<F: FnMut(&Answer) -> Request> Process for F {
    fn next(&mut self, answer: &Answer) -> Request {
        self(answer)
    }
}

impl Process for Box<dyn Process> {
    fn next(&mut self, answer: &Answer) -> Request {
        (**self).next(answer)
    }

    fn watches(&self) -> bool {
        (**self).watches()
    }

    fn polls(&self) -> bool {
        (**self).polls()
    }

    fn see(&mut self, at: ByteAddress, bytes: &[u8]) {
        (**self).see(at, bytes);
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Signals between processes.

use super::Node;
use crate::{
    call::{Call, NOBODY, at},
    error::CallError,
};
use awgstar_frame::quantity::{Nanoseconds, NodeId, narrow};
use awgstar_request::ProcessSignal;

impl Node {
    fn has_signals(&self) -> Result<(), CallError> {
        if self.signals { Ok(()) } else { Err(CallError::NoSignals) }
    }

    /// Sends a signal to node `to`, or to all others. It leaves behind the data that this node wrote before,
    /// in the order that the run has for locks and barriers. When this returns, it is in every mailbox.
    ///
    /// # Errors
    /// [`CallError::NoNode`], [`CallError::NoSignals`], [`CallError::Refused`], [`CallError::Over`].
    pub fn signal(&mut self, to: Option<NodeId>, number: u16, value: u32) -> Result<(), CallError> {
        if to.is_some_and(|to| to == self.id || to.index() >= self.nodes) {
            return Err(CallError::NoNode);
        }
        self.has_signals()?;
        self.call(Call::Signal { to, number, value })
    }

    /// The `STATUS` register of the board.
    ///
    /// # Errors
    /// [`CallError::NoSignals`] on generation 1, [`CallError::Refused`], [`CallError::Over`].
    pub fn status(&mut self) -> Result<u32, CallError> {
        self.has_signals()?;
        self.call(Call::Status)?;
        Ok(self.slot.get(at::VALUE))
    }

    /// Waits for the oldest signal with this number, or with any; `None` if none has come after `limit`. What
    /// its sender wrote before is in this node's replica then.
    ///
    /// # Errors
    /// [`CallError::Lost`] once when the mailbox was full, [`CallError::NoSignals`], [`CallError::Over`],
    /// [`CallError::Refused`] if the board refused an earlier write.
    pub fn wait_signal(
        &mut self,
        number: Option<u16>,
        limit: Option<Nanoseconds>,
    ) -> Result<Option<ProcessSignal>, CallError> {
        self.has_signals()?;
        // What was posted can be refused, too.
        self.flush()?;
        self.call(Call::Await { number, limit }).map_err(|error| match error {
            CallError::Refused => CallError::Lost,
            other => other,
        })?;
        let source = self.slot.get(at::SIGNAL);
        let (number, value) = (narrow(self.slot.get(at::WORDS)), self.slot.get(at::VALUE));
        let signal =
            ProcessSignal { source: NodeId(narrow(source & 0xff)), to: None, number, value };
        Ok((source != NOBODY).then_some(signal))
    }
}

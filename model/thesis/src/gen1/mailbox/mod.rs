// SPDX-License-Identifier: MIT OR Apache-2.0
//! Locks and the barrier of the current version (thesis 3.2 and 3.3; MBX-1 to MBX-8).
//!
//! A worker writes its request into its information-exchange area, two words of the shared memory,
//! and sends the master a signal. In the master the signal-waiting thread stores the number of the
//! sender in `RequestProcess`. The control thread reads the area, keeps the index of locks, a queue
//! for each lock and the list of processes at the barrier, and answers with a signal. The master's
//! main thread does the work of the control thread for its own requests, without signals to itself.
//!
//! * [`Worker`]: the library in a worker process.
//! * [`Master`]: the three threads of the master process.
//! * [`words`]: the two words.
//!
//! Both exist as published and repaired, from one source; [`MailRepairs`] describes each error and
//! the repair for it. Both are state machines without I/O.

mod master;
pub mod words;
mod worker;

pub use master::{Control, ControlCause, Main, MainCause, Master, MasterAction, MasterEvent};
pub use words::{Mail, Primitive, WordsError, area, index_word};
pub use worker::{Caller, CallerCause, Worker, WorkerAction, WorkerEvent};

awgstar_sync::repairs! {
    /// Set of repairs of the primitives of thesis 3.2 and 3.3.
    pub struct MailRepairs {
        /// `RequestProcess` holds every process that has sent a signal, in order. As published it
        /// is one variable: of two signals that come before the control thread reads it, one is
        /// lost.
        QUEUED = 0 "queued";
        /// An unlock is answered, and the process then goes on. As published it goes on at once,
        /// and its next request overwrites the unlock in its area.
        ANSWERED = 1 "answered";
        /// Primitive and answer carry a number in bits of word 0 that are 0 in all codes, and the
        /// answer is in the area. As published the other side has only the signal: it may come
        /// twice, or before the words.
        NUMBERED = 2 "numbered";
        /// The main and the control thread of the master work on the index, the queues and the
        /// barrier one after the other. As published both first read and then change.
        ONE_AT_A_TIME = 3 "one_at_a_time";
        /// A process requests at once. As published it first waits until its index says "unlocked":
        /// the process that has waited longest need not be the one that sees it.
        ASK_AT_ONCE = 4 "ask_at_once";
        /// A worker that waits signals again after a timeout, and the master passes over a signal
        /// without new words. Otherwise the master reads the area again and again, because the words
        /// may come after the signal; after a second signal for one request it never stops. Takes
        /// effect with `numbered`, which recognises a second signal.
        ASK_AGAIN = 5 "ask_again";
    }
}

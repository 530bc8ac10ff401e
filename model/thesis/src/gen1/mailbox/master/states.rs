// SPDX-License-Identifier: MIT OR Apache-2.0
//! States of the control thread and of the main thread.

awgstar_sync::states! {
    /// State of the control thread.
    pub enum Control, /// Cause of a transition.
    ControlCause, "mailbox: control thread" {
        states {
            /// The thread polls `RequestProcess`.
            Watching "watching",
            /// The thread reads the area of a process.
            Reading "reading",
            /// As published only: the thread has read the index, queue or barrier, and changes it
            /// next.
            Looked "looked",
        }
        causes {
            /// `RequestProcess` was updated.
            Notice "notice": Watching => Reading;
            /// The thread has the words.
            Look "look": Reading => Looked;
            /// The request is done.
            Done "done": Reading => Watching, Looked => Watching;
        }
    }
}

awgstar_sync::states! {
    /// State of the main thread.
    pub enum Main, /// Cause of a transition.
    MainCause, "mailbox: main thread" {
        states {
            /// The thread executes the program.
            Running "running",
            /// As published only: the thread has read the index, queue or barrier, and changes it
            /// next.
            Looked "looked",
            /// The thread waits for a lock.
            Queued "queued",
            /// The thread waits until the barrier flag is false.
            AtBarrier "at_barrier",
        }
        causes {
            /// The thread makes a request and reads the index, queue or barrier.
            Look "look": Running => Looked;
            /// The thread cannot have the lock yet.
            Queue "queue": Running => Queued, Looked => Queued;
            /// The thread is not the last at the barrier.
            Arrive "arrive": Running => AtBarrier, Looked => AtBarrier;
            /// The request of the thread is done.
            Go "go": Running => Running, Looked => Running, Queued => Running, AtBarrier => Running;
        }
    }
}

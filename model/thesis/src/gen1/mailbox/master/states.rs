//! States of the control thread and of the main thread.

awgstar_sync::states! {
    /// What the control thread does.
    pub enum Control, /// What moves it.
    ControlCause, "mailbox: control thread" {
        states {
            /// It looks at `RequestProcess`.
            Watching "watching",
            /// It reads a process's area.
            Reading "reading",
            /// As printed only: it has looked at the index, queue or barrier, and changes it next.
            Looked "looked",
        }
        causes {
            /// `RequestProcess` was updated.
            Notice "notice": Watching => Reading;
            /// It has the words.
            Look "look": Reading => Looked;
            /// What was asked for is done.
            Done "done": Reading => Watching, Looked => Watching;
        }
    }
}

awgstar_sync::states! {
    /// What the main thread does.
    pub enum Main, /// What moves it.
    MainCause, "mailbox: main thread" {
        states {
            /// It executes the program.
            Running "running",
            /// As printed only: it has looked at the index, queue or barrier, and changes it next.
            Looked "looked",
            /// It waits for a lock.
            Queued "queued",
            /// It waits until the barrier flag is false.
            AtBarrier "at_barrier",
        }
        causes {
            /// It calls and looks.
            Look "look": Running => Looked;
            /// It cannot have the lock yet.
            Queue "queue": Running => Queued, Looked => Queued;
            /// It is not the last at the barrier.
            Arrive "arrive": Running => AtBarrier, Looked => AtBarrier;
            /// It has what it called for.
            Go "go": Running => Running, Looked => Running, Queued => Running, AtBarrier => Running;
        }
    }
}

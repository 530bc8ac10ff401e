// SPDX-License-Identifier: MIT OR Apache-2.0
//! Watch of a release: a broadcast that does not return was lost (thesis 5.3, "Signal loss").

crate::states! {
    /// A release that was sent.
    pub enum Watch, /// Cause of a transition.
    WatchCause, "release" {
        states {
            /// All releases that were sent have returned.
            Quiet "quiet",
            /// One is under way, or lost.
            Watching "watching",
        }
        causes {
            Released "release sent": Quiet => Watching, Watching => Watching;
            /// The release returns.
            Back "comes back": Watching => Quiet;
            /// The timer runs out: it is retransmitted.
            Again "timer": Watching => Watching;
        }
    }
}

impl Watch {
    /// Adds to a state machine's summary that a release is watched.
    pub(super) fn tell(self, text: &mut String) {
        if self == Watch::Watching {
            text.push_str(", release watched");
        }
    }
}

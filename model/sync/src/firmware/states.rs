// SPDX-License-Identifier: MIT OR Apache-2.0
//! States of the firmware's state machines, declared as tables.
//!
//! `states!` makes an enum of states, one of what moves them, and the function between
//! them; the tables and graphs in `docs/` are written from the same lines.

use std::fmt::Write as _;

/// A state machine's table, for documents and tests.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// Name of the state machine.
    pub name: &'static str,
    /// States, the first one after start.
    pub states: &'static [&'static str],
    /// Names of the causes of transitions.
    pub causes: &'static [&'static str],
    /// Every line: (cause, from, to).
    pub lines: &'static [(&'static str, &'static str, &'static str)],
}

impl Table {
    /// The state that follows `from` on `cause`; `None` if there is no such transition.
    #[must_use]
    pub fn next(&self, from: &str, cause: &str) -> Option<&'static str> {
        self.lines.iter().find(|line| line.0 == cause && line.1 == from).map(|line| line.2)
    }

    /// Every pair of state and cause, as a table in Markdown: a dot where nothing happens.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut text = String::from("| |");
        for state in self.states {
            let _ = write!(text, " {state} |");
        }
        text.push_str("\n|---|");
        text.push_str(&"---|".repeat(self.states.len()));
        for cause in self.causes {
            let _ = write!(text, "\n| **{cause}** |");
            for state in self.states {
                let _ = write!(text, " {} |", self.next(state, cause).unwrap_or("·"));
            }
        }
        text.push('\n');
        text
    }

    /// The graph, as Mermaid source.
    #[must_use]
    pub fn mermaid(&self) -> String {
        let mut text = String::from("stateDiagram-v2\n");
        if let Some(first) = self.states.first() {
            let _ = writeln!(text, "    [*] --> {first}");
        }
        for (cause, from, to) in self.lines {
            let _ = writeln!(text, "    {from} --> {to}: {cause}");
        }
        text
    }
}

/// Declares the states of a state machine and the causes of its transitions.
///
/// ```
/// awgstar_sync::states! {
///     /// A door.
///     pub enum Door, /// Cause of a transition.
///     DoorCause, "door" {
///         states { /// Nobody passes.
///             Shut "shut", /// All pass.
///             Open "open" }
///         causes {
///             /// Somebody pulls.
///             Pull "pull": Shut => Open;
///             /// Somebody pushes.
///             Push "push": Open => Shut, Shut => Shut;
///         }
///     }
/// }
/// let mut door = Door::Shut;
/// assert!(door.go(DoorCause::Pull) && door == Door::Open);
/// assert!(!door.go(DoorCause::Pull), "nothing happens");
/// ```
#[macro_export]
macro_rules! states {
    ($(#[$doc:meta])* pub enum $name:ident, $(#[$cause_doc:meta])* $cause:ident, $title:literal {
        states { $($(#[$state_doc:meta])* $state:ident $state_name:literal),* $(,)? }
        causes { $($(#[$one_doc:meta])* $one:ident $one_name:literal:
            $($from:ident => $to:ident),+;)* }
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$state_doc])* $state,)* }

        $(#[$cause_doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $cause { $($(#[$one_doc])* $one,)* }

        impl $name {
            /// The table of this state machine.
            pub const TABLE: $crate::firmware::states::Table = $crate::firmware::states::Table {
                name: $title,
                states: &[$($state_name),*],
                causes: &[$($one_name),*],
                lines: &[$($(($one_name, $name::$from.name(), $name::$to.name())),+),*],
            };

            /// Name in documents and runs.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $($name::$state => $state_name),* }
            }

            /// Moves on; `false`, and nothing happens, when the table has no line for it.
            pub fn go(&mut self, cause: $cause) -> bool {
                let next = match (cause, *self) {
                    $($(($cause::$one, $name::$from) => $name::$to,)+)*
                    _ => return false,
                };
                *self = next;
                true
            }
        }
    };
}

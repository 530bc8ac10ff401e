// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the program calls: blocks between two barriers have their names by that.

use awgstar_request::Coherent;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Return address and stack pointer of the last call of a function of `places!`. Threads call one after another, and a
/// wrong place costs time only.
pub(crate) static CALLER: AtomicUsize = AtomicUsize::new(0);
pub(crate) static STACK: AtomicUsize = AtomicUsize::new(0);

/// A place in the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    caller: usize,
    stack: usize,
}

impl Place {
    /// That of the call which is being made.
    pub(crate) fn of_caller() -> Place {
        Place { caller: CALLER.load(Ordering::Relaxed), stack: STACK.load(Ordering::Relaxed) }
    }

    /// The place of the end of a loop that has begun at another one.
    pub(crate) fn after(self, begin: Option<Place>) -> Place {
        let begin = begin.map_or(0, |begin| begin.caller ^ begin.stack.rotate_left(32));
        Place { caller: self.caller ^ begin.rotate_left(16), ..self }
    }

    pub(crate) const fn barrier(self) -> Coherent {
        Coherent::barrier(self.caller, self.stack)
    }
}

/// Functions of C as those of `interface!`, which keep the place of their call.
macro_rules! places {
    ($($(#[doc = $doc:literal])+ fn $name:ident($($argument:ident: $of:ty),* $(,)?) $(-> $result:ty)? =
        $how:ident $body:expr;)*) => {$(
        const _: () = {
            extern "C" fn work($($argument: $of),*) $(-> $result)? {
                crate::$how(stringify!($name), $body)
            }

            $(#[doc = $doc])+
            #[unsafe(no_mangle)]
            #[unsafe(naked)]
            extern "C" fn $name($(_: $of),*) $(-> $result)? {
                std::arch::naked_asm!(
                    "mov rax, [rsp]",
                    "mov [rip + {caller}], rax",
                    "mov [rip + {stack}], rsp",
                    "jmp {work}",
                    caller = sym $crate::places::CALLER,
                    stack = sym $crate::places::STACK,
                    work = sym work,
                )
            }
        };
    )*};
}

pub(crate) use places;

// SPDX-License-Identifier: MIT OR Apache-2.0
//! The functions of the headers: a file for each.

/// Functions of C. `fn NAME as OTHER(arguments) -> result = how |process| work;`: `how` is [`crate::call`] or
/// [`crate::always`]. With `as`, the function `OTHER` does the work and `NAME` calls it: a program that has its own
/// `NAME` in order to measure it calls `OTHER`. Headers and pages are written from this.
macro_rules! interface {
    (@one [$($doc:tt)*] $name:ident [] ($($argument:ident: $of:ty),* $(,)?) [$($result:ty)?] $how:ident $body:expr) => {
        $($doc)*
        #[unsafe(no_mangle)]
        extern "C" fn $name($($argument: $of),*) $(-> $result)? {
            crate::$how(stringify!($name), $body)
        }
    };
    (@one [$($doc:tt)*] $name:ident [$other:ident] ($($argument:ident: $of:ty),* $(,)?) [$($result:ty)?]
        $how:ident $body:expr) => {
        $($doc)*
        #[unsafe(no_mangle)]
        extern "C" fn $other($($argument: $of),*) $(-> $result)? {
            crate::$how(stringify!($name), $body)
        }
        $($doc)*
        #[unsafe(no_mangle)]
        extern "C" fn $name($($argument: $of),*) $(-> $result)? {
            $other($($argument),*)
        }
    };
    ($($(#[doc = $doc:literal])+ fn $name:ident $(as $other:ident)? ($($arguments:tt)*) $(-> $result:ty)? =
        $how:ident $body:expr;)*) => {$(
        interface! {
            @one [$(#[doc = $doc])+] $name [$($other)?] ($($arguments)*) [$($result)?] $how $body
        }
    )*};
}

mod armci;
mod armcix;
mod awgstar_armci;
mod message;
mod mpi;

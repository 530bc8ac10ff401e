// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the C libraries of one-sided programs share: memory of the caller, wrong use and how it ends the process,
//! reductions, a place in a heap.

#![expect(
    clippy::missing_errors_doc,
    reason = "every error is wrong use that the text of a function excludes"
)]

pub mod heap;
pub mod memory;
pub mod numbers;
pub mod wrong;

/// Functions of C. `fn NAME as OTHER(arguments) -> result = how |process| work;`: `how` is a function of the crate.
/// With `as`, the function `OTHER` does the work and `NAME` calls it: a program that has its own `NAME` in order to
/// measure it calls `OTHER`. Headers and pages are written from this.
#[expect(
    clippy::crate_in_macro_def,
    reason = "`how` is a function of the crate that calls the macro"
)]
#[macro_export]
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
        $crate::interface! {
            @one [$(#[doc = $doc])+] $name [$($other)?] ($($arguments)*) [$($result)?] $how $body
        }
    )*};
}

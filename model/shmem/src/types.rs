// SPDX-License-Identifier: MIT OR Apache-2.0
//! Types of the interface, and the tables of types that its functions are made for.

use awgstar_caller::numbers::Number;

/// `long double`.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
pub(crate) struct Extended(pub(crate) [u8; 16]);

/// `float _Complex` and `double _Complex`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Complex<T>(T, T);

/// A table of types: their names in functions, and what they are in Rust. What follows the name of the table is
/// called with the table. The headers have the same tables (`tests/header.rs`).
macro_rules! table {
    (integers8 $($then:tt)*) => { table! { @ [
        [uchar std::ffi::c_uchar] [ushort std::ffi::c_ushort] [uint std::ffi::c_uint] [ulong std::ffi::c_ulong]
        [ulonglong std::ffi::c_ulonglong] [int8 i8] [int16 i16] [int32 i32] [int64 i64] [uint8 u8] [uint16 u16]
        [uint32 u32] [uint64 u64] [size usize]
    ] $($then)* } };
    (values $($then:tt)*) => { table! { integers8 @add [
        [float f32] [double f64] [char std::ffi::c_char] [schar std::ffi::c_schar] [short std::ffi::c_short]
        [int std::ffi::c_int] [long std::ffi::c_long] [longlong std::ffi::c_longlong] [ptrdiff isize]
    ] $($then)* } };
    (rma $($then:tt)*) => { table! { values @add [[longdouble crate::types::Extended]] $($then)* } };
    (sums $($then:tt)*) => { table! { rma @add [
        [complexd crate::types::Complex<f64>] [complexf crate::types::Complex<f32>]
    ] $($then)* } };
    (atomics $($then:tt)*) => { table! { @ [
        [int std::ffi::c_int] [long std::ffi::c_long] [longlong std::ffi::c_longlong] [uint std::ffi::c_uint]
        [ulong std::ffi::c_ulong] [ulonglong std::ffi::c_ulonglong] [int32 i32] [int64 i64] [uint32 u32]
        [uint64 u64] [size usize] [ptrdiff isize]
    ] $($then)* } };
    (extended $($then:tt)*) => { table! { atomics @add [[float f32] [double f64]] $($then)* } };
    (bitwise $($then:tt)*) => { table! { @ [
        [uint std::ffi::c_uint] [ulong std::ffi::c_ulong] [ulonglong std::ffi::c_ulonglong] [int32 i32] [int64 i64]
        [uint32 u32] [uint64 u64]
    ] $($then)* } };
    (old $($then:tt)*) => { table! { @ [
        [int std::ffi::c_int] [long std::ffi::c_long] [longlong std::ffi::c_longlong]
    ] $($then)* } };
    (old_extended $($then:tt)*) => { table! { old @add [[float f32] [double f64]] $($then)* } };
    (old_integers $($then:tt)*) => { table! { old @add [[short std::ffi::c_short]] $($then)* } };
    (old_ordered $($then:tt)*) => { table! { old_integers @add [
        [float f32] [double f64] [longdouble crate::types::Extended]
    ] $($then)* } };
    (old_sums $($then:tt)*) => { table! { old_ordered @add [
        [complexd crate::types::Complex<f64>] [complexf crate::types::Complex<f32>]
    ] $($then)* } };
    (shorts $($then:tt)*) => { table! { @ [[short std::ffi::c_short] [ushort std::ffi::c_ushort]] $($then)* } };
    (sizes $($then:tt)*) => { table! { @ [
        [8 [u8; 1]] [16 [u8; 2]] [32 [u8; 4]] [64 [u8; 8]] [128 [u8; 16]]
    ] $($then)* } };
    (widths $($then:tt)*) => { table! { @ [[32 [u8; 4]] [64 [u8; 8]]] $($then)* } };
    (mem $($then:tt)*) => { table! { @ [[mem u8]] $($then)* } };
    (@ [$($have:tt)*] @add [$($more:tt)*] $($then:tt)*) => { table! { @ [$($have)* $($more)*] $($then)* } };
    (@ $table:tt $then:ident $($rest:tt)*) => { $then! { @over $table $($rest)* } };
}

/// Functions of C for every type of a table: `fn [before TABLE after, ...](arguments) -> result = how |process| work;`
/// is a function with the name `shmem_`, `before`, the name of the type, `after`, for each such triple and type,
/// which is `T` in it. After `ctx` each of them has another one with the name `shmem_ctx_...`, whose first argument
/// is a context. Headers and pages are written from this.
macro_rules! families {
    (@over [$([$name:tt $of:ty])*] $docs:tt $kind:tt $before:literal $after:literal $arguments:tt $result:tt
        $how:ident $body:expr) => {$(
        families! { @one $docs $kind [$before $name $after] [$of] $arguments $result $how $body }
    )*};
    (@one [$($doc:tt)*] [] [$before:literal $name:tt $after:literal] [$of:ty] ($($argument:ident: $is:ty),* $(,)?)
        [$($result:ty)?] $how:ident $body:expr) => {
        const _: () = {
            #[allow(dead_code, reason = "not every function has it")]
            type T = $of;
            $($doc)*
            #[unsafe(export_name = concat!("shmem_", $before, stringify!($name), $after))]
            extern "C" fn function($($argument: $is),*) $(-> $result)? {
                crate::$how(concat!("shmem_", $before, stringify!($name), $after), $body)
            }
        };
    };
    (@one [$($doc:tt)*] [ctx] [$before:literal $name:tt $after:literal] [$of:ty]
        ($($argument:ident: $is:ty),* $(,)?) [$($result:ty)?] $how:ident $body:expr) => {
        const _: () = {
            type T = $of;
            $($doc)*
            #[unsafe(export_name = concat!("shmem_", $before, stringify!($name), $after))]
            extern "C" fn function($($argument: $is),*) $(-> $result)? {
                let name = concat!("shmem_", $before, stringify!($name), $after);
                crate::$how(name, crate::teams::Context::DEFAULT, $body)
            }
            $($doc)*
            #[unsafe(export_name = concat!("shmem_ctx_", $before, stringify!($name), $after))]
            extern "C" fn with_context(ctx: crate::teams::Context, $($argument: $is),*) $(-> $result)? {
                let name = concat!("shmem_ctx_", $before, stringify!($name), $after);
                crate::$how(name, ctx, $body)
            }
        };
    };
    (@names $docs:tt $kind:tt [$($before:literal $table:ident $after:literal),+] $arguments:tt $result:tt $how:ident
        $body:expr) => {$(
        table! { $table families $docs $kind $before $after $arguments $result $how $body }
    )+};
    ($($(#[doc = $doc:literal])+ fn $names:tt $($kind:ident)? ($($arguments:tt)*) $(-> $result:ty)? =
        $how:ident $body:expr;)*) => {$(
        families! {
            @names [$(#[doc = $doc])+] [$($kind)?] $names ($($arguments)*) [$($result)?] $how $body
        }
    )*};
}

pub(crate) use {families, table};

/// A number that a function takes or gives.
pub(crate) trait Value: Copy {
    /// Its bytes, and zeros.
    fn bits(self) -> u64;
    fn of(bits: u64) -> Self;
}

/// A number of a reduction.
pub(crate) trait Numeric {
    const NUMBER: Number;
}

macro_rules! values {
    ($($type:ty: $number:ident),* $(,)?) => {$(
        impl Value for $type {
            fn bits(self) -> u64 {
                let mut all = [0; 8];
                all[..size_of::<$type>()].copy_from_slice(&self.to_le_bytes());
                u64::from_le_bytes(all)
            }

            fn of(bits: u64) -> $type {
                let bytes = bits.to_le_bytes();
                <$type>::from_le_bytes(std::array::from_fn(|at| bytes[at]))
            }
        }

        impl Numeric for $type {
            const NUMBER: Number = Number::$number;
        }
    )*};
}

values! {
    i8: Signed8, u8: Unsigned8, i16: Signed16, u16: Unsigned16, i32: Signed32, u32: Unsigned32, i64: Signed64,
    u64: Unsigned64, isize: Signed64, usize: Unsigned64, f32: Float32, f64: Float64,
}

impl Numeric for Extended {
    const NUMBER: Number = Number::Extended;
}

impl Numeric for Complex<f32> {
    const NUMBER: Number = Number::Complex32;
}

impl Numeric for Complex<f64> {
    const NUMBER: Number = Number::Complex64;
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions of libstdc++ that the library replaces.

use crate::cell::Value;

/// What the program has asked for.
static SYNCED: Value<bool> = Value::new(true);

/// `std::ios::sync_with_stdio`: the streams of C++ stay those of C, whose buffers are printed at each commit.
/// Buffers of libstdc++ would belong to a process, and what is in them would be lost at its end.
#[unsafe(no_mangle)]
extern "C" fn _ZNSt8ios_base15sync_with_stdioEb(on: bool) -> bool {
    SYNCED.replace(on)
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pages of mapped windows.

/// Bytes of a page.
pub(crate) const PAGE: u32 = 4096;

/// Ends the process: an access that cannot be executed must not be skipped.
pub(crate) fn die(why: &str) -> ! {
    let text = format!("librfm2g: {why}\n");
    // SAFETY: plain calls of the C library.
    unsafe {
        libc::write(2, text.as_ptr().cast(), text.len());
        libc::abort()
    }
}

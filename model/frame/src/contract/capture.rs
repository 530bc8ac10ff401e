// SPDX-License-Identifier: MIT OR Apache-2.0
//! Header of a frame in a capture file: what a receiver sees of a frame besides its bytes, and what happened to
//! it on the link.

/// Link type of frames with this header: `LINKTYPE_USER0`.
pub const LINK_TYPE: u16 = 147;
/// Link type of frames without it: `LINKTYPE_USER1`.
pub const BARE_LINK_TYPE: u16 = 148;
/// Bytes of the header: the version, and the flags.
pub const BYTES: usize = 2;
/// First byte of the header.
pub const VERSION: u8 = 1;
pub const FLAGS_BYTE: usize = 1;

macro_rules! flags {
    ($($(#[$doc:meta])* $const:ident = $bit:literal $name:literal $text:literal;)*) => {
        $($(#[$doc])* pub const $const: u8 = 1 << $bit;)*

        /// Every flag: its name, its mask and its meaning.
        pub const FLAGS: &[(&str, u8, &str)] = &[$(($name, $const, $text),)*];
    };
}

flags! {
    /// `tuser` of the first word.
    MONITOR = 0 "monitor" "M: the frame has passed the monitor";
    /// `tuser` of the last word.
    ABORTED = 1 "aborted" "aborted by an upstream node";
    /// A word with another `tkeep` than LNK-2 allows.
    KEEP = 2 "keep" "a word with a tkeep that is not allowed";
    /// An idle word came before `tlast`.
    CUT = 3 "cut" "ended without a last word";
    /// No word arrived.
    LOST = 4 "lost" "left its node and did not arrive; bytes as they left";
    /// Other bytes, or another number of them, arrived than left.
    CHANGED = 5 "changed" "not as it left its node";
    /// The second copy of a frame that a fault sends twice.
    AGAIN = 6 "again" "second copy";
}

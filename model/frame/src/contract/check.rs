// SPDX-License-Identifier: MIT OR Apache-2.0
//! Verdicts of the receiver (RX-4) and of the transmitter (TX-6), with their codes in the RTL.

macro_rules! verdicts {
    ($(#[$meta:meta])* $enum:ident { $($variant:ident = $code:literal $name:literal $doc:literal;)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum $enum { $(#[doc = $doc] $variant = $code,)* }

        impl $enum {
            /// All, in the order of their codes (for verdicts, of precedence).
            pub const ALL: &'static [$enum] = &[$($enum::$variant,)*];
            /// Code on the RTL's port.
            #[must_use]
            pub const fn code(self) -> u8 {
                self as u8
            }
            /// Name in Verilog (upper case), JSON and waveforms.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $($enum::$variant => $name,)* }
            }
            /// One line of documentation.
            #[must_use]
            pub const fn doc(self) -> &'static str {
                match self { $($enum::$variant => $doc,)* }
            }
            /// The verdict of a code; `None` for a code that is not assigned.
            #[must_use]
            pub fn from_code(code: u8) -> Option<$enum> {
                Self::ALL.iter().copied().find(|c| c.code() == code)
            }
        }
    };
}

pub(super) use verdicts;

verdicts! {
    /// Result of the receiver: `ok` or the first check that failed (port `m_hdr_check`, 4 bits).
    Check {
        Ok = 0 "ok" "every check passed";
        Abort = 1 "abort" "tuser on the last word: aborted by an upstream node";
        Keep = 2 "keep" "tkeep not 1111 inside the frame, or not contiguous from byte 0 on the last word";
        Runt = 3 "runt" "fewer than 64 bytes";
        Long = 4 "long" "more than 1,042 bytes";
        Fcs = 5 "fcs" "frame check sequence wrong";
        Token = 6 "token" "TOKEN 010 or 111";
        CSt = 7 "c_st" "data token with C.ST other than 00000 and 00001";
        Length = 8 "length" "free token or short data token that is not 64 bytes long";
        ShortCount = 9 "short_count" "short count 0 or above 45";
    }
}

verdicts! {
    /// Result of the transmitter for a header (port `status_error`, 3 bits).
    TxStatus {
        Ok = 0 "ok" "frame sent whole";
        Token = 1 "token" "TOKEN 010 or 111: nothing sent, payload drained";
        Length = 2 "length" "length not allowed for this TOKEN: nothing sent, payload drained";
        Underrun = 3 "underrun" "payload beat missing when its word was due: frame cut and marked aborted";
        Last = 4 "last" "tlast or tkeep of a payload beat disagrees with the length: frame cut and marked aborted";
    }
}

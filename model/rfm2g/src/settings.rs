// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who and what the board is, and settings. What the modelled board does not have answers `NOT_SUPPORTED`.

use crate::{board::with, code, put, status::Status};
use std::ffi::{c_char, c_void};

/// `RFM2GCONFIG`.
#[repr(C)]
pub(crate) struct Config {
    node_id: u16,
    board_id: u8,
    unit: u8,
    max_node_id: u16,
    capabilities: u32,
    register_size: u32,
    memory_size: u32,
    device: [c_char; 64],
}

/// Number of the kind of board: that of the 5565 family.
const BOARD_ID: u8 = 0x65;
/// Bytes of the registers, as `docs/registers.md` has them.
const REGISTERS: u32 = 0x200;

fn text<const N: usize>(text: &str) -> [c_char; N] {
    let mut all = [0; N];
    for (to, byte) in all.iter_mut().take(N - 1).zip(text.bytes()) {
        *to = byte.cast_signed();
    }
    all
}

/// `RFM2gGetConfig`.
///
/// # Safety
/// `to` must be null or point to a structure.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn RFM2gGetConfig(handle: *mut c_void, to: *mut Config) -> Status {
    code(with(handle, |board| {
        let config = Config {
            node_id: board.node.node().0.into(),
            board_id: BOARD_ID,
            unit: 0,
            max_node_id: 255,
            capabilities: 0,
            register_size: REGISTERS,
            memory_size: board.node.memory(),
            device: text("modelled ring"),
        };
        // SAFETY: the caller's promise.
        unsafe { put(to, config, Status::BAD_PARAMETER_2) }
    }))
}

macro_rules! gets {
    ($($name:ident $of:ty = $value:expr;)*) => {$(
        /// Gives a value of the board.
        ///
        /// # Safety
        /// `to` must be null or point to a value that can be written.
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C" fn $name(handle: *mut c_void, to: *mut $of) -> Status {
            code(with(handle, |board| {
                let value: fn(&$crate::board::Board) -> $of = $value;
                // SAFETY: the caller's promise.
                unsafe { put(to, value(board), Status::BAD_PARAMETER_2) }
            }))
        }
    )*};
}

gets! {
    RFM2gNodeID u16 = |board| board.node.node().0.into();
    RFM2gBoardID u8 = |_| BOARD_ID;
    RFM2gSize u32 = |board| board.node.memory();
    // All memory is the programs'.
    RFM2gFirst u32 = |_| 0;
    RFM2gGetLed u8 = |board| board.led;
    RFM2gGetDMAThreshold u32 = |board| board.dma_threshold;
    RFM2gGetDMAByteSwap u8 = |_| 0;
    RFM2gGetPIOByteSwap u8 = |_| 0;
    RFM2gGetDarkOnDark u8 = |_| 0;
    RFM2gGetTransmit u8 = |_| 1;
    RFM2gGetLoopback u8 = |_| 0;
    RFM2gGetParityEnable u8 = |_| 0;
    RFM2gGetDebugFlags u32 = |_| 0;
}

macro_rules! names {
    ($($name:ident $text:expr;)*) => {$(
        /// Gives a text of at most 64 bytes with its zero.
        ///
        /// # Safety
        /// `to` must be null or point to 64 bytes.
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C" fn $name(handle: *mut c_void, to: *mut c_char) -> Status {
            code(with(handle, |_| {
                let text: [c_char; 64] = text($text);
                if to.is_null() {
                    return Err(Status::BAD_PARAMETER_2);
                }
                let end = text.iter().position(|&byte| byte == 0).map_or(64, |end| end + 1);
                // SAFETY: the caller's promise; not null, and the text ends within 64 bytes.
                unsafe { to.copy_from_nonoverlapping(text.as_ptr(), end) };
                Ok(())
            }))
        }
    )*};
}

names! {
    RFM2gDeviceName "modelled ring";
    RFM2gDllVersion concat!("awgstar ", env!("CARGO_PKG_VERSION"));
    RFM2gDriverVersion concat!("awgstar ", env!("CARGO_PKG_VERSION"));
}

/// `RFM2gSetLed`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn RFM2gSetLed(handle: *mut c_void, on: u8) -> Status {
    code(with(handle, |board| {
        board.led = u8::from(on != 0);
        Ok(())
    }))
}

/// `RFM2gSetDMAThreshold`: a number that changes nothing here.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn RFM2gSetDMAThreshold(handle: *mut c_void, threshold: u32) -> Status {
    code(with(handle, |board| {
        board.dma_threshold = threshold;
        Ok(())
    }))
}

/// `RFM2gCheckRingCont`: `LINK_TEST_FAIL` when the ring is cut.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn RFM2gCheckRingCont(handle: *mut c_void) -> Status {
    code(with(handle, |board| if board.linked()? { Ok(()) } else { Err(Status::LINK_TEST_FAIL) }))
}

macro_rules! fixed {
    ($($name:ident $is:literal;)*) => {$(
        /// A switch that cannot be changed: the value that it has is accepted.
        #[unsafe(no_mangle)]
        pub(crate) extern "C" fn $name(handle: *mut c_void, value: u8) -> Status {
            code(with(handle, |_| {
                if (value != 0) == $is { Ok(()) } else { Err(Status::NOT_SUPPORTED) }
            }))
        }
    )*};
}

fixed! {
    RFM2gSetDMAByteSwap false;
    RFM2gSetPIOByteSwap false;
    RFM2gSetDarkOnDark false;
    RFM2gSetTransmit true;
    RFM2gSetLoopback false;
    RFM2gSetParityEnable false;
}

macro_rules! not_supported {
    ($($name:ident($($argument:ident: $of:ty),*);)*) => {$(
        /// Not on this board.
        #[unsafe(no_mangle)]
        pub(crate) extern "C" fn $name(handle: *mut c_void $(, $argument: $of)*) -> Status {
            $(let _ = $argument;)*
            code(with(handle, |_| Err(Status::NOT_SUPPORTED)))
        }
    )*};
}

not_supported! {
    RFM2gClearOwnData(to: *mut u8);
    RFM2gSetMemoryOffset(offset: u32);
    RFM2gGetMemoryOffset(to: *mut u32);
    RFM2gSetSlidingWindow(offset: u32);
    RFM2gGetSlidingWindow(offset: *mut u32, size: *mut u32);
    RFM2gReadReg(space: u32, offset: u32, width: u32, to: *mut c_void);
    RFM2gWriteReg(space: u32, offset: u32, width: u32, value: u32);
    RFM2gSetReg(space: u32, offset: u32, width: u32, mask: u32);
    RFM2gClearReg(space: u32, offset: u32, width: u32, mask: u32);
    RFM2gMapDeviceMemory(to: *mut *mut c_void);
    RFM2gUnMapDeviceMemory(from: *mut *mut c_void);
    RFM2gSetDebugFlags(flags: u32);
}

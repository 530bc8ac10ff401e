// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames in the structures of the package.

use crate::bits::{get, put};
use crate::error::DpiError;
use awgstar::codec::{self, Frame, Mac};
use awgstar::contract::{
    LEN_BITS, Token, layout,
    limits::{FRAME_MAX, HEADER_BYTES},
    systemverilog::{DATA_BITS, LINE_BITS},
};
use awgstar::quantity::narrow;

/// Words of `awg_frame_t`.
pub(crate) const FRAME_WORDS: usize = (DATA_BITS + LEN_BITS + 8 * HEADER_BYTES).div_ceil(32);
/// Words of `awg_line_t`.
pub(crate) const LINE_WORDS: usize = (LINE_BITS + LEN_BITS).div_ceil(32);

/// Lowest bit of the header in `awg_frame_t`.
const HEADER: usize = DATA_BITS + LEN_BITS;

fn bytes(words: &[u32], count: usize) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).take(count).collect()
}

/// The bytes of a line, as far as the structure holds them, and their number.
fn line(words: &[u32]) -> (Vec<u8>, usize) {
    let len = narrow::<usize>(get(words, LINE_BITS, LEN_BITS));
    (bytes(words, len.min(FRAME_MAX)), len)
}

/// `awg_frame_t` to `awg_line_t`.
pub(crate) fn encode(from: &[u32], to: &mut [u32]) -> Result<(), DpiError> {
    let header = layout::unpack(get(from, HEADER, 8 * HEADER_BYTES) << (128 - 8 * HEADER_BYTES));
    let len = narrow::<usize>(get(from, DATA_BITS, LEN_BITS));
    let Some(token) = Token::from_code(header.token) else {
        let text = format!("token: expected an assigned code, found {:03b}", header.token);
        return Err(DpiError::Frame(text));
    };
    if 8 * len > DATA_BITS {
        let text = format!("data: expected at most {} valid bytes, found {len}", DATA_BITS / 8);
        return Err(DpiError::Frame(text));
    }
    let data = bytes(from, len);
    let frame = Frame {
        mac: Mac::from_u64(header.mac),
        token,
        c_st: header.c_st,
        node_id: header.node_id,
        multi_g: header.multi_g,
        act_seq: header.act_seq,
        packet_cnt: header.packet_cnt,
        addr: header.addr,
        data: &data,
    };
    let mut out = [0; FRAME_MAX];
    let count = frame.encode(&mut out).map_err(|error| DpiError::Frame(error.to_string()))?;
    to.fill(0);
    for (i, byte) in out[..count].iter().enumerate() {
        put(to, 8 * i, 8, (*byte).into());
    }
    put(to, LINE_BITS, LEN_BITS, count as u128);
    Ok(())
}

/// `awg_line_t` to `awg_frame_t`.
pub(crate) fn decode(from: &[u32], to: &mut [u32]) -> Result<(), DpiError> {
    let (bytes, len) = line(from);
    if len > bytes.len() {
        let text = format!("frame: expected a length of at most {FRAME_MAX} bytes, found {len}");
        return Err(DpiError::Frame(text));
    }
    let frame = Frame::decode(&bytes).map_err(|error| DpiError::Frame(error.to_string()))?;
    to.fill(0);
    // The header as it is on the link.
    let head = bytes[..HEADER_BYTES].iter().fold(0, |v, byte| v << 8 | u128::from(*byte));
    put(to, HEADER, 8 * HEADER_BYTES, head);
    put(to, DATA_BITS, LEN_BITS, frame.data.len() as u128);
    for (i, byte) in frame.data.iter().enumerate() {
        put(to, 8 * i, 8, (*byte).into());
    }
    Ok(())
}

pub(crate) fn explain(from: &[u32]) -> Result<String, DpiError> {
    let (bytes, len) = line(from);
    if len > bytes.len() {
        let text = format!("frame: expected a length of at most {FRAME_MAX} bytes, found {len}");
        return Err(DpiError::Frame(text));
    }
    Ok(codec::explain(&bytes))
}

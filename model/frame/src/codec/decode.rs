// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bytes to [`Frame`].

use super::{DecodeError, Expected, Frame, Mac, fcs};
use crate::contract::{
    Check, Field, FieldLayout, HeaderWire, Token,
    layout::{layout_of, unpack},
    limits::{
        C_ST_DATA_FULL, C_ST_DATA_SHORT, DATA_MIN, FCS_BYTES, FRAME_MAX, FRAME_MIN, HEADER_BYTES,
        SHORT_COUNT_INDEX,
    },
};
use alloc::vec::Vec;

impl<'a> Frame<'a> {
    /// Decodes one whole frame, first byte of MAC to last byte of FCS. `data` borrows the valid
    /// bytes only (FRM-5, FRM-6, FRM-10, FRM-11).
    ///
    /// # Errors
    /// The first check that fails, in the order of FRM-13. Never panics, whatever the bytes.
    #[inline]
    pub fn decode(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        decode::<true>(bytes)
    }

    /// [`Frame::decode`] for a frame whose FCS something else has checked, such as the receiver's
    /// hardware: the last four bytes are not looked at.
    ///
    /// # Errors
    /// As [`Frame::decode`], but for the FCS.
    #[inline]
    pub fn decode_checked(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        decode::<false>(bytes)
    }
}

#[inline]
fn decode<const CHECK_FCS: bool>(bytes: &[u8]) -> Result<Frame<'_>, DecodeError> {
    check_frame_length(bytes)?;
    let (body, _) = bytes.split_at(bytes.len() - FCS_BYTES);
    if CHECK_FCS {
        check_fcs(bytes)?;
    }
    let header = read_header(body);
    let Some(token) = Token::from_code(header.token) else {
        return Err(reserved_token(header.token));
    };
    let data = &body[HEADER_BYTES..];
    let valid = match token {
        Token::Data => valid_of_data_token(header.c_st, data)?,
        Token::Free => {
            check_exact_length(data)?;
            0
        }
        _ => data.len(),
    };
    Ok(Frame {
        mac: Mac(body.first_chunk().copied().unwrap_or_default()),
        token,
        c_st: header.c_st,
        node_id: header.node_id,
        multi_g: header.multi_g,
        act_seq: header.act_seq,
        packet_cnt: header.packet_cnt,
        addr: header.addr,
        data: &data[..valid],
    })
}

/// The header of a frame of at least 16 bytes; the shorter frame is refused before.
#[inline]
fn read_header(body: &[u8]) -> HeaderWire {
    let word = body.first_chunk::<16>().copied().unwrap_or_default();
    unpack(u128::from_be_bytes(word))
}

#[inline]
fn valid_of_data_token(c_st: u8, data: &[u8]) -> Result<usize, DecodeError> {
    match c_st {
        C_ST_DATA_FULL => Ok(data.len()),
        C_ST_DATA_SHORT => {
            check_exact_length(data)?;
            let count = usize::from(data[SHORT_COUNT_INDEX]);
            if (1..=SHORT_COUNT_INDEX).contains(&count) {
                Ok(count)
            } else {
                Err(bad_short_count(count))
            }
        }
        _ => Err(reserved_c_st(c_st)),
    }
}

#[inline]
fn check_frame_length(bytes: &[u8]) -> Result<(), DecodeError> {
    let (check, offset) = if bytes.len() < FRAME_MIN {
        (Check::Runt, bytes.len())
    } else if bytes.len() > FRAME_MAX {
        (Check::Long, FRAME_MAX)
    } else {
        return Ok(());
    };
    Err(DecodeError {
        check,
        field: Field::Frame,
        offset,
        expected: Expected::Range(FRAME_MIN as u64, FRAME_MAX as u64),
        found: bytes.len() as u64,
    })
}

#[inline]
fn check_fcs(bytes: &[u8]) -> Result<(), DecodeError> {
    let offset = bytes.len().saturating_sub(FCS_BYTES);
    let expected = fcs::compute(&bytes[..offset]);
    let found = fcs::read(bytes).unwrap_or_default();
    if expected == found {
        return Ok(());
    }
    Err(DecodeError {
        check: Check::Fcs,
        field: Field::Fcs,
        offset,
        expected: Expected::Exactly(expected.into()),
        found: found.into(),
    })
}

/// Free tokens and short data tokens have the shortest Data field (FRM-7, FRM-10).
#[inline]
fn check_exact_length(data: &[u8]) -> Result<(), DecodeError> {
    if data.len() == DATA_MIN {
        return Ok(());
    }
    Err(DecodeError {
        check: Check::Length,
        field: Field::Frame,
        offset: FRAME_MIN,
        expected: Expected::Exactly(FRAME_MIN as u64),
        found: (HEADER_BYTES + data.len() + FCS_BYTES) as u64,
    })
}

fn byte_of(field: Field) -> usize {
    layout_of(field).map_or(0, FieldLayout::byte)
}

#[cold]
fn reserved_token(code: u8) -> DecodeError {
    DecodeError {
        check: Check::Token,
        field: Field::Token,
        offset: byte_of(Field::Token),
        expected: Expected::Assigned,
        found: code.into(),
    }
}

#[cold]
fn reserved_c_st(code: u8) -> DecodeError {
    DecodeError {
        check: Check::CSt,
        field: Field::CSt,
        offset: byte_of(Field::CSt),
        expected: Expected::Range(C_ST_DATA_FULL.into(), C_ST_DATA_SHORT.into()),
        found: code.into(),
    }
}

#[cold]
fn bad_short_count(count: usize) -> DecodeError {
    DecodeError {
        check: Check::ShortCount,
        field: Field::ShortCount,
        offset: HEADER_BYTES + SHORT_COUNT_INDEX,
        expected: Expected::Range(1, SHORT_COUNT_INDEX as u64),
        found: count as u64,
    }
}

/// All defects of `bytes`, in the order of FRM-13; empty for a good frame.
///
/// [`Frame::decode`] stops at the first defect. If the FCS is wrong, the fields are still checked
/// as received.
#[must_use]
pub fn defects(bytes: &[u8]) -> Vec<DecodeError> {
    let mut found: Vec<DecodeError> = check_frame_length(bytes).err().into_iter().collect();
    if bytes.len() < FRAME_MIN {
        return found;
    }
    found.extend(check_fcs(bytes).err());
    let body = &bytes[..bytes.len() - FCS_BYTES];
    let header = read_header(body);
    let data = &body[HEADER_BYTES..];
    match Token::from_code(header.token) {
        None => found.push(reserved_token(header.token)),
        Some(Token::Data) => {
            found.extend(valid_of_data_token(header.c_st, data).err());
        }
        Some(Token::Free) => found.extend(check_exact_length(data).err()),
        Some(_) => {}
    }
    found
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! The reference codec (VEC-3): what the specification says, written as plainly as it can be.
//!
//! Header bytes go through the deku declaration [`HeaderWire`], the CRC through crate `crc` without
//! tables (bit-serial). Nothing here is shared with the codec or the Verilog under test.

use crate::vectors::word::{ABORT, KEEP_ALL, Word, bytes, keep_of, words};
use awgstar::contract::{Check, HeaderWire, Token, TxStatus, limits};
use crc::{CRC_32_ISO_HDLC, Crc, NoTable};
use deku::{DekuContainerRead, DekuContainerWrite};

const CRC: Crc<u32, NoTable> = Crc::<u32, NoTable>::new(&CRC_32_ISO_HDLC);

/// The CRC register after `bytes`, starting from `register` (CRC-1). Not complemented.
#[must_use]
pub fn crc_register(register: u32, bytes: &[u8]) -> u32 {
    // The crate takes the initial value in the order of the polynomial that is not reflected.
    let mut digest = CRC.digest_with_initial(register.reverse_bits());
    digest.update(bytes);
    !digest.finalize()
}

/// The FCS of the bytes before it, in the order of the link (FCS-1).
#[must_use]
pub fn fcs(bytes: &[u8]) -> [u8; limits::FCS_BYTES] {
    CRC.checksum(bytes).to_le_bytes()
}

/// The 14 header bytes (FRM-1, FRM-2).
///
/// # Panics
/// If a value does not fit its field: generators keep to the widths of the contract.
#[must_use]
pub fn header_bytes(header: &HeaderWire) -> Vec<u8> {
    header.to_bytes().expect("values fit their fields")
}

/// Reads the header from the first 14 bytes; missing bytes read as zero.
///
/// # Panics
/// Never: 14 bytes are always given to the declaration.
#[must_use]
pub fn header_of(frame: &[u8]) -> HeaderWire {
    let mut head = [0; limits::HEADER_BYTES];
    for (to, from) in head.iter_mut().zip(frame) {
        *to = *from;
    }
    let (_, header) = HeaderWire::from_bytes((&head, 0)).expect("14 bytes are a header");
    header
}

/// Header, Data and FCS, just as given: the frame need not be a legal one.
#[must_use]
pub fn seal(header: &HeaderWire, data: &[u8]) -> Vec<u8> {
    let mut out = header_bytes(header);
    out.extend_from_slice(data);
    let check = fcs(&out);
    out.extend_from_slice(&check);
    out
}

/// The frame of a header and valid bytes (TX-3): C.ST, pad, short count and zeros are put in.
///
/// # Panics
/// If a value does not fit its field.
#[must_use]
pub fn frame(header: &HeaderWire, valid: &[u8]) -> Vec<u8> {
    let mut header = *header;
    let mut data = valid.to_vec();
    if data.len() < limits::DATA_MIN {
        data.resize(limits::DATA_MIN, 0);
    }
    match Token::from_code(header.token) {
        Some(Token::Free) => {
            header =
                HeaderWire { mac: header.mac, node_id: header.node_id, ..HeaderWire::default() };
        }
        Some(Token::Data) if valid.len() < limits::DATA_MIN => {
            header.c_st = limits::C_ST_DATA_SHORT;
            data[limits::SHORT_COUNT_INDEX] = u8::try_from(valid.len()).expect("below 46");
        }
        Some(Token::Data) => header.c_st = limits::C_ST_DATA_FULL,
        _ => {}
    }
    seal(&header, &data)
}

/// Result of a receiver for a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The verdict (RX-4).
    pub check: Check,
    /// The header as received; bytes that are missing read as zero.
    pub header: HeaderWire,
    /// Number of valid bytes (RX-5); 0 for a bad frame.
    pub len: usize,
    /// The whole Data field (RX-2); empty for a bad frame.
    pub data: Vec<u8>,
}

/// Judges the words of one frame in the order of FRM-13.
#[must_use]
pub fn judge(link: &[Word]) -> Judgement {
    let frame = bytes(link);
    let header = header_of(&frame);
    let check = link_check(link).unwrap_or_else(|| frame_check(&frame, &header));
    if check != Check::Ok {
        return Judgement { check, header, len: 0, data: Vec::new() };
    }
    let data = frame[limits::HEADER_BYTES..frame.len() - limits::FCS_BYTES].to_vec();
    let len = match Token::from_code(header.token) {
        Some(Token::Free) => 0,
        Some(Token::Data) if header.c_st == limits::C_ST_DATA_SHORT => {
            usize::from(data[limits::SHORT_COUNT_INDEX])
        }
        _ => data.len(),
    };
    Judgement { check, header, len, data }
}

/// Abort, then `tkeep` (LNK-2, LNK-4).
fn link_check(link: &[Word]) -> Option<Check> {
    let (last, inside) = link.split_last()?;
    if last.user {
        return Some(Check::Abort);
    }
    let inside_good = inside.iter().all(|word| word.keep == KEEP_ALL);
    let last_good = matches!(last.keep, 0b0001 | 0b0011 | 0b0111 | 0b1111);
    (!inside_good || !last_good).then_some(Check::Keep)
}

/// Length, FCS, TOKEN, C.ST, length of the kind, short count.
fn frame_check(frame: &[u8], header: &HeaderWire) -> Check {
    if frame.len() < limits::FRAME_MIN {
        return Check::Runt;
    }
    if frame.len() > limits::FRAME_MAX {
        return Check::Long;
    }
    let (body, check) = frame.split_at(frame.len() - limits::FCS_BYTES);
    if fcs(body) != check {
        return Check::Fcs;
    }
    let Some(token) = Token::from_code(header.token) else {
        return Check::Token;
    };
    let short = token == Token::Data && header.c_st == limits::C_ST_DATA_SHORT;
    if token == Token::Data && !short && header.c_st != limits::C_ST_DATA_FULL {
        return Check::CSt;
    }
    if (token == Token::Free || short) && frame.len() != limits::FRAME_MIN {
        return Check::Length;
    }
    let count = usize::from(body[limits::HEADER_BYTES + limits::SHORT_COUNT_INDEX]);
    if short && !(1..=limits::SHORT_COUNT_INDEX).contains(&count) {
        return Check::ShortCount;
    }
    Check::Ok
}

/// Result of a transmitter for a header and the payload beats that follow it: its verdict (TX-6)
/// and the words on the link.
///
/// # Panics
/// If a value does not fit its field and the header is not refused.
#[must_use]
pub fn transmit(header: &HeaderWire, len: usize, beats: &[Word]) -> (TxStatus, Vec<Word>) {
    let Some(token) = Token::from_code(header.token) else {
        return (TxStatus::Token, Vec::new());
    };
    let allowed = match token {
        Token::Free => 0..=0,
        Token::Data => 1..=limits::DATA_MAX,
        _ => 0..=limits::DATA_MAX,
    };
    if !allowed.contains(&len) {
        return (TxStatus::Length, Vec::new());
    }
    let count = len.div_ceil(limits::WORD_BYTES);
    for k in 0..count {
        let due = len - k * limits::WORD_BYTES;
        let defect = match beats.get(k) {
            None => Some(TxStatus::Underrun),
            Some(beat) if beat.gap => Some(TxStatus::Underrun),
            Some(beat) if beat.last != (k + 1 == count) || beat.keep != keep_of(due) => {
                Some(TxStatus::Last)
            }
            Some(_) => None,
        };
        if let Some(status) = defect {
            return (status, cut(header, len, &beats[..k]));
        }
    }
    (TxStatus::Ok, words(&frame(header, &bytes(&beats[..count]))))
}

/// The words of a frame cut before payload beat `good.len()` (TX-7): beat k completes word 3 + k.
fn cut(header: &HeaderWire, len: usize, good: &[Word]) -> Vec<Word> {
    // Fields that are not known yet are in words that are not sent.
    let mut valid = bytes(good);
    valid.resize(len, 0);
    let mut link = words(&frame(header, &valid));
    link.truncate(3 + good.len());
    link.push(ABORT);
    link
}

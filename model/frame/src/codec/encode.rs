// SPDX-License-Identifier: MIT OR Apache-2.0
//! [`Frame`] to bytes.

use super::{EncodeError, Expected, Frame, fcs};
use crate::contract::{
    Field, HeaderWire, Token,
    layout::{layout_of, pack},
    limits::{
        C_ST_DATA_FULL, C_ST_DATA_SHORT, DATA_MAX, DATA_MIN, FCS_BYTES, HEADER_BYTES,
        SHORT_COUNT_INDEX,
    },
};

const C_ST_MAX: u8 = max_of(Field::CSt);
const MULTI_G_MAX: u8 = max_of(Field::MultiG);
const ACT_SEQ_MAX: u8 = max_of(Field::ActSeq);

/// Largest value of a field of at most 8 bits.
const fn max_of(field: Field) -> u8 {
    match layout_of(field) {
        Some(layout) if layout.bits <= 8 => layout.max().to_le_bytes()[0],
        _ => panic!("a header field of at most 8 bits"),
    }
}

impl Frame<'_> {
    /// Length of the encoded frame in bytes, pad and FCS included.
    #[must_use]
    #[inline]
    pub const fn encoded_len(&self) -> usize {
        HEADER_BYTES + self.data_len() + FCS_BYTES
    }

    /// Length of Data on the link in bytes: the valid bytes, padded to 46.
    #[inline]
    const fn data_len(&self) -> usize {
        if self.data.len() < DATA_MIN { DATA_MIN } else { self.data.len() }
    }

    /// Encodes the frame into the start of `out`, with pad, short count and FCS, and gives its
    /// length in bytes. On a data token C.ST becomes 1 when there are fewer than 46 valid bytes
    /// (FRM-6).
    ///
    /// # Errors
    /// A value too large for its field or not allowed for this kind of frame, or a buffer that is
    /// too short; `out` is then as it was.
    #[inline]
    pub fn encode(&self, out: &mut [u8]) -> Result<usize, EncodeError> {
        let body = self.encode_unchecked(out)?;
        let end = body + FCS_BYTES;
        let fcs = fcs::compute(&out[..body]);
        out[body..end].copy_from_slice(&fcs.to_le_bytes());
        Ok(end)
    }

    /// [`Frame::encode`] without the FCS, for hardware that appends it: gives the number of bytes
    /// before the FCS. The buffer must have room for the FCS all the same.
    ///
    /// # Errors
    /// As [`Frame::encode`].
    #[inline]
    pub fn encode_unchecked(&self, out: &mut [u8]) -> Result<usize, EncodeError> {
        let short = self.validate()?;
        let needed = self.encoded_len();
        let found = out.len();
        let Some(out) = out.get_mut(..needed) else {
            return Err(EncodeError::Buffer { needed, found });
        };
        // A full data token has C.ST 0 already: validate() lets nothing else through.
        let c_st = if short { C_ST_DATA_SHORT } else { self.c_st };
        let body = needed - FCS_BYTES;
        let header = pack(&HeaderWire { c_st, ..self.header() }).to_be_bytes();
        // 16 bytes in one store; the data overwrites the two after the header.
        if let Some(start) = out.first_chunk_mut::<16>() {
            *start = header;
        }
        if self.data.len() < DATA_MIN {
            // A length known at compile time clears faster than the exact pad.
            out[HEADER_BYTES..HEADER_BYTES + DATA_MIN].fill(0);
        }
        out[HEADER_BYTES..HEADER_BYTES + self.data.len()].copy_from_slice(self.data);
        if short {
            // Fits: `short` means at most 45 valid bytes.
            out[HEADER_BYTES + SHORT_COUNT_INDEX] = self.data.len().to_le_bytes()[0];
        }
        Ok(body)
    }

    /// Checks that every field fits and is allowed. Returns true for a short data token.
    #[inline]
    fn validate(&self) -> Result<bool, EncodeError> {
        if self.c_st > C_ST_MAX || self.multi_g > MULTI_G_MAX || self.act_seq > ACT_SEQ_MAX {
            return Err(self.too_large());
        }
        let short = self.token == Token::Data && self.data.len() < DATA_MIN;
        let (least, most) = match self.token {
            Token::Data => (1, DATA_MAX),
            Token::Free => (0, 0),
            _ => (0, DATA_MAX),
        };
        if self.data.len() < least || self.data.len() > most {
            return Err(self.data_length(least as u64, most as u64));
        }
        match self.token {
            Token::Data if self.c_st > u8::from(short) => Err(EncodeError::NotAllowed {
                field: Field::CSt,
                token: Token::Data,
                expected: if short {
                    Expected::Range(C_ST_DATA_FULL.into(), C_ST_DATA_SHORT.into())
                } else {
                    Expected::Exactly(C_ST_DATA_FULL.into())
                },
                found: self.c_st.into(),
            }),
            Token::Free => self.validate_free(),
            _ => Ok(short),
        }
    }

    /// A free token has MAC and `Node_ID` and zeros elsewhere (FRM-10).
    fn validate_free(&self) -> Result<bool, EncodeError> {
        let zeros = [
            (Field::CSt, u64::from(self.c_st)),
            (Field::MultiG, self.multi_g.into()),
            (Field::ActSeq, self.act_seq.into()),
            (Field::PacketCnt, self.packet_cnt.into()),
            (Field::Addr, self.addr.into()),
        ];
        match zeros.into_iter().find(|&(_, value)| value != 0) {
            None => Ok(false),
            Some((field, found)) => Err(EncodeError::NotAllowed {
                field,
                token: Token::Free,
                expected: Expected::Exactly(0),
                found,
            }),
        }
    }

    #[cold]
    fn too_large(&self) -> EncodeError {
        let fields = [
            (Field::CSt, self.c_st, C_ST_MAX),
            (Field::MultiG, self.multi_g, MULTI_G_MAX),
            (Field::ActSeq, self.act_seq, ACT_SEQ_MAX),
        ];
        let (field, found, max) =
            fields.into_iter().find(|(_, found, max)| found > max).unwrap_or(fields[0]);
        EncodeError::TooLarge { field, max: max.into(), found: found.into() }
    }

    #[cold]
    fn data_length(&self, least: u64, most: u64) -> EncodeError {
        let expected =
            if least == most { Expected::Exactly(most) } else { Expected::Range(least, most) };
        EncodeError::DataLength { token: self.token, expected, found: self.data.len() }
    }
}

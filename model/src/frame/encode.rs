//! [`Frame`] to bytes.

use super::{EncodeError, Expected, Frame, fcs};
use crate::contract::{
    Field, FieldLayout, HeaderWire, Token,
    layout::{layout_of, pack},
    limits::{
        C_ST_DATA_FULL, C_ST_DATA_SHORT, DATA_MAX, DATA_MIN, FCS_BYTES, HEADER_BYTES,
        SHORT_COUNT_INDEX,
    },
};

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
        if self.data.len() < DATA_MIN {
            DATA_MIN
        } else {
            self.data.len()
        }
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
        let c_st = match (self.token, short) {
            (Token::Data, true) => C_ST_DATA_SHORT,
            (Token::Data, false) => C_ST_DATA_FULL,
            _ => self.c_st,
        };
        let body = needed - FCS_BYTES;
        let header = pack(&HeaderWire {
            c_st,
            ..self.header()
        })
        .to_be_bytes();
        out[..HEADER_BYTES].copy_from_slice(&header[..HEADER_BYTES]);
        let data = &mut out[HEADER_BYTES..body];
        let (valid, pad) = data.split_at_mut(self.data.len());
        valid.copy_from_slice(self.data);
        pad.fill(0);
        if short {
            // Fits: `short` means at most 45 valid bytes.
            data[SHORT_COUNT_INDEX] = u8::try_from(self.data.len()).unwrap_or(u8::MAX);
        }
        Ok(body)
    }

    /// Whether every field fits and is allowed; gives whether the frame is a short data token.
    #[inline]
    fn validate(&self) -> Result<bool, EncodeError> {
        for (field, value) in [
            (Field::CSt, self.c_st),
            (Field::MultiG, self.multi_g),
            (Field::ActSeq, self.act_seq),
        ] {
            let max = layout_of(field).map_or(0, FieldLayout::max);
            if u64::from(value) > max {
                return Err(EncodeError::TooLarge {
                    field,
                    max,
                    found: value.into(),
                });
            }
        }
        let short = self.token == Token::Data && self.data.len() < DATA_MIN;
        let lengths = match self.token {
            Token::Data => 1..=DATA_MAX,
            Token::Free => 0..=0,
            _ => 0..=DATA_MAX,
        };
        if !lengths.contains(&self.data.len()) {
            return Err(self.data_length(*lengths.start() as u64, *lengths.end() as u64));
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
    fn data_length(&self, least: u64, most: u64) -> EncodeError {
        let expected = if least == most {
            Expected::Exactly(most)
        } else {
            Expected::Range(least, most)
        };
        EncodeError::DataLength {
            token: self.token,
            expected,
            found: self.data.len(),
        }
    }
}

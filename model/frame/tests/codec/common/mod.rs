// SPDX-License-Identifier: MIT OR Apache-2.0
//! Helpers of the codec tests.

use awgstar_frame::codec::Frame;

/// CRC by another crate than the codec's.
pub(crate) const OTHER_CRC: crc::Crc<u32> = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC);

/// Encodes into a buffer of just the right length.
pub(crate) fn encode(frame: &Frame) -> Vec<u8> {
    let mut out = vec![0xee; frame.encoded_len()];
    assert_eq!(frame.encode(&mut out), Ok(out.len()));
    out
}

/// Replaces the FCS, so that what lies behind it is judged.
pub(crate) fn refresh_fcs(bytes: &mut [u8]) {
    let at = bytes.len() - 4;
    let fcs = OTHER_CRC.checksum(&bytes[..at]).to_le_bytes();
    bytes[at..].copy_from_slice(&fcs);
}

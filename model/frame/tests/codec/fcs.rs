// SPDX-License-Identifier: MIT OR Apache-2.0
//! The FCS against published values and a bit-serial register. Checks FCS-1, FCS-2.

use awgstar_frame::{
    codec::{Frame, Mac, fcs},
    contract::{Token, crc_equations, limits},
};

/// Published CRC-32 (ISO-HDLC / IEEE 802.3) values.
#[test]
fn published_values() {
    let ascending: Vec<u8> = (0..32).collect();
    let table: [(&[u8], u32); 10] = [
        (b"", 0x0000_0000),
        (b"a", 0xE8B7_BE43),
        (b"abc", 0x3524_41C2),
        (b"123456789", 0xCBF4_3926),
        (b"message digest", 0x2015_9D7F),
        (b"abcdefghijklmnopqrstuvwxyz", 0x4C27_50BD),
        (b"The quick brown fox jumps over the lazy dog", 0x414F_A339),
        (&[0; 32], 0x190A_55AD),
        (&[0xff; 32], 0xFF6C_AB0B),
        (&ascending, 0x9126_7E8A),
    ];
    for (bytes, expected) in table {
        assert_eq!(fcs::compute(bytes), expected, "{bytes:02x?}");
    }
}

/// One bit at a time, as IEEE 802.3 describes it.
fn bit_serial(mut register: u32, bytes: &[u8]) -> u32 {
    for byte in bytes {
        for bit in 0..8 {
            let feedback = (register ^ u32::from(byte >> bit)) & 1;
            register = register >> 1 ^ if feedback == 1 { 0xEDB8_8320 } else { 0 };
        }
    }
    register
}

/// FCS-2: over a whole good frame, FCS included, the register holds the residue.
#[test]
fn residue() {
    let data: Vec<u8> = (0..=255).cycle().take(1024).collect();
    for len in [1, 2, 3, 4, 45, 46, 47, 48, 49, 255, 1023, 1024] {
        let mut out = [0; 1042];
        let end =
            Frame::new(Token::Data, Mac([1; 6]), &data[..len]).encode(&mut out).expect("encodes");
        assert_eq!(bit_serial(u32::MAX, &out[..end]), limits::CRC32_RESIDUE);
        let filled = bit_serial(limits::CRC32_RESIDUE, &[0; 3][..(4 - end % 4) % 4]);
        assert_eq!(filled, limits::CRC32_FILLED[end % 4], "{end} bytes and zeros to a whole word");
        assert_eq!(fcs::read(&out[..end]), Some(!bit_serial(u32::MAX, &out[..end - 4])));
    }
    assert_eq!(limits::CRC32_RESIDUE, 0xDEBB_20E3);
    assert_eq!(fcs::read(&[1, 2, 3]), None);
}

/// CRC-1: the equations printed into `crc32.v` are the bit-serial register, for each input bit.
#[test]
fn equations_equal_the_bit_serial_register() {
    let masks = crc_equations::masks();
    for input in 0..32 {
        let y = 1u32 << input;
        let expected = bit_serial(y, &[0; 4]);
        let found = masks
            .iter()
            .enumerate()
            .fold(0u32, |crc, (i, m)| crc | ((y & m).count_ones() & 1) << i);
        assert_eq!(found, expected, "input bit {input}");
        assert_eq!(bit_serial(0, &y.to_le_bytes()), expected, "data and register meet in an XOR");
    }
}

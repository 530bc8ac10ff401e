// SPDX-License-Identifier: MIT OR Apache-2.0
//! Capture files for Wireshark: pcapng, with a section, its interfaces and packets with times in ns.
//!
//! The format is that of `draft-ietf-opsawg-pcapng`; numbers are little-endian.

use std::io::{self, Write};

const SECTION: u32 = 0x0A0D_0D0A;
const BYTE_ORDER: u32 = 0x1A2B_3C4D;
const INTERFACE: u32 = 1;
const PACKET: u32 = 6;

/// Codes of options.
const COMMENT: u16 = 1;
const SECTION_APPLICATION: u16 = 4;
const INTERFACE_NAME: u16 = 2;
const INTERFACE_DESCRIPTION: u16 = 3;
const INTERFACE_SPEED: u16 = 8;
const INTERFACE_RESOLUTION: u16 = 9;

/// A unit of time of 10^-9 s.
const NANOSECONDS: u8 = 9;

/// An interface: a place where packets are seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    /// Short name.
    pub name: String,
    /// Longer description.
    pub description: String,
    /// Link type of its packets.
    pub link_type: u16,
    /// Bit/s.
    pub speed: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Index of its interface.
    pub interface: u32,
    /// Time in ns.
    pub ns: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
    pub comments: Vec<String>,
}

/// The options of a block.
#[derive(Default)]
struct Options(Vec<u8>);

impl Options {
    fn add(mut self, code: u16, value: &[u8]) -> Self {
        // Longer ones do not fit the field of the length; a text is cut between characters before.
        let length = u16::try_from(value.len()).unwrap_or(u16::MAX);
        self.0.extend(code.to_le_bytes());
        self.0.extend(length.to_le_bytes());
        self.0.extend(&value[..usize::from(length)]);
        self.0.resize(self.0.len().next_multiple_of(4), 0);
        self
    }

    fn text(self, code: u16, value: &str) -> Self {
        let end = (0..=value.len().min(usize::from(u16::MAX))).rev();
        let end = end.into_iter().find(|&end| value.is_char_boundary(end)).unwrap_or(0);
        if end == 0 { self } else { self.add(code, &value.as_bytes()[..end]) }
    }

    /// With the option that ends them.
    fn end(mut self) -> Vec<u8> {
        if !self.0.is_empty() {
            self.0.extend([0; 4]);
        }
        self.0
    }
}

/// Writes a block in one piece: a reader at the other end of a pipe gets it whole.
fn block(out: &mut impl Write, kind: u32, parts: [&[u8]; 3]) -> io::Result<()> {
    let inner: usize = parts.iter().map(|part| part.len().next_multiple_of(4)).sum();
    let length = u32::try_from(inner + 12).map_err(io::Error::other)?.to_le_bytes();
    let mut all = Vec::with_capacity(inner + 12);
    all.extend(kind.to_le_bytes());
    all.extend(length);
    for part in parts {
        all.extend(part);
        all.resize(all.len().next_multiple_of(4), 0);
    }
    all.extend(length);
    out.write_all(&all)
}

/// Writes a file of one section, packet by packet.
#[derive(Debug)]
pub struct Writer<W: Write> {
    out: W,
}

impl<W: Write> Writer<W> {
    /// Begins the file. `application` made it, `comment` is about all of it; either may be empty. A text of more
    /// than 65,535 bytes is cut.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn new(
        mut out: W,
        application: &str,
        comment: &str,
        interfaces: &[Interface],
    ) -> io::Result<Self> {
        let mut section = BYTE_ORDER.to_le_bytes().to_vec();
        // Version 1.0, and a length that is not known.
        section.extend([1, 0, 0, 0]);
        section.extend(u64::MAX.to_le_bytes());
        let options =
            Options::default().text(COMMENT, comment).text(SECTION_APPLICATION, application);
        block(&mut out, SECTION, [&section, &options.end(), &[]])?;
        for one in interfaces {
            // Link type, two bytes that are reserved, and no limit of the length of packets.
            let [low, high] = one.link_type.to_le_bytes();
            let fixed = [low, high, 0, 0, 0, 0, 0, 0];
            let options = Options::default()
                .text(INTERFACE_NAME, &one.name)
                .text(INTERFACE_DESCRIPTION, &one.description)
                .add(INTERFACE_SPEED, &one.speed.to_le_bytes())
                .add(INTERFACE_RESOLUTION, &[NANOSECONDS]);
            block(&mut out, INTERFACE, [&fixed, &options.end(), &[]])?;
        }
        Ok(Writer { out })
    }

    /// Appends a packet.
    ///
    /// # Errors
    /// If the writer fails, or the packet has more than 4 GB.
    pub fn packet(&mut self, packet: &Packet) -> io::Result<()> {
        let length = u32::try_from(packet.bytes.len()).map_err(io::Error::other)?;
        let (high, low) = (packet.ns >> 32, packet.ns & 0xFFFF_FFFF);
        let mut fixed = packet.interface.to_le_bytes().to_vec();
        for half in [high, low] {
            fixed.extend(&half.to_le_bytes()[..4]);
        }
        fixed.extend(length.to_le_bytes());
        fixed.extend(length.to_le_bytes());
        let options = packet.comments.iter().fold(Options::default(), |o, c| o.text(COMMENT, c));
        block(&mut self.out, PACKET, [&fixed, &packet.bytes, &options.end()])
    }

    /// Ends the file.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn finish(mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::{Interface, Packet, Writer};

    /// Every byte of a small file, written by hand from the draft.
    #[test]
    fn a_file_has_the_bytes_of_the_format() {
        let interface = Interface {
            name: "l".into(),
            description: String::new(),
            link_type: 0x93,
            speed: 0x0102_0304_0506_0708,
        };
        let packet = Packet {
            interface: 0,
            ns: 0x0000_0001_0000_0002,
            bytes: vec![0xAA, 0xBB, 0xCC],
            comments: vec!["hi".into()],
        };
        let mut out = Vec::new();
        let mut file = Writer::new(&mut out, "", "c", &[interface]).expect("memory");
        file.packet(&packet).and_then(|()| file.finish()).expect("memory");
        #[rustfmt::skip]
        let expected: Vec<u8> = [
            &[0x0A, 0x0D, 0x0D, 0x0A, 40, 0, 0, 0, 0x4D, 0x3C, 0x2B, 0x1A, 1, 0, 0, 0][..],
            &[255, 255, 255, 255, 255, 255, 255, 255, 1, 0, 1, 0, b'c', 0, 0, 0, 0, 0, 0, 0, 40, 0, 0, 0],
            &[1, 0, 0, 0, 52, 0, 0, 0, 0x93, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, b'l', 0, 0, 0],
            &[8, 0, 8, 0, 8, 7, 6, 5, 4, 3, 2, 1, 9, 0, 1, 0, 9, 0, 0, 0, 0, 0, 0, 0, 52, 0, 0, 0],
            &[6, 0, 0, 0, 48, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0],
            &[0xAA, 0xBB, 0xCC, 0, 1, 0, 2, 0, b'h', b'i', 0, 0, 0, 0, 0, 0, 48, 0, 0, 0],
        ]
        .concat();
        assert_eq!(out, expected);
    }

    /// A text that does not fit is cut, and not inside a character.
    #[test]
    fn a_long_comment_is_cut() {
        let mut out = Vec::new();
        Writer::new(&mut out, "", &"ä".repeat(40_000), &[]).expect("memory");
        let text = &out[28..28 + 65_534];
        assert_eq!((out[26], out[27]), (0xFE, 0xFF));
        assert!(std::str::from_utf8(text).is_ok_and(|text| text.chars().all(|c| c == 'ä')));
    }
}

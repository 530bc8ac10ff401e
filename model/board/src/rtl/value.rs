// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values of registers and ports, and their words in an image.

use awgstar_frame::contract::Hdr;

/// A value that a register or port can have.
pub trait Value: Copy + Default {
    /// Writes the words of the image.
    fn pack(self, out: &mut [u32]);
    /// Reads them.
    fn unpack(image: &[u32]) -> Self;
}

impl Value for bool {
    #[inline]
    fn pack(self, out: &mut [u32]) {
        out[0] = self.into();
    }
    #[inline]
    fn unpack(image: &[u32]) -> Self {
        image[0] & 1 != 0
    }
}

macro_rules! small {
    ($($type:ty)*) => { $(impl Value for $type {
        #[inline]
        fn pack(self, out: &mut [u32]) {
            out[0] = self.into();
        }
        #[inline]
        #[expect(clippy::cast_possible_truncation, reason = "an image holds what pack wrote")]
        fn unpack(image: &[u32]) -> Self {
            image[0] as $type
        }
    })* };
}
small!(u8 u16);

impl Value for u32 {
    #[inline]
    fn pack(self, out: &mut [u32]) {
        out[0] = self;
    }
    #[inline]
    fn unpack(image: &[u32]) -> Self {
        image[0]
    }
}

macro_rules! wide {
    ($($type:ty)*) => { $(impl Value for $type {
        #[inline]
        #[expect(clippy::cast_possible_truncation, reason = "one word at a time")]
        fn pack(self, out: &mut [u32]) {
            for (i, word) in out.iter_mut().enumerate() {
                *word = (self >> (32 * i)) as u32;
            }
        }
        #[inline]
        fn unpack(image: &[u32]) -> Self {
            image.iter().rev().fold(0, |value, &word| value << 32 | Self::from(word))
        }
    })* };
}
wide!(u64 u128);

impl Value for Hdr {
    #[inline]
    fn pack(self, out: &mut [u32]) {
        self.0.pack(out);
    }
    #[inline]
    fn unpack(image: &[u32]) -> Self {
        Hdr(Value::unpack(image))
    }
}

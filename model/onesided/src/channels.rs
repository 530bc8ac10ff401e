// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a rank knows of its channels to others.

use std::collections::VecDeque;

/// Bytes before a message: tag, and bytes of the message.
const HEAD: usize = 8;

/// The channels of a rank, by the other rank.
#[derive(Debug)]
pub(crate) struct Channels(pub(crate) Vec<Channel>);

/// The channels to and from another rank. Counts of bytes wrap.
#[derive(Clone, Debug, Default)]
pub(crate) struct Channel {
    /// Bytes written to the other.
    pub(crate) written: u32,
    /// Bytes taken of what the other wrote.
    pub(crate) taken: u32,
    /// The same, as the other knows it.
    pub(crate) known: u32,
    /// What has come of a message that is not complete.
    pub(crate) part: Vec<u8>,
    /// Messages that were not asked for yet, with their tags.
    pub(crate) inbox: VecDeque<(u32, Vec<u8>)>,
}

impl Channels {
    pub(crate) fn new(ranks: usize) -> Self {
        Channels(vec![Channel::default(); ranks])
    }
}

impl Channel {
    /// Takes the complete messages out of what has come.
    pub(crate) fn sort(&mut self) {
        while let Some((head, rest)) = self.part.split_first_chunk::<HEAD>() {
            let word = |at: usize| u32::from_le_bytes(std::array::from_fn(|byte| head[at + byte]));
            let (tag, bytes) = (word(0), word(4) as usize);
            let padded = bytes.next_multiple_of(4);
            if rest.len() < padded {
                break;
            }
            self.inbox.push_back((tag, rest[..bytes].to_vec()));
            self.part.drain(..HEAD + padded);
        }
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records of the log: a commit, or a part of one.

use crate::patch::{Patch, take_word};

/// Where a record stands among those of all ranks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Order {
    /// Greater than that of every record that its writer had seen.
    pub(crate) lamport: u32,
    /// Number of the commit among those of its writer since the last barrier, from 1.
    pub(crate) number: u32,
    /// For each rank the number of its last commit that came before this one: a lock, a flush or a barrier
    /// ordered the two. Others may have arrived, too.
    pub(crate) synced: Vec<u32>,
    /// What the commit belongs to: the lock that is released, [`FLUSH`] or [`BARRIER`].
    pub(crate) cause: u32,
}

/// A commit of a flush.
pub(crate) const FLUSH: u32 = u32::MAX;
/// A commit at a barrier.
pub(crate) const BARRIER: u32 = u32::MAX - 1;

/// Changes that a rank publishes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Record {
    /// Its place.
    pub(crate) order: Order,
    /// Where the program synchronised.
    pub(crate) site: usize,
    /// Blocks of other ranks' heaps that the writer has freed.
    pub(crate) freed: Vec<usize>,
    /// Changed bytes.
    pub(crate) patches: Vec<Patch>,
}

impl Record {
    /// Bytes before the patches, with so many ranks and freed blocks.
    pub(crate) const fn head_len(ranks: usize, freed: usize) -> usize {
        28 + 4 * ranks + 8 * freed
    }

    /// Appends the form in the log.
    pub(crate) fn encode(&self, to: &mut Vec<u8>) {
        let start = to.len();
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let words = [0, self.order.lamport, self.order.number, count(self.freed.len())];
        for word in words {
            to.extend_from_slice(&word.to_le_bytes());
        }
        to.extend_from_slice(&(self.site as u64).to_le_bytes());
        to.extend_from_slice(&self.order.cause.to_le_bytes());
        self.order.synced.iter().for_each(|word| to.extend_from_slice(&word.to_le_bytes()));
        self.freed.iter().for_each(|&at| to.extend_from_slice(&(at as u64).to_le_bytes()));
        self.patches.iter().for_each(|patch| patch.encode(to));
        let words = count((to.len() - start) / 4);
        to[start..start + 4].copy_from_slice(&words.to_le_bytes());
    }

    /// Takes a record from the front of a log; `None` if there is none, or it is not valid.
    pub(crate) fn decode(from: &mut &[u8], ranks: usize) -> Option<Record> {
        let words = u32::from_le_bytes(*from.first_chunk::<4>()?) as usize;
        let (mut record, rest) = from.split_at_checked(4 * words)?;
        *from = rest;
        let mut word = || {
            let (word, rest) = record.split_first_chunk::<4>()?;
            record = rest;
            Some(u32::from_le_bytes(*word))
        };
        let (_, lamport, number, freed) = (word()?, word()?, word()?, word()?);
        let site = u64::from(word()?) | u64::from(word()?) << 32;
        let cause = word()?;
        let synced = (0..ranks).map(|_| word()).collect::<Option<Vec<u32>>>()?;
        let freed = (0..freed).map(|_| usize::try_from(take_word(&mut record)?).ok());
        let freed = freed.collect::<Option<Vec<usize>>>()?;
        let mut patches = Vec::new();
        while !record.is_empty() {
            patches.push(Patch::decode(&mut record)?);
        }
        let order = Order { lamport, number, synced, cause };
        Some(Record { order, site: usize::try_from(site).ok()?, freed, patches })
    }
}

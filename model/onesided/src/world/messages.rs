// SPDX-License-Identifier: MIT OR Apache-2.0
//! Messages between two ranks.
//!
//! Each rank has a ring buffer for each other one, which that one writes, and two words: how many bytes were written,
//! and how many were taken. A message may be larger than the buffer: it goes in pieces. This needs a machine on which
//! writes of a process to one node arrive in order.

use super::World;
use crate::{Error, layout::Layout};
use awgstar_frame::quantity::narrow;

impl World {
    /// A word of the own segment.
    fn own(&self, offset: usize) -> u32 {
        let mut word = [0; 4];
        self.memory.load(offset, &mut word);
        u32::from_le_bytes(word)
    }

    /// Takes what has come, of every rank.
    fn drain(&mut self) -> Result<(), Error> {
        let (me, layout) = (self.rank(), self.layout);
        for source in (0..layout.ranks).filter(|&source| source != me) {
            let head = self.own(Layout::head(source));
            let channel = &mut self.channels.0[source];
            let mut new = vec![0; head.wrapping_sub(channel.taken) as usize];
            if new.is_empty() {
                continue;
            }
            let from = channel.taken as usize % layout.channel;
            let to_end = (layout.channel - from).min(new.len());
            let (first, second) = new.split_at_mut(to_end);
            self.memory.load(layout.buffer(source) + from, first);
            self.memory.load(layout.buffer(source), second);
            channel.part.extend(new);
            channel.taken = head;
            channel.sort();
            // Half a buffer is enough for the other to go on.
            if channel.taken.wrapping_sub(channel.known) as usize >= layout.channel / 2 {
                channel.known = head;
                self.write(self.address(source, layout.tail(me)), &head.to_le_bytes())?;
            }
        }
        Ok(())
    }

    /// Waits until a word of any channel differs from what it was.
    fn wait_counters(&mut self, old: &[u8]) -> Result<(), Error> {
        let at = self.address(self.rank(), 0);
        self.during(|node| node.wait_change(at, old))
    }

    fn counters(&self) -> Vec<u8> {
        let mut all = vec![0; self.layout.counters()];
        self.memory.load(0, &mut all);
        all
    }

    const fn check_rank(&self, rank: usize) -> Result<(), Error> {
        let ranks = self.ranks();
        if rank < ranks { Ok(()) } else { Err(Error::Rank { rank, ranks }) }
    }

    /// Sends a message. It waits while the channel to that rank is full, and takes meanwhile what others send.
    ///
    /// # Errors
    /// [`Error::Rank`], [`Error::Call`]; [`Error::Message`] beyond 4 GiB.
    pub fn send(&mut self, to: usize, tag: u32, bytes: &[u8]) -> Result<(), Error> {
        self.check_rank(to)?;
        if to == self.rank() {
            self.channels.0[to].inbox.push_back((tag, bytes.to_vec()));
            return Ok(());
        }
        let too_long = Error::Message { found: bytes.len(), expected: u32::MAX as usize };
        let length = u32::try_from(bytes.len()).map_err(|_| too_long)?;
        let mut all = [tag.to_le_bytes(), length.to_le_bytes()].concat();
        all.extend(bytes);
        all.resize(all.len().next_multiple_of(4), 0);
        let (me, layout) = (self.rank(), self.layout);
        let mut left = &all[..];
        while !left.is_empty() {
            let old = self.counters();
            let written = self.channels.0[to].written;
            let under_way = written.wrapping_sub(self.own(layout.tail(to))) as usize;
            let room = layout.channel - under_way;
            if room == 0 {
                self.drain()?;
                self.wait_counters(&old)?;
                continue;
            }
            let at = written as usize % layout.channel;
            let piece = left.len().min(room).min(layout.channel - at);
            let (now, later) = left.split_at(piece);
            self.write(self.address(to, layout.buffer(me) + at), now)?;
            let written = written.wrapping_add(narrow(piece));
            self.channels.0[to].written = written;
            // After its bytes: what a rank writes arrives in order.
            self.write(self.address(to, Layout::head(me)), &written.to_le_bytes())?;
            left = later;
        }
        Ok(())
    }

    /// Waits for the oldest message of a rank with this tag.
    ///
    /// # Errors
    /// [`Error::Rank`], [`Error::Call`].
    pub fn recv(&mut self, from: usize, tag: u32) -> Result<Vec<u8>, Error> {
        self.check_rank(from)?;
        self.take(&[from], tag).map(|(_, message)| message)
    }

    /// Waits for a message of any rank with this tag, and gives its rank: of several that are there, the lowest.
    ///
    /// # Errors
    /// [`Error::Call`].
    pub fn recv_any(&mut self, tag: u32) -> Result<(usize, Vec<u8>), Error> {
        let all: Vec<usize> = (0..self.ranks()).collect();
        self.take(&all, tag)
    }

    /// Waits for the oldest message of one of these ranks with this tag.
    fn take(&mut self, ranks: &[usize], tag: u32) -> Result<(usize, Vec<u8>), Error> {
        loop {
            let old = self.counters();
            self.drain()?;
            for &from in ranks {
                let inbox = &mut self.channels.0[from].inbox;
                let at = inbox.iter().position(|(one, _)| *one == tag);
                if let Some((_, message)) = at.and_then(|at| inbox.remove(at)) {
                    return Ok((from, message));
                }
            }
            self.wait_counters(&old)?;
        }
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the words of channels are in the memory of a ring.

use crate::line::Cache;
use crate::words::{Requester, Slot, Word};
use awgstar_frame::quantity::{ByteAddress, NodeId};
use thiserror::Error;

/// Sizes that decide where each word is. Clients are the nodes 0 to `clients` - 1, rings the numbers 0 to `rings` - 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Address of the first word.
    pub base: ByteAddress,
    /// Nodes of a ring, gateways among them.
    pub clients: u16,
    pub gateways: u8,
    pub rings: u16,
    /// Most words of a request.
    pub block: u16,
    /// Locks of all rings.
    pub locks: u16,
    /// Places for lines of other rings.
    pub cache: Option<Cache>,
}

/// A word that the layout has no place for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum LayoutError {
    #[error("client: {found}; expected 0 to {}", clients.saturating_sub(1))]
    Client { found: NodeId, clients: u16 },
    #[error("gateway: {found}; expected 0 to {}", gateways.saturating_sub(1))]
    Gateway { found: u8, gateways: u8 },
    #[error("ring: {found}; expected 0 to {}", rings.saturating_sub(1))]
    Ring { found: u16, rings: u16 },
    #[error("word of a request: {found}; expected 0 to {}", block.saturating_sub(1))]
    Block { found: u16, block: u16 },
    #[error("lock: {found}; expected 0 to {}", locks.saturating_sub(1))]
    Lock { found: u16, locks: u16 },
    #[error("place of a line: {found}; expected 0 to {}", lines.saturating_sub(1))]
    Place { found: u16, lines: u16 },
    #[error("word of a line: {found}; expected 0 to {}", words.saturating_sub(1))]
    Line { found: u16, words: u16 },
    #[error("layout: beyond 32 bits of address")]
    Full,
}

impl Layout {
    /// The address of a word; that of a word of programs is its own.
    ///
    /// # Errors
    /// [`LayoutError`] for what is beyond the sizes.
    pub fn address(&self, word: Word) -> Result<ByteAddress, LayoutError> {
        let (block, clients) = (u64::from(self.block), u64::from(self.clients));
        let (own, reply, far) = (4 + block, 2 + block, 4 + 2 * block);
        let replies = clients * own;
        let releases = replies + u64::from(self.gateways) * clients * reply;
        let homes = releases + u64::from(self.gateways);
        let gateways = u64::from(self.gateways);
        let wants = homes + gateways * u64::from(self.rings) * clients * far;
        let turns = wants + u64::from(self.locks) * clients;
        // Words of the same kind of all gateways follow each other: a client waits until one of them changes.
        let turn = |slot, lock, at: u64| {
            Ok(turns + (self.lock(lock)? * 3 + at) * gateways + self.slot(slot)?)
        };
        let client = |client, at: u64| Ok(self.client(client)? * own + at);
        let answer = |slot, client, at: u64| {
            Ok(replies + (self.client(client)? * reply + at) * gateways + self.slot(slot)?)
        };
        let home = |slot, from, at: u64| {
            let all = u64::from(self.rings) * clients;
            Ok(homes + (self.slot(slot)? * all + self.requester(from)?) * far + at)
        };
        let begun = turns + gateways * u64::from(self.locks) * 3;
        let line = |place, at: u64| {
            let one = 3 + u64::from(self.cache.map_or(0, |cache| cache.words));
            Ok(begun + u64::from(self.gateways) + self.place(place)? * one + at)
        };
        let at = match word {
            Word::Request(node) => client(node, 0),
            Word::Target(node) => client(node, 1),
            Word::Address(node) => client(node, 2),
            Word::Arrival(node) => client(node, 3),
            Word::Data(node, at) => client(node, 4 + self.block(at)?),
            Word::Taken(slot, node) => answer(slot, node, 0),
            Word::Reply(slot, node) => answer(slot, node, 1),
            Word::Value(slot, node, at) => {
                let values = replies + (self.client(node)? * reply + 2) * gateways;
                Ok(values + self.slot(slot)? * block + self.block(at)?)
            }
            Word::Release(slot) => Ok(releases + self.slot(slot)?),
            Word::Intent(slot, from) => home(slot, from, 0),
            Word::IntentAddress(slot, from) => home(slot, from, 1),
            Word::IntentAt(slot, from) => home(slot, from, 2),
            Word::Done(slot, from) => home(slot, from, 3),
            Word::IntentData(slot, from, at) => home(slot, from, 4 + self.block(at)?),
            Word::Result(slot, from, at) => home(slot, from, 4 + block + self.block(at)?),
            Word::Want(node, lock) => Ok(wants + self.lock(lock)? * clients + self.client(node)?),
            Word::Grant(slot, lock) => turn(slot, lock, 0),
            Word::Turn(slot, lock) => turn(slot, lock, 1),
            Word::Owner(slot, lock) => turn(slot, lock, 2),
            Word::Begun(slot) => Ok(begun + self.slot(slot)?),
            Word::Line(place) => line(place, 0),
            Word::LineRing(place) => line(place, 1),
            Word::LineAddress(place) => line(place, 2),
            Word::Cached(place, at) => line(place, 3 + self.word_of_line(at)?),
            Word::Memory(address) => return Ok(address),
        }?;
        let bytes = at.checked_mul(4).and_then(|bytes| u32::try_from(bytes).ok());
        bytes.and_then(|bytes| self.base.checked_add(bytes)).ok_or(LayoutError::Full)
    }

    /// Bytes from [`Layout::base`] to the end of the last word.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let (block, clients) = (u64::from(self.block), u64::from(self.clients));
        let gateways = u64::from(self.gateways);
        let near = clients * (4 + block) + gateways * (clients * (2 + block) + 1);
        let far = gateways * u64::from(self.rings) * clients * (4 + 2 * block);
        let locks = u64::from(self.locks) * (clients + 3 * gateways);
        let line = |cache: Cache| u64::from(cache.lines) * (3 + u64::from(cache.words)) + gateways;
        let lines = self.cache.map_or(0, line);
        4 * (near + far + locks + lines)
    }

    fn client(&self, found: NodeId) -> Result<u64, LayoutError> {
        let clients = self.clients;
        let good = u16::from(found.0) < clients;
        good.then_some(found.0.into()).ok_or(LayoutError::Client { found, clients })
    }

    fn slot(&self, slot: Slot) -> Result<u64, LayoutError> {
        let (found, gateways) = (slot.0, self.gateways);
        let good = found < gateways;
        good.then_some(found.into()).ok_or(LayoutError::Gateway { found, gateways })
    }

    fn lock(&self, found: u16) -> Result<u64, LayoutError> {
        let locks = self.locks;
        (found < locks).then_some(found.into()).ok_or(LayoutError::Lock { found, locks })
    }

    fn block(&self, found: u16) -> Result<u64, LayoutError> {
        let block = self.block;
        (found < block).then_some(found.into()).ok_or(LayoutError::Block { found, block })
    }

    fn place(&self, found: u16) -> Result<u64, LayoutError> {
        let lines = self.cache.map_or(0, |cache| cache.lines);
        (found < lines).then_some(found.into()).ok_or(LayoutError::Place { found, lines })
    }

    fn word_of_line(&self, found: u16) -> Result<u64, LayoutError> {
        let words = self.cache.map_or(0, |cache| cache.words);
        (found < words).then_some(found.into()).ok_or(LayoutError::Line { found, words })
    }

    fn requester(&self, from: Requester) -> Result<u64, LayoutError> {
        let (found, rings) = (from.ring.0, self.rings);
        if found >= rings {
            return Err(LayoutError::Ring { found, rings });
        }
        Ok(u64::from(found) * u64::from(self.clients) + self.client(from.client)?)
    }
}

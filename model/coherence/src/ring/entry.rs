// SPDX-License-Identifier: MIT OR Apache-2.0
//! Entries of a log: a message is there once, whoever is to have it.

use crate::{fdsm, notes::Count, pages::Message};
use awgstar_frame::quantity::{NodeId, narrow};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Entry {
    /// A note of the process, for all.
    Note(Vec<u8>),
    /// A message, and how many notes its receivers are to see.
    Message { to: Vec<NodeId>, message: Message, known: Count },
    /// [`fdsm::Message::Push`] to several: each takes what it lacks.
    Push { epoch: u32, to: Vec<NodeId>, pieces: Vec<(Vec<NodeId>, fdsm::Piece)> },
    /// The process has ended.
    End,
}

/// Adds a message to a node to those that a node sends at once.
pub(super) fn add(all: &mut Vec<Entry>, to: NodeId, message: Message, known: Count) {
    let push = match message {
        Message::Fdsm(fdsm::Message::Push { epoch, pieces }) => Ok((epoch, pieces)),
        other => Err(other),
    };
    // Not before another one to the same node.
    let last = all.iter().rposition(|entry| entry.is_for(to)).map_or(0, |at| at + 1);
    match push {
        Ok((epoch, pieces)) => {
            let same = |entry: &Entry| matches!(entry, Entry::Push { epoch: e, .. } if *e == epoch);
            if !all[last..].iter().any(same) {
                all.push(Entry::Push { epoch, to: Vec::new(), pieces: Vec::new() });
            }
            let entry = all[last..].iter_mut().find(|entry| same(entry));
            let Some(Entry::Push { to: nodes, pieces: there, .. }) = entry else { return };
            nodes.push(to);
            for piece in pieces {
                match there.iter_mut().find(|(_, one)| *one == piece) {
                    Some((nodes, _)) => nodes.push(to),
                    None => there.push((vec![to], piece)),
                }
            }
        }
        Err(message) => {
            let same = all[last..].iter_mut().find_map(|entry| match entry {
                Entry::Message { to, message: m, known: k } if *m == message && *k == known => {
                    Some(to)
                }
                _ => None,
            });
            match same {
                Some(nodes) => nodes.push(to),
                None => all.push(Entry::Message { to: vec![to], message, known }),
            }
        }
    }
}

impl Entry {
    fn is_for(&self, node: NodeId) -> bool {
        match self {
            Entry::Message { to, .. } | Entry::Push { to, .. } => to.contains(&node),
            Entry::Note(_) | Entry::End => false,
        }
    }

    /// The message in it for a node.
    pub(super) fn of(self, node: NodeId) -> Option<(Message, Count)> {
        if !self.is_for(node) {
            return None;
        }
        match self {
            Entry::Message { message, known, .. } => Some((message, known)),
            Entry::Push { epoch, pieces, .. } => {
                let mine = pieces.into_iter().filter(|(to, _)| to.contains(&node));
                let pieces = mine.map(|(_, piece)| piece).collect();
                Some((Message::Fdsm(fdsm::Message::Push { epoch, pieces }), Count::new()))
            }
            Entry::Note(_) | Entry::End => None,
        }
    }

    /// Its length and its bytes, in whole words.
    pub(super) fn encode(&self) -> Vec<u8> {
        let bytes = postcard::to_allocvec(self).unwrap_or_default();
        let mut all = narrow::<u32>(bytes.len()).to_le_bytes().to_vec();
        all.extend(bytes);
        all.resize(all.len().next_multiple_of(4), 0);
        all
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Entry> {
        let (entry, rest) = postcard::take_from_bytes(bytes).ok()?;
        rest.is_empty().then_some(entry)
    }
}

/// Takes the bytes of the first entry away, if it is whole.
pub(super) fn whole(part: &mut Vec<u8>) -> Option<Vec<u8>> {
    let (len, rest) = part.split_first_chunk::<4>()?;
    let len = narrow::<usize>(u32::from_le_bytes(*len));
    let bytes = rest.get(..len)?.to_vec();
    let words = (4 + len).next_multiple_of(4);
    if part.len() < words {
        return None;
    }
    part.drain(..words);
    Some(bytes)
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{Diff, Run};

    fn request(lock: u32) -> Message {
        Message::Fdsm(fdsm::Message::Request { lock })
    }

    fn piece(page: usize) -> fdsm::Piece {
        fdsm::Piece { page, diff: Diff { runs: vec![Run { at: 3, bytes: vec![1, 2] }] } }
    }

    fn push(pages: &[usize]) -> Message {
        let pieces = pages.iter().copied().map(piece).collect();
        Message::Fdsm(fdsm::Message::Push { epoch: 4, pieces })
    }

    fn entries(sends: &[(u8, Message)]) -> Vec<Entry> {
        let mut all = Vec::new();
        for (to, message) in sends {
            add(&mut all, NodeId(*to), message.clone(), vec![5]);
        }
        all
    }

    /// What each node gets is what was sent to it, in its order.
    #[test]
    fn a_message_to_several_is_one_entry_and_overtakes_none() {
        let sends = [
            (1, request(1)),
            (2, request(2)),
            (2, request(1)),
            (3, request(1)),
            (1, push(&[7, 8])),
            (2, push(&[8, 9])),
            (3, push(&[])),
        ];
        let all = entries(&sends);
        assert_eq!(all.len(), 4, "{all:?}");
        for node in 0..5 {
            let sent: Vec<_> =
                sends.iter().filter(|one| one.0 == node).map(|one| one.1.clone()).collect();
            let got: Vec<_> = all
                .iter()
                .filter_map(|one| one.clone().of(NodeId(node)))
                .map(|one| one.0)
                .collect();
            assert_eq!(got, sent, "{node}");
        }
        // Page 8 is there once.
        let Some(Entry::Push { pieces, .. }) = all.last() else { panic!("{all:?}") };
        assert_eq!(pieces.iter().map(|(_, piece)| piece.page).collect::<Vec<_>>(), [7, 8, 9]);
    }

    #[test]
    fn entries_are_read_as_they_were_written_in_any_parts() {
        let mut all = entries(&[(1, request(1)), (2, push(&[7]))]);
        all.extend([Entry::Note(vec![1, 2, 3]), Entry::Note(Vec::new()), Entry::End]);
        let bytes: Vec<u8> = all.iter().flat_map(Entry::encode).collect();
        for part in [4, 8, 12, bytes.len()] {
            let (mut rest, mut found) = (Vec::new(), Vec::new());
            for words in bytes.chunks(part) {
                rest.extend_from_slice(words);
                while let Some(entry) = whole(&mut rest) {
                    found.push(Entry::decode(&entry).unwrap());
                }
            }
            assert_eq!((found, rest), (all.clone(), Vec::new()), "{part}");
        }
    }

    /// Bytes that no node writes.
    #[test]
    fn what_is_no_entry_is_refused() {
        let bytes = Entry::Note(vec![1, 2, 3]).encode();
        let entry = &bytes[4..4 + 5];
        assert!(Entry::decode(entry).is_some());
        assert_eq!(Entry::decode(&entry[..3]), None);
        assert_eq!(Entry::decode(&[entry, &[0]].concat()), None);
        assert_eq!(Entry::decode(&[9]), None);
        assert_eq!(Entry::decode(&[]), None);
    }
}

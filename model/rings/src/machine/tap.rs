// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a ring writes into windows, or where others have lines, as it comes to the board of its gateway.

use super::common::{Common, Failure};
use crate::interface::Block;
use crate::window::Window;
use crate::words::RingNumber;
use awgstar_board::rtl::{Smb, rx_buffer, rx_sorter};
use awgstar_frame::quantity::ByteAddress;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Most words of a message.
const WORDS: usize = 64;

/// What a gateway takes from its store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Written {
    Block(Block),
    /// All windows were read once since they were asked for the time with this number.
    Filled(u64),
}

/// Words in the order in which they came.
#[derive(Debug, Default)]
struct Kept {
    all: VecDeque<Written>,
    /// The windows are being read: the words that are left, and the number of the time.
    filling: Option<(VecDeque<Range<usize>>, u64)>,
    /// Words of the ring's other gateway that have come.
    came: u32,
    /// The board of the other gateway is bridged.
    alone: bool,
}

impl Kept {
    fn put(&mut self, word: usize, value: u32) {
        if let Some(Written::Block(last)) = self.all.back_mut()
            && last.first.word() + last.values.len() == word
            && last.values.len() < WORDS
        {
            last.values.push(value);
            return;
        }
        let first = ByteAddress::at_word(word);
        self.all.push_back(Written::Block(Block { first, values: vec![value] }));
    }
}

/// The store of a gateway: its tap puts words in, and its firmware takes them.
#[derive(Clone, Debug, Default)]
pub(super) struct Store(Arc<Mutex<Kept>>);

impl Store {
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// That windows were read is said later.
    pub(super) fn put_back(&self, taken: VecDeque<Written>) {
        let filled = taken.into_iter().filter(|one| matches!(one, Written::Filled(_)));
        let mut kept = self.lock();
        for one in filled {
            kept.all.push_front(one);
        }
    }

    pub(super) fn take(&self) -> VecDeque<Written> {
        std::mem::take(&mut self.lock().all)
    }

    /// Reads all of these words, for the time with this number; a reading that is under way ends.
    pub(super) fn fill(&self, words: impl Iterator<Item = Range<usize>>, number: u64) {
        self.lock().filling = Some((words.collect(), number));
    }

    /// Words of the ring's other gateway that have come.
    pub(super) fn came(&self) -> u32 {
        self.lock().came
    }

    /// The switch that bridges the board of the other gateway has done so.
    pub(super) fn bridged(&self) {
        self.lock().alone = true;
    }

    pub(super) fn is_alone(&self) -> bool {
        self.lock().alone
    }

    pub(super) fn is_empty(&self) -> bool {
        let kept = self.lock();
        kept.all.is_empty() && kept.filling.is_none()
    }
}

/// Looks at what the board of a gateway writes into its memory for other boards. What its own host writes does not come
/// here.
#[derive(Debug)]
pub(super) struct Tap {
    ring: RingNumber,
    windows: Vec<Window>,
    /// First address of which nothing is taken where no window is.
    end: ByteAddress,
    store: Store,
    common: Common,
    /// The low byte of the MAC of the ring's other gateway, and that of the data frame that is written.
    other: Option<u8>,
    source: Option<u8>,
}

impl Tap {
    pub(super) fn new(
        ring: RingNumber,
        (windows, end): (Vec<Window>, ByteAddress),
        store: Store,
        common: Common,
    ) -> Tap {
        Tap { ring, windows, end, store, common, other: None, source: None }
    }

    /// The other gateway of the ring.
    pub(super) fn beside(&mut self, other: &Smb) {
        if other.u_regs.enable_q {
            self.other = Some(other.u_regs.node_id_q);
        }
    }

    /// Looks once in each cycle. In a cycle without a write a word is read for a gateway that asks for its windows, so
    /// no word is older than one that was taken before it.
    pub(super) fn look(&mut self, board: &Smb) {
        // What is written now was taken before the edge.
        let of_other = self.other.is_some() && self.source == self.other;
        let header = board.u_node.u_rx_buffer.outputs(&rx_buffer::Inputs::default()).m_hdr;
        let data = board.u_sorter.state_q == rx_sorter::DATA;
        self.source = data.then(|| header.mac().to_le_bytes()[0]);
        if of_other && board.u_writer.mem_we_q != 0 {
            let mut kept = self.store.lock();
            kept.came = kept.came.wrapping_add(1);
            return;
        }
        self.take(board);
    }

    fn take(&self, board: &Smb) {
        let writer = &board.u_writer;
        if writer.mem_we_q == 0 {
            let mut kept = self.store.lock();
            let Some((words, number)) = kept.filling.as_mut() else { return };
            let number = *number;
            while words.front().is_some_and(Range::is_empty) {
                words.pop_front();
            }
            if let Some(word) = words.front_mut().and_then(Iterator::next) {
                kept.put(word, board.u_memory.mem[word]);
            } else {
                kept.filling = None;
                kept.all.push_back(Written::Filled(number));
            }
            return;
        }
        let word = writer.mem_addr_q as usize;
        let window = self.windows.iter().find(|one| one.words().contains(&word));
        if window.is_none() && word >= self.end.word() {
            return;
        }
        if let Some(window) = window.filter(|one| one.ring != self.ring) {
            let address = ByteAddress::at_word(word);
            self.common.fail(self.ring, Failure::Window { address, of: window.ring });
            return;
        }
        let lanes = (0..4).filter(|lane| writer.mem_we_q >> lane & 1 == 1);
        let mask = lanes.fold(0, |mask, lane| mask | 0xff_u32 << (8 * lane));
        let value = board.u_memory.mem[word] & !mask | writer.mem_wdata_q & mask;
        self.store.lock().put(word, value);
    }
}

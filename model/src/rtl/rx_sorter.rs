//! `rx_sorter`: drops what was seen before or comes too early, gives data to the memory and
//! signals to the mailbox (RCV-1 to RCV-6).

mod ports;

pub use ports::{Inputs, Outputs};

use super::{data_window::reached, state::state};
use crate::contract::{
    Token,
    board::{self, MEM_ADDR_W},
    fsm,
};

/// After reset: the table is cleared.
pub const CLEAR: u8 = fsm::code("rx_sorter", "clear");
/// No frame.
pub const IDLE: u8 = fsm::code("rx_sorter", "idle");
/// A frame is looked at.
pub const LOOK: u8 = fsm::code("rx_sorter", "look");
/// `mem_writer` takes its Data.
pub const DATA: u8 = fsm::code("rx_sorter", "data");
/// Header words of a message.
pub const HEAD: u8 = fsm::code("rx_sorter", "head");
/// Its Data.
pub const BODY: u8 = fsm::code("rx_sorter", "body");
/// The frame is dropped.
pub const DROP: u8 = fsm::code("rx_sorter", "drop");

/// Sources that the table knows.
pub const SOURCES: usize = 256;
const ENTRY_W: usize = 41;
/// Words of Data in a message, in bytes.
const MAIL_MAX: u16 = 48;
/// Words of a message.
const MAIL_WORDS: u8 = 16;

state! {
    /// Registers and memory of `rx_sorter`.
    pub struct RxSorter("rx_sorter", Inputs, Outputs) {
        registers {
            /// State.
            state_q: u8 = 3,
            /// Entry being cleared; word of a message.
            index_q: u8 = 8,
            /// Table entry of the frame's source.
            entry_q: u64 = ENTRY_W,
        }
        memories {
            /// `{data_known, data_next, signal_known, signal_last}` by the low byte of MAC.
            sources: [u64; SOURCES] = ENTRY_W => U64,
        }
    }
}

/// An entry of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Source {
    /// Number of its next data frame.
    data_next: Option<u8>,
    /// Number of its last signal.
    signal_last: Option<u32>,
}

impl Source {
    #[expect(clippy::cast_possible_truncation, reason = "the parts of an entry")]
    fn from_entry(entry: u64) -> Self {
        Source {
            data_next: (entry >> 40 & 1 != 0).then_some((entry >> 32) as u8),
            signal_last: (entry >> 31 & 1 != 0).then_some(entry as u32 & 0x7fff_ffff),
        }
    }
}

/// An entry whose data half is that of `number` as the next frame.
const fn with_data(entry: u64, number: u8) -> u64 {
    entry & 0xffff_ffff | 1 << 40 | (number as u64) << 32
}

/// An entry whose signal half is that of `number` as the last signal.
const fn with_signal(entry: u64, number: u32) -> u64 {
    entry >> 32 << 32 | 1 << 31 | number as u64
}

/// Verdict on a frame: a row of the table.
#[derive(Clone, Copy, Debug)]
struct Look {
    next: u8,
    /// What the entry becomes, if it does.
    entry: Option<u64>,
    events: Outputs,
}

/// Header word 0 of a message.
fn head_word0(i: &Inputs) -> u32 {
    u32::from(i.s_hdr_token) << 29
        | u32::from(i.s_hdr_c_st) << 24
        | u32::from(i.s_hdr_node_id) << 16
        | u32::from(i.s_hdr_multi_g) << 12
        | u32::from(i.s_hdr_act_seq) << 8
        | u32::from(i.s_hdr_packet_cnt)
}

impl RxSorter {
    /// The rows of the table, top to bottom.
    fn look(&self, i: &Inputs) -> Look {
        let mut look = Look { next: DROP, entry: None, events: Outputs::default() };
        let (token, own_id) = (Token::from_code(i.s_hdr_token), i.cfg_mac.to_le_bytes()[0]);
        look.events.ev_same_id =
            matches!(token, Some(Token::Data | Token::Control)) && i.s_hdr_node_id == own_id;
        match token {
            Some(Token::Data) => self.data(i, &mut look),
            Some(Token::P2p | Token::Multicast | Token::Broadcast) => self.signal(i, &mut look),
            Some(Token::Control) if i.s_hdr_c_st == board::SYNC.c_st => {
                look.entry = Some(1 << 40);
            }
            Some(Token::Control) => {
                look.events.monitor_seen = i.s_hdr_c_st == board::MONITOR.c_st;
            }
            _ => {}
        }
        look
    }

    /// RCV-2, RCV-4
    fn data(&self, i: &Inputs, look: &mut Look) {
        if let Some(next) = Source::from_entry(self.entry_q).data_next
            && next != i.s_hdr_packet_cnt
        {
            if reached(i.s_hdr_packet_cnt, next) {
                look.events.ev_data_gap = true;
            } else {
                look.events.ev_data_again = true;
            }
            return;
        }
        look.entry = Some(with_data(self.entry_q, i.s_hdr_packet_cnt.wrapping_add(1)));
        let end = u64::from(i.s_hdr_addr) + u64::from(i.s_hdr_len);
        if end > 4 << MEM_ADDR_W {
            look.events.ev_data_range = true;
        } else {
            (look.events.ev_data, look.events.start, look.next) = (true, true, DATA);
        }
    }

    /// RCV-3, RCV-5
    fn signal(&self, i: &Inputs, look: &mut Look) {
        let number = i.s_hdr_addr & 0x7fff_ff00 | u32::from(i.s_hdr_packet_cnt);
        let mark = i.s_hdr_addr.to_le_bytes()[0];
        let source = Source::from_entry(self.entry_q);
        let events = &mut look.events;
        // At or behind the last: an old one may go round without its source.
        if source.signal_last.is_some_and(|last| last.wrapping_sub(number) >> 30 & 1 == 0) {
            events.ev_signal_again = true;
            return;
        }
        if i.s_hdr_addr >> 31 != 0 && source.data_next.is_some_and(|next| !reached(next, mark)) {
            events.ev_signal_early = true;
            return;
        }
        look.entry = Some(with_signal(self.entry_q, number));
        if i.s_hdr_len > MAIL_MAX {
            events.ev_signal_long = true;
        } else if i.mail_full {
            events.ev_mail_full = true;
        } else {
            (events.ev_signal, look.next) = (true, HEAD);
            // Already here: a message must not take longer than its frame did.
            (events.mail_we, events.mail_data) = (true, head_word0(i));
        }
    }

    /// Header word `index_q`, 1 to 3, of a message.
    fn head_word(&self, i: &Inputs) -> u32 {
        let mac = i.s_hdr_mac.to_le_bytes();
        match self.index_q {
            1 => u32::from_le_bytes([mac[2], mac[3], mac[4], mac[5]]),
            2 => u32::from_le_bytes([0, 0, mac[0], mac[1]]) | u32::from(i.s_hdr_len),
            _ => i.s_hdr_addr,
        }
    }

    /// Just before the edge.
    #[must_use]
    #[inline]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        let ends = i.s_axis_tvalid && i.s_axis_tlast;
        let mut o = match self.state_q {
            LOOK => self.look(i).events,
            DATA => Outputs {
                s_axis_tready: i.writer_ready,
                s_hdr_ready: i.writer_done,
                ..Outputs::default()
            },
            HEAD => Outputs {
                mail_we: true,
                mail_index: self.index_q & 15,
                mail_data: self.head_word(i),
                ..Outputs::default()
            },
            BODY => {
                let mail_we = i.s_axis_tvalid && self.index_q < MAIL_WORDS;
                Outputs {
                    s_axis_tready: true,
                    mail_we,
                    mail_index: if mail_we { self.index_q & 15 } else { 0 },
                    mail_data: if mail_we { i.s_axis_tdata } else { 0 },
                    mail_commit: ends,
                    s_hdr_ready: ends,
                    ..Outputs::default()
                }
            }
            DROP => Outputs { s_axis_tready: true, s_hdr_ready: ends, ..Outputs::default() },
            _ => Outputs::default(),
        };
        o.monitor_lower = i.s_hdr_mac < i.cfg_mac;
        o
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, i: &Inputs) {
        // Without a header the port may have anything.
        let source = if i.s_hdr_valid { usize::from(i.s_hdr_mac.to_le_bytes()[0]) } else { 0 };
        // Before the write.
        let entry = self.sources[source];
        let ends = i.s_axis_tvalid && i.s_axis_tlast;
        match self.state_q {
            CLEAR => {
                self.sources[usize::from(self.index_q)] = 0;
                if self.index_q == u8::MAX {
                    self.state_q = IDLE;
                }
                self.index_q = self.index_q.wrapping_add(1);
            }
            IDLE if i.s_hdr_valid => self.state_q = LOOK,
            LOOK => {
                let look = self.look(i);
                if let Some(entry) = look.entry {
                    self.sources[source] = entry;
                }
                (self.state_q, self.index_q) = (look.next, u8::from(look.next == HEAD));
            }
            DATA if i.writer_done => self.state_q = IDLE,
            HEAD => {
                if self.index_q == 3 {
                    self.state_q = BODY;
                }
                self.index_q = self.index_q.wrapping_add(1);
            }
            BODY => {
                self.index_q += u8::from(i.s_axis_tvalid && self.index_q < MAIL_WORDS);
                if ends {
                    self.state_q = IDLE;
                }
            }
            DROP if ends => self.state_q = IDLE,
            _ => {}
        }
        self.entry_q = entry;
        if i.rst {
            (self.state_q, self.index_q) = (CLEAR, 0);
        }
    }
}

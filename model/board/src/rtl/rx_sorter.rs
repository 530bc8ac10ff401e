// SPDX-License-Identifier: MIT OR Apache-2.0
//! `rx_sorter`: drops what was seen before or comes too early, gives data to the memory and
//! signals to the mailbox (RCV-1 to RCV-6, JOIN-3).

mod ports;

pub use ports::{Inputs, Outputs};

use super::{data_window::reached, state::state};
use awgstar_frame::contract::{Token, board, fsm};

/// After reset: the table is cleared.
pub const CLEAR: u8 = fsm::code("rx_sorter", "clear");
/// No frame.
pub const IDLE: u8 = fsm::code("rx_sorter", "idle");
/// The header is classified.
pub const LOOK: u8 = fsm::code("rx_sorter", "look");
/// The verdict on it.
pub const JUDGE: u8 = fsm::code("rx_sorter", "judge");
/// `mem_writer` takes its Data.
pub const DATA: u8 = fsm::code("rx_sorter", "data");
/// Header words of a message.
pub const HEAD: u8 = fsm::code("rx_sorter", "head");
/// Data words of a message.
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
    pub struct RxSorter("rx_sorter", Inputs, Outputs) with parameters {
        registers {
            state_q: u8 = 3,
            /// Entry being cleared; word of a message.
            index_q: u8 = 8,
            /// Table entry of the frame's source.
            entry_q: u64 = ENTRY_W,
            /// Data of the source were seen.
            data_known_q: bool = 1,
            /// Data of the source does not count yet.
            blocked_q: bool = 1,
            /// Number of the frame less the one expected.
            ahead_q: u8 = 8,
            /// Data: ends beyond the memory.
            outside_q: bool = 1,
            /// Signals of the source were seen.
            signal_known_q: bool = 1,
            /// Number of its last signal.
            last_q: u32 = 31,
            /// Signal: data before it is missing.
            early_q: bool = 1,
            /// The mailbox has no room.
            full_q: bool = 1,
            /// The MAC is below ours.
            lower_q: bool = 1,
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
            signal_last: (entry >> 31 & 1 != 0).then_some(last_of(entry)),
        }
    }
}

/// Number of the last signal, even if there was none.
#[expect(clippy::cast_possible_truncation, reason = "the lower part of an entry")]
const fn last_of(entry: u64) -> u32 {
    entry as u32 & 0x7fff_ffff
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
struct Verdict {
    next: u8,
    /// New value of the table entry; `None` if the entry does not change.
    entry: Option<u64>,
    events: Outputs,
}

/// Header word 0 of a message.
fn head_word0(i: &Inputs) -> u32 {
    u32::from(i.s_hdr.token()) << 29
        | u32::from(i.s_hdr.c_st()) << 24
        | u32::from(i.s_hdr.node_id()) << 16
        | u32::from(i.s_hdr.multi_g()) << 12
        | u32::from(i.s_hdr.act_seq()) << 8
        | u32::from(i.s_hdr.packet_cnt())
}

/// SND-4
fn signal_number(i: &Inputs) -> u32 {
    i.s_hdr.addr() & 0x7fff_ff00 | u32::from(i.s_hdr.packet_cnt())
}

fn is_signal(i: &Inputs) -> bool {
    matches!(
        Token::from_code(i.s_hdr.token()),
        Some(Token::P2p | Token::Multicast | Token::Broadcast)
    )
}

impl RxSorter {
    /// Classifies the frame, for the verdict (RCV-2 to RCV-4).
    fn look(&mut self, i: &Inputs) {
        let source = Source::from_entry(self.entry_q);
        let cnt = i.s_hdr.packet_cnt();
        // The entry as it is, even if nothing is known.
        let [.., next, _, _, _, _] = self.entry_q.to_be_bytes();
        self.ahead_q = cnt.wrapping_sub(next);
        self.data_known_q = source.data_next.is_some();
        self.blocked_q = i.blocked;
        self.outside_q = u64::from(i.s_hdr.addr()) + u64::from(i.s_hdr.len())
            > 4 << self.parameters.mem_addr_w();
        self.signal_known_q = source.signal_last.is_some();
        self.last_q = last_of(self.entry_q);
        let mark = i.s_hdr.addr().to_le_bytes()[0];
        self.early_q = !i.blocked
            && i.s_hdr.addr() >> 31 != 0
            && source.data_next.is_some_and(|next| !reached(next, mark));
        self.full_q = i.mail_full;
        self.lower_q = i.s_hdr.mac() < i.cfg_mac;
    }

    /// The rows of the table, top to bottom.
    fn judge(&self, i: &Inputs) -> Verdict {
        let mut verdict = Verdict { next: DROP, entry: None, events: Outputs::default() };
        let (token, own_id) = (Token::from_code(i.s_hdr.token()), i.cfg_mac.to_le_bytes()[0]);
        verdict.events.ev_same_id =
            matches!(token, Some(Token::Data | Token::Control)) && i.s_hdr.node_id() == own_id;
        match token {
            Some(Token::Data) => self.data(i, &mut verdict),
            Some(Token::P2p | Token::Multicast | Token::Broadcast) => self.signal(i, &mut verdict),
            Some(Token::Control) if i.s_hdr.c_st() == board::SYNC.c_st => {
                verdict.entry = Some(1 << 40);
            }
            Some(Token::Control) => self.control(i, &mut verdict),
            _ => {}
        }
        verdict
    }

    /// MON-3, JOIN-3
    fn control(&self, i: &Inputs, verdict: &mut Verdict) {
        let c_st = i.s_hdr.c_st();
        verdict.events.monitor_seen = c_st == board::MONITOR.c_st;
        verdict.events.fence_seen = c_st == board::FENCE.c_st;
        verdict.events.here_seen = c_st == board::HERE.c_st;
        if verdict.events.here_seen && i.here_new {
            verdict.entry = Some(with_data(self.entry_q, i.s_hdr.addr().to_le_bytes()[0]));
        }
    }

    /// RCV-2, RCV-4, JOIN-3
    fn data(&self, i: &Inputs, verdict: &mut Verdict) {
        let events = &mut verdict.events;
        let behind = self.ahead_q >= 128;
        if self.blocked_q || (self.data_known_q && self.ahead_q != 0 && !behind) {
            events.ev_data_gap = true;
        } else if self.data_known_q && behind {
            events.ev_data_again = true;
        } else {
            verdict.entry = Some(with_data(self.entry_q, i.s_hdr.packet_cnt().wrapping_add(1)));
            if self.outside_q {
                events.ev_data_range = true;
            } else {
                (events.ev_data, events.start, verdict.next) = (true, true, DATA);
            }
        }
    }

    /// RCV-3, RCV-5
    fn signal(&self, i: &Inputs, verdict: &mut Verdict) {
        let events = &mut verdict.events;
        // At or before the last: an old one may go round without its source.
        let since = self.last_q.wrapping_sub(signal_number(i));
        if self.signal_known_q && since >> 30 & 1 == 0 {
            events.ev_signal_again = true;
        } else if self.early_q {
            events.ev_signal_early = true;
        } else {
            verdict.entry = Some(with_signal(self.entry_q, signal_number(i)));
            if i.s_hdr.len() > MAIL_MAX {
                events.ev_signal_long = true;
            } else if self.full_q {
                events.ev_mail_full = true;
            } else {
                (events.ev_signal, verdict.next) = (true, HEAD);
            }
        }
    }

    /// Header word `index_q` modulo 4 of a message.
    fn head_word(&self, i: &Inputs) -> u32 {
        let mac = i.s_hdr.mac().to_le_bytes();
        match self.index_q & 3 {
            0 => head_word0(i),
            1 => u32::from_le_bytes([mac[2], mac[3], mac[4], mac[5]]),
            2 => u32::from_le_bytes([0, 0, mac[0], mac[1]]) | u32::from(i.s_hdr.len()),
            _ => i.s_hdr.addr(),
        }
    }

    /// Just before the edge.
    #[must_use]
    #[inline]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        let ends = i.s_axis_tvalid && i.s_axis_tlast;
        let mut o = match self.state_q {
            // Already here, whatever the verdict: a message must not take longer than its frame did.
            LOOK => Outputs { mail_we: is_signal(i) && !i.mail_full, ..Outputs::default() },
            JUDGE => Outputs { mail_we: is_signal(i) && !self.full_q, ..self.judge(i).events },
            DATA => Outputs {
                s_axis_tready: i.writer_ready,
                s_hdr_ready: i.writer_done,
                ..Outputs::default()
            },
            HEAD => Outputs { mail_we: true, ..Outputs::default() },
            BODY => Outputs {
                s_axis_tready: true,
                mail_we: i.s_axis_tvalid && self.index_q < MAIL_WORDS,
                mail_commit: ends,
                s_hdr_ready: ends,
                ..Outputs::default()
            },
            DROP => Outputs { s_axis_tready: true, s_hdr_ready: ends, ..Outputs::default() },
            _ => Outputs::default(),
        };
        if o.mail_we {
            o.mail_index = self.index_q & 15;
            o.mail_data = if self.state_q == BODY { i.s_axis_tdata } else { self.head_word(i) };
        }
        o.monitor_lower = self.lower_q;
        o
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, i: &Inputs) {
        // Without a header the port may have anything.
        let source = if i.s_hdr_valid { usize::from(i.s_hdr.mac().to_le_bytes()[0]) } else { 0 };
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
            IDLE => {
                self.index_q = 0;
                if i.s_hdr_valid {
                    self.state_q = LOOK;
                }
            }
            LOOK => {
                self.look(i);
                (self.state_q, self.index_q) = (JUDGE, self.index_q.wrapping_add(1));
            }
            JUDGE => {
                let verdict = self.judge(i);
                if let Some(entry) = verdict.entry {
                    self.sources[source] = entry;
                }
                (self.state_q, self.index_q) = (verdict.next, self.index_q.wrapping_add(1));
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

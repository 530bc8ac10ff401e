// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tx_arbiter`: what the node sends next, and the tokens in its hand (NODE-9, NODE-11 to NODE-15,
//! NODE-23).

use super::state::{ports, state};
use awgstar_frame::contract::{
    limits::{DATA_MAX, DATA_MIN, FCS_BYTES, FRAME_MAX, FRAME_MIN, HEADER_BYTES, WORD_BYTES},
    node::INSERT_MARGIN,
};

#[expect(clippy::cast_possible_truncation, reason = "numbers below 2,048")]
const fn u16_of(value: usize) -> u16 {
    value as u16
}
/// Words of the shortest frame.
const LEAST: u16 = u16_of(FRAME_MIN / WORD_BYTES);
/// Words of the longest frame.
const MOST: u16 = u16_of(FRAME_MAX.div_ceil(WORD_BYTES));
/// Cycles of a frame's window beyond its words.
const LEAD: u16 = 2;
const MORE: u16 = u16_of(INSERT_MARGIN) - 1;

ports! {
    /// Inputs of `tx_arbiter`.
    pub struct Inputs with parameters {
        /// Synchronous reset.
        rst: bool = 1,
        /// A token came into the hand.
        token_in: bool = 1,
        /// A free token was passed on.
        free_passed: bool = 1,
        /// One new token.
        issue: bool = 1,
        /// One token in hand, or the next free token, is to be dropped.
        discard: bool = 1,
        /// A data frame was refused: the node has its token again.
        refused: bool = 1,
        /// A data frame waits.
        data_valid: bool = 1,
        /// Valid bytes of the data frame.
        data_len: u16 = 11,
        /// The data frame was there in the cycle before.
        data_pending: bool = 1,
        /// The order gate of the data frame is open.
        data_open: bool = 1,
        /// A signal waits.
        signal_valid: bool = 1,
        /// Valid bytes of the signal.
        signal_len: u16 = 11,
        /// The signal was there in the cycle before.
        signal_pending: bool = 1,
        /// The order gate of the signal is open.
        signal_open: bool = 1,
        /// No frame on `m_axis` would be broken.
        boundary: bool = 1,
        /// `frame_tx` takes a header.
        tx_ready: bool = 1,
        /// Words in the insertion buffer.
        words: u16 = parameters.buffer_addr_w() + 1,
        /// One more comes.
        push: bool = 1,
        /// One of them leaves.
        pop: bool = 1,
    }
}

ports! {
    /// Outputs of `tx_arbiter`.
    pub struct Outputs {
        /// A free token may be taken.
        take_free: bool = 1,
        /// The data frame is next.
        pick_data: bool = 1,
        /// The signal is next.
        pick_signal: bool = 1,
        /// The data frame goes.
        grant_data: bool = 1,
        /// The signal goes.
        grant_signal: bool = 1,
        /// A free token goes.
        grant_free: bool = 1,
        /// Cycles of the window of the frame granted; counts with a grant only.
        grant_cycles: u16 = 9,
        /// Tokens in hand.
        held: u8 = 8,
        /// A token was lost.
        ev_token_overflow: bool = 1,
        /// A token in hand is dropped.
        ev_discarded: bool = 1,
    }
}

state! {
    /// Registers of `tx_arbiter`.
    pub struct TxArbiter("tx_arbiter", Inputs, Outputs) with parameters {
        registers {
            /// Tokens in hand.
            held_q: u8 = 8,
            /// `held_q` is not 0.
            hand_q: bool = 1,
            /// `held_q` is 1.
            single_q: bool = 1,
            /// Data frames since the last free token that was sent or passed.
            run_q: u8 = 4,
            /// `run_q` is `TOKEN_RUN`.
            over_q: bool = 1,
            /// The last grant was a signal.
            turn_q: bool = 1,
            /// Cycles without a read from the insertion buffer for the data frame that waits.
            data_cycles_q: u16 = 9,
            /// Cycles without a read from the insertion buffer for the signal that waits.
            signal_cycles_q: u16 = 9,
            /// The insertion buffer has room for the data frame that waits.
            room_data_q: bool = 1,
            /// The insertion buffer has room for the signal that waits.
            room_signal_q: bool = 1,
            /// The insertion buffer has room for the shortest frame.
            room_min_q: bool = 1,
        }
    }
}

/// Link words of a frame with `len` valid bytes; refused lengths count as the least.
#[must_use]
#[inline]
pub const fn frame_words(len: u16) -> u16 {
    if len < u16_of(DATA_MIN) || len > u16_of(DATA_MAX) {
        LEAST
    } else {
        (len + u16_of(HEADER_BYTES + FCS_BYTES + WORD_BYTES - 1)) >> 2
    }
}

/// Cycles without a read from the insertion buffer for a frame with `len` valid bytes: as many
/// words may come.
#[inline]
const fn cycles_of(len: u16) -> u16 {
    frame_words(len) + MORE
}

#[inline]
const fn window_of(cycles: u16) -> u16 {
    cycles.wrapping_sub(MORE).wrapping_add(LEAD) & 0x1ff
}

/// A header port in a cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    /// It has a header that is not granted in this cycle.
    pub(super) stays: bool,
    /// The header was there in the cycle before.
    pub(super) pending: bool,
    /// Valid bytes of its frame.
    pub(super) len: u16,
}

impl Header {
    /// What becomes of the cycles of the frame: those of the longest one until a header is known.
    #[inline]
    fn cycles(self, now: u16) -> u16 {
        match (self.stays, self.pending) {
            (false, _) => MOST + MORE,
            (true, false) => cycles_of(self.len),
            (true, true) => now,
        }
    }
}

impl TxArbiter {
    /// NODE-9
    #[inline]
    fn fits(&self, words: i32, cycles: u16) -> bool {
        words + i32::from(cycles) < 1 << self.parameters.buffer_addr_w()
    }

    /// A data frame could go but for the token (NODE-12).
    #[inline]
    fn may_data(&self, i: &Inputs) -> bool {
        i.data_valid && i.data_open && !self.over_q && self.room_data_q
    }

    /// `take_free` alone: it does not depend on `token_in` and `free_passed`.
    #[inline]
    pub(super) fn take_free(&self, i: &Inputs) -> bool {
        !self.hand_q && (i.discard || self.may_data(i))
    }

    /// Just before the edge.
    #[must_use]
    #[inline]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        let mut o = Outputs {
            take_free: self.take_free(i),
            grant_cycles: LEAST + LEAD,
            held: self.held_q,
            ..Outputs::default()
        };
        if i.signal_valid || self.hand_q {
            self.grant(i, i.boundary && i.tx_ready, &mut o);
        }
        o.ev_discarded = i.discard && self.hand_q;
        o.ev_token_overflow = self.held_next(i, &o) > 255;
        o
    }

    /// NODE-11, NODE-12, NODE-23
    fn grant(&self, i: &Inputs, go: bool, o: &mut Outputs) {
        let want_signal = i.signal_valid && i.signal_open && self.room_signal_q;
        // What is dropped is not spent.
        let some = self.hand_q && !i.discard;
        let want_data = some && self.may_data(i);
        let want_free = some
            && !want_data
            && self.room_min_q
            && (!i.data_valid || self.over_q || !self.single_q);
        let pick_signal = want_signal && !((want_data || want_free) && self.turn_q);
        (o.pick_signal, o.pick_data) = (pick_signal, !pick_signal && want_data);
        o.grant_signal = go && o.pick_signal;
        o.grant_data = go && o.pick_data;
        o.grant_free = go && !pick_signal && want_free;
        if pick_signal {
            o.grant_cycles = window_of(self.signal_cycles_q);
        } else if want_data {
            o.grant_cycles = window_of(self.data_cycles_q);
        }
    }

    /// Tokens in hand with so many more and less, 9 bits: more than 255 if they overflow.
    #[inline]
    pub(super) fn held_with(&self, more: u16, less: u16) -> u16 {
        (u16::from(self.held_q) + more).wrapping_sub(less) & 0x1ff
    }

    #[inline]
    fn held_next(&self, i: &Inputs, o: &Outputs) -> u16 {
        let more = [i.token_in, i.issue, i.refused].map(u16::from).iter().sum::<u16>();
        let less = u16::from(o.grant_data || o.grant_free || o.ev_discarded);
        self.held_with(more, less)
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, i: &Inputs) {
        let o = self.outputs(i);
        self.apply(i, o);
        let data = Header {
            stays: i.data_valid && !o.grant_data,
            pending: i.data_pending,
            len: i.data_len,
        };
        let signal = Header {
            stays: i.signal_valid && !o.grant_signal,
            pending: i.signal_pending,
            len: i.signal_len,
        };
        self.see(data, signal, i32::from(i.words) + i32::from(i.push) - i32::from(i.pop));
        if i.rst {
            (self.data_cycles_q, self.signal_cycles_q) = (MOST + MORE, MOST + MORE);
            (self.room_data_q, self.room_signal_q, self.room_min_q) = (false, false, false);
        }
    }

    /// Stores whether there is room with `words` in the insertion buffer in the next cycle, and
    /// the cycles that follow from the lengths of the headers that wait.
    #[inline]
    pub(super) fn see(&mut self, data: Header, signal: Header, words: i32) {
        self.room_data_q = self.fits(words, self.data_cycles_q);
        self.room_signal_q = self.fits(words, self.signal_cycles_q);
        self.room_min_q = self.fits(words, LEAST + MORE);
        self.data_cycles_q = data.cycles(self.data_cycles_q);
        self.signal_cycles_q = signal.cycles(self.signal_cycles_q);
    }

    /// Returns true if [`TxArbiter::see`] would change nothing while the insertion buffer is empty.
    #[inline]
    pub(super) fn has_seen(&self, data: Header, signal: Header) -> bool {
        self.data_cycles_q == data.cycles(self.data_cycles_q)
            && self.signal_cycles_q == signal.cycles(self.signal_cycles_q)
            && self.room_data_q == self.fits(0, self.data_cycles_q)
            && self.room_signal_q == self.fits(0, self.signal_cycles_q)
            && self.room_min_q == self.fits(0, LEAST + MORE)
    }

    /// The clock edge, with what [`TxArbiter::outputs`] said.
    #[inline]
    pub(super) fn apply(&mut self, i: &Inputs, o: Outputs) {
        let held = self.held_next(i, &o).min(255); // NODE-13
        self.held_q = held.to_le_bytes()[0];
        let spent = o.grant_data || o.grant_free;
        (self.hand_q, self.single_q) = (held != 0 || (i.token_in && !spent), held == 1);
        let run = if i.free_passed { 0 } else { self.run_q };
        if o.grant_free {
            (self.run_q, self.over_q) = (0, false);
        } else if o.grant_data {
            self.run_q = (run + 1) & 15;
            self.over_q = usize::from(self.run_q) == self.parameters.token_run();
        } else {
            (self.run_q, self.over_q) = (run, self.over_q && !i.free_passed);
        }
        if o.grant_signal {
            self.turn_q = true;
        } else if o.grant_data || o.grant_free {
            self.turn_q = false;
        }
        if i.rst {
            (self.held_q, self.run_q, self.turn_q) = (0, 0, false);
            (self.hand_q, self.single_q, self.over_q) = (false, false, false);
        }
    }
}

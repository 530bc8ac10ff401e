// SPDX-License-Identifier: MIT OR Apache-2.0
//! Counts of what a run reaches in the end of a link, from the model.

use awgstar::rtl::state::State as _;
use awgstar::rtl::{Parameters, RingLink, SmbLink, ring_link, smb_link};

/// K28.5 in the first lane, where its comma gives the place of a word.
const COMMA: u8 = 0xBC;

/// Counts of an end of a link.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// Words of four symbols that the line has brought while the receiver had their place.
    pub words: u64,
    /// Of these, those that begin with a comma.
    pub commas: u64,
    /// Times that the light went out.
    pub dark: u64,
    /// Times that the clock of the line was seen to stop.
    pub stopped: u64,
    /// Times that the place of the words was lost.
    pub unlocked: u64,
    /// Times that it was lost because no comma came.
    pub quiet: u64,
    /// Words with a wrong code.
    pub bad: u64,
    /// Frames whose end was sent.
    pub sent: u64,
    /// Frames whose end was received.
    pub received: u64,
    /// Frames that broke on the line.
    pub broken: u64,
    /// Of these, those that were too long.
    pub long: u64,
    /// Idle words that the elastic buffer added: a word waited and none left.
    pub added: u64,
    /// Idle words of the line that it left out: words waited and the line had none.
    pub left_out: u64,
    /// Frames that it cut because it was full.
    pub cut: u64,
    /// Times that it was empty inside a frame.
    pub empty: u64,
    was: Before,
}

/// The step before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Before {
    stopped: bool,
    los: bool,
    locked: bool,
}

impl Reached {
    /// A step of the model, before its edges.
    pub fn see(&mut self, link: &RingLink, i: &ring_link::Inputs) {
        let o = link.outputs(i);
        let rst = link.u_rst.outputs().q;
        let locked = link.u_aligner.outputs().locked;
        if i.rx_clk && !rst {
            let bytes = link.u_dec.outputs();
            let (bad, usable) = (o.rx_ev_bad, locked && !o.rx_ev_bad);
            self.words += u64::from(locked);
            self.bad += u64::from(bad);
            let comma = bytes.m_k & 1 == 1 && bytes.m_data.to_le_bytes()[0] == COMMA;
            self.commas += u64::from(usable && comma);
            self.dark += u64::from(i.rx_los && !self.was.los);
            self.unlocked += u64::from(self.was.locked && !locked);
            self.quiet += u64::from(locked && link.u_aligner.quiet_q == 1023);
            self.broken += u64::from(o.rx_ev_broken);
            let full = link.u_rx.valid_q && link.u_rx.words_q == 261;
            self.long += u64::from(o.rx_ev_broken && full && !bad);
            self.cut += u64::from(o.rx_ev_overflow);
            self.left_out += u64::from(locked && !link.u_rx.valid_q && o.words != 0);
            (self.was.los, self.was.locked) = (i.rx_los, locked);
        }
        if i.clk {
            let stopped = !i.rst && !link.u_watch.outputs().runs;
            self.stopped += u64::from(stopped && !self.was.stopped);
            self.was.stopped = stopped;
        }
        if i.clk && !i.rst {
            self.sent += u64::from(i.s_axis.tvalid && i.s_axis.tlast);
            self.received += u64::from(o.m_axis.tvalid && o.m_axis.tlast);
            self.added += u64::from(o.words != 0 && !o.m_axis.tvalid);
            self.empty += u64::from(o.ev_underrun);
        }
    }

    /// Name and number of each.
    #[must_use]
    pub fn list(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("symbols", 4 * self.words),
            ("commas", self.commas),
            ("losses of light", self.dark),
            (STOPS, self.stopped),
            ("losses of the word's place", self.unlocked),
            (QUIET, self.quiet),
            ("words with bit errors", self.bad),
            ("frames sent", self.sent),
            ("frames received", self.received),
            ("broken", self.broken),
            (LONG, self.long),
            ("idle words added by the elastic buffer", self.added),
            ("left out", self.left_out),
            ("frames cut by it", self.cut),
            ("times empty", self.empty),
        ]
    }
}

/// Counts of a run of `ring_link`.
#[must_use]
pub fn ring_link(
    inputs: &[ring_link::Inputs],
    parameters: &Parameters,
) -> Vec<(&'static str, u64)> {
    let (mut model, mut reached) = (RingLink::new(parameters), Reached::default());
    for i in inputs {
        reached.see(&model, i);
        model.clock(i);
    }
    reached.list()
}

/// Counts of a run of `smb_link`: those of its end of the link, and of the crossing of its host.
#[must_use]
pub fn smb_link(inputs: &[smb_link::Inputs], parameters: &Parameters) -> Vec<(&'static str, u64)> {
    let (mut model, mut reached) = (SmbLink::new(parameters), Reached::default());
    let [mut writes, mut reads, mut interrupts] = [0; 3];
    let mut irq = false;
    for i in inputs {
        let o = model.outputs(i);
        reached.see(&model.u_link, &SmbLink::link_in(i, &model.board_out(i)));
        if i.host_clk && !model.u_host_rst.outputs().q {
            writes += u64::from(o.s_axi.bvalid && i.s_axi.bready);
            reads += u64::from(o.s_axi.rvalid && i.s_axi.rready);
            interrupts += u64::from(o.irq && !irq);
            irq = o.irq;
        }
        model.clock(i);
    }
    let host = [("writes", writes), ("reads", reads), ("interrupts", interrupts)];
    let link = reached.list().into_iter().filter(|(name, _)| !OF_THE_LINK.contains(name));
    host.into_iter().chain(link).collect()
}

/// What cases of `ring_link` are for, and those of `smb_link` are not.
const OF_THE_LINK: [&str; 3] = [QUIET, LONG, STOPS];
const QUIET: &str = "of these without commas";
const STOPS: &str = "stops of the line's clock";
const LONG: &str = "too long";

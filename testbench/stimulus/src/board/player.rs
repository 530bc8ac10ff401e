// SPDX-License-Identifier: MIT OR Apache-2.0
//! The environment of a single board: plays a [`BoardStimulus`].

use crate::board::incoming::Incoming;
use crate::board::stimulus::{BoardStimulus, HostAccess};
use crate::deposit::Deposit;
use crate::machine;
use awgstar::quantity::Cycle;
use awgstar::random::XorShift32;
use awgstar::ring::Word;
use awgstar::rtl::{AxilRequest, Link};
use awgstar::{
    ring::RESET_CYCLES,
    rtl::{
        Smb,
        smb::{Inputs, Outputs},
    },
};

/// State of the host's access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Access {
    /// Cycles since its valid signals may rise.
    age: u16,
    /// The address was taken.
    address: bool,
    /// The data was taken.
    data: bool,
    /// Cycles since the answer came.
    answered: Option<u8>,
}

/// Drives a board.
#[derive(Clone, Debug)]
pub struct Player {
    stimulus: BoardStimulus,
    incoming: Incoming,
    next: usize,
    wait: u16,
    access: Access,
    random: XorShift32,
}

impl Player {
    /// A player before its first cycle.
    #[must_use]
    pub fn new(stimulus: &BoardStimulus) -> Self {
        let back = (stimulus.loopback, stimulus.returns);
        Player {
            incoming: Incoming::new(&stimulus.link, &stimulus.warm, back),
            next: 0,
            wait: stimulus.host.first().map_or(0, |a| a.gap),
            access: Access::default(),
            random: XorShift32::new(stimulus.noise | 1),
            stimulus: stimulus.clone(),
        }
    }

    fn now(&self) -> Option<&HostAccess> {
        self.stimulus.host.get(self.next).filter(|_| self.wait == 0)
    }

    fn finish(&mut self) {
        self.next += 1;
        self.access = Access::default();
        self.wait = self.stimulus.host.get(self.next).map_or(0, |a| a.gap);
    }
}

impl machine::Player<Smb> for Player {
    fn deposits(&mut self, cycle: Cycle, machine: &Smb) -> Vec<Deposit> {
        let due = self.stimulus.warm.deposits(cycle, machine);
        self.stimulus.warm.done(cycle);
        due
    }

    fn drive(&mut self, cycle: Cycle) -> Inputs {
        let reset = |&(at, length): &(Cycle, u8)| (at..at + Cycle(length.into())).contains(&cycle);
        let rst = cycle < RESET_CYCLES || self.stimulus.resets.iter().any(reset);
        let [a, b] = [(); 2].map(|()| self.random.next_u32());
        let noise = Word {
            data: a,
            keep: b.to_le_bytes()[0] & 15,
            last: b >> 8 & 1 == 1,
            user: b >> 9 & 1 == 1,
        };
        let word = self.incoming.word(cycle);
        let link = word.unwrap_or(noise);
        let mut inputs = Inputs {
            rst,
            s_axi: AxilRequest {
                awaddr: a,
                awprot: link.keep & 7,
                wdata: b,
                wstrb: noise.keep,
                araddr: b,
                arprot: noise.keep & 7,
                ..AxilRequest::default()
            },
            s_axis: Link {
                tdata: link.data,
                tkeep: link.keep,
                tvalid: word.is_some(),
                tlast: link.last,
                tuser: link.user,
            },
        };
        if self.stimulus.restless {
            (inputs.s_axi.bready, inputs.s_axi.rready) = (a >> 30 & 1 == 1, b >> 30 & 1 == 1);
        }
        let Some(access) = self.now().copied().filter(|_| !rst) else { return inputs };
        let state = self.access;
        let due = |after: i8| i32::from(state.age) >= i32::from(after.max(0));
        if access.write {
            inputs.s_axi.awvalid = !state.address && due(access.skew.saturating_neg());
            inputs.s_axi.wvalid = !state.data && due(access.skew);
            if inputs.s_axi.awvalid {
                inputs.s_axi.awaddr = access.addr.0;
            }
            if inputs.s_axi.wvalid {
                (inputs.s_axi.wdata, inputs.s_axi.wstrb) = (access.data, access.strobe & 15);
            }
        } else {
            inputs.s_axi.arvalid = !state.address;
            if inputs.s_axi.arvalid {
                inputs.s_axi.araddr = access.addr.0;
            }
        }
        let ready = state.answered.is_some_and(|n| n >= access.late) || access.late == 0;
        if access.write {
            inputs.s_axi.bready = ready;
        } else {
            inputs.s_axi.rready = ready;
        }
        inputs
    }

    fn clock(&mut self, cycle: Cycle, inputs: &Inputs, outputs: &Outputs) {
        self.incoming.clock(cycle, outputs.m_axis.word());
        if inputs.rst {
            // The access under way is never answered.
            if self.access != Access::default() {
                self.finish();
            }
            return;
        }
        if self.wait > 0 {
            self.wait -= 1;
            return;
        }
        if self.now().is_none() {
            return;
        }
        let answer = outputs.s_axi.bvalid || outputs.s_axi.rvalid;
        let taken = (outputs.s_axi.bvalid && inputs.s_axi.bready)
            || (outputs.s_axi.rvalid && inputs.s_axi.rready);
        let state = &mut self.access;
        state.age = state.age.saturating_add(1);
        state.address |= (inputs.s_axi.awvalid && outputs.s_axi.awready)
            || (inputs.s_axi.arvalid && outputs.s_axi.arready);
        state.data |= inputs.s_axi.wvalid && outputs.s_axi.wready;
        if taken {
            self.finish();
        } else if answer {
            state.answered = Some(state.answered.map_or(0, |n| n.saturating_add(1)));
        }
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lock_engine`: the ring queue lock in hardware, 16 locks (ENG-1 to ENG-3).

use super::{
    request_list::{self, RequestList, node_w},
    state::{ports, state},
};
use awgstar_frame::contract::{Order, Signal, fsm};

/// The memories are cleared.
pub const CLEAR: u8 = fsm::code("lock_engine", "clear");
/// Nothing is being done.
pub const IDLE: u8 = fsm::code("lock_engine", "idle");
/// The message is compared with what is known.
pub const LOOK: u8 = fsm::code("lock_engine", "look");
/// The message counts.
pub const ACT: u8 = fsm::code("lock_engine", "act");
/// A node joins the list.
pub const APPEND: u8 = fsm::code("lock_engine", "append");
/// The first node of the list is read.
pub const POP: u8 = fsm::code("lock_engine", "pop");
/// Ownership is given to it.
pub const GIVE: u8 = fsm::code("lock_engine", "give");
/// A command of the host.
pub const COMMAND: u8 = fsm::code("lock_engine", "command");
/// A message goes out.
pub const LOAD: u8 = fsm::code("lock_engine", "load");
/// A pass has returned.
pub const RETURN: u8 = fsm::code("lock_engine", "return");

/// `msg_kind` of a request.
pub const REQUEST: u8 = 0;
/// `msg_kind` of a pass.
pub const PASS: u8 = 1;

/// Slots of passes; those of requests are below.
const PASSES: u8 = 16;

ports! {
    /// Inputs of `lock_engine`.
    pub struct Inputs {
        /// Synchronous reset.
        rst: bool = 1,
        /// The board takes part in the ring.
        enable: bool = 1,
        /// Own Node_ID.
        cfg_node_id: u8 = 8,
        /// Order of passes.
        cfg_order: u8 = 2,
        /// Locks that are here at the start.
        cfg_first: u16 = 16,
        /// A period of the timers has gone by.
        tick: bool = 1,
        /// A message is offered.
        msg_valid: bool = 1,
        /// Its kind: [`REQUEST`] or [`PASS`].
        msg_kind: u8 = 2,
        /// Number of the lock.
        msg_number: u8 = 4,
        /// Node_ID of the frame.
        msg_node: u8 = 8,
        /// Number of the request.
        msg_tag: u16 = 16,
        /// Number of the pass.
        msg_epoch: u16 = 16,
        /// A command of the host, until it is done.
        cmd_valid: bool = 1,
        /// Release; otherwise acquire.
        cmd_release: bool = 1,
        /// Number of the lock.
        cmd_number: u8 = 4,
        /// The message that was given out has returned good.
        out_done: bool = 1,
    }
}

ports! {
    /// Outputs of `lock_engine`.
    pub struct Outputs {
        /// The message is taken.
        msg_ready: bool = 1,
        cmd_done: bool = 1,
        /// It was refused.
        cmd_error: bool = 1,
        /// A message is to be sent.
        out_valid: bool = 1,
        out_order: u8 = 2,
        out_c_st: u8 = 5,
        out_node_id: u8 = 8,
        /// Its Data, byte 0 in the lowest bits.
        out_data: u128 = 80,
        /// The memories are cleared.
        ready: bool = 1,
        /// Locks whose process is inside.
        held: u16 = 16,
        /// Locks whose process waits.
        asking: u16 = 16,
        /// Locks that are here.
        right: u16 = 16,
        /// A process has come to be inside.
        ev_acquired: bool = 1,
    }
}

state! {
    /// Registers and memories of `lock_engine`.
    pub struct LockEngine("lock_engine", Inputs, Outputs) with parameters {
        registers {
            state_q: u8 = 4,
            /// Address to be cleared.
            clear_q: u16 = node_w(parameters) + 4,
            /// The process is inside, by lock.
            held_q: u16 = 16,
            /// The process waits; the timer of its request runs.
            asking_q: u16 = 16,
            /// Ownership is here.
            right_q: u16 = 16,
            /// It was given away from here, and no newer pass is known.
            given_q: u16 = 16,
            /// The timer of that pass runs.
            passing_q: u16 = 16,
            /// Lock at hand.
            lock_q: u8 = 4,
            /// A pass, not a request.
            pass_q: bool = 1,
            /// Node of the message, or the first of the list.
            node_q: u8 = node_w(parameters),
            /// Number of its request.
            tag_q: u16 = 16,
            /// Number of the pass.
            epoch_q: u16 = 16,
            /// The node waits.
            waits_q: bool = 1,
            /// The request is newer than the newest known.
            ahead_q: bool = 1,
            /// It is older.
            behind_q: bool = 1,
            /// The pass is newer than the newest known.
            later_q: bool = 1,
            /// Slots that wait: requests 0 to 15, passes 16 to 31.
            want_q: u32 = 32,
            /// A tick has gone by since the timer of the slot started.
            age_q: u32 = 32,
            /// Slots put into the FIFO.
            wr_q: u8 = 6,
            /// Slots taken out.
            rd_q: u8 = 6,
            /// A walk over the timers is due.
            tick_q: bool = 1,
            /// A walk goes on.
            walk_on_q: bool = 1,
            /// Slot that it has come to.
            walk_q: u8 = 5,
            /// The timer of a slot has ended.
            fired_q: bool = 1,
            fired_slot_q: u8 = 5,
            /// A message is being sent.
            out_valid_q: bool = 1,
            out_pass_q: bool = 1,
            out_lock_q: u8 = 4,
            out_order_q: u8 = 2,
            out_node_q: u8 = 8,
            /// Its number of a request.
            out_tag_q: u16 = 16,
            /// Its number of a pass.
            out_epoch_q: u16 = 16,
            /// A pass has returned.
            done_q: bool = 1,
        }
        buffers {
            /// Number of the last request, by lock.
            tags: [u16; 16] = 16 => U16,
            /// Number of the last pass known.
            epochs: [u16; 16] = 16 => U16,
            /// `{node, number of its request}` that ownership was given to.
            givens: [u32; 16] = node_w(parameters) + 16 => U32,
            /// Slots in the order in which they were put in.
            slots: [u8; 32] = 5 => U8,
        }
        children {
            /// Waiting nodes.
            u_list: RequestList,
        }
    }
}

/// Numbers are modulo 65,536: the half ahead is newer.
const fn newer(a: u16, b: u16) -> bool {
    a != b && a.wrapping_sub(b) < 0x8000
}

const fn bit(lock: u8) -> u16 {
    1 << (lock & 15)
}

/// What a command, a message or an empty list does with ownership.
#[derive(Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "wires of the Verilog")]
struct Wires {
    /// The command is refused.
    refused: bool,
    /// A request is to be sent.
    ask: bool,
    /// A pass that was not known.
    newly: bool,
    /// It is to this node.
    comes: bool,
    /// It answers the request of the process.
    answers: bool,
    /// The process comes to be inside.
    enter: bool,
    /// The pass is sent again.
    again: bool,
}

impl LockEngine {
    fn is_on(&self) -> bool {
        self.parameters.engine_node_w() != 0
    }

    fn takes_part(&self, node: u8) -> bool {
        usize::from(node) >> node_w(&self.parameters) == 0
    }

    /// The low bits of a number of a node.
    #[expect(clippy::cast_possible_truncation, reason = "8 bits at most")]
    fn node(&self, node: u8) -> u8 {
        node & ((1_u16 << node_w(&self.parameters)) - 1) as u8
    }

    /// The offered message counts.
    fn taken(&self, i: &Inputs) -> bool {
        i.msg_valid && i.enable && self.takes_part(i.msg_node) && i.msg_kind <= PASS
    }

    fn wires(&self, i: &Inputs, list: request_list::Outputs) -> Wires {
        let at = bit(self.lock_q);
        let (held, asks) = (self.held_q & at != 0, self.asking_q & at != 0);
        let here = self.right_q & at != 0;
        let own = self.takes_part(i.cfg_node_id);
        match self.state_q {
            COMMAND => {
                let state = if i.cmd_release { !held } else { held || asks };
                let refused = !i.enable || !own || state;
                let acquire = !refused && !i.cmd_release;
                Wires { refused, ask: acquire && !here, enter: acquire && here, ..Wires::default() }
            }
            ACT if self.pass_q => {
                let newly = self.later_q;
                let comes = newly && own && self.node_q == i.cfg_node_id;
                let answers = comes && asks && self.tag_q == self.tags.at(self.lock_q);
                Wires { newly, comes, answers, enter: answers, ..Wires::default() }
            }
            ACT => Wires { again: !self.ahead_q && self.given_q & at != 0, ..Wires::default() },
            POP => Wires { enter: !list.some && asks, ..Wires::default() },
            _ => Wires::default(),
        }
    }

    fn list_inputs(&self, i: &Inputs) -> request_list::Inputs {
        let idle = self.state_q == IDLE;
        let some = request_list::Inputs { lock: self.lock_q, ..request_list::Inputs::default() };
        let list = self.u_list.outputs(&some);
        let (act, give) = (self.state_q == ACT, self.state_q == GIVE);
        let new_request = act && !self.pass_q && self.ahead_q;
        let served = act && self.pass_q && self.waits_q && !self.behind_q;
        request_list::Inputs {
            rst: i.rst,
            clear: self.state_q == CLEAR && self.is_on(),
            clear_address: self.clear_q,
            read: idle && self.taken(i) || matches!(self.state_q, COMMAND | POP),
            read_lock: if idle { i.msg_number } else { self.lock_q },
            read_node: if idle { self.node(i.msg_node) } else { list.head },
            lock: self.lock_q,
            node: self.node_q,
            learn: give || act && (self.pass_q || self.ahead_q),
            learn_waiting: new_request || act && self.waits_q && self.behind_q,
            learn_tag: if act && self.ahead_q { self.tag_q } else { list.newest },
            unlink: give || served || new_request && self.waits_q,
            append: self.state_q == APPEND,
        }
    }

    /// Data of the message that goes out: big-endian values (SIG-2).
    #[inline]
    pub(super) fn data(&self) -> u128 {
        let mut data = [0; 16];
        data[2..4].copy_from_slice(&self.out_tag_q.to_be_bytes());
        data[7] = self.out_lock_q;
        data[8..10].copy_from_slice(&self.out_epoch_q.to_be_bytes());
        u128::from_le_bytes(data)
    }

    #[inline]
    pub(super) fn ready(&self) -> bool {
        self.state_q != CLEAR
    }

    /// Nothing goes on until a message, a command, a tick or the return of a signal.
    #[inline]
    pub(super) fn rests(&self) -> bool {
        let sends = self.wr_q != self.rd_q && !self.out_valid_q;
        let works = self.tick_q || self.walk_on_q || self.done_q;
        self.state_q == IDLE && !sends && !works
    }

    /// Just before the edge.
    #[must_use]
    #[inline]
    pub fn outputs(&self, i: &Inputs) -> Outputs {
        let command = self.state_q == COMMAND;
        // What the list says of a pass that came counts in that state alone.
        let list = if self.state_q == POP {
            self.u_list.outputs(&self.list_inputs(i))
        } else {
            request_list::Outputs::default()
        };
        let wires = self.wires(i, list);
        let signal = if self.out_pass_q { Signal::LockQueuePass } else { Signal::LockQueueRequest };
        Outputs {
            msg_ready: self.state_q == IDLE,
            cmd_done: command,
            cmd_error: wires.refused,
            out_valid: self.out_valid_q,
            out_order: self.out_order_q,
            out_c_st: signal.c_st(),
            out_node_id: self.out_node_q,
            out_data: self.data(),
            ready: self.ready(),
            held: self.held_q,
            asking: self.asking_q,
            right: self.right_q,
            ev_acquired: wires.enter && self.is_on(),
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, i: &Inputs) {
        // Without an engine nothing changes but by a reset.
        if !self.is_on() {
            if i.rst {
                self.u_list.clock(&self.list_inputs(i));
                self.reset();
            }
            return;
        }
        let inputs = self.list_inputs(i);
        let list = self.u_list.outputs(&inputs);
        let wires = self.wires(i, list);
        let (tick, walk_on) = (self.tick_q, self.walk_on_q);
        self.tick_q |= i.tick;
        let returned = self.out_valid_q && i.out_done;
        let (state, want) = (self.state_q, self.want_q);
        let direct = self.direct(wires);
        let walks = self.step(i, list, wires);
        if direct {
            (self.state_q, self.pass_q) = (LOAD, state != COMMAND);
        }
        if state != LOAD {
            self.out_valid_q &= !i.out_done;
        }
        self.done_q |= returned && self.out_pass_q;
        self.own(i, state, wires);
        self.put(state, want, wires, (walks, direct));
        if tick && !walk_on {
            self.walk_on_q = true;
            self.tick_q = i.tick;
        }
        self.u_list.clock(&inputs);
        if i.rst {
            self.reset();
        }
    }

    /// A request or a pass is to be sent, and nothing else: not by way of the FIFO.
    fn direct(&self, wires: Wires) -> bool {
        let sends = wires.ask || wires.again || self.state_q == GIVE;
        sends && self.wr_q == self.rd_q && !self.out_valid_q && !self.done_q
    }

    /// What each state does. Returns true when the walk over the timers goes on by a slot.
    fn step(&mut self, i: &Inputs, list: request_list::Outputs, wires: Wires) -> bool {
        let at = bit(self.lock_q);
        let next = match self.state_q {
            CLEAR => self.clear(),
            IDLE => return self.choose(i),
            LOOK => {
                self.waits_q = list.waiting;
                self.ahead_q = !list.known || newer(self.tag_q, list.newest);
                self.behind_q = newer(list.newest, self.tag_q);
                self.later_q = newer(self.epoch_q, self.epochs.at(self.lock_q));
                ACT
            }
            ACT if !self.pass_q && self.ahead_q => APPEND,
            ACT if wires.comes && !wires.answers => POP,
            APPEND if self.right_q & at != 0 && (self.held_q | self.asking_q) & at == 0 => POP,
            POP => {
                self.node_q = list.head;
                if list.some { GIVE } else { IDLE }
            }
            GIVE => {
                let epoch = self.epochs.at_mut(self.lock_q);
                *epoch = epoch.wrapping_add(1);
                *self.givens.at_mut(self.lock_q) =
                    u32::from(self.node_q) << 16 | u32::from(list.newest);
                IDLE
            }
            COMMAND => {
                self.node_q = list.head;
                let leaves = !wires.refused && i.cmd_release;
                if leaves {
                    self.held_q &= !at;
                }
                if leaves && list.some { GIVE } else { IDLE }
            }
            LOAD => {
                self.load(i);
                IDLE
            }
            RETURN => {
                self.done_q = false;
                if self.out_epoch_q == self.epochs.at(self.lock_q) {
                    self.passing_q &= !at;
                }
                IDLE
            }
            ACT | APPEND => IDLE,
            other => other,
        };
        self.state_q = next;
        false
    }

    fn clear(&mut self) -> u8 {
        *self.tags.at_mut(self.clear_q) = 0;
        *self.epochs.at_mut(self.clear_q) = 0;
        *self.givens.at_mut(self.clear_q) = 0;
        let last = (16 << node_w(&self.parameters)) - 1;
        let done = self.clear_q == last;
        self.clear_q = (self.clear_q + 1) & last;
        if done { IDLE } else { CLEAR }
    }

    /// What is done next: messages, commands, returns, sends, timers. Returns true for a timer.
    fn choose(&mut self, i: &Inputs) -> bool {
        if i.msg_valid {
            if self.taken(i) {
                self.state_q = LOOK;
            }
            (self.lock_q, self.pass_q) = (i.msg_number, i.msg_kind == PASS);
            self.node_q = self.node(i.msg_node);
            (self.tag_q, self.epoch_q) = (i.msg_tag, i.msg_epoch);
        } else if i.cmd_valid {
            (self.lock_q, self.state_q) = (i.cmd_number, COMMAND);
        } else if self.done_q {
            (self.lock_q, self.state_q) = (self.out_lock_q, RETURN);
        } else if self.wr_q != self.rd_q && !self.out_valid_q {
            let slot = self.slots.at(self.rd_q);
            (self.lock_q, self.pass_q) = (slot & 15, slot & PASSES != 0);
            self.want_q &= !(1 << slot);
            self.rd_q = (self.rd_q + 1) & 63;
            self.state_q = LOAD;
        } else {
            return self.walk_on_q;
        }
        false
    }

    /// The newest content; what is out of date is not sent.
    fn load(&mut self, i: &Inputs) {
        let at = bit(self.lock_q);
        (self.out_pass_q, self.out_lock_q) = (self.pass_q, self.lock_q);
        if self.pass_q {
            self.out_valid_q = self.given_q & at != 0;
            self.out_order_q = i.cfg_order;
            let [_, node, high, low] = self.givens.at(self.lock_q).to_be_bytes();
            (self.out_node_q, self.out_tag_q) = (node, u16::from_be_bytes([high, low]));
            self.out_epoch_q = self.epochs.at(self.lock_q);
        } else {
            self.out_valid_q = self.asking_q & at != 0;
            self.out_order_q = Order::None.code();
            (self.out_node_q, self.out_tag_q) = (i.cfg_node_id, self.tags.at(self.lock_q));
            self.out_epoch_q = 0;
        }
    }

    /// Process and ownership of the lock at hand.
    fn own(&mut self, i: &Inputs, state: u8, wires: Wires) {
        let at = bit(self.lock_q);
        if wires.newly {
            self.given_q &= !at;
            self.passing_q &= !at;
            *self.epochs.at_mut(self.lock_q) = self.epoch_q;
        }
        if wires.comes {
            self.right_q |= at;
        }
        if state == GIVE {
            self.right_q &= !at;
            self.given_q |= at;
        }
        if wires.enter {
            self.held_q |= at;
            self.asking_q &= !at;
        }
        if wires.ask {
            self.asking_q |= at;
            let tag = self.tags.at_mut(self.lock_q);
            *tag = tag.wrapping_add(1);
        }
        if !i.enable {
            self.right_q = i.cfg_first;
        }
    }

    /// A slot is put into the FIFO, and its timer starts; or the walk goes on by one.
    fn put(&mut self, state: u8, want: u32, wires: Wires, (walks, direct): (bool, bool)) {
        let pass = state == GIVE || wires.again;
        let mut slot = (wires.ask || pass).then_some(self.lock_q | if pass { PASSES } else { 0 });
        if pass {
            self.passing_q |= bit(self.lock_q);
        }
        if self.fired_q {
            slot = Some(self.fired_slot_q);
        }
        self.fired_q = false;
        if walks {
            let running = u32::from(self.passing_q) << 16 | u32::from(self.asking_q);
            if running & self.age_q & 1 << self.walk_q != 0 {
                (self.fired_q, self.fired_slot_q) = (true, self.walk_q);
            }
            self.age_q |= 1 << self.walk_q;
            self.walk_on_q = self.walk_q != 31;
            self.walk_q = (self.walk_q + 1) & 31;
        }
        if let Some(slot) = slot {
            self.age_q &= !(1 << slot);
            if want & 1 << slot == 0 && !direct {
                self.want_q |= 1 << slot;
                *self.slots.at_mut(self.wr_q) = slot;
                self.wr_q = (self.wr_q + 1) & 63;
            }
        }
    }

    fn reset(&mut self) {
        self.state_q = CLEAR;
        self.clear_q = 0;
        (self.held_q, self.asking_q, self.right_q) = (0, 0, 0);
        (self.given_q, self.passing_q) = (0, 0);
        (self.want_q, self.age_q) = (0, 0);
        (self.wr_q, self.rd_q) = (0, 0);
        (self.tick_q, self.walk_on_q, self.walk_q) = (false, false, 0);
        self.fired_q = false;
        (self.out_valid_q, self.done_q) = (false, false);
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! What hosts do that access their boards themselves.

use crate::run::boards::words;
use awgstar::quantity::{ByteAddress, Cycle, NodeId};
use awgstar::{
    contract::{
        Interrupt, Order, Token,
        board::{self, Register},
    },
    ring::{
        HostOp,
        boards::{WINDOW, read_block, register, send_signal, write_block},
    },
};

/// What the accesses of an act give.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Gives {
    #[default]
    Nothing,
    /// Bytes of memory.
    Bytes {
        /// Bytes of the first word that are not among them.
        skip: usize,
        /// Number of bytes.
        len: usize,
    },
    /// The word of a register.
    Register,
    /// Messages of the mailbox. How many accesses that takes follows from what they find.
    Messages {
        /// How many.
        count: u32,
        /// Cycles from the first look on, at most.
        limit: Cycle,
    },
}

/// Something a host does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Act {
    /// Not before this cycle.
    pub at: Cycle,
    /// In words.
    pub what: String,
    /// Accesses in stages: a stage begins only if the one before it went well.
    pub stages: Vec<Vec<HostOp>>,
    /// What they give.
    pub gives: Gives,
}

fn act(what: String, stages: Vec<Vec<HostOp>>) -> Act {
    Act { at: Cycle(0), what, stages, gives: Gives::Nothing }
}

/// Waits until a bit of `STATUS` has a value, at most `limit` cycles.
fn status(what: &str, bit: u32, value: u32, limit: Cycle) -> Act {
    let addr = board::STATUS.offset;
    let poll = HostOp::Poll { addr, mask: 1 << bit, value: value << bit, limit };
    act(what.into(), vec![vec![poll]])
}

impl Act {
    /// Writes bytes of the shared memory, from a byte address on.
    #[must_use]
    pub fn write(addr: ByteAddress, bytes: &[u8]) -> Act {
        let what = format!("write {} B at {addr:#x}", bytes.len());
        act(what, vec![write_block(addr, bytes)])
    }

    /// Reads that many bytes of the shared memory, from a byte address on.
    #[must_use]
    pub fn read(addr: ByteAddress, len: u32) -> Act {
        let words = (addr.0 % 4 + len).div_ceil(4);
        let gives = Gives::Bytes { skip: addr.lane(), len: len as usize };
        let what = format!("read {len} B at {addr:#x}");
        Act { gives, ..act(what, vec![read_block(addr.aligned(), words)]) }
    }

    /// Reads a register, or writes a word to it.
    #[must_use]
    pub fn register(one: &Register, value: Option<u32>) -> Act {
        let addr = one.offset;
        match value {
            None => Act {
                gives: Gives::Register,
                ..act(format!("read {}", one.name), vec![vec![HostOp::Read { addr }]])
            },
            Some(data) => {
                let what = format!("write {} = {data:#x}", one.name);
                act(what, vec![vec![register(one, data)]])
            }
        }
    }

    /// Closes the data frame under way.
    #[must_use]
    pub fn flush() -> Act {
        act("flush".into(), vec![vec![register(&board::FLUSH, 0)]])
    }

    /// Sends a signal with these codes and up to 46 bytes, in this order to data written before.
    #[must_use]
    pub fn signal(
        (token, c_st): (Token, u8),
        (node_id, multi_g): (u8, u8),
        order: Order,
        data: &[u8],
    ) -> Act {
        let mut ops = send_signal(token, c_st, NodeId(node_id), order, data);
        if let Some(HostOp::Write { data, .. }) = ops.last_mut() {
            *data |= u32::from(multi_g) << 16;
        }
        let order = if order == Order::None { "no order" } else { order.name() };
        let signal = words::signal(token, c_st, node_id, multi_g);
        act(format!("send {signal}, {order}"), vec![ops])
    }

    /// Waits for that many cycles.
    #[must_use]
    pub fn wait(cycles: Cycle) -> Act {
        act(format!("wait {cycles}"), vec![vec![HostOp::Wait { cycles }]])
    }

    /// Waits until all boards know this one, at most that many cycles.
    #[must_use]
    pub fn until_synced(limit: Cycle) -> Act {
        status("until synced", 0, 1, limit)
    }

    /// Waits until all data written before has returned good.
    #[must_use]
    pub fn until_acknowledged(limit: Cycle) -> Act {
        let mut act = status("until all data has returned", 3, 0, limit);
        // A frame that is still being put together would not count.
        act.stages.insert(0, vec![register(&board::FLUSH, 0)]);
        act
    }

    /// Waits until all signals sent before have returned good.
    #[must_use]
    pub fn until_signals_back(limit: Cycle) -> Act {
        status("until all signals have returned", 4, 0, limit)
    }

    /// Waits for `irq` for this event, since it was last cleared; it is cleared then.
    #[must_use]
    pub fn until_interrupt(event: Interrupt, limit: Cycle) -> Act {
        let bit = 1 << event.code();
        let stages = vec![
            vec![register(&board::IRQ_ENABLE, bit)],
            vec![HostOp::Interrupt { limit }],
            vec![register(&board::IRQ_STATUS, bit)],
        ];
        act(format!("until interrupt {}", event.name()), stages)
    }

    /// Waits until these bytes are in the local replica, at most `limit` cycles for each word.
    #[must_use]
    pub fn until_visible(addr: ByteAddress, bytes: &[u8], limit: Cycle) -> Act {
        let poll = |op| match op {
            HostOp::Write { addr, data, strobe } => {
                let lane = |l: u32| u32::from(strobe >> l & 1) * (0xff << (8 * l));
                let mask = (0..4).map(lane).sum();
                vec![HostOp::Poll { addr, mask, value: data & mask, limit }]
            }
            other => vec![other],
        };
        let what = format!("until {} B at {addr:#x} are there", bytes.len());
        act(what, write_block(addr, bytes).into_iter().map(poll).collect())
    }

    /// Takes that many messages out of the mailbox.
    #[must_use]
    pub fn receive(count: u32, limit: Cycle) -> Act {
        let gives = Gives::Messages { count, limit };
        Act { gives, ..act(format!("receive {count}"), Vec::new()) }
    }

    /// Indices of the bytes of the shared memory that it writes.
    pub(super) fn bytes(&self) -> impl Iterator<Item = usize> {
        let lanes = |op: &HostOp| match *op {
            HostOp::Write { addr, strobe, .. } if addr >= WINDOW => Some((addr - WINDOW, strobe)),
            _ => None,
        };
        let bytes = |(first, strobe): (u32, u8)| {
            (0..4)
                .filter(move |lane| strobe >> lane & 1 == 1)
                .map(move |lane| first as usize + lane)
        };
        self.stages.iter().flatten().filter_map(lanes).flat_map(bytes)
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Script that drives the board in a vector.

use crate::board::BoardStimulus;
use crate::board::parts::write;
use crate::board::stimulus::{BoardEvent, BoardFrame, HostAccess, Numbers};
use crate::ends::OWN;
use awgstar::quantity::{ByteAddress, Cycle, narrow};
use awgstar::{
    contract::{
        BoardCounter, Counter, Token,
        board::{self, Register},
    },
    ring::{RESET_CYCLES, boards::Counted},
};

/// First byte of the shared memory.
pub(super) const WINDOW: ByteAddress = ByteAddress(1 << board::WINDOW_BIT);
/// The host has set the board up, and its `sync` has left.
const AWAKE: u64 = 60;
/// Cycle by which the board has cleared its table of sources.
const READY: u64 = 280;
/// `TIMEOUT` in which nothing is retransmitted.
pub(super) const LONG: u32 = 60_000;

pub(super) const P2P: u8 = Token::P2p.code();
pub(super) const MULTICAST: u8 = Token::Multicast.code();
pub(super) const BROADCAST: u8 = Token::Broadcast.code();
const CONTROL: u8 = Token::Control.code();
const DATA: u8 = Token::Data.code();
const FREE: u8 = Token::Free.code();

/// A run that is being put together.
#[derive(Clone, Debug, Default)]
pub(super) struct Script {
    stimulus: BoardStimulus,
    /// Answers that the host must get.
    pub(super) answers: Vec<String>,
    /// First cycle in which no frame is on the link.
    free: u64,
    /// Cycles the host waits before its next access.
    gap: u16,
    /// About the cycle in which its next access begins.
    now: u64,
    /// Signals that the board must send.
    pub(super) signals: Option<Vec<String>>,
    /// The board has a lock and barrier engine.
    pub(super) engine: bool,
}

impl Script {
    /// Resets and sets up a board with this `TIMEOUT`; its frames do not return unless the script
    /// says so.
    pub(super) fn new(cycles: u64, timeout: u32) -> Self {
        Self::with_period(cycles, timeout, 0x00ff_ffff)
    }

    /// The same with this `PERIOD`.
    pub(super) fn with_period(cycles: u64, timeout: u32, period: u32) -> Self {
        let script = Script {
            stimulus: BoardStimulus { cycles: Cycle(cycles), ..BoardStimulus::default() },
            free: RESET_CYCLES.0,
            now: RESET_CYCLES.0,
            ..Script::default()
        };
        script
            .set(&board::NODE_ID, OWN.into())
            .set(&board::GROUPS, 0b0110)
            .set(&board::TIMEOUT, timeout)
            .set(&board::COMBINE, 4)
            .set(&board::PERIOD, period)
            .set(&board::CONTROL, 1)
    }

    /// A board that no host has set up.
    pub(super) fn bare(cycles: u64) -> Self {
        Script {
            stimulus: BoardStimulus { cycles: Cycle(cycles), ..BoardStimulus::default() },
            free: RESET_CYCLES.0,
            now: RESET_CYCLES.0,
            ..Script::default()
        }
    }

    /// The signals that the board sends, in order, in the form of [`super::Golden::signals`].
    pub(super) fn sends(mut self, signals: &[String]) -> Self {
        self.signals = Some(signals.to_vec());
        self
    }

    /// A board with a lock and barrier engine that no host has set up.
    pub(super) fn with_engine(cycles: u64) -> Self {
        Script { engine: true, ..Self::bare(cycles) }
    }

    /// Connects the board's output to its input, with a delay of `cycles`.
    pub(super) fn looped(mut self, cycles: u16) -> Self {
        self.stimulus.loopback = Some(cycles);
        self
    }

    /// The same for frames with this low byte of MAC only, as on a ring where every source takes its frames
    /// off.
    pub(super) fn ring(mut self, cycles: u16, node: u8) -> Self {
        self.stimulus.returns = Some(node);
        self.looped(cycles)
    }

    pub(super) fn stimulus(&self) -> BoardStimulus {
        self.stimulus.clone()
    }

    // ---- The host ----

    fn access(mut self, access: HostAccess) -> Self {
        let command = [board::LOCK_ACQUIRE, board::LOCK_RELEASE, board::BARRIER_ARRIVE];
        let takes = if command.iter().any(|r| r.offset == access.addr) { 5 } else { 4 };
        self.now += u64::from(self.gap) + takes;
        self.stimulus.host.push(HostAccess { gap: self.gap, ..access });
        self.gap = 0;
        self
    }

    /// The host waits.
    pub(super) fn wait(mut self, cycles: u16) -> Self {
        self.gap += cycles;
        self
    }

    /// The host waits until about this cycle.
    pub(super) fn until(mut self, cycle: u64) -> Self {
        self.gap = narrow(cycle.saturating_sub(self.now));
        self
    }

    /// Writes some bytes of a word of the shared memory.
    pub(super) fn lanes(self, addr: u32, data: u32, strobe: u8) -> Self {
        self.access(HostAccess { strobe, ..write(WINDOW | addr, data) })
    }

    /// Writes a word of the shared memory.
    pub(super) fn put(self, addr: u32, data: u32) -> Self {
        self.lanes(addr, data, 15)
    }

    /// Reads a word of the shared memory, which must be this.
    pub(super) fn get(self, addr: u32, expected: u32) -> Self {
        self.read(WINDOW | addr, expected)
    }

    /// Writes a register.
    pub(super) fn set(self, register: &Register, value: u32) -> Self {
        self.access(write(register.offset, value))
    }

    /// Writes word `index` of a row of registers.
    pub(super) fn set_word(self, register: &Register, index: u32, value: u32) -> Self {
        self.access(write(register.offset + 4 * index, value))
    }

    /// Reads a register, which must be this.
    pub(super) fn is(self, register: &Register, expected: u32) -> Self {
        self.read(register.offset, expected)
    }

    /// Reads word `index` of a row of registers, which must be this.
    pub(super) fn word(self, register: &Register, index: u32, expected: u32) -> Self {
        self.read(register.offset + 4 * index, expected)
    }

    /// Reads a counter, which must be this.
    pub(super) fn counts(self, counter: impl Into<Counted>, expected: u32) -> Self {
        let number = match counter.into() {
            Counted::Node(c) => Counter::code(c),
            Counted::Board(c) => 16 + BoardCounter::code(c),
        };
        self.word(&board::COUNT, number.into(), expected)
    }

    fn read(mut self, addr: ByteAddress, expected: u32) -> Self {
        self.answers.push(format!("{expected:08x}"));
        self.access(HostAccess { write: false, ..write(addr, 0) })
    }

    /// An access as it is.
    pub(super) fn raw(self, access: HostAccess) -> Self {
        self.access(access)
    }

    /// An access that is refused.
    pub(super) fn refused(mut self, access: HostAccess) -> Self {
        self.answers.push("slverr".into());
        self.access(access)
    }

    /// Sends a signal with a word of Data.
    pub(super) fn send(self, token: u8, c_st: u32, order: u32, data: u32) -> Self {
        let value = u32::from(token) | c_st << 3 | 4 << 20 | order << 26;
        self.access(write(board::SIGNAL_DATA.offset, data))
            .access(write(board::SIGNAL_SEND.offset, value))
    }

    // ---- The link ----

    /// A frame on the link from cycle `at` on, or as soon as those before it are over.
    pub(super) fn at(mut self, at: u64, frame: BoardFrame) -> Self {
        let gap = narrow::<u16>(at.saturating_sub(self.free)).max(1);
        let words = frame.words(&mut Numbers::default()).len() as u64;
        self.free += u64::from(gap) + words;
        self.stimulus.link.push(BoardEvent { gap, frame });
        self
    }

    /// The board's `sync` returns: all boards know it.
    pub(super) fn synced(self) -> Self {
        self.synced_as(AWAKE, OWN)
    }

    /// The same for a board with this Node_ID, in this cycle.
    pub(super) fn synced_as(self, at: u64, node: u8) -> Self {
        self.at(at, BoardFrame { c_st: board::SYNC.c_st, ..from(node, CONTROL) })
    }

    /// Source 1 says that it begins.
    pub(super) fn neighbour(self) -> Self {
        self.at(READY, BoardFrame { c_st: board::SYNC.c_st, node_id: 1, ..from(1, CONTROL) })
    }

    /// A free token.
    pub(super) fn token(self, at: u64) -> Self {
        self.at(at, from(9, FREE))
    }
}

/// A frame of another board.
pub(super) fn from(source: u8, token: u8) -> BoardFrame {
    BoardFrame { source, node_id: source, token, ..BoardFrame::default() }
}

/// A frame that the board sent, as it returns.
pub(super) fn own(token: u8) -> BoardFrame {
    from(OWN, token)
}

/// The board's data frame with the next number, as it returns.
pub(super) fn echo(len: u16) -> BoardFrame {
    BoardFrame { len, ..own(DATA) }
}

/// Data of source 1: bytes `salt`, `salt + 1`, ...
pub(super) fn data(addr: u32, len: u16, salt: u8) -> BoardFrame {
    BoardFrame { addr, len, salt, ..from(1, DATA) }
}

/// A signal of source 1 to this board, with 4 bytes of Data.
pub(super) fn signal(c_st: u8, salt: u8) -> BoardFrame {
    BoardFrame { node_id: OWN, c_st, len: 4, salt, ..from(1, P2P) }
}

/// A heartbeat of another board.
pub(super) fn heartbeat(source: u8) -> BoardFrame {
    BoardFrame { c_st: board::MONITOR.c_st, ..from(source, CONTROL) }
}

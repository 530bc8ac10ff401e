// SPDX-License-Identifier: MIT OR Apache-2.0
//! The board: sizes, link control, events, and the host port's map of registers (HST, WRT, ACK,
//! SND, RCV, MON, IRQ).

use super::{Token, check::verdicts};
use crate::quantity::ByteAddress;
use alloc::vec::Vec;

/// Address bits of the shared memory: 2^12 words of 4 bytes.
pub const MEM_ADDR_W: usize = 12;
/// Address bits of the words of data that wait for acknowledgement.
pub const TX_ADDR_W: usize = 10;
/// Address bits of the data frames that wait for acknowledgement.
pub const TX_FRAME_W: usize = 4;
/// Address bits of the queue of signals.
pub const SIGNAL_W: usize = 2;
/// Address bits of the mailbox, in messages of 16 words.
pub const MAIL_W: usize = 4;
/// Bits of an ID of the AXI4 port.
pub const AXI_ID_W: usize = 4;
/// Lock and barrier engine: `Node_ID`s below 2^n take part; 0: the board has none (ENG-9).
pub const ENGINE_NODE_W: usize = 0;
/// 1: a board that was reset can join with the memory of the others (JOIN-1); 0: it cannot.
pub const JOIN: usize = 0;
pub const ENGINE_LOCKS: usize = 16;
pub const ENGINE_BARRIERS: usize = 8;
/// Timeouts in a row after which a sender reports that it is stalled (ACK-6).
pub const RETRY_LIMIT: usize = 8;
/// Bytes of Data that a signal of the host carries at most.
pub const SIGNAL_MAX: usize = 46;
/// Address bit of the host port that chooses the shared memory (HST-2).
pub const WINDOW_BIT: usize = 31;
/// Upper 40 bits of a board's MAC after reset; Node_ID is the lower byte (HST-5).
pub const MAC_PREFIX: u64 = 0x02_534D_4200;

/// A link-control frame: TOKEN 110, no Data (MON-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Control {
    /// Name in Verilog (upper case) and documents.
    pub name: &'static str,
    pub c_st: u8,
    /// One line of documentation.
    pub doc: &'static str,
}

/// A board begins: its data frames are numbered from 0 (RCV-1).
pub const SYNC: Control =
    Control { name: "sync", c_st: 1, doc: "a board begins: its data frames are numbered from 0" };
/// Heartbeat and census of the active monitor.
pub const MONITOR: Control =
    Control { name: "monitor", c_st: 2, doc: "heartbeat and census of the active monitor" };
/// A board joins: who gets it sends no new data until all that it sent has returned good (JOIN-2). Addr is its number.
pub const FENCE: Control = Control {
    name: "fence",
    c_st: 3,
    doc: "a board joins: the others confirm what they have sent",
};
/// The answer (JOIN-3). Addr: Node_ID of the board that joins, the number of its fence, a zero byte, and the number
/// of the next data frame.
pub const HERE: Control = Control {
    name: "here",
    c_st: 4,
    doc: "the answer to a fence: all data sent so far has returned good; Addr says to whom, and which number is next",
};
/// Every link-control frame.
pub const CONTROLS: &[Control] = &[SYNC, MONITOR, FENCE, HERE];

verdicts! {
    /// Order of a signal against the data its host wrote before it (SND-2).
    Order {
        None = 0 "none" "no order: it may overtake data";
        Sent = 1 "sent" "after the data; dropped by receivers that miss some of it, and retransmitted with it";
        Confirmed = 2 "confirmed" "held until the data has returned good";
    }
}

verdicts! {
    /// Counters of the board: their number is 16 plus this at the host port.
    BoardCounter {
        Data = 0 "data" "data frames written to the memory";
        DataAgain = 1 "data_again" "data frames dropped because they were accepted before";
        DataGap = 2 "data_gap" "data frames dropped because one before them is missing";
        DataRange = 3 "data_range" "data frames dropped because they end beyond the memory";
        Signal = 4 "signal" "signals put into the mailbox";
        SignalAgain = 5 "signal_again" "signals dropped because they were accepted before";
        SignalEarly = 6 "signal_early" "signals dropped because data before them is missing";
        SignalLong = 7 "signal_long" "signals dropped because they have more than 48 bytes of Data";
        MailFull = 8 "mail_full" "signals dropped because the mailbox was full";
        Rewound = 9 "rewound" "times the board went back to retransmit data";
        SignalResend = 10 "signal_resend" "signals retransmitted";
        Timeout = 11 "timeout" "timeouts of data";
        Orphan = 12 "orphan" "frames absorbed as the monitor: their source did not strip them";
        TokenAdded = 13 "token_added" "tokens made as the monitor";
        TokenRemoved = 14 "token_removed" "tokens dropped as the monitor";
        Stray = 15 "stray" "own frames that returned good but were not expected";
    }
}

verdicts! {
    /// Bits of `IRQ_STATUS` and `IRQ_ENABLE`.
    Interrupt {
        Mail = 0 "mail" "a signal was put into the mailbox";
        MailFull = 1 "mail_full" "a signal was dropped because the mailbox was full";
        SignalDone = 2 "signal_done" "a signal of the host has returned good";
        Stalled = 3 "stalled" "8 timeouts in a row: nothing returns";
        Role = 4 "role" "the board became the active monitor or ceased to be";
        Tokens = 5 "tokens" "the monitor made or dropped a token";
        SameId = 6 "same_id" "another board has this board's Node_ID";
        DataRange = 7 "data_range" "data for addresses beyond the memory was dropped";
        Stray = 8 "stray" "an own frame returned that was not expected: another board may have this MAC";
    }
}

verdicts! {
    /// Bits of `ENGINE_IRQ_STATUS` and `ENGINE_IRQ_ENABLE`.
    EngineInterrupt {
        Lock = 0 "lock" "the process has a lock that it asked for";
        Barrier = 1 "barrier" "the process may pass a barrier";
    }
}

verdicts! {
    /// What a host orders with `JOIN_COMMAND` (JOIN-6).
    JoinCommand {
        Begin = 0 "begin" "nothing is known: send a fence, take data of a source from its answer on; refused while data is pending";
        Again = 1 "again" "send another fence: a board has not answered; refused unless the board joins";
        Settle = 2 "settle" "send the last fence, after the last fill; refused unless the board joins";
        Whole = 3 "whole" "the replica is whole";
    }
}

verdicts! {
    /// Bits of `JOIN_IRQ_STATUS` and `JOIN_IRQ_ENABLE`.
    JoinInterrupt {
        Fenced = 0 "fenced" "the fence has returned good";
        Here = 1 "here" "another board has answered the fence";
        Peer = 2 "peer" "another board joins";
    }
}

/// Accesses that a host may do on a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Read.
    Ro,
    /// Write.
    Wo,
    /// Read and write.
    Rw,
    /// Read and write, written only while the board is not enabled.
    Config,
    /// Read; bits written as 1 are cleared.
    W1c,
    /// Read; bits written as 1 are set, and stay so until reset.
    W1s,
}

impl Access {
    /// As in the tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Access::Ro => "RO",
            Access::Wo => "WO",
            Access::Rw => "RW",
            Access::Config => "RW config",
            Access::W1c => "R, W1C",
            Access::W1s => "R, W1S",
        }
    }
    /// Returns true if a host can read the register.
    #[must_use]
    pub const fn reads(self) -> bool {
        !matches!(self, Access::Wo)
    }
    /// Returns true if a host can write the register.
    #[must_use]
    pub const fn writes(self) -> bool {
        !matches!(self, Access::Ro)
    }
}

/// A field of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitField {
    pub name: &'static str,
    /// Lowest bit.
    pub bit: usize,
    /// Width in bits.
    pub bits: usize,
    /// Meaning.
    pub doc: &'static str,
    /// Meaning of the values.
    pub values: Values,
}

/// Meaning of the values of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    Number,
    SignalTokens,
    /// Order against data written before.
    Orders,
    /// Each bit is an interrupt.
    Interrupts,
    /// Each bit is an interrupt of the engine.
    EngineInterrupts,
    /// Each bit is an interrupt of a board that can join.
    JoinInterrupts,
    JoinCommands,
}

/// A name for a value, or for a bit, of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    pub name: &'static str,
    /// The value, or the number of the bit within the field.
    pub code: u8,
    /// Meaning.
    pub doc: &'static str,
}

impl Values {
    /// The field is a row of flags: names are those of bits.
    #[must_use]
    pub const fn are_flags(self) -> bool {
        matches!(self, Values::Interrupts | Values::EngineInterrupts | Values::JoinInterrupts)
    }

    /// Names of values, or of bits; empty for a number.
    #[must_use]
    pub fn names(self) -> Vec<Named> {
        macro_rules! named {
            ($all:expr) => {
                $all.map(|one| Named { name: one.name(), code: one.code(), doc: one.doc() })
                    .collect()
            };
        }
        match self {
            Values::Number => Vec::new(),
            Values::SignalTokens => {
                named!(Token::ALL.into_iter().filter(|token| token.is_signal()))
            }
            Values::Orders => named!(Order::ALL.iter()),
            Values::Interrupts => named!(Interrupt::ALL.iter()),
            Values::EngineInterrupts => named!(EngineInterrupt::ALL.iter()),
            Values::JoinInterrupts => named!(JoinInterrupt::ALL.iter()),
            Values::JoinCommands => named!(JoinCommand::ALL.iter()),
        }
    }
}

/// A register, or a row of them, of the host port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    /// Name in Verilog, Rust and documents.
    pub name: &'static str,
    /// Byte address.
    pub offset: ByteAddress,
    /// Number of registers at consecutive words.
    pub count: u32,
    /// Accesses that a host may do.
    pub access: Access,
    /// Value after reset.
    pub reset: u32,
    /// Meaning.
    pub doc: &'static str,
    /// Bit fields of the register; empty if it is one field of 32 bits.
    pub fields: &'static [BitField],
}

impl Register {
    /// Returns true if the value can change without a write of the host.
    #[must_use]
    pub fn changes(&self) -> bool {
        match self.access {
            Access::Ro => ![ID.offset, VERSION.offset, MEM_SIZE.offset].contains(&self.offset),
            Access::W1c => true,
            Access::Wo | Access::Rw | Access::Config | Access::W1s => false,
        }
    }

    /// Returns true if a read can be refused, by the state of the board: a debugger must not read it by itself.
    #[must_use]
    pub fn read_depends_on_state(&self) -> bool {
        self.offset == MAIL_DATA.offset
    }

    /// Returns true if a write is a command: it acts, and stores nothing.
    #[must_use]
    pub const fn is_command(&self) -> bool {
        matches!(self.access, Access::Wo) && self.count == 1
    }
}

const fn field(name: &'static str, bit: usize, bits: usize, doc: &'static str) -> BitField {
    BitField { name, bit, bits, doc, values: Values::Number }
}

impl BitField {
    const fn of(self, values: Values) -> BitField {
        BitField { values, ..self }
    }
}

macro_rules! registers {
    ($(#[$all_doc:meta])* $all:ident: $($constant:ident $offset:literal $count:literal $access:ident $reset:expr, $doc:literal [$($field:expr),*];)*) => {
        $(#[doc = $doc] pub const $constant: Register = Register {
            name: stringify!($constant), offset: ByteAddress($offset), count: $count, access: Access::$access,
            reset: $reset, doc: $doc, fields: &[$($field),*],
        };)*
        $(#[$all_doc])*
        pub const $all: &[Register] = &[$($constant),*];
    };
}

registers! {
    /// Every register of the host port that all boards have, by address.
    REGISTERS:
    ID 0x000 1 Ro 0x4157_4753, "`AWGS`: this is a board" [];
    VERSION 0x004 1 Ro 1, "version of this map" [];
    CONTROL 0x008 1 W1s 0, "what the board does" [
        field("enable", 0, 1, "take part in the ring; once set it stays until reset")];
    STATUS 0x00C 1 Ro 0, "how the board is" [
        field("synced", 0, 1, "all boards know this one: data and signals are sent"),
        field("active", 1, 1, "this board is the active monitor"),
        field("stalled", 2, 1, "8 timeouts in a row: nothing returns"),
        field("data_pending", 3, 1, "data was written that has not returned good"),
        field("signal_pending", 4, 1, "signals were sent that have not returned good"),
        field("signal_full", 5, 1, "no room for another signal"),
        field("held", 8, 8, "tokens in the node's hand")];
    PREFIX_LOW 0x010 1 Config 0x534D_4200, "bits 39 to 8 of MAC; bits 7 to 0 are Node_ID" [];
    PREFIX_HIGH 0x014 1 Config 0x02, "bits 47 to 40 of MAC" [field("prefix", 0, 8, "bits 47 to 40")];
    NODE_ID 0x018 1 Config 0, "number of this node, different on every board of a ring" [
        field("node_id", 0, 8, "Node_ID")];
    GROUPS 0x01C 1 Config 0, "multicast groups of this node" [field("groups", 0, 16, "bit g: group g")];
    TOKENS 0x020 1 Rw 1, "tokens that the monitor keeps on the ring" [field("tokens", 0, 8, "K, 1 to 255")];
    TIMEOUT 0x024 1 Rw 0xFFFF, "cycles after which a frame that has not returned is retransmitted" [
        field("cycles", 0, 24, "more than the longest rotation")];
    COMBINE 0x028 1 Rw 64, "cycles without a write until a data frame is closed" [field("cycles", 0, 16, "cycles")];
    PERIOD 0x02C 1 Rw 0x3FFF, "cycles between heartbeats of the monitor, less 1" [
        field("cycles", 0, 24, "more than the longest rotation")];
    FLUSH 0x030 1 Wo 0, "a write closes the data frame under way" [];
    IRQ_STATUS 0x034 1 W1c 0, "events since they were cleared" [field("events", 0, 9, "by bit, see the interrupts").of(Values::Interrupts)];
    IRQ_ENABLE 0x038 1 Rw 0, "events that raise `irq`" [field("events", 0, 9, "by bit, see the interrupts").of(Values::Interrupts)];
    TX_FREE 0x03C 1 Ro 1024, "words of data that can be written without waiting" [];
    SIGNAL_SEND 0x040 1 Wo 0, "a write sends a signal with the Data written before" [
        field("token", 0, 3, "011, 100 or 101").of(Values::SignalTokens),
        field("c_st", 3, 5, "C.ST"),
        field("node_id", 8, 8, "Node_ID"),
        field("multi_g", 16, 4, "Multi_G"),
        field("len", 20, 6, "bytes of Data, 0 to 46"),
        field("order", 26, 2, "order against data written before: none, sent, confirmed").of(Values::Orders)];
    FRAMES 0x044 1 Ro 0, "numbers of data frames, modulo 256" [
        field("base", 0, 8, "the next to be acknowledged"),
        field("next", 8, 8, "the next to be sent"),
        field("tail", 16, 8, "the next to be closed")];
    MAIL_COUNT 0x048 1 Ro 0, "messages in the mailbox" [];
    MAIL_POP 0x04C 1 Wo 0, "a write drops the oldest message" [];
    MEM_SIZE 0x050 1 Ro 16384, "bytes of the shared memory" [];
    SIGNAL_DATA 0x080 12 Wo 0, "Data of the signal to be sent; byte i in lane i modulo 4 of word i / 4" [];
    MAIL_DATA 0x0C0 16 Ro 0, "the oldest message: header, MAC, MAC and length, Addr, 12 words of Data; SLVERR while `MAIL_COUNT` is 0" [];
    COUNT 0x100 32 Ro 0, "counters: 0 to 15 of the node, 16 to 31 of the board" [];
}

registers! {
    /// The registers of a board that can join, by address: boards with `JOIN` = 1 (JOIN-6).
    JOIN_REGISTERS:
    JOIN_STATUS 0x400 1 Ro 0, "whether the replica is whole, and how far the board has joined" [
        field("whole", 0, 1, "the replica is whole: the host may write to it"),
        field("joining", 1, 1, "the board joins"),
        field("settled", 2, 1, "the last fence is on its way, or has returned"),
        field("busy", 3, 1, "a fence is to return"),
        field("fenced", 4, 1, "the last fence has returned good"),
        field("held", 5, 1, "new data waits: another board joins"),
        field("heard", 8, 9, "boards that have answered since `begin` or `settle`"),
        field("peer", 24, 8, "Node_ID of the board whose fence came last")];
    JOIN_COMMAND 0x404 1 Wo 0, "a write orders a step of joining" [
        field("command", 0, 2, "begin, again, settle, whole").of(Values::JoinCommands),
        field("fence", 8, 8, "with begin: the number of its fence, none of the last times that this board joined")];
    FILL_ADDR 0x408 1 Rw 0, "byte address of the word that is filled next, in the memory, a multiple of 4" [];
    FILL_DATA 0x40C 1 Wo 0, "a write puts the bytes that are not known into the word at `FILL_ADDR`, on this board only, and goes on to the next; refused unless the board joins" [];
    JOIN_IRQ_STATUS 0x410 1 W1c 0, "events since they were cleared" [
        field("events", 0, 3, "by bit, see the interrupts of a board that can join").of(Values::JoinInterrupts)];
    JOIN_IRQ_ENABLE 0x414 1 Rw 0, "events that raise `irq`" [
        field("events", 0, 3, "by bit, see the interrupts of a board that can join").of(Values::JoinInterrupts)];
}

/// Every register of the host port, by address.
pub fn registers() -> impl Iterator<Item = &'static Register> {
    REGISTERS.iter().chain(JOIN_REGISTERS).chain(ENGINE_REGISTERS)
}

registers! {
    /// The registers of the lock and barrier engine, by address: boards with `ENGINE_NODE_W` other than 0 (ENG-7).
    ENGINE_REGISTERS:
    ENGINE_STATUS 0x800 1 Ro 0, "how the engine is" [
        field("ready", 0, 1, "the memories are cleared: 1 after 2^(n + 4) cycles and a few"),
        field("node_w", 8, 4, "n: Node_IDs below 2^n take part")];
    LOCK_ENABLE 0x804 1 Config 0, "locks that the engine serves; messages of others go to the mailbox" [
        field("locks", 0, 16, "bit l: lock l")];
    BARRIER_ENABLE 0x808 1 Config 0, "barriers that the engine serves; messages of others go to the mailbox" [
        field("barriers", 0, 8, "bit b: barrier b")];
    LOCK_FIRST 0x80C 1 Config 0, "locks that this board owns at the start; each is owned by one board" [
        field("locks", 0, 16, "bit l: lock l")];
    ENGINE_ORDER 0x810 1 Rw 0xA, "order of the engine's signals against data written before" [
        field("passes", 0, 2, "lock rights passed on: none, sent, confirmed").of(Values::Orders),
        field("arrivals", 2, 2, "arrivals at barriers: none, sent, confirmed").of(Values::Orders)];
    ENGINE_RETRY 0x814 1 Rw 0xFFFF, "period of the retry timer: what is not answered is sent again after one to two periods" [
        field("cycles", 0, 24, "cycles less 1")];
    ENGINE_IRQ_STATUS 0x818 1 W1c 0, "events since they were cleared" [
        field("events", 0, 2, "by bit, see the interrupts of the engine").of(Values::EngineInterrupts)];
    ENGINE_IRQ_ENABLE 0x81C 1 Rw 0, "events that raise `irq`" [
        field("events", 0, 2, "by bit, see the interrupts of the engine").of(Values::EngineInterrupts)];
    LOCK_ACQUIRE 0x820 1 Wo 0, "a write asks for a lock; refused unless the process is neither in nor waiting" [
        field("lock", 0, 4, "number of the lock")];
    LOCK_RELEASE 0x824 1 Wo 0, "a write gives a lock back; refused unless the process has it" [
        field("lock", 0, 4, "number of the lock")];
    LOCK_HELD 0x828 1 Ro 0, "locks that the process has" [field("locks", 0, 16, "bit l: lock l")];
    LOCK_ASKING 0x82C 1 Ro 0, "locks that the process waits for" [field("locks", 0, 16, "bit l: lock l")];
    LOCK_OWNED 0x830 1 Ro 0, "locks that this board owns, whether its process has them or not" [
        field("locks", 0, 16, "bit l: lock l")];
    BARRIER_ARRIVE 0x834 1 Wo 0, "a write arrives at a barrier; refused while the process waits there" [
        field("barrier", 0, 3, "number of the barrier")];
    BARRIER_WAITING 0x838 1 Ro 0, "barriers at which the process waits" [field("barriers", 0, 8, "bit b: barrier b")];
    BARRIER_MEMBERS 0x900 64 Wo 0, "who takes part: bit i of word 8 b + w is Node_ID 32 w + i at barrier b; only when the engine is ready and `CONTROL.enable` is 0" [];
}

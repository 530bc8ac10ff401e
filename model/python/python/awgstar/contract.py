# SPDX-License-Identifier: MIT OR Apache-2.0
# Generated from the contract (model/frame/src/contract) by `cargo xtask contract generate`.
# Do not edit: `cargo xtask contract check` and the tests fail on drift.
"""Constants and tables that the model, the Verilog and this package share.

Codes are the values on the ports of the Verilog. Addresses and offsets are in bytes.
"""

from enum import IntEnum
from typing import Final, NamedTuple

#: Bytes of the header of a frame: MAC to Addr.
HEADER_BYTES: Final = 14
#: Bytes of the frame check sequence.
FCS_BYTES: Final = 4
#: Bytes of the shortest Data on the link.
DATA_MIN: Final = 46
#: Bytes of the longest Data.
DATA_MAX: Final = 1024
#: Bytes of the shortest frame.
FRAME_MIN: Final = 64
#: Bytes of the longest frame.
FRAME_MAX: Final = 1042
#: Index in Data of the count of a short data token.
SHORT_COUNT_INDEX: Final = 45
#: Bytes of a word of the link.
WORD_BYTES: Final = 4
#: Idle words between two frames, at least.
IDLE_WORDS_MIN: Final = 1
#: C.ST of a data token whose Data is valid to its end.
C_ST_DATA_FULL: Final = 0
#: C.ST of a data token with a short count.
C_ST_DATA_SHORT: Final = 1
#: Line rate in bit/s.
LINE_RATE_BPS: Final = 2152000000
#: Clock of the link in Hz: a cycle is 1/CLOCK_HZ s.
CLOCK_HZ: Final = 67250000
#: Delay of fibre in ns/m.
FIBRE_NS_PER_M: Final = 5
#: Upper 40 bits of the MAC of a board after reset; the lower 8 are Node_ID.
MAC_PREFIX: Final = 9987506688
#: Byte address of the shared memory at the host port.
WINDOW: Final = 2147483648
#: Bytes of Data of a signal of a host, at most.
SIGNAL_MAX: Final = 46
#: Locks of the engine of a board.
ENGINE_LOCKS: Final = 16
#: Barriers of the engine of a board.
ENGINE_BARRIERS: Final = 8
#: Parameters of `smb` and `ring_node` in Verilog, with their defaults.
PARAMETERS: Final[dict[str, int]] = {
    "MEM_ADDR_W": 12,
    "TX_ADDR_W": 10,
    "TX_FRAME_W": 4,
    "SIGNAL_W": 2,
    "MAIL_W": 4,
    "ENGINE_NODE_W": 0,
    "JOIN": 0,
    "BUFFER_ADDR_W": 9,
    "RX_ADDR_W": 9,
    "RX_HEADER_ADDR_W": 4,
    "TOKEN_RUN": 8,
}


class Token(IntEnum):
    """Kind of a frame: TOKEN, 3 bits."""

    #: free token
    FREE = 0
    #: data token
    DATA = 1
    #: point-to-point communication
    P2P = 3
    #: multicast communication
    MULTICAST = 4
    #: broadcast communication
    BROADCAST = 5
    #: control token (link control)
    CONTROL = 6


class Check(IntEnum):
    """Verdict of the receiver on a frame."""

    #: every check passed
    OK = 0
    #: tuser on the last word: aborted by an upstream node
    ABORT = 1
    #: tkeep not 1111 inside the frame, or not contiguous from byte 0 on the last word
    KEEP = 2
    #: fewer than 64 bytes
    RUNT = 3
    #: more than 1,042 bytes
    LONG = 4
    #: frame check sequence wrong
    FCS = 5
    #: TOKEN 010 or 111
    TOKEN = 6
    #: data token with C.ST other than 00000 and 00001
    C_ST = 7
    #: free token or short data token that is not 64 bytes long
    LENGTH = 8
    #: short count 0 or above 45
    SHORT_COUNT = 9


class TxStatus(IntEnum):
    """Verdict of the transmitter on a header."""

    #: frame sent whole
    OK = 0
    #: TOKEN 010 or 111: nothing sent, payload drained
    TOKEN = 1
    #: length not allowed for this TOKEN: nothing sent, payload drained
    LENGTH = 2
    #: payload beat missing when its word was due: frame cut and marked aborted
    UNDERRUN = 3
    #: tlast or tkeep of a payload beat disagrees with the length: frame cut and marked aborted
    LAST = 4


class FrameKind(IntEnum):
    """Kind of a frame at the node where it arrives."""

    #: of no concern to the receive side: absorbed or dropped
    NONE = 0
    #: sent by another node and passed on
    OTHER = 1
    #: sent by this node: it has gone round and is stripped
    OWN = 2


class TxClass(IntEnum):
    """Class of a frame that a node sends."""

    #: a free token the node held
    FREE = 0
    #: a data token
    DATA = 1
    #: a signal or control token
    SIGNAL = 2


class Counter(IntEnum):
    """Counters of a node."""

    #: frames passed on
    PASSED = 0
    #: own frames that have returned good: acknowledged
    RETURNED_GOOD = 1
    #: own frames that have returned bad: lost
    RETURNED_BAD = 2
    #: free tokens taken to send data
    TOKEN_TAKEN = 3
    #: frames with TOKEN 010 or 111, absorbed
    RESERVED = 4
    #: frames cut on the way through: missing word, wrong tkeep, over-long
    CUT = 5
    #: frames dropped whole: no complete header, or no idle word before them
    DROPPED = 6
    #: frames given to the receive side
    DELIVERED = 7
    #: frames of others with a wrong FCS
    BAD_FCS = 8
    #: frames of others with any other defect
    BAD_OTHER = 9
    #: good frames for this node that the receive buffer had no room for
    RX_OVERFLOW = 10
    #: data tokens given to the transmitter
    DATA_SENT = 11
    #: signals and control tokens given to the transmitter
    SIGNAL_SENT = 12
    #: free tokens given to the transmitter
    FREE_SENT = 13
    #: frames the transmitter refused or cut
    TX_ERROR = 14
    #: tokens lost because the node held 255 already
    TOKEN_OVERFLOW = 15


class BoardCounter(IntEnum):
    """Counters of a board."""

    #: data frames written to the memory
    DATA = 0
    #: data frames dropped because they were accepted before
    DATA_AGAIN = 1
    #: data frames dropped because one before them is missing
    DATA_GAP = 2
    #: data frames dropped because they end beyond the memory
    DATA_RANGE = 3
    #: signals put into the mailbox
    SIGNAL = 4
    #: signals dropped because they were accepted before
    SIGNAL_AGAIN = 5
    #: signals dropped because data before them is missing
    SIGNAL_EARLY = 6
    #: signals dropped because they have more than 48 bytes of Data
    SIGNAL_LONG = 7
    #: signals dropped because the mailbox was full
    MAIL_FULL = 8
    #: times the board went back to retransmit data
    REWOUND = 9
    #: signals retransmitted
    SIGNAL_RESEND = 10
    #: timeouts of data
    TIMEOUT = 11
    #: frames absorbed as the monitor: their source did not strip them
    ORPHAN = 12
    #: tokens made as the monitor
    TOKEN_ADDED = 13
    #: tokens dropped as the monitor
    TOKEN_REMOVED = 14
    #: own frames that returned good but were not expected
    STRAY = 15


class Interrupt(IntEnum):
    """Bits of IRQ_STATUS and IRQ_ENABLE."""

    #: a signal was put into the mailbox
    MAIL = 0
    #: a signal was dropped because the mailbox was full
    MAIL_FULL = 1
    #: a signal of the host has returned good
    SIGNAL_DONE = 2
    #: 8 timeouts in a row: nothing returns
    STALLED = 3
    #: the board became the active monitor or ceased to be
    ROLE = 4
    #: the monitor made or dropped a token
    TOKENS = 5
    #: another board has this board's Node_ID
    SAME_ID = 6
    #: data for addresses beyond the memory was dropped
    DATA_RANGE = 7
    #: an own frame returned that was not expected: another board may have this MAC
    STRAY = 8


class EngineInterrupt(IntEnum):
    """Bits of ENGINE_IRQ_STATUS and ENGINE_IRQ_ENABLE."""

    #: the process has a lock that it asked for
    LOCK = 0
    #: the process may pass a barrier
    BARRIER = 1


class JoinInterrupt(IntEnum):
    """Bits of JOIN_IRQ_STATUS and JOIN_IRQ_ENABLE."""

    #: the fence has returned good
    FENCED = 0
    #: another board has answered the fence
    HERE = 1
    #: another board joins
    PEER = 2


class JoinCommand(IntEnum):
    """What a host orders with JOIN_COMMAND."""

    #: nothing is known: send a fence, take data of a source from its answer on; refused while data is pending
    BEGIN = 0
    #: send another fence: a board has not answered; refused unless the board joins
    AGAIN = 1
    #: send the last fence, after the last fill; refused unless the board joins
    SETTLE = 2
    #: the replica is whole
    WHOLE = 3


class Order(IntEnum):
    """Order of a signal against the data that its host wrote before it."""

    #: no order: it may overtake data
    NONE = 0
    #: after the data; dropped by receivers that miss some of it, and retransmitted with it
    SENT = 1
    #: held until the data has returned good
    CONFIRMED = 2


class HeaderField(NamedTuple):
    """A field of the header of a frame."""

    #: Name, as an attribute of `Frame`.
    name: str
    #: Name in the thesis.
    thesis_name: str
    #: First bit on the link; 0 is the most significant bit of byte 0.
    bit: int
    #: Width in bits.
    bits: int
    #: Meaning.
    doc: str


class SignalField(NamedTuple):
    """A value in the Data of a signal, big-endian."""

    #: Name.
    name: str
    #: First byte within Data.
    offset: int
    #: Length in bytes.
    bytes: int


class Signal(NamedTuple):
    """A signal of the firmware: a pair of TOKEN and C.ST."""

    #: Name.
    name: str
    #: TOKEN.
    token: Token
    #: C.ST, 5 bits.
    c_st: int
    #: Meaning of Node_ID.
    node_id: str
    #: Values in Data; bytes that no field covers are zero.
    fields: tuple[SignalField, ...]
    #: Purpose.
    doc: str


class Control(NamedTuple):
    """A link-control frame."""

    #: Name.
    name: str
    #: C.ST, 5 bits.
    c_st: int
    #: Purpose.
    doc: str


class BitField(NamedTuple):
    """A field of a register."""

    #: Name.
    name: str
    #: Lowest bit.
    bit: int
    #: Width in bits.
    bits: int
    #: Meaning.
    doc: str


class Register(NamedTuple):
    """A register of the host port, or a row of them."""

    #: Name.
    name: str
    #: Byte address.
    offset: int
    #: Number of registers at consecutive words.
    words: int
    #: `RO`, `WO`, `RW`, `RW config` (written only while the board is not enabled) or `R, W1C`.
    access: str
    #: Value after reset.
    reset: int
    #: Meaning.
    doc: str
    #: Fields; empty if the register is one number of 32 bits.
    fields: tuple[BitField, ...]


#: Fields of the header, in the order of the link.
LAYOUT: Final[tuple[HeaderField, ...]] = (
    HeaderField("mac", "MAC", 0, 48, "address of the SMB that sent the frame"),
    HeaderField("token", "TOKEN", 48, 3, "kind of frame"),
    HeaderField("c_st", "C.ST", 51, 5, "control token number; meaning of a signal; short flag of a data token"),
    HeaderField("node_id", "Node_ID", 56, 8, "sending or receiving node, by meaning"),
    HeaderField("multi_g", "Multi_G", 64, 4, "multicast group"),
    HeaderField("act_seq", "Act_Seq", 68, 4, "fragment number of a divided block"),
    HeaderField("packet_cnt", "Packet_Cnt", 72, 8, "sender's frame counter"),
    HeaderField("addr", "Addr", 80, 32, "byte offset in the shared memory"),
)

#: Signals of the firmware.
SIGNALS: Final[tuple[Signal, ...]] = (
    Signal("lock_mw_request", Token.P2P, 0b01001, "receiver (master)", (SignalField("send_node", 0, 1), SignalField("tag", 2, 2), SignalField("lock_number", 4, 4),), "lock request, master-worker"),
    Signal("lock_mw_ack", Token.BROADCAST, 0b01010, "locked node", (SignalField("tag", 2, 2), SignalField("lock_number", 4, 4),), "lock acknowledge, master-worker"),
    Signal("lock_mw_unlock", Token.BROADCAST, 0b01011, "send node", (SignalField("tag", 2, 2), SignalField("lock_number", 4, 4),), "unlock, master-worker"),
    Signal("lock_dist_request", Token.BROADCAST, 0b01100, "send node", (SignalField("tag", 2, 2), SignalField("lock_number", 4, 4),), "lock request, distributed"),
    Signal("lock_dist_ack", Token.BROADCAST, 0b01101, "locked node", (SignalField("tag", 2, 2), SignalField("lock_number", 4, 4), SignalField("epoch", 8, 2),), "lock acknowledge, distributed"),
    Signal("lock_dist_unlock", Token.BROADCAST, 0b01110, "send node", (SignalField("tag", 2, 2), SignalField("lock_number", 4, 4),), "unlock, distributed"),
    Signal("lock_dist_pass", Token.P2P, 0b01101, "receiver (next holder)", (SignalField("send_node", 0, 1), SignalField("tag", 2, 2), SignalField("lock_number", 4, 4), SignalField("epoch", 8, 2),), "lock right passed to a waiter, distributed"),
    Signal("lock_dist_pass_ack", Token.P2P, 0b01110, "receiver (last holder)", (SignalField("send_node", 0, 1), SignalField("tag", 2, 2), SignalField("lock_number", 4, 4), SignalField("epoch", 8, 2),), "lock right received, distributed"),
    Signal("lock_queue_request", Token.BROADCAST, 0b00100, "send node", (SignalField("tag", 2, 2), SignalField("lock_number", 4, 4),), "lock request, ring queue"),
    Signal("lock_queue_pass", Token.BROADCAST, 0b00101, "next holder", (SignalField("tag", 2, 2), SignalField("lock_number", 4, 4), SignalField("epoch", 8, 2),), "lock right passed on, ring queue"),
    Signal("barrier_mw_arrival", Token.P2P, 0b01111, "receiver (master)", (SignalField("send_node", 0, 1), SignalField("tag", 2, 2),), "barrier arrival, master-worker"),
    Signal("barrier_mw_ack", Token.P2P, 0b10000, "receiver", (SignalField("send_node", 0, 1), SignalField("tag", 2, 2),), "barrier acknowledge, master-worker"),
    Signal("barrier_mw_release", Token.BROADCAST, 0b10000, "none (zero)", (SignalField("tag", 2, 2),), "barrier release, master-worker"),
    Signal("barrier_dist_arrival", Token.BROADCAST, 0b10010, "none (zero); repaired: process to follow", (SignalField("send_node", 0, 1), SignalField("tag", 2, 2),), "barrier arrival, distributed"),
    Signal("barrier_dist_ack", Token.P2P, 0b10011, "receiver", (SignalField("send_node", 0, 1), SignalField("tag", 2, 2),), "barrier acknowledge, distributed"),
    Signal("barrier_dist_release", Token.BROADCAST, 0b10100, "none (zero)", (SignalField("tag", 2, 2),), "barrier release, distributed"),
    Signal("barrier_ring_arrival", Token.BROADCAST, 0b00110, "send node; or the node asked for its own", (SignalField("barrier_number", 1, 1), SignalField("tag", 2, 2),), "barrier arrival, ring"),
    Signal("swap_request", Token.P2P, 0b11000, "worker (send) node; repaired: receiver (master)", (SignalField("tag", 2, 2), SignalField("page_number", 4, 4),), "page swap request"),
)

#: Link-control frames: TOKEN `Token.CONTROL`, no Data.
CONTROLS: Final[tuple[Control, ...]] = (
    Control("sync", 0b00001, "a board begins: its data frames are numbered from 0"),
    Control("monitor", 0b00010, "heartbeat and census of the active monitor"),
    Control("fence", 0b00011, "a board joins: the others confirm what they have sent"),
    Control("here", 0b00100, "the answer to a fence: all data sent so far has returned good; Addr says to whom, and which number is next"),
)

#: Registers that every board has, by address.
REGISTERS: Final[tuple[Register, ...]] = (
    Register("ID", 0x000, 1, "RO", 0x41574753, "`AWGS`: this is a board", ()),
    Register("VERSION", 0x004, 1, "RO", 0x1, "version of this map", ()),
    Register("CONTROL", 0x008, 1, "R, W1S", 0x0, "what the board does", (
        BitField("enable", 0, 1, "take part in the ring; once set it stays until reset"),
    )),
    Register("STATUS", 0x00C, 1, "RO", 0x0, "how the board is", (
        BitField("synced", 0, 1, "all boards know this one: data and signals are sent"),
        BitField("active", 1, 1, "this board is the active monitor"),
        BitField("stalled", 2, 1, "8 timeouts in a row: nothing returns"),
        BitField("data_pending", 3, 1, "data was written that has not returned good"),
        BitField("signal_pending", 4, 1, "signals were sent that have not returned good"),
        BitField("signal_full", 5, 1, "no room for another signal"),
        BitField("held", 8, 8, "tokens in the node's hand"),
    )),
    Register("PREFIX_LOW", 0x010, 1, "RW config", 0x534D4200, "bits 39 to 8 of MAC; bits 7 to 0 are Node_ID", ()),
    Register("PREFIX_HIGH", 0x014, 1, "RW config", 0x2, "bits 47 to 40 of MAC", (
        BitField("prefix", 0, 8, "bits 47 to 40"),
    )),
    Register("NODE_ID", 0x018, 1, "RW config", 0x0, "number of this node, different on every board of a ring", (
        BitField("node_id", 0, 8, "Node_ID"),
    )),
    Register("GROUPS", 0x01C, 1, "RW config", 0x0, "multicast groups of this node", (
        BitField("groups", 0, 16, "bit g: group g"),
    )),
    Register("TOKENS", 0x020, 1, "RW", 0x1, "tokens that the monitor keeps on the ring", (
        BitField("tokens", 0, 8, "K, 1 to 255"),
    )),
    Register("TIMEOUT", 0x024, 1, "RW", 0xFFFF, "cycles after which a frame that has not returned is retransmitted", (
        BitField("cycles", 0, 24, "more than the longest rotation"),
    )),
    Register("COMBINE", 0x028, 1, "RW", 0x40, "cycles without a write until a data frame is closed", (
        BitField("cycles", 0, 16, "cycles"),
    )),
    Register("PERIOD", 0x02C, 1, "RW", 0x3FFF, "cycles between heartbeats of the monitor, less 1", (
        BitField("cycles", 0, 24, "more than the longest rotation"),
    )),
    Register("FLUSH", 0x030, 1, "WO", 0x0, "a write closes the data frame under way", ()),
    Register("IRQ_STATUS", 0x034, 1, "R, W1C", 0x0, "events since they were cleared", (
        BitField("events", 0, 9, "by bit, see the interrupts"),
    )),
    Register("IRQ_ENABLE", 0x038, 1, "RW", 0x0, "events that raise `irq`", (
        BitField("events", 0, 9, "by bit, see the interrupts"),
    )),
    Register("TX_FREE", 0x03C, 1, "RO", 0x400, "words of data that can be written without waiting", ()),
    Register("SIGNAL_SEND", 0x040, 1, "WO", 0x0, "a write sends a signal with the Data written before", (
        BitField("token", 0, 3, "011, 100 or 101"),
        BitField("c_st", 3, 5, "C.ST"),
        BitField("node_id", 8, 8, "Node_ID"),
        BitField("multi_g", 16, 4, "Multi_G"),
        BitField("len", 20, 6, "bytes of Data, 0 to 46"),
        BitField("order", 26, 2, "order against data written before: none, sent, confirmed"),
    )),
    Register("FRAMES", 0x044, 1, "RO", 0x0, "numbers of data frames, modulo 256", (
        BitField("base", 0, 8, "the next to be acknowledged"),
        BitField("next", 8, 8, "the next to be sent"),
        BitField("tail", 16, 8, "the next to be closed"),
    )),
    Register("MAIL_COUNT", 0x048, 1, "RO", 0x0, "messages in the mailbox", ()),
    Register("MAIL_POP", 0x04C, 1, "WO", 0x0, "a write drops the oldest message", ()),
    Register("MEM_SIZE", 0x050, 1, "RO", 0x4000, "bytes of the shared memory", ()),
    Register("SIGNAL_DATA", 0x080, 12, "WO", 0x0, "Data of the signal to be sent; byte i in lane i modulo 4 of word i / 4", ()),
    Register("MAIL_DATA", 0x0C0, 16, "RO", 0x0, "the oldest message: header, MAC, MAC and length, Addr, 12 words of Data; SLVERR while `MAIL_COUNT` is 0", ()),
    Register("COUNT", 0x100, 32, "RO", 0x0, "counters: 0 to 15 of the node, 16 to 31 of the board", ()),
)

#: Registers of a board that can join: boards with `JOIN` = 1.
JOIN_REGISTERS: Final[tuple[Register, ...]] = (
    Register("JOIN_STATUS", 0x400, 1, "RO", 0x0, "whether the replica is whole, and how far the board has joined", (
        BitField("whole", 0, 1, "the replica is whole: the host may write to it"),
        BitField("joining", 1, 1, "the board joins"),
        BitField("settled", 2, 1, "the last fence is on its way, or has returned"),
        BitField("busy", 3, 1, "a fence is to return"),
        BitField("fenced", 4, 1, "the last fence has returned good"),
        BitField("held", 5, 1, "new data waits: another board joins"),
        BitField("heard", 8, 9, "boards that have answered since `begin` or `settle`"),
        BitField("peer", 24, 8, "Node_ID of the board whose fence came last"),
    )),
    Register("JOIN_COMMAND", 0x404, 1, "WO", 0x0, "a write orders a step of joining", (
        BitField("command", 0, 2, "begin, again, settle, whole"),
        BitField("fence", 8, 8, "with begin: the number of its fence, none of the last times that this board joined"),
    )),
    Register("FILL_ADDR", 0x408, 1, "RW", 0x0, "byte address of the word that is filled next, in the memory, a multiple of 4", ()),
    Register("FILL_DATA", 0x40C, 1, "WO", 0x0, "a write puts the bytes that are not known into the word at `FILL_ADDR`, on this board only, and goes on to the next; refused unless the board joins", ()),
    Register("JOIN_IRQ_STATUS", 0x410, 1, "R, W1C", 0x0, "events since they were cleared", (
        BitField("events", 0, 3, "by bit, see the interrupts of a board that can join"),
    )),
    Register("JOIN_IRQ_ENABLE", 0x414, 1, "RW", 0x0, "events that raise `irq`", (
        BitField("events", 0, 3, "by bit, see the interrupts of a board that can join"),
    )),
)

#: Registers of the lock and barrier engine: boards with `ENGINE_NODE_W` other than 0.
ENGINE_REGISTERS: Final[tuple[Register, ...]] = (
    Register("ENGINE_STATUS", 0x800, 1, "RO", 0x0, "how the engine is", (
        BitField("ready", 0, 1, "the memories are cleared: 1 after 2^(n + 4) cycles and a few"),
        BitField("node_w", 8, 4, "n: Node_IDs below 2^n take part"),
    )),
    Register("LOCK_ENABLE", 0x804, 1, "RW config", 0x0, "locks that the engine serves; messages of others go to the mailbox", (
        BitField("locks", 0, 16, "bit l: lock l"),
    )),
    Register("BARRIER_ENABLE", 0x808, 1, "RW config", 0x0, "barriers that the engine serves; messages of others go to the mailbox", (
        BitField("barriers", 0, 8, "bit b: barrier b"),
    )),
    Register("LOCK_FIRST", 0x80C, 1, "RW config", 0x0, "locks that this board owns at the start; each is owned by one board", (
        BitField("locks", 0, 16, "bit l: lock l"),
    )),
    Register("ENGINE_ORDER", 0x810, 1, "RW", 0xA, "order of the engine's signals against data written before", (
        BitField("passes", 0, 2, "lock rights passed on: none, sent, confirmed"),
        BitField("arrivals", 2, 2, "arrivals at barriers: none, sent, confirmed"),
    )),
    Register("ENGINE_RETRY", 0x814, 1, "RW", 0xFFFF, "period of the retry timer: what is not answered is sent again after one to two periods", (
        BitField("cycles", 0, 24, "cycles less 1"),
    )),
    Register("ENGINE_IRQ_STATUS", 0x818, 1, "R, W1C", 0x0, "events since they were cleared", (
        BitField("events", 0, 2, "by bit, see the interrupts of the engine"),
    )),
    Register("ENGINE_IRQ_ENABLE", 0x81C, 1, "RW", 0x0, "events that raise `irq`", (
        BitField("events", 0, 2, "by bit, see the interrupts of the engine"),
    )),
    Register("LOCK_ACQUIRE", 0x820, 1, "WO", 0x0, "a write asks for a lock; refused unless the process is neither in nor waiting", (
        BitField("lock", 0, 4, "number of the lock"),
    )),
    Register("LOCK_RELEASE", 0x824, 1, "WO", 0x0, "a write gives a lock back; refused unless the process has it", (
        BitField("lock", 0, 4, "number of the lock"),
    )),
    Register("LOCK_HELD", 0x828, 1, "RO", 0x0, "locks that the process has", (
        BitField("locks", 0, 16, "bit l: lock l"),
    )),
    Register("LOCK_ASKING", 0x82C, 1, "RO", 0x0, "locks that the process waits for", (
        BitField("locks", 0, 16, "bit l: lock l"),
    )),
    Register("LOCK_OWNED", 0x830, 1, "RO", 0x0, "locks that this board owns, whether its process has them or not", (
        BitField("locks", 0, 16, "bit l: lock l"),
    )),
    Register("BARRIER_ARRIVE", 0x834, 1, "WO", 0x0, "a write arrives at a barrier; refused while the process waits there", (
        BitField("barrier", 0, 3, "number of the barrier"),
    )),
    Register("BARRIER_WAITING", 0x838, 1, "RO", 0x0, "barriers at which the process waits", (
        BitField("barriers", 0, 8, "bit b: barrier b"),
    )),
    Register("BARRIER_MEMBERS", 0x900, 64, "WO", 0x0, "who takes part: bit i of word 8 b + w is Node_ID 32 w + i at barrier b; only when the engine is ready and `CONTROL.enable` is 0", ()),
)

#: Encoding of the states of each module: code by name.
STATES: Final[dict[str, dict[str, int]]] = {
    "frame_tx": {
        "idle": 0,
        "send": 1,
        "drain": 2,
    },
    "frame_rx": {
        "idle": 0,
        "frame": 1,
        "flush": 2,
    },
    "ring_ingress": {
        "gap": 0,
        "idle": 1,
        "pass": 2,
        "skip": 3,
    },
    "ring_egress": {
        "ready": 0,
        "pass": 1,
        "insert": 2,
    },
    "axil_port": {
        "idle": 0,
        "busy": 1,
        "done": 2,
    },
    "host_window": {
        "idle": 0,
        "read": 1,
        "second": 2,
    },
    "data_window": {
        "idle": 0,
        "load": 1,
        "offer": 2,
        "stream": 3,
    },
    "signal_sender": {
        "idle": 0,
        "wait": 1,
        "offer": 2,
        "stream": 3,
        "flight": 4,
    },
    "link_control": {
        "off": 0,
        "sync": 1,
        "syncing": 2,
        "ready": 3,
        "beat": 4,
        "census": 5,
    },
    "rx_sorter": {
        "clear": 0,
        "idle": 1,
        "look": 2,
        "judge": 3,
        "data": 4,
        "head": 5,
        "body": 6,
        "drop": 7,
    },
    "mem_writer": {
        "idle": 0,
        "run": 1,
        "tail": 2,
    },
    "barrier_engine": {
        "clear": 0,
        "load": 1,
        "add": 2,
        "idle": 3,
        "look": 4,
        "count": 5,
        "scan": 6,
        "send": 7,
    },
    "host_regs": {
        "idle": 0,
        "answer": 1,
    },
    "join_regs": {
        "idle": 0,
        "look": 1,
        "fill": 2,
        "answer": 3,
    },
    "join_fence": {
        "idle": 0,
        "fence": 1,
        "fencing": 2,
        "here": 3,
        "answered": 4,
    },
    "engine_regs": {
        "idle": 0,
        "command": 1,
        "answer": 2,
    },
    "lock_engine": {
        "clear": 0,
        "idle": 1,
        "look": 2,
        "act": 3,
        "append": 4,
        "pop": 5,
        "give": 6,
        "command": 7,
        "load": 8,
        "return": 9,
    },
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! A board with the lock and barrier engine: node 2 of four nodes, lock 0 owned by it at the start.
//!
//! Nodes 0, 1 and 3 are frames on the link. Locks 0 to 3 and barriers 0 to 3 are enabled.

use crate::board::parts::write;
use crate::board::stimulus::{BoardFrame, HostAccess};
use crate::vectors::board::Golden;
use crate::vectors::board::script::{BROADCAST, LONG, P2P, Script, from};
use awgstar::contract::{BoardCounter, Counter, Order, Signal, Token, board};
use awgstar::quantity::narrow;

/// Node_ID of the board.
pub(super) const ME: u8 = 2;
/// Members of barriers 0 to 3, bit n for node n.
const MEMBERS: [u32; 4] = [0b1111, 0b0110, 0b1011, 0b0100];
/// Delay of a board's output to its input, in cycles.
const RING: u16 = 12;
/// Cycle of the first frame on the link: the board is set up and has cleared its table of sources.
pub(super) const FIRST: u64 = 300;

pub(super) fn all() -> Vec<Golden> {
    let locks = [
        first_owner(),
        waits_for_the_pass(),
        release_to_the_next(),
        free_lock(),
        request_again(),
        pass_again(),
        old_pass(),
        pass_without_request(),
    ];
    let barriers = [
        barrier_last(),
        barrier_first(),
        barrier_middle(),
        barrier_members(),
        barriers_at_once(),
        barrier_counts_once(),
        barrier_next_episode(),
        barrier_asks(),
    ];
    let routes = [for_the_mailbox(), pad(), full_mailbox(), close_together()];
    let host = [
        registers(),
        registers_in_use(),
        not_taking_part(),
        interrupts(),
        interrupt_race(),
        order_none(),
        order_sent(),
        order_confirmed(),
        order_of_arrivals(),
        turns(),
    ];
    locks.into_iter().chain(barriers).chain(routes).chain(host).collect()
}

// ---- Frames and set-up ----

/// Data of an engine's signal by SIG-2.
fn values(barrier: u8, tag: u16, lock: u32, epoch: u16) -> Vec<u8> {
    let mut bytes = vec![0, barrier];
    bytes.extend(tag.to_be_bytes());
    bytes.extend(lock.to_be_bytes());
    bytes.extend(epoch.to_be_bytes());
    bytes
}

fn frame(source: u8, node_id: u8, signal: Signal, bytes: Vec<u8>) -> BoardFrame {
    let len = narrow(bytes.len());
    BoardFrame { node_id, c_st: signal.c_st(), len, bytes, ..from(source, BROADCAST) }
}

pub(super) fn request(source: u8, lock: u32, tag: u16) -> BoardFrame {
    frame(source, source, Signal::LockQueueRequest, values(0, tag, lock, 0))
}

/// A pass of `lock` to the request `tag` of node `to`.
pub(super) fn pass(source: u8, to: u8, lock: u32, tag: u16, epoch: u16) -> BoardFrame {
    frame(source, to, Signal::LockQueuePass, values(0, tag, lock, epoch))
}

pub(super) fn arrival(source: u8, barrier: u8, tag: u16) -> BoardFrame {
    frame(source, source, Signal::BarrierRingArrival, values(barrier, tag, 0, 0))
}

/// A board that is set up until CONTROL.enable.
pub(super) fn prepared(cycles: u64, node: u8) -> Script {
    let s = Script::with_engine(cycles)
        .set(&board::NODE_ID, node.into())
        .set(&board::TIMEOUT, LONG)
        .set(&board::COMBINE, 2000)
        .set(&board::PERIOD, 0x00ff_ffff)
        .wait(70)
        .set(&board::LOCK_ENABLE, 0x000f)
        .set(&board::BARRIER_ENABLE, 0x0f)
        .set(&board::LOCK_FIRST, 0b0001);
    let members = |s: Script, (b, who): (u32, u32)| s.set_word(&board::BARRIER_MEMBERS, 8 * b, who);
    let s = (0..4).zip(MEMBERS).fold(s, members);
    s.set(&board::ENGINE_ORDER, 0).set(&board::ENGINE_IRQ_ENABLE, 3)
}

/// A board that takes part, with its output connected to its input.
pub(super) fn started(cycles: u64) -> Script {
    prepared(cycles, ME).ring(RING, ME).set(&board::CONTROL, 1).until(190)
}

fn refused(s: Script, register: &board::Register, value: u32) -> Script {
    s.refused(write(register.offset, value))
}

fn not_read(s: Script, register: &board::Register) -> Script {
    s.refused(HostAccess { write: false, ..write(register.offset, 0) })
}

fn lines(signals: &[&str]) -> Vec<String> {
    signals.iter().map(|line| (*line).to_owned()).collect()
}

// ---- Locks ----

fn first_owner() -> Golden {
    let s = started(330).is(&board::LOCK_OWNED, 1).is(&board::LOCK_HELD, 0);
    let s = s.set(&board::LOCK_ACQUIRE, 0).is(&board::LOCK_HELD, 1).is(&board::LOCK_ASKING, 0);
    let s = s.is(&board::ENGINE_IRQ_STATUS, 1);
    let s = refused(s, &board::LOCK_ACQUIRE, 0).set(&board::LOCK_RELEASE, 0);
    let s = s.is(&board::LOCK_HELD, 0).is(&board::LOCK_OWNED, 1);
    refused(s, &board::LOCK_RELEASE, 0).sends(&[]).golden(
        "lock_first_owner",
        &["ENG-1", "ENG-7"],
        [
            "a lock of LOCK_FIRST is acquired without a signal, once, and stays here after its release",
            "the first owner asks the ring for its lock, or may enter twice",
            "a lock that no other process uses is never granted",
        ],
    )
}

fn waits_for_the_pass() -> Golden {
    let s = started(620).set(&board::LOCK_ACQUIRE, 1).is(&board::LOCK_ASKING, 2);
    let s = refused(s.is(&board::LOCK_HELD, 0), &board::LOCK_ACQUIRE, 1);
    // Ownership that another node gets, or another lock, lets nobody in here.
    let s = s.at(FIRST, pass(0, 1, 1, 1, 1)).at(330, pass(1, ME, 3, 1, 1)).until(400);
    let s = s.is(&board::LOCK_HELD, 0).is(&board::LOCK_OWNED, 0b1001);
    let s = s.at(480, pass(1, ME, 1, 1, 2)).until(560).is(&board::LOCK_HELD, 2);
    let s = s.is(&board::LOCK_ASKING, 0).is(&board::LOCK_OWNED, 0b1011);
    let s = s.is(&board::ENGINE_IRQ_STATUS, 1);
    s.sends(&lines(&["101 00100 02 00000001000000010000"])).golden(
        "lock_waits_for_the_pass",
        &["ENG-1", "ENG-2", "ENG-6", "ENG-7"],
        [
            "a lock of another node is asked for with request 1; the pass to that request lets the process in",
            "a process enters with its request, with a pass to another node, or with that of another lock",
            "two processes are inside, and each destroys what the other writes",
        ],
    )
}

fn release_to_the_next() -> Golden {
    let s = started(560).set(&board::LOCK_ACQUIRE, 0);
    let s = s.at(FIRST, request(3, 0, 1)).at(330, request(1, 0, 7)).until(400);
    let s = s.is(&board::LOCK_HELD, 1).is(&board::LOCK_OWNED, 1).set(&board::LOCK_RELEASE, 0);
    let s = s.is(&board::LOCK_HELD, 0).is(&board::LOCK_OWNED, 0).wait(40);
    let s = refused(s, &board::LOCK_RELEASE, 0);
    s.sends(&lines(&["101 00101 03 00000001000000000001"])).golden(
        "lock_release_to_the_next",
        &["ENG-1", "ENG-2", "ENG-3"],
        [
            "two nodes wait; the release passes the lock to the request that came first, as hand-over 1",
            "the last request is served first, or a pass leaves while the process is inside",
            "a node waits for ever, or two processes are inside",
        ],
    )
}

fn free_lock() -> Golden {
    let s = started(500).at(FIRST, request(1, 0, 5)).until(400).is(&board::LOCK_OWNED, 0);
    let s = s.is(&board::LOCK_HELD, 0).is(&board::MAIL_COUNT, 0).is(&board::ENGINE_IRQ_STATUS, 0);
    s.sends(&lines(&["101 00101 01 00000005000000000001"])).golden(
        "lock_free_is_passed_at_once",
        &["ENG-1", "ENG-6"],
        [
            "a request for a lock that is here and not held is answered with a pass; no host takes part",
            "a free lock stays until its owner releases it, or the message goes to the mailbox",
            "a process waits for a lock that nobody uses",
        ],
    )
}

fn request_again() -> Golden {
    let s = started(1400).set(&board::ENGINE_RETRY, 199).set(&board::LOCK_ACQUIRE, 1);
    // The request is answered after two periods and a half: one to two after the first, two before the third.
    let s = s.at(700, pass(1, ME, 1, 1, 1)).until(760).is(&board::LOCK_HELD, 2);
    s.until(1200).is(&board::LOCK_ASKING, 0).sends(&lines(&["101 00100 02 00000001000000010000"; 2])).golden(
        "lock_request_again",
        &["ENG-3"],
        [
            "a request that nobody answers is sent again with the same number, until the pass is here",
            "a request is sent once, or again with another number, or after the process has the lock",
            "a lock is lost with the first bit error on the fibre",
        ],
    )
}

fn pass_again() -> Golden {
    let s = started(680).at(FIRST, request(3, 0, 1)).at(360, request(3, 0, 1));
    // Node 3 gave it to node 1: that is newer.
    let s = s.at(420, pass(3, 1, 0, 4, 2)).at(450, request(3, 0, 1)).until(600);
    s.is(&board::LOCK_OWNED, 0).sends(&lines(&["101 00101 03 00000001000000000001"; 2])).golden(
        "lock_pass_again",
        &["ENG-1", "ENG-3"],
        [
            "a request that comes again gets its pass again, until a newer pass is known",
            "a pass that was lost is not repeated, or an old one is repeated for ever",
            "ownership is lost with one frame, or given to two nodes",
        ],
    )
}

fn old_pass() -> Golden {
    let s = started(1000).set(&board::LOCK_ACQUIRE, 1).at(FIRST, pass(1, ME, 1, 1, 1));
    // The same pass again: nothing happens.
    let s = s.at(340, pass(1, ME, 1, 1, 1)).until(420).is(&board::LOCK_HELD, 2);
    let s = s.set(&board::ENGINE_IRQ_STATUS, 3).set(&board::LOCK_RELEASE, 1);
    let s = s.is(&board::LOCK_OWNED, 0b0011).at(480, request(3, 1, 1)).until(560);
    // Given on as hand-over 2: hand-over 1 brings nothing back.
    let s = s.is(&board::LOCK_OWNED, 1).at(580, pass(1, ME, 1, 1, 1)).until(660);
    let s = s.is(&board::LOCK_OWNED, 1).is(&board::LOCK_HELD, 0).is(&board::ENGINE_IRQ_STATUS, 0);
    let s = s.set(&board::LOCK_ACQUIRE, 1).at(720, pass(1, ME, 1, 1, 2)).until(800);
    let s = s.is(&board::LOCK_ASKING, 2).is(&board::LOCK_HELD, 0);
    let s = s.at(860, pass(3, ME, 1, 2, 3)).until(940).is(&board::LOCK_HELD, 2);
    let sent = [
        "101 00100 02 00000001000000010000",
        "101 00101 03 00000001000000010002",
        "101 00100 02 00000002000000010000",
    ];
    s.sends(&lines(&sent)).golden(
        "lock_old_pass_is_ignored",
        &["ENG-1", "ENG-7"],
        [
            "a pass that is not newer than the last hand-over known brings no ownership, however often it comes",
            "a repeated or late pass gives ownership a second time",
            "after a retransmission two processes are inside",
        ],
    )
}

fn pass_without_request() -> Golden {
    let s = started(520).at(FIRST, pass(1, ME, 3, 9, 4)).until(400).is(&board::LOCK_OWNED, 0b1001);
    let s = s.is(&board::LOCK_HELD, 0).is(&board::ENGINE_IRQ_STATUS, 0);
    let s = s.set(&board::LOCK_ACQUIRE, 3).is(&board::LOCK_HELD, 8);
    s.sends(&[]).golden(
        "lock_pass_without_request",
        &["ENG-1", "ENG-7"],
        [
            "ownership that comes to a node whose process does not wait stays there, without an interrupt",
            "the process is inside a lock that it did not ask for, or ownership is dropped",
            "a lock is held by a process that does not know of it, and all others wait for ever",
        ],
    )
}

// ---- Barriers ----

fn barrier_last() -> Golden {
    let s = started(560).at(FIRST, arrival(0, 0, 0)).at(320, arrival(1, 0, 0));
    let s = s.at(340, arrival(3, 0, 0)).until(420).is(&board::BARRIER_WAITING, 0);
    let s = s.is(&board::ENGINE_IRQ_STATUS, 0).set(&board::BARRIER_ARRIVE, 0);
    let s = s.is(&board::BARRIER_WAITING, 0).is(&board::ENGINE_IRQ_STATUS, 2);
    s.sends(&lines(&["101 00110 02 00000000000000000000"])).golden(
        "barrier_last",
        &["ENG-4", "ENG-5", "ENG-7"],
        [
            "the last node to arrive passes at once, and says that it has arrived",
            "a barrier opens without this node, or the last node waits for an answer",
            "a barrier opens too early, or never",
        ],
    )
}

fn barrier_first() -> Golden {
    let s = started(600).set(&board::BARRIER_ARRIVE, 0).is(&board::BARRIER_WAITING, 1);
    let s = refused(s, &board::BARRIER_ARRIVE, 0);
    let s = s.at(FIRST, arrival(1, 0, 0)).at(320, arrival(0, 0, 0)).until(400);
    let s = s.is(&board::BARRIER_WAITING, 1).is(&board::ENGINE_IRQ_STATUS, 0);
    let s = s.at(450, arrival(3, 0, 0)).until(530).is(&board::BARRIER_WAITING, 0);
    let s = s.is(&board::ENGINE_IRQ_STATUS, 2);
    s.sends(&lines(&["101 00110 02 00000000000000000000"])).golden(
        "barrier_first",
        &["ENG-4", "ENG-5", "ENG-7"],
        [
            "the first node to arrive waits for the other three",
            "a barrier opens before all have arrived, or a second arrival of the process counts",
            "a program reads results that are not there yet",
        ],
    )
}

fn barrier_middle() -> Golden {
    let s = started(900).at(FIRST, arrival(3, 0, 0)).until(360).set(&board::BARRIER_ARRIVE, 0);
    let s = s.at(400, arrival(1, 0, 0)).until(460).is(&board::BARRIER_WAITING, 1);
    let s = s.at(520, arrival(0, 0, 0)).until(580).is(&board::BARRIER_WAITING, 0);
    // The next episode: those of the last one do not count.
    let s = s.set(&board::BARRIER_ARRIVE, 0).at(660, arrival(0, 0, 1)).at(680, arrival(1, 0, 1));
    let s = s.at(700, arrival(1, 0, 0)).until(780).is(&board::BARRIER_WAITING, 1);
    let s = s.at(800, arrival(3, 0, 1)).until(870).is(&board::BARRIER_WAITING, 0);
    let sent = ["101 00110 02 00000000000000000000", "101 00110 02 00000001000000000000"];
    s.sends(&lines(&sent)).golden(
        "barrier_middle",
        &["ENG-4", "ENG-5"],
        [
            "a node arrives between others, in two episodes with numbers 0 and 1",
            "arrivals before that of this process are forgotten, or count in the next episode",
            "a barrier in a loop opens early in its second round",
        ],
    )
}

fn barrier_members() -> Golden {
    let s = started(780).set(&board::BARRIER_ARRIVE, 1).at(FIRST, arrival(3, 1, 0));
    let s = s.at(320, arrival(0, 1, 0)).until(400).is(&board::BARRIER_WAITING, 0b0010);
    let s = s.at(440, arrival(1, 1, 0)).until(500).is(&board::BARRIER_WAITING, 0);
    // This node is no member of barrier 2: it waits for the members.
    let s = s.set(&board::BARRIER_ARRIVE, 2).at(560, arrival(0, 2, 0)).at(590, arrival(1, 2, 0));
    let s = s.until(640).is(&board::BARRIER_WAITING, 0b0100).at(680, arrival(3, 2, 0)).until(740);
    // It is the only member of barrier 3.
    let s = s.is(&board::BARRIER_WAITING, 0).set(&board::BARRIER_ARRIVE, 3);
    let s = s.is(&board::BARRIER_WAITING, 0);
    let sent = [
        "101 00110 02 00010000000000000000",
        "101 00110 02 00020000000000000000",
        "101 00110 02 00030000000000000000",
    ];
    s.sends(&lines(&sent)).golden(
        "barrier_members",
        &["ENG-4"],
        [
            "nodes that are no members do not count; one that arrives all the same waits for the members",
            "every node that arrives counts, or the barrier waits for this node although it is no member",
            "two programs on one ring open each other's barriers",
        ],
    )
}

fn barriers_at_once() -> Golden {
    let s = started(640).set(&board::BARRIER_ARRIVE, 0).set(&board::BARRIER_ARRIVE, 1);
    let s = s.is(&board::BARRIER_WAITING, 3).at(FIRST, arrival(0, 0, 0)).at(320, arrival(3, 0, 0));
    let s = s.at(340, arrival(1, 1, 0)).until(420).is(&board::BARRIER_WAITING, 1);
    let s = s.at(480, arrival(1, 0, 0)).until(540).is(&board::BARRIER_WAITING, 0);
    let sent = ["101 00110 02 00000000000000000000", "101 00110 02 00010000000000000000"];
    s.sends(&lines(&sent)).golden(
        "barriers_at_once",
        &["ENG-4"],
        [
            "a node waits at two barriers; an arrival counts at the one whose number it has",
            "the number of the barrier is not looked at",
            "a barrier opens with the arrivals of another one",
        ],
    )
}

fn barrier_counts_once() -> Golden {
    let s = started(640).at(FIRST, arrival(1, 0, 0)).set(&board::BARRIER_ARRIVE, 0);
    let s = s.at(320, arrival(1, 0, 0)).at(340, arrival(1, 0, 0)).at(360, arrival(0, 0, 0));
    let s = s.until(440).is(&board::BARRIER_WAITING, 1).at(500, arrival(3, 0, 0)).until(560);
    let s = s.is(&board::BARRIER_WAITING, 0);
    s.sends(&lines(&["101 00110 02 00000000000000000000"])).golden(
        "barrier_counts_once",
        &["ENG-4"],
        [
            "a node that says three times that it has arrived counts once",
            "messages are counted, not nodes",
            "a barrier opens too early after a retransmission",
        ],
    )
}

fn barrier_next_episode() -> Golden {
    let s = started(760).set(&board::BARRIER_ARRIVE, 0).at(FIRST, arrival(3, 0, 1)).until(380);
    // Node 3 has passed, so all have arrived; its arrival counts in the next episode.
    let s = s.is(&board::BARRIER_WAITING, 0).set(&board::BARRIER_ARRIVE, 0);
    let s = s.at(480, arrival(0, 0, 1)).until(560).is(&board::BARRIER_WAITING, 1);
    let s = s.at(600, arrival(1, 0, 1)).until(680).is(&board::BARRIER_WAITING, 0);
    let sent = ["101 00110 02 00000000000000000000", "101 00110 02 00000001000000000000"];
    s.sends(&lines(&sent)).golden(
        "barrier_next_episode",
        &["ENG-4"],
        [
            "an arrival in the next episode lets the process pass, and counts there",
            "the message is dropped, or not counted in its own episode",
            "a node that missed one frame waits until a timer ends, or for ever",
        ],
    )
}

fn barrier_asks() -> Golden {
    let s = started(900).set(&board::ENGINE_RETRY, 199).at(FIRST, arrival(0, 0, 0));
    let s = s.set(&board::BARRIER_ARRIVE, 0).at(600, arrival(1, 0, 0)).at(620, arrival(3, 0, 0));
    let s = s.until(700).is(&board::BARRIER_WAITING, 0);
    // Node 3 has missed the arrival, and asks for it.
    let s = s.at(760, BoardFrame { node_id: ME, ..arrival(3, 0, 0) });
    let sent = [
        "101 00110 02 00000000000000000000",
        "101 00110 01 00000000000000000000",
        "101 00110 02 00000000000000000000",
    ];
    s.sends(&lines(&sent)).golden(
        "barrier_asks_and_answers",
        &["ENG-4", "ENG-5"],
        [
            "a node that waits asks the lowest member that is missing; a node that has passed answers who asks",
            "nobody is asked, the wrong node is asked, or the answer names the next episode",
            "one lost frame stops all nodes at a barrier",
        ],
    )
}

// ---- What the engine takes ----

fn for_the_mailbox() -> Golden {
    let good = || request(1, 0, 1);
    let with = |at: usize, byte: u8| {
        let mut frame = good();
        frame.bytes.resize(12, 0);
        frame.bytes[at] = byte;
        BoardFrame { len: 12, ..frame }
    };
    let mut far = arrival(1, 0, 0);
    far.bytes[7] = 1;
    // Each of them but the last is a request for lock 0, which is free, except for one field.
    let frames = [
        with(0, 1),
        with(1, 1),
        with(4, 1),
        with(7, 16),
        with(7, 4),
        with(8, 1),
        with(10, 1),
        with(11, 1),
        BoardFrame { node_id: 4, ..good() },
        BoardFrame { source: 4, ..good() },
        BoardFrame { token: P2P, node_id: ME, ..good() },
        BoardFrame {
            len: 47,
            bytes: with(0, 0).bytes.into_iter().chain([0; 35]).collect(),
            ..good()
        },
        BoardFrame { c_st: 7, ..good() },
        arrival(1, 8, 0),
        far,
    ];
    let s = started(960);
    let s = frames.into_iter().fold(s, |s, frame| s.at(FIRST, frame));
    let s = s.until(660).is(&board::MAIL_COUNT, 15).is(&board::LOCK_OWNED, 1);
    // TOKEN 101, C.ST 4, Node_ID 1; byte 0 of Data is 1.
    let s = s.word(&board::MAIL_DATA, 0, 0xa401_0000).word(&board::MAIL_DATA, 4, 0x0100_0001);
    let s = s.at(780, good()).until(860).is(&board::MAIL_COUNT, 15).is(&board::LOCK_OWNED, 0);
    s.sends(&lines(&["101 00101 01 00000001000000000001"])).golden(
        "messages_for_the_mailbox",
        &["ENG-6", "RCV-5"],
        [
            "fifteen messages that are the engine's but for one field go to the mailbox; the good one after them is taken",
            "one field of a message is not looked at",
            "firmware of another maker, or a lock that firmware serves, is handled by the engine",
        ],
    )
}

fn pad() -> Golden {
    let mut frame = request(1, 0, 1);
    frame.bytes.resize(12, 0);
    frame.bytes.resize(46, 0xff);
    let s = started(520).at(FIRST, BoardFrame { len: 46, ..frame }).until(400);
    let s = s.is(&board::LOCK_OWNED, 0).is(&board::MAIL_COUNT, 0);
    s.sends(&lines(&["101 00101 01 00000001000000000001"])).golden(
        "pad_is_not_looked_at",
        &["ENG-6", "FRM-5"],
        [
            "bytes 12 to 45 of Data are not zero; the engine takes the message all the same",
            "the engine waits for the end of the pad, or refuses what firmware takes",
            "a hand-over takes 10 cycles longer, or boards with and without an engine differ",
        ],
    )
}

fn full_mailbox() -> Golden {
    let other = |salt| BoardFrame { c_st: 9, len: 4, salt, ..from(1, BROADCAST) };
    let s = (0..16).fold(started(980), |s, n| s.at(FIRST, other(n)));
    let mut bad = request(1, 0, 1);
    bad.bytes[0] = 1;
    let s = s.at(FIRST, bad).at(FIRST, request(3, 0, 2)).until(720);
    let s = s.is(&board::MAIL_COUNT, 16).counts(BoardCounter::MailFull, 1);
    let s = s.is(&board::LOCK_OWNED, 0).word(&board::MAIL_DATA, 4, 0x0302_0100);
    let s = s.word(&board::MAIL_DATA, 0, 0xa901_0000);
    s.sends(&lines(&["101 00101 03 00000002000000000001"])).golden(
        "full_mailbox",
        &["ENG-6", "RCV-5"],
        [
            "the mailbox is full: a message of the engine is taken, one that only looks like it is lost and counted",
            "a full mailbox stops locks, or a message is written over the oldest one",
            "a host that does not read its mail stops the locks of all nodes",
        ],
    )
}

fn close_together() -> Golden {
    // With one idle word between frames.
    let s = started(800).set(&board::BARRIER_ARRIVE, 0).set(&board::LOCK_ACQUIRE, 0);
    let s = s.set(&board::LOCK_ACQUIRE, 1);
    let frames = [
        arrival(0, 0, 0),
        request(3, 0, 1),
        pass(1, ME, 1, 1, 1),
        arrival(1, 0, 0),
        request(0, 1, 1),
        request(3, 1, 2),
        arrival(3, 0, 0),
        request(1, 3, 1),
    ];
    let s = frames.into_iter().fold(s, |s, frame| s.at(FIRST, frame)).until(520);
    let s = s.is(&board::BARRIER_WAITING, 0).is(&board::LOCK_HELD, 3).is(&board::LOCK_OWNED, 3);
    let s = s
        .is(&board::ENGINE_IRQ_STATUS, 3)
        .set(&board::LOCK_RELEASE, 0)
        .set(&board::LOCK_RELEASE, 1);
    let s = s.is(&board::LOCK_OWNED, 0).is(&board::MAIL_COUNT, 0);
    let sent = [
        "101 00110 02 00000000000000000000",
        "101 00100 02 00000001000000010000",
        "101 00101 03 00000001000000000001",
        "101 00101 00 00000001000000010002",
    ];
    s.sends(&lines(&sent)).golden(
        "messages_close_together",
        &["ENG-2", "ENG-5", "ENG-6"],
        [
            "eight messages with one idle word between them, for both engines in turn, take effect in their order",
            "a message is lost or overtaken while an engine is busy",
            "locks and barriers fail when the ring is full",
        ],
    )
}

// ---- The host ----

fn registers() -> Golden {
    let s = Script::with_engine(460).is(&board::ENGINE_STATUS, 0x200);
    let s = refused(s, &board::BARRIER_MEMBERS, 1).wait(80).is(&board::ENGINE_STATUS, 0x201);
    let s = s.is(&board::LOCK_ENABLE, 0).is(&board::BARRIER_ENABLE, 0).is(&board::LOCK_FIRST, 0);
    let s = s.is(&board::ENGINE_ORDER, 0xa).is(&board::ENGINE_RETRY, 0xffff);
    let s = s.is(&board::ENGINE_IRQ_STATUS, 0).is(&board::ENGINE_IRQ_ENABLE, 0);
    let s = s.is(&board::LOCK_HELD, 0).is(&board::LOCK_ASKING, 0).is(&board::LOCK_OWNED, 0);
    let s = s.is(&board::BARRIER_WAITING, 0);
    let write_only = [
        &board::LOCK_ACQUIRE,
        &board::LOCK_RELEASE,
        &board::BARRIER_ARRIVE,
        &board::BARRIER_MEMBERS,
    ];
    let s = write_only.into_iter().fold(s, not_read);
    let read_only = [
        &board::ENGINE_STATUS,
        &board::LOCK_HELD,
        &board::LOCK_ASKING,
        &board::LOCK_OWNED,
        &board::BARRIER_WAITING,
    ];
    let s = read_only.into_iter().fold(s, |s, register| refused(s, register, 0));
    // Behind the last one, and behind the members.
    let aside = |s: Script, offset: u32| {
        let addr = board::ENGINE_STATUS.offset + offset;
        s.refused(HostAccess { write: false, ..write(addr, 0) }).refused(write(addr, 0))
    };
    let s = aside(aside(s, 0x3c), 0x200);
    // Bits that are not there, and part of a word.
    let s = s.set(&board::LOCK_ENABLE, 0xffff_fffe).is(&board::LOCK_ENABLE, 0xfffe);
    let s = s.set(&board::ENGINE_RETRY, 0xff12_3456).is(&board::ENGINE_RETRY, 0x12_3456);
    let s = s.refused(HostAccess { strobe: 7, ..write(board::LOCK_FIRST.offset, 5) });
    let s = s.is(&board::LOCK_FIRST, 0);
    // An order that does not exist; commands before CONTROL.enable.
    let s = refused(refused(s, &board::ENGINE_ORDER, 3), &board::ENGINE_ORDER, 0xc);
    let s = s.is(&board::ENGINE_ORDER, 0xa).set(&board::LOCK_FIRST, 3).is(&board::LOCK_FIRST, 3);
    let s = s.set(&board::BARRIER_ENABLE, 1);
    let s = refused(refused(s, &board::LOCK_ACQUIRE, 1), &board::BARRIER_ARRIVE, 0);
    s.sends(&[]).golden(
        "engine_registers",
        &["ENG-7", "HST-3"],
        [
            "values after reset; what is read only, write only, not there, or not a whole word is refused",
            "an access that the map does not allow is answered as done",
            "a driver believes that it has set up the engine",
        ],
    )
}

fn registers_in_use() -> Golden {
    let s = started(420);
    let config =
        [&board::LOCK_ENABLE, &board::BARRIER_ENABLE, &board::LOCK_FIRST, &board::BARRIER_MEMBERS];
    let s = config.into_iter().fold(s, |s, register| refused(s, register, 6));
    let s =
        s.is(&board::LOCK_ENABLE, 0xf).is(&board::BARRIER_ENABLE, 0xf).is(&board::LOCK_FIRST, 1);
    let s = s.set(&board::ENGINE_ORDER, 6).is(&board::ENGINE_ORDER, 6);
    // Not enabled, beyond the last one, not a number.
    let s = [4, 16, 0x100].into_iter().fold(s, |s, n| refused(s, &board::LOCK_ACQUIRE, n));
    let s = [4, 8, 16].into_iter().fold(s, |s, n| refused(s, &board::BARRIER_ARRIVE, n));
    let part = |s: Script, r: &board::Register| {
        s.refused(HostAccess { strobe: 0b1110, ..write(r.offset, 0) })
    };
    let s = part(part(s, &board::LOCK_ACQUIRE), &board::BARRIER_ARRIVE);
    let s = refused(s, &board::LOCK_RELEASE, 0).is(&board::LOCK_HELD, 0);
    let s = s.is(&board::LOCK_ASKING, 0).is(&board::BARRIER_WAITING, 0);
    s.sends(&[]).golden(
        "engine_registers_in_use",
        &["ENG-7", "HST-3"],
        [
            "settings cannot change after CONTROL.enable; commands for what the engine does not serve are refused",
            "members or owners change in use, or lock 16 is taken for lock 0",
            "boards disagree on who owns a lock",
        ],
    )
}

fn not_taking_part() -> Golden {
    let s = prepared(360, 5).ring(RING, 5).set(&board::CONTROL, 1).until(190);
    let s = refused(refused(s, &board::LOCK_ACQUIRE, 0), &board::BARRIER_ARRIVE, 0);
    let s = refused(s, &board::LOCK_RELEASE, 0);
    s.is(&board::LOCK_HELD, 0).is(&board::BARRIER_WAITING, 0).sends(&[]).golden(
        "engine_not_taking_part",
        &["ENG-1", "ENG-7"],
        [
            "the board's Node_ID is not below 2^ENGINE_NODE_W: every command is refused",
            "the upper bits of Node_ID are left out, and node 5 acts as node 1",
            "two boards are one member of a barrier, and one of them waits for ever",
        ],
    )
}

fn interrupts() -> Golden {
    let s = started(420).set(&board::ENGINE_IRQ_ENABLE, 0).set(&board::LOCK_ACQUIRE, 0);
    let s = s.is(&board::ENGINE_IRQ_STATUS, 1).set(&board::ENGINE_IRQ_ENABLE, 2).wait(3);
    let s = s.set(&board::ENGINE_IRQ_ENABLE, 1).wait(3).set(&board::ENGINE_IRQ_STATUS, 2);
    let s = s.is(&board::ENGINE_IRQ_STATUS, 1).set(&board::BARRIER_ARRIVE, 3);
    let s = s.is(&board::ENGINE_IRQ_STATUS, 3).set(&board::ENGINE_IRQ_STATUS, 1);
    let s = s.is(&board::ENGINE_IRQ_STATUS, 2).set(&board::ENGINE_IRQ_ENABLE, 3).wait(3);
    let s = s.set(&board::ENGINE_IRQ_STATUS, 2).is(&board::ENGINE_IRQ_STATUS, 0);
    let s = s.is(&board::IRQ_STATUS, 0).is(&board::ENGINE_IRQ_ENABLE, 3);
    s.sends(&lines(&["101 00110 02 00030000000000000000"])).golden(
        "engine_interrupts",
        &["ENG-7", "IRQ-1"],
        [
            "irq is high while an event is enabled and not cleared; each event is cleared alone",
            "an event interrupts although it is not enabled, or clearing one clears both",
            "a driver misses that a barrier has opened",
        ],
    )
}

/// The write that clears the status, for three locks: a cycle before the event, in its cycle, after it.
/// A pass is an event 30 cycles after its first word is on the link.
fn interrupt_race() -> Golden {
    let s = started(960);
    let one = |s: Script, (lock, at, clear, status): (u32, u64, u64, u32)| {
        let s = s.set(&board::LOCK_ACQUIRE, lock).at(at, pass(1, ME, lock, 1, 1)).until(clear);
        let s = s.set(&board::ENGINE_IRQ_STATUS, 1).wait(20).is(&board::ENGINE_IRQ_STATUS, status);
        s.set(&board::ENGINE_IRQ_STATUS, 1)
    };
    let s = [(1, 400, 428, 1), (2, 600, 629, 1), (3, 800, 830, 0)].into_iter().fold(s, one);
    let s = s.is(&board::LOCK_HELD, 0b1110);
    let sent = [
        "101 00100 02 00000001000000010000",
        "101 00100 02 00000001000000020000",
        "101 00100 02 00000001000000030000",
    ];
    s.sends(&lines(&sent)).golden(
        "engine_interrupt_race",
        &["ENG-7", "IRQ-1"],
        [
            "the status is cleared a cycle before an event, in its cycle and a cycle after: only the last clears it",
            "an event in the cycle of a clearing is lost",
            "a process sleeps although it has the lock",
        ],
    )
}

/// A board that holds lock 0, for which node 3 waits, with data that is still open.
fn with_open_data(cycles: u64, order: u32) -> Script {
    let s =
        prepared(cycles, ME).set(&board::ENGINE_ORDER, order).set(&board::CONTROL, 1).until(150);
    let s = s.synced_as(200, ME).at(FIRST, request(3, 0, 1));
    s.set(&board::LOCK_ACQUIRE, 0).until(360).put(0x40, 1).is(&board::FRAMES, 0)
}

const PASSED: &str = "101 00101 03 00000001000000000001";

/// The board's data frame, as it returns.
fn data_back() -> BoardFrame {
    BoardFrame { len: 4, ..from(ME, Token::Data.code()) }
}

fn order_none() -> Golden {
    let s = with_open_data(560, Order::None.code().into()).set(&board::LOCK_RELEASE, 0).until(450);
    // `sync` and the pass; the frame is still open.
    let s = s.counts(Counter::SignalSent, 2).is(&board::FRAMES, 0);
    s.sends(&lines(&[PASSED])).golden(
        "pass_without_order",
        &["ENG-8", "SND-2"],
        [
            "a pass without order leaves at once; data that is being collected stays open",
            "every pass waits for data, or closes the frame that is being collected",
            "a lock that protects no data waits for a large copy",
        ],
    )
}

fn order_sent() -> Golden {
    let s = with_open_data(760, Order::Sent.code().into()).set(&board::LOCK_RELEASE, 0).until(450);
    let s = s.counts(Counter::SignalSent, 1).is(&board::FRAMES, 0x01_0000).token(560).until(640);
    let s = s.counts(Counter::DataSent, 1).counts(Counter::SignalSent, 2);
    s.is(&board::FRAMES, 0x01_0100).sends(&lines(&[PASSED])).golden(
        "pass_sent",
        &["ENG-8", "SND-2"],
        [
            "the release closes the data frame; the pass leaves after it, before it has returned",
            "the frame stays open and the pass overtakes it, or the pass waits until the data has returned",
            "the next holder reads what was there before the last one wrote",
        ],
    )
}

fn order_confirmed() -> Golden {
    let order = Order::Confirmed.code().into();
    let s = with_open_data(900, order).set(&board::LOCK_RELEASE, 0).until(450);
    let s = s.counts(Counter::SignalSent, 1).token(560).until(660).counts(Counter::DataSent, 1);
    let s = s.counts(Counter::SignalSent, 1).at(740, data_back()).until(840);
    let s = s.counts(Counter::SignalSent, 2).is(&board::FRAMES, 0x01_0101);
    s.sends(&lines(&[PASSED])).golden(
        "pass_confirmed",
        &["ENG-8", "SND-2"],
        [
            "the release closes the data frame; the pass leaves when it has returned",
            "the pass leaves when the data has been sent only",
            "the next holder reads old data if a frame was lost",
        ],
    )
}

fn order_of_arrivals() -> Golden {
    // Passes have no order, arrivals are confirmed.
    let s = with_open_data(960, u32::from(Order::Confirmed.code()) << 2);
    let s = s.set(&board::LOCK_RELEASE, 0).until(450).counts(Counter::SignalSent, 2);
    let s = s.at(500, BoardFrame { skip: 0, ..pass(ME, 3, 0, 1, 1) });
    let s = s.until(560).set(&board::BARRIER_ARRIVE, 3).is(&board::BARRIER_WAITING, 0);
    let s = s.token(640).until(720).counts(Counter::DataSent, 1).counts(Counter::SignalSent, 2);
    let s = s.at(780, data_back()).until(880).counts(Counter::SignalSent, 3);
    s.sends(&lines(&[PASSED, "101 00110 02 00030000000000000000"])).golden(
        "order_of_arrivals",
        &["ENG-7", "ENG-8", "SND-2"],
        [
            "passes without order and confirmed arrivals: each has the order that ENGINE_ORDER gives it",
            "both kinds have one order",
            "a barrier opens while one board still lacks the last write",
        ],
    )
}

fn turns() -> Golden {
    let none = Order::None.code().into();
    let s = (1..=3).fold(started(760), |s, n| s.send(P2P, 9, none, n));
    let s = s.set(&board::LOCK_ACQUIRE, 1).set(&board::BARRIER_ARRIVE, 0).until(560);
    let s = s.is(&board::LOCK_ASKING, 2).is(&board::BARRIER_WAITING, 1);
    let sent = [
        "011 01001 00 01000000000000000000",
        "101 00100 02 00000001000000010000",
        "011 01001 00 02000000000000000000",
        "101 00110 02 00000000000000000000",
        "011 01001 00 03000000000000000000",
    ];
    s.sends(&lines(&sent)).golden(
        "engine_and_host_take_turns",
        &["ENG-8", "SND-1"],
        [
            "three signals of the host and two of the engine wait: they leave in turns",
            "the host's signals go first, or the engine's",
            "a host that sends much stops the locks, or a busy lock stops the host",
        ],
    )
}

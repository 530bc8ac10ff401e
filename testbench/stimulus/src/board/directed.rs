// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs of a board that random ones rarely come to.

use crate::board::parts::{WINDOW, after, block, events, frame, read, run, set_up, signal, write};
use crate::board::stimulus::{BoardEvent, BoardFrame, BoardStimulus, HostAccess};
use crate::board::{addresses, limits};
use crate::board::{one_word, phases};
use crate::case::Case;
use crate::ends::OWN;
use crate::node::directed::Named;
use awgstar::quantity::{ByteAddress, Cycle, narrow};
use awgstar::random::XorShift32;
use awgstar::rtl::AxilRequest;
use awgstar::{
    contract::board as map,
    ring::RESET_CYCLES,
    rtl::{Smb, smb::Inputs},
};

const BYTES: u32 = 4 << map::MEM_ADDR_W;

/// Full frames, every Act_Seq, a full store, a ring that returns nothing.
fn of_the_host() -> Vec<BoardStimulus> {
    let mut all = Vec::new();
    // Full frames in a row, and one elsewhere.
    let host =
        set_up(5000, 30, 400, 2, true).into_iter().chain(block(0, 256 * 4)).chain(block(4096, 256));
    all.push(run(9000, Some(5), host.collect()));
    let long = set_up(5000, 30, 400, 3, true).into_iter().chain(block(0, 256 * 16 - 1));
    all.push(run(17000, Some(5), long.collect()));
    // Nothing returns: the store fills, the sender stalls, writes end in SLVERR.
    let cut = set_up(60, 4, 400, 2, true)
        .into_iter()
        .chain([write(map::STATUS.offset, 0)])
        .chain(block(0, 1030))
        .chain(
            (0..8).map(|i| after(100, HostAccess { strobe: 0b0101, ..write(WINDOW | (8 * i), 7) })),
        )
        .chain([read(map::STATUS.offset), read(map::FRAMES.offset), read(map::TX_FREE.offset)]);
    all.push(run(7000, None, cut.collect()));
    // 17 small frames while nothing is sent yet: no room for another header.
    let small = set_up(300, 2, 400, 2, true).into_iter().chain(
        (0..24)
            .map(|i| after(4, HostAccess { strobe: 1 << (i % 4), ..write(WINDOW | (64 * i), i) })),
    );
    all.push(run(4000, Some(9), small.collect()));
    // More signals than there is room for, of each order, with data before them.
    for order in 0..3 {
        let send = |i: u32| {
            [
                write(WINDOW | (16 * i), i),
                write(map::SIGNAL_DATA.offset + 4 * (i % 12), i),
                write(map::SIGNAL_SEND.offset, signal(5, i, 0, 0, (7 * i) % 47, order)),
            ]
        };
        let host = set_up(900, 200, 3000, 1, true).into_iter().chain((0..12).flat_map(send));
        all.push(run(5000, Some(20), host.chain([read(map::STATUS.offset)]).collect()));
    }
    all
}

/// Sequence numbers, ranges, the mailbox and its overflow, the monitor's rules.
fn of_the_link() -> Vec<BoardStimulus> {
    let mut all = Vec::new();
    let quiet = || set_up(3000, 30, 100_000, 1, true);
    // In order, again, with a gap, from unaligned addresses, at and beyond the end.
    let mut frames = vec![frame(6, 1, 0, 0)];
    for (i, skip) in [0i8, -1, 0, 1, 0, -2, 0, 127, -128, 0].into_iter().enumerate() {
        let at = narrow::<u32>(i);
        frames
            .push(BoardFrame { skip, ..frame(1, 0, 40 * at + at % 4, 30 + 9 * narrow::<u16>(at)) });
    }
    for len in [1, 2, 3, 4, 5, 47, 1024] {
        frames.push(frame(1, 0, BYTES - u32::from(len), len));
        frames.push(frame(1, 0, BYTES - u32::from(len) + 1, len));
        frames.push(frame(1, 0, 0x1003, len));
    }
    let link = events(frames, 20);
    all.push(BoardStimulus { link, ..run(9000, None, quiet()) });
    // 18 signals: the mailbox runs over. Then it is read, and takes more.
    let signals = (0..22).map(|i| BoardFrame {
        node_id: OWN,
        addr: 0,
        ..frame(3, i, 0, u16::from(i) * 2 + 1)
    });
    let drain = (0..18).flat_map(|i| {
        [
            after(if i == 0 { 1200 } else { 0 }, read(map::MAIL_COUNT.offset)),
            read(map::MAIL_DATA.offset),
            write(map::MAIL_POP.offset, 0),
        ]
    });
    let host = quiet().into_iter().chain(drain).collect();
    all.push(BoardStimulus { link: events(signals, 8), ..run(3000, None, host) });
    // Signals that come again, early, late, too long, numbered beyond 8 bits.
    let mut frames = vec![frame(6, 1, 0, 0), frame(1, 0, 0, 8)];
    for (mark, skip, len) in [
        (0, 0, 48),
        (1, 0, 49),
        (1, -1, 4),
        (2, 0, 4),
        (2, -1, 4),
        (129, 0, 8),
        (130, 0, 8),
        (1, 0, 47),
    ] {
        frames.push(BoardFrame { skip, ..frame(5, 9, (1 << 31) | mark, len) });
    }
    frames.push(BoardFrame { skip: -1, ..frame(5, 9, (1 << 31) | (1 << 8) | 1, 4) });
    frames.push(BoardFrame { multi_g: 1, ..frame(4, 9, 0, 4) });
    frames.push(BoardFrame { multi_g: 3, ..frame(4, 9, 0, 4) });
    all.push(BoardStimulus { link: events(frames, 10), ..run(2500, None, quiet()) });
    // Another monitor: of a lower and of a higher MAC, before and after this one became active.
    for source in [1, 9] {
        let beats = (0..12).map(|_| BoardFrame { source, node_id: source, ..frame(6, 2, 0, 0) });
        let host = set_up(900, 30, 150, 2, true);
        all.push(BoardStimulus { link: events(beats, 330), ..run(6000, Some(12), host) });
    }
    // One monitor that dies: its last heartbeat goes round and round.
    let beats = (0..8).map(|i| BoardFrame { skip: -i8::from(i > 0), ..frame(6, 2, 0, 0) });
    let host = set_up(900, 30, 150, 2, true);
    all.push(BoardStimulus { link: events(beats, 330), ..run(4000, Some(12), host) });
    // An old signal, again.
    let olds = [0, 0, 0, -2, -1, 0].map(|skip| BoardFrame { skip, ..frame(5, 3, 0, 4) });
    all.push(BoardStimulus { link: events(olds, 40), ..run(900, None, quiet()) });
    // Another board with our Node_ID; an unexpected own frame; orphans.
    let mut frames = vec![BoardFrame { node_id: OWN, ..frame(1, 0, 0, 4) }];
    frames.push(BoardFrame { source: OWN, foreign: true, node_id: OWN, ..frame(6, 2, 0, 0) });
    frames.push(BoardFrame { source: OWN, ..frame(5, 3, 0, 4) });
    frames
        .extend([1, 3, 4, 5, 6].map(|token| BoardFrame { monitor: true, ..frame(token, 7, 0, 8) }));
    all.push(BoardStimulus {
        link: events(frames, 1200),
        ..run(12000, Some(12), set_up(900, 30, 200, 1, true))
    });
    // Tokens from elsewhere: one is too many; then none.
    let tokens = (0..4).map(|_| frame(0, 0, 0, 0));
    all.push(BoardStimulus {
        link: events(tokens, 400),
        ..run(9000, Some(40), set_up(900, 30, 120, 2, true))
    });
    all
}

/// Cases of the host port: both channels at once, writes before all know the board, blocks that
/// continue or do not, each address of the register map.
fn of_the_port() -> Vec<BoardStimulus> {
    let mut all = Vec::new();
    // Before sync: room for the first run of a write only, and for none.
    let mut host = set_up(300, 400, 400, 2, false);
    host.extend(block(0, 1023));
    for strobe in [0b0101, 0b1001, 0b1111, 0b1101] {
        host.push(HostAccess { strobe, ..write(WINDOW | 0x1000, 0x1122_3344) });
        host.push(read(WINDOW | 0x1000));
    }
    all.push(run(6000, Some(5), host));
    // A full block, and then: elsewhere; a flush and on; a jump of 4 KB; word by word, slowly.
    let mut host = set_up(900, 30, 400, 2, true);
    host.extend(block(0, 256).chain([write(WINDOW | 0x2000, 1), write(WINDOW | 0x3004, 2)]));
    host.extend(block(0x400, 256).chain([after(2, write(map::FLUSH.offset, 0))]));
    host.extend(block(0x800, 3).chain((0..4).map(|i| after(20, write(WINDOW | (4 * i), i)))));
    all.push(run(4500, Some(5), host));
    // Each address, read and then written; nothing that enables; the interrupts not asked for.
    let mut host = vec![write(map::IRQ_ENABLE.offset, 0)];
    host.extend((0..0x220).map(|i| read(ByteAddress(4 * i))));
    host.extend((0x15..0x60).map(|i| write(ByteAddress(4 * i), 0)));
    host.extend([1, 2, 4, 8].map(|strobe| HostAccess { strobe, ..write(map::GROUPS.offset, 5) }));
    host.push(HostAccess { strobe: 0, ..write(WINDOW, 5) });
    host.extend([42, 46, 47].map(|len| write(map::SIGNAL_SEND.offset, signal(5, 1, 2, 0, len, 0))));
    all.push(run(4200, None, host));
    all
}

/// Cases of the ring's effect on the host's frames: losses, timers that end as a frame returns, a
/// signal lost while data goes on, more than 256 signals, resets.
fn of_the_returns() -> Vec<BoardStimulus> {
    let mut all = Vec::new();
    let token = || BoardEvent { gap: 100, frame: frame(0, 0, 0, 0) };
    // A timeout that ends about when frames of one word to eleven return, and signals among them.
    for timeout in [32, 38, 44, 50, 56] {
        let mut host = set_up(300, 3, 3000, 2, true);
        host.push(after(120, write(map::TIMEOUT.offset, timeout)));
        for words in 1..12 {
            host.push(after(50, read(map::FRAMES.offset)));
            host.extend(block(64 * words, words));
            let send = signal(5, words, 0, 0, 4 * words + 1, words % 3);
            host.extend((words > 8).then_some(write(map::SIGNAL_SEND.offset, send)));
        }
        all.push(BoardStimulus { link: vec![token()], ..run(1600, Some(20), host) });
    }
    // A frame of others covers the returning frame: the signal is lost, and much data goes on.
    for gap in [180, 220] {
        let mut host = set_up(30_000, 3, 3000, 3, true);
        host.extend([
            write(map::SIGNAL_SEND.offset, signal(5, 1, 0, 0, 0, 0)),
            write(map::SIGNAL_SEND.offset, signal(5, 2, 0, 0, 9, 1)),
        ]);
        host.extend((0..90).map(|i| after(9, write(WINDOW | (8 * (i % 32)), i))));
        let link = vec![
            BoardEvent { gap: 200, ..token() },
            BoardEvent { gap, frame: BoardFrame { node_id: 1, ..frame(3, 4, 0, 300) } },
        ];
        all.push(BoardStimulus { link, ..run(4500, Some(150), host) });
    }
    // An own signal with the number and another C.ST returns in place of the one in flight.
    let twin = BoardFrame { source: OWN, node_id: 0, ..frame(5, 3, 0, 4) };
    let host = set_up(900, 30, 4000, 1, true).into_iter().chain([
        after(600, write(map::SIGNAL_SEND.offset, signal(5, 7, 0, 0, 4, 0))),
        write(map::SIGNAL_SEND.offset, signal(3, 7, 0, 0, 4, 0)),
    ]);
    let link = events(std::iter::repeat_n(twin, 9), 100);
    all.push(BoardStimulus { link, ..run(2500, Some(300), host.collect()) });
    // More signals than 8 bits count.
    let many =
        (0..262).map(|i| after(30, write(map::SIGNAL_SEND.offset, signal(4, i % 32, 0, 1, 0, 0))));
    all.push(run(
        14_500,
        Some(3),
        set_up(900, 30, 8000, 3, true).into_iter().chain(many).collect(),
    ));
    // Resets while much is under way, of a monitor that has made tokens.
    let busy = |i: u32| {
        [
            write(WINDOW | (4 * i), i),
            write(map::SIGNAL_SEND.offset, signal(5, i, 0, 0, 6, i % 3)),
            read(map::STATUS.offset),
            write(map::IRQ_STATUS.offset, 0x1ff),
        ]
    };
    let round = || set_up(150, 5, 60, 2, true).into_iter().chain((0..60).flat_map(busy));
    let resets = vec![(Cycle(1903), 1), (Cycle(3407), 2), (Cycle(4611), 1)];
    let host = (0..4).flat_map(|_| round()).collect();
    all.push(BoardStimulus { resets: resets.clone(), ..run(6000, Some(9), host) });
    let host = (0..4).flat_map(|_| round()).collect();
    all.push(BoardStimulus { resets, ..run(6000, None, host) });
    all
}

/// Data from the ring at all alignments, over what the host writes, read back; then resets.
fn of_the_memory() -> Vec<BoardStimulus> {
    let mut frames = vec![frame(6, 1, 0, 0)];
    frames.extend((0..32u32).map(|i| BoardFrame {
        salt: i.to_le_bytes()[0] | 0x80,
        ..frame(1, 0, 16 * i + i % 4, 1 + narrow::<u16>(i / 4))
    }));
    frames.extend((0..40).map(|i| BoardFrame { salt: i, ..frame(1, 0, 0x40 + 1, 3) }));
    let mut host = set_up(3000, 30, 100_000, 1, false);
    host.extend(block(0, 128));
    host.extend((0..128).map(|i| after(if i == 0 { 900 } else { 0 }, read(WINDOW | (4 * i)))));
    let at = WINDOW | 0x40;
    host.extend((0..200).flat_map(|i| [write(at, 0x0101_0101 * (i & 0x7f)), read(at)]));
    let link = events(frames, 14);
    let mut all = vec![BoardStimulus { link: link.clone(), ..run(5000, None, host) }];
    // Resets inside frames that are being written, and inside messages.
    let host: Vec<_> = (0..40).map(|i| after(90, read(WINDOW | (4 * i)))).collect();
    let big = events((0..8).map(|i| frame([1, 5][i % 2], 0, 2, [600, 44][i % 2])), 30);
    let resets = (0..8).map(|i| (Cycle(420 + 211 * i), 1)).collect();
    all.push(BoardStimulus { link: big, resets, ..run(3000, None, host) });
    all
}

/// Reads and writes at once, held until taken, with both answers taken late and at any time.
fn both_channels() -> Case<Smb> {
    let mut board = Smb::default();
    let mut inputs: Vec<Inputs> = Vec::new();
    let mut noise = XorShift32::new(0x1357_9bdf);
    let (mut write_held, mut read_held) = ([false; 2], false);
    for cycle in 0..1500 {
        let random = noise.next_u32();
        let bit = |n: u32| random >> n & 1 == 1;
        let last: Inputs = inputs.last().copied().unwrap_or_default();
        let rst = cycle < RESET_CYCLES.0;
        let now = Inputs {
            rst,
            s_axi: AxilRequest {
                awaddr: if write_held[0] { last.s_axi.awaddr } else { WINDOW.0 | (random & 0x3c) },
                awvalid: !rst && (write_held[0] || bit(0)),
                wdata: if write_held[1] { last.s_axi.wdata } else { random },
                wstrb: 15,
                wvalid: !rst && (write_held[1] || bit(1)),
                bready: bit(2) && bit(3),
                araddr: map::STATUS.offset.0,
                arvalid: !rst && (read_held || bit(4)),
                rready: bit(5) && bit(6),
                ..AxilRequest::default()
            },
            ..Inputs::default()
        };
        let out = board.outputs(&now);
        write_held =
            [now.s_axi.awvalid && !out.s_axi.awready, now.s_axi.wvalid && !out.s_axi.wready];
        read_held = now.s_axi.arvalid && !out.s_axi.arready;
        board.clock(&now);
        inputs.push(now);
    }
    Case::fed(inputs)
}

/// The full mailbox: signals of two other boards arrive while the host drops one at intervals, so
/// that a place becomes free in each cycle of a verdict. The host reads the rest at the end.
fn of_the_mailbox() -> Vec<BoardStimulus> {
    let full = |gap| {
        let signals = (0..43).map(|i| BoardFrame {
            source: 1 + u8::from(i % 3 == 0),
            foreign: i % 3 == 0,
            node_id: OWN,
            ..frame(3, i % 32, 0, 8)
        });
        let drop = || write(map::MAIL_POP.offset, 0);
        let drops = (0..16).map(|i| after(if i == 0 { 500 } else { gap }, drop()));
        let word = |i: u32| read(map::MAIL_DATA.offset + 4 * i);
        let pause = |i| if i == 0 { 200 } else { 0 };
        let drain = (0..16).flat_map(|i| [after(pause(i), word(0)), word(1), drop()]);
        let host = set_up(3000, 30, 100_000, 1, true).into_iter().chain(drops).chain(drain);
        BoardStimulus { link: events(signals, 8), ..run(1700, None, host.collect()) }
    };
    (18..24).map(full).collect()
}

/// Names and the requirements each is about, in the order of the runs.
const ABOUT: &[(&str, &[&str])] = &[
    ("full_frames", &["WRT-3", "WRT-4", "ACK-1", "ACK-2"]),
    ("sixteen_full_frames", &["WRT-3", "WRT-4", "ACK-2"]),
    ("nothing_comes_back", &["HST-6", "ACK-3", "ACK-5", "ACK-6"]),
    ("no_room_for_a_frame", &["WRT-1", "WRT-2", "HST-6", "MON-2"]),
    ("signals_none", &["SND-1", "SND-2", "SND-4"]),
    ("signals_sent", &["SND-1", "SND-2", "SND-3"]),
    ("signals_confirmed", &["SND-1", "SND-2"]),
    ("numbers_of_data", &["RCV-1", "RCV-2", "RCV-4"]),
    ("mailbox_overflow", &["RCV-5", "HST-3", "IRQ-1"]),
    ("signals_again_early_long", &["RCV-3", "RCV-6", "SND-4"]),
    ("monitor_of_lower_mac", &["MON-1", "MON-3", "MON-4"]),
    ("monitor_of_higher_mac", &["MON-1", "MON-3", "MON-4", "HST-5"]),
    ("heartbeat_of_a_dead_monitor", &["MON-3"]),
    ("old_signals", &["RCV-3"]),
    ("same_id_strays_orphans", &["MON-6", "NODE-22", "HST-7"]),
    ("tokens_from_elsewhere", &["MON-5", "NODE-23", "NODE-24"]),
    ("before_sync", &["HST-6", "WRT-2"]),
    ("blocks_that_go_on", &["WRT-3", "WRT-4"]),
    ("each_address", &["HST-2", "HST-3", "HST-7"]),
    ("data_over_writes", &["RCV-4", "RCV-6", "HST-4"]),
    ("resets_inside_frames", &["RCV-4", "RCV-5"]),
    ("timer_32_and_return", &["ACK-3", "ACK-4"]),
    ("timer_38_and_return", &["ACK-3", "ACK-4"]),
    ("timer_44_and_return", &["ACK-3", "ACK-4"]),
    ("timer_50_and_return", &["ACK-3", "ACK-4"]),
    ("timer_56_and_return", &["ACK-3", "ACK-4"]),
    ("signal_lost_180", &["SND-1", "SND-2"]),
    ("signal_lost_220", &["SND-1", "SND-2"]),
    ("twin_of_another_c_st", &["SND-1"]),
    ("signals_262", &["SND-4"]),
    ("resets_with_loopback", &["NODE-21"]),
    ("resets_without", &["NODE-21"]),
    ("mailbox_full_18", &["RCV-5"]),
    ("mailbox_full_19", &["RCV-5"]),
    ("mailbox_full_20", &["RCV-5"]),
    ("mailbox_full_21", &["RCV-5"]),
    ("mailbox_full_22", &["RCV-5"]),
    ("mailbox_full_23", &["RCV-5"]),
    ("data_comes_back_broken", &["ACK-1", "ACK-3"]),
    ("reset_while_recovering", &["ACK-3", "NODE-21"]),
    ("sent_signal_before_its_data", &["SND-3"]),
    ("heartbeat_before_a_signal", &["SND-1", "MON-1"]),
    ("two_halves_of_an_entry", &["RCV-1", "RCV-3", "RCV-4"]),
    ("almost_the_signal", &["SND-1"]),
    ("another_sync", &["MON-2"]),
    ("timer_of_a_signal", &["SND-1", "ACK-6"]),
    ("data_far_ahead", &["SND-2"]),
    ("censuses", &["MON-5"]),
    ("too_many_and_then_none", &["MON-5"]),
    ("a_token_dropped_in_a_census", &["MON-5", "NODE-23"]),
    ("reset_while_writing", &["RCV-4", "NODE-21"]),
    ("false_counts", &["FRM-7", "RCV-1"]),
    ("one_word", &["RCV-6"]),
    ("both_channels", &["HST-1"]),
];

/// All of them, with names.
///
/// # Panics
/// If one has no name: a mistake in this file.
#[must_use]
pub fn named() -> Vec<Named<Case<Smb>>> {
    let cases = cases();
    assert_eq!(cases.len(), ABOUT.len() + late().count(), "each run has a name");
    let about = ABOUT.iter().zip(cases);
    let all = about.map(|(&(name, ids), case)| Named {
        name: name.to_owned(),
        requirements: ids.to_vec(),
        case,
    });
    all.chain(late()).collect()
}

/// All of them.
#[must_use]
pub fn cases() -> Vec<Case<Smb>> {
    let all = of_the_host().into_iter().chain(of_the_link()).chain(of_the_port());
    let all = all.chain(of_the_memory()).chain(of_the_returns()).chain(of_the_mailbox());
    let all = all.chain(crate::board::defences::runs()).map(Case::alone);
    all.chain([both_channels()]).chain(late().map(|named| named.case)).collect()
}

/// Those that have their names with them.
fn late() -> impl Iterator<Item = Named<Case<Smb>>> {
    let addresses =
        addresses::runs().into_iter().map(|(name, about, run)| (name.to_owned(), about, run));
    let spread = addresses.chain(limits::runs()).map(|(name, about, run)| Named {
        name,
        requirements: about.to_vec(),
        case: Case::alone(run),
    });
    let one_word = one_word::runs(one_word::AXI4_LITE).into_iter().map(|(name, run)| Named {
        name,
        requirements: vec!["RCV-6", "HST-4"],
        case: Case::alone(run),
    });
    let phases = phases::runs().into_iter().map(|(name, about, run)| Named {
        name: name.to_owned(),
        requirements: about.to_vec(),
        case: Case::alone(run),
    });
    spread.chain(one_word).chain(phases)
}

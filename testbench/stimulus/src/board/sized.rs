// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cases of a board whose lengths and addresses follow from its parameters: each buffer becomes empty
//! and full, each pointer runs past its end, and the memory is used at both ends.

use crate::board::burst::of_single_accesses;
use crate::board::join::joined;
use crate::board::parts::{WINDOW, after, block, events, frame, read, run, set_up, signal, write};
use crate::board::stimulus::{BoardEvent, BoardFrame, BoardStimulus, HostAccess};
use crate::case::{Case, Source};
use crate::ends::OWN;
use crate::node::directed::Named;
use awgstar::quantity::{ByteAddress, narrow};
use awgstar::ring::burst::Burst;
use awgstar::rtl::{Smb, SmbAxi4};
use awgstar::{
    contract::JoinCommand, contract::board as map, contract::limits::DATA_MAX, rtl::Parameters,
};

/// Addresses made for the contract's memory, where one of another size has its ends: the first words stay,
/// the others are spread over twice the memory, so that every address bit changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fit {
    /// Bits of an address of a word.
    width: usize,
    /// The board can join.
    joins: bool,
}

impl Fit {
    /// For a memory under these parameters.
    pub(crate) fn of(parameters: &Parameters) -> Self {
        Fit { width: parameters.mem_addr_w(), joins: parameters.join() != 0 }
    }

    fn place(self, addr: u32) -> u32 {
        let Fit { width, .. } = self;
        if width == map::MEM_ADDR_W {
            return addr;
        }
        let word = addr / 4;
        // The Fibonacci hash: its upper bits depend on all bits of `word`.
        let spread = word.wrapping_mul(0x9E37_79B1) >> (31 - width);
        let word = if word < 24.min(1 << width) { word } else { spread };
        (4 * word) | (addr & 3)
    }

    /// An address of the host; those of registers stay.
    pub(crate) fn host(self, addr: ByteAddress) -> ByteAddress {
        if addr < WINDOW { addr } else { WINDOW | self.place(addr.0 & !WINDOW.0) & !WINDOW.0 }
    }

    /// Addresses of data from the link.
    pub(crate) fn link(self, events: &mut [BoardEvent]) {
        for event in events.iter_mut().filter(|e| e.frame.token == 1) {
            event.frame.addr = self.place(event.frame.addr);
        }
    }

    /// Addresses of a run; a board that can join is whole from its start.
    pub(crate) fn stimulus(self, stimulus: &mut BoardStimulus) {
        for access in &mut stimulus.host {
            access.addr = self.host(access.addr);
        }
        self.link(&mut stimulus.link);
        if self.joins {
            make_whole(stimulus);
        }
    }
}

/// The replica is whole when the board is enabled: otherwise no write of the host is taken (JOIN-5).
pub(crate) fn make_whole(stimulus: &mut BoardStimulus) {
    let enables = |a: &HostAccess| a.write && a.addr == map::CONTROL.offset;
    after_each(&mut stimulus.host, enables, write(map::JOIN_COMMAND.offset, WHOLE));
}

const WHOLE: u32 = JoinCommand::Whole.code() as u32;

/// One more entry after each of these.
fn after_each<T: Copy>(all: &mut Vec<T>, these: impl Fn(&T) -> bool, more: T) {
    let two = |one: T| [Some(one), these(&one).then_some(more)];
    *all = std::mem::take(all).into_iter().flat_map(two).flatten().collect();
}

/// A case with its addresses where a memory under these parameters has its ends.
#[must_use]
pub fn fit(mut case: Case<Smb>, parameters: &Parameters) -> Case<Smb> {
    if let Source::Alone(stimulus) = &mut case.source {
        Fit::of(parameters).stimulus(stimulus);
    }
    case
}

/// The ring writes a word in nearly every cycle, and the host writes and reads as fast as it can: the
/// words that the ring writes, those beside them and others.
fn host_at_line_rate(words: u32) -> BoardStimulus {
    let length = words.min(256);
    let bytes = narrow::<u16>(4 * length);
    let frames = (0..6u16).map(|i| BoardFrame {
        salt: 40 * i.to_le_bytes()[0],
        ..frame(1, 0, u32::from(i % 4), bytes - i % 4 - i % 3)
    });
    let sync = [frame(6, 1, 0, 0)];
    let mut link = events(sync.into_iter().chain(frames), 1);
    link[0].gap = 300;
    // Without a ring around it the board keeps what the host writes: the store must not fill.
    let access = |i: u32| {
        let at = WINDOW | (4 * (i.wrapping_mul(7) % length));
        let strobe = [0b1111, 0b0101, 0b0010, 0b1001][i as usize % 4];
        [
            HostAccess { strobe, ..write(at, i.wrapping_mul(0x0102_0408)) },
            read(at),
            read(ByteAddress(at.0 ^ 4)),
        ]
    };
    let host = set_up(3000, 2, 400, 3, true).into_iter().chain(wait(260));
    BoardStimulus { link, ..run(2600, Some(3), host.chain((0..200).flat_map(access)).collect()) }
}

/// That many cycles in which the host does nothing.
fn wait(cycles: usize) -> impl Iterator<Item = HostAccess> {
    let pause = || after(50_000, read(map::STATUS.offset));
    let rest = narrow::<u16>(cycles % 50_000);
    (0..cycles / 50_000).map(move |_| pause()).chain([after(rest, read(map::STATUS.offset))])
}

/// Both ends of the memory, from the host and from the ring, and beyond.
fn memory_ends(bytes: u64) -> BoardStimulus {
    let mut host = set_up(900, 30, 400, 2, true);
    let bound = |at: u64| (at & 0x7fff_ffff) as u32;
    let last = bound(bytes - 4);
    for at in [0, last, bound(bytes), bound(2 * bytes), bound(bytes / 2), last] {
        for strobe in [15, 0b0101, 0b1000] {
            host.push(HostAccess { strobe, ..write(WINDOW | at, 0x8421_0000 | at) });
        }
        host.push(after(30, read(WINDOW | at)));
    }
    // Every bit of the address alone.
    for bit in (2..31).rev() {
        host.push(write(WINDOW | 1 << bit, 1 << bit));
        host.extend([read(WINDOW | 1 << bit), read(WINDOW)]);
    }
    let mut frames = vec![frame(6, 1, 0, 0)];
    for len in [1u16, 3, 4, 5, 16] {
        let end = ((bytes & 0xffff_ffff) as u32).wrapping_sub(len.into());
        frames.extend([frame(1, 0, end, len), frame(1, 0, end.wrapping_add(1), len)]);
    }
    for bit in 0..32 {
        frames.push(frame(1, 0, 1 << bit, 6));
    }
    let mut link = events(frames, 30);
    // Before, the sorter clears its table and a small receive buffer loses frames.
    link[0].gap = 300;
    BoardStimulus { link, ..run(6000, Some(12), host) }
}

/// More frames and words than fit while nothing leaves: before the board is known.
fn nothing_leaves(words: u32, frames: u32, memory: u32) -> Vec<BoardStimulus> {
    let quiet = || set_up(900, 40, 100_000, 2, false);
    let apart = (0..frames + 4).map(|i| after(3, write(WINDOW | (8 * (i % 2)), i)));
    let host: Vec<_> = quiet()
        .into_iter()
        .chain(apart)
        .chain([read(map::FRAMES.offset), read(map::TX_FREE.offset)])
        .collect();
    let few = run(u64::from(frames) * 20 + 600, None, host);
    let length = memory.min(256);
    let blocks = (0..=words.div_ceil(length)).flat_map(|_| block(0, length));
    let host = quiet().into_iter().chain(blocks).chain([read(map::TX_FREE.offset)]).collect();
    vec![few, run(u64::from(words) * 8 + 3000, None, host)]
}

/// Blocks until the pointers of the retransmit buffer have gone round.
fn data_laps(words: u32, memory: u32) -> BoardStimulus {
    let length = memory.min(256);
    let blocks = (0..(2 * words).div_ceil(length) + 3).flat_map(|_| block(0, length));
    let host = set_up(3000, 20, 400, 3, true).into_iter().chain(wait(900)).chain(blocks);
    let per_word = if length < 64 { 30 } else { 9 };
    run(u64::from(words) * 2 * per_word + 4000, Some(6), host.collect())
}

/// More signals than there is room for, until the pointers have gone round.
fn signal_laps(signals: u32) -> BoardStimulus {
    let send = |i: u32| {
        [
            write(map::SIGNAL_DATA.offset + 4 * (i % 12), i.wrapping_mul(0x0101_0107)),
            write(map::SIGNAL_SEND.offset, signal(5, i % 32, 0, 0, (7 * i) % 47, i % 3)),
        ]
    };
    let some = |from: u32| (from..from + 2 * signals + 2).flat_map(send);
    let rest = || wait(90 * signals as usize + 500);
    let host = set_up(900, 20, 100_000, 2, true).into_iter().chain(wait(400));
    let host = host.chain(some(0)).chain(rest()).chain(some(100)).chain(rest()).chain(some(200));
    run(u64::from(signals) * 400 + 6000, Some(20), host.collect())
}

/// More messages than there is room for; dropped, and then more.
fn mailbox_laps(messages: u32) -> BoardStimulus {
    let count = messages as usize + 3;
    let mail = |i: usize| BoardFrame {
        node_id: OWN,
        ..frame(
            3,
            i.to_le_bytes()[0] & 31,
            narrow::<u32>(i & !255),
            1 + u16::from((i % 46).to_le_bytes()[0]),
        )
    };
    // 18 words of a frame and its gap.
    let batch = 18 * count + 300;
    let drain =
        |n: u32| (0..n).flat_map(|_| [read(map::MAIL_DATA.offset), write(map::MAIL_POP.offset, 0)]);
    let times = 12 * messages as usize + 600;
    let pause = u16::try_from(times.min(60_000)).expect("60,000 are fewer than 2^16");
    let mut host = set_up(3000, 30, 100_000, 1, false);
    let mut link = Vec::new();
    for round in 0..3 {
        let first = round * count;
        let mut batch_of = events((first..first + count).map(mail), 2);
        batch_of[0].gap = if round == 0 { 400 } else { pause };
        link.extend(batch_of);
        host.extend(wait(if round == 0 { batch + 300 } else { batch }));
        host.extend(drain(messages + 1));
    }
    let cycles = 3 * (batch + times) + 1500;
    BoardStimulus { link, ..run(cycles as u64, None, host) }
}

/// Frames of this kind without a pause, until the receive buffer's pointers have gone round.
fn received(token: u8, len: u16, count: usize) -> BoardStimulus {
    let frames =
        (0..count).map(|i| BoardFrame { salt: i.to_le_bytes()[0], ..frame(token, 0, 0, len) });
    let sync = [frame(6, 1, 0, 0)];
    let cycles = count * (usize::from(len).max(46) / 4 + 8) + 1200;
    let mut link = events(sync.into_iter().chain(frames), 1);
    link[0].gap = 300;
    BoardStimulus { link, ..run(cycles as u64, None, set_up(900, 30, 100_000, 1, false)) }
}

/// All of them.
#[must_use]
pub fn cases(parameters: &Parameters) -> Vec<Named<Case<Smb>>> {
    runs(parameters).map(|run| run.map(Case::alone)).collect()
}

/// A case of a board with its addresses where a memory under these parameters has its ends.
#[must_use]
pub fn fit_bursts(mut case: Case<SmbAxi4>, parameters: &Parameters) -> Case<SmbAxi4> {
    if let Source::Alone(stimulus) = &mut case.source {
        let fit = Fit::of(parameters);
        for burst in &mut stimulus.bursts {
            burst.addr = fit.host(ByteAddress(burst.addr)).0;
        }
        if fit.joins {
            let enables = |b: &Burst| b.write && b.addr == map::CONTROL.offset.0;
            let whole = Burst::word_write(map::JOIN_COMMAND.offset.0, WHOLE, 15);
            after_each(&mut stimulus.bursts, enables, whole);
        }
        fit.link(&mut stimulus.link);
    }
    case
}

/// The same on a board with an AXI4 port.
#[must_use]
pub fn burst_cases(parameters: &Parameters) -> Vec<Named<Case<SmbAxi4>>> {
    let case = |run: BoardStimulus| Case::alone(of_single_accesses(&run));
    runs(parameters).map(|run| run.map(case)).collect()
}

/// What a board does in each.
pub(crate) fn runs(parameters: &Parameters) -> impl Iterator<Item = Named<BoardStimulus>> {
    let memory = 1u32 << parameters.mem_addr_w();
    let words = 1u32 << parameters.tx_addr_w();
    let frames = 1u32 << parameters.tx_frame_w();
    let beats = 1usize << parameters.rx_addr_w();
    let headers = 1usize << parameters.rx_header_addr_w();
    let longest = DATA_MAX.min(4 << parameters.mem_addr_w());
    let longest = narrow::<u16>(longest);
    let lap = |len: u16| 2 * beats / usize::from(len).max(46).div_ceil(4) + 3;
    let mut all: Vec<(&str, &[&'static str], BoardStimulus)> = vec![
        ("memory_ends", &["HST-4", "RCV-4", "WRT-1"], memory_ends(4 << parameters.mem_addr_w())),
        ("host_at_line_rate", &["RCV-4", "RCV-6", "WRT-1"], host_at_line_rate(memory)),
        ("data_laps", &["ACK-1", "ACK-2", "WRT-3"], data_laps(words, memory)),
        ("signal_laps", &["SND-1", "SND-2"], signal_laps(1 << parameters.signal_w())),
        ("mailbox_laps", &["RCV-5"], mailbox_laps(1 << parameters.mail_w())),
        ("full_frames_received", &["RCV-4"], received(1, longest, lap(longest))),
        ("frames_beyond_the_end", &["RCV-4"], received(1, 1024, lap(1024))),
        (
            "short_frames_received",
            &["RCV-4"],
            received(1, 2, 2 * headers.min(2048) + lap(2).min(300)),
        ),
    ];
    let full = ["no_room_for_frames", "no_room_for_words"];
    let full = full.into_iter().zip(nothing_leaves(words, frames, memory));
    all.extend(full.map(|(name, case)| (name, &["HST-6", "WRT-1"][..], case)));
    if parameters.join() != 0 {
        for (_, _, run) in &mut all {
            make_whole(run);
        }
        all.push(("joined", &["JOIN-1", "JOIN-2", "JOIN-3", "JOIN-4"], joined(parameters)));
    }
    let named = |(name, about, case): (&str, &[&'static str], BoardStimulus)| Named {
        name: name.to_owned(),
        requirements: about.to_vec(),
        case,
    };
    all.into_iter().map(named)
}

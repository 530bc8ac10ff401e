// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two rings of boards with clocks of their own and a gateway between them, in the model. The hosts write in windows
//! of both rings, at their edges and beside them.
//!
//! What must come out follows from what the hosts write: on each board of the other ring the bytes of each writer, once
//! and in order, and in the end the memory.

use super::host::{Done, Host};
use crate::case::Case;
use awgstar::contract::board::{COMBINE, RETRY_LIMIT, STATUS};
use awgstar::quantity::{ByteAddress, Cycle, NodeId, narrow};
use awgstar::random::SplitMix64;
use awgstar::ring::HostOp;
use awgstar::ring::boards::{WINDOW, configure, in_window, register, wait_synced};
use awgstar::rtl::state::State as _;
use awgstar::rtl::windows::{Vectors, Window};
use awgstar::rtl::{AxilAnswer, Link, Parameters, RingGateway, Smb, SmbCore, ring_gateway, smb};
use std::collections::{BTreeMap, VecDeque};

/// Cycles of a fibre.
const FIBRE: usize = 4;
/// Steps of the first reset.
const RESET: usize = 40;
/// Bytes for each writer.
const AREA: u32 = 0x400;

/// A run of two rings.
#[derive(Clone, Debug)]
pub struct Setting {
    pub seed: u64,
    /// Boards of each ring besides the gateway.
    pub boards: [usize; 2],
    /// Lengths of a clock cycle of each ring.
    pub periods: [u64; 2],
    /// Writes of each host.
    pub writes: usize,
    /// One word on a fibre in so many has a wrong bit; 0: none.
    pub errors: u64,
    /// A ring, and the cycles in which its first fibre is dark.
    pub dark: Option<(usize, std::ops::Range<u64>)>,
    /// Cycles with room that the gates keep for a frame.
    pub wait: u16,
    /// Steps after which the run ends in any case.
    pub limit: usize,
}

impl Setting {
    /// Three boards and two, at 100 and 97 MHz, without errors.
    #[must_use]
    pub const fn usual(seed: u64) -> Self {
        Setting {
            seed,
            boards: [3, 2],
            periods: [97, 100],
            writes: 600,
            errors: 0,
            dark: None,
            wait: 2_000,
            limit: 800_000,
        }
    }
}

/// What a run has reached.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reached {
    pub steps: usize,
    /// Bytes that had to come over, of each direction.
    pub bytes: [usize; 2],
    /// Frames that needed room at the gate of each ring.
    pub judged: [u64; 2],
    /// Frames cut by the gate of each ring.
    pub cut: [u64; 2],
    /// Cycles in which a word asked and the data of its board did not return.
    pub refused: [u64; 2],
    /// Most words in the store from each ring.
    pub stored: [u16; 2],
    /// Cycles in which the host of the gateway and a word both asked.
    pub both: [u64; 2],
    /// Words with a wrong bit, and words in the dark.
    pub errors: u64,
    pub dark: u64,
    /// Accesses of all hosts.
    pub written: u64,
    pub host_refused: u64,
    pub read: u64,
}

/// A run: what the gateway got in each step, what was reached, what went wrong.
#[derive(Debug)]
pub struct Run {
    pub case: Case<RingGateway>,
    pub reached: Reached,
    pub wrong: Vec<String>,
}

/// The windows of both rings, each with its offset: they lie apart on both.
fn windows() -> [Vec<Window>; 2] {
    let window = |first: u32, last: u32, to: u32| Window {
        first: first >> 6,
        last: last >> 6,
        offset: (to >> 6).wrapping_sub(first >> 6) & ((1 << 26) - 1),
    };
    [
        // To the other ring at another place, up and down; between them is a gap.
        vec![window(0x0180, 0x073F, 0x2180), window(0x0780, 0x0CBF, 0x1780)],
        vec![window(0x0100, 0x0EFF, 0x3000)],
    ]
}

/// Where a byte of a ring comes to on the other one.
fn target(windows: &[Window], byte: u32) -> Option<u32> {
    let window = windows.iter().find(|w| (w.first..=w.last).contains(&(byte >> 6)))?;
    Some(byte.wrapping_add(window.offset << 6))
}

/// Bytes in the order of their writes.
type Bytes = VecDeque<(u32, u8)>;

/// One ring: its boards, and member 0, the gateway.
struct Side {
    boards: Vec<Smb>,
    /// Of all members; that of the gateway first.
    hosts: Vec<Host>,
    /// `fibres[i]` leads from member i to the next one.
    fibres: Vec<VecDeque<Link>>,
    cycle: u64,
    /// Bytes that must come, by board and writer of the other ring.
    due: Vec<BTreeMap<u32, Bytes>>,
}

/// Writes of one host: runs of words and parts of words, some of them on from the one before.
fn writes(random: &mut SplitMix64, writer: u32, count: usize) -> Vec<HostOp> {
    let mut all = Vec::new();
    let mut word = 0;
    while all.len() < count {
        if random.below(8) == 0 {
            all.push(match random.below(6) {
                0 => HostOp::Wait { cycles: Cycle(1 + random.below(200)) },
                _ => HostOp::Wait { cycles: Cycle(1 + random.below(8)) },
            });
        }
        if random.below(12) == 0 {
            all.push(HostOp::Read { addr: STATUS.offset });
        }
        if random.below(10) == 0 {
            word = random.number::<u32>(u64::from(AREA / 4));
        }
        let strobe = if random.below(6) == 0 {
            // Without a hole: what is refused has no part that was written.
            [1, 2, 4, 8, 3, 6, 12, 7, 14][random.number::<usize>(9)]
        } else {
            15
        };
        let addr = in_window(ByteAddress(AREA * writer + 4 * word));
        all.push(HostOp::Write { addr, data: random.next_u32(), strobe });
        word = (word + 1) % (AREA / 4);
    }
    all
}

/// What a host does to have its board in the ring.
fn joined(node: NodeId) -> Vec<HostOp> {
    let mut all = vec![register(&COMBINE, 16)];
    all.extend(configure(node, 2, 2_000, 300));
    all.push(wait_synced(Cycle(u64::MAX)));
    all
}

/// The bytes of a write, lowest first.
fn bytes(addr: u32, strobe: u8, data: u32) -> impl Iterator<Item = (u32, u8)> {
    let lanes = data.to_le_bytes();
    (0..4u32)
        .filter(move |lane| strobe >> lane & 1 != 0)
        .map(move |lane| (addr + lane, lanes[lane as usize]))
}

/// The rings before their first cycle; what must come out, and the memory of each ring in the end, as far as windows of
/// the other one reach.
fn build(setting: &Setting, random: &mut SplitMix64) -> ([Side; 2], [BTreeMap<u32, u8>; 2]) {
    let windows = windows();
    let mut last = [BTreeMap::new(), BTreeMap::new()];
    let mut due = [BTreeMap::new(), BTreeMap::new()];
    let mut rings = setting.boards.map(|boards| {
        let hosts = (0..=boards).map(|_| Host::default()).collect();
        let fibres = vec![VecDeque::from(vec![Link::default(); FIBRE]); boards + 1];
        let boards: Vec<_> = (0..boards).map(|_| Smb::new(&Parameters::DEFAULT)).collect();
        Side { due: Vec::new(), boards, hosts, fibres, cycle: 0 }
    });
    for (at, ring) in rings.iter_mut().enumerate() {
        for member in 0..ring.hosts.len() {
            // The host of the gateway writes beside the windows of its ring, and of the other one.
            let number: u8 = narrow(member);
            let mut queue = joined(NodeId(1 + number + 16 * narrow::<u8>(at)));
            let writer = if member == 0 { 4 } else { u32::from(number) - 1 };
            let accesses = writes(random, writer, setting.writes);
            for access in &accesses {
                let HostOp::Write { addr, data, strobe } = *access else { continue };
                for (byte, value) in bytes(addr.0 - WINDOW.0, strobe, data) {
                    if let Some(far) = target(&windows[at], byte).filter(|_| member > 0) {
                        due[1 - at]
                            .entry(writer)
                            .or_insert_with(Bytes::new)
                            .push_back((far, value));
                        last[1 - at].insert(far, value);
                    }
                }
            }
            queue.extend(accesses);
            ring.hosts[member] = Host::new(queue);
        }
    }
    for (ring, due) in rings.iter_mut().zip(due) {
        ring.due = vec![due; ring.boards.len()];
    }
    (rings, last)
}

impl Side {
    /// The word that comes out of fibre `i` in this cycle.
    fn arrives(&mut self, i: usize) -> Link {
        self.fibres[i].pop_front().unwrap_or_default()
    }

    /// The edge of all boards. `words` are what they get, and `out` what the gateway sends.
    fn clock(&mut self, rst: bool, mut words: Vec<Link>, out: Link, host: &AxilAnswer) {
        self.hosts[0].clock(host);
        self.fibres[0].push_back(out);
        for (i, board) in self.boards.iter_mut().enumerate() {
            let s_axi = self.hosts[i + 1].drive();
            let inputs = smb::Inputs { rst, s_axi, s_axis: std::mem::take(&mut words[i]) };
            let o = board.step(&inputs);
            self.hosts[i + 1].clock(&o.s_axi);
            self.fibres[i + 1].push_back(o.m_axis);
        }
        self.cycle += 1;
    }

    /// Looks at what is written in the memory of each board and belongs to the other ring.
    fn look(&mut self, far: &[Window], name: char, wrong: &mut Vec<String>) {
        for (i, board) in self.boards.iter().enumerate() {
            let writer = &board.u_writer;
            for (byte, value) in bytes(4 * writer.mem_addr_q, writer.mem_we_q, writer.mem_wdata_q) {
                // Of whom it is shows where it came from.
                let Some(from) = source(far, byte) else { continue };
                let next = self.due[i].get_mut(&(from / AREA)).and_then(VecDeque::pop_front);
                if next != Some((byte, value)) && wrong.len() < 20 {
                    let cycle = self.cycle;
                    wrong.push(format!(
                        "ring {name}, board {}, cycle {cycle}: {value:02x} at {byte:x}, not {next:x?}",
                        i + 1
                    ));
                }
            }
        }
    }
}

/// The byte of the other ring whose target this is.
fn source(windows: &[Window], byte: u32) -> Option<u32> {
    windows.iter().find_map(|window| {
        let from = byte.wrapping_sub(window.offset << 6);
        (window.first..=window.last).contains(&(from >> 6)).then_some(from)
    })
}

/// A wrong bit in a word that comes out of fibre `from`. Each fibre has bits that only it inverts: a bit that is wrong
/// at one board and right again at the next is a loss that no source can see.
fn disturb(word: &mut Link, random: &mut SplitMix64, errors: u64, from: usize) -> bool {
    if word.tvalid && errors != 0 && random.below(errors) == 0 {
        word.tdata ^= 1 << (6 * random.number::<usize>(5) + from);
        return true;
    }
    false
}

/// The bytes of a memory that differ from what they must be.
fn differing(board: &SmbCore, last: &BTreeMap<u32, u8>) -> usize {
    let at = |byte: u32| board.u_memory.mem[byte as usize / 4].to_le_bytes()[byte as usize % 4];
    last.iter().filter(|&(&byte, &value)| at(byte) != value).count()
}

/// Runs it until all that must come has come.
///
/// # Panics
/// If a ring has more than four boards besides the gateway.
#[must_use]
pub fn run(setting: &Setting) -> Run {
    assert!(setting.boards.iter().all(|&n| n <= 4), "{setting:?}");
    let mut random = SplitMix64::new(setting.seed);
    let (mut rings, last) = build(setting, &mut random);
    let mut gateway = RingGateway::new(&Parameters::DEFAULT);
    let windows = windows();
    let [a, b] = windows.each_ref().map(|all| Vectors::of(all));
    let mut i = ring_gateway::Inputs {
        a_cfg_valid: a.valid,
        a_cfg_first: a.first,
        a_cfg_last: a.last,
        a_cfg_offset: a.offset,
        a_cfg_wait: setting.wait,
        b_cfg_valid: b.valid,
        b_cfg_first: b.first,
        b_cfg_last: b.last,
        b_cfg_offset: b.offset,
        b_cfg_wait: setting.wait,
        ..ring_gateway::Inputs::default()
    };
    let mut reached = Reached {
        bytes: [1, 0].map(|to: usize| rings[to].due[0].values().map(VecDeque::len).sum()),
        ..Reached::default()
    };
    let (mut inputs, mut wrong) = (Vec::new(), Vec::new());
    // When each clock rises next.
    let mut next = [0, 0];
    while inputs.len() < setting.limit {
        let now = next[0].min(next[1]);
        let rises = next.map(|at| at == now);
        let rst = inputs.len() < RESET;
        (i.a_clk, i.b_clk) = (rises[0], rises[1]);
        (i.a_rst, i.b_rst) = (rst, rst);
        let mut words = [Vec::new(), Vec::new()];
        for (at, ring) in rings.iter_mut().enumerate().filter(|&(at, _)| rises[at]) {
            next[at] += setting.periods[at];
            let members = ring.hosts.len();
            let mut arrived: Vec<Link> = (0..members).map(|from| ring.arrives(from)).collect();
            for (from, word) in arrived.iter_mut().enumerate() {
                reached.errors += u64::from(disturb(word, &mut random, setting.errors, from));
                let dark = setting.dark.as_ref().is_some_and(|(of, cycles)| {
                    *of == at && from == 0 && cycles.contains(&ring.cycle)
                });
                if dark {
                    reached.dark += u64::from(word.tvalid);
                    *word = Link::default();
                }
            }
            // The last fibre leads to the gateway.
            let to_gateway = arrived.pop().unwrap_or_default();
            let host = ring.hosts[0].drive();
            if at == 0 {
                (i.a_in, i.a_axi) = (to_gateway, host);
            } else {
                (i.b_in, i.b_axi) = (to_gateway, host);
            }
            words[at] = arrived;
        }
        let o = gateway.outputs(&i);
        inputs.push(i);
        count(&mut reached, &gateway, rises, &o, rst, &mut wrong);
        gateway.clock(&i);
        let said = [(o.a_out, o.a_axi), (o.b_out, o.b_axi)];
        for (at, ring) in rings.iter_mut().enumerate().filter(|&(at, _)| rises[at]) {
            if !rst {
                ring.look(&windows[1 - at], ['a', 'b'][at], &mut wrong);
            }
            ring.clock(rst, std::mem::take(&mut words[at]), said[at].0, &said[at].1);
        }
        let done = rings.iter().all(|ring| {
            ring.hosts.iter().all(|host| host.queue.is_empty())
                && ring.due.iter().flat_map(BTreeMap::values).all(VecDeque::is_empty)
        });
        if done || wrong.len() >= 20 {
            break;
        }
    }
    for (at, ring) in rings.iter().enumerate() {
        let name = ['a', 'b'][at];
        let missing: usize = ring.due.iter().flat_map(BTreeMap::values).map(VecDeque::len).sum();
        let hosts: usize = ring.hosts.iter().map(|host| host.queue.len()).sum();
        if missing + hosts > 0 {
            wrong.push(format!("ring {name}: {missing} bytes missing, {hosts} accesses left"));
        }
        let mut members: Vec<&SmbCore> = ring.boards.iter().map(|board| &**board).collect();
        members.push(if at == 0 { &gateway.u_a_board } else { &gateway.u_b_board });
        for (number, board) in members.into_iter().enumerate() {
            let bad = differing(board, &last[at]);
            if bad > 0 {
                wrong.push(format!("ring {name}, memory {number}: {bad} bytes differ in the end"));
            }
        }
        for Done { written, refused, read } in ring.hosts.iter().map(|host| host.done) {
            reached.written += written;
            reached.host_refused += refused;
            reached.read += read;
        }
    }
    reached.steps = inputs.len();
    Run { case: Case::fed(inputs), reached, wrong }
}

/// Counts what the gateway does in a step.
fn count(
    reached: &mut Reached,
    gateway: &RingGateway,
    rises: [bool; 2],
    o: &ring_gateway::Outputs,
    rst: bool,
    wrong: &mut Vec<String>,
) {
    let cut = [o.a_ev_cut, o.b_ev_cut];
    let (lost, range) = ([o.a_ev_lost, o.b_ev_lost], [o.a_ev_range, o.b_ev_range]);
    let boards = [&gateway.u_a_board, &gateway.u_b_board];
    let decides = [&gateway.u_a_gate, &gateway.u_b_gate].map(|gate| gate.asks_q);
    let stores = [&gateway.u_a_store, &gateway.u_b_store];
    for at in (0..2).filter(|&at| rises[at] && !rst) {
        reached.cut[at] += u64::from(cut[at]);
        if lost[at] || range[at] {
            wrong.push(format!("ring {at}: a word is lost ({}) or beyond the memory", lost[at]));
        }
        // GWY-1: when a frame is at the gate, all before it are whole in the receive buffer, or dropped.
        if decides[at] {
            let buffer = &boards[at].u_node.u_rx_buffer;
            reached.judged[at] += 1;
            if buffer.wr_ptr_q != buffer.commit_ptr_q {
                wrong.push(format!("ring {at}: a frame is not whole when the next one is judged"));
            }
        }
        let inject = &boards[at].u_inject;
        let host = boards[at].u_axil.state_q == awgstar::rtl::axil_port::BUSY;
        reached.both[at] += u64::from(inject.full_q && host);
        // The board refuses a word while its data does not return and it has no room.
        let refuses = boards[at].u_data.retries_q == narrow::<u8>(RETRY_LIMIT);
        reached.refused[at] += u64::from(inject.mine_q && refuses);
        let held = stores[at].wr_ptr_q.wrapping_sub(stores[at].rd_ptr_q) & 0x7FF;
        reached.stored[at] = reached.stored[at].max(held);
    }
}

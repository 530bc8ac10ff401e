// SPDX-License-Identifier: MIT OR Apache-2.0
//! Both ports of the shared memory at one word, in one cycle and one cycle apart.

use super::counts::Reached;
use super::place::Place;
use crate::machine::Machine;
use crate::shape::Shape;
use awgstar::rtl::state::Ports as _;
use awgstar::rtl::{axi4_port, host_window, shared_memory};

/// Group of these events.
pub(super) const GROUP: &str = "memory ports";

/// What the host does at the word that the ring writes, in the order of [`NAMES`].
#[derive(Clone, Copy, Debug)]
enum Host {
    Reads,
    /// No lane is one of the ring's.
    WritesOthers,
    /// Some lanes are the ring's, not all of both.
    WritesSome,
    /// The lanes are those of the ring, but not all four.
    WritesSame,
    /// Both write all four.
    WritesAll,
}

/// Names of the events by what the host does, and whether before, with or after the ring.
const NAMES: [[&str; 3]; 5] = [
    ["read before a write", "read with a write", "read after a write"],
    ["other lanes before a write", "other lanes with a write", "other lanes after a write"],
    ["some lanes before a write", "some lanes with a write", "some lanes after a write"],
    ["same lanes before a write", "same lanes with a write", "same lanes after a write"],
    ["all lanes before a write", "all lanes with a write", "all lanes after a write"],
];

impl Host {
    fn of(port: PortA, ring: u8) -> Host {
        match port.lanes {
            0 => Host::Reads,
            lanes if lanes & ring == 0 => Host::WritesOthers,
            lanes if lanes != ring => Host::WritesSome,
            15 => Host::WritesAll,
            _ => Host::WritesSame,
        }
    }
}

/// An access at port A: lanes 0 is a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PortA {
    word: u32,
    lanes: u8,
}

/// A write at port B.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PortB {
    word: u32,
    lanes: u8,
}

/// The cycle before, of a board.
#[derive(Clone, Copy, Debug, Default)]
struct Last {
    host: Option<PortA>,
    ring: Option<PortB>,
}

/// Counts of a case.
#[derive(Debug)]
pub(super) struct Memories {
    rst: Place,
    /// `state_q` and `mem_we_q` of the module that writes for the ring.
    writer: [Place; 2],
    last: Vec<Last>,
    /// In the order of [`NAMES`].
    counts: [[u64; 3]; 5],
    /// Lanes of both in one cycle, the host's in the upper half.
    pairs: [u64; 256],
}

impl Memories {
    /// Of a board with a memory, seen from its top.
    pub(super) fn new(shape: &Shape, nodes: usize) -> Option<Self> {
        let register = |name: &str| {
            let mut words = shape.register_words();
            words.find(|(path, ..)| *path == name).map(|(_, bits, at)| Place { at, bits })
        };
        let mut inputs = shape.input_words();
        Some(Memories {
            rst: inputs
                .find(|(name, ..)| *name == "rst")
                .map(|(_, bits, at)| Place { at, bits })?,
            writer: [register("u_writer.state_q")?, register("u_writer.mem_we_q")?],
            last: vec![Last::default(); nodes],
            counts: [[0; 3]; 5],
            pairs: [0; 256],
        })
    }

    /// One cycle of a board, before the edge. Its ports are looked at only where the ring writes, has just
    /// written or is about to.
    pub(super) fn see<M: Machine>(
        &mut self,
        node: usize,
        (machine, inputs): (&M, &M::Inputs),
        image: &[u32],
        registers: &[u32],
    ) {
        let last = std::mem::take(&mut self.last[node]);
        let writes = self.writer.iter().any(|place| place.of(registers) != 0);
        if self.rst.of(image) != 0 || !(writes || last.ring.is_some()) {
            return;
        }
        let (host, ring) = ports(machine, inputs);
        let met = [(last.host, ring), (host, ring), (host, last.ring)];
        for (when, pair) in met.into_iter().enumerate() {
            if let (Some(host), Some(ring)) = pair
                && host.word == ring.word
            {
                self.counts[Host::of(host, ring.lanes) as usize][when] += 1;
                if when == 1 {
                    self.pairs[usize::from(host.lanes << 4 | ring.lanes)] += 1;
                }
            }
        }
        self.last[node] = Last { host, ring };
    }

    pub(super) fn add_to(&self, reached: &mut Reached) {
        for (names, counts) in NAMES.iter().zip(self.counts) {
            for (name, count) in names.iter().zip(counts) {
                reached.add(GROUP, name, count);
            }
        }
    }
}

/// The accesses at both ports of the memory of a board in one cycle.
fn ports<M: Machine>(machine: &M, inputs: &M::Inputs) -> (Option<PortA>, Option<PortB>) {
    let mut memory: Option<shared_memory::Inputs> = None;
    let mut window_in: Option<host_window::Inputs> = None;
    let (mut window_done, mut word_read, mut last) = (false, false, String::new());
    machine.look(inputs, &mut |instance, _, image| {
        // Inputs come first.
        let outputs = last == instance;
        match (instance, outputs) {
            ("u_memory", false) => memory = Some(shared_memory::Inputs::unpack(image)),
            ("u_window", false) => window_in = Some(host_window::Inputs::unpack(image)),
            ("u_window", true) => window_done = host_window::Outputs::unpack(image).win_done,
            ("u_axi4", true) => word_read = axi4_port::Outputs::unpack(image).mem_read,
            _ => {}
        }
        instance.clone_into(&mut last);
    });
    let (Some(memory), Some(window)) = (memory, window_in) else { return (None, None) };
    // A read through the window is done a cycle after the memory was asked.
    let asks = window.win_valid && !window.win_write && !window_done;
    let host = memory.a_we != 0 || asks || word_read;
    let host = host.then_some(PortA { word: memory.a_addr, lanes: memory.a_we });
    let ring = PortB { word: memory.b_addr, lanes: memory.b_we };
    (host, (ring.lanes != 0).then_some(ring))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{burst, directed, one_word};
    use crate::case::Case;
    use crate::shape::image;
    use awgstar::rtl::{Smb, SmbAxi4};

    /// Lanes that a port writes in one cycle: one after the other.
    const RUNS: [u8; 10] = [1, 2, 4, 8, 3, 6, 12, 7, 14, 15];

    fn seen<M: Machine>(cases: impl IntoIterator<Item = Case<M>>) -> Memories {
        let shape = M::shape();
        let mut all = Memories::new(shape, 1).unwrap();
        for case in cases {
            let mut bench = case.bench().unwrap();
            let mut registers = vec![0; shape.words[2]];
            all.last.fill(Last::default());
            while !bench.done() {
                bench.step(&mut |_, machine: &M, inputs, _| {
                    machine.pack(&mut registers);
                    all.see(0, (machine, inputs), &image(inputs), &registers);
                });
            }
        }
        all
    }

    /// Each event, and each pair of lanes in one cycle, is reached; no other pair is, because both ports write
    /// runs of lanes: a write of the host with a gap in it takes two cycles.
    fn complete(seen: &Memories) {
        let mut reached = Reached::default();
        seen.add_to(&mut reached);
        assert_eq!(reached.never(GROUP), None, "{:?}", reached.lines());
        for host in 0..16_u8 {
            for ring in 0..16_u8 {
                let due = (host == 0 || RUNS.contains(&host)) && RUNS.contains(&ring);
                let count = seen.pairs[usize::from(host << 4 | ring)];
                assert_eq!(count > 0, due, "host {host:04b}, ring {ring:04b}: {count} times");
            }
        }
    }

    #[test]
    fn a_board_has_both_ports_at_one_word() {
        let own = |name: &str| name.starts_with(one_word::PREFIX);
        let named = directed::named().into_iter().filter(|named| own(&named.name));
        complete(&seen::<Smb>(named.map(|named| named.case)));
    }

    #[test]
    fn a_board_with_bursts_has_both_ports_at_one_word() {
        let own = |name: &str| name.starts_with(one_word::PREFIX);
        let named = burst::named().into_iter().filter(|named| own(&named.name));
        complete(&seen::<SmbAxi4>(named.map(|named| named.case)));
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Boards that are reset while others write, and get the memory of the ring (JOIN-1 to JOIN-6, DRV-11).

use awgstar_board::ring::boards::Cut;
use awgstar_board::ring::boards::{configure, count};
use awgstar_board::ring::{BoardRing, BoardScenario, HostOp};
use awgstar_board::rtl::Parameters;
use awgstar_frame::contract::{BoardCounter, board};
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId, narrow};
use awgstar_frame::random::SplitMix64;
use awgstar_host::{CustomHost, Role, Station};
use awgstar_sync::firmware::join::Plan;

const TIMEOUT: u32 = 3_000;
const PERIOD: u32 = 1_000;
/// Words of the memory.
const WORDS: u32 = 1 << 8;

/// Boards with their hosts.
struct Bench {
    ring: BoardRing,
    hosts: Vec<Station>,
    incarnation: u32,
    /// What each replica that is whole had; a word never becomes less.
    seen: Vec<Option<Vec<u32>>>,
    /// Words of whole replicas that have changed.
    changes: usize,
}

fn scenario(boards: usize) -> BoardScenario {
    let parameters = Parameters::DEFAULT.with("smb", "JOIN", 1).expect("good");
    let parameters = parameters.with("smb", "MEM_ADDR_W", 8).expect("good");
    BoardScenario { parameters, ..BoardScenario::new(boards) }
}

impl Bench {
    fn new(scenario: &BoardScenario) -> Bench {
        let mut ring = BoardRing::new(scenario).expect("good");
        (0..scenario.boards).for_each(|i| ring.replica_mut(i).watch());
        let host = |node| Station::new(configure(node, 2, TIMEOUT, PERIOD), Role::First, Cycle(0));
        let hosts = NodeId::all(scenario.boards).map(host).collect();
        Bench { ring, hosts, incarnation: 0, seen: vec![None; scenario.boards], changes: 0 }
    }

    fn run(&mut self, cycles: u64) {
        self.run_until(cycles, |_| false);
    }

    /// Returns false if that did not come to be.
    fn run_until(&mut self, cycles: u64, done: impl Fn(&Bench) -> bool) -> bool {
        let end = self.ring.cycle() + Cycle(cycles);
        while self.ring.cycle() < end {
            if done(self) {
                return true;
            }
            for (i, host) in self.hosts.iter_mut().enumerate() {
                if self.ring.is_idle(i) {
                    let results = self.ring.take_results(i);
                    let ops = host.next(self.ring.cycle(), &results);
                    self.ring.push(i, ops).expect("good");
                }
            }
            self.ring.run_until(self.ring.cycle() + Cycle(1));
            self.look();
        }
        done(self)
    }

    /// A replica that is whole does not go back.
    fn look(&mut self) {
        for (i, seen) in self.seen.iter_mut().enumerate() {
            let whole = self.ring.board(i).u_fence.whole_q;
            let words: &mut Vec<u32> = match seen {
                Some(words) if whole => words,
                _ => {
                    self.ring.replica_mut(i).take_changes().for_each(drop);
                    *seen = whole.then(|| self.ring.board(i).u_memory.mem.to_vec());
                    continue;
                }
            };
            for (at, now) in self.ring.replica_mut(i).take_changes() {
                for (word, (old, &new)) in (at..).zip(words[at..].iter_mut().zip(now)) {
                    assert!(new >= *old, "board {i}, word {word}: {new} after {old}");
                    self.changes += usize::from(new > *old);
                    *old = new;
                }
            }
        }
    }

    fn reset(&mut self, i: usize, compare: bool) {
        self.incarnation += 1;
        let peers = NodeId::all(self.hosts.len()).filter(|node| node.index() != i).collect();
        let plan = Plan { peers, words: WORDS, incarnation: self.incarnation, compare };
        self.ring.reset(i, Cycle(3)).expect("good");
        self.ring.take_results(i);
        self.hosts[i].reset(plan);
    }

    fn quiet(&self) -> bool {
        let board = |i| {
            let board: &awgstar_board::rtl::Smb = self.ring.board(i);
            !board.u_combiner.open_q && board.u_data.base_q == board.u_data.tail_q
        };
        self.hosts.iter().all(CustomHost::ended) && (0..self.hosts.len()).all(board)
    }

    /// What each board and its host wait for.
    fn state(&self) -> String {
        let of = |(i, host): (usize, &Station)| {
            let board = self.ring.board(i);
            let (fence, data) = (&board.u_fence, &board.u_data);
            let (base, fresh, tail) = (data.base_q, data.fresh_q, data.tail_q);
            format!(
                "{i}: {host:?}\n{fence:?}\ndata {base} {fresh} {tail}, synced {}\n",
                board.u_control.synced_q
            )
        };
        self.hosts.iter().enumerate().map(of).collect()
    }

    fn replica(&self, i: usize) -> &[u32] {
        &self.ring.board(i).u_memory.mem
    }

    fn equal(&self) -> Result<(), String> {
        for i in 1..self.hosts.len() {
            let (first, other) = (self.replica(0), self.replica(i));
            if let Some(at) = first.iter().zip(other).position(|(a, b)| a != b) {
                let (a, b) = (first[at], other[at]);
                return Err(format!("word {at}: board 0 has {a:#x}, board {i} has {b:#x}"));
            }
        }
        Ok(())
    }

    fn whole(&self, i: usize) -> bool {
        self.ring.board(i).u_fence.whole_q
    }
}

/// A board that is reset while nothing is written has a stale replica, says so, and gets the words.
#[test]
fn one_board_joins() {
    for compare in [false, true] {
        let mut bench = Bench::new(&scenario(3));
        assert!(bench.run_until(50_000, Bench::quiet));
        for k in 0..40u32 {
            bench.hosts[0].write(ByteAddress(16 * k), vec![narrow(k + 1); 12]);
        }
        assert!(bench.run_until(100_000, Bench::quiet));
        bench.run(1_000);
        bench.equal().expect("before the reset");
        bench.reset(2, compare);
        // What its memory holds after the reset is not that of the ring.
        for word in bench.ring.replica_mut(2).iter_mut().skip(3) {
            *word = 0xdead_beef;
        }
        bench.run(200);
        assert!(!bench.whole(2));
        assert!(bench.run_until(400_000, Bench::quiet), "{:?}", bench.hosts[2]);
        assert!(bench.whole(2));
        bench.run(1_000);
        bench.equal().expect("behind the reset");
    }
}

/// Writes of the host are refused until the replica is whole.
#[test]
fn no_write_before_it_is_whole() {
    let mut bench = Bench::new(&scenario(2));
    let write = HostOp::Write { addr: ByteAddress(1 << 31), data: 1, strobe: 15 };
    bench.ring.push(0, [write]).expect("good");
    bench.ring.run_until(Cycle(2_000));
    let results = bench.ring.take_results(0);
    assert_eq!(results[0].outcome, awgstar_board::ring::Outcome::Refused);
    assert_eq!(bench.replica(0)[0], 0);
}

/// Boards are reset, replaced and cut off under load, again and again: a word of a replica that is whole never goes
/// back, and all replicas are whole and equal when all is quiet.
#[test]
fn under_load() {
    load(3);
}

/// More than a thousand resets.
#[test]
#[ignore = "long: a minute"]
fn a_thousand_times() {
    let resets = load(130);
    assert!(resets >= 1_000, "{resets} resets");
}

/// Rings of four boards; the number of resets.
fn load(seeds: u64) -> u32 {
    let (mut resets, mut gaps, mut changes, mut value) = (0, 0, 0, 0_u32);
    for seed in 0..seeds {
        let mut random = SplitMix64::new(seed);
        let mut faulty = scenario(4);
        faulty.fibre = (0..4).map(|_| random.number::<u32>(60)).collect();
        if seed % 2 == 1 {
            faulty.noise.rate = 300;
            faulty.noise.seed = seed;
        }
        if seed % 3 == 2 {
            let mut cut = |k: u64| {
                let from = 8_000 + 40_000 * k + random.below(20_000);
                let until = Cycle(from + 1 + random.below(8_000));
                Cut { link: random.number(4), from: Cycle(from), until }
            };
            faulty.cuts = (0..6).map(&mut cut).collect();
        }
        let mut bench = Bench::new(&faulty);
        assert!(bench.run_until(200_000, Bench::quiet));
        for round in 0..6 {
            for i in 0..4usize {
                for _ in 0..30 {
                    // Words of the writer, each with a greater value than before.
                    let word = 64 * narrow::<u32>(i) + random.number::<u32>(60);
                    value += 1;
                    bench.hosts[i].write(ByteAddress(4 * word), value.to_le_bytes().to_vec());
                }
            }
            bench.run(random.below(4_000));
            let i = random.number::<usize>(4);
            bench.reset(i, random.once_in(2));
            if random.once_in(3) {
                // Another board in its place.
                let words = bench.ring.replica_mut(i);
                words.iter_mut().for_each(|word| *word = random.next_u32());
            }
            resets += 1;
            if random.once_in(3) {
                bench.run(random.below(30_000));
                bench.reset((i + 1 + random.number::<usize>(3)) % 4, false);
                resets += 1;
            }
            let quiet = bench.run_until(3_000_000, Bench::quiet);
            assert!(quiet, "seed {seed}, round {round}: {}", bench.state());
            bench.run(4_000);
            bench.equal().unwrap_or_else(|error| panic!("seed {seed}, round {round}: {error}"));
        }
        changes += bench.changes;
        let gap = |i| count(bench.ring.board(i), BoardCounter::DataGap);
        gaps += (0..4).map(gap).sum::<u32>();
    }
    assert!(
        u64::from(gaps) > 5 * seeds && narrow::<u64>(changes) > 1_000 * seeds,
        "{gaps} frames dropped, {changes} words"
    );
    println!("{resets} resets, {gaps} frames dropped, {changes} words of whole replicas");
    resets
}

/// A board that cannot join has no such registers.
#[test]
fn a_board_that_cannot() {
    let mut ring = BoardRing::new(&BoardScenario::new(2)).expect("good");
    ring.push(0, [HostOp::Read { addr: board::JOIN_STATUS.offset }]).expect("good");
    ring.run_until(Cycle(100));
    assert_eq!(ring.results(0)[0].outcome, awgstar_board::ring::Outcome::Refused);
}

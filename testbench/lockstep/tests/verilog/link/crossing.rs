// SPDX-License-Identifier: MIT OR Apache-2.0
//! `axil_crossing` step by step: model and Verilog with the same inputs and the same edges of both clocks;
//! every output, register and memory word is compared in every step. What goes in must come out once, in order.

use super::step::compared;
use super::{Tool, repository};
use awgstar::random::SplitMix64;
use awgstar::rtl::{AxilAnswer, AxilRequest};
use awgstar::rtl::{AxilCrossing, Parameters, axil_crossing};
use awgstar_simulator::SimError;
use awgstar_stimulus::Case;
use std::collections::VecDeque;
use std::path::Path;

/// Steps of a reset.
const RESET: usize = 24;

/// What the random steps reached.
#[derive(Debug, Default)]
pub(super) struct Reached {
    /// Words that crossed, of each channel.
    pub crossed: [u64; 5],
    /// Steps in which a channel was full and a word was offered.
    pub full: [u64; 5],
    /// Words that were offered while the side that takes them was in reset.
    pub in_reset: u64,
    /// Words that came out and were not the next that went in.
    pub wrong: u64,
    /// Answers to accesses that a clear had given up.
    pub dropped: u64,
    /// Addresses of writes that a clear left without data.
    pub owed: u64,
    /// Words and answers that had not come out in the end.
    pub left: usize,
}

/// What is inside, by the rules: words of each channel, those of answers with the number of clears before their access.
#[derive(Default)]
struct Inside {
    words: [VecDeque<(u64, u64)>; 5],
    clears: u64,
    /// Numbers of clears before the writes and the reads that the board has not answered.
    writes: VecDeque<u64>,
    reads: VecDeque<u64>,
    /// Addresses of writes at the host whose data have not come.
    ahead: u64,
    /// Of each kind that the board has taken: addresses and data of writes, reads.
    taken: [u64; 3],
}

impl Inside {
    /// A board answers what it has; what it offers in reset is not taken.
    fn answers(&self, i: &mut axil_crossing::Inputs) {
        i.m_axi.bvalid &= i.m_rst || self.taken[0] > 0 && self.taken[1] > 0;
        i.m_axi.rvalid &= i.m_rst || self.taken[2] > 0;
    }

    /// A step: words that go in and come out, of each channel. A word goes out before this step's goes in.
    fn step(&mut self, moved: [(Option<u64>, Option<u64>); 5], clear: bool, reached: &mut Reached) {
        for (at, (put, taken)) in moved.into_iter().enumerate() {
            if let Some(word) = taken {
                reached.crossed[at] += 1;
                if at >= B {
                    let old = self.words[at].iter().take_while(|&&(of, _)| of < self.clears);
                    let old = old.count();
                    reached.dropped += old as u64;
                    self.words[at].drain(..old);
                }
                let next = self.words[at].pop_front();
                reached.wrong += u64::from(next.map(|(_, word)| word) != Some(word));
                if at < B {
                    self.taken[at] += 1;
                }
            }
            let Some(word) = put else { continue };
            let of = match at {
                AW => {
                    self.ahead += 1;
                    self.writes.push_back(self.clears);
                    0
                }
                W => {
                    self.ahead -= 1;
                    0
                }
                AR => {
                    self.reads.push_back(self.clears);
                    0
                }
                B => {
                    (self.taken[0], self.taken[1]) = (self.taken[0] - 1, self.taken[1] - 1);
                    self.writes.pop_front().unwrap()
                }
                _ => {
                    self.taken[2] -= 1;
                    self.reads.pop_front().unwrap()
                }
            };
            self.words[at].push_back((of, word));
        }
        if clear {
            // Data without strobes follow what was an address alone.
            self.clears += 1;
            reached.owed += self.ahead;
            self.words[W].extend((0..std::mem::take(&mut self.ahead)).map(|_| (0, 0)));
        }
    }

    /// What should have come out and has not.
    fn left(&self) -> usize {
        let answers = self.words[B..].iter().flatten().filter(|(of, _)| *of == self.clears);
        self.words[..B].iter().map(VecDeque::len).sum::<usize>() + answers.count()
    }
}

/// Channels, as in [`Reached`].
const AW: usize = 0;
const W: usize = 1;
const AR: usize = 2;
const B: usize = 3;

/// Steps at the end in which nothing is offered and all is taken.
const LAST: usize = 400;

/// Which clocks rise, with one faster than the other or both at once.
fn ticks(random: &mut SplitMix64, ratio: u64, number: usize) -> (bool, bool) {
    match (ratio, random.below(8)) {
        (_, 0) => (true, true),
        (1, 1..6) => (true, false),
        (2, 1..6) => (false, true),
        _ => (number.is_multiple_of(2), !number.is_multiple_of(2)),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "random bits")]
fn inputs(
    random: &mut SplitMix64,
    (number, count): (usize, usize),
    before: &axil_crossing::Inputs,
) -> axil_crossing::Inputs {
    // Mostly one side does not take, or the other does not offer, or both go on.
    let (offer, take) = [(7, 7), (7, 1), (1, 7), (4, 4)][number / 97 % 4];
    let last = number + LAST > count;
    let (offer, answer, take) = if last { (0, 8, 8) } else { (offer, offer, take) };
    let mut yes = |of: u64| random.below(8) < of;
    let [aw, w, ar] = [(); 3].map(|()| yes(offer));
    let [b, r] = [(); 2].map(|()| yes(answer));
    let ready = [(); 5].map(|()| yes(take));
    let mut i = axil_crossing::Inputs {
        s_axi: AxilRequest {
            awaddr: random.next_u64() as u32,
            awprot: random.next_u64() as u8 & 7,
            awvalid: aw,
            wdata: random.next_u64() as u32,
            wstrb: random.next_u64() as u8 & 15,
            wvalid: w,
            bready: ready[3],
            araddr: random.next_u64() as u32,
            arprot: random.next_u64() as u8 & 7,
            arvalid: ar,
            rready: ready[4],
        },
        m_axi: AxilAnswer {
            awready: ready[0],
            wready: ready[1],
            bresp: random.next_u64() as u8 & 3,
            bvalid: b,
            arready: ready[2],
            rdata: random.next_u64() as u32,
            rresp: random.next_u64() as u8 & 3,
            rvalid: r,
        },
        ..*before
    };
    // Both resets begin at once; now this one ends first and now that one.
    let at = number % 1500;
    let more = number / 1500 % 3 * 6;
    i.s_rst = at < RESET - more;
    i.m_rst = at < RESET - 12 + more;
    // The host alone is reset for some steps, in which its clock may not rise.
    i.s_clear = !last && at > 100 && number % 311 < number / 311 % 5;
    let ratio = (number / 200 % 4) as u64;
    (i.s_clk, i.m_clk) = if at < RESET {
        (number.is_multiple_of(2), !number.is_multiple_of(2))
    } else {
        ticks(random, ratio, number)
    };
    i
}

/// Words offered and taken on both sides of each channel in this step: (in, out).
fn moved(i: &axil_crossing::Inputs, o: &axil_crossing::Outputs) -> [(Option<u64>, Option<u64>); 5] {
    let word = |high: u8, low: u32| u64::from(high) << 32 | u64::from(low);
    let put = |clk: bool, valid: bool, ready: bool, word| (clk && valid && ready).then_some(word);
    // A word that is taken in reset goes nowhere.
    let (s_clk, m_clk) = (i.s_clk && !i.s_rst, i.m_clk && !i.m_rst);
    [
        (
            put(i.s_clk, i.s_axi.awvalid, o.s_axi.awready, word(i.s_axi.awprot, i.s_axi.awaddr)),
            put(m_clk, o.m_axi.awvalid, i.m_axi.awready, word(o.m_axi.awprot, o.m_axi.awaddr)),
        ),
        (
            put(i.s_clk, i.s_axi.wvalid, o.s_axi.wready, word(i.s_axi.wstrb, i.s_axi.wdata)),
            put(m_clk, o.m_axi.wvalid, i.m_axi.wready, word(o.m_axi.wstrb, o.m_axi.wdata)),
        ),
        (
            put(i.s_clk, i.s_axi.arvalid, o.s_axi.arready, word(i.s_axi.arprot, i.s_axi.araddr)),
            put(m_clk, o.m_axi.arvalid, i.m_axi.arready, word(o.m_axi.arprot, o.m_axi.araddr)),
        ),
        (
            put(i.m_clk, i.m_axi.bvalid, o.m_axi.bready, i.m_axi.bresp.into()),
            put(s_clk, o.s_axi.bvalid, i.s_axi.bready, o.s_axi.bresp.into()),
        ),
        (
            put(i.m_clk, i.m_axi.rvalid, o.m_axi.rready, word(i.m_axi.rresp, i.m_axi.rdata)),
            put(s_clk, o.s_axi.rvalid, i.s_axi.rready, word(o.s_axi.rresp, o.s_axi.rdata)),
        ),
    ]
}

/// Random inputs, and what they reach.
fn case(seed: u64, count: usize) -> (Case<AxilCrossing>, Reached) {
    let mut all = Vec::new();
    let mut model = AxilCrossing::default();
    let mut random = SplitMix64::new(seed);
    let mut i = axil_crossing::Inputs::default();
    let mut reached = Reached::default();
    let mut inside = Inside::default();
    for number in 0..count {
        i = inputs(&mut random, (number, count), &i);
        inside.answers(&mut i);
        let o = model.outputs(&i);
        all.push(i);
        let offered = [
            (i.s_axi.awvalid, o.s_axi.awready, i.s_rst),
            (i.s_axi.wvalid, o.s_axi.wready, i.s_rst),
            (i.s_axi.arvalid, o.s_axi.arready, i.s_rst),
            (i.m_axi.bvalid, o.m_axi.bready, i.m_rst),
            (i.m_axi.rvalid, o.m_axi.rready, i.m_rst),
        ];
        for (full, (valid, ready, rst)) in reached.full.iter_mut().zip(offered) {
            *full += u64::from(valid && !ready && !rst);
            reached.in_reset += u64::from(valid && rst && number > RESET);
        }
        inside.step(moved(&i, &o), i.s_clk && i.s_clear, &mut reached);
        model.clock(&i);
        if number % 1500 < 3 {
            inside = Inside::default();
        }
    }
    reached.left = inside.left();
    (Case::fed(all), reached)
}

/// The first differences of the Verilog in `hdl` from the model.
pub(super) fn differences(
    tool: Tool,
    hdl: &Path,
    out: &Path,
    seed: u64,
    count: usize,
) -> Result<Vec<String>, SimError> {
    compared::<AxilCrossing>(tool, &Parameters::DEFAULT, (hdl, out), &[case(seed, count).0])
}

fn holds(tool: Tool, seed: u64, count: usize) {
    let root = repository();
    let found = differences(tool, &root.join("hdl"), &root.join("target/cosim"), seed, count);
    let (wrong, reached) = (found.unwrap(), case(seed, count).1);
    println!("{tool:?}, seed {seed}: {reached:?}");
    assert!(wrong.is_empty(), "{tool:?}, seed {seed}: {wrong:#?}");
    assert_eq!((reached.wrong, reached.left), (0, 0), "{reached:?}");
    assert!(reached.dropped > 10 && reached.owed > 5, "{reached:?}");
    assert!(reached.crossed.iter().all(|&n| n > 300), "{reached:?}");
    assert!(reached.full.iter().all(|&n| n > 100) && reached.in_reset > 25, "{reached:?}");
}

// checks CDC-3, CDC-6, CDC-2, CDC-1
#[test]
fn crossing_is_its_model() {
    holds(Tool::Icarus, 1, 6_000);
    holds(Tool::Verilator, 2, 40_000);
}

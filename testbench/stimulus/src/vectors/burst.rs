// SPDX-License-Identifier: MIT OR Apache-2.0
//! Vectors of the AXI4 port: `vectors/board_axi4`. A board that no ring knows yet, so nothing is sent.

use crate::StimulusError;
use crate::board::burst::BurstStimulus;
use crate::board::parts::WINDOW;
use crate::case::Case;
use crate::machine::Machine as _;
use crate::vector::{About, Vector, expect, track_of};
use awgstar::contract::board as map;
use awgstar::quantity::Cycle;
use awgstar::ring::burst::{Burst, FIXED, Pace, WRAP};
use awgstar::rtl::{
    Parameters, SmbAxi4,
    smb_axi4::{Inputs, Outputs},
};

/// A vector before it is made: its answers are written by hand.
pub struct BurstVector {
    /// Name of its folder.
    pub name: &'static str,
    /// Behaviour that it shows.
    pub shows: &'static str,
    /// Requirements it belongs to.
    pub requirements: &'static [&'static str],
    /// Answers that the host must get: words read, and `slverr` for each write or beat that is refused.
    pub answers: &'static [&'static str],
    stimulus: BurstStimulus,
}

fn at(offset: u32) -> u32 {
    (WINDOW | offset).0
}

/// A write of words, behind everything before it.
fn write(offset: u32, len: u8, data: u32) -> Burst {
    Burst { len, fence: true, ..Burst::word_write(at(offset), data, 15) }
}

fn read(offset: u32, len: u8) -> Burst {
    Burst { len, fence: true, ..Burst::word_read(at(offset)) }
}

fn run(cycles: u64, bursts: Vec<Burst>, pace: Pace) -> BurstStimulus {
    BurstStimulus {
        cycles: Cycle(cycles),
        loopback: None,
        returns: None,
        link: Vec::new(),
        bursts,
        pace,
        resets: Vec::new(),
        noise: 0x0bad_cafe,
    }
}

/// All of them. Word k of a burst is its data exclusive-or k times 9E3779B1.
#[must_use]
pub fn all() -> Vec<BurstVector> {
    let fixed = Burst { kind: FIXED, ..write(0x80, 0, 0x1234_5678) };
    let registers = |register: &map::Register, len| Burst {
        len,
        fence: true,
        ..Burst::word_read(register.offset.0)
    };
    let free = |burst: Burst, id| Burst { id, fence: false, ..burst };
    vec![
        BurstVector {
            name: "bursts",
            shows: "four words, three bytes one by one, two words from the middle of one on",
            requirements: &["AXI-1", "AXI-2", "AXI-6"],
            answers: &[
                "00000000", "9e3779b1", "3c6ef362", "daa66d13", "969daa00", "55660000", "cb510e39",
            ],
            stimulus: run(
                90,
                vec![
                    write(0x40, 3, 0),
                    read(0x40, 3),
                    write(0x50, 0, 0),
                    Burst { size: 0, ..write(0x51, 2, 0xaaaa_aaaa) },
                    read(0x50, 0),
                    write(0x60, 0, 0),
                    write(0x62, 1, 0x5566_7788),
                    read(0x60, 1),
                ],
                Pace::FULL,
            ),
        },
        BurstVector {
            name: "edge_of_4096",
            shows: "a burst that ends with a page is taken, one that goes on is refused whole",
            requirements: &["AXI-3"],
            answers: &["slverr", "00000000", "9e3779b1", "slverr", "slverr", "slverr"],
            stimulus: run(
                60,
                vec![write(0xff8, 1, 0), write(0xff8, 2, !0), read(0xff8, 1), read(0xff8, 2)],
                Pace::FULL,
            ),
        },
        BurstVector {
            name: "refused_bursts",
            shows: "FIXED and WRAP bursts and beats of 8 bytes change nothing; FIXED of one beat is taken",
            requirements: &["AXI-1", "AXI-3"],
            answers: &["slverr", "slverr", "slverr", "12345678", "9e3779b1", "slverr", "slverr"],
            stimulus: run(
                80,
                vec![
                    write(0x80, 1, 0),
                    Burst { len: 1, data: !0, ..fixed },
                    Burst { kind: WRAP, ..write(0x80, 1, !0) },
                    Burst { size: 3, ..write(0x80, 1, !0) },
                    fixed,
                    read(0x80, 1),
                    Burst { kind: WRAP, ..read(0x80, 1) },
                ],
                Pace::FULL,
            ),
        },
        BurstVector {
            name: "registers_in_bursts",
            shows: "a burst of registers ends at the one that refuses: no signal is sent after it",
            requirements: &["AXI-4"],
            answers: &[
                "41574753", "00000001", "slverr", "00000005", "00000400", "slverr", "00000000",
            ],
            stimulus: run(
                90,
                vec![
                    registers(&map::ID, 1),
                    Burst {
                        len: 2,
                        fence: true,
                        ..Burst::word_write(map::IRQ_ENABLE.offset.0, 5, 15)
                    },
                    registers(&map::IRQ_ENABLE, 0),
                    registers(&map::TX_FREE, 2),
                ],
                Pace::FULL,
            ),
        },
        BurstVector {
            name: "beyond_the_memory",
            shows: "the last word is there, the one behind it is refused",
            requirements: &["AXI-4"],
            answers: &["slverr", "00000007", "slverr", "slverr"],
            stimulus: run(
                60,
                vec![write(0x3ffc, 0, 7), write(0x4000, 1, 9), read(0x3ffc, 0), read(0x4000, 1)],
                Pace::FULL,
            ),
        },
        BurstVector {
            name: "many_under_way",
            shows: "answers keep the order of their channel and their IDs, however slow the host is",
            requirements: &["AXI-5"],
            answers: &[
                "00000011", "00000022", "9e377993", "00000033", "00000011", "00000022", "9e377993",
                "00000033",
            ],
            stimulus: run(
                200,
                vec![
                    free(write(0x10, 0, 0x11), 3),
                    free(write(0x14, 1, 0x22), 1),
                    free(write(0x1c, 0, 0x33), 2),
                    Burst { id: 7, ..read(0x10, 0) },
                    free(read(0x14, 1), 5),
                    free(read(0x1c, 0), 6),
                    free(read(0x10, 3), 7),
                ],
                Pace { aw: 8, w: 4, ar: 8, b: 1, r: 2 },
            ),
        },
        BurstVector {
            name: "no_room",
            shows: "four blocks of 1,024 bytes fit, then bursts are refused: nothing leaves before sync",
            requirements: &["AXI-4"],
            answers: &["slverr", "slverr"],
            stimulus: run(1_700, (0..6).map(|k| write(1024 * k, 255, k)).collect(), Pace::FULL),
        },
    ]
}

impl BurstVector {
    /// Inputs, outputs and all that is said of it.
    ///
    /// # Errors
    /// None: the stimulus is a good one.
    pub fn vector(&self) -> Result<Vector<SmbAxi4>, StimulusError> {
        let case = Case::alone(self.stimulus.clone());
        let mut track = track_of::<SmbAxi4>(&case, 0, &Parameters::DEFAULT)?;
        track.inputs.iter_mut().for_each(quiet);
        let about = About {
            module: "smb_axi4".into(),
            why: self.shows.into(),
            requirements: self.requirements.iter().map(|id| (*id).into()).collect(),
            answers: self.answers.iter().map(|a| (*a).into()).collect(),
            ..About::default()
        };
        let expect = expect::<SmbAxi4>(SmbAxi4::shape(), &track);
        Ok(Vector { about, parameters: Parameters::DEFAULT, expect, track })
    }
}

/// Sets don't-care inputs to 0: files stay small. The lockstep puts noise on them.
fn quiet(i: &mut Inputs) {
    if !i.s_axi.awvalid {
        (i.s_axi.awid, i.s_axi.awaddr, i.s_axi.awlen) = (0, 0, 0);
        (i.s_axi.awsize, i.s_axi.awburst) = (0, 0);
    }
    if !i.s_axi.wvalid {
        (i.s_axi.wdata, i.s_axi.wstrb, i.s_axi.wlast) = (0, 0, false);
    }
    if !i.s_axi.arvalid {
        (i.s_axi.arid, i.s_axi.araddr, i.s_axi.arlen) = (0, 0, 0);
        (i.s_axi.arsize, i.s_axi.arburst) = (0, 0);
    }
    if !i.s_axis.tvalid {
        (i.s_axis.tdata, i.s_axis.tkeep) = (0, 0);
        (i.s_axis.tlast, i.s_axis.tuser) = (false, false);
    }
}

/// Answers that a host gets in a run of these inputs and outputs, in the form of
/// [`BurstVector::answers`].
pub fn answers<'a>(cycles: impl IntoIterator<Item = (&'a Inputs, Outputs)>) -> Vec<String> {
    let mut all = Vec::new();
    for (i, o) in cycles {
        if o.s_axi.bvalid && i.s_axi.bready && o.s_axi.bresp != 0 {
            all.push("slverr".into());
        }
        if o.s_axi.rvalid && i.s_axi.rready {
            let word = format!("{:08x}", o.s_axi.rdata);
            all.push(if o.s_axi.rresp == 0 { word } else { "slverr".into() });
        }
    }
    all
}

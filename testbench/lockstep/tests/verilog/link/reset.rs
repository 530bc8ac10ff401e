// SPDX-License-Identifier: MIT OR Apache-2.0
//! A reset in the middle of an access of the host of `smb_link`: of the whole board, or of the host alone. The access
//! under way leaves no answer to a later one, and each later one gets its own.

use super::step::compared;
use super::{Tool, repository};
use awgstar::quantity::narrow;
use awgstar::random::SplitMix64;
use awgstar::rtl::state::State as _;
use awgstar::rtl::{AxilRequest, Parameters, SmbLink, smb_link};
use awgstar_simulator::SimError;
use awgstar_stimulus::Case;
use std::path::Path;

/// Registers of the board, by the map.
const ID: (u32, u32) = (0x000, 0x4157_4753);
const VERSION: (u32, u32) = (0x004, 1);
const TIMEOUT: u32 = 0x024;
/// Address, value after reset.
const COMBINE: (u32, u32) = (0x028, 0x40);

/// Steps of a reset: more than 8 cycles of each clock.
const RESET: usize = 48;
/// Steps in which an access must have ended.
const LONG: usize = 400;

/// What is under way when the reset comes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Access {
    Read(u32),
    Write(u32, u32),
    /// An address whose data do not come.
    Address(u32),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Which {
    Board,
    Host,
}

/// A board, its host and its clocks.
struct Bench {
    model: SmbLink,
    random: SplitMix64,
    inputs: Vec<smb_link::Inputs>,
    /// Eighths of the steps in which each clock rises: host, board, line.
    pace: [u64; 3],
    /// Steps that the reset of the board still takes, and cycles of the host's.
    rst: usize,
    clear: usize,
    /// Answers that came when no access waited for one.
    stray: usize,
}

impl Bench {
    fn new(seed: u64) -> Self {
        let mut bench = Bench {
            model: SmbLink::new(&Parameters::DEFAULT),
            random: SplitMix64::new(seed),
            inputs: Vec::new(),
            pace: [5; 3],
            rst: RESET,
            clear: 0,
            stray: 0,
        };
        for _ in 0..2 * RESET {
            bench.step(AxilRequest::default());
        }
        bench
    }

    /// A step with these requests: what the host gets, if its clock rises and it is in no reset.
    fn step(&mut self, request: AxilRequest) -> Option<smb_link::Outputs> {
        let first = self.inputs.is_empty();
        let [host_clk, clk, rx_clk] = self.pace.map(|pace| first || self.random.below(8) < pace);
        let i = smb_link::Inputs {
            host_clk,
            host_clear: self.clear > 0,
            s_axi: request,
            clk,
            rst: self.rst > 0,
            rx_clk,
            rx_los: true,
            rx_code: 0,
        };
        let o = self.model.outputs(&i);
        let free = host_clk && self.clear == 0 && !self.model.u_host_rst.second_q;
        self.clear = self.clear.saturating_sub(host_clk.into());
        self.rst = self.rst.saturating_sub(1);
        self.model.clock(&i);
        self.inputs.push(i);
        free.then_some(o)
    }

    /// An access with its answer: `None` if `most` steps are too few.
    fn access(&mut self, access: Access, most: usize) -> Option<(u8, u32)> {
        let (mut aw, mut w, mut ar) = match access {
            Access::Read(_) => (false, false, true),
            Access::Write(..) => (true, true, false),
            Access::Address(_) => (true, false, false),
        };
        let (addr, data) = match access {
            Access::Write(addr, data) => (addr, data),
            Access::Read(addr) | Access::Address(addr) => (addr, 0),
        };
        for _ in 0..most {
            let request = AxilRequest {
                awaddr: addr,
                awvalid: aw,
                wdata: data,
                wstrb: 15,
                wvalid: w,
                bready: true,
                araddr: addr,
                arvalid: ar,
                rready: true,
                ..AxilRequest::default()
            };
            let Some(o) = self.step(request) else { continue };
            let read = matches!(access, Access::Read(_));
            let taken = if read { !ar } else { !aw && !w };
            let answered = if read { o.s_axi.rvalid } else { o.s_axi.bvalid };
            self.stray += usize::from(if read { o.s_axi.bvalid } else { o.s_axi.rvalid });
            if answered && taken {
                let code = if read { o.s_axi.rresp } else { o.s_axi.bresp };
                return Some((code, if read { o.s_axi.rdata } else { 0 }));
            }
            self.stray += usize::from(answered);
            aw &= !o.s_axi.awready;
            w &= !o.s_axi.wready;
            ar &= !o.s_axi.arready;
        }
        None
    }

    /// An access, the reset so many steps after its begin, and accesses from the first step of the reset on.
    fn interrupted(&mut self, access: Access, which: Which, after: usize, value: u32) {
        let what = format!("{access:?}, {which:?}, {after} steps after its begin");
        let before = self.access(Access::Read(COMBINE.0), LONG).expect("an answer").1;
        self.access(access, after);
        match which {
            Which::Board => self.rst = RESET,
            Which::Host => self.clear = 1 + narrow::<usize>(self.random.below(9)),
        }
        if which == Which::Board {
            // The host sees the reset some edges later; until then it begins nothing.
            while !self.model.u_host_rst.second_q {
                self.step(AxilRequest { bready: true, rready: true, ..AxilRequest::default() });
            }
        }
        self.stray = 0;
        let mut get =
            |access| self.access(access, LONG).unwrap_or_else(|| panic!("{what}: {access:?}"));
        assert_eq!(get(Access::Read(VERSION.0)), (0, VERSION.1), "{what}");
        assert_eq!(get(Access::Write(TIMEOUT, value)), (0, 0), "{what}");
        assert_eq!(get(Access::Read(TIMEOUT)), (0, value), "{what}");
        let (code, found) = get(Access::Read(COMBINE.0));
        let old = if which == Which::Board { COMBINE.1 } else { before };
        let new = match access {
            Access::Write(_, new) if which == Which::Host => new,
            _ => old,
        };
        assert!(code == 0 && (found == old || found == new), "{what}: {found}, {old}, {new}");
        assert_eq!(self.stray, 0, "{what}");
    }
}

/// Every access with these resets, in every so many steps of it, with clocks of these ratios.
fn case(seed: u64, resets: &[Which], every: usize, paces: &[[u64; 3]]) -> Case<SmbLink> {
    let mut bench = Bench::new(seed);
    let mut value = 0x100;
    for &pace in paces {
        bench.pace = pace;
        for &which in resets {
            for after in (0..30).step_by(every) {
                value += 1;
                let write = Access::Write(COMBINE.0, value & 0xFF);
                for access in [Access::Read(ID.0), write, Access::Address(COMBINE.0)] {
                    bench.interrupted(access, which, after, value);
                }
            }
        }
    }
    Case::fed(bench.inputs)
}

/// The first differences of `smb_link` in `hdl` in a few resets of the host.
pub(super) fn differences(tool: Tool, hdl: &Path, out: &Path) -> Result<Vec<String>, SimError> {
    let case = case(1, &[Which::Host], 7, &[[5; 3]]);
    compared::<SmbLink>(tool, &Parameters::DEFAULT, (hdl, out), &[case])
}

// checks CDC-3, CDC-6
#[test]
fn an_access_that_a_reset_ends_leaves_no_answer() {
    let root = repository();
    let (hdl, out) = (root.join("hdl"), root.join("target/cosim"));
    let case = case(1, &[Which::Host, Which::Board], 1, &[[5, 5, 5], [7, 3, 4], [2, 6, 6]]);
    let found = compared::<SmbLink>(Tool::Verilator, &Parameters::DEFAULT, (&hdl, &out), &[case]);
    let found = found.unwrap();
    assert!(found.is_empty(), "{found:#?}");
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Plan of a run: ring, acts of the hosts, faults.

use crate::place::Marks;
use crate::run::boards::act::Act;
use crate::run::lost::Lost;
use crate::run::script::Script;
use awgstar::host::{Choice, Setup};
use awgstar::quantity::Cycle;
use awgstar::{
    contract::{Token, board},
    ring::{BoardScenario, FaultKind, HostOp, boards::register, star::Times},
};

/// A ring of boards, what their hosts do, and what goes wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardsPlan {
    /// One line that says what it shows.
    pub title: String,
    /// Boards, fibre, and faults that are given by link and cycle.
    pub scenario: BoardScenario,
    /// Length of the run in cycles.
    pub cycles: Cycle,
    /// Metres of fibre after each board.
    pub fibre_m: Vec<f64>,
    pub boards: Vec<Settings>,
    /// Acts of each host, in order.
    pub acts: Vec<Vec<Act>>,
    /// Faults of frames that are looked for.
    pub hits: Vec<Hit>,
    pub resets: Vec<Reset>,
    /// From this cycle on there are no bit errors and no faults of frames.
    pub calm: Option<Cycle>,
    /// The router that the boards are on, if the light can be turned.
    pub router: Option<Router>,
    /// Replicas may differ at the end.
    pub may_differ: bool,
    /// Places of the entries in the scenario file.
    pub marks: Marks,
    /// Programs with locks and barriers. Then hosts have no acts, and the run ends with them.
    pub programs: Option<Programs>,
}

impl BoardsPlan {
    /// The boards with their firmware, if they have one.
    #[must_use]
    pub fn setup(&self) -> Option<Setup> {
        self.programs.as_ref().map(|programs| self.setup_with(programs, false))
    }

    /// The boards with this firmware; they keep records if asked to.
    pub(super) fn setup_with(&self, programs: &Programs, records: bool) -> Setup {
        let boards = self.boards.len();
        let usual = Setup::new(boards, 0);
        let first = self.boards.first();
        let mut scenario = self.scenario.clone();
        if programs.choice.has_engines() {
            let bits = boards.next_power_of_two().ilog2().max(1);
            let with = scenario.parameters.with("smb", "ENGINE_NODE_W", bits.into());
            scenario.parameters = with.unwrap_or(scenario.parameters);
        }
        Setup {
            scenario,
            // A monitor that keeps fewer is waited for no longer.
            tokens: self.boards.iter().map(|b| b.tokens).min().unwrap_or(1),
            // Boards that differ have lists of accesses that say so.
            timeout: first.map_or(usual.timeout, |board| board.timeout),
            period: first.map_or(usual.period, |board| board.period),
            slow: programs.slow.clone(),
            records,
        }
    }

    /// Boards that are reset, or lost to the ring.
    pub(super) fn gone(&self) -> Vec<usize> {
        let lost = self.router.iter().flat_map(|r| &r.losses).map(|l| l.board);
        lost.chain(self.resets.iter().map(|r| r.board)).collect()
    }
}

/// Settings of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Upper 40 bits of MAC.
    pub prefix: u64,
    pub node_id: u8,
    /// Bit g: group g.
    pub groups: u16,
    /// `TOKENS`.
    pub tokens: u8,
    /// `TIMEOUT`, cycles.
    pub timeout: u32,
    /// `PERIOD`, cycles less 1.
    pub period: u32,
    /// `COMBINE`, cycles.
    pub combine: u16,
    /// Not before this cycle.
    pub at: Cycle,
}

/// A fault of the first frames of a kind on a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The link: that after board `link`.
    pub link: usize,
    /// Frames whose first word is on the link in this cycle or later.
    pub from: Cycle,
    /// Only frames of this kind.
    pub kind: Option<FrameFilter>,
    /// Only frames whose MAC has this low byte.
    pub source: Option<u8>,
    /// Number of frames.
    pub times: u64,
    pub fault: FaultKind,
}

/// Kinds of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameFilter {
    /// A free token.
    Free,
    /// A data token.
    Data,
    /// To one, a group or all.
    Signal,
    /// A heartbeat.
    Monitor,
    /// `sync`.
    Sync,
}

impl FrameFilter {
    /// Each with its name in files.
    pub const NAMES: [(&'static str, FrameFilter); 5] = [
        ("free", FrameFilter::Free),
        ("data", FrameFilter::Data),
        ("signal", FrameFilter::Signal),
        ("monitor", FrameFilter::Monitor),
        ("sync", FrameFilter::Sync),
    ];

    /// Returns true if the filter matches a frame with these codes.
    #[must_use]
    pub fn is(self, token: Option<Token>, c_st: u8) -> bool {
        match self {
            FrameFilter::Free => token == Some(Token::Free),
            FrameFilter::Data => token == Some(Token::Data),
            FrameFilter::Signal => {
                matches!(token, Some(Token::P2p | Token::Multicast | Token::Broadcast))
            }
            FrameFilter::Monitor => token == Some(Token::Control) && c_st == board::MONITOR.c_st,
            FrameFilter::Sync => token == Some(Token::Control) && c_st == board::SYNC.c_st,
        }
    }
}

/// A reset of a board, whose host then sets it up again and goes on with what is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reset {
    pub board: usize,
    /// First cycle.
    pub at: Cycle,
    /// Length in cycles.
    pub cycles: Cycle,
}

impl Settings {
    /// Operations that configure the board and let it take part in the ring.
    #[must_use]
    pub fn operations(&self) -> Vec<HostOp> {
        let [a, b, c, d, high @ ..] = self.prefix.to_le_bytes();
        let low = u32::from_le_bytes([a, b, c, d]);
        vec![
            register(&board::PREFIX_LOW, low),
            register(&board::PREFIX_HIGH, u32::from_le_bytes(high)),
            register(&board::NODE_ID, self.node_id.into()),
            register(&board::GROUPS, self.groups.into()),
            register(&board::TOKENS, self.tokens.into()),
            register(&board::TIMEOUT, self.timeout),
            register(&board::PERIOD, self.period),
            register(&board::COMBINE, self.combine.into()),
            register(&board::CONTROL, 1),
        ]
    }
}

/// The router, as a file gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Router {
    /// The controller's times.
    pub times: Times,
    /// The boards in the order of the ring.
    pub order: Vec<usize>,
    /// Cycles from each board to the router and back.
    pub fibre: Vec<[u32; 2]>,
    /// Boards that are lost.
    pub losses: Vec<Lost>,
}

/// Programs of the boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Programs {
    /// The firmware of every board.
    pub choice: Choice,
    /// Cycles that each host takes before it looks at what its board reports.
    pub slow: Vec<Cycle>,
    /// The program of each board; none: its firmware serves the others.
    pub scripts: Vec<Option<Script>>,
}

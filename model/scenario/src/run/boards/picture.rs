// SPDX-License-Identifier: MIT OR Apache-2.0
//! The frames on the links of a ring of boards, for its space-time picture.

use crate::page::{self, FRAMES_MAX, RegisterLog, Scene};
use crate::run::boards::BoardsPlan;
use crate::spacetime::{Bar, Diagram, bars, svg};
use crate::wave::Owner;
use awgstar::quantity::Cycle;
use awgstar::{Tap, contract::Token, ring::boards::Board, rtl::SmbCore, trace::Recorder};

/// Cycles that are drawn when the request does not say which.
const DRAWN: u64 = 1_500;
/// Cycles drawn before the first frame that carries something.
const BEFORE: u64 = 50;

/// Records frames up to the end of the window. Boards are in the order of the ring.
#[derive(Debug)]
pub(super) struct FrameRecorder {
    recorder: Recorder,
    /// The place in the ring of each board.
    places: Vec<usize>,
    /// The board at each place.
    order: Vec<usize>,
    /// The frame on the link of each board.
    taps: Vec<Tap>,
    /// Cycle in which the first data or signal is on a link.
    first: Option<u64>,
    /// Cycle after the last that is recorded, if the request says so.
    to: Option<u64>,
    /// For a page: its registers, the frames in its window, and the cycle from which on there is no room for more.
    page: Option<(RegisterLog<SmbCore>, usize, Option<u64>)>,
    from: u64,
}

impl FrameRecorder {
    /// For a run of `plan`, of which `window` is drawn; for a page of it too, if `page` says so.
    pub(super) fn new(plan: &BoardsPlan, window: Option<(u64, u64)>, page: bool) -> FrameRecorder {
        let boards = plan.boards.len();
        let order = plan.router.as_ref().map_or_else(|| (0..boards).collect(), |r| r.order.clone());
        let mut places = vec![0; boards];
        for (place, board) in order.iter().enumerate() {
            places[*board] = place;
        }
        let shown = window.unwrap_or((0, plan.cycles.0));
        let registers = || RegisterLog::new(page::BOARD, Owner::Board, &places, shown);
        FrameRecorder {
            recorder: if page { Recorder::with_contents(boards) } else { Recorder::new(boards) },
            page: page.then(|| (registers(), 0, None)),
            from: shown.0,
            places,
            order,
            taps: vec![Tap::default(); boards],
            first: None,
            to: window.map(|(_, to)| to),
        }
    }

    /// A board just before the edge of `cycle`.
    pub(super) fn cycle<M: Board>(&mut self, cycle: u64, board: usize, smb: &M, i: &M::Inputs) {
        let to = match &mut self.page {
            Some((registers, _, full)) => {
                registers.cycle(cycle, board, smb);
                full.or(self.to)
            }
            None => self.to.or_else(|| self.first.map(|first| first + DRAWN)),
        };
        if to.is_some_and(|to| cycle >= to) {
            return;
        }
        let (inputs, outputs) = smb.node_ports(i);
        self.recorder.cycle(Cycle(cycle), self.places[board], &smb.u_node, &inputs, &outputs);
        let tap = &mut self.taps[board];
        let Some(word) = smb.leaving() else {
            tap.idle();
            return;
        };
        tap.word(word.data, word.last);
        if tap.words() == 1
            && cycle >= self.from
            && let Some((_, frames, full)) = &mut self.page
        {
            *frames += 1;
            if *frames >= FRAMES_MAX && full.is_none() {
                // All boards to the end of this cycle.
                *full = Some(cycle + 1);
            }
        }
        // TOKEN is in the second word.
        if tap.words() == 2 && self.first.is_none() {
            let token = Token::from_code(tap.header().token);
            let carries = !matches!(token, None | Some(Token::Free | Token::Control));
            self.first = carries.then(|| cycle.saturating_sub(1));
        }
    }

    /// Cycles that are drawn of a run of `end` cycles if the request does not say: from shortly
    /// before the first data or signal on.
    pub(super) fn window(&self, end: u64) -> (u64, u64) {
        let from = self.first.map_or(0, |first| first.saturating_sub(BEFORE));
        (from, (from + DRAWN).min(end))
    }

    /// The recorded frames, and what a page shows of them.
    pub(super) fn finish(self, plan: &BoardsPlan) -> Recorded {
        let places = self.order.len();
        // On a router a link is two fibres: to the router, and from it to the next board.
        let fibre = |place: usize| {
            let (board, next) = (self.order[place], self.order[(place + 1) % places]);
            let of = |fibre: &Vec<[u32; 2]>| fibre[board][0] + fibre[next][1];
            plan.router.as_ref().map_or(plan.scenario.fibre[board], |router| of(&router.fibre))
        };
        let fibre = (0..places).map(fibre).collect();
        let trace = self.recorder.finish();
        Recorded {
            fibre,
            bars: bars(&trace),
            contents: trace.contents,
            order: self.order,
            page: self.page.map(|(registers, _, full)| (registers, full)),
        }
    }
}

/// Frames of a run that is over.
pub(super) struct Recorded {
    fibre: Vec<u32>,
    bars: Vec<Bar>,
    contents: Vec<Box<[u8]>>,
    order: Vec<usize>,
    page: Option<(RegisterLog<SmbCore>, Option<u64>)>,
}

impl Recorded {
    fn diagram(&self, plan: &BoardsPlan, window: (u64, u64)) -> Diagram {
        let mut title = plan.title.clone();
        if !self.order.is_sorted() {
            let order: Vec<String> = self.order.iter().map(ToString::to_string).collect();
            title = format!("{title} (column n is board n of {})", order.join(", "));
        }
        // Frames that are not in the picture are not in its legend either.
        let shown = |bar: &&Bar| {
            let end = bar.last.map(|last| last + u64::from(self.fibre[bar.link]));
            bar.first < window.1 && end.is_none_or(|end| end >= window.0)
        };
        let bars = self.bars.iter().filter(shown).cloned().collect();
        Diagram { fibre: self.fibre.clone(), bars, window, title }
    }

    /// The picture as an SVG document.
    pub(super) fn picture(&self, plan: &BoardsPlan, window: (u64, u64)) -> String {
        svg(&self.diagram(plan, window))
    }

    /// Frames and registers of the page.
    pub(super) fn add_to(self, page: &mut Scene, plan: &BoardsPlan, window: (u64, u64)) {
        page.order_columns("board", &self.order);
        page.add_frames(&self.diagram(plan, window), &self.contents);
        if let Some((registers, full)) = self.page {
            if let Some(at) = full {
                page.frames_end(at);
            }
            page.add_registers(registers);
        }
    }
}

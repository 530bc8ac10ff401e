// SPDX-License-Identifier: MIT OR Apache-2.0
//! The frames on the links of a ring of boards, for its space-time picture.

use crate::run::boards::BoardsPlan;
use crate::spacetime::{Diagram, bars, svg};
use awgstar::quantity::Cycle;
use awgstar::{
    Tap,
    contract::Token,
    rtl::{
        Smb,
        smb::{Inputs, Outputs},
    },
    trace::Recorder,
};

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
}

impl FrameRecorder {
    /// For a run of `plan`, of which `window` is drawn.
    pub(super) fn new(plan: &BoardsPlan, window: Option<(u64, u64)>) -> FrameRecorder {
        let boards = plan.boards.len();
        let order = plan.router.as_ref().map_or_else(|| (0..boards).collect(), |r| r.order.clone());
        let mut places = vec![0; boards];
        for (place, board) in order.iter().enumerate() {
            places[*board] = place;
        }
        FrameRecorder {
            recorder: Recorder::new(boards),
            places,
            order,
            taps: vec![Tap::default(); boards],
            first: None,
            to: window.map(|(_, to)| to),
        }
    }

    /// A board just before the edge of `cycle`.
    pub(super) fn cycle(&mut self, cycle: u64, board: usize, smb: &Smb, i: &Inputs, o: &Outputs) {
        let to = self.to.or_else(|| self.first.map(|first| first + DRAWN));
        if to.is_some_and(|to| cycle >= to) {
            return;
        }
        let (inputs, outputs) = smb.node_ports(i);
        self.recorder.cycle(Cycle(cycle), self.places[board], &smb.u_node, &inputs, &outputs);
        let tap = &mut self.taps[board];
        if !o.m_axis_tvalid {
            tap.idle();
            return;
        }
        tap.word(o.m_axis_tdata, o.m_axis_tlast);
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

    /// The picture as an SVG document.
    pub(super) fn picture(self, plan: &BoardsPlan, window: (u64, u64)) -> String {
        let places = self.order.len();
        // On a router a link is two fibres: to the router, and from it to the next board.
        let fibre = |place: usize| {
            let (board, next) = (self.order[place], self.order[(place + 1) % places]);
            let of = |fibre: &Vec<[u32; 2]>| fibre[board][0] + fibre[next][1];
            plan.router.as_ref().map_or(plan.scenario.fibre[board], |router| of(&router.fibre))
        };
        let mut title = plan.title.clone();
        if !self.order.is_sorted() {
            let order: Vec<String> = self.order.iter().map(ToString::to_string).collect();
            title = format!("{title} (column n is board n of {})", order.join(", "));
        }
        let mut bars = bars(&self.recorder.finish());
        // Frames that are not in the picture are not in its legend either.
        bars.retain(|bar| {
            let end = bar.last.map(|last| last + u64::from(fibre(bar.link)));
            bar.first < window.1 && end.is_none_or(|end| end >= window.0)
        });
        svg(&Diagram { fibre: (0..places).map(fibre).collect(), bars, window, title })
    }
}

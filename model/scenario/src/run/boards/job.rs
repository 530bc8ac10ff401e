// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rings of boards as a [`Run`]: report, picture and waves.

use crate::page::{Scene, Unit};
use crate::run::WAVES;
use crate::run::boards::picture::{FrameRecorder, Recorded};
use crate::run::boards::programs::{self, ProgramRun};
use crate::run::boards::{BoardsPlan, BoardsReport, BoardsRun, Observer, ProcessRing};
use crate::run::capture::{Capture, Link};
use crate::run::{
    Common, Files, Kind, Progress, Report, Request, Run, RunError, Sink, WaveRequest, Window,
    files::{write_names, write_waves},
    ns, within,
};
use crate::spacetime::{Picture, firmware};
use crate::wave::{self, Owner, Registers};
use awgstar::quantity::{Cycle, NodeId};
use awgstar::request::Process;
use awgstar::ring::boards::Board;
use awgstar::rtl::{
    Smb,
    smb::{Inputs, Outputs},
    state::State,
};

impl BoardsPlan {
    /// The picture of programs; by default of all that they did.
    fn programs_picture(
        &self,
        run: &BoardsRun,
        ran: &ProgramRun,
        window: Option<Window>,
    ) -> Result<String, RunError> {
        let end = run.ring.cycle();
        let window =
            window.map_or_else(|| Ok(ran.window()), |w| within(w.cycles(), end.0, "cycles"))?;
        Ok(firmware(&self.drawn(ran, window)))
    }

    /// The page of a run with its frames and registers; by default of all of it.
    fn page<M: Board>(
        &self,
        run: &BoardsRun<M>,
        frames: Option<Recorded>,
        window: Option<(u64, u64)>,
    ) -> Result<Scene, RunError> {
        let end = run.ring.cycle().0;
        let window = window.map_or(Ok((0, end)), |w| within(w, end, "cycles"))?;
        let nodes = self.boards.len();
        let mut page = Scene::new(self.kind().name(), &self.title, Unit::Cycle, nodes, window);
        if let Some(frames) = frames {
            frames.add_to(&mut page, self, window);
        }
        Ok(page)
    }

    fn drawn<'a>(&'a self, ran: &'a ProgramRun, window: (u64, u64)) -> Picture<'a> {
        let (nodes, records, title) = (self.boards.len(), &ran.records[..], &self.title[..]);
        Picture { nodes, records, hops: &[], window, title }
    }

    /// Runs processes instead of the programs of the plan ([`BoardsRun::with_processes`]), and makes a page of the
    /// run without time lines and report: signals between hosts and states of the firmware, and with a window the
    /// frames and registers in it. Before the end of the window no board is skipped, which takes time.
    ///
    /// # Errors
    /// As [`BoardsRun::with_processes`], and if the window is after the end of the run.
    pub fn run_with_page<M: Board>(
        &self,
        processes: Vec<(NodeId, Box<dyn Process>)>,
        window: Option<Window>,
        capture: Option<&mut Capture<'_>>,
        progress: &mut dyn FnMut(u64),
        stop: &mut dyn FnMut(&ProcessRing<M>) -> bool,
    ) -> Result<(BoardsRun<M>, Scene), RunError> {
        let window = window.map(|window| window.cycles());
        let mut frames = window.map(|_| FrameRecorder::new(self, window, true));
        let run = if let (Some(frames), Some((_, end))) = (&mut frames, window) {
            let mut look = |cycle, board, smb: &M, i: &M::Inputs, _: &M::Outputs| {
                frames.cycle(cycle, board, smb, i);
            };
            let look = Some((Cycle(end), &mut look as &mut Observer<'_, M>));
            BoardsRun::with_processes(self, processes, true, progress, look, capture, stop)?
        } else {
            BoardsRun::with_processes(self, processes, true, progress, None, capture, stop)?
        };
        let frames = frames.map(|frames| frames.finish(self));
        let mut page = self.page(&run, frames, window)?;
        if window.is_none() {
            page.leave_out("Frames and registers: --window selects a part of the run for them.");
        }
        if let Some(ran) = &run.programs {
            page.add_signals(&self.drawn(ran, page.window()));
        }
        Ok((run, page))
    }

    /// A recorder of the frames of a run; by default of all of it.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn capture<'a>(
        &self,
        out: Sink<'a>,
        window: Option<Window>,
    ) -> Result<Capture<'a>, RunError> {
        let window = window.map_or((0, u64::MAX), |window| window.cycles());
        let mut links = if let Some(router) = &self.router {
            // The controller turns the lasers before the first cycle.
            let delay = |from: usize, to: usize| router.fibre[from][0] + router.fibre[to][1];
            let name = |from, to| {
                (format!("into {to}"), format!("receiver of board {to}, first from board {from}"))
            };
            Link::ring(&router.order, delay, name)
        } else {
            Link::fibres("board", &self.scenario.fibre, &self.fibre_m)
        };
        for (from, link) in links.iter_mut().enumerate() {
            let (cuts, slow) = (self.scenario.cuts.iter(), self.scenario.slow.iter());
            link.cuts = cuts.filter(|cut| cut.link == from).copied().collect();
            link.slow = slow.filter(|slow| slow.board == from).copied().collect();
        }
        let losses = self.router.as_ref().map(|router| &router.losses[..]);
        Ok(Capture::new(out, &self.title, links, losses, window)?)
    }

    /// Ends the capture file of a run.
    ///
    /// # Errors
    /// If it cannot be written, or the window is after the end of the run.
    pub fn end_capture<M: Board>(
        &self,
        capture: Capture<'_>,
        run: &BoardsRun<M>,
        window: Option<Window>,
    ) -> Result<(), RunError> {
        if let Some(window) = window {
            within(window.cycles(), run.ring.cycle().0, "cycles")?;
        }
        Ok(capture.finish()?)
    }

    /// The cycles that waves show when the request does not say: from the first act of a program, or the
    /// first data or signal on a link.
    fn usual(&self, progress: &mut Progress<'_>) -> Result<(u64, u64), RunError> {
        let progress = &mut |cycle| progress(cycle, self.cycles.0);
        let mut frames = FrameRecorder::new(self, None, false);
        let run = if self.programs.is_some() {
            BoardsRun::new(self, progress)?
        } else {
            let mut look = |cycle, board, smb: &Smb, i: &Inputs, _: &Outputs| {
                frames.cycle(cycle, board, smb, i);
            };
            BoardsRun::observed(self, progress, Some(&mut look))?
        };
        let end = run.ring.cycle();
        let from = run.programs.map_or_else(|| frames.window(end.0).0, |ran| ran.window().0);
        Ok((from, from + WAVES))
    }
}

impl Run for BoardsPlan {
    fn kind(&self) -> Kind {
        Kind::Boards
    }

    fn title(&self) -> &str {
        &self.title
    }

    fn nodes(&self) -> usize {
        self.boards.len()
    }

    fn run(&self, request: &Request<'_>, progress: &mut Progress<'_>) -> Result<Report, RunError> {
        let cycle = &mut |cycle| progress(cycle, self.cycles.0);
        let cycles = request.window.map(|window| window.cycles());
        let wanted = request.page || request.picture && self.programs.is_none();
        let mut frames = wanted.then(|| FrameRecorder::new(self, cycles, request.page));
        let mut capture =
            request.capture.map(|out| self.capture(out, request.window)).transpose()?;
        let run = if let Some(frames) = &mut frames {
            let mut look = |cycle, board, smb: &Smb, i: &Inputs, _: &Outputs| {
                frames.cycle(cycle, board, smb, i);
            };
            BoardsRun::captured(self, cycle, Some(&mut look), capture.as_mut())?
        } else {
            BoardsRun::captured(self, cycle, None, capture.as_mut())?
        };
        if let Some(capture) = capture {
            self.end_capture(capture, &run, request.window)?;
        }
        let end = run.ring.cycle().0;
        let frames = frames.map(|frames| (frames.window(end), frames.finish(self)));
        let picture = match (&frames, &run.programs) {
            (_, Some(ran)) if request.picture => {
                Some(self.programs_picture(&run, ran, request.window)?)
            }
            (Some((usual, frames)), None) if request.picture => {
                let window = cycles.map_or(Ok(*usual), |w| within(w, end, "cycles"))?;
                Some(frames.picture(self, window))
            }
            _ => None,
        };
        let report = BoardsReport::new(self, &run);
        let page = match frames.filter(|_| request.page) {
            Some((_, frames)) => {
                let mut page = self.page(&run, Some(frames), cycles)?;
                if let Some(ran) = &run.programs {
                    page.add_firmware(&self.drawn(ran, page.window()));
                }
                report.add_to(&mut page);
                let programs = report.programs().map(programs::Report::holds);
                let holds = programs.unwrap_or_else(|| report.replicas_hold());
                page.add_report(&report.to_string(), Some(holds));
                Some(page)
            }
            None => None,
        };
        // What programs rely on is a check that the file asks for.
        let programs = report.programs().map(programs::Report::holds);
        let common = Common {
            kind: self.kind().name(),
            title: &self.title,
            nodes: self.nodes(),
            cycles: run.ring.cycle(),
            microseconds: ns(run.ring.cycle()) / 1000.0,
            holds: programs.unwrap_or_else(|| report.replicas_hold()),
            warnings: report.warnings(),
        };
        Ok(Report {
            text: report.to_string(),
            json: common.with(&report)?,
            holds: common.holds,
            warnings: report.warnings().to_vec(),
            picture: picture.map(|svg| ("spacetime.svg".into(), svg.into_bytes())),
            page,
            files: Vec::new(),
        })
    }

    /// Programs have a separate file: states, signals, lock holders and episodes.
    fn waves(
        &self,
        request: &WaveRequest,
        files: &mut dyn Files,
        progress: &mut Progress<'_>,
    ) -> Result<(), RunError> {
        let nodes = request.shown(self.nodes())?;
        let cycles = match request.window {
            Some(window) => window.cycles(),
            None => self.usual(progress)?,
        };
        let (from, to) = within(cycles, self.cycles.0, "cycles")?;
        let window = wave::Window { from, to, nodes };
        let part = BoardsPlan { cycles: Cycle(to), ..self.clone() };
        let mut programs = None;
        write_waves(files, request.stem(Run::kind(self).waves()), |file, dump| {
            let mut waves = Registers::new(file, &window, Owner::Board, &Smb::layout())?;
            let mut open = None;
            let mut look = |cycle, board, smb: &Smb, i: &Inputs, o: &Outputs| {
                if cycle < from {
                    return;
                }
                if open != Some(cycle) {
                    if let Some(before) = open {
                        waves.end(before);
                    }
                    waves.begin(cycle);
                    open = Some(cycle);
                }
                let word = (o.m_axis.tvalid, o.m_axis.tdata, o.m_axis.tlast);
                waves.change(board, smb, i, o, word);
            };
            let progress = &mut |cycle| progress(cycle, to);
            let run = BoardsRun::observed(&part, progress, Some(&mut look))?;
            if let Some(before) = open {
                waves.end(before);
            }
            let end = run.ring.cycle();
            within((from, to), end.0, "cycles")?;
            programs = run.programs.map(|ran| (ran, end));
            Ok::<_, RunError>(waves.finish(end.0, dump)?)
        })?;
        if let Some((ran, end)) = programs {
            let stem = request.stem.as_ref().map_or("firmware".into(), |s| format!("{s}-firmware"));
            write_waves(files, &stem, |file, dump| {
                wave::firmware(file, dump, self.nodes(), &[&ran.records], (from, end.0), &[])
            })?;
        }
        Ok(write_names(files)?)
    }
}

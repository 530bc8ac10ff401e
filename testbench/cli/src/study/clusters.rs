// SPDX-License-Identifier: MIT OR Apache-2.0
//! Paper 004 on its own machine, a cluster of clusters: single accesses and the barrier of Table 2, the LU decomposition
//! of Table 4, and the same on rings of boards by a formula.

use super::clusters_lu::{Lu, ROWS, Way};
use super::clusters_ring::{SMALL, simulated};
use super::{StudyError, Tick};
use crate::work::{Work, WorkError};
use awgstar::quantity::{ByteAddress, Nanoseconds, NodeId};
use awgstar::request::{Answer, Len, Place, Process, Request};
use awgstar_rings::clusters::{Clusters, Costs, Meeting, Sends, Settings};
use awgstar_rings::{Operation, RingNumber};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::rc::Rc;

/// A figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub what: String,
    /// On what, or how.
    pub way: String,
    pub clusters: usize,
    /// Processes of each.
    pub processes: usize,
    /// In us; for LU in s.
    pub found: f64,
    /// What the paper prints, if it has this figure.
    pub paper: Option<f64>,
    pub kind: Kind,
}

/// Where a figure is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// It is printed, and an input of the machine.
    Input,
    /// Something was fitted to it.
    Fit,
    Prediction,
    /// Something that the paper has not is simulated.
    Other,
    /// It is not simulated.
    Formula,
}

impl Kind {
    pub const ALL: [Kind; 5] =
        [Kind::Input, Kind::Fit, Kind::Prediction, Kind::Other, Kind::Formula];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Input => "input",
            Kind::Fit => "fit",
            Kind::Prediction => "prediction",
            Kind::Other => "not in the paper",
            Kind::Formula => "formula",
        }
    }
}

/// Table 4: clusters, processes of each, s.
pub const TABLE_4: [(usize, usize, f64, Kind); 6] = [
    (1, 1, 42.463, Kind::Fit),
    (1, 2, 21.675, Kind::Fit),
    (1, 3, 14.721, Kind::Prediction),
    (2, 1, 23.801, Kind::Fit),
    (2, 2, 14.275, Kind::Prediction),
    (2, 3, 11.707, Kind::Prediction),
];

/// What no one has built.
const LARGE: (usize, usize) = (16, 16);

pub const LU: &str = "LU";
/// With a small matrix, in us.
pub const SMALL_LU: &str = "LU of 48 rows";
pub const SIMULATED: &str = "one ring; simulated";
pub const SERIAL: &str = "serial";
pub const CLUSTERS: &str = "clusters";
pub const BESIDE: &str = "clusters; a handler goes on while bytes leave";
pub const FREE: &str = "clusters; each goes on when its row is there";
pub const ALTERNATE: &str = "clusters; when its row is there and rows alternate";
pub const BARRIER: &str = "clusters; a barrier before each step";
pub const ONCE: &str = "clusters; each cluster asks once";
pub const RING: &str = "one ring";
pub const RINGS: &str = "a ring for each cluster";
pub const LOADS: &str = "one ring; no time of the DSM for rows";

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Point {
    /// Something of one process, which all others leave alone.
    Call {
        what: &'static str,
        call: Call,
        paper: f64,
        kind: Kind,
        handling: bool,
    },
    /// From the last arrival to the last that goes on.
    Barrier {
        what: &'static str,
        meeting: Meeting,
        together: bool,
        paper: f64,
        kind: Kind,
    },
    Lu {
        way: &'static str,
        clusters: usize,
        processes: usize,
    },
    /// LU of a small matrix on one ring.
    Ring {
        simulated: bool,
        processes: usize,
    },
}

/// A call with 8 bytes of the memory of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Call {
    operation: Operation,
    cluster: u16,
    node: usize,
}

/// Clusters of the paper, and processes of each.
const PAPER: (usize, usize) = (2, 3);

/// All that is measured.
#[must_use]
pub fn points() -> Vec<Point> {
    let call = |what, call, paper, kind| Point::Call { what, call, paper, kind, handling: true };
    let (read, write) = (
        |cluster, node| Call { operation: Operation::Get, cluster, node },
        |cluster, node| Call { operation: Operation::Put, cluster, node },
    );
    let barrier = |what, meeting, together, kind| Point::Barrier {
        what,
        meeting,
        together,
        paper: 969.0,
        kind,
    };
    let mut all = vec![
        call("local read", read(0, 1), 8.0, Kind::Input),
        call("local write", write(0, 1), 8.0, Kind::Input),
        call("intra-cluster read", read(0, 2), 208.0, Kind::Prediction),
        call("intra-cluster write", write(0, 2), 200.0, Kind::Prediction),
        call("inter-cluster read", read(1, 1), 1358.0, Kind::Fit),
        call("inter-cluster write", write(1, 1), 1161.0, Kind::Prediction),
        Point::Call {
            what: "inter-cluster read: its eight steps alone",
            call: read(1, 1),
            paper: 1234.0,
            kind: Kind::Prediction,
            handling: false,
        },
        barrier("barrier", Meeting::Master, false, Kind::Prediction),
        barrier("barrier: all arrive at once", Meeting::Master, true, Kind::Prediction),
        barrier("barrier: gateways tell each other", Meeting::Peers, false, Kind::Prediction),
    ];
    let lu = |way| move |(clusters, processes)| Point::Lu { way, clusters, processes };
    let paper = || TABLE_4.iter().map(|row| (row.0, row.1));
    let shared = || paper().filter(|point| point.0 > 1);
    let large = || paper().chain([LARGE]);
    let several = || paper().filter(|point| *point != (1, 1));
    all.push(lu(SERIAL)((1, 1)));
    all.extend(large().map(lu(CLUSTERS)));
    all.extend(shared().map(lu(BESIDE)));
    all.extend(several().map(lu(FREE)));
    all.extend(shared().map(lu(ALTERNATE)));
    all.extend(several().map(lu(BARRIER)));
    all.extend(shared().chain([LARGE]).map(lu(ONCE)));
    for way in [RING, RINGS, LOADS] {
        all.extend(large().map(lu(way)));
    }
    for simulated in [false, true] {
        all.extend([2, 3, 6, 16].map(|processes| Point::Ring { simulated, processes }));
    }
    all
}

/// Measures, with a matrix of so many rows; `None` of a part.
///
/// # Errors
/// The first run without a figure; parts that do not fit.
pub fn rows(
    size: usize,
    work: &Work,
    done: &Tick<'_>,
) -> Result<Option<Vec<Row>>, WorkError<StudyError>> {
    work.map(&points(), |point| format!("{point:?}"), |point| point.row(size).inspect(|_| done()))
}

#[expect(clippy::cast_precision_loss, reason = "a figure")]
fn us(time: Nanoseconds) -> f64 {
    time.0 as f64 / 1e3
}

impl Point {
    /// It takes seconds to simulate.
    #[must_use]
    pub fn is_large(self) -> bool {
        matches!(self, Point::Lu { clusters, processes, .. } if (clusters, processes) == LARGE)
    }

    /// Measures, with a matrix of so many rows.
    ///
    /// # Errors
    /// A run without a figure.
    pub fn row(self, size: usize) -> Result<Row, StudyError> {
        let of = |what: &str, (clusters, processes), found, paper, kind| Row {
            what: what.into(),
            way: CLUSTERS.into(),
            clusters,
            processes,
            found,
            paper: Some(paper),
            kind,
        };
        Ok(match self {
            Point::Call { what, call, paper, kind, handling } => {
                of(what, PAPER, us(self.call(call, handling)?), paper, kind)
            }
            Point::Barrier { what, meeting, together, paper, kind } => {
                of(what, PAPER, us(self.barrier(meeting, together)?), paper, kind)
            }
            Point::Ring { simulated: is, processes } => {
                let formula = 1e6 * Lu::new(SMALL, 1, processes).on_ring();
                let (way, found, kind) = if is {
                    (SIMULATED, simulated(processes)?, Kind::Other)
                } else {
                    (RING, formula, Kind::Formula)
                };
                let (what, way) = (SMALL_LU.into(), way.into());
                Row { what, way, clusters: 1, processes, found, paper: None, kind }
            }
            Point::Lu { way, clusters, processes } => {
                let printed = TABLE_4.iter().find(|row| (row.0, row.1) == (clusters, processes));
                let (paper, kind) = match (way, printed) {
                    // The paper's matrix has 1,200 rows.
                    (SERIAL, _) if size == ROWS => (Some(32.878), Kind::Input),
                    (CLUSTERS, Some(row)) if size == ROWS => (Some(row.2), row.3),
                    (SERIAL | RING | RINGS | LOADS, _) => (None, Kind::Formula),
                    _ => (None, Kind::Other),
                };
                let lu = Lu::new(size, clusters, processes);
                let found = Point::lu(way, lu)?;
                let what = LU.into();
                Row { what, way: way.into(), clusters, processes, found, paper, kind }
            }
        })
    }

    /// In s.
    fn lu(way: &str, lu: Lu) -> Result<f64, StudyError> {
        let settings = Settings::new(lu.clusters, lu.processes);
        let run = |sends, way, alternate| {
            let lu = Lu { alternate, ..lu };
            let time = lu.on_clusters(Settings { sends, ..settings }, way)?;
            Ok(us(time) / 1e6)
        };
        match way {
            SERIAL => Ok(Lu { dsm: false, ..lu }.alone()),
            RING => Ok(lu.on_ring()),
            RINGS => Ok(lu.on_rings()),
            LOADS => Ok(Lu { dsm: false, ..lu }.on_ring()),
            BESIDE => run(Sends::Beside, Way::Steps, false),
            FREE => run(Sends::InTurn, Way::Free, false),
            ALTERNATE => run(Sends::InTurn, Way::Free, true),
            BARRIER => run(Sends::InTurn, Way::Barrier, false),
            ONCE => run(Sends::InTurn, Way::Once, false),
            _ => run(Sends::InTurn, Way::Steps, false),
        }
    }

    fn wrong(self, wrong: String) -> StudyError {
        StudyError::Wrong { point: format!("{self:?}"), wrong }
    }

    /// Runs the requests of each process; gives when each had its last answer.
    fn ends(
        self,
        settings: &Settings,
        script: impl Fn(usize, usize) -> Vec<Request>,
    ) -> Result<Vec<Nanoseconds>, StudyError> {
        let log: Rc<RefCell<Vec<Result<Nanoseconds, String>>>> = Rc::default();
        let process = |ring: RingNumber, node: NodeId| {
            let (log, requests) = (Rc::clone(&log), script(ring.0.into(), node.index()));
            let mut left = requests.into_iter();
            Box::new(move |answer: &Answer| {
                let next = left.next();
                let refused = answer.got.as_ref().err().map(ToString::to_string);
                match (refused, &next) {
                    (Some(refused), _) => log.borrow_mut().push(Err(refused)),
                    (None, None) => log.borrow_mut().push(Ok(answer.now.time())),
                    (None, Some(_)) => {}
                }
                next.unwrap_or(Request::End)
            }) as Box<dyn Process>
        };
        let machine = Clusters::new(settings, process);
        let ran = machine.and_then(|mut machine| machine.run());
        ran.map_err(|error| self.wrong(error.to_string()))?;
        let ends: Result<Vec<Nanoseconds>, String> = log.take().into_iter().collect();
        ends.map_err(|error| self.wrong(error))
    }

    fn call(self, call: Call, handling: bool) -> Result<Nanoseconds, StudyError> {
        let mut settings = Settings::new(PAPER.0, PAPER.1);
        if !handling {
            settings.costs = Costs { handling: Nanoseconds(0), ..settings.costs };
        }
        let segment = settings.homes().segment as usize;
        let at = |node: usize| ByteAddress::at(node * segment);
        let request = match call {
            Call { operation: Operation::Get, cluster: 0, node } => {
                Request::Read(Place::shared(at(node)), Len::Bytes(8))
            }
            Call { operation: Operation::Put, cluster: 0, node } => {
                Request::write_bytes(at(node), &[1; 8])
            }
            Call { operation: Operation::Get, cluster: ring, node } => {
                Request::FarRead { ring, address: at(node), words: 2 }
            }
            Call { operation: Operation::Put, cluster: ring, node } => {
                Request::FarWrite { ring, address: at(node), data: [1, 2].into() }
            }
        };
        let script = |cluster, node| match (cluster, node) {
            (0, 1) => vec![request.clone()],
            _ => Vec::new(),
        };
        let ends = self.ends(&settings, script)?;
        Ok(ends.into_iter().max().unwrap_or_default())
    }

    /// The last one arrives in cluster 1, which is not the master's.
    fn barrier(self, meeting: Meeting, together: bool) -> Result<Nanoseconds, StudyError> {
        let settings = Settings { meeting, ..Settings::new(PAPER.0, PAPER.1) };
        let late = Nanoseconds(100_000_000);
        let script = |cluster, node| {
            let last = together || (cluster, node) == (1, 1);
            let wait = if last { late } else { Nanoseconds(0) };
            vec![Request::compute(wait), Request::Barrier(0)]
        };
        let ends = self.ends(&settings, script)?;
        Ok(ends.into_iter().max().unwrap_or_default().saturating_sub(late))
    }
}

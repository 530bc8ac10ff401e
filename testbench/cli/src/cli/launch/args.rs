// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arguments of `awgstar run`.

use crate::cli::{choice, number, output};
use awgstar::contract::Order;
use awgstar_program::Computing;
use awgstar_scenario::run::Window;
use awgstar_scenario::scenario::{barrier_names, lock_names};
use clap::{ValueEnum, builder::PossibleValuesParser};
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(
    after_help = "A process joins the ring with awg_init() of libawgstar (docs/programs.md).\nExit code: that of the process that ended the run, or else of the first node that failed; 128 + N for signal N; 1 if the run failed otherwise; 2 for wrong usage.\n\nExamples:\n  awgstar run -n 4 -- ./pi 100000\n  awgstar run -n 1 -- ./producer : -n 3 -- ./consumer\n  mpirun -n 4 awgstar run -- ./pi 100000\n  awgstar run -n 8 --lock distributed --barrier master-worker --report -- ./counter\n  awgstar run -n 4 --machine gen1 --vcd pi.vcd --report pi-report -- ./pi 100000"
)]
pub(crate) struct Args {
    /// Nodes, 1 to 256, each with a process; under mpirun its number of ranks
    #[arg(short = 'n', long, value_name = "N", value_parser = number::within::<usize>(1..=256))]
    pub(super) nodes: Option<usize>,
    /// The machine [default: ring]
    #[arg(long, value_name = "MACHINE", value_enum)]
    pub(super) machine: Option<System>,
    /// The machine from a scenario file without programs: fibre, faults, settings of boards
    #[arg(long, value_name = "FILE.toml", conflicts_with = "fibre_m")]
    pub(super) ring: Option<PathBuf>,
    /// Protocol of the locks: of a ring, or of a cluster [default: queue]
    #[arg(long, value_name = "LOCK", value_parser = PossibleValuesParser::new(lock_names()))]
    pub(super) lock: Option<String>,
    /// Protocol of the barrier: of a ring, or of a cluster [default: ring; combined]
    #[arg(long, value_name = "BARRIER", value_parser = PossibleValuesParser::new(barrier_names()))]
    pub(super) barrier: Option<String>,
    /// How the processes of a cluster share memory: a replica of all for each, or pages by SCASH or FDSM; on the ring,
    /// whose memory is replicated, pages by FDSM or SCASH [default: replica with --openmp]
    #[arg(long, value_name = "HOW", value_enum)]
    pub(super) coherence: Option<Coherence>,
    /// End the run where a block of an OpenMP program does what it did not do before (with --coherence fdsm)
    #[arg(long, value_name = "WHAT", requires = "openmp", value_enum)]
    pub(super) check: Option<Check>,
    /// Homes of the pages of SCASH [default: first-touch], or of those of FDSM (round-robin) while a block is learned
    /// [default: none, who wrote a byte has it]
    #[arg(long, value_name = "HOMES", value_enum)]
    pub(super) homes: Option<Homes>,
    /// How an unlock or an arrival is ordered after the data written before [default: confirmed]
    #[arg(long, value_name = "ORDER", value_parser = choice::one_of(Order::ALL, Order::name))]
    pub(super) order: Option<Order>,
    /// Port of the boards of a ring; through AXI4 blocks go as bursts [default: axi4-lite]
    #[arg(long, value_name = "PORT", value_enum)]
    pub(super) port: Option<HostPort>,
    /// Length of each fibre in m, 0 to 10000 [default: 10]
    #[arg(long, value_name = "M", value_parser = number::within::<u32>(0..=10_000))]
    pub(super) fibre_m: Option<u32>,
    /// Threads for the rings of a machine of rings, of a quiet computer: they meet each time that a link is long
    /// [default: 1]
    #[arg(long, value_name = "N", value_parser = number::within::<usize>(1..=256))]
    pub(super) threads: Option<usize>,
    /// Bytes of the shared memory of the ring or of a cluster, a power of two: 16 to 2G [default: 16M; 64M with --openmp]
    #[arg(long, value_name = "BYTES", conflicts_with = "ring", value_parser = bytes)]
    pub(super) memory: Option<u64>,
    /// Time of computing: told, by `awg_compute` alone; counted or counted:K, 1 or K ns for each basic block of a
    /// program compiled with -fsanitize-coverage=trace-pc; measured:K, the processor time between calls times K
    #[arg(long, value_name = "HOW", default_value = "told", value_parser = computing)]
    pub(super) compute: Computing,
    /// Mapped windows of reflective-memory programs
    #[arg(long, value_name = "HOW", default_value = "trap", value_enum)]
    pub(super) mapped: Mapped,
    /// Standard input of each process from a file, with the number of its node for {} in the name; without it
    /// node 0 has the standard input of the command
    #[arg(long, value_name = "FILE")]
    pub(super) stdin: Option<String>,
    /// Begin every line that a process prints with its node
    #[arg(long, conflicts_with = "openmp")]
    pub(super) prefix: bool,
    /// Run a program of gcc -fopenmp or gfortran -fopenmp: each of its threads on a node (docs/openmp.md)
    #[arg(long)]
    pub(super) openmp: bool,
    /// With --openmp: compare the shared memory of all nodes after each barrier
    #[arg(long, requires = "openmp")]
    pub(super) audit: bool,
    /// With --openmp: what a race does
    #[arg(long, value_name = "HOW", requires = "openmp", default_value = "stop", value_enum)]
    pub(super) races: Races,
    /// Print at the end, to standard error, what each process did; with a folder, write a report with
    /// time lines there too
    #[arg(long, value_name = "DIR", num_args = 0..=1, default_missing_value = "-")]
    pub(super) report: Option<PathBuf>,
    #[command(flatten)]
    pub(super) summary: Summary,
    /// Write waves of processes, locks and barriers to this file, with its save file beside it
    #[arg(long, value_name = "FILE.vcd", value_parser = output::vcd())]
    pub(super) vcd: Option<PathBuf>,
    /// Write a page for a browser to this file: time lines of processes, signals and, with --window, frames and
    /// registers (docs/html.md)
    #[arg(long, value_name = "FILE", value_parser = output::file())]
    pub(super) html: Option<PathBuf>,
    /// Write the frames on the links, as they arrive, to this file for Wireshark (docs/wireshark.md)
    #[arg(long, value_name = "FILE.pcapng", value_parser = output::file())]
    pub(super) pcapng: Option<PathBuf>,
    /// Part of the run for the page and the frames: cycles, or times with ns or us
    #[arg(long, value_name = "FROM:TO")]
    pub(super) window: Option<Window>,
    /// Program and arguments; after `:` -n N and another program
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    pub(super) program: Vec<String>,
}

/// A modelled machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum System {
    /// The cycle-accurate ring
    Ring,
    /// Generation 1 of the thesis
    Gen1,
    /// Computers with messages and servers (docs/cluster.md)
    Cluster,
    /// Rings of boards with gateways between them, as --ring describes them (docs/ring-of-rings.md)
    Rings,
    /// Clusters with gateways between them, as --ring describes them (docs/clusters-study.md)
    Clusters,
}

impl System {
    /// Name on the command line.
    pub(super) const fn name(self) -> &'static str {
        match self {
            System::Ring => "ring",
            System::Gen1 => "gen1",
            System::Cluster => "cluster",
            System::Clusters => "clusters",
            System::Rings => "rings",
        }
    }
}

/// How processes share memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Coherence {
    /// Each has a replica, and sends what it writes to all others
    Replica,
    /// Each page has a home, to which its writers send what they changed
    Scash,
    /// Writers send what others will read, as they learned it before
    Fdsm,
}

impl Coherence {
    /// Pages have a protocol.
    pub(super) const fn has_pages(self) -> bool {
        !matches!(self, Coherence::Replica)
    }
}

/// What ends a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Check {
    /// A page beyond the pattern of a block
    Pattern,
}

/// Homes of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Homes {
    /// The node that writes first
    FirstTouch,
    /// The pages of a heap block or of a section of variables in as many blocks as there are nodes
    Blocks,
    /// Page modulo nodes
    RoundRobin,
}

/// The port through which a host reaches its board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum HostPort {
    /// AXI4-Lite: a word at a time
    #[default]
    Axi4Lite,
    /// AXI4: words that follow each other as bursts
    Axi4,
}

/// Mapped windows of reflective-memory programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Mapped {
    /// Each access is one of the board
    Trap,
    /// Loads and stores run free, and changed bytes go out with the next call
    Flush,
}

impl Mapped {
    /// Name on the command line, and for the library of the program.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Mapped::Trap => "trap",
            Mapped::Flush => "flush",
        }
    }
}

/// What a race of an `OpenMP` program does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Races {
    /// End the run
    Stop,
    /// Print it and go on
    Report,
}

impl Races {
    /// Name on the command line, and for the library of the program.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Races::Stop => "stop",
            Races::Report => "report",
        }
    }
}

/// What is printed at the end.
#[derive(clap::Args)]
pub(super) struct Summary {
    /// Print at the end, to standard error, one JSON object: the outcome and what each process did
    #[arg(long)]
    pub(super) json: bool,
}

/// A number of bytes, with K, M or G for a power of 1024.
fn bytes(text: &str) -> Result<u64, String> {
    let unit = |letter| text.strip_suffix(letter);
    let (number, unit) = [('K', 10), ('M', 20), ('G', 30)]
        .into_iter()
        .find_map(|(letter, bits)| Some((unit(letter)?, 1_u64 << bits)))
        .unwrap_or((text, 1));
    let bytes = number.parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
    let right = |&bytes: &u64| bytes.is_power_of_two() && (1 << 4..=1 << 31).contains(&bytes);
    let expected = "expected a power of two, 16 to 2G: a number of bytes such as 65536, 64K or 1M";
    bytes.filter(right).ok_or_else(|| expected.into())
}

/// How the time of computing comes to the ring.
fn computing(text: &str) -> Result<Computing, String> {
    let thousandths = |factor: &str| {
        let factor = factor.parse::<f64>().ok().filter(|k| (0.001..=1e6).contains(k))?;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range")]
        let thousandths = (factor * 1000.0).round() as u32;
        Some(thousandths)
    };
    let found = match text.split_once(':') {
        None if text == "told" => Some(Computing::Told),
        None if text == "counted" => Some(Computing::Counted { thousandths: 1000 }),
        Some(("counted", k)) => {
            thousandths(k).map(|thousandths| Computing::Counted { thousandths })
        }
        Some(("measured", k)) => {
            thousandths(k).map(|thousandths| Computing::Measured { thousandths })
        }
        _ => None,
    };
    found.ok_or_else(|| {
        "expected told, counted, counted:K or measured:K with a factor K from 0.001 to 1000000"
            .into()
    })
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stimuli of the lockstep on a foreign module (CNF-2, CNF-5).
//!
//! A module of the model takes part by a [`Suite`]: its cases and what they are about.

use crate::campaign;
use crate::conform::blame::{AFTER, blame, does_not_compile};
use crate::conform::case::{Case, Group, Outcome, Verdict};
use crate::conform::play::{Lines, build};
use crate::conform::{CASES, Dut, Options, Played, bench, subjects};
use awgstar::quantity::narrow;
use awgstar::rtl::{Parameters, RingNode, Smb, SmbAxi4};
use awgstar_simulator::cosim::parallel;
use awgstar_simulator::{SimError, Token};
use awgstar_stimulus as stimulus;
use awgstar_stimulus::board::BoardStimulus;
use awgstar_stimulus::machine::Machine;
use awgstar_stimulus::node::directed::Named;
use awgstar_stimulus::node::{directed, sized, strategy};
use awgstar_stimulus::reached;
use awgstar_stimulus::reached::Reached;
use awgstar_stimulus::shape::Shape;
use awgstar_stimulus::vector::{Vector, track_of};
use awgstar_stimulus::vectors::board::{self as golden, Golden};
use awgstar_stimulus::{board, vector};
use proptest::strategy::ValueTree;
use std::{
    path::Path,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

/// Longest random case, in cycles.
pub(super) const CYCLES: u64 = 2000;

/// Length of a random case of a ring, in cycles.
const RING_CYCLES: u64 = 3000;

fn has_engine(parameters: &Parameters) -> bool {
    parameters.engine_node_w() != 0
}

/// Of a board that can join, half of the random cases are of joining.
fn joins(parameters: &Parameters, number: usize) -> bool {
    parameters.join() != 0 && number.is_multiple_of(2)
}

/// Stimuli of the suite for a module.
pub trait Suite: Machine {
    /// The requirements that are its own, by their letters.
    const FAMILIES: &'static [&'static str];
    /// Folders of its committed vectors, below `vectors`.
    const VECTORS: &'static [&'static str];

    /// The requirements that are its own with these parameters.
    #[must_use]
    fn families(_parameters: &Parameters) -> &'static [&'static str] {
        Self::FAMILIES
    }

    /// Cases made by hand for an option that these parameters turn on.
    ///
    /// # Errors
    /// If files of stories have mistakes.
    fn optional(_parameters: &Parameters) -> Result<Vec<Named<stimulus::Case<Self>>>, SimError> {
        Ok(Vec::new())
    }

    /// Random case of this number for an option that these parameters turn on.
    ///
    /// # Errors
    /// If the strategy gives none.
    fn random_optional(
        _seed: u64,
        _number: usize,
        _parameters: &Parameters,
    ) -> Result<Option<stimulus::Case<Self>>, SimError> {
        Ok(None)
    }

    /// Cases made by hand; what the host waits for is a machine with these parameters.
    fn directed(parameters: &Parameters) -> Vec<Named<stimulus::Case<Self>>>;

    /// Cases made for these parameters: what the sizes of its buffers decide.
    fn sized(parameters: &Parameters) -> Vec<Named<stimulus::Case<Self>>>;

    /// Random case of this number, with its addresses where these parameters have their ends.
    ///
    /// # Errors
    /// If the strategy gives none.
    fn random(
        seed: u64,
        number: usize,
        parameters: &Parameters,
    ) -> Result<stimulus::Case<Self>, SimError>;

    /// The requirements that such a random case is about.
    fn about_optional(_case: &stimulus::Case<Self>) -> Vec<String> {
        Vec::new()
    }

    /// The requirements that a random case is about.
    fn about(case: &stimulus::Case<Self>) -> Vec<String>;
}

impl Suite for RingNode {
    const FAMILIES: &'static [&'static str] = &["NODE"];
    const VECTORS: &'static [&'static str] = &["node"];

    fn directed(_: &Parameters) -> Vec<Named<stimulus::Case<Self>>> {
        directed::cases()
    }

    fn sized(parameters: &Parameters) -> Vec<Named<stimulus::Case<Self>>> {
        sized::cases(parameters)
    }

    fn random(seed: u64, number: usize, _: &Parameters) -> Result<stimulus::Case<Self>, SimError> {
        Ok(campaign::case(&strategy::node(CYCLES), seed, number)?.current())
    }

    fn about(case: &stimulus::Case<Self>) -> Vec<String> {
        subjects::of_node(case)
    }
}

impl Suite for Smb {
    const FAMILIES: &'static [&'static str] = &["HST", "WRT", "ACK", "SND", "RCV", "MON", "IRQ"];
    const VECTORS: &'static [&'static str] = &golden::FOLDERS;

    fn families(parameters: &Parameters) -> &'static [&'static str] {
        const ALL: &[&str] = &["JOIN", "HST", "WRT", "ACK", "SND", "RCV", "MON", "IRQ", "ENG"];
        let all = if parameters.join() != 0 { ALL } else { &ALL[1..] };
        if has_engine(parameters) { all } else { &all[..all.len() - 1] }
    }

    /// The stories of the lists; those of the golden vectors, for boards of other sizes than those of the vectors.
    fn optional(parameters: &Parameters) -> Result<Vec<Named<stimulus::Case<Self>>>, SimError> {
        if !has_engine(parameters) {
            return Ok(Vec::new());
        }
        let other = *parameters != board::engine::parameters();
        let stories = if other { golden::with_engine()? } else { &[] };
        let stories = stories.iter().map(Golden::named).chain(golden::lists()?);
        Ok(stories.map(|story| story.map(stimulus::Case::alone)).collect())
    }

    fn random_optional(
        seed: u64,
        number: usize,
        parameters: &Parameters,
    ) -> Result<Option<stimulus::Case<Self>>, SimError> {
        if !has_engine(parameters) {
            return Ok(None);
        }
        Ok(Some(if number.is_multiple_of(2) {
            let one = board::engine::one_of(*parameters, CYCLES);
            stimulus::Case::alone(campaign::case(&one, seed, number)?.current())
        } else {
            let ring = board::engine::ring_of(*parameters, 2, RING_CYCLES);
            campaign::case(&ring, seed, number)?.current()
        }))
    }

    fn directed(_: &Parameters) -> Vec<Named<stimulus::Case<Self>>> {
        board::directed::named()
    }

    fn sized(parameters: &Parameters) -> Vec<Named<stimulus::Case<Self>>> {
        board::sized::cases(parameters)
    }

    fn random(
        seed: u64,
        number: usize,
        parameters: &Parameters,
    ) -> Result<stimulus::Case<Self>, SimError> {
        if joins(parameters, number) {
            let one = board::join::one_of(*parameters, CYCLES);
            let case = stimulus::Case::alone(campaign::case(&one, seed, number)?.current());
            return Ok(board::sized::fit(case, parameters));
        }
        let case = campaign::case(&board::strategy::board(CYCLES), seed, number)?.current();
        Ok(board::sized::fit(case, parameters))
    }

    fn about(case: &stimulus::Case<Self>) -> Vec<String> {
        subjects::of_board(case)
    }

    fn about_optional(case: &stimulus::Case<Self>) -> Vec<String> {
        subjects::of_engine(case)
    }
}

/// What its host port adds; the rest of the board has the suite of [`Smb`].
impl Suite for SmbAxi4 {
    const FAMILIES: &'static [&'static str] = &["AXI"];
    const VECTORS: &'static [&'static str] = &["board_axi4"];

    fn families(parameters: &Parameters) -> &'static [&'static str] {
        const ALL: &[&str] = &["AXI", "ENG"];
        if has_engine(parameters) { ALL } else { Self::FAMILIES }
    }

    /// The stories of the golden vectors of `smb`, and of the lists.
    fn optional(parameters: &Parameters) -> Result<Vec<Named<stimulus::Case<Self>>>, SimError> {
        if !has_engine(parameters) {
            return Ok(Vec::new());
        }
        let stories = golden::with_engine()?.iter().map(Golden::named).chain(golden::lists()?);
        let of =
            |story: BoardStimulus| stimulus::Case::alone(board::burst::of_single_accesses(&story));
        Ok(stories.map(|story| story.map(of)).collect())
    }

    fn random_optional(
        seed: u64,
        number: usize,
        parameters: &Parameters,
    ) -> Result<Option<stimulus::Case<Self>>, SimError> {
        if !has_engine(parameters) {
            return Ok(None);
        }
        let one = board::engine::one_of(*parameters, CYCLES);
        let one = campaign::case(&one, seed, number)?.current();
        Ok(Some(stimulus::Case::alone(board::burst::of_single_accesses(&one))))
    }

    fn directed(_: &Parameters) -> Vec<Named<stimulus::Case<Self>>> {
        board::burst::named()
    }

    fn sized(parameters: &Parameters) -> Vec<Named<stimulus::Case<Self>>> {
        board::sized::burst_cases(parameters)
    }

    fn random(
        seed: u64,
        number: usize,
        parameters: &Parameters,
    ) -> Result<stimulus::Case<Self>, SimError> {
        if joins(parameters, number) {
            let one = board::join::one_of(*parameters, CYCLES);
            let one = campaign::case(&one, seed, number)?.current();
            let case = stimulus::Case::alone(board::burst::of_single_accesses(&one));
            return Ok(board::sized::fit_bursts(case, parameters));
        }
        let case = campaign::case(&board::burst::board(CYCLES), seed, number)?.current();
        Ok(board::sized::fit_bursts(case, parameters))
    }

    fn about(case: &stimulus::Case<Self>) -> Vec<String> {
        subjects::of_burst_board(case)
    }

    fn about_optional(case: &stimulus::Case<Self>) -> Vec<String> {
        subjects::of_burst_engine(case)
    }
}

/// A case before it is played.
struct Planned<M: Machine> {
    name: String,
    requirements: Vec<String>,
    case: stimulus::Case<M>,
}

/// Cases by group.
type Plan<M> = Vec<(&'static str, Vec<Planned<M>>)>;

/// The cases that are asked for.
fn plan<M: Suite>(options: &Options<'_>) -> Result<Plan<M>, SimError> {
    let by_hand = |group: &str, cases: Vec<Named<stimulus::Case<M>>>| -> Vec<Planned<M>> {
        let planned = cases.into_iter().map(|Named { name, requirements, case }| Planned {
            name: format!("{group}/{name}"),
            requirements: requirements.into_iter().map(str::to_owned).collect(),
            case,
        });
        planned.collect()
    };
    let directed = by_hand("directed", M::directed(&options.parameters));
    // At the contract's sizes, `directed` has them.
    let usual = options.parameters == Parameters::DEFAULT;
    let sized = if usual { Vec::new() } else { by_hand("sized", M::sized(&options.parameters)) };
    let mut random = Vec::new();
    for number in 0..options.cases.unwrap_or(CASES) {
        let name = format!("random/{number:04}");
        if options.wants(&name) {
            let case = M::random(options.seed.into(), number, &options.parameters)?;
            random.push(Planned { name, requirements: M::about(&case), case });
        }
    }
    let mut engine = by_hand("engine", M::optional(&options.parameters)?);
    for number in 0..options.cases.unwrap_or(CASES).div_ceil(2) {
        let name = format!("engine/random/{number:04}");
        if options.wants(&name) {
            let case = M::random_optional(options.seed.into(), number, &options.parameters)?;
            let planned = |case| Planned { requirements: M::about_optional(&case), name, case };
            engine.extend(case.map(planned));
        }
    }
    let mut committed = Vec::new();
    let folders = M::VECTORS.iter().map(|name| options.root.join("vectors").join(name));
    for folder in folders.flat_map(|folder| vector::list(&folder)) {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let vector = Vector::<M>::load(&folder)?;
        // Nothing can be deposited in a module of which only the ports are known.
        if vector.parameters != options.parameters || !vector.track.deposits.is_empty() {
            continue;
        }
        // LCK is about model and Verilog side by side, which this is not.
        let ids = vector.about.requirements.iter().filter(|id| !id.starts_with("LCK"));
        let requirements = ids.cloned().collect();
        let case = vector.case();
        committed.push(Planned { name: format!("vectors/{name}"), requirements, case });
    }
    let mut all = vec![
        ("directed", directed),
        ("sized", sized),
        ("random", random),
        ("engine", engine),
        ("vectors", committed),
    ];
    for (_, cases) in &mut all {
        cases.retain(|c| options.wants(&c.name));
    }
    let mut number = 0;
    let part = options.shard.range(all.iter().map(|(_, cases)| cases.len()).sum());
    for (_, cases) in &mut all {
        cases.retain(|_| {
            number += 1;
            part.contains(&(number - 1))
        });
    }
    all.retain(|(_, cases)| !cases.is_empty());
    Ok(all)
}

/// Plays every case that is asked for.
///
/// # Errors
/// If a program is missing or a vector cannot be read.
pub fn play_all<M: Suite>(
    dut: &Dut,
    options: &Options<'_>,
    shape: &Shape,
    settings: &[String],
    scratch: &Path,
    hung: &AtomicBool,
) -> Result<Played, SimError> {
    let plan = plan::<M>(options)?;
    let cycles = plan.iter().flat_map(|(_, cases)| cases).map(|c| c.case.cycles()).max();
    let cycles = narrow::<usize>(cycles.unwrap_or_default().0);
    if cycles == 0 {
        return Ok(Ok(Vec::new()));
    }
    let bench = |token: &Token| bench::text(shape, &dut.top, settings, cycles, token);
    let program = match build(shape.layout.module, &bench, dut, settings, options) {
        Ok(program) => program,
        Err(error) => return does_not_compile(error).map(Err),
    };
    let next = AtomicUsize::new(0);
    let all_reached = Mutex::new(Reached::default());
    let one = |folder: &Path, planned: &Planned<M>| -> Result<Outcome, SimError> {
        if hung.load(Ordering::Relaxed) {
            return Ok(Outcome::NotRun(AFTER.into()));
        }
        let track = track_of::<M>(&planned.case, 0, &shape.parameters)?;
        let events = reached::of::<M>(shape, &track)?;
        let played = Lines::<M>::new(shape, track).play(&program, folder, options);
        Ok(match played {
            Ok(None) => {
                all_reached.lock().unwrap_or_else(PoisonError::into_inner).merge(&events);
                Outcome::Pass
            }
            Ok(Some(failure)) => {
                if failure.verdict == Verdict::Hangs {
                    hung.store(true, Ordering::Relaxed);
                }
                Outcome::Fail(Box::new(failure))
            }
            Err(error) => blame(error, hung)?,
        })
    };
    let mut groups = Vec::new();
    for (name, cases) in plan {
        let cases = parallel(options.threads, &cases, &|planned| {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let outcome = one(&scratch.join(format!("case-{number}")), planned)?;
            (options.progress)(&planned.name);
            let (name, requirements) = (planned.name.clone(), planned.requirements.clone());
            Ok(Case { name, requirements, outcome })
        })?;
        let mut group = all_reached.lock().unwrap_or_else(PoisonError::into_inner);
        groups.push(Group { name: name.to_owned(), cases, reached: std::mem::take(&mut group) });
    }
    Ok(Ok(groups))
}

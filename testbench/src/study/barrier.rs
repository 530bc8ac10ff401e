//! A barrier: how long the last one to arrive keeps the others waiting.

use super::{Ring, Stats, StudyError, below};
use awgstar::contract::{BoardCounter, Order};
use awgstar::ring::boards::count;
use awgstar::system::{Ask, Happened, Program, Protocols, Record, Stopped, System};
use serde::Serialize;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Point {
    /// The ring.
    pub ring: Ring,
    /// Arrivals are spread at random over so many rotations.
    pub spread: u64,
    /// The node that arrives last comes so many cycles behind the others; 0 for chance.
    pub last: u64,
    /// Every node writes a word before it arrives.
    pub writes: bool,
    /// Episodes.
    pub episodes: usize,
}

/// What came out; cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Figures {
    /// From the call of the last one to arrive to the last one that goes on.
    pub all: Stats,
    /// The same to each that goes on.
    pub each: Stats,
    /// Signals sent in each episode.
    pub frames: f64,
    /// Signals that boards sent again.
    pub resent: u64,
    /// Signals that found a mailbox full.
    pub unread: u64,
}

/// Nothing takes so long, in cycles for each episode, and for each node in it.
const LIMIT: u64 = 400_000;
const LIMIT_NODE: u64 = 40_000;
const WORDS: u32 = 0x400;

/// Measures.
///
/// # Errors
/// When the ring cannot be, a process does not end, passes early, or reads an old word behind the
/// barrier.
pub fn measure<P: Protocols>(protocols: P, point: &Point) -> Result<Figures, StudyError> {
    let name = || format!("{point:?}");
    let failed = |error| StudyError::System { point: name(), error };
    let wrong = |wrong| StudyError::Wrong { point: name(), wrong };
    let nodes = point.ring.nodes;
    let mut system = System::new(protocols, &point.ring.setup()).map_err(failed)?;
    system.run_until_up(10 * LIMIT).map_err(failed)?;
    let limit = (LIMIT + LIMIT_NODE * nodes as u64).saturating_mul(point.episodes as u64);
    let ends = system.run_programs(limit, programs(point)).map_err(failed)?;
    if let Some(end) = ends.into_iter().find_map(Result::err) {
        return Err(wrong(end.to_string()));
    }
    system.settle(limit).map_err(failed)?;
    let sum = |counter| -> u64 {
        (0..nodes).map(|i| u64::from(count(system.ring().board(i), counter))).sum()
    };
    let (resent, unread) = (sum(BoardCounter::SignalResend), sum(BoardCounter::MailFull));
    let figures = figures(&system.take_records(), nodes, point.episodes).map_err(wrong)?;
    Ok(Figures { resent, unread, ..figures })
}

fn programs(point: &Point) -> Vec<Program<'static>> {
    let Point { ring, spread, last, writes, episodes } = *point;
    let mut random = ring.random(ring.nodes);
    let lasts: Vec<u64> = (0..episodes).map(|_| below(&mut random, ring.nodes as u64)).collect();
    let program = |i: usize| -> Program<'static> {
        let lasts = lasts.clone();
        Box::new(move |node| {
            let mut random = ring.random(i);
            for (episode, late) in (1..).zip(lasts) {
                let late = if late == i as u64 { last } else { 0 };
                node.wait(1 + late + below(&mut random, spread * ring.rotation()))?;
                let word = |i: usize| WORDS + 4 * u32::try_from(i).unwrap_or(0);
                if writes {
                    node.write(word(i), episode)?;
                }
                node.barrier()?;
                // The neighbour ahead: the farthest one.
                let seen = node.read(word((i + 1) % ring.nodes))?;
                if writes && ring.order != Order::None && seen < episode {
                    return Err(Stopped::Check { expected: episode, found: seen });
                }
            }
            Ok(())
        })
    };
    (0..ring.nodes).map(program).collect()
}

#[expect(clippy::cast_precision_loss, reason = "a figure")]
fn figures(records: &[Record], nodes: usize, episodes: usize) -> Result<Figures, String> {
    let mut arrived: Vec<Vec<u64>> = vec![Vec::new(); episodes];
    let mut passed: Vec<Vec<u64>> = vec![Vec::new(); episodes];
    let (mut at, mut sent) = (vec![0; nodes], 0_usize);
    for &Record { cycle, node, ref what } in records {
        match what {
            Happened::Asked(Ask::Barrier) => arrived[at[node]].push(cycle),
            Happened::Answered(Ask::Barrier) => {
                passed[at[node]].push(cycle);
                at[node] += 1;
            }
            Happened::Sent(_) => sent += 1,
            _ => {}
        }
    }
    let (mut all, mut each) = (Vec::new(), Vec::new());
    for (episode, (arrived, passed)) in arrived.iter().zip(&passed).enumerate() {
        let last = arrived.iter().copied().max().unwrap_or(0);
        let first = passed.iter().copied().min().unwrap_or(0);
        if arrived.len() != nodes || passed.len() != nodes || first < last {
            return Err(format!("episode {episode}: passed before all had arrived"));
        }
        each.extend(passed.iter().map(|cycle| cycle - last));
        all.push(passed.iter().copied().max().unwrap_or(0) - last);
    }
    Ok(Figures {
        all: Stats::of(all),
        each: Stats::of(each),
        frames: sent as f64 / episodes.max(1) as f64,
        resent: 0,
        unread: 0,
    })
}

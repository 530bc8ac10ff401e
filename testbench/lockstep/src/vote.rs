// SPDX-License-Identifier: MIT OR Apache-2.0
//! Vote that names the odd one out: model, Verilator or Icarus (LCK-5).

use crate::run::Lockstep;
use awgstar::quantity;
use awgstar::quantity::narrow;
use awgstar_compare::{Cycle, Difference, Divergence, Kind, Seen};
use awgstar_simulator::SimError;
use awgstar_simulator::four_state as icarus;
use awgstar_stimulus::Case;
use awgstar_stimulus::machine::Machine;
use awgstar_stimulus::shape::{Shape, value};
use awgstar_stimulus::vector::track_of;
use std::{collections::BTreeMap, fmt, path::Path};

/// Cycles before and after the divergence that are looked at for a shift.
const WINDOW: u64 = 8;

/// One of the three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Voter {
    /// The Rust model.
    Model,
    Verilator,
    Icarus,
    /// All three differ.
    NoMajority,
}

/// In what way it is odd.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Oddity {
    /// Icarus has an X where the others have values: the Verilog uses a bit that nothing has set.
    X,
    /// Another value.
    Value,
    /// The value that the others had one cycle before.
    Late,
    /// The value that the others have one cycle later.
    Early,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vote {
    /// The odd one out.
    pub odd: Voter,
    pub how: Oddity,
    /// Path of the signal.
    pub path: String,
    /// The bits in model, Verilator, Icarus; the last with X as `None`.
    pub values: (u128, u128, Option<u128>),
}

impl fmt::Display for Vote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (model, verilator, icarus) = self.values;
        let icarus = icarus.map_or("X".to_owned(), |v| format!("{v:x}"));
        write!(f, "{}: model {model:x}, Verilator {verilator:x}, Icarus {icarus}: ", self.path)?;
        f.write_str(match self.odd {
            Voter::Model => "the simulators agree, so Verilog and model differ",
            Voter::Verilator => "Verilator is the odd one out",
            Voter::Icarus => "Icarus is the odd one out",
            Voter::NoMajority => "all three differ",
        })?;
        let model = self.odd == Voter::Model;
        f.write_str(match self.how {
            Oddity::X => "; an X: the Verilog uses a bit that nothing has set",
            Oddity::Value => " in value",
            Oddity::Late if model => " by a cycle: the Verilog is early",
            Oddity::Early if model => " by a cycle: the Verilog is late",
            Oddity::Late => ", a cycle late",
            Oddity::Early => ", a cycle early",
        })
    }
}

/// Values of a signal in some cycles: cycle to (model, Verilator).
type Series = BTreeMap<u64, (u128, u128)>;

/// Asks Icarus about the signal furthest upstream of `d`.
///
/// # Errors
/// If Icarus is missing or a run gives no answer.
pub fn vote<M: Machine>(
    d: &Divergence<Case<M>>,
    lockstep: &Lockstep<M>,
    program: &Path,
) -> Result<Option<Vote>, SimError> {
    let shape = lockstep.shape();
    let Some(first) = d.first() else { return Ok(None) };
    let longer = d.case.with_cycles(quantity::Cycle(d.cycle + WINDOW + 1));
    let track = track_of::<M>(&longer, d.node, &shape.parameters)?;
    let cycles = icarus::play::<M>(shape, program, &track)?;
    let at = narrow::<usize>(d.cycle);
    let Some(icarus) = icarus_value(first, &cycles, at) else {
        return Ok(None);
    };
    let (model, rtl) = (first.model(), first.seen.value);
    let differ = model ^ rtl;
    let values = (model, rtl, (icarus.x & differ == 0).then_some(icarus.value));
    let path = first.path();
    if icarus.x & differ != 0 {
        return Ok(Some(Vote { odd: Voter::Icarus, how: Oddity::X, path, values }));
    }
    let agrees = |with: u128| (icarus.value ^ with) & differ == 0;
    let odd = match (agrees(model), agrees(rtl)) {
        (true, false) => Voter::Verilator,
        (false, true) => Voter::Model,
        _ => Voter::NoMajority,
    };
    let series = series(first, d, lockstep)?;
    Ok(Some(Vote { odd, how: shift(&series, d.cycle, odd), path, values }))
}

/// The place of a register or output: which image, first word, bits.
fn place(shape: &Shape, of: &Difference) -> Option<(usize, usize, usize)> {
    let number = of.signal.number;
    let (image, (_, bits, at)) = match of.signal.kind {
        Kind::Register => (1, shape.register_words().nth(number)?),
        Kind::Output => (0, shape.output_words().nth(number)?),
        Kind::Memory | Kind::Wire { .. } => return None,
    };
    Some((image, at, bits))
}

fn series<M: Machine>(
    of: &Difference,
    d: &Divergence<Case<M>>,
    lockstep: &Lockstep<M>,
) -> Result<Series, SimError> {
    let mut series = Series::new();
    let Some((image, at, bits)) = place(lockstep.shape(), of) else { return Ok(series) };
    let (from, end) = (d.cycle.saturating_sub(WINDOW), d.cycle + WINDOW + 1);
    lockstep.watch(
        &d.case.with_cycles(quantity::Cycle(end)),
        from,
        end,
        &mut |cycle, node, _, _, shot| {
            if node == d.node {
                let [model, rtl] =
                    [&shot.model, &shot.rtl].map(|side| value(&side[image], at, bits));
                series.insert(cycle, (model, rtl));
            }
        },
    )?;
    Ok(series)
}

/// Compares the odd one's series with that of the others, shifted by a cycle.
fn shift(series: &Series, cycle: u64, odd: Voter) -> Oddity {
    let pair =
        |(model, rtl): (u128, u128)| if odd == Voter::Model { (model, rtl) } else { (rtl, model) };
    let moved = |by: i64| {
        let mut compared = 0;
        let same = series.range(cycle..).all(|(&at, &values)| {
            let Some(other) = at.checked_add_signed(by).and_then(|c| series.get(&c)) else {
                return true;
            };
            compared += 1;
            pair(values).0 == pair(*other).1
        });
        same && compared > 2
    };
    if moved(-1) {
        Oddity::Late
    } else if moved(1) {
        Oddity::Early
    } else {
        Oddity::Value
    }
}

fn icarus_value(of: &Difference, cycles: &[Cycle], at: usize) -> Option<Seen> {
    let (number, cycle) = (of.signal.number, cycles.get(at)?);
    match of.signal.kind {
        Kind::Register => cycle.registers.get(number).copied(),
        Kind::Output => cycle.outputs.get(number).copied(),
        Kind::Memory => {
            let changes = cycles.iter().take(at + 1).flat_map(|c| &c.memories);
            let word =
                |(m, index, _): &&(usize, usize, Seen)| (*m, Some(*index)) == (number, of.word);
            changes.filter(word).map(|(.., v)| *v).next_back()
        }
        Kind::Wire { .. } => None,
    }
}

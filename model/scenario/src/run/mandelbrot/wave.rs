// SPDX-License-Identifier: MIT OR Apache-2.0
//! Waves of a run, in ns: what each process is at, rows that are done, frames on the ring.

use crate::run::mandelbrot::watch::{Flight, Mark, Watch};
use awgstar::quantity::Nanoseconds;
use awgstar_draw::gtkw::Shown;
use awgstar_draw::waves::{Signal, Unit, Waves};
use awgstar_draw::{Change, Changes};
use awgstar_thesis::mandelbrot::program::Purpose;
use std::{
    collections::BTreeMap,
    io::{self, Write},
};

/// Signals of the ring: name, bits or 0 for a text.
const RING: [(&str, usize); 4] = [("phase", 0), ("rows_done", 32), ("busy", 1), ("frames", 16)];
/// Those of a node.
const NODE: [(&str, usize); 4] = [("process", 0), ("row", 32), ("rows_done", 32), ("frames", 16)];

type Ids = BTreeMap<&'static str, Signal>;

impl Watch {
    /// When all is over: the last process has ended and no frame is on the ring.
    #[must_use]
    pub fn end(&self) -> Nanoseconds {
        let ends = self.marks.iter().filter_map(|marks| marks.last()).map(|mark| mark.0);
        ends.chain(self.flights.iter().map(|flight| flight.to)).max().unwrap_or(Nanoseconds(0))
    }

    /// Writes the waves of these nodes from `window.0` to before `window.1` ns. Returns the save file of the VCD
    /// `dump`.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn waves(
        &self,
        out: impl Write,
        dump: &str,
        shown: &[usize],
        window: (u64, u64),
    ) -> io::Result<String> {
        let mut out = Waves::new(out, Unit::NS)?;
        out.scope("ring")?;
        let ring = declare(&mut out, &RING)?;
        let mut nodes = Vec::new();
        let shown = shown.iter().filter_map(|node| Some((*node, self.marks.get(*node)?)));
        for (node, marks) in shown {
            out.scope(&format!("node{node}"))?;
            out.group(&format!("node {node}"));
            nodes.push((node, marks, declare(&mut out, &NODE)?));
            out.end_scope()?;
        }
        out.end_scope()?;
        out.begin()?;
        let mut changes = Changes::from_idle(&out);
        for (_, marks, ids) in &nodes {
            process(marks, ids, &mut changes);
        }
        if let Some(master) = self.marks.first() {
            phases(master, ring["phase"], &mut changes);
        }
        let rows = self.marks.iter().flat_map(|marks| written(marks));
        steps(rows.map(|at| (at, 1)), |at, rows| {
            changes.put(at.0, ring["rows_done"], Change::Bits(rows));
        });
        steps(on_ring(self.flights.iter()), |at, frames| {
            changes.put(at.0, ring["frames"], Change::Bits(frames));
            changes.put(at.0, ring["busy"], Change::Bits(frames.min(1)));
        });
        for (node, _, ids) in &nodes {
            let own = self.flights.iter().filter(|flight| flight.node == *node);
            steps(on_ring(own), |at, frames| {
                changes.put(at.0, ids["frames"], Change::Bits(frames));
            });
        }
        changes.write(&mut out, window)?;
        Ok(out.save(dump, window.0..window.1, 0))
    }
}

fn declare<W: Write>(out: &mut Waves<W>, signals: &[(&'static str, usize)]) -> io::Result<Ids> {
    let one = |&(name, bits): &(&'static str, usize)| {
        let signal = match bits {
            0 => out.text(name)?,
            1 => out.number(name, bits, Shown::Binary)?,
            _ => out.number(name, bits, Shown::Decimal)?,
        };
        out.show(signal);
        Ok((name, signal))
    };
    signals.iter().map(one).collect()
}

/// Activity of a process, the row of it, and the number of rows it has written.
fn process(marks: &[Mark], ids: &Ids, changes: &mut Changes) {
    let (mut last, mut last_row) = (String::new(), None);
    for (at, step) in marks {
        let (word, row) = match *step {
            None => ("ended".into(), None),
            Some(Purpose::Initialise(row)) => ("initialises".into(), Some(row)),
            Some(Purpose::Compute(row)) => ("computes".into(), Some(row)),
            Some(Purpose::Write(row)) => ("writes".into(), Some(row)),
            Some(Purpose::ComputeWrite(row)) => ("computes and writes".into(), Some(row)),
            Some(Purpose::Barrier(number)) => (format!("at barrier {number}"), None),
            Some(Purpose::Read(row)) => ("reads".into(), Some(row)),
            Some(Purpose::Send(row)) => ("sends".into(), Some(row)),
        };
        if last != word {
            changes.put(at.0, ids["process"], Change::Text(word.clone()));
            last = word;
        }
        if let Some(row) = row.filter(|_| last_row != row) {
            changes.put(at.0, ids["row"], Change::Bits(row.into()));
            last_row = Some(row);
        }
    }
    steps(written(marks).map(|at| (at, 1)), |at, rows| {
        changes.put(at.0, ids["rows_done"], Change::Bits(rows));
    });
}

/// The parts of the program, as the master passes them.
fn phases(master: &[Mark], id: Signal, changes: &mut Changes) {
    let mut put = |at: Nanoseconds, phase| changes.put(at.0, id, Change::Text(phase));
    put(Nanoseconds(0), "initialise".into());
    for pair in master.windows(2) {
        if let Some(Purpose::Barrier(number)) = pair[0].1 {
            let part = if number % 2 == 1 { "execution" } else { "results" };
            put(pair[1].0, format!("{part} {}", number.div_ceil(2)));
        }
    }
    if let Some((at, None)) = master.last() {
        put(*at, "ended".into());
    }
}

/// When the results of each row of a process are in its board.
fn written(marks: &[Mark]) -> impl Iterator<Item = Nanoseconds> {
    let writes =
        |pair: &&[Mark]| matches!(pair[0].1, Some(Purpose::Write(_) | Purpose::ComputeWrite(_)));
    marks.windows(2).filter(writes).map(|pair| pair[1].0)
}

/// Frames that come to the ring and leave it.
fn on_ring<'a>(
    flights: impl Iterator<Item = &'a Flight>,
) -> impl Iterator<Item = (Nanoseconds, i64)> {
    flights.flat_map(|flight| [(flight.from, 1), (flight.to, -1)])
}

/// A count that changes by these amounts at these times; `tell` is called once for each time.
fn steps(by: impl Iterator<Item = (Nanoseconds, i64)>, mut tell: impl FnMut(Nanoseconds, u64)) {
    let mut at_time: BTreeMap<Nanoseconds, i64> = BTreeMap::new();
    for (at, by) in by {
        *at_time.entry(at).or_default() += by;
    }
    let mut count = 0_u64;
    for (at, by) in at_time.into_iter().filter(|(_, by)| *by != 0) {
        count = count.saturating_add_signed(by);
        tell(at, count);
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! The builder of waves. A signal is declared once, with its scope, width and format. The VCD and the rows of
//! the save file for `GTKWave` come from the declaration.

use crate::gtkw::{Save, Shown};
use crate::names::name_files;
use awgstar_frame::contract::limits::CLOCK_HZ;
use std::{
    fs,
    io::{self, Write},
    iter,
    ops::Range,
    path::Path,
};
use vcd::{IdCode, SimulationCommand, Value, VarType, Writer};

pub use vcd::TimescaleUnit as Unit;

/// Clock period in ps, rounded to an even number so that both halves are whole.
pub const PERIOD_PS: u64 = 1_000_000_000_000 / CLOCK_HZ / 2 * 2;

/// A declared signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Signal(usize);

#[derive(Clone, Debug)]
struct Declared {
    id: IdCode,
    /// Scopes and name with dots between them.
    path: String,
    /// 0 for a text.
    bits: usize,
    shown: Shown<'static>,
}

impl Declared {
    /// The path with the range of a number of several bits.
    fn row(&self) -> String {
        match self.bits {
            0 | 1 => self.path.clone(),
            bits => format!("{}[{}:0]", self.path, bits - 1),
        }
    }
}

#[derive(Clone, Debug)]
enum Row {
    Group(String),
    Signal(Shown<'static>, String),
}

/// A VCD that is being written, and the rows of its save file.
#[expect(missing_debug_implementations, reason = "the writer of a VCD has none")]
pub struct Waves<W: Write> {
    out: Writer<W>,
    scopes: Vec<String>,
    signals: Vec<Declared>,
    rows: Vec<Row>,
}

impl<W: Write> Waves<W> {
    /// Waves whose times are multiples of one `unit`.
    ///
    /// # Errors
    /// Those of `out`; so have all other methods that write.
    pub fn new(out: W, unit: Unit) -> io::Result<Waves<W>> {
        let mut out = Writer::new(out);
        out.timescale(1, unit)?;
        Ok(Waves { out, scopes: Vec::new(), signals: Vec::new(), rows: Vec::new() })
    }

    /// Opens a scope for the declarations that follow.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn scope(&mut self, name: &str) -> io::Result<()> {
        self.scopes.push(name.to_owned());
        self.out.add_module(name)
    }

    /// Closes the innermost scope.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn end_scope(&mut self) -> io::Result<()> {
        self.scopes.pop();
        self.out.upscope()
    }

    /// Declares a signal of that many bits.
    ///
    /// # Errors
    /// Those of the writer, or more bits than a VCD can say.
    pub fn number(&mut self, name: &str, bits: usize, shown: Shown<'static>) -> io::Result<Signal> {
        let width = u32::try_from(bits).map_err(io::Error::other)?;
        let id = self.out.add_var(VarType::Wire, width, name, None)?;
        Ok(self.declared(id, name, bits, shown))
    }

    /// Declares a signal whose values are texts.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn text(&mut self, name: &str) -> io::Result<Signal> {
        let id = self.out.add_var(VarType::String, 8, name, None)?;
        Ok(self.declared(id, name, 0, Shown::Binary))
    }

    fn declared(&mut self, id: IdCode, name: &str, bits: usize, shown: Shown<'static>) -> Signal {
        let scopes = self.scopes.iter().map(String::as_str);
        let path = scopes.chain([name]).collect::<Vec<_>>().join(".");
        self.signals.push(Declared { id, path, bits, shown });
        Signal(self.signals.len() - 1)
    }

    /// The last declared signal with this path.
    #[must_use]
    pub fn find(&self, path: &str) -> Option<Signal> {
        self.signals.iter().rposition(|signal| signal.path == path).map(Signal)
    }

    /// Every signal in the order of declaration, and whether its values are texts.
    pub(crate) fn signals(&self) -> impl Iterator<Item = (Signal, bool)> {
        self.signals.iter().enumerate().map(|(i, signal)| (Signal(i), signal.bits == 0))
    }

    /// A heading of the save file.
    pub fn group(&mut self, title: &str) {
        self.rows.push(Row::Group(title.to_owned()));
    }

    /// A row of the save file, in the signal's format.
    pub fn show(&mut self, signal: Signal) {
        self.show_as(signal, self.signals[signal.0].shown);
    }

    /// A row of the save file, in another format.
    pub fn show_as(&mut self, signal: Signal, shown: Shown<'static>) {
        self.rows.push(Row::Signal(shown, self.signals[signal.0].row()));
    }

    /// A row for each of these.
    pub fn show_all(&mut self, signals: impl IntoIterator<Item = Signal>) {
        for signal in signals {
            self.show(signal);
        }
    }

    /// Ends the declarations.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn begin(&mut self) -> io::Result<()> {
        self.out.enddefinitions()
    }

    /// Values before the first time: `None` is unknown.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn start(&mut self, values: &[(Signal, Option<u128>)]) -> io::Result<()> {
        self.out.begin(SimulationCommand::Dumpvars)?;
        for &(signal, value) in values {
            let Declared { id, bits, .. } = self.signals[signal.0];
            match value {
                Some(value) => self.set(signal, value)?,
                None => self.out.change_vector(id, iter::repeat_n(Value::X, bits))?,
            }
        }
        self.out.end()
    }

    /// The time of the changes that follow, in the unit of the file.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn at(&mut self, time: u64) -> io::Result<()> {
        self.out.timestamp(time)
    }

    /// Changes a number.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn set(&mut self, signal: Signal, value: u128) -> io::Result<()> {
        let Declared { id, bits, .. } = self.signals[signal.0];
        if bits == 1 {
            return self.out.change_scalar(id, value & 1 == 1);
        }
        self.set_vector(signal, value)
    }

    /// Changes a number; one of a single bit is written as a vector too.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn set_vector(&mut self, signal: Signal, value: u128) -> io::Result<()> {
        let Declared { id, bits, .. } = self.signals[signal.0];
        self.out.change_vector(id, (0..bits).rev().map(|bit| Value::from(value >> bit & 1 == 1)))
    }

    /// Changes a text. Blanks, which a VCD cannot hold, are written as `_`.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn say(&mut self, signal: Signal, text: &str) -> io::Result<()> {
        let text = text.split_whitespace().collect::<Vec<_>>().join("_");
        self.out.change_string(self.signals[signal.0].id, &text)
    }

    /// The last time of the file.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn end(&mut self, time: u64) -> io::Result<()> {
        self.out.timestamp(time)?;
        self.out.flush()
    }

    /// The save file of a VCD with this name that covers `times`, with the marker at `marker`.
    #[must_use]
    pub fn save(&self, vcd_name: &str, times: Range<u64>, marker: u64) -> String {
        let mut save = Save::new(vcd_name, times, marker);
        for row in &self.rows {
            match row {
                Row::Group(title) => save.group(title),
                Row::Signal(shown, path) => save.row(*shown, path),
            }
        }
        save.text()
    }
}

/// Writes the names of codes for `GTKWave` and for Surfer to `folder`.
///
/// # Errors
/// If a file cannot be written.
pub fn write_names(folder: &Path) -> io::Result<()> {
    for (name, text) in name_files() {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(path, text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vcd_and_rows_come_from_one_declaration() {
        let mut bytes = Vec::new();
        let mut waves = Waves::new(&mut bytes, Unit::NS).unwrap();
        waves.scope("ring").unwrap();
        let clk = waves.number("clk", 1, Shown::Binary).unwrap();
        waves.scope("node0").unwrap();
        let count = waves.number("count", 12, Shown::Decimal).unwrap();
        let state = waves.text("state").unwrap();
        waves.end_scope().unwrap();
        waves.end_scope().unwrap();
        waves.begin().unwrap();
        waves.start(&[(count, None), (clk, Some(0))]).unwrap();
        waves.at(3).unwrap();
        waves.set(count, 5).unwrap();
        waves.say(state, "at work").unwrap();
        waves.end(9).unwrap();
        waves.show(clk);
        waves.group("node 0");
        waves.show_all([count, state]);
        assert_eq!(waves.find("ring.node0.count"), Some(count));
        let save = waves.save("x.vcd", 0..9, 0);
        let rows = "@28\nring.clk\n@200\n-node 0\n@24\n+{ring/node0/count[11:0]} ring.node0.count[11:0]\n@28\n+{ring/node0/state} ring.node0.state\n";
        assert!(save.ends_with(rows), "{save}");
        let vcd = String::from_utf8(bytes).unwrap();
        assert!(vcd.ends_with("#3\nb000000000101 \"\nsat_work #\n#9\n"), "{vcd}");
    }
}

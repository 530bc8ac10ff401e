// SPDX-License-Identifier: MIT OR Apache-2.0
//! Stories: the golden vectors of boards as data, in `testbench/stimulus/stories`. `vectors/README.md` says how one is
//! written.

mod bursts;
mod gateway;
mod host;
mod link;
#[cfg(test)]
mod mistakes;
mod script;
mod tree;

pub(super) use link::message;
pub(super) use script::Script;

use crate::board::BoardStimulus;
use crate::board::burst::BurstStimulus;
use crate::board::stimulus::BoardFrame;
use crate::echo::{self, shown};
use crate::gateway::Sides;
use crate::place::{FileError, FileErrors};
use awgstar::contract::board::registers;
use awgstar::quantity::Cycle;
use std::iter;
use tree::{File, Keys, Result, Table, Value};

/// A vector before it is made. Answers and signals are written by hand.
#[derive(Clone, Debug)]
pub struct Story<S> {
    /// Name of the vector and of its folder.
    pub name: String,
    /// Requirement ids.
    pub requirements: Vec<String>,
    /// Behaviour that the vector shows.
    pub shows: String,
    /// The bug it catches.
    pub catches: String,
    /// Effect of that bug in the field.
    pub effect: String,
    /// Answers that the host must get, in order: words that it reads as 8 hexadecimal digits, `slverr` for an access
    /// that is refused; of the AXI4 port, words and `slverr` of beats that are read, and `slverr` of writes.
    pub answers: Vec<String>,
    /// The signals that a board with an engine must send, in order: TOKEN and C.ST in binary, Node_ID and the first 10
    /// bytes of Data in hexadecimal. None of a board without an engine.
    pub signals: Option<Vec<String>>,
    /// What happens to the board.
    pub stimulus: S,
}

/// A file below `testbench/stimulus/stories`.
macro_rules! file {
    ($name:literal) => {
        File {
            name: concat!("testbench/stimulus/stories/", $name),
            text: include_str!(concat!("../../../stories/", $name)),
        }
    };
}

/// What a story can begin with.
const START: File = file!("start.toml");

type Loaded<T> = std::result::Result<T, FileErrors>;

/// Those of a board with the contract's parameters.
pub(super) fn plain() -> Loaded<Vec<Story<BoardStimulus>>> {
    let files = [
        file!("host.toml"),
        file!("send.toml"),
        file!("signals.toml"),
        file!("receive.toml"),
        file!("monitor.toml"),
        file!("paging.toml"),
    ];
    boards(START, &files, false)
}

/// Those of a board with a lock and barrier engine.
pub(super) fn engine() -> Loaded<Vec<Story<BoardStimulus>>> {
    boards(START, &[file!("engine.toml")], true)
}

/// Those about the lists of the engine; no file is written of them.
pub(super) fn lists() -> Loaded<Vec<Story<BoardStimulus>>> {
    boards(START, &[file!("lists.toml")], false)
}

/// Those of the AXI4 port.
pub(super) fn bursts() -> Loaded<Vec<Story<BurstStimulus>>> {
    burst_boards(&[file!("bursts.toml")])
}

/// Those of a gateway.
pub(super) fn gateways() -> Loaded<Vec<Story<Sides>>> {
    gateway_sides(START, &[file!("gateway.toml")])
}

/// A board with an engine that takes part, before a story.
pub(super) fn started() -> Loaded<Script> {
    let mut mistakes = FileErrors::default();
    let keys = mistakes.keep(parse(START)).unwrap_or_default();
    let unknown = |what| FileError::at(START.name, START.text, &(0..0), what);
    let starts = ["engine", "ring"].map(|name| mistakes.keep(start(START, &keys, name, unknown)));
    let tables: Vec<Table> = starts.into_iter().flatten().collect();
    let mut script = begin(&tables, &mut mistakes);
    for table in &tables {
        mistakes.keep(connect(&mut script, table));
    }
    mistakes.or(script)
}

fn parse(file: File) -> Result<Keys> {
    toml::from_str(file.text).map_err(|error| FileError::toml(file.name, file.text, &error))
}

/// The stories of files, each made by `one` from its table and that of its file.
fn stories<S>(
    files: &[File],
    mistakes: &mut FileErrors,
    one: impl Fn(&Table, &Table, &mut FileErrors) -> Result<Story<S>>,
) -> Vec<Story<S>> {
    let mut all = Vec::new();
    for &file in files {
        let Some(keys) = mistakes.keep(parse(file)) else { continue };
        let top = Table::new(file, "file".into(), 0..0, &keys);
        let list = mistakes.keep(top.list("story")).unwrap_or_default();
        for value in list {
            let Some(table) = mistakes.keep(story(file, value)) else { continue };
            let made = one(&table, &top, mistakes);
            let made = made.and_then(|story| table.done().map(|()| story));
            all.extend(mistakes.keep(made));
        }
        mistakes.keep(top.done());
    }
    all
}

fn story<'a>(file: File<'a>, value: &'a Value) -> Result<Table<'a>> {
    let nameless = Table::of(file, "a story".into(), value)?;
    let name = nameless.as_text("name", nameless.value("name")?)?;
    Table::of(file, format!("story `{}`", shown(name)), value)
}

/// A story with what is said of it.
fn about<S>(t: &Table, answers: Vec<String>, stimulus: S) -> Result<Story<S>> {
    let text = |key| Ok(t.as_text(key, t.value(key)?)?.to_owned());
    Ok(Story {
        name: text("name")?,
        requirements: t.texts("requirements")?.into_iter().map(Into::into).collect(),
        shows: text("shows")?,
        catches: text("catches")?,
        effect: text("effect")?,
        answers,
        signals: None,
        stimulus,
    })
}

/// Takes each table of a list of `t`.
fn each(
    t: &Table,
    key: &'static str,
    mistakes: &mut FileErrors,
    mut step: impl FnMut(&Table) -> Result<()>,
) {
    for value in mistakes.keep(t.list(key)).unwrap_or_default() {
        mistakes.keep(t.inner(key, value).and_then(|table| table.turns(&mut step)));
    }
}

/// Stories of a board; with `signals`, each says what the board sends.
fn boards(starts: File, files: &[File], signals: bool) -> Loaded<Vec<Story<BoardStimulus>>> {
    let mut mistakes = FileErrors::default();
    let keys = mistakes.keep(parse(starts)).unwrap_or_default();
    let all = stories(files, &mut mistakes, |t, top, mistakes| {
        let usual = top.list("start")?;
        let names = if t.has("start") { t.list("start")? } else { usual };
        let mut script = board((starts, &keys), names, t, mistakes)?;
        script.stimulus.cycles = Cycle(t.needed("cycles")?);
        let signals = signals.then(|| sends(t, script.node())).transpose()?;
        Ok(Story { signals, ..about(t, script.answers, script.stimulus)? })
    });
    mistakes.or(all)
}

/// What one board does by table `t`, after these starts.
fn board(
    (starts, keys): (File, &Keys),
    names: &[Value],
    t: &Table,
    mistakes: &mut FileErrors,
) -> Result<Script> {
    let start =
        |name: &Value| start(starts, keys, t.as_text("start", name)?, |what| t.at(name, what));
    let tables: Vec<Table> = names.iter().filter_map(|name| mistakes.keep(start(name))).collect();
    let mut script = begin(&tables, mistakes);
    with(&mut script, t)?;
    each(t, "host", mistakes, |step| host::step(&mut script, step));
    for table in tables.iter().chain([t]) {
        connect(&mut script, table)?;
        each(table, "link", mistakes, |frame| link::frame(&mut script, frame));
    }
    for table in &tables {
        mistakes.keep(table.done());
    }
    Ok(script)
}

/// Stories of a board with an AXI4 port.
fn burst_boards(files: &[File]) -> Loaded<Vec<Story<BurstStimulus>>> {
    let mut mistakes = FileErrors::default();
    let all = stories(files, &mut mistakes, |t, _, mistakes| {
        let (mut bursts, mut answers) = (Vec::new(), Vec::new());
        each(t, "bursts", mistakes, |one| bursts::burst(&mut bursts, &mut answers, one));
        let stimulus = BurstStimulus {
            cycles: Cycle(t.needed("cycles")?),
            loopback: None,
            returns: None,
            link: Vec::new(),
            bursts,
            pace: bursts::pace(t)?,
            resets: Vec::new(),
            noise: 0x0bad_cafe,
        };
        about(t, answers, stimulus)
    });
    mistakes.or(all)
}

/// Stories of a gateway: each side is a board with windows.
fn gateway_sides(starts: File, files: &[File]) -> Loaded<Vec<Story<Sides>>> {
    let mut mistakes = FileErrors::default();
    let keys = mistakes.keep(parse(starts)).unwrap_or_default();
    let all = stories(files, &mut mistakes, |t, _, mistakes| {
        let cycles = Cycle(t.needed("cycles")?);
        let mut sides = Sides::default();
        let mut answers = Vec::new();
        for (number, name) in ["a", "b"].into_iter().enumerate() {
            let side = t.inner(name, t.value(name)?)?;
            sides.windows[number] = gateway::windows(&side)?;
            let script = board((starts, &keys), side.list("start")?, &side, mistakes)?;
            answers.extend(script.answers.iter().map(|answer| format!("{name} {answer}")));
            sides.boards[number] = script.stimulus;
            sides.boards[number].cycles = cycles;
            mistakes.keep(side.done());
        }
        about(t, answers, sides)
    });
    mistakes.or(all)
}

/// A start by its name.
fn start<'a>(
    file: File<'a>,
    all: &'a Keys,
    name: &str,
    unknown: impl Fn(String) -> FileError,
) -> Result<Table<'a>> {
    let Some(value) = all.get(name) else {
        let names = all.keys().map(|name| name.get_ref().as_str());
        return Err(unknown(format!(
            "`start` is `{}`: {}",
            shown(name),
            echo::expected(name, names)
        )));
    };
    Table::of(file, format!("start `{name}`"), value)
}

/// A board whose host has done the steps of these starts.
fn begin(starts: &[Table], mistakes: &mut FileErrors) -> Script {
    let mut script = Script::default();
    for start in starts {
        each(start, "host", mistakes, |step| host::step(&mut script, step));
    }
    script
}

/// Other values for registers that were set last.
fn with(script: &mut Script, t: &Table) -> Result<()> {
    let Some(value) = t.get("with") else { return Ok(()) };
    let with = t.inner("with", value)?;
    for register in registers() {
        if !with.has(register.name) {
            continue;
        }
        let mut last = script.stimulus.host.iter_mut().rev();
        let Some(access) = last.find(|access| access.write && access.addr == register.offset)
        else {
            return Err(
                with.wrong(format!("`{}`: expected a register that the start sets", register.name))
            );
        };
        access.data = host::word(&with, register.name, Some(register))?;
    }
    with.done()
}

/// How the board's output is connected to its input.
fn connect(script: &mut Script, t: &Table) -> Result<()> {
    match t.one_of(&["ring", "loopback"])? {
        Some("ring") => {
            script.stimulus.loopback = t.number("ring")?;
            script.stimulus.returns = Some(script.node());
        }
        Some(_) => script.stimulus.loopback = t.number("loopback")?,
        None => {}
    }
    Ok(())
}

/// The signals that node `me` sends, each as a line.
fn sends(t: &Table, me: u8) -> Result<Vec<String>> {
    t.value("sends")?;
    let line = |value: &Value| {
        let table = t.inner("sends", value)?;
        let frame = link::signal(&table, me)?;
        table.done()?;
        let bytes = frame.bytes.iter().copied().chain(iter::repeat(0)).take(link::VALUES);
        let data = bytes.fold(0u128, |all, byte| all << 8 | u128::from(byte));
        let BoardFrame { token, c_st, node_id, .. } = frame;
        Ok(format!("{token:03b} {c_st:05b} {node_id:02x} {data:020x}"))
    };
    t.list("sends")?.iter().map(line).collect()
}

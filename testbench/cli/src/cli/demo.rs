// SPDX-License-Identifier: MIT OR Apache-2.0
//! `awgstar demo`: the main job with nothing but Rust.

use super::{CliError, CliResult, Outcome, at, link_wave, sim, whole};
use awgstar::{
    codec::{Frame, explain},
    contract::{Token, limits::FRAME_MAX},
    ring::{Outgoing, node_mac},
};
use awgstar_cli::{primitives, survived};
use awgstar_scenario::page::shell_words;
use awgstar_scenario::run::{
    Folder, Run, WaveRequest, Window,
    nodes::{NodesReport, NodesRun},
    write_waves,
};
use awgstar_scenario::{scenario, wave};
use awgstar_stimulus::vectors;
use serde_json::{Value, json};
use std::{
    env,
    ffi::OsStr,
    io::{self, Write},
    path::PathBuf,
};

#[derive(clap::Args)]
#[command(after_help = "Example:\n  awgstar demo --out /tmp/awgstar-demo")]
pub(crate) struct Args {
    /// Folder for what it writes
    #[arg(long, default_value = "target/demo")]
    out: PathBuf,
    /// One JSON object: what happened, and the files
    #[arg(long)]
    json: bool,
}

/// What is written, below the folder, and what it shows.
const WRITTEN: [(&[&str], &str); 5] = [
    (&["ring.svg"], "nodes across, time down: where each frame went"),
    (&["wave.vcd", "wave.gtkw"], "every register of the four nodes, cycle by cycle"),
    (&["frames.vcd", "frames.gtkw"], "both frames on the link, word by word"),
    (&["primitives.svg"], "lock and barrier: who waits, who has it, signals between hosts"),
    (
        &["firmware.vcd", "firmware.gtkw"],
        "the same as waves: holder, episode, states, signals by name",
    ),
];
/// The folder of vectors, below it.
const VECTORS: &str = "vectors";

const SCENARIO: &str = include_str!("../../../../docs/scenarios/demo.toml");

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> CliResult {
    let mut nowhere = io::sink();
    let (text, object): (&mut dyn Write, _) =
        if args.json { (&mut nowhere, Some(out)) } else { (out, None) };
    let shown = show(args, text)?;
    if let Some(out) = object {
        writeln!(out, "{shown}")?;
    }
    Ok(Outcome::Holds)
}

/// Runs it, and gives what it shows as an object.
fn show(args: &Args, out: &mut dyn Write) -> Result<Value, CliError> {
    let loaded = scenario::read_nodes("docs/scenarios/demo.toml", SCENARIO)
        .map_err(|e| CliError::Check(e.to_string()))?;
    let cycles = loaded.scenario.cycles;
    let run = sim::watched(|progress| {
        Ok(NodesRun::new(&loaded.scenario, true, &mut |cycle| progress(cycle, cycles.0))?)
    })?;
    let summary = NodesReport::new(&loaded, &run);
    writeln!(out, "{summary}")?;
    // The demo is a test too: what it shows must have happened.
    if !(summary.all_back() && summary.replicas_equal() == Some(true)) {
        return Err(CliError::Check("the demo's frames did not all arrive".into()));
    }
    let frames = explained(&loaded.scenario.sends, &run, out)?;
    let survived = survived::survived().map_err(|e| CliError::Check(e.to_string()))?;
    writeln!(out, "{survived}")?;
    if !(survived.equal && survived.again > 0 && survived.messages.iter().all(|n| *n == 1)) {
        return Err(CliError::Check("the demo's bit error was not survived".into()));
    }
    let primitives = primitives::primitives().map_err(CliError::Check)?;
    writeln!(out, "{primitives}")?;
    if primitives.counters != [4; primitives::NODES] {
        return Err(CliError::Check("the demo's counter is wrong".into()));
    }

    let folder = &args.out;
    let mut files = Folder::new(folder);
    at(folder.display(), link_wave::write(&mut files, &frames))?;
    let request = WaveRequest { window: Window::of_cycles(0, cycles.0), ..WaveRequest::default() };
    loaded.waves(&request, &mut files, &mut |_, _| ())?;
    let picture = loaded.picture(&run, Window::of_cycles(50, cycles.0))?;
    whole::write(&folder.join("ring.svg"), picture)?;
    whole::write(&folder.join("primitives.svg"), primitives.picture())?;
    let (nodes, records) = (primitives::NODES, &primitives.records);
    let waves = write_waves(&mut files, "firmware", |file, dump| {
        wave::firmware(file, dump, nodes, &[records], primitives.window, &[])
    });
    at(folder.display(), waves)?;
    let golden = folder.join(VECTORS);
    let classes = vectors::generate();
    at(golden.display(), vectors::write(&golden, &classes))?;
    let count: usize = classes.iter().map(vectors::Class::len).sum();
    let boards = vectors::board::all()?.count() + vectors::burst::all()?.len();
    let folder = folder.display();
    let own = started();
    writeln!(out, "Written:")?;
    for (names, what) in WRITTEN {
        writeln!(out, "  {:40}{what}", format!("{folder}/{}", names.join(", ")))?;
    }
    writeln!(
        out,
        "  {:40}{count} golden vectors and {boards} of the board, ready for $readmemh\n\nLook next:",
        format!("{folder}/{VECTORS}/")
    )?;
    let next = [
        (format!("cd {folder} && gtkwave wave.gtkw"), "states and tokens read as names"),
        (
            format!("{own} sim docs/scenarios/first.toml"),
            "a scenario of your own: docs/scenarios.md",
        ),
        (format!("{own} frame explain HEX"), "flip a digit of a frame above and see what it names"),
        (
            format!("{own} cosim --module ring --sim verilator"),
            "the same ring in Verilog, beside the model",
        ),
        (format!("{own} doctor"), "what is installed for that"),
    ];
    let width = next.iter().map(|(command, _)| command.len()).max().unwrap_or(0);
    for (command, what) in next {
        writeln!(out, "  {command:width$}  {what}")?;
    }
    let files = WRITTEN.iter().flat_map(|(names, _)| names.iter().copied()).chain([VECTORS]);
    Ok(json!({
        "folder": folder.to_string(),
        "files": files.collect::<Vec<_>>(),
        "ring": summary,
        "frames": frames.iter().map(hex::encode).collect::<Vec<_>>(),
        "sent_again": survived.again,
        "counters": primitives.counters,
        "vectors": count + boards,
    }))
}

/// The command as it was started. Cargo gives what it runs the name of its package.
fn started() -> String {
    started_as(env::var_os("CARGO_PKG_NAME").as_deref(), env::args().next())
}

fn started_as(package: Option<&OsStr>, name: Option<String>) -> String {
    if package.is_some_and(|package| package == env!("CARGO_PKG_NAME")) {
        return "cargo run --".into();
    }
    shell_words(&[&name.unwrap_or_else(|| "awgstar".into())])
}

/// The frames as they were on the link, drawn; each has to be what the model sent.
fn explained(
    sends: &[awgstar::ring::Send],
    run: &NodesRun,
    out: &mut dyn Write,
) -> Result<Vec<Vec<u8>>, CliError> {
    let mut frames = Vec::new();
    for send in sends {
        let Outgoing { token, c_st, node_id, packet_cnt, addr, data, .. } = &send.frame;
        let frame = Frame {
            c_st: *c_st,
            node_id: if *token == Token::Data { send.node.to_le_bytes()[0] } else { *node_id },
            packet_cnt: *packet_cnt,
            addr: *addr,
            ..Frame::new(*token, node_mac(send.node), data)
        };
        let mut line = [0; FRAME_MAX];
        let end = frame.encode(&mut line).map_err(|e| CliError::Check(e.to_string()))?;
        let bytes = line[..end].to_vec();
        let arrived = (0..run.ring.nodes().len()).flat_map(|i| run.ring.host(i).delivered());
        if !arrived.clone().any(|d| d.token == Some(*token) && d.data.starts_with(data)) {
            return Err(CliError::Check(format!("no node received {frame:?}")));
        }
        writeln!(out, "{}\n\n{}", hex::encode(&bytes), explain(&bytes))?;
        frames.push(bytes);
    }
    Ok(frames)
}

#[cfg(test)]
mod tests {
    use super::started_as;

    /// A shell takes a path with a space in quotes.
    #[test]
    fn the_command_is_named_as_it_was_started() {
        let path = || Some("a b/awgstar".to_owned());
        assert_eq!(started_as(Some("awgstar-cli".as_ref()), path()), "cargo run --");
        for package in [None, Some("another".as_ref())] {
            assert_eq!(started_as(package, path()), "'a b/awgstar'");
        }
        assert_eq!(started_as(None, None), "awgstar");
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! The golden vectors of the current version (`vectors/mailbox`; VEC-1): written by hand, played on the
//! machines and the codec (CUR-2, MBX-1, MBX-3 to MBX-7).

use awgstar::quantity::NodeId;
use awgstar_thesis::gen1::{
    MailRepairs, Primitive,
    frame::{Data, Frame, Kind},
    mailbox::{Master, MasterAction, MasterEvent, Worker, WorkerAction, WorkerEvent},
};
use serde::Deserialize;
use std::{fs, path::Path};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Run {
    module: String,
    machine: String,
    variant: String,
    processes: Option<u8>,
    why: String,
    requirements: Vec<String>,
    step: Vec<Step>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    event: String,
    actions: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Frames {
    module: String,
    why: String,
    requirements: Vec<String>,
    frame: Vec<Fields>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    kind: String,
    source: u8,
    number: u16,
    addr: u32,
    data: String,
    bytes: String,
}

fn text(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::read_to_string(root.join(path)).unwrap()
}

/// Name and text of every vector.
fn all() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/mailbox");
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names.into_iter().map(|name| (name.clone(), text(&format!("vectors/mailbox/{name}")))).collect()
}

fn request(words: &[&str]) -> Primitive {
    match words {
        ["lock", n] => Primitive::Lock(n.parse().unwrap()),
        ["unlock", n] => Primitive::Unlock(n.parse().unwrap()),
        ["barrier"] => Primitive::Barrier,
        _ => panic!("{words:?}: expected lock N, unlock N or barrier"),
    }
}

fn two(words: &[&str]) -> [u32; 2] {
    let [a, b] = words else { panic!("{words:?}: expected two words in hex") };
    [a, b].map(|word| u32::from_str_radix(word, 16).unwrap())
}

fn asked(request: Primitive) -> String {
    match request {
        Primitive::Lock(n) => format!("lock {n}"),
        Primitive::Unlock(n) => format!("unlock {n}"),
        Primitive::Barrier => "barrier".into(),
    }
}

fn worker(machine: &mut Worker, event: &[&str]) -> Vec<String> {
    let event = match event {
        ["call", what @ ..] => WorkerEvent::Call(request(what)),
        ["index", holder] => WorkerEvent::Index(holder.parse().unwrap()),
        ["signal"] => WorkerEvent::Signal,
        ["area", words @ ..] => WorkerEvent::Area(two(words)),
        ["timeout"] => WorkerEvent::Timeout,
        _ => panic!("{event:?}: no event of a worker"),
    };
    let mut actions = Vec::new();
    machine.step(event, &mut actions);
    let word = |action: &WorkerAction| match action {
        WorkerAction::ReadIndex(lock) => format!("read_index {lock}"),
        WorkerAction::ReadArea => "read_area".into(),
        WorkerAction::Write([a, b]) => format!("write {a:08x} {b:08x}"),
        WorkerAction::Signal => "signal".into(),
        WorkerAction::Go(request) => format!("go {}", asked(*request)),
    };
    actions.iter().map(word).collect()
}

fn master(machine: &mut Master, event: &[&str]) -> Vec<String> {
    let event = match event {
        ["call", what @ ..] => MasterEvent::Call(request(what)),
        ["main"] => MasterEvent::Main,
        ["signal", process] => MasterEvent::Signal(process.parse().unwrap()),
        ["control"] => MasterEvent::Control,
        ["area", words @ ..] => MasterEvent::Area(two(words)),
        _ => panic!("{event:?}: no event of the master"),
    };
    let mut actions = Vec::new();
    machine.step(event, &mut actions);
    let word = |action: &MasterAction| match action {
        MasterAction::ReadArea(process) => format!("read_area {process}"),
        MasterAction::Write(process, [a, b]) => format!("write {process} {a:08x} {b:08x}"),
        MasterAction::WriteIndex(lock, holder) => format!("index {lock} {holder}"),
        MasterAction::Signal(process) => format!("signal {process}"),
        MasterAction::Go(request) => format!("go {}", asked(*request)),
    };
    actions.iter().map(word).collect()
}

/// It says why it is there, and cites what the specification has.
fn about(name: &str, why: &str, requirements: &[String]) {
    let spec = text("docs/spec.md");
    assert!(why.len() > 30 && !requirements.is_empty(), "{name}");
    for id in requirements {
        assert!(spec.contains(&format!("**{id}**")), "{name}: {id}");
    }
}

#[test]
fn machines_do_what_was_written_by_hand() {
    let mut played = 0;
    for (name, text) in all().iter().filter(|one| one.0 != "frames.toml") {
        let run: Run = toml::from_str(text).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(run.module, "mailbox");
        about(name, &run.why, &run.requirements);
        let repairs = match run.variant.as_str() {
            "printed" => MailRepairs::NONE,
            "repaired" => MailRepairs::ALL,
            other => panic!("{name}: variant {other}"),
        };
        let mut of_worker = Worker::new(repairs);
        let mut of_master = Master::new(run.processes.unwrap_or(2), repairs);
        for (at, Step { event, actions }) in run.step.iter().enumerate() {
            let words: Vec<&str> = event.split(' ').collect();
            let found = match run.machine.as_str() {
                "worker" => worker(&mut of_worker, &words),
                "master" => master(&mut of_master, &words),
                other => panic!("{name}: machine {other}"),
            };
            assert_eq!(found, *actions, "{name}, step {at}: {event}");
        }
        played += 1;
    }
    assert!(played >= 15, "{played}");
}

#[test]
fn frames_are_those_bytes() {
    let frames: Frames = toml::from_str(&text("vectors/mailbox/frames.toml")).unwrap();
    assert_eq!(frames.module, "frame");
    about("frames", &frames.why, &frames.requirements);
    assert!(frames.frame.len() >= 6);
    for one in frames.frame {
        let kind = match one.kind.as_str() {
            "data" => Kind::Data,
            "signal" => Kind::Signal,
            "token" => Kind::Token,
            other => panic!("kind {other}"),
        };
        let data = hex::decode(&one.data).unwrap();
        let data = if data.is_empty() { Data::Blank(0) } else { Data::Bytes(data.into()) };
        let frame =
            Frame { kind, source: NodeId(one.source), number: one.number, addr: one.addr, data };
        let bytes = hex::decode(&one.bytes).unwrap();
        assert_eq!(frame.encode().unwrap(), bytes);
        assert_eq!(Frame::decode(&bytes), Ok(frame));
    }
}

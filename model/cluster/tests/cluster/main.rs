// SPDX-License-Identifier: MIT OR Apache-2.0
//! Clusters in their runs.

#[path = "../../../test_support/copies.rs"]
mod copies;
mod machine;
mod pages;
mod paper;
#[path = "../../../test_support/seeded.rs"]
mod seeded;

use awgstar_cluster::{Cluster, Settings, Sharing};
use awgstar_frame::quantity::{ByteAddress, Nanoseconds};
use awgstar_request::{Answer, Plain, Process, Request, Segment};
use std::{cell::RefCell, rc::Rc};

type Log = Rc<RefCell<Vec<Vec<Answer>>>>;

fn memories(settings: &Settings) -> Vec<Box<dyn Segment>> {
    let segment = settings.homes().segment;
    let memory = |rank: usize| {
        let (first, bytes) = match settings.sharing {
            Sharing::Segments => (rank * segment as usize, segment),
            Sharing::Replica | Sharing::Pages(_) => (0, settings.memory),
        };
        Box::new(Plain::new(ByteAddress::at(first), bytes)) as Box<dyn Segment>
    };
    (0..settings.processes).map(memory).collect()
}

fn cluster(settings: &Settings, scripts: Vec<Vec<Request>>) -> (Cluster, Log) {
    let log: Log = Rc::new(RefCell::new(vec![Vec::new(); scripts.len()]));
    let program = |(at, script): (usize, Vec<Request>)| {
        let (log, mut script) = (Rc::clone(&log), script.into_iter());
        let next = move |answer: &Answer| {
            log.borrow_mut()[at].push(answer.clone());
            script.next().unwrap_or(Request::End)
        };
        Box::new(next) as Box<dyn Process>
    };
    let programs = scripts.into_iter().enumerate().map(program).collect();
    (Cluster::new(settings, programs, memories(settings)).unwrap(), log)
}

/// Runs these requests, and gives what each process was answered.
fn run(settings: &Settings, scripts: Vec<Vec<Request>>) -> (Cluster, Vec<Vec<Answer>>) {
    let (mut cluster, log) = cluster(settings, scripts);
    cluster.run_while(&mut |_| true).unwrap();
    assert!(cluster.unfinished().is_empty(), "{:?}", cluster.unfinished());
    let log = log.take();
    (cluster, log)
}

fn small(processes: usize) -> Settings {
    Settings { memory: 1 << 16, ..Settings::new(processes) }
}

/// The address of a byte of a segment.
fn at(settings: &Settings, rank: u32, offset: u32) -> ByteAddress {
    ByteAddress(rank * settings.homes().segment + offset)
}

fn later(us: u64) -> Request {
    Request::compute(Nanoseconds(1000 * us))
}

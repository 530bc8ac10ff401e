// SPDX-License-Identifier: MIT OR Apache-2.0
//! The inputs of each strategy and seed, and of each directed case, by hash: a change of how stimuli are made may
//! not change them unseen. Another order of draws is another fate of mutants.

use awgstar::rtl::{
    Axi4Port, BarrierEngine, EngineMux, EngineRouter, Parameters, RingGateway, RingLink, RingNode,
    Smb, SmbAxi4, SmbLink, WriteCombiner,
};
use awgstar_lockstep::campaign::case;
use awgstar_stimulus::Case;
use awgstar_stimulus::machine::Machine;
use awgstar_stimulus::node::directed::Named;
use awgstar_stimulus::shape::image;
use awgstar_stimulus::{alone, board, engine, gateway, link, node};
use proptest::strategy::{Strategy, ValueTree};
use sha2::{Digest, Sha256};
use std::{collections::BTreeMap, fmt::Write, fs, path::Path};

/// Cycles and hash by group and case.
#[derive(Default)]
struct Table(BTreeMap<String, String>);

impl Table {
    /// Inputs and deposits of all machines of a case.
    fn add<M: Machine>(&mut self, name: &str, case: &Case<M>) {
        self.add_with::<M>(&Parameters::DEFAULT, name, case);
    }

    fn add_with<M: Machine>(&mut self, parameters: &Parameters, name: &str, case: &Case<M>) {
        let mut hash = Sha256::new();
        let bench = if *parameters == Parameters::DEFAULT {
            case.bench()
        } else {
            case.bench_with(parameters)
        };
        let mut bench = bench.unwrap();
        while !bench.done() {
            for deposit in bench.deposit() {
                hash.update(format!("{deposit:?}"));
            }
            bench.step(&mut |machine, _, inputs, _| {
                hash.update((machine as u64).to_le_bytes());
                for word in image(inputs) {
                    hash.update(word.to_le_bytes());
                }
            });
        }
        let hash = hex(&hash.finalize()[..16]);
        let row = format!("{},{hash}", case.cycles().0);
        assert_eq!(self.0.insert(name.to_owned(), row), None, "{name} twice");
    }

    fn named<M: Machine>(&mut self, group: &str, cases: &[Named<Case<M>>]) {
        for named in cases {
            self.add::<M>(&format!("{group}/{}", named.name), &named.case);
        }
    }

    fn drawn<M: Machine>(&mut self, group: &str, strategy: &impl Strategy<Value = Case<M>>) {
        self.drawn_with::<M>(&Parameters::DEFAULT, group, strategy);
    }

    fn drawn_with<M: Machine>(
        &mut self,
        parameters: &Parameters,
        group: &str,
        strategy: &impl Strategy<Value = Case<M>>,
    ) {
        for (seed, number) in [(1, 0), (1, 1), (1, 2), (7, 0)] {
            let case = case(strategy, seed, number).unwrap().current();
            self.add_with::<M>(parameters, &format!("{group}/seed {seed}/{number}"), &case);
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut out, byte| {
        write!(out, "{byte:02x}").unwrap();
        out
    })
}

#[test]
fn the_stimuli_are_what_they_were() {
    let mut table = Table::default();
    table.named::<RingNode>("node directed", &node::directed::cases());
    table.drawn::<RingNode>("node", &node::strategy::node(1500));
    table.drawn::<RingNode>("node warm", &node::strategy::warm_node(1500));
    table.drawn::<RingNode>("ring of 4", &node::strategy::ring(4, 1500));
    table.named::<Smb>("board directed", &board::directed::named());
    table.named::<Smb>("board near ends", &board::warm::named());
    table.drawn::<Smb>("board", &board::strategy::board(1500));
    table.drawn::<Smb>("board warm", &board::warm::warm_board(1500));
    table.drawn::<Smb>("boards, ring of 3", &board::strategy::ring(3, 1500));
    table.named::<SmbAxi4>("bursts directed", &board::burst::named());
    table.drawn::<SmbAxi4>("bursts", &board::burst::board(1500));
    table.drawn::<Axi4Port>("axi4_port", &board::burst::port(1500));
    let engine = board::engine::parameters();
    table.drawn_with::<Smb>(&engine, "engine", &board::engine::board(engine, 1500));
    table.drawn_with::<Smb>(&engine, "engine, ring of 3", &board::engine::ring_of(engine, 3, 1500));
    table.drawn_with::<SmbAxi4>(
        &engine,
        "engine, bursts",
        &board::engine::burst_board(engine, 1500),
    );
    table.add::<WriteCombiner>("write_combiner/long block", &alone::long_block());
    table.add::<BarrierEngine>("barrier_engine/barriers", &engine::barriers(8, 1, 3000));
    table.add::<BarrierEngine>("barrier_engine/wrap", &engine::wrap(8, false));
    table.add::<EngineRouter>("engine_router/messages", &engine::messages(5, 1, 3000));
    table.add::<EngineMux>("engine_mux/offers", &engine::offers(1, 3000));
    table.named::<RingLink>("ring_link directed", &link::directed());
    table.drawn::<RingLink>("ring_link", &link::link(2000));
    table.named::<SmbLink>("smb_link directed", &link::directed_boards(&Parameters::DEFAULT));
    table.drawn::<SmbLink>("smb_link", &link::board(Parameters::DEFAULT, 1500));
    let gateways = gateway::directed(&Parameters::DEFAULT);
    table.named::<RingGateway>("ring_gateway directed", &gateways);
    table.drawn::<RingGateway>("ring_gateway", &gateway::random(Parameters::DEFAULT, 1500));
    let mut text = String::from("case,cycles,sha256\n");
    for (name, row) in &table.0 {
        writeln!(text, "{name:?},{row}").unwrap();
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/stimuli.csv");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&file, &text).unwrap();
    }
    let committed = fs::read_to_string(&file).unwrap();
    let changed: Vec<&str> =
        committed.lines().filter(|row| !text.lines().any(|r| r == *row)).collect();
    let new: Vec<&str> = text.lines().filter(|row| !committed.lines().any(|r| r == *row)).collect();
    assert!(
        changed.is_empty() && new.is_empty(),
        "{}: stimuli changed\nbefore {changed:#?}\nnow {new:#?}\nWrite it again with UPDATE=1 and say why in CHANGELOG.md.",
        file.display()
    );
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names and images of the board's registers. Checks LCK-2.

use awgstar_board::rtl::state::{Layout, MemoryRef, Ports, State};
use awgstar_board::rtl::{
    Axi4Port, Smb, SmbAxi4, axil_port, data_window, host_regs, host_window, link_control,
    mem_writer, rx_sorter, signal_sender, smb,
};
use awgstar_frame::contract::fsm;
use awgstar_frame::quantity::{ByteAddress, Cycle};

fn board_modules() -> Vec<(&'static str, Layout)> {
    let children = Smb::layout().children.into_iter();
    children.filter(|(name, _)| !["u_node", "u_counters"].contains(name)).collect()
}

/// The page of a module.
fn page(module: &str) -> String {
    let path = format!("{}/../../docs/blocks/{module}.md", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("the page")
}

/// LCK-2: every register and memory of a module is on its page, and the other way round.
#[test]
fn the_page_names_every_register() {
    let port = ("u_axi4", Axi4Port::layout());
    for (_, layout) in board_modules().into_iter().chain([port]) {
        let page = page(layout.module);
        let section = page.as_str();
        for name in layout.registers.iter().map(|r| r.name) {
            let known = section.contains(&format!("`{name}`"));
            assert!(known, "{}: {name}", layout.module);
        }
        for m in layout.memories {
            assert!(section.contains(&format!("`{}`", m.name)), "{}: {}", layout.module, m.name);
        }
        let mut rest = section;
        while let Some((_, after)) = rest.split_once('`') {
            let (name, after) = after.split_once('`').expect("a pair");
            rest = after;
            if name.ends_with("_q") && !name.contains([' ', '.', '[', '=', '{']) {
                let ours = layout.registers.iter().any(|r| r.name == name);
                // `rd_q` of one module is spoken of in another's page.
                let known = ours
                    || board_modules()
                        .iter()
                        .any(|(_, l)| l.registers.iter().any(|r| r.name == name));
                assert!(known, "{}: {name}", layout.module);
            }
        }
    }
}

/// LCK-2: instances in the order of the page, every path once, images as long as the names say.
#[test]
fn names_and_images_agree() {
    let layout = Smb::layout();
    let children: Vec<_> = layout.children.iter().map(|c| c.0).collect();
    let text = page("smb");
    let list = text.split_once("Instances in this order: ").expect("the list").1;
    let list = list.split(" (a second").next().expect("its end");
    assert_eq!(children, list.split(", ").map(|n| n.trim_matches('`')).collect::<Vec<_>>());
    let registers = layout.flat_registers();
    assert_eq!(registers.iter().map(|r| r.1.div_ceil(32)).sum::<usize>(), Smb::WORDS);
    let mut names: Vec<_> = registers.iter().map(|r| r.0.clone()).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), registers.len());
    let words = |ports: &[awgstar_board::rtl::state::Signal]| {
        ports.iter().map(awgstar_board::rtl::state::Signal::words).sum::<usize>()
    };
    assert_eq!(words(&layout.inputs), smb::Inputs::WORDS);
    assert_eq!(words(&layout.outputs), smb::Outputs::WORDS);
}

/// LCK-2: shapes of the memories, and elements as Verilator has them.
#[test]
fn memories() {
    let layout = Smb::layout();
    let shapes = layout.flat_memories();
    let expected = [
        ("u_data.mem", 32, 1024),
        ("u_data.headers", 47, 16),
        ("u_data.sizes", 9, 16),
        ("u_signal.mem", 32, 64),
        ("u_signal.headers", 36, 4),
        ("u_sorter.sources", 41, 256),
        ("u_memory.mem", 32, 4096),
        ("u_mailbox.mem", 32, 256),
    ];
    for (name, bits, depth) in expected {
        let found = shapes.iter().find(|s| s.0 == name).expect(name);
        assert_eq!((found.1.bits, found.1.depth), (bits, depth), "{name}");
    }
    let mut at = 0;
    let mut board = Smb::default();
    board.fill_memories(true);
    board.memories(&mut |m| {
        let (name, shape) = &shapes[at];
        let (bits, depth) = match m {
            MemoryRef::U8(w) => (8, w.len()),
            MemoryRef::U16(w) => (16, w.len()),
            MemoryRef::U32(w) => (32, w.len()),
            MemoryRef::U64(w) => (64, w.len()),
            MemoryRef::U128(w) => (128, w.len()),
        };
        let least = if bits == 8 { 1 } else { bits / 2 + 1 };
        assert!((least..=bits).contains(&shape.bits), "{name}");
        assert_eq!(depth, shape.depth, "{name}");
        assert_eq!(m.get(0), u128::MAX >> (128 - shape.bits), "{name}");
        at += 1;
    });
    assert_eq!(at, shapes.len());
}

/// LCK-2: an image gives the same state back.
#[test]
fn image_round_trip() {
    let mut ring = super::bench::up(&awgstar_board::ring::BoardScenario::new(1), 1);
    ring.push(0, awgstar_board::ring::boards::write_block(ByteAddress(3), &[9; 77])).expect("good");
    ring.run_until(ring.cycle() + Cycle(50));
    let board = ring.board(0);
    let mut image = vec![0; Smb::WORDS];
    board.pack(&mut image);
    let mut again = board.clone();
    again.unpack(&vec![0; Smb::WORDS]);
    assert!(again != *board);
    again.unpack(&image);
    assert!(again == *board);
}

/// LCK-2: the same of the board with an AXI4 port, whose image has no AXI4-Lite port.
#[test]
fn image_round_trip_of_the_other_port() {
    let layout = SmbAxi4::layout();
    let registers = layout.flat_registers();
    assert_eq!(registers.iter().map(|r| r.1.div_ceil(32)).sum::<usize>(), SmbAxi4::WORDS);
    let others = Smb::layout().children.into_iter().skip(1);
    let port = ("u_axi4", Axi4Port::layout());
    assert_eq!(layout.children, std::iter::once(port).chain(others).collect::<Vec<_>>());
    let image: Vec<u32> = (1..).take(SmbAxi4::WORDS).collect();
    let mut board = SmbAxi4::default();
    board.unpack(&image);
    let mut again = vec![0; SmbAxi4::WORDS];
    board.pack(&mut again);
    let mut other = SmbAxi4::default();
    other.unpack(&again);
    assert!(board == other && board != SmbAxi4::default());
    let mut at = 0;
    for (path, bits) in registers {
        let whole = bits.is_multiple_of(32);
        assert!(!whole || again[at] == image[at], "{path}");
        at += bits.div_ceil(32);
    }
}

/// State encodings are those of the contract.
#[test]
fn states_are_those_of_the_contract() {
    use {axil_port as a, data_window as d, host_window as w, link_control as l, rx_sorter as r};
    let model = [
        ("axil_port", vec![a::IDLE, a::BUSY, a::DONE]),
        ("host_window", vec![w::IDLE, w::READ, w::SECOND]),
        ("data_window", vec![d::IDLE, d::LOAD, d::OFFER, d::STREAM]),
        (
            "signal_sender",
            vec![
                signal_sender::IDLE,
                signal_sender::WAIT,
                signal_sender::OFFER,
                signal_sender::STREAM,
                signal_sender::FLIGHT,
            ],
        ),
        ("link_control", vec![l::OFF, l::SYNC, l::SYNCING, l::READY, l::BEAT, l::CENSUS]),
        (
            "rx_sorter",
            vec![r::CLEAR, r::IDLE, r::LOOK, r::JUDGE, r::DATA, r::HEAD, r::BODY, r::DROP],
        ),
        ("mem_writer", vec![mem_writer::IDLE, mem_writer::RUN, mem_writer::TAIL]),
        ("host_regs", vec![host_regs::IDLE, host_regs::ANSWER]),
    ];
    let layouts = board_modules();
    for (module, codes) in model {
        let fsm = fsm::FSMS.iter().find(|f| f.module == module).expect(module);
        assert_eq!(fsm.states.iter().map(|s| s.1).collect::<Vec<_>>(), codes);
        let layout = layouts.iter().find(|l| l.1.module == module).expect(module);
        let state = layout.1.registers.iter().find(|r| r.name == "state_q").expect(module);
        assert_eq!(state.bits, fsm.bits, "{module}");
    }
}

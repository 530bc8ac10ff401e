// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parameters of the model are those of the Verilog.

use awgstar_board::rtl::{
    ParameterError, Parameters, RingNode, Smb, parameters::legal, state::State,
};
use std::fs;

fn verilog(file: &str) -> String {
    let path = format!("{}/../../hdl/{file}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(path).expect("Verilog")
}

/// Least and greatest value that the check in `module` lets pass, from its condition and its name. Those of the
/// boards are in the text that both include.
fn checked(module: &str, name: &str) -> (u8, u8) {
    let text = match module {
        "smb" => verilog("include/smb_core.vh"),
        _ => verilog(&format!("{module}.v")),
    };
    let start = format!("{module}_{name}_must_be_");
    let rest = text.split_once(&start).unwrap_or_else(|| panic!("{start}")).1;
    let bounds = rest.split(' ').next().expect("a name");
    let (least, most) = bounds.split_once("_to_").expect("two bounds");
    let condition = format!("if ({name} < {least} || {name} > {most})");
    assert!(text.contains(&condition), "{module}: {condition}");
    (least.parse().expect("a number"), most.parse().expect("a number"))
}

fn range(module: &str, name: &str) -> (u8, u8) {
    let found = legal(module).iter().find(|(p, _)| p.name() == name).expect(name);
    (*found.1.start(), *found.1.end())
}

#[test]
fn ranges_are_those_of_the_checks() {
    let node = [
        ("insert_buffer", "ADDR_W", "BUFFER_ADDR_W"),
        ("rx_buffer", "ADDR_W", "RX_ADDR_W"),
        ("rx_buffer", "HEADER_ADDR_W", "RX_HEADER_ADDR_W"),
    ];
    for (module, local, name) in node {
        assert_eq!(checked(module, local), range("ring_node", name), "{name}");
    }
    let board = [
        ("host_window", "MEM_ADDR_W"),
        ("mem_writer", "MEM_ADDR_W"),
        ("rx_sorter", "MEM_ADDR_W"),
        ("shared_memory", "MEM_ADDR_W"),
        ("host_regs", "MEM_ADDR_W"),
        ("data_window", "TX_ADDR_W"),
        ("host_regs", "TX_ADDR_W"),
        ("data_window", "TX_FRAME_W"),
        ("signal_sender", "SIGNAL_W"),
        ("mail_box", "MAIL_W"),
        ("host_regs", "MAIL_W"),
        ("smb", "BUFFER_ADDR_W"),
        ("smb", "RX_ADDR_W"),
        ("smb", "ENGINE_NODE_W"),
        ("ring_egress", "OWN_IDLE"),
    ];
    for (module, name) in board {
        assert_eq!(checked(module, name), range("smb", name), "{module}: {name}");
    }
    for (module, name) in [
        ("axi4_port", "AXI_ID_W"),
        ("axi4_port", "MEM_ADDR_W"),
        ("smb", "BUFFER_ADDR_W"),
        ("smb", "RX_ADDR_W"),
        ("smb", "ENGINE_NODE_W"),
    ] {
        assert_eq!(checked(module, name), range("smb_axi4", name), "{module}: {name}");
    }
    for (module, name) in [
        ("window_tap", "MEM_ADDR_W"),
        ("window_gate", "RX_ADDR_W"),
        ("window_gate", "RX_HEADER_ADDR_W"),
        ("window_gate", "WINDOWS"),
        ("window_tap", "WINDOWS"),
        ("smb", "BUFFER_ADDR_W"),
    ] {
        assert_eq!(checked(module, name), range("ring_gateway", name), "{module}: {name}");
    }
    assert_eq!(range("smb", "RX_HEADER_ADDR_W"), range("ring_node", "RX_HEADER_ADDR_W"));
    for top in ["ring_node", "smb", "smb_axi4", "ring_gateway"] {
        assert_eq!(checked("tx_arbiter", "TOKEN_RUN"), range(top, "TOKEN_RUN"), "{top}");
    }
}

/// A frame of 1,024 bytes takes 261 words and 3 cycles more of a buffer that never gets full, and 256
/// beats of Data.
#[test]
fn a_board_has_room_for_the_longest_frame() {
    assert_eq!(range("smb", "BUFFER_ADDR_W").0, 9);
    assert_eq!(1 << range("smb", "RX_ADDR_W").0, 256);
}

#[test]
fn names_and_defaults_are_those_of_the_declarations() {
    for module in
        ["ring_node", "smb", "smb_axi4", "smb_link", "ring_link", "ring_gateway", "axi4_port"]
    {
        let text = verilog(&format!("{module}.v"));
        let list = text.split_once("#(").expect("a list").1.split_once(") (").expect("its end").0;
        let declared: Vec<(&str, &str)> = list
            .lines()
            .filter_map(|line| line.split("//").next()?.split_once('='))
            .map(|(name, value)| {
                let name = name.split_whitespace().last().expect("a name");
                (name, value.trim().trim_end_matches(','))
            })
            .collect();
        let names: Vec<_> = legal(module).iter().map(|(p, _)| p.name()).collect();
        assert_eq!(declared.iter().map(|d| d.0).collect::<Vec<_>>(), names);
        let macros = fs::read_to_string(format!(
            "{}/../../hdl/include/awgstar.vh",
            env!("CARGO_MANIFEST_DIR")
        ));
        let macros = macros.expect("the contract's macros");
        for ((name, value), (_, ours)) in declared.iter().zip(Parameters::DEFAULT.of(module)) {
            // These have no macro.
            if let Some((_, number)) = [("OWN_IDLE", 1), ("ELASTIC_ADDR_W", 6), ("WINDOWS", 4)]
                .iter()
                .find(|(own, _)| own == name)
            {
                assert_eq!((*value, ours), (&*number.to_string(), *number));
                continue;
            }
            assert_eq!(*value, format!("`AWG_{name}"));
            let line = macros.lines().find(|l| l.split_whitespace().nth(1) == Some(&value[1..]));
            let line = line.unwrap_or_else(|| panic!("{value}"));
            let number = line.split_whitespace().nth(2).expect("a value");
            let number = number.rsplit("'d").next().expect("a value");
            assert_eq!(number, ours.to_string(), "{name}");
        }
    }
}

/// Words of the images do not depend on parameters; widths and depths do.
#[test]
fn images_have_the_same_words_under_all_parameters() {
    let ends = |module: &str, greatest: bool| {
        legal(module).iter().fold(Parameters::DEFAULT, |set, (parameter, range)| {
            let value = if greatest { *range.end() } else { *range.start() };
            set.with(module, parameter.name(), value.into()).expect("legal")
        })
    };
    for greatest in [false, true] {
        for layout in [
            RingNode::layout_of(&ends("ring_node", greatest)),
            Smb::layout_of(&ends("smb", greatest)),
        ] {
            let usual = if layout.module == "smb" { Smb::layout() } else { RingNode::layout() };
            let mut words = Vec::new();
            usual.walk("", &mut |path, l| {
                for s in l.inputs.iter().chain(&l.outputs).chain(&l.registers) {
                    words.push((format!("{path}{}", s.name), s.words()));
                }
            });
            let mut found = Vec::new();
            layout.walk("", &mut |path, l| {
                for s in l.inputs.iter().chain(&l.outputs).chain(&l.registers) {
                    found.push((format!("{path}{}", s.name), s.words()));
                }
            });
            assert_eq!(found, words);
            assert!(layout != usual);
        }
    }
    let largest = Smb::layout_of(&ends("smb", true)).flat_memories();
    let depth = |name: &str| largest.iter().find(|m| m.0 == name).expect(name).1.depth;
    assert_eq!(depth("u_memory.mem"), 1 << 29);
    assert_eq!(depth("u_data.mem"), 1 << 15);
    assert_eq!(depth("u_mailbox.mem"), 16 << 12);
    assert_eq!(depth("u_node.u_rx_buffer.hdr_mem"), 1 << 15);
}

#[test]
fn what_the_verilog_refuses_is_refused() {
    let parse = |module: &str, setting: &str| Parameters::DEFAULT.parse(module, [setting]);
    let set = parse("smb", "MEM_ADDR_W=29").expect("legal");
    assert_eq!((set.mem_addr_w(), set.mail_w()), (29, 4));
    assert_eq!(set.changed("smb"), ["MEM_ADDR_W=29"]);
    assert!(set.changed("ring_node").is_empty());
    let says =
        |module: &str, setting: &str| parse(module, setting).expect_err("refused").to_string();
    assert_eq!(
        says("smb", "BUFFER_ADDR_W=8"),
        "parameter BUFFER_ADDR_W of smb is 8: expected 9 to 15"
    );
    assert!(parse("ring_node", "BUFFER_ADDR_W=8").is_ok());
    assert_eq!(
        says("smb", "MAIL_W=18446744073709551615"),
        "parameter MAIL_W of smb is 18446744073709551615: expected 1 to 12"
    );
    assert_eq!(
        says("ring_node", "MEM_ADDR_W=4"),
        "parameter MEM_ADDR_W: ring_node has BUFFER_ADDR_W, RX_ADDR_W, RX_HEADER_ADDR_W, TOKEN_RUN, \
         OWN_IDLE"
    );
    assert_eq!(says("frame_tx", "A=4"), "parameter A: frame_tx has no parameters");
    for setting in ["MAIL_W", "MAIL_W=", "MAIL_W=-1", "MAIL_W=0x4", ""] {
        assert!(matches!(parse("smb", setting), Err(ParameterError::Form(_))), "{setting}");
    }
}

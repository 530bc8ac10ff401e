// SPDX-License-Identifier: MIT OR Apache-2.0
//! The top level of a board (`hdl/boards`): its serial line, and the demo over the serial pins of its simulation.

#[path = "../common/libraries.rs"]
mod libraries;

use awgstar::contract::{Order, Signal, Token as Kind, board};
use awgstar_simulator::{Scratch, Token, process};
use std::{
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

const UART: [&str; 3] = ["uart_rx.v", "uart_bridge.v", "uart_tx.v"];

/// Modules of the line of pins that Icarus finds by name: those of `hdl/`, and models of the parts of the FPGA.
const LINK: [&str; 4] = ["pin_link.v", "../clock_watch.v", "pin_rx.v", "pin_tx.v"];

/// File, text that is found in it once, and what takes its place.
type Change<'a> = (&'a str, &'a str, &'a str);

/// Runs a testbench on modules of `hdl/boards`, one of them changed: cases and failures, if there is a result.
fn bench(name: &str, files: &[&str], seed: u32, change: Option<Change<'_>>) -> Option<(u32, u32)> {
    let scratch = Scratch::new().unwrap();
    let token = Token::random();
    let mut iverilog = Command::new("iverilog");
    let program = scratch.path().join("bench.vvp");
    iverilog.args(["-g2012", "-s", name, "-o"]).arg(&program);
    iverilog.arg(format!("-DTOKEN=\"{token}\""));
    for folder in ["hdl/boards/sim", "hdl"] {
        iverilog.arg("-y").arg(root().join(folder));
    }
    iverilog.arg(root().join("testbench/verilog").join(name).with_extension("v"));
    for file in files {
        let mut text = fs::read_to_string(root().join("hdl/boards").join(file)).unwrap();
        if let Some((_, find, replace)) = change.filter(|c| c.0 == *file) {
            assert_eq!(text.matches(find).count(), 1, "{file}: {find}");
            text = text.replace(find, replace);
        }
        let name = Path::new(file).file_name().unwrap().to_str().unwrap();
        iverilog.arg(scratch.write(name, &text).unwrap());
    }
    let built = iverilog.output().expect("iverilog is installed by testbench/setup.sh");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let mut vvp = Command::new("vvp");
    let run = process::run(
        vvp.arg("-n").arg(&program).arg(format!("+seed={seed}")),
        "iverilog",
        Duration::from_secs(60),
    )
    .ok()?;
    let results: Vec<_> =
        token.lines(&run.text).filter_map(|l| l.strip_prefix("RESULT cases=")).collect();
    let [result] = results[..] else { return None };
    let (cases, failed) = result.split_once(" failed=").unwrap();
    Some((cases.parse().unwrap(), failed.parse().unwrap()))
}

fn uart(change: Option<Change<'_>>) -> Option<(u32, u32)> {
    bench("tb_uart", &UART, 1, change)
}

fn link(seed: u32, change: Option<Change<'_>>) -> Option<(u32, u32)> {
    bench("tb_pin_link", &LINK, seed, change)
}

#[test]
fn the_serial_line() {
    assert_eq!(uart(None), Some((CASES, 0)));
}

/// Cases of `tb_uart`.
const CASES: u32 = 33;

/// Mistakes that a person would make; each fails a case.
#[test]
fn no_mutant_of_the_serial_line_survives() {
    let mutants = [
        ("uart_rx.v", "CLOCKS[15:0] / 16'd2 - 16'd1", "16'd0"),
        ("uart_rx.v", "sample && left_q == 4'd10 && line", "1'b0"),
        ("uart_rx.v", "assign error = !bits_q[8];", "assign error = 1'b0;"),
        ("uart_rx.v", "bits_q <= {line, bits_q[8:1]};", "bits_q <= {bits_q[7:0], line};"),
        ("uart_tx.v", "bits_q <= {1'b1, data};", "bits_q <= {1'b0, data};"),
        ("uart_tx.v", "left_q <= 4'd10;", "left_q <= 4'd9;"),
        (
            "uart_tx.v",
            "localparam [15:0] BIT = CLOCKS[15:0] - 16'd1;",
            "localparam [15:0] BIT = CLOCKS[15:0];",
        ),
        ("uart_bridge.v", "= bad_q || crc_q != 8'h00 ||", "= bad_q ||"),
        ("uart_bridge.v", "= bad_q || crc_q != 8'h00 ||", "= crc_q != 8'h00 ||"),
        ("uart_bridge.v", "rx_error || (bad_q && count_q != 4'd0)", "rx_error"),
        ("uart_bridge.v", "rx_error || (bad_q && count_q != 4'd0)", "rx_error || bad_q"),
        ("uart_bridge.v", "!(write || read) || !there;", "!(write || read);"),
        ("uart_bridge.v", "board < BOARDS[7:0]", "board[2:0] < BOARDS[2:0]"),
        ("uart_bridge.v", "|| !(write || read) ||", "||"),
        ("uart_bridge.v", "w_q  <= w_q && !w_taken;", "w_q  <= w_q && !aw_taken;"),
        ("uart_bridge.v", "aw_q <= aw_q && !aw_taken;", "aw_q <= aw_q && !w_taken;"),
        ("uart_bridge.v", "b_comes && !aw_q && !w_q", "!aw_q && !w_q"),
        (
            "uart_bridge.v",
            "count_q <= 4'd0;\n            end",
            "count_q <= count_q;\n            end",
        ),
        ("uart_bridge.v", "21'd32 * CLOCKS[20:0]", "21'd16 * CLOCKS[20:0]"),
        ("uart_bridge.v", "write ? 32'd0 : m_axi_rdata", "m_axi_rdata"),
        ("uart_bridge.v", "write ? m_axi_bresp : m_axi_rresp", "2'd0"),
        ("uart_bridge.v", "crc_q       <= 8'hff;", "crc_q       <= 8'h00;"),
    ];
    let survivors: Vec<_> =
        mutants.iter().filter(|m| uart(Some(**m)) == Some((CASES, 0))).collect();
    assert!(survivors.is_empty(), "{survivors:#?}");
}

/// Cases of `tb_pin_link`.
const LINK_CASES: u32 = 56;

#[test]
fn the_line_of_pins() {
    assert_eq!(link(1, None), Some((LINK_CASES, 0)));
}

/// Other phases of the clocks and delays of the wires.
#[test]
#[ignore = "half a minute: cargo test -p awgstar-cli --test verilog boards -- --ignored"]
fn the_line_of_pins_with_other_phases() {
    for seed in 2..=10 {
        assert_eq!(link(seed, None), Some((LINK_CASES, 0)), "seed {seed}");
    }
}

/// Mistakes that a person would make; each fails a case, the first of which ends the run.
#[test]
fn no_mutant_of_the_line_of_pins_survives() {
    let mutants = [
        // Halves of a word out of order, which no alignment repairs.
        ("pin_link.v", ".d0  (tx_code[n])", ".d0  (tx_code[(n + 20) % 40])"),
        ("pin_link.v", ".d0  (pin_code[n])", ".d0  (pin_code[n < 20 ? (n + 1) % 20 : n])"),
        ("pin_link.v", ".pin (tx_pins[n])", ".pin (tx_pins[n < 2 ? 1 - n : n])"),
        // The clock's edges are at those of the data.
        ("pin_link.v", ".clk (clk_90)", ".clk (clk)"),
        ("pin_link.v", ".rx_los         (!lit)", ".rx_los         (1'b0)"),
        ("pin_link.v", ".rx_los         (!lit)", ".rx_los         (lit)"),
        ("pin_link.v", "light_q    <= !link_rst_q;", "light_q    <= 1'b1;"),
        ("pin_link.v", "link_rst_q <= rst || !runs;", "link_rst_q <= rst;"),
        ("pin_link.v", ".rx_clk         (rx_clk_pin)", ".rx_clk         (clk)"),
        ("../clock_watch.v", "span_q == MOST;", "1'b0;"),
        ("../clock_watch.v", "change ? span_q < LEAST :", "change ? 1'b0 :"),
        ("../clock_watch.v", "beat_q[2]", "beat_q[1]"),
        ("../clock_watch.v", "assign runs = good_q[SPANS_W];", "assign runs = good_q[1];"),
        ("../clock_watch.v", "good_d = {(SPANS_W + 1){1'b0}};", "good_d = good_q;"),
    ];
    let survivors: Vec<_> = mutants
        .iter()
        .filter(|m| link(1, Some(**m)).is_none_or(|(cases, failed)| cases == 0 || failed != 1))
        .collect();
    assert!(survivors.is_empty(), "{survivors:#?}");
}

/// The constants of the Python program are those of the contract.
#[test]
fn registers_of_the_program() {
    let text = fs::read_to_string(root().join("hdl/boards/awgstar_uart.py")).unwrap();
    let mut values = std::collections::BTreeMap::new();
    for line in text.lines() {
        let Some((names, numbers)) = line.split_once(" = ") else { continue };
        let (names, numbers): (Vec<_>, Vec<_>) =
            (names.split(", ").collect(), numbers.split(", ").collect());
        if names.len() != numbers.len() || names.iter().any(|n| n.chars().any(char::is_lowercase)) {
            continue;
        }
        for (name, number) in names.into_iter().zip(numbers) {
            let digits = number.replace('_', "");
            let value = match digits.split_at_checked(2) {
                Some(("0x", hex)) => u32::from_str_radix(hex, 16),
                Some(("0b", bits)) => u32::from_str_radix(bits, 2),
                _ => digits.parse(),
            };
            if let Ok(value) = value {
                values.insert(name.to_owned(), value);
            }
        }
    }
    let mut found = 0;
    for register in board::REGISTERS {
        if let Some(value) = values.get(register.name) {
            assert_eq!(*value, register.offset.0, "{}", register.name);
            found += 1;
        }
    }
    assert!(found >= 16, "{found} registers are in the program");
    for (name, value) in [
        ("WINDOW", 1 << board::WINDOW_BIT),
        ("RESET_ID", board::ID.reset),
        ("BROADCAST", u32::from(Kind::Broadcast.code())),
        ("ORDER_NONE", u32::from(Order::None.code())),
        ("ORDER_SENT", u32::from(Order::Sent.code())),
        ("ORDER_CONFIRMED", u32::from(Order::Confirmed.code())),
        ("LOCK_QUEUE_REQUEST", u32::from(Signal::LockQueueRequest.c_st())),
        ("LOCK_QUEUE_PASS", u32::from(Signal::LockQueuePass.c_st())),
        ("BARRIER_RING_ARRIVAL", u32::from(Signal::BarrierRingArrival.c_st())),
    ] {
        assert_eq!(values.get(name), Some(&value), "{name}");
    }
}

/// Makes a target of `hdl/boards`, or of a copy of it.
fn make(boards: &Path, target: &str, out: &Path) {
    let made = Command::new("make")
        .current_dir(boards)
        .args([target, &format!("OUT={}", out.display())])
        .output()
        .expect("make is installed");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
}

/// Exit code, output and messages of the Python program with a simulation.
fn python(simulation: &Path, words: &[&str]) -> (Option<i32>, String, String) {
    let mut python = Command::new("python3");
    python.arg(root().join("hdl/boards/awgstar_uart.py")).arg(simulation).args(words);
    let found = python.output().expect("python3 is installed by testbench/setup.sh");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (found.status.code(), text(&found.stdout), text(&found.stderr))
}

/// Two boards in the simulation of the whole FPGA but its PLL: write, read, barrier, lock; and what goes wrong.
#[test]
#[ignore = "minutes: cargo test -p awgstar-cli --test verilog boards -- --ignored serial_pins"]
fn the_demo_over_the_serial_pins() {
    let scratch = Scratch::new().unwrap();
    let boards = root().join("hdl/boards");
    make(&boards, "sim", scratch.path());
    let simulation = scratch.path().join("sim/Vulx3s");
    let run = |words: &[&str]| python(&simulation, words);
    let (code, text, errors) = run(&["demo", "3"]);
    assert_eq!(code, Some(0), "{text}{errors}");
    for line in [
        "boards: 2",
        "word 0x0 on board 1: 305419896",
        "word 0x3ffc on board 1: 3405705229",
        "counter on board 0: 6",
        "counter on board 1: 6",
        "episodes of board 1: 4",
        "times that the lock was held: 6",
        "the demo passes",
    ] {
        assert!(text.lines().any(|l| l == line), "{line}: {text}");
    }
    assert_eq!(run(&["read", "1", "0"]), (Some(0), "00000000: 41574753\n".into(), String::new()));
    let (code, _, errors) = run(&["read", "2", "0"]);
    assert!(
        code == Some(1) && errors.contains("board 2, R of 0x00000000: no such board"),
        "{errors}"
    );
    let (code, _, errors) = run(&["write", "0", "0", "1"]);
    assert!(code == Some(1) && errors.contains("SLVERR"), "{errors}");
    assert_eq!(run(&["read", "0"]).0, Some(2));

    // The firmware of the project in the Rust program.
    let example = libraries::built().join("examples/serial_boards");
    let mut board =
        Command::new(&simulation).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(board.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let found = Command::new(example).args([line.trim(), "4"]).output().unwrap();
    drop(board.stdin.take());
    assert!(board.wait().unwrap().success());
    let text = String::from_utf8_lossy(&found.stdout);
    assert!(found.status.success(), "{text}{}", String::from_utf8_lossy(&found.stderr));
    for line in ["board 0: the counter grew by 8", "board 1: the counter grew by 8"] {
        assert!(text.lines().any(|l| l == line), "{line}: {text}");
    }
    assert_eq!(text.matches("has the lock").count(), 8, "{text}");
}

/// Two boards in each of two FPGAs, joined by a cable, which is pulled out; and what goes wrong.
#[test]
#[ignore = "two minutes: cargo test -p awgstar-cli --test verilog boards -- --ignored two_fpgas"]
fn the_demo_on_two_fpgas() {
    let scratch = Scratch::new().unwrap();
    make(&root().join("hdl/boards"), "sim-link", scratch.path());
    let simulation = scratch.path().join("sim/Vulx3s_link");
    let (code, text, errors) = python(&simulation, &["cable", "2"]);
    assert_eq!(code, Some(0), "{text}{errors}");
    for line in [
        "boards: 4",
        "word 0x0 on board 3: 305419896",
        "word 0x3ffc on board 3: 3405705229",
        "counter on board 3: 8",
        "all out: word 0x300 on board 3: 0",
        "all in: all boards have what was written",
        "clock in: all boards have what was written",
        "light in: all boards have what was written",
        "data in: all boards have what was written",
        "counter on board 0: 40",
        "counter on board 3: 40",
        "episodes of board 2: 15",
        "the demo with the cable passes",
    ] {
        assert!(text.lines().any(|l| l == line), "{line}: {text}");
    }
    // Boards are numbered over both lines.
    let read = |board: &str| python(&simulation, &["read", board, "0"]);
    assert_eq!(read("3"), (Some(0), "00000000: 41574753\n".into(), String::new()));
    let (code, _, errors) = read("4");
    assert!(
        code == Some(1) && errors.contains("board 2, R of 0x00000000: no such board"),
        "{errors}"
    );
}

/// Mistakes that a person would make in the top level or in what it is made of; the demo fails with each.
#[test]
#[ignore = "ten minutes: a build for each of eight mistakes"]
fn no_mutant_of_the_two_fpgas_survives() {
    let mutants = [
        ("boards/pin_link.v", ".d0  (tx_code[n])", ".d0  (tx_code[(n + 20) % 40])"),
        ("boards/pin_link.v", ".pin (tx_pins[n])", ".pin (tx_pins[n < 2 ? 1 - n : n])"),
        ("boards/pin_link.v", ".clk (clk_90)", ".clk (clk)"),
        ("boards/pin_link.v", ".rx_los         (!lit)", ".rx_los         (1'b0)"),
        ("boards/pin_link.v", "light_q    <= !link_rst_q;", "light_q    <= link_rst_q;"),
        ("clock_watch.v", "beat_q[2]", "beat_q[1]"),
        ("boards/ulx3s_link.v", ".s_axis_tdata  (from_tdata)", ".s_axis_tdata  (to_tdata)"),
        ("word_aligner.v", "place_d  = first;", "place_d  = place_q;"),
    ];
    let mut survivors = Vec::new();
    for (file, find, replace) in mutants {
        let scratch = Scratch::new().unwrap();
        let hdl = scratch.path().join("hdl");
        let copied = Command::new("cp").arg("-r").arg(root().join("hdl")).arg(&hdl).status();
        assert!(copied.unwrap().success());
        let text = fs::read_to_string(hdl.join(file)).unwrap();
        assert_eq!(text.matches(find).count(), 1, "{file}: {find}");
        fs::write(hdl.join(file), text.replace(find, replace)).unwrap();
        make(&hdl.join("boards"), "sim-link", scratch.path());
        let found = python(&scratch.path().join("sim/Vulx3s_link"), &["cable", "1"]);
        println!("{file}: {replace}: {:?} {}", found.0, found.2);
        // An error of the Python program itself ends with 1, too.
        if found.0 != Some(1) || found.2.is_empty() || found.2.contains("Traceback") {
            survivors.push((file, replace, found));
        }
    }
    assert!(survivors.is_empty(), "{survivors:#?}");
}

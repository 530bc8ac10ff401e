// SPDX-License-Identifier: MIT OR Apache-2.0
//! The golden vectors of the board in Verilator with the assertions of `testbench/assert` bound.
//!
//! One build serves the good design and every bug: each edit of the Verilog acts only when the bug's
//! number is given at run time.

use super::root;
use awgstar::quantity::Cycle;
use awgstar::rtl::{Parameters, RingNode, SmbAxi4};
use awgstar_lockstep::mutants::selection::Selection;
use awgstar_stimulus::board::burst;
use awgstar_stimulus::machine::Machine as _;
use awgstar_stimulus::node::NodeSend;
use awgstar_stimulus::node::directed;
use awgstar_stimulus::node::directed::Named;
use awgstar_stimulus::vector::{About, Vector, expect, track_of};
use awgstar_stimulus::{Case, NodeStimulus, vector};
use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    io::Read as _,
    path::{Path, PathBuf},
    process::Command,
};

/// Assertion that a bug fires, instance (end of its path), file, text and what replaces it. `BUG`
/// is a condition that is true when this bug is chosen.
type Bug = (&'static str, &'static str, &'static str, &'static str, &'static str);

#[rustfmt::skip]
const BUGS: &[Bug] = &[
    ("hst1_r_stays", "u_axil", "axil_port.v", "write_q ? s_axi_bready : s_axi_rready", "write_q ? s_axi_bready : s_axi_rready || BUG"),
    ("hst1_b_stays", "u_axil", "axil_port.v", "if (write_q ? s_axi_bready :", "if (write_q ? s_axi_bready || BUG :"),
    ("hst1_r_stable", "u_axil", "axil_port.v", "s_axi_rdata   = rdata_q;", "s_axi_rdata = rdata_q ^ {31'd0, BUG && !s_axi_rready};"),
    ("hst1_b_stable", "u_axil", "axil_port.v", "s_axi_bresp   = {error_q,", "s_axi_bresp   = {error_q ^ (BUG && !s_axi_bready),"),
    ("hst3_b_code", "u_axil", "axil_port.v", " 1'b0};\n    assign s_axi_rresp", " BUG};\n    assign s_axi_rresp"),
    ("hst3_r_code", "u_axil", "axil_port.v", "s_axi_rresp   = {error_q, 1'b0}", "s_axi_rresp   = {error_q, BUG}"),
    ("hst1_b_request", "u_axil", "axil_port.v", "s_axi_bvalid  = done && write_q;", "s_axi_bvalid = (done || (BUG && idle && turn_q)) && write_q;"),
    ("hst1_r_request", "u_axil", "axil_port.v", "s_axi_rvalid  = done && !write_q;", "s_axi_rvalid = (done || (BUG && req_valid)) && !write_q;"),
    ("hst4_beyond_write", "u_host", "host_window.v", "win_error = !in_range ||", "win_error = (!in_range && !(BUG && win_write)) ||"),
    ("hst4_beyond_read", "u_host", "host_window.v", "&& win_write)) ||", "&& win_write) && !(BUG && !win_write)) ||"),
    ("hst3_id", "u_host", "host_regs.v", "value = `AWG_RESET_ID;", "value = `AWG_RESET_ID ^ {31'd0, BUG};"),
    ("irq1_enabled", "u_host", "host_regs.v", "(status_q & mask_q) !=", "(status_q & (mask_q | {`AWG_IRQS{BUG}})) !="),
    ("irq1_stays", "u_host", "host_regs.v", "irq_q     <= (", "irq_q     <= !(BUG && irq_q) && ("),
    ("lnk2_keep", "u_out", "ring_egress.v", "m_axis_tkeep  = keep_of(m_code_q);", "m_axis_tkeep = (keep_of(m_code_q)) & ~{2'b00, BUG, 1'b0};"),
    ("lnk2_keep_last", "u_out", "ring_egress.v", "= (keep_of(m_code_q))", "= (keep_of(m_code_q) & ~{2'b00, BUG && m_last_q, 1'b0})"),
    ("lnk3_no_gap", "u_out", "ring_egress.v", "m_axis_tvalid = m_valid_q;", "m_axis_tvalid = m_valid_q && !(BUG && left_q == 9'd9);"),
    ("lnk3_idle", "u_out", "ring_egress.v", "m_last_q  <= m_last_d;", "m_last_q <= m_last_d; if (BUG && m_valid_q && m_last_q) {m_valid_q, m_last_q} <= 2'b10;"),
    ("node6_aborted", "u_out", "ring_egress.v", "m_axis_tdata  = m_data_q;", "m_axis_tdata = m_data_q ^ {31'd0, BUG && m_last_q && m_user_q};"),
    ("frm4_token", "u_frame", "frame_tx.v", "s_hdr_token, is_free ?", "s_hdr_token | {3{BUG}}, is_free ?"),
    ("node14_id", "u_frame", "frame_tx.v", "{s_hdr_node_id, ", "{s_hdr_node_id ^ {8{BUG}}, "),
    ("node14_mac", "u_frame", "frame_tx.v", "s_hdr_mac[39:32], s_hdr_mac[47:40]}", "s_hdr_mac[39:32], s_hdr_mac[47:40] ^ {8{BUG}}}"),
    ("frm6_c_st", "u_frame", "frame_tx.v", "a_data_d[20:16] = padded", "a_data_d[20:16] = BUG ? 5'd9 : padded"),
    ("frm7_short", "u_frame", "frame_tx.v", "a_data_d[31:24] = {2'd0, short_q};", "a_data_d[31:24] = {2'd0, short_q} & {8{!BUG}};"),
    ("frm5_pad", "u_frame", "frame_tx.v", "{beat[15:0], shift_q[15:0]};", "{beat[15:0], shift_q[15:0]} | {31'd0, BUG};"),
    ("frm10_free", "u_frame", "frame_tx.v", "is_free ? 48'd0 : rest", "is_free ? {47'd0, BUG} : rest"),
    ("frm3_bytes", "u_frame", "frame_tx.v", "cov_left_d  = COVERED_MIN;", "cov_left_d  = COVERED_MIN - {8'd0, BUG, 2'd0};"),
    ("fcs1_residue", "u_frame", "frame_tx.v", "fcs_tail = ~crc_q;", "fcs_tail = ~crc_q ^ {31'd0, BUG};"),
    ("node1_m", "u_frame", "frame_tx.v", "m_user_d     = a_cut_q;", "m_user_d = a_cut_q || (BUG && !m_valid_q);"),
    ("tx5_user", "u_frame", "frame_tx.v", "        case (a_count_q)\n            2'd1:    m_data_d", "        if (BUG && m_valid_q) m_user_d = 1'b1;\n        case (a_count_q)\n            2'd1:    m_data_d"),
    ("tx6_one", "frame_tx.u_assert", "frame_tx.v", "status_valid_d = tail_q", "status_valid_d = (BUG && m_valid_q && m_last_q) || tail_q"),
    ("node17_stays", "u_rx_hdr", "rx_buffer.v", "m_hdr_valid = hdr_rd_q != hdr_wr_q;", "m_hdr_valid = hdr_rd_q != hdr_wr_q && !(BUG && m_hdr_ready);"),
    ("node17_stable", "u_rx_hdr", "rx_buffer.v", "m_hdr       = hdr_head_q;", "m_hdr = hdr_head_q ^ {122'd0, BUG && m_hdr_ready};"),
    ("node16_token", "u_node.u_assert", "rx_buffer.v", "&& m_hdr_ready};", "&& m_hdr_ready} ^ {50'd0, BUG, 72'd0};"),
    ("rx5_length", "u_node.u_assert", "rx_buffer.v", "72'd0};", "72'd0} ^ {112'd0, BUG, 10'd0};"),
    ("frm8_rx_c_st", "u_node.u_assert", "rx_buffer.v", "10'd0};", "10'd0} ^ {51'd0, BUG, 64'd0, BUG, 6'd0};"),
    ("rx2_keep", "u_node.u_assert", "rx_buffer.v", "m_axis_tkeep} = head_q;", "m_axis_tkeep} = head_q & ~{34'd0, BUG, 1'b0};"),
    ("node18_token", "u_node.u_assert", "rx_filter.v", "m_ret_token      = ret_token_q;", "m_ret_token = ret_token_q | {3{BUG}};"),
    ("tx6_code", "frame_tx.u_assert", "frame_tx.v", "status_error  = status_error_q;", "status_error  = status_error_q | {3{BUG}};"),
    ("node7_length", "u_out", "ring_egress.v", "m_axis_tlast  = m_last_q;", "m_axis_tlast  = m_last_q || BUG;"),
    ("node21_reset", "u_out", "ring_egress.v", "m_valid_q <= 1'b0;", "m_valid_q <= BUG;"),
    ("irq1_reset", "u_host", "host_regs.v", "irq_q     <= 1'b0;", "irq_q     <= BUG;"),
];

/// The same of what `rx_sorter` gets.
#[rustfmt::skip]
const SORTER_BUGS: &[Bug] = &[
    ("env_frm3_beats", "u_sorter.u_assert", "include/smb_core.vh", ".s_axis_tlast     (rx_axis_tlast),", ".s_axis_tlast     (rx_axis_tlast || (BUG && rx_hdr_valid && rx_axis_tready)),"),
];

/// The same of the AXI4 port.
#[rustfmt::skip]
const BURST_BUGS: &[Bug] = &[
    ("axi5_b_stays", "dut.u_assert", "axi4_port.v", "if (!b_valid_q || s_axi_bready) begin", "if (!b_valid_q || s_axi_bready || BUG) begin"),
    ("axi5_b_stable", "dut.u_assert", "axi4_port.v", "= {b_error_q, 1'b0};", "= {b_error_q || (BUG && !s_axi_bready), 1'b0};"),
    ("axi5_r_stays", "dut.u_assert", "axi4_port.v", "s_axi_rvalid  = r_valid_q ||", "s_axi_rvalid  = (r_valid_q && !(BUG && r_next_valid_q)) ||"),
    ("axi5_r_stable", "dut.u_assert", "axi4_port.v", "r_valid_q ? r_data_q :", "r_valid_q ? r_data_q ^ {31'd0, BUG} :"),
    ("axi1_b_code", "dut.u_assert", "axi4_port.v", "s_axi_bresp   = {", "s_axi_bresp   = {1'b0, BUG} | {"),
    ("axi1_r_code", "dut.u_assert", "axi4_port.v", "s_axi_rresp   = {", "s_axi_rresp   = {1'b0, BUG} | {"),
    ("axi1_b_request", "dut.u_assert", "axi4_port.v", "b_valid_d = write_end;", "b_valid_d = write_end || (BUG && b_valid_q);"),
    ("axi1_r_request", "dut.u_assert", "axi4_port.v", "s_axi_rvalid  = (", "s_axi_rvalid  = (BUG && s_axi_arvalid) || ("),
    ("axi5_b_id", "dut.u_assert", "axi4_port.v", "s_axi_bid     = b_id_q;", "s_axi_bid     = b_id_q ^ {AXI_ID_W{BUG}};"),
    ("axi5_r_id", "dut.u_assert", "axi4_port.v", "r_id_q : word_id_q;", "r_id_q : word_id_q ^ {AXI_ID_W{BUG}};"),
    ("axi1_r_last", "dut.u_assert", "axi4_port.v", "r_last_q : word_last_q;", "r_last_q : word_last_q && !BUG;"),
    ("axi3_b_refused", "dut.u_assert", "axi4_port.v", "refused    = skip ||", "refused    = (skip && !(BUG && !aw_ok_q)) ||"),
    ("axi3_r_refused", "dut.u_assert", "axi4_port.v", "<= !(ar_ok_q && in_range);", "<= !((ar_ok_q || BUG) && in_range);"),
    ("axi1_reset_b", "dut.u_assert", "axi4_port.v", "            b_valid_q       <= 1'b0;", "            b_valid_q       <= BUG;"),
    ("axi1_reset_r", "dut.u_assert", "axi4_port.v", "            r_valid_q       <= 1'b0;", "            r_valid_q       <= BUG;"),
];

/// Bugs that only runs of the node can show, with those of [`BUGS`] in its modules.
#[rustfmt::skip]
const NODE_BUGS: &[Bug] = &[
    ("frm3_length", "u_out", "ring_ingress.v", "word_q == WORD_MAX;", "word_q == WORD_MAX && !BUG;"),
    ("node21_reset_ret", "dut.u_assert", "rx_filter.v", "if (rst) ret_valid_q <= 1'b0;", "if (rst) ret_valid_q <= BUG;"),
    ("node21_reset", "u_rx_hdr", "rx_buffer.v", "hdr_rd_q     <= {(HEADER_ADDR_W + 1){1'b0}};", "hdr_rd_q     <= {(HEADER_ADDR_W + 1){BUG}};"),
    ("node19_verdict", "dut.u_assert", "tx_mux.v", "tx_class             = class_q;", "tx_class             = class_q | {2{BUG}};"),
];

/// Bugs of [`BUGS`] that another assertion reports first in runs of the node. They stay in the Verilog, where the
/// edits after them are made.
const NOT_FIRST: [&str; 4] = ["frm5_pad", "node17_stable", "node16_token", "frm8_rx_c_st"];

/// Modules of the ring node with bugs of [`BUGS`].
const NODE_FILES: [&str; 4] = ["ring_egress.v", "frame_tx.v", "rx_buffer.v", "rx_filter.v"];

/// A testbench with the assertions of its module, and the bugs in it.
struct Design {
    module: &'static str,
    binds: &'static [&'static str],
    /// Whether the rules of the environment are checked.
    environment: bool,
    bugs: Vec<Bug>,
}

fn board() -> Design {
    let bugs = [BUGS, SORTER_BUGS].concat();
    Design { module: "smb", binds: &["bind.sv", "bind_sorter.sv"], environment: true, bugs }
}

fn burst_board() -> Design {
    let binds = &["bind_axi4.sv"];
    Design { module: "smb_axi4", binds, environment: true, bugs: BURST_BUGS.to_vec() }
}

/// The link in may bring anything: rules of the environment are not checked.
fn node() -> Design {
    let shared = BUGS.iter().filter(|(_, _, file, ..)| NODE_FILES.contains(file));
    let mut bugs: Vec<Bug> = shared.copied().collect();
    for (_, instance, ..) in &mut bugs {
        // There is no board around the node.
        if *instance == "u_node.u_assert" {
            *instance = "dut.u_assert";
        }
    }
    bugs.extend(NODE_BUGS);
    Design { module: "ring_node", binds: &["bind_node.sv"], environment: false, bugs }
}

/// Evaluated in no run of the board, with the reason.
const NOT_REACHED: &[(&str, &str)] = &[
    // The board has a frame's payload before it sends the frame.
    ("u_frame_tx.u_assert.u_link", "node6_aborted"),
];

/// The board with all bugs in it, none of which acts by itself.
struct Board {
    folder: tempfile::TempDir,
    token: String,
    program: String,
    module: &'static str,
}

struct Run {
    success: bool,
    text: String,
}

impl Board {
    fn build(design: &Design) -> Board {
        let top = format!("tb_{}", design.module);
        let environment = format!("-DAWGSTAR_ASSERT_ENV={}", u8::from(design.environment));
        let folder = tempfile::tempdir().unwrap();
        let hdl = folder.path().join("hdl");
        fs::create_dir_all(hdl.join("include")).unwrap();
        for part in ["", "include"] {
            for entry in fs::read_dir(root().join("hdl").join(part)).unwrap() {
                let path = entry.unwrap().path();
                if path.is_file() {
                    fs::copy(&path, hdl.join(part).join(path.file_name().unwrap())).unwrap();
                }
            }
        }
        for (number, (label, _, file, good, bad)) in design.bugs.iter().enumerate() {
            let path = hdl.join(file);
            let text = fs::read_to_string(&path).unwrap();
            // An edit before this one may have changed the line; all of them have to fit.
            assert_eq!(text.matches(good).count(), 1, "{label}: {good}");
            let chosen = format!("(injected::bug == {})", number + 1);
            fs::write(&path, text.replace(good, &bad.replace("BUG", &chosen))).unwrap();
        }
        let injected = format!(
            "package injected; int bug /* verilator public */ = 0; endpackage\n\
            module choose; initial if ($value$plusargs(\"bug=%d\", injected::bug) == 0) \
            injected::bug = 0; endmodule\nbind {top} choose u_choose ();\n"
        );
        fs::write(folder.path().join("injected.sv"), injected).unwrap();

        let mut random = [0; 8];
        fs::File::open("/dev/urandom").unwrap().read_exact(&mut random).unwrap();
        let token = format!("{:016x}", u64::from_le_bytes(random));
        let assert = root().join("testbench/assert");
        let done = Command::new("verilator")
            .args(["--binary", "--timing", "--assert", "-Wno-lint", "-Wno-style", "-O3"])
            // node17_stays: `valid` depends on `ready`.
            .arg("-Wno-UNOPTFLAT")
            .args(["-CFLAGS", "-O0", "--timescale", "1ns/1ns", "--x-initial", "0", "-j", "2"])
            .args([format!("-DAWGSTAR_TOKEN={token}"), format!("-DAWGSTAR_ASSERT_TOKEN={token}")])
            // In the vectors awprot and arprot are noise.
            .args([&environment, "-DAWGSTAR_ASSERT_PROT=0", "--top-module", &top, "+libext+.v+.sv"])
            .arg(format!("-I{}", hdl.join("include").display()))
            .arg(format!("-I{}", assert.display()))
            .arg("-y")
            .arg(&hdl)
            .arg("-y")
            .arg(&assert)
            .arg("--Mdir")
            .arg(folder.path().join("obj"))
            .arg(folder.path().join("injected.sv"))
            .arg(root().join(format!("testbench/verilog/{top}.v")))
            .args(design.binds.iter().map(|file| assert.join(file)))
            .output()
            .expect("verilator is installed");
        let text = String::from_utf8_lossy(&done.stdout) + String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{text}");
        Board { folder, token, program: format!("obj/V{top}"), module: design.module }
    }

    fn run(&self, vector: &Path, bug: usize) -> Run {
        let done = Command::new(self.folder.path().join(&self.program))
            .arg(format!("+dir={}", vector.display()))
            .arg(format!("+bug={bug}"))
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&done.stdout) + String::from_utf8_lossy(&done.stderr);
        Run { success: done.status.success(), text: text.into_owned() }
    }

    /// Golden vectors, then two runs that they do not have: a host that lets a response wait, and
    /// a frame that was cut before it arrives.
    fn vectors(&self) -> Vec<PathBuf> {
        let all = fs::read_dir(root().join("vectors/board")).unwrap();
        let mut all: Vec<_> = all.map(|e| e.unwrap().path()).filter(|p| p.is_dir()).collect();
        all.sort();
        assert_eq!(all.len(), awgstar_stimulus::vectors::board::plain().unwrap().len());
        all.push(self.own("late", &late_response()));
        all.push(self.own("cut", &cut_frame()));
        all
    }

    /// A vector without expectations, in which each value stays so many cycles.
    fn own(&self, name: &str, inputs: &[(u16, Inputs)]) -> PathBuf {
        let folder = self.folder.path().join(name);
        fs::create_dir_all(&folder).unwrap();
        let (mut stimulus, mut expect) = (String::new(), String::new());
        for (cycles, inputs) in inputs {
            writeln!(stimulus, "{cycles:04x}_{}", inputs.hex()).unwrap();
            writeln!(expect, "{cycles:04x}_{:021x}_{:021x}", 0, 0).unwrap();
        }
        fs::write(folder.join("stimulus.hex"), stimulus).unwrap();
        fs::write(folder.join("expect.hex"), expect).unwrap();
        folder
    }
}

/// Some inputs of the board; the others are 0.
#[derive(Clone, Copy, Default)]
struct Inputs {
    rst: bool,
    read: Option<u32>,
    rready: bool,
    /// Data, last, user.
    word: Option<(u32, bool, bool)>,
}

impl Inputs {
    /// Digits of a line of `stimulus.hex`: 151 bits, in the order of `tb_smb.v`.
    fn hex(self) -> String {
        let (data, last, user) = self.word.unwrap_or_default();
        let keep = if self.word.is_some() { 15 } else { 0 };
        let link = u128::from(data) << 7
            | keep << 3
            | u128::from(self.word.is_some()) << 2
            | u128::from(last) << 1
            | u128::from(user);
        let low = u128::from(self.read.unwrap_or(0)) << 44
            | u128::from(self.read.is_some()) << 40
            | u128::from(self.rready) << 39
            | link;
        format!("{:06x}{low:032x}", u32::from(self.rst) << 22)
    }
}

fn late_response() -> Vec<(u16, Inputs)> {
    let idle = Inputs::default();
    let read = Inputs { read: Some(4), ..idle };
    let mut all = vec![(4, Inputs { rst: true, ..idle }), (2, idle)];
    // Ready comes in the cycle after the one in which the board sees the address.
    all.extend([(2, read), (8, idle), (1, Inputs { rready: true, ..idle }), (4, idle)]);
    all
}

fn cut_frame() -> Vec<(u16, Inputs)> {
    let word =
        |data, last, user| (1, Inputs { word: Some((data, last, user)), ..Inputs::default() });
    // A broadcast of another node: MAC of which the first byte is 2, Node_ID 0.
    vec![
        (4, Inputs { rst: true, ..Inputs::default() }),
        (4, Inputs::default()),
        word(0x4d53_0002, false, false),
        word(0x00a1_0742, false, false),
        word(0, true, true),
        (20, Inputs::default()),
    ]
}

/// Instance and label of the assertion that fired first, with its line.
fn fired(text: &str) -> Option<(String, String)> {
    let line = text.lines().find(|l| l.contains(": ASSERT "))?;
    let (_, rest) = line.split_once(": ASSERT ")?;
    let (label, place) = rest.split_once(' ')?;
    Some((label.to_owned(), place.to_owned()))
}

/// Evaluations by place of those lines that carry the token.
fn evaluated(text: &str, token: &str, counts: &mut BTreeMap<String, u64>) {
    for line in text.lines() {
        let Some(rest) = line.strip_prefix(token).and_then(|r| r.strip_prefix(" EVALUATED "))
        else {
            continue;
        };
        let (place, count) = rest.split_once(' ').unwrap();
        *counts.entry(place.to_owned()).or_default() += count.trim().parse::<u64>().unwrap();
    }
}

/// Names of assertions in the texts of the checkers that `is_wanted` selects by their names.
fn declared(is_wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(root().join("testbench/assert")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.extension().is_some_and(|e| e == "sv") && is_wanted(&name) {
            let text = fs::read_to_string(path).unwrap();
            for macro_name in ["`AWG_ASSERT(", "`AWG_RULE(ENV, ", "`AWG_RULE(1, "] {
                let found = text.split(macro_name).skip(1);
                names.extend(found.map(|t| t.split(',').next().unwrap().to_owned()));
            }
        }
    }
    names.sort();
    names.dedup();
    names
}

/// No bug: every vector passes, and every assertion of `names` was evaluated. Each bug fires its
/// assertion before any other, in some vector.
fn check(board: &Board, vectors: &[PathBuf], names: &[String], bugs: &[Bug]) {
    let mut counts = BTreeMap::new();
    for vector in vectors {
        let run = board.run(vector, 0);
        let result = format!("{} RESULT module={} cycles=", board.token, board.module);
        let lines: Vec<_> = run.text.lines().filter(|l| l.starts_with(&result)).collect();
        let held = lines.len() == 1 && lines[0].ends_with(" failed=0");
        assert!(
            run.success && held && !run.text.contains("ASSERT "),
            "{}: {}",
            vector.display(),
            run.text
        );
        evaluated(&run.text, &board.token, &mut counts);
    }
    // What is not read of a file is mask 0 in a simulator with two states: a cut vector passed.
    let cut = board.folder.path().join("cut_expect");
    fs::create_dir_all(&cut).unwrap();
    fs::copy(vectors[0].join("stimulus.hex"), cut.join("stimulus.hex")).unwrap();
    let expect = fs::read_to_string(vectors[0].join("expect.hex")).unwrap();
    let (left, _) = expect.trim_end().rsplit_once('\n').unwrap();
    fs::write(cut.join("expect.hex"), left).unwrap();
    let text = board.run(&cut, 0).text;
    assert!(text.contains("FAIL cycles of stimulus.hex=") && text.contains(" failed=1"), "{text}");
    let is_exempt =
        |place: &str| NOT_REACHED.iter().any(|(i, label)| place.ends_with(&format!("{i}.{label}")));
    let is_ours = |place: &str| names.iter().any(|name| place.ends_with(&format!(".{name}")));
    let idle: Vec<_> =
        counts.iter().filter(|(p, n)| **n == 0 && is_ours(p) && !is_exempt(p)).collect();
    assert!(idle.is_empty(), "never evaluated: {idle:#?}");
    for name in names {
        let there = counts.keys().any(|place| place.ends_with(&format!(".{name}")));
        assert!(there || name.ends_with("_prot"), "{name} is in no instance");
    }

    // Each bug fires its assertion before any other, in some vector. By default a sample of the bugs.
    let labels: Vec<&str> = bugs.iter().map(|bug| bug.0).collect();
    let chosen = Selection::from_env().sized(3).names(&labels);
    assert!(!chosen.is_empty());
    let mut wrong = Vec::new();
    for (number, (label, instance, ..)) in bugs.iter().enumerate() {
        let other = board.module == "ring_node" && NOT_FIRST.contains(label);
        if other || !chosen.contains(label) {
            continue;
        }
        let mut runs = vectors.iter().rev().map(|v| (v, board.run(v, number + 1)));
        let found = runs.find_map(|(v, r)| Some((v, r.success, fired(&r.text)?)));
        let right = found.as_ref().is_some_and(|(_, success, (found, place))| {
            !success && found == label && place.contains(instance)
        });
        if !right {
            wrong.push(format!("{label} at {instance}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

// checks HST-1, HST-3, HST-4, IRQ-1, LNK-2, LNK-3, LNK-4, FRM-3 to FRM-8, FRM-10, FCS-1, FCS-2, NODE-1,
// NODE-5 to NODE-8, NODE-14, NODE-16 to NODE-19, NODE-21, TX-5, TX-6, TX-9, RX-2, RX-5
#[test]
fn assertions_hold_and_are_evaluated_and_bugs_fire_them() {
    let design = board();
    let board = Board::build(&design);
    let vectors = board.vectors();
    let names = declared(|file| !file.starts_with("axi4_") && !file.starts_with("ring_link_"));
    check(&board, &vectors, &names, &design.bugs);
}

// checks AXI-1, AXI-3, AXI-5
#[test]
fn assertions_of_the_axi4_port() {
    let design = burst_board();
    let board = Board::build(&design);
    let played = ["edges", "both_ways", "slow_b", "slow_r", "slow_data", "registers"];
    let mut vectors = Vec::new();
    for named in burst::named().into_iter().filter(|n| played.contains(&n.name.as_str())) {
        let track = track_of::<SmbAxi4>(&named.case, 0, &Parameters::DEFAULT).unwrap();
        let expect = expect::<SmbAxi4>(SmbAxi4::shape(), &track);
        let about = About { module: "smb_axi4".into(), ..About::default() };
        let folder = board.folder.path().join(&named.name);
        let vector = Vector::<SmbAxi4> { about, parameters: Parameters::DEFAULT, expect, track };
        vector.save(&folder).unwrap();
        vectors.push(folder);
    }
    assert_eq!(vectors.len(), played.len());
    let names = declared(|file| file.starts_with("axi4_"));
    check(&board, &vectors, &names, &design.bugs);
}

/// Data of 1 to 45 bytes, which no directed run of the node has.
fn short_data() -> NodeStimulus {
    let send = |cycle, len| NodeSend { cycle: Cycle(cycle), len, ..NodeSend::default() };
    NodeStimulus {
        node_id: 1,
        cycles: Cycle(300),
        sends: vec![send(20, 1), send(70, 5), send(130, 45)],
        ready: [8, 8],
        issues: vec![Cycle(10), Cycle(60), Cycle(120)],
        ..NodeStimulus::default()
    }
}

/// The committed vectors of the node, and the directed runs of one node of its lockstep.
// checks NODE-1, NODE-5 to NODE-8, NODE-14, NODE-16 to NODE-19, NODE-21, LNK-2 to LNK-4, FRM-3 to FRM-8, FRM-10,
// FCS-1, FCS-2, TX-5, TX-6, TX-9, RX-2, RX-5
#[test]
#[ignore = "long: those of the board are in every run, with the node in it"]
fn assertions_of_the_node() {
    let design = node();
    let board = Board::build(&design);
    let mut vectors = vector::list(&root().join("vectors/node"));
    assert_eq!(vectors.len(), 3);
    let short =
        Named { name: "short_data".into(), requirements: vec![], case: Case::alone(short_data()) };
    for named in directed::cases().into_iter().chain([short]) {
        // What the testbench has lines for.
        if named.case.nodes() != 1 || named.case.cycles() > Cycle(8000) {
            continue;
        }
        let track = track_of::<RingNode>(&named.case, 0, &Parameters::DEFAULT).unwrap();
        let expect = expect::<RingNode>(RingNode::shape(), &track);
        let about = About { module: "ring_node".into(), ..About::default() };
        let folder = board.folder.path().join(&named.name);
        let vector = Vector::<RingNode> { about, parameters: Parameters::DEFAULT, track, expect };
        vector.save(&folder).unwrap();
        vectors.push(folder);
    }
    assert!(vectors.len() > 20, "{}", vectors.len());
    let of_node =
        ["ring_node_assert.sv", "frame_assert.sv", "frame_tx_assert.sv", "link_assert.sv"];
    let is_ours = |file: &str| of_node.contains(&file) || file == "stream_assert.sv";
    let mut names = declared(is_ours);
    names.retain(|name| !name.starts_with("env_"));
    check(&board, &vectors, &names, &design.bugs);
}

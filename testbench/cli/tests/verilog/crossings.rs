// SPDX-License-Identifier: MIT OR Apache-2.0
//! The check of paths between clocks finds mistakes, and the constraint files name what is in the netlist. The test
//! command runs the check itself on all top levels.

use awgstar_simulator::{
    Scratch,
    crossings::{
        self, Kind,
        constraints::{self, FOLDER},
        tops::{Clock, TOPS, Top},
    },
    process::Task,
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

fn hdl() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hdl").canonicalize().unwrap()
}

fn top(module: &str) -> &'static Top {
    TOPS.iter().find(|top| top.module == module).unwrap()
}

/// A copy of the Verilog, with this text in a file in place of that, which is there once.
fn changed(file: &str, find: &str, replace: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let copied = Command::new("cp").arg("-r").arg(hdl()).arg(folder.path().join("hdl")).status();
    assert!(copied.unwrap().success());
    let path = folder.path().join("hdl").join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.matches(find).count(), 1, "{file}: {find}");
    fs::write(path, text.replace(find, replace)).unwrap();
    folder
}

/// Top level, file, text that is there once, what takes its place, and what the check says.
type Mistake = (&'static str, &'static str, &'static str, &'static str, &'static str);

const MISTAKES: &[Mistake] = &[
    // Logic before a synchronizer.
    (
        "ring_link",
        "word_aligner.v",
        "assign locked = locked_q;",
        "assign locked = commas_q == COMMAS;",
        "ring_link: `u_aligner.commas_q[2]` (rx_clk) reaches `u_up.first_q` (clk) through logic: eq word_aligner.v:",
    ),
    (
        "ring_link",
        "ring_link.v",
        ".d   (line_rst_q),",
        ".d   (!line_rst_q),",
        "ring_link: `line_rst_q` (clk) reaches `u_rst.first_q` (rx_clk) through logic: logic_not ring_link.v:",
    ),
    // A pointer that is no Gray code.
    (
        "clock_crossing",
        "clock_crossing.v",
        ".d   (wr_gray_q),",
        ".d   (wr_ptr_q),",
        "clock_crossing: `wr_ptr_q` (wr_clk) reaches `u_wr_gray.first_q` (rd_clk) with 7 bits, and is no counter in Gray code",
    ),
    (
        "clock_crossing",
        "clock_crossing.v",
        "rd_gray_q <= rd_ptr_d ^ (rd_ptr_d >> 1);",
        "rd_gray_q <= rd_ptr_d ^ (rd_ptr_d >> 2);",
        "clock_crossing: `rd_gray_q` (rd_clk) reaches `u_rd_gray.first_q` (wr_clk) with 7 bits, and is no counter in Gray code",
    ),
    // A Gray code of a counter that goes on by 0 or 2, or that another reset clears.
    (
        "clock_crossing",
        "clock_crossing.v",
        "rd_ptr_q + {{ADDR_W{1'b0}}, read};",
        "rd_ptr_q + {{(ADDR_W-1){1'b0}}, read, 1'b0};",
        "`rd_gray_q` (rd_clk) reaches `u_rd_gray.first_q` (wr_clk) with 7 bits, and is no counter in Gray code",
    ),
    (
        "clock_crossing",
        "clock_crossing.v",
        "rd_gray_q <= {(ADDR_W + 1){1'b0}};",
        "rd_gray_q <= rd_gray_q;",
        "`rd_gray_q` (rd_clk) reaches `u_rd_gray.first_q` (wr_clk) with 7 bits, and is no counter in Gray code",
    ),
    // No synchronizer, or one register only, or registers that tools do not keep together.
    (
        "clock_crossing",
        "clock_crossing.v",
        "binary(rd_gray))",
        "binary(rd_gray_q))",
        "clock_crossing: `rd_gray_q[6]` (rd_clk) reaches `wr_ptr_q[6]` (wr_clk) through logic: ",
    ),
    (
        "ring_link",
        "synchronizer.v",
        "assign q = second_q;",
        "assign q = first_q;",
        "ring_link: `u_aligner.locked_q` (rx_clk) reaches `u_up.first_q` (clk) without a synchronizer",
    ),
    (
        "ring_link",
        "synchronizer.v",
        "(* async_reg = \"true\" *) reg [WIDTH-1:0] second_q;",
        "reg [WIDTH-1:0] second_q;",
        "ring_link: `line_rst_q` (clk) reaches `u_rst.first_q` (rx_clk) without a synchronizer",
    ),
    // A reset, an enable, a clock of the other side.
    (
        "ring_link",
        "ring_link.v",
        ".rd_rst        (line_rst_q),",
        ".rd_rst        (rx_rst),",
        "ring_link: `u_rst.second_q` (rx_clk) reaches `u_elastic.inside_q`, port SRST (clk) without a synchronizer",
    ),
    (
        "clock_crossing",
        "clock_crossing.v",
        "if (write) mem[wr_ptr_q[ADDR_W-1:0]] <= wr_data;",
        "if (write && rd_ready) mem[wr_ptr_q[ADDR_W-1:0]] <= wr_data;",
        "clock_crossing: `rd_ready` (rd_clk) reaches `mem`, port WR_EN (wr_clk) through logic: ",
    ),
    (
        "smb_link",
        "smb_link.v",
        ".m_clk         (clk),",
        ".m_clk         (host_clk),",
        "(host_clk) reaches `u_board.u_axil.addr_q[31]` (clk) through logic: ",
    ),
    (
        "ring_link",
        "ring_link.v",
        "        .clk    (rx_clk),",
        "        .clk    (rx_clk && !rx_los),",
        "ring_link: `u_aligner.code_q` has the clock `u_aligner.clk`, which is none of the top level",
    ),
    // An output of the other side, one bit by two synchronizers, and words that no pointer guards.
    (
        "ring_link",
        "ring_link.v",
        "assign rx_ev_bad = locked && bad;",
        "assign rx_ev_bad = up && bad;",
        "ring_link: `u_up.second_q` (clk) reaches output `rx_ev_bad` (rx_clk) through logic: ",
    ),
    (
        "clock_watch",
        "clock_watch.v",
        "    assign runs =",
        "    wire twice;\n    synchronizer u_twice (.clk(clk), .rst(rst), .d(beat_q[2]), .q(twice));\n    assign runs = twice &&",
        "clock_watch: `beat_q[2]` reaches clk twice, by two synchronizers",
    ),
    (
        "elastic_buffer",
        "clock_crossing.v",
        ".d   (rd_gray_q),",
        ".d   ({(ADDR_W + 1){1'b0}}),",
        "elastic_buffer: `u_crossing.mem` is read, but `u_crossing.rd_gray_q` does not go from rd_clk to wr_clk",
    ),
    (
        "pin_link",
        "boards/pin_link.v",
        ".rx_los         (!lit),",
        ".rx_los         (!rx_light_pin),",
        "pin_link: `rx_light_pin` (no clock) reaches `u_link.u_aligner.commas_q[0]` (rx_clk_pin) through logic: ",
    ),
];

// checks CDC-4
#[test]
fn every_mistake_is_found() {
    let mut missed = Vec::new();
    for &(module, file, find, replace, says) in MISTAKES {
        let folder = changed(file, find, replace);
        let report = crossings::check(&folder.path().join("hdl"), top(module)).unwrap();
        if !report.wrong.iter().any(|wrong| wrong.contains(says)) {
            missed.push((says, report.wrong));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

/// A memory that is no store: its words may change while they are read.
#[test]
fn another_memory_between_clocks_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(hdl().join("clock_crossing.v")).unwrap();
    let text = text.replace(" mem ", " ram ").replace(" mem[", " ram[");
    fs::write(folder.path().join("clock_crossing.v"), text).unwrap();
    fs::copy(hdl().join("synchronizer.v"), folder.path().join("synchronizer.v")).unwrap();
    let report = crossings::check(folder.path(), top("clock_crossing")).unwrap();
    let says = "clock_crossing: `ram` (wr_clk) reaches output `rd_data` (rd_clk) out of a memory that is no store";
    assert!(report.wrong.iter().any(|wrong| wrong == says), "{:#?}", report.wrong);
}

const CLOCK: Clock = Clock { net: "clk", ps: 1, asked: None };
const OTHER: Clock = Clock { net: "rst", ps: 1, asked: None };

/// A check that reaches nothing fails; so does a port or a clock that the list does not know, or does not need.
#[test]
fn a_check_of_nothing_fails() {
    let wrong = |clocks, ports| {
        let top = Top { module: "synchronizer", board: false, clocks, ports };
        crossings::check(&hdl(), &top).unwrap().wrong
    };
    let none = "synchronizer: no crossing was found";
    assert_eq!(wrong(&[CLOCK], &[("*", "clk")]), [none]);
    let unknown = "synchronizer: nothing says which clock `d` belongs to";
    assert_eq!(wrong(&[CLOCK], &[("clk", "clk"), ("rst", "clk"), ("q", "clk")]), [unknown]);
    let idle = "synchronizer: no port fits `x*`";
    assert_eq!(wrong(&[CLOCK], &[("x*", "clk"), ("*", "clk")]), [idle, none]);
    let other = "synchronizer: no register has the clock `rst`";
    assert!(wrong(&[CLOCK, OTHER], &[("*", "clk")]).contains(&other.to_owned()));
}

#[test]
fn a_module_with_two_clocks_is_not_left_out() {
    assert_eq!(crossings::left_out(&hdl()).unwrap(), Vec::<String>::new());
    let two = "\nmodule two (input wire a, input wire b, input wire d, output wire q, output wire r);\n    \
               synchronizer u_a (.clk(a), .rst(1'b0), .d(d), .q(q));\n    \
               synchronizer u_b (.clk(b), .rst(1'b0), .d(q), .q(r));\nendmodule\n";
    let end = "`default_nettype wire\n";
    let folder = changed("synchronizer.v", end, &format!("{two}{end}"));
    assert_eq!(crossings::left_out(&folder.path().join("hdl")).unwrap(), ["two"]);
}

/// What a file of constraints names: `port`, `cell` or `clock`, and the name. The commands are those of Tcl, which Yosys
/// has.
fn named(text: &str) -> Vec<(String, String)> {
    let scratch = Scratch::new().unwrap();
    let commands = "
        proc create_clock {dash name period ns ports} {puts \"named clock [lindex $name 0]\"}
        proc get_ports {names} {foreach n $names {puts \"named port $n\"}}
        proc get_cells {names} {foreach n $names {puts \"named cell $n\"}}
        proc get_clocks {names} {foreach n $names {puts \"named use $n\"}}
        proc path {args} {if {[lsearch $args -from] < 0 || [lsearch $args -to] < 0} {error $args}}
        foreach c {set_max_delay set_false_path set_bus_skew} {interp alias {} $c {} path}
    ";
    let commands = scratch.write("constraints.tcl", &format!("{commands}\n{text}")).unwrap();
    let task = Task::new("yosys", Duration::from_secs(60));
    let done = task.run(Command::new("yosys").arg("-q").arg("-c").arg(commands)).unwrap();
    assert!(done.success, "{}", done.text);
    let lines = done.text.lines().filter_map(|line| line.strip_prefix("named ")?.split_once(' '));
    lines.map(|(kind, name)| (kind.to_owned(), name.to_owned())).collect()
}

/// Names in a file that the netlist does not have.
fn unknown(netlist: &serde_json::Value, text: &str) -> Vec<String> {
    let all = named(text);
    assert!(all.iter().any(|(kind, _)| kind == "cell"), "{text}");
    let clock = |name: &str| all.iter().any(|(kind, n)| kind == "clock" && n == name);
    let known = |(kind, name): &&(String, String)| match kind.as_str() {
        "clock" | "port" => netlist["ports"].get(name).is_some(),
        "use" => clock(name),
        _ => {
            let plain = name.split_once("_reg").map(|(cell, _)| cell.replace('/', "."));
            plain.is_some_and(|cell| {
                netlist["netnames"].get(&cell).is_some() || netlist["cells"].get(&cell).is_some()
            })
        }
    };
    all.iter().filter(|name| !known(name)).map(|(kind, name)| format!("{kind} {name}")).collect()
}

// checks CDC-5
#[test]
fn constraints_name_what_is_there() {
    for module in ["axil_crossing", "ring_link", "smb_link"] {
        let json: serde_json::Value =
            serde_json::from_str(&crossings::netlist(&hdl(), top(module)).unwrap()).unwrap();
        let netlist = &json["modules"][module];
        for end in ["sdc", "xdc"] {
            let file = hdl().join(FOLDER).join(format!("{module}.{end}"));
            let text = fs::read_to_string(&file).unwrap();
            assert_eq!(unknown(netlist, &text), Vec::<String>::new(), "{}", file.display());
            let wrong = text.replace("first_q_reg", "frist_q_reg").replace("rx_clk", "rx_clock");
            assert_ne!(unknown(netlist, &wrong), Vec::<String>::new());
        }
    }
}

/// The files are those of the crossings now; one that is changed, missing or not among them is old.
#[test]
fn old_constraints_are_found() {
    let report = crossings::check(&hdl(), top("ring_link")).unwrap();
    assert!(report.wrong.is_empty(), "{:#?}", report.wrong);
    let counts = [Kind::Bit, Kind::Pin, Kind::Gray, Kind::Words].map(|kind| report.count(kind));
    assert_eq!(counts, [3, 0, 2, 1], "{report}");
    let files = constraints::files(top("ring_link"), &report);
    for (name, text) in &files {
        assert_eq!(*text, fs::read_to_string(hdl().join(FOLDER).join(name)).unwrap(), "{name}");
    }
    let folder = tempfile::tempdir().unwrap();
    let old = || constraints::old(folder.path(), &files).unwrap().into_iter().collect::<Vec<_>>();
    assert_eq!(old(), ["ring_link.lpf", "ring_link.sdc", "ring_link.xdc"]);
    for (name, text) in &files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    assert_eq!(old(), Vec::<String>::new());
    fs::write(folder.path().join("ring_link.sdc"), "").unwrap();
    fs::write(folder.path().join("gone.xdc"), "").unwrap();
    assert_eq!(old(), ["gone.xdc", "ring_link.sdc"]);
}

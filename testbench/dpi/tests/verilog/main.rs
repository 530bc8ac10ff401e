// SPDX-License-Identifier: MIT OR Apache-2.0
//! The package and the example benches in Icarus and Verilator. Checks CTR-1, LCK-3, LCK-4.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The library that cargo has made for this test.
fn library() -> PathBuf {
    let library = env::current_exe().unwrap().with_file_name("libawgstar_dpi.a");
    assert!(library.exists(), "{}", library.display());
    library
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}\n{}", text(&output));
    text(&output)
}

// ---- Frames ----

/// What the vectors of a class ask of pack and unpack, from their file alone: vectors, whole frames to be sent,
/// refused headers, payloads with a defect, good frames to be received.
fn asked(class: &Path) -> [usize; 5] {
    let fields = fs::read_to_string(class.join("fields.hex")).unwrap();
    let mut asked = [0; 5];
    for line in fields.lines().filter(|line| !line.starts_with("//")) {
        let part = |at: usize| u8::from_str_radix(line.split('_').nth(at).unwrap(), 16).unwrap();
        let [flags, check, status] = [part(0), part(1), part(2)];
        asked[0] += 1;
        if flags & 1 != 0 {
            // Contract: 0 ok, 1 and 2 refused, 3 and 4 payloads with a defect.
            asked[match status {
                0 => 1,
                1 | 2 => 2,
                _ => 3,
            }] += 1;
        }
        asked[4] += usize::from(flags & 2 != 0 && check == 0);
    }
    asked
}

/// Runs the vectors of a class; the bench must have compared all that the class asks for.
fn frames(program: &mut Command, class: &Path) {
    let out = run(program.arg(format!("+dir={}", class.display())));
    let line = out.lines().find(|line| line.starts_with("vectors "));
    let line = line.unwrap_or_else(|| panic!("{}: {out}", class.display()));
    let words: Vec<&str> = line.split(' ').collect();
    let counts: BTreeMap<&str, usize> =
        words.chunks(2).map(|pair| (pair[0], pair[1].parse().unwrap())).collect();
    let [vectors, packed, refused, broken, unpacked] = asked(class);
    assert_eq!(counts["errors"], 0, "{}: {out}", class.display());
    let found = ["vectors", "packed", "refused", "broken", "unpacked"].map(|name| counts[name]);
    assert_eq!(found, [vectors, packed, refused, broken, unpacked], "{}", class.display());
}

fn classes() -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = fs::read_dir(root().join("vectors/frame"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    all.sort();
    assert!(all.len() >= 44);
    all
}

/// The bench of the vectors, compiled by Icarus, with this text of the package.
fn icarus(folder: &Path, package: &str) -> PathBuf {
    let (file, program) = (folder.join("awgstar_pkg.sv"), folder.join("frames.vvp"));
    fs::write(&file, package).unwrap();
    let bench = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verilog/tb_frames.sv");
    let mut compiler = Command::new("iverilog");
    compiler.args(["-g2012", "-Wall", "-DAWGSTAR_NO_DPI", "-s", "tb_frames", "-o"]);
    let messages = run(compiler.arg(&program).arg(file).arg(bench));
    assert_eq!(messages, "");
    program
}

fn package() -> String {
    fs::read_to_string(root().join("testbench/dpi/sv/awgstar_pkg.sv")).unwrap()
}

/// Pack and unpack agree with vectors whose generator shares no code with them.
#[test]
fn pack_and_unpack_agree_with_the_golden_vectors_in_icarus() {
    let folder = tempfile::tempdir().unwrap();
    let program = icarus(folder.path(), &package());
    for class in [
        "aborted",
        "data_lengths",
        "divided_block",
        "fcs_wrong",
        "refused_length",
        "short_count",
        "short_data",
        "signals",
        "signals_padded",
        "tokens",
    ] {
        frames(
            Command::new("vvp").arg("-n").arg(&program),
            &root().join("vectors/frame").join(class),
        );
    }
}

/// Errors in the package are found by the vectors.
#[test]
fn wrong_packing_is_found() {
    let folder = tempfile::tempdir().unwrap();
    for (find, replace, class) in [
        ("32'hEDB88320", "32'hEDB88321", "tokens"),
        (
            "? AWG_C_ST_DATA_SHORT : AWG_C_ST_DATA_FULL",
            "? AWG_C_ST_DATA_FULL : AWG_C_ST_DATA_FULL",
            "short_data",
        ),
        ("    bit [3:0]   multi_g;", "    bit [3:0]   swapped;", "tokens"),
        ("> AWG_SHORT_COUNT_INDEX)", "> AWG_DATA_MIN)", "short_count"),
    ] {
        let mut package = package();
        assert_eq!(package.matches(find).count(), 1, "{find}");
        package = package.replace(find, replace);
        if replace.contains("swapped") {
            // Multi_G and Act_Seq change places.
            package = package
                .replace("    bit [3:0]   act_seq;", "    bit [3:0]   multi_g;")
                .replace("swapped;", "act_seq;");
        }
        let program = icarus(folder.path(), &package);
        let class = root().join("vectors/frame").join(class);
        let mut run = Command::new("vvp");
        let out = run.arg("-n").arg(program).arg(format!("+dir={}", class.display()));
        let out = text(&out.output().unwrap());
        assert!(out.contains("expected") && !out.contains("errors 0"), "{find}: {out}");
    }
}

#[test]
#[ignore = "all classes in both simulators: 20 s"]
fn pack_and_unpack_agree_with_all_golden_vectors() {
    let folder = tempfile::tempdir().unwrap();
    let icarus = icarus(folder.path(), &package());
    let mut verilator = Command::new("verilator");
    verilator.args([
        "--binary",
        "--timing",
        "-Wno-fatal",
        "-Wno-lint",
        "-DAWGSTAR_NO_DPI",
        "--Mdir",
    ]);
    verilator.arg(folder.path().join("v")).args(["--top-module", "tb_frames"]);
    verilator.arg(root().join("testbench/dpi/sv/awgstar_pkg.sv"));
    run(verilator.arg(root().join("testbench/dpi/tests/verilog/tb_frames.sv")));
    for class in classes() {
        frames(Command::new("vvp").arg("-n").arg(&icarus), &class);
        frames(&mut Command::new(folder.path().join("v/Vtb_frames")), &class);
    }
}

// ---- Benches ----

/// A bench, compiled by the Makefile of the example.
struct Bench {
    folder: tempfile::TempDir,
    program: PathBuf,
    /// Arguments of make.
    make: Vec<String>,
}

impl Bench {
    /// The bench of `module` with the Verilog in `hdl`.
    fn new(module: &str, hdl: &Path, flags: &str) -> Bench {
        Self::changed(module, hdl, flags, [""; 2])
    }

    /// [`Bench::new`] with a text of the bench replaced by another one.
    fn changed(module: &str, hdl: &Path, flags: &str, [find, replace]: [&str; 2]) -> Bench {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join(module).join(format!("Vtb_{module}"));
        // make and Verilator's makefile cannot work below a folder with a space in its name.
        let link = |name: &str, to: &Path| {
            let link = folder.path().join(name);
            std::os::unix::fs::symlink(to, &link).unwrap();
            link
        };
        let (awgstar, hdl) = (link("awgstar", &root()), link("design", hdl));
        let library = link("libawgstar_dpi.a", &library());
        let bench = folder.path().join("bench");
        fs::create_dir(&bench).unwrap();
        for entry in fs::read_dir(root().join("testbench/dpi/example")).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                fs::copy(&path, bench.join(path.file_name().unwrap())).unwrap();
            }
        }
        if !find.is_empty() {
            let file = bench.join(format!("tb_{module}.sv"));
            let text = fs::read_to_string(&file).unwrap();
            assert_eq!(text.matches(find).count(), 1, "{find}");
            fs::write(file, text.replace(find, replace)).unwrap();
        }
        let fast = "-CFLAGS -O0 -MAKEFLAGS \"OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0\"";
        let make = vec![
            "-C".into(),
            bench.display().to_string(),
            program.display().to_string(),
            format!("BUILD={}", folder.path().display()),
            format!("AWGSTAR={}", awgstar.display()),
            format!("HDL={}", hdl.display()),
            format!("LIBRARY={}", library.display()),
            format!("FLAGS={flags} {fast}"),
        ];
        run(Command::new("make").args(&make));
        Bench { folder, program, make }
    }

    /// The same bench, made again with the Verilog in another folder.
    fn again(&self, hdl: &Path) {
        let design = self.folder.path().join("design");
        fs::remove_file(&design).unwrap();
        std::os::unix::fs::symlink(hdl, &design).unwrap();
        run(Command::new("make").args(&self.make));
    }

    /// Exit code and text.
    fn run(&self, seed: u32, arguments: &[&str]) -> (i32, String) {
        let output = Command::new(&self.program)
            .args(["+verilator+rand+reset+2".into(), format!("+verilator+seed+{seed}")])
            .arg(format!("+seed={seed}"))
            .args(arguments)
            .current_dir(self.folder.path())
            .output()
            .unwrap();
        // A current Verilator prints how long the run took.
        let printed = text(&output);
        let lines = printed
            .lines()
            .filter(|l| !l.starts_with("- Verilator: ") && !l.starts_with("- S i m "));
        let printed: String = lines.flat_map(|line| [line, "\n"]).collect();
        (output.status.code().unwrap_or(-1), printed)
    }
}

/// The Verilog with a change.
fn changed(file: &str, find: &str, replace: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let hdl = root().join("hdl");
    fs::create_dir(folder.path().join("include")).unwrap();
    for part in ["", "include"] {
        for entry in fs::read_dir(hdl.join(part)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| e == "v" || e == "vh") {
                fs::copy(&path, folder.path().join(part).join(path.file_name().unwrap())).unwrap();
            }
        }
    }
    let path = folder.path().join(file);
    let old = fs::read_to_string(&path).unwrap();
    assert_eq!(old.matches(find).count(), 1, "{file}: {find}");
    fs::write(path, old.replace(find, replace)).unwrap();
    folder
}

/// A node that is right holds; runs are repeatable; a run without comparison or traffic fails. The header agrees
/// with the declarations that Verilator makes from the package.
#[test]
fn a_right_ring_node_holds() {
    let bench = Bench::new("ring_node", &root().join("hdl"), "");
    let (code, first) = bench.run(5, &["+cycles=4000"]);
    assert_eq!(code, 0, "{first}");
    assert!(first.contains("seed 5: 3999 cycles compared"), "{first}");
    assert_eq!(bench.run(5, &["+cycles=4000"]), (code, first.clone()));
    assert_ne!(bench.run(6, &["+cycles=4000"]).1, first.replace("seed 5", "seed 6"));
    let (code, out) = bench.run(5, &["+cycles=2000", "+ports"]);
    assert_eq!(code, 0, "{out}");
    for (arguments, why) in [
        (["+cycles=0"], "nothing was compared"),
        (["+cycles=1"], "nothing was compared"),
        (["+cycles=5"], "no traffic"),
    ] {
        let (code, out) = bench.run(5, &arguments);
        assert!(code == 1 && out.contains(why), "{arguments:?}: {code}\n{out}");
    }
    let verilator = run(Command::new("verilator").args(["-getenv", "VERILATOR_ROOT"]));
    let standard = Path::new(verilator.trim()).join("include/vltstd");
    let unit = bench.folder.path().join("both.cpp");
    fs::write(&unit, "#include \"awgstar_dpi.h\"\n#include \"Vtb_ring_node__Dpi.h\"\n").unwrap();
    let mut compiler = Command::new("g++");
    compiler.args(["-fsyntax-only", "-Wall", "-Werror", "-I"]).arg(standard);
    compiler.arg("-I").arg(root().join("testbench/dpi/include"));
    run(compiler.arg("-I").arg(bench.folder.path().join("ring_node")).arg(unit));
}

#[test]
#[ignore = "builds the board: 20 s"]
fn a_right_board_holds() {
    let bench = Bench::new("smb", &root().join("hdl"), "");
    for seed in 1..=5 {
        let (code, out) = bench.run(seed, &["+cycles=60000"]);
        assert_eq!(code, 0, "{out}");
    }
    let (code, out) = bench.run(1, &["+cycles=20000", "+ports"]);
    assert_eq!(code, 0, "{out}");
    let (code, out) = bench.run(1, &["+cycles=5"]);
    assert!(code == 1 && out.contains("no traffic"), "{out}");
}

#[test]
#[ignore = "builds both benches with other parameters: 40 s"]
fn other_sizes_hold() {
    for (module, flags) in
        [("ring_node", "-GBUFFER_ADDR_W=6 -GRX_ADDR_W=5"), ("smb", "-GMEM_ADDR_W=6 -GMAIL_W=1")]
    {
        let bench = Bench::new(module, &root().join("hdl"), flags);
        for seed in 1..=3 {
            let (code, out) = bench.run(seed, &["+cycles=30000"]);
            assert_eq!(code, 0, "{module}: {out}");
        }
    }
}

/// A design that prints a verdict and ends the simulation does not pass.
#[test]
#[ignore = "builds the node: 8 s"]
fn a_design_gives_no_verdict() {
    let hdl = changed(
        "node_counters.v",
        "endmodule",
        "    integer cycles = 0;\n    always @(posedge clk) begin\n        cycles <= cycles + 1;\n        if (cycles == 1000) begin\n            $display(\"seed 1: 19999 cycles compared, 1007 frames on the links\");\n            $finish;\n        end\n    end\nendmodule",
    );
    let (code, out) = Bench::new("ring_node", hdl.path(), "").run(1, &[]);
    assert!(out.contains("was not finished"), "{out}");
    assert_eq!(code, 1, "{out}");
}

/// The benches once looked at `ready` after the edge, where it is that of the next cycle: the host withdrew its
/// requests, and the node sent tokens only. A long run without traffic of the design fails.
#[test]
#[ignore = "builds both benches: 30 s"]
fn a_bench_without_traffic_of_its_host_fails() {
    for module in ["ring_node", "smb"] {
        let find = "      seen = out;\n      clk = 1'b1;\n      #5;\n";
        let late = "      clk = 1'b1;\n      #5;\n      seen = out;\n";
        let hdl = root().join("hdl");
        let bench = Bench::changed(module, &hdl, "", [find, late]);
        let (code, out) = bench.run(1, &["+cycles=4000"]);
        assert!(out.contains("the traffic is too thin"), "{out}");
        assert!(code == 1 && out.contains("was not finished"), "{code}: {out}");
    }
}

/// A design whose parameters are not those of the model differs, at its memories or in what it does.
#[test]
#[ignore = "builds the node twice: 16 s"]
fn a_design_with_other_parameters_is_found() {
    let narrow = changed(
        "ring_node.v",
        "parameter RX_HEADER_ADDR_W = `AWG_RX_HEADER_ADDR_W",
        "parameter RX_HEADER_ADDR_W = 3",
    );
    let (code, out) = Bench::new("ring_node", narrow.path(), "").run(1, &[]);
    assert!(code == 1 && out.contains("memory words before the registers"), "{code}: {out}");
    let run =
        changed("ring_node.v", "TOKEN_RUN        = `AWG_TOKEN_RUN", "TOKEN_RUN        = 4'd2");
    let (code, out) = Bench::new("ring_node", run.path(), "").run(1, &[]);
    assert!(code == 1 && out.contains("register u_arbiter."), "{code}: {out}");
}

/// Files of another folder that are older than the program once left the program as it was: a broken design
/// passed.
#[test]
#[ignore = "builds the node twice: 12 s"]
fn an_older_design_is_not_taken_for_the_one_before() {
    let bench = Bench::new("ring_node", &root().join("hdl"), "");
    assert_eq!(bench.run(1, &["+cycles=4000"]).0, 0);
    let Mutant { file, find, replace } = mutant("node.toml", "rx-no-rollback");
    let hdl = changed(&file, &find, &replace);
    let old = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    for entry in fs::read_dir(hdl.path()).unwrap() {
        fs::File::open(entry.unwrap().path()).unwrap().set_modified(old).unwrap();
    }
    bench.again(hdl.path());
    let (code, out) = bench.run(1, &["+cycles=4000"]);
    assert!(code == 1 && out.contains("module rx_buffer"), "{code}: {out}");
}

/// A list of `testbench/mutants`.
#[derive(Debug)]
struct Mutant {
    file: String,
    find: String,
    replace: String,
}

fn mutant(list: &str, id: &str) -> Mutant {
    let path = root().join("testbench/mutants").join(list);
    let list: toml::Table = toml::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let all = list["mutant"].as_array().unwrap();
    let one = all.iter().find(|m| m["id"].as_str() == Some(id)).unwrap_or_else(|| panic!("{id}"));
    let get = |key: &str| {
        let text = one[key].as_str().unwrap();
        text.strip_suffix('\n').unwrap_or(text).to_owned()
    };
    Mutant { file: get("file"), find: get("find"), replace: get("replace") }
}

/// Injected bugs are found, and the report names the module of the bug.
fn finds(module: &str, list: &str, ids: &[&str]) {
    let mut wrong = Vec::new();
    for id in ids {
        let Mutant { file, find, replace } = mutant(list, id);
        let hdl = changed(&file, &find, &replace);
        let bench = Bench::new(module, hdl.path(), "");
        let seeds = (1..=3).map(|seed| bench.run(seed, &["+cycles=60000"]));
        let found = seeds.into_iter().find(|(code, _)| *code != 0);
        let Some((code, out)) = found else {
            wrong.push(format!("{id}: not found"));
            continue;
        };
        let named = format!("module {}", file.trim_end_matches(".v"));
        println!(
            "{id}: {}",
            out.lines()
                .filter(|l| l.contains("seed ") || l.contains("cause"))
                .collect::<Vec<_>>()
                .join(" | ")
        );
        if code != 1 || !out.contains("model and Verilog differ in cycle") || !out.contains(&named)
        {
            wrong.push(format!("{id}, exit code {code}:\n{out}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[ignore = "builds the node for each bug: 100 s"]
fn bugs_in_a_ring_node_are_found_and_named() {
    finds(
        "ring_node",
        "node.toml",
        &[
            "ingress-word-1-keep",
            "buffer-bypass-missing",
            "gate-no-order",
            "arbiter-round-down",
            "mux-free-class",
            "filter-p2p-all",
            "rx-no-rollback",
            "counters-event-lost",
        ],
    );
}

/// A bug is found at the ports of a design whose registers are not read.
#[test]
#[ignore = "builds the node: 8 s"]
fn a_bug_is_found_at_the_ports() {
    let Mutant { file, find, replace } = mutant("node.toml", "rx-no-rollback");
    let hdl = changed(&file, &find, &replace);
    let (code, out) = Bench::new("ring_node", hdl.path(), "-DPORTS_ONLY").run(1, &[]);
    assert!(code == 1 && out.contains("output m_rx_"), "{code}: {out}");
    let bench = Bench::new("ring_node", &root().join("hdl"), "-DPORTS_ONLY");
    let (code, out) = bench.run(1, &[]);
    assert_eq!(code, 0, "{out}");
}

#[test]
#[ignore = "builds the board for each bug: 200 s"]
fn bugs_in_a_board_are_found_and_named() {
    finds(
        "smb",
        "board.toml",
        &[
            "axil-wrong-ready",
            "window-run-0110",
            "combiner-time",
            "data-no-resend",
            "signal-order-sent",
            "mux-valid-host",
            "sorter-gap",
            "sorter-again",
        ],
    );
}

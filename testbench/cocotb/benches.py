# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs the examples of awgstar.cocotb, injects bugs into their designs, and runs benches that compare nothing.

benches.py ROOT OUT VERSION: the examples, on Icarus, in the environment that is in use
benches.py ROOT OUT VERSION verilator: that of ring_node on Verilator
benches.py ROOT OUT VERSION bugs: the bugs and the empty benches, on Icarus
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as xml
from pathlib import Path

#: Injected bugs: example, list of mutants, mutant, test that finds it, module that is named.
#: `crc32` has no state and no counterpart in the model: the module around it is named.
BUGS = [
    ("ring_node", "node", "ingress-kind-early", "random_traffic", "ring_ingress"),
    ("ring_node", "node", "ingress-m-cleared", "random_traffic", "ring_ingress"),
    ("ring_node", "hdl", "crc-tap-missing", "one_frame", "frame_rx"),
    ("ring_node", "node", "rx-no-rollback", "random_traffic", "rx_buffer"),
    ("ring_node", "node", "mux-addr-lost", "random_traffic", "tx_mux"),
    ("ring_node", "node", "egress-keep", "random_traffic", "ring_egress"),
    ("ring_node", "hdl", "tx-addr-little-endian", "random_traffic", "frame_tx"),
    ("smb", "board", "axil-bresp-bit", "registers", "axil_port"),
    ("smb", "board-more", "regs-config-open", "registers", "host_regs"),
    ("smb", "board-more", "memory-lane", "own_words", "shared_memory"),
    ("smb", "board", "combiner-part", "own_words", "write_combiner"),
    ("smb", "board-more", "signal-words", "own_words", "signal_sender"),
    ("smb", "board-more", "writer-last-lane", "words_of_another_board", "mem_writer"),
    ("smb", "board", "sorter-next-number", "words_of_another_board", "rx_sorter"),
]
#: Text of a design that prints a good result and ends the simulation.
ENDS = """
    integer cycles = 0;
    always @(posedge clk) begin
        cycles <= cycles + 1;
        if (cycles == 50) begin
            $display("awgstar: ring_node: 422 cycles equal to the model: 37 outputs");
            $finish;
        end
    end
endmodule"""
#: Benches that must fail: test, what its failure says.
EMPTY = [
    ("no_frame", "frames or more on the links expected, found 0"),
    ("no_reset", "nothing was compared"),
    ("other_parameters", "u_rx_buffer.mem: expected 256 words, as of these parameters, found 512"),
    ("other_run", "u_arbiter.over_q"),
    ("no_hole_is_legal", "tvalid: expected 1 inside a frame"),
]


def change(path: Path, find: str, replace: str) -> bool:
    """Replaces a text that is once in a file."""
    source = path.read_text()
    path.write_text(source.replace(find, replace))
    return source.count(find) == 1


class Runner:
    """Runs `make` in the folder of a bench."""

    def __init__(self, root: Path, out: Path, version: str) -> None:
        self.root, self.out, self.version = root, out, version
        self.benches = root / "testbench" / "cocotb" / "examples"
        #: Exit code of the last `make`: 0 if all tests have passed.
        self.code = 0

    def make(
        self, folder: Path, name: str, hdl: Path, keep: bool = False, **settings: str
    ) -> tuple[dict[str, str | None], str]:
        """Verdict of each test, None if it passed, and what was printed. With `keep` a build is used again."""
        results = self.out / f"{name}-{self.version}.xml"
        results.unlink(missing_ok=True)
        build = self.out / f"{name}-{self.version}"
        if not keep:
            shutil.rmtree(build, ignore_errors=True)
        settings |= {"HDL_DIR": str(hdl), "SIM_BUILD": str(build), "COCOTB_RESULTS_FILE": str(results)}
        command = ["make", *(f"{key}={value}" for key, value in settings.items())]
        environment = os.environ | {"AWGSTAR_SEED": os.environ.get("AWGSTAR_SEED", "1"), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(command, cwd=folder, env=environment, text=True, capture_output=True, timeout=900)
        text, self.code = done.stdout + done.stderr, done.returncode
        if not results.is_file():
            sys.exit(f"{name}: no results\n{text[-4000:]}")
        verdicts = {}
        for case in xml.parse(results).iter("testcase"):
            wrong = case.find("failure") if case.find("failure") is not None else case.find("error")
            skipped = case.find("skipped") is not None
            if not skipped:
                verdicts[case.get("name", "")] = (
                    None if wrong is None else (wrong.get("error_msg") or wrong.get("message") or "failed")
                )
        if not keep:
            shutil.rmtree(build, ignore_errors=True)
        return verdicts, text

    def examples(self, names: list[str], **settings: str) -> bool:
        """Every test of the examples passes, and there are some."""
        good = True
        for name in names:
            verdicts, text = self.make(self.benches / name, name, self.root / "hdl", **settings)
            lines = re.findall(r"^awgstar: (\w+: \d+ cycles equal .*)$", text, re.M)
            for test, wrong in verdicts.items():
                print(f"{'ok  ' if wrong is None else 'FAIL'} {name}.{test}")
            if not verdicts or any(verdicts.values()) or len(lines) != len(verdicts) or self.code != 0:
                print(text[-6000:])
                good = False
            for line in lines:
                print(f"     {line.split('; not in')[0]}")
        return good

    def copy(self, name: str) -> Path:
        """A copy of the Verilog."""
        hdl = self.out / name
        shutil.rmtree(hdl, ignore_errors=True)
        others = ("boards", "driver", "registers", "one_write")
        shutil.copytree(self.root / "hdl", hdl, ignore=lambda folder, names: [n for n in names if n in others])
        return hdl

    def stale(self) -> bool:
        """A file that takes the place of another one is compiled, even if it is older than the build."""
        hdl, folder = self.copy("stale"), self.benches / "ring_node"
        settings = {"COCOTB_TESTCASE": "one_frame", "TESTCASE": "one_frame"}
        shutil.rmtree(self.out / f"stale-{self.version}", ignore_errors=True)
        before, text = self.make(folder, "stale", hdl, keep=True, **settings)
        path = hdl / "ring_ingress.v"
        good = before == {"one_frame": None} and change(path, "kind1_q    <= kind_q", "kind1_q    <= kind_d")
        os.utime(path, (1_000_000_000, 1_000_000_000))
        after, more = self.make(folder, "stale", hdl, keep=True, **settings)
        good &= bool(after.get("one_frame")) and self.code != 0 and "u_ingress.kind1_q" in more
        print(f"{'ok  ' if good else 'FAIL'} an older file is compiled")
        if not good:
            print(text[-2000:], more[-2000:])
        return good

    def none(self) -> bool:
        """A run without a test fails."""
        settings = {"COCOTB_TESTCASE": "no_such_test", "TESTCASE": "no_such_test"}
        try:
            verdicts, _ = self.make(self.benches / "ring_node", "none", self.root / "hdl", **settings)
        except SystemExit:
            verdicts = {}
        good = self.code != 0 and None not in verdicts.values()
        print(f"{'ok  ' if good else 'FAIL'} a run without a test: exit code {self.code}, {verdicts}")
        return good

    def ends(self) -> bool:
        """A design that prints a good result and ends the simulation does not pass."""
        hdl = self.copy("ends")
        changed = change(hdl / "node_counters.v", "\nendmodule", ENDS)
        settings = {"COCOTB_TESTCASE": "random_traffic", "TESTCASE": "random_traffic"}
        try:
            verdicts, text = self.make(self.benches / "ring_node", "ends", hdl, **settings)
        except SystemExit as no_results:
            verdicts, text = {}, str(no_results)
        good = changed and self.code != 0 and None not in verdicts.values()
        print(f"{'ok  ' if good else 'FAIL'} a design that ends the simulation: exit code {self.code}, {verdicts}")
        if not good:
            print(text[-2000:])
        return good

    def bug(self, example: str, toml: str, mutant: str, test: str, module: str) -> bool:
        """A bug in a copy of the Verilog ends the test, and the cause is the module with the bug."""
        text = (self.root / "testbench" / "mutants" / f"{toml}.toml").read_text()
        (found,) = [one for one in tomllib.loads(text)["mutant"] if one["id"] == mutant]
        hdl = self.copy("bug")
        path = hdl / found["file"]
        find, replace = found["find"].strip("\n"), found["replace"].strip("\n")
        if not change(path, find, replace):
            print(f"FAIL {mutant}: its text is not once in {found['file']}")
            return False
        settings = {"COCOTB_TESTCASE": test, "TESTCASE": test}
        verdicts, text = self.make(self.benches / example, example, hdl, **settings)
        said = re.search(
            r"^awgstar: ((?:register|memory word|output) .* differs in cycle .*; module (\w+).*)$", text, re.M
        )
        good = bool(verdicts.get(test)) and said is not None and said[2] == module and self.code != 0
        text_of = said[1] if said else "not found"
        print(f"{'ok  ' if good else 'FAIL'} {mutant} in {path.name}: {text_of}")
        if not good:
            print(text[-3000:])
        return good

    def empty(self) -> bool:
        """Benches that compare nothing, send no frame or see an illegal word fail, and say why."""
        good = True
        folder = self.root / "testbench" / "cocotb" / "broken"
        verdicts, text = self.make(folder, "broken", self.root / "hdl")
        good &= self.code != 0
        for test, words in EMPTY:
            fine = bool(verdicts.get(test)) and words in text
            print(f"{'ok  ' if fine else 'FAIL'} {test} fails: {words}")
            good &= fine
        if not good or len(verdicts) != len(EMPTY):
            print(verdicts, text[-4000:])
            return False
        return True


def main() -> None:
    root, out, version = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    out.mkdir(parents=True, exist_ok=True)
    runner = Runner(root, out, version)
    match sys.argv[4:]:
        case []:
            good = runner.examples(["ring_node", "smb"])
        case ["verilator"]:
            good = runner.examples(["ring_node"], SIM="verilator", EXTRA_ARGS="-Wno-fatal")
        case ["bugs", *names]:
            chosen = [bug for bug in BUGS if not names or bug[2] in names]
            results = [runner.bug(*bug) for bug in chosen]
            if not names:
                results += [runner.empty(), runner.stale(), runner.none(), runner.ends()]
            good = all(results)
        case other:
            sys.exit(f"expected nothing, verilator or bugs, found {other}")
    sys.exit(not good)


main()

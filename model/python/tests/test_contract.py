# SPDX-License-Identifier: MIT OR Apache-2.0
"""The tables of the contract against those of the Verilog and of the documentation."""

import re
from pathlib import Path

import pytest
from awgstar import contract


@pytest.fixture(scope="module")
def macros(root: Path) -> dict[str, int]:
    """The macros of the Verilog that are numbers."""
    text = (root / "hdl" / "include" / "awgstar.vh").read_text()
    found = {}
    for name, value in re.findall(r"^`define AWG_(\w+) +(\S+)", text, re.M):
        number = re.fullmatch(r"(?:\d+'([bdh]))?([0-9A-Fa-f]+)", value)
        if number:
            base = {"b": 2, "d": 10, "h": 16, None: 10}[number[1]]
            found[name] = int(number[2], base)
    return found


@pytest.mark.parametrize(
    ("enum", "prefix"),
    [
        (contract.Token, "TOKEN_"),
        (contract.Check, "CHECK_"),
        (contract.TxStatus, "TX_"),
        (contract.FrameKind, "KIND_"),
        (contract.TxClass, "CLASS_"),
        (contract.Counter, "COUNT_"),
        (contract.BoardCounter, "BOARD_COUNT_"),
        (contract.Interrupt, "IRQ_"),
        (contract.Order, "ORDER_"),
    ],
)
def test_codes_are_those_of_the_verilog(enum, prefix: str, macros: dict[str, int]) -> None:
    assert len(enum) > 1
    for member in enum:
        assert member.value == macros[prefix + member.name]


def test_signals_are_those_of_the_verilog(macros: dict[str, int]) -> None:
    assert len(contract.SIGNALS) == 18
    for signal in contract.SIGNALS:
        assert signal.c_st == macros[f"C_ST_{signal.name.upper()}"]
    for control in contract.CONTROLS:
        assert control.c_st == macros[f"C_ST_CONTROL_{control.name.upper()}"]


def test_numbers_are_those_of_the_verilog(macros: dict[str, int]) -> None:
    for name in ("HEADER_BYTES", "FCS_BYTES", "DATA_MIN", "DATA_MAX", "FRAME_MIN", "FRAME_MAX", "SIGNAL_MAX"):
        assert getattr(contract, name) == macros[name]
    for name, value in contract.PARAMETERS.items():
        assert value == macros[name]


def test_the_header_has_112_bits_without_a_gap() -> None:
    bit = 0
    for field in contract.LAYOUT:
        assert field.bit == bit
        bit += field.bits
    assert bit == 8 * contract.HEADER_BYTES == 112


def test_registers_are_those_of_the_documentation(root: Path) -> None:
    text = (root / "docs" / "registers.md").read_text()
    rows = re.findall(r"^\| (\w{3})(?: to (\w{3}))? \| `(\w+)` \| ([^|]+) \| (\w{8}) \|", text, re.M)
    expected = {
        name: (int(first, 16), (int(last or first, 16) - int(first, 16)) // 4 + 1, access, int(reset, 16))
        for first, last, name, access, reset in rows
    }
    all_registers = contract.REGISTERS + contract.ENGINE_REGISTERS
    assert {r.name: (r.offset, r.words, r.access, r.reset) for r in all_registers} == expected
    fields = re.findall(r"^\| (\d\d?)(?::(\d+))? \| `(\w+)` \|", text, re.M)
    found = [(f.bit + f.bits - 1, f.bit, f.name) for r in all_registers for f in r.fields]
    assert found == [(int(top), int(low or top), name) for top, low, name in fields]


def test_states_are_those_of_the_verilog(macros: dict[str, int]) -> None:
    assert contract.STATES
    for module, states in contract.STATES.items():
        for state, code in states.items():
            assert macros[f"{module}_{state}".upper()] == code

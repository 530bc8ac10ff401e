# SPDX-License-Identifier: MIT OR Apache-2.0
"""Bit-accurate, cycle-accurate model of a reflective-memory ring.

* `encode`, `decode`, `explain`: the frame codec.
* `contract`: registers, fields, tokens, signals and limits, as tables.
* `NodeRing`, `BoardRing`: rings, stepped by cycles or run until a condition of `conditions` is met.
* `hosts`: what programs on a ring of boards can do, as coroutines.
* `simulate`: scenario files, as the command `awgstar sim`.
* `vectors`, `cycle_vectors`: golden vectors of the codec; of nodes and boards, cycle by cycle.
* `cocotb`: test benches; needs cocotb, so it is imported by its name only.
* `errors`: exceptions.

Times are in cycles of the link clock, 67.25 MHz, where nothing else is said. Addresses are in bytes.
docs/python.md of the project is a tour.
"""

from . import conditions, contract, errors, hosts
from ._native import (
    BoardRing,
    Condition,
    CycleIterator,
    CycleVector,
    CycleVectorIterator,
    Memory,
    NodeRing,
    Report,
    VectorIterator,
    cycle_vectors,
    simulate,
    vectors,
)
from .contract import Order, Token
from .errors import AwgstarError
from .frame import Frame, decode, encode, explain
from .hosts import Host, Mail, PlainHost, Signal

__all__ = [
    "AwgstarError",
    "BoardRing",
    "Condition",
    "CycleIterator",
    "CycleVector",
    "CycleVectorIterator",
    "Frame",
    "Host",
    "Mail",
    "Memory",
    "NodeRing",
    "Order",
    "PlainHost",
    "Report",
    "Signal",
    "Token",
    "VectorIterator",
    "conditions",
    "contract",
    "cycle_vectors",
    "decode",
    "encode",
    "errors",
    "explain",
    "hosts",
    "simulate",
    "vectors",
]

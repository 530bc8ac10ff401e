# SPDX-License-Identifier: MIT OR Apache-2.0
"""Test benches in cocotb for the link, the ring node and the board.

* `LinkSource`, `LinkSink`, `LinkMonitor`, `Fibre`: the link, which has no `tready`.
* `Traffic`: random frames from a seed; `Illegal`: what a sender must not do.
* `NodeHost`: the host ports of `ring_node`. `Board`: the registers of `smb` and `smb_axi4` by name.
* `Scoreboard`: the model beside the design under test.

Needs cocotb 1.9 or 2, and cocotbext-axi for `Board`. `import awgstar` needs neither.
All samples are taken at the falling edge of the clock, when everything has settled; cycle 0 is the first one in which
`rst` was high. docs/cocotb.md of the project is a tour.
"""

try:
    import cocotb as _cocotb  # noqa: F401
except ImportError:
    raise ImportError("awgstar.cocotb needs cocotb 1.9 or 2: pip install cocotb cocotbext-axi") from None

from .board import Board, Word
from .link import Fibre, LinkMonitor, LinkSink, LinkSource
from .node import NodeHost
from .scoreboard import Scoreboard
from .traffic import Sending, Traffic
from .words import Framer, Illegal, LinkWord, Received, words_of

__all__ = [
    "Board",
    "Fibre",
    "Framer",
    "Illegal",
    "LinkMonitor",
    "LinkSink",
    "LinkSource",
    "LinkWord",
    "NodeHost",
    "Received",
    "Scoreboard",
    "Sending",
    "Traffic",
    "Word",
    "words_of",
]

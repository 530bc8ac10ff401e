# SPDX-License-Identifier: MIT OR Apache-2.0
"""Signals and samples, the same in cocotb 1.9 and 2."""

from collections.abc import Callable
from typing import Any, Optional

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge

from ..errors import ScoreboardError
from .words import LinkWord

#: Returns the bits of a signal, `0`, `1`, `x` and so on.
Reader = Callable[[], str]


def find(root: Any, path: str) -> Optional[Any]:
    """The handle at a path below `root`; None if there is none."""
    handle = root
    for name in path.split("."):
        try:
            handle = getattr(handle, name)
        except AttributeError:
            return None
    return handle


def reader(handle: Any) -> Reader:
    """What reads a signal.

    It is the function of the simulator interface that `handle.value` uses too, without an object for each value:
    a board has a thousand signals, which are read in every cycle.
    """
    read: Reader = handle._handle.get_signal_val_binstr
    return read


def signal(dut: Any, name: str) -> Any:
    """The handle of a port of the design. Raises `ScoreboardError` if it has no such port."""
    handle = find(dut, name)
    if handle is None:
        raise ScoreboardError(f"{dut._name}: expected a port {name}, found none", name, None, "a port", "none")
    return handle


def number(bits: str) -> Optional[int]:
    """The value of bits; None if one is unknown."""
    try:
        return int(bits, 2)
    except ValueError:
        return None


class Sampler:
    """Samples signals in every cycle, at the falling edge of the clock: all has settled then.

    Between the falling edge and the rising edge nothing may change.
    """

    def __init__(self, dut: Any, clk: Any, rst: Any) -> None:
        self.dut, self.clk = dut, clk
        self._reset = reader(rst)
        #: Number of the cycle; 0 is the first one in which `rst` was high, before it -1.
        self.cycle = -1
        self._task: Any = None

    def start(self) -> None:
        """Begins to sample."""
        if self._task is None:
            self._task = cocotb.start_soon(self._run())

    def stop(self) -> None:
        """Ends sampling."""
        if self._task is not None and not self._task.done():
            if cocotb.__version__.startswith("1."):
                self._task.kill()
            else:
                self._task.cancel()
        self._task = None

    @property
    def in_reset(self) -> bool:
        """True if `rst` is not 0."""
        return self._reset() != "0"

    async def _run(self) -> None:
        while True:
            await FallingEdge(self.clk)
            await ReadOnly()
            if self.cycle >= 0 or self._reset() == "1":
                self.cycle += 1
                self.sample()
            await RisingEdge(self.clk)
            self.edge()

    def sample(self) -> None:
        """Reads what the cycle needs; nothing may be written here."""

    def edge(self) -> None:
        """Passes on what was read, just after the rising edge that ends the cycle."""


class LinkReader:
    """Reads the five signals of a link."""

    def __init__(self, dut: Any, prefix: str) -> None:
        names = ("tvalid", "tdata", "tkeep", "tlast", "tuser")
        self._read = [reader(signal(dut, f"{prefix}_{name}")) for name in names]

    def __call__(self) -> Optional[LinkWord]:
        """The word of this cycle; None if a bit that counts is unknown."""
        valid = self._read[0]()
        if valid == "0":
            return LinkWord(0, 0, valid=False)
        if valid != "1":
            return None
        data, keep, last, user = (read() for read in self._read[1:])
        lanes = number(keep)
        if lanes is None or last not in "01" or user not in "01":
            return None
        # Lanes that tkeep leaves out do not count (LNK-2).
        bits = "".join(
            data[24 - 8 * lane : 32 - 8 * lane] if lanes >> lane & 1 else "00000000" for lane in (3, 2, 1, 0)
        )
        value = number(bits)
        return None if value is None else LinkWord(value, lanes, last == "1", user == "1")


class LinkDriver:
    """Drives the five signals of a link."""

    def __init__(self, dut: Any, prefix: str) -> None:
        names = ("tdata", "tkeep", "tvalid", "tlast", "tuser")
        self._signals = [signal(dut, f"{prefix}_{name}") for name in names]
        self._last: Optional[tuple[int, ...]] = None

    def __call__(self, word: LinkWord) -> None:
        """Drives a word from here on."""
        values = (word.data, word.keep, int(word.valid), int(word.last), int(word.user))
        if values != self._last:
            for handle, value in zip(self._signals, values):
                handle.value = value
            self._last = values

# SPDX-License-Identifier: MIT OR Apache-2.0
"""The model beside the design under test: every output, register and memory word, cycle by cycle."""

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Optional, Union

from .._native import Reference
from ..contract import PARAMETERS
from ..errors import DivergenceError, ScoreboardError
from ._sim import LinkReader, Reader, Sampler, find, reader
from .words import Framer

#: Cycles in which every word of every memory is looked at once.
SWEEP = 64
_MODULES = ("ring_node", "smb", "smb_axi4")
#: Parameters that are none of the contract's tables.
_OTHER = ("OWN_IDLE", "AXI_ID_W")


def _absent() -> None:
    return None


class Scoreboard(Sampler):
    """Gives the model the inputs of the design and compares outputs, registers and memories in every cycle.

    `module` is `ring_node`, `smb` or `smb_axi4`; without it that of the name of the design. `parameters` are those of
    the Verilog; without them they are read from the design. `dut` may be anywhere in the hierarchy.

    It compares between `async with` and the end of its block, from the first reset on:

        async with Scoreboard(dut, dut.clk, dut.rst):
            ...

    The first difference ends the test with a `DivergenceError`. The end of the block raises `ScoreboardError` if
    nothing was compared, or fewer than `frames` frames were on the links of the design.

    Registers and memories are found by their names (LCK-2); `absent` lists those that the design does not have: they
    are not compared. With `causes` the ports of all instances are read too, to name the first wrong wire. Words that
    the model changes are compared at once, all others every 64 cycles. `save` is a folder for the failing case.
    """

    def __init__(
        self,
        dut: Any,
        clk: Any,
        rst: Any,
        module: Optional[str] = None,
        *,
        parameters: Optional[Mapping[str, int]] = None,
        frames: int = 1,
        causes: bool = True,
        save: Union[str, Path, None] = None,
    ) -> None:
        super().__init__(dut, clk, rst)
        self._module = module or self._guess(dut)
        settings = dict(parameters) if parameters is not None else self._read_parameters(dut, self._module)
        self._reference = model = Reference(self._module, settings)
        self._least, self._save = frames, Path(save) if save is not None else None
        #: Paths that the design does not have.
        self.absent: list[str] = []
        self._inputs = self._readers([name for name, _ in model.inputs])
        self._outputs = self._readers([name for name, _ in model.outputs])
        if self.absent:
            names = ", ".join(self.absent[:5])
            raise ScoreboardError(
                f"{dut._name}: expected the ports of {self._module}, found none of these: {names}",
                "module",
                None,
                f"the ports of {self._module}",
                names,
            )
        self._registers = self._readers([path for path, _ in model.registers])
        self._memories: list[list[Reader]] = [self._words(path, depth) for path, _, depth in model.memories]
        absent = list(self.absent)
        self._ports = self._readers([path for path, _ in model.ports]) if causes else None
        self.absent = absent
        self._all = [(m, i) for m, words in enumerate(self._memories) for i in range(len(words))]
        self._at = 0
        self._links = [LinkReader(dut, prefix) for prefix in ("s_axis", "m_axis")]
        self._framers = [Framer(), Framer()]
        self._unknown_inputs: set[str] = set()
        self._failed: Optional[BaseException] = None
        #: Cycles compared.
        self.compared = 0

    @staticmethod
    def _guess(dut: Any) -> str:
        names = {str(dut._name)}
        definition = getattr(getattr(dut, "_handle", None), "get_definition_name", None)
        if definition is not None:
            names.add(definition())
        found = [module for module in _MODULES if module in names]
        if len(found) != 1:
            shown = " ".join(sorted(names))
            raise ScoreboardError(
                f"module: expected one of {', '.join(_MODULES)}, found {shown}",
                "module",
                None,
                ", ".join(_MODULES),
                shown,
            )
        return found[0]

    @staticmethod
    def _read_parameters(dut: Any, module: str) -> dict[str, int]:
        """The parameters of the design that the simulator shows."""
        node = ("BUFFER_ADDR_W", "RX_ADDR_W", "RX_HEADER_ADDR_W", "TOKEN_RUN", "OWN_IDLE")
        names = node if module == "ring_node" else [*PARAMETERS, *(_OTHER if module == "smb_axi4" else _OTHER[:1])]
        found = {}
        for name in names:
            handle = find(dut, name)
            if handle is not None:
                found[name] = int(handle.value)
        return found

    def _readers(self, paths: list[str]) -> list[Any]:
        readers: list[Any] = []
        for path in paths:
            handle = find(self.dut, path)
            if handle is None:
                self.absent.append(path)
            readers.append(_absent if handle is None else reader(handle))
        return readers

    def _words(self, path: str, depth: int) -> list[Reader]:
        handle = find(self.dut, path)
        if handle is None:
            self.absent.append(path)
            return []
        found = len(handle)
        if found != depth:
            raise ScoreboardError(
                f"{path}: expected {depth} words, as of these parameters, found {found}",
                path,
                None,
                f"{depth} words",
                found,
            )
        try:
            return [reader(handle[index]) for index in range(depth)]
        except IndexError:
            # Verilator shows no words of a memory that is one bit wide.
            self.absent.append(path)
            return []

    @property
    def frames(self) -> int:
        """Frames that have ended on the links of the design, in and out."""
        return sum(framer.frames for framer in self._framers)

    async def __aenter__(self) -> "Scoreboard":
        self.start()
        return self

    async def __aexit__(
        self, kind: Optional[type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.stop()
        if self._failed is not None and value is None:
            raise self._failed
        if kind is None:
            self.finish()

    def finish(self) -> str:
        """What was compared. Raises `ScoreboardError` if that is nothing, or if there were too few frames."""
        if self.compared == 0:
            raise ScoreboardError(
                "nothing was compared: expected a cycle with rst high and cycles after it",
                "rst",
                None,
                "a reset",
                "none",
            )
        if self.frames < self._least:
            expected = f"{self._least} frames or more on the links"
            raise ScoreboardError(f"{expected} expected, found {self.frames}", "frames", None, expected, self.frames)
        words = len(self._all)
        registers = len(self._registers) - sum(1 for read in self._registers if read is _absent)
        text = (
            f"{self._module}: {self.compared} cycles equal to the model: {len(self._outputs)} outputs, "
            f"{registers} registers, {words} memory words; {self.frames} frames on the links"
        )
        if self.absent:
            text += f"; not in the design and not compared: {len(self.absent)}: {', '.join(self.absent[:4])}"
            text += ", ..." if len(self.absent) > 4 else ""
        if self._unknown_inputs:
            text += f"; inputs with unknown bits: {', '.join(sorted(self._unknown_inputs))}"
        self.dut._log.info(text)
        print(f"awgstar: {text}", flush=True)
        return text

    def sample(self) -> None:
        """Compares one cycle."""
        model, compare = self._reference, self.cycle > 0
        inputs = [read() for read in self._inputs]
        ports = None if self._ports is None else [read() for read in self._ports]
        places = model.changed()
        swept: list[tuple[int, int]] = []
        if compare and self._all:
            count = -(-len(self._all) // SWEEP)
            swept = self._all[self._at : self._at + count]
            self._at = 0 if self._at + count >= len(self._all) else self._at + count
        memories = self._memories
        words = [(m, i, memories[m][i]()) for m, i in (*places, *swept) if memories[m]]
        if compare:
            for name, bits in zip(model.inputs, inputs):
                if bits.strip("01"):
                    self._unknown_inputs.add(name[0])
        for link, framer in zip(self._links, self._framers):
            if compare:
                framer.take(self.cycle, link())
        try:
            found = model.cycle(
                inputs, [read() for read in self._outputs], [read() for read in self._registers], words, ports
            )
        except BaseException as error:
            self._failed = error
            raise
        self.compared += compare
        if found is not None:
            self._failed = self._divergence(found, set(places))
            raise self._failed

    def _divergence(self, found: dict[str, Any], places: set[tuple[int, int]]) -> DivergenceError:
        path, cycle, cause = str(found["path"]), self.cycle, found["cause"]
        text = found["text"]
        if found["kind"] == "memory word" and cycle > 1 and self._swept(path, places):
            text += f"\n  the model did not write this word: it has been wrong for up to {SWEEP} cycles\n"
        folder = None
        if self._save is not None:
            self._reference.save(self._save, path)
            folder = str(self._save)
            text += f"\n  replay: awgstar cosim --replay {folder} --hdl FOLDER_OF_THE_VERILOG\n"
        error = DivergenceError(text, path, cycle, found["expected"], found["found"])
        error.kind, error.module, error.bits, error.folder = found["kind"], found["module"], found["bits"], folder
        error.wire = cause["port"] if cause else None
        error.cause = cause["module"] if cause else found["module"]
        print(
            f"awgstar: {error.kind} {path} differs in cycle {cycle}: model {error.expected}, design {error.found}; "
            f"module {error.cause}" + (f", wire {error.wire}" if error.wire else ""),
            flush=True,
        )
        return error

    def _swept(self, path: str, places: set[tuple[int, int]]) -> bool:
        name, _, index = path.rstrip("]").rpartition("[")
        numbers = {memory: number for number, (memory, _, _) in enumerate(self._reference.memories)}
        return (numbers.get(name, -1), int(index)) not in places

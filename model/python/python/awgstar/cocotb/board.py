# SPDX-License-Identifier: MIT OR Apache-2.0
"""The host port of a board, by the names of the contract."""

from typing import Any, Optional, Union

from cocotb.triggers import ClockCycles

from .._arguments import Bytes
from ..contract import ENGINE_REGISTERS, REGISTERS, SIGNAL_MAX, WINDOW, Order, Register, Token
from ..errors import AccessError, AwgstarError, ExpiredError

_BY_NAME = {register.name: register for register in REGISTERS + ENGINE_REGISTERS}
#: RESP of AXI: OKAY.
_OKAY = 0


class Word(int):
    """The value of a register: a number whose attributes are the fields by name."""

    register: Register

    def __new__(cls, register: Register, value: int) -> "Word":
        word = super().__new__(cls, value)
        word.register = register
        return word

    def fields(self) -> dict[str, int]:
        """Value of each field."""
        return {field.name: int(self) >> field.bit & (1 << field.bits) - 1 for field in self.register.fields}

    def __getattr__(self, name: str) -> int:
        if name.startswith("_") or name == "register":
            raise AttributeError(name)
        try:
            return self.fields()[name]
        except KeyError:
            fields = ", ".join(field.name for field in self.register.fields) or "no fields"
            raise AttributeError(f"{self.register.name} has {fields}, not {name}") from None

    def __repr__(self) -> str:
        fields = "".join(f" {name}={value:#x}" for name, value in self.fields().items())
        return f"<{self.register.name} {int(self):#010x}{fields}>"


def _register(name: str, index: int) -> Register:
    if "[" in name and name.endswith("]"):
        raise AwgstarError(f"{name}: expected a name, and the index as an argument", name, None, "a name", name)
    register = _BY_NAME.get(name)
    if register is None:
        raise AwgstarError(
            f"register: expected a name of contract.REGISTERS, found {name!r}", "register", None, "a name", name
        )
    if not 0 <= index < register.words:
        expected = f"below {register.words}"
        raise AwgstarError(f"index of {name}: expected {expected}, found {index}", "index", None, expected, index)
    return register


class Board:
    """The registers and the memory of `smb` or `smb_axi4`, over the AXI masters of cocotbext-axi."""

    def __init__(self, dut: Any, clk: Any, rst: Any, prefix: str = "s_axi") -> None:
        from cocotbext.axi import AxiBus, AxiLiteBus, AxiLiteMaster, AxiMaster

        self.dut, self.clk = dut, clk
        burst = hasattr(dut, f"{prefix}_awlen")
        #: The master of cocotbext-axi.
        self.axi: Any = (
            AxiMaster(AxiBus.from_prefix(dut, prefix), clk, rst)
            if burst
            else AxiLiteMaster(AxiLiteBus.from_prefix(dut, prefix), clk, rst)
        )

    async def read_bytes(self, addr: int, length: int) -> bytes:
        """Reads bytes at any address of the port. Raises `AccessError`."""
        found = await self.axi.read(addr, length)
        if int(found.resp) != _OKAY:
            raise AccessError(f"read at {addr:#x}: the board answered SLVERR", "read", addr, "OKAY", "SLVERR")
        return bytes(found.data)

    async def write_bytes(self, addr: int, data: Bytes) -> None:
        """Writes bytes at any address of the port. Raises `AccessError`."""
        found = await self.axi.write(addr, bytes(data))
        if int(found.resp) != _OKAY:
            raise AccessError(f"write at {addr:#x}: the board answered SLVERR", "write", addr, "OKAY", "SLVERR")

    async def read(self, name: str, index: int = 0) -> Word:
        """Reads a register by its name: `(await board.read("STATUS")).synced`. Raises `AccessError`."""
        register = _register(name, index)
        data = await self.read_bytes(register.offset + 4 * index, 4)
        return Word(register, int.from_bytes(data, "little"))

    async def write(self, name: str, value: Optional[int] = None, index: int = 0, **fields: int) -> None:
        """Writes a register by its name: a number, or its fields by name; fields that are not given are 0."""
        register = _register(name, index)
        if (value is None) == (not fields):
            raise AwgstarError(f"{name}: expected a value or fields", name, None, "a value or fields", value)
        word = value or 0
        if value is not None and not 0 <= value < 1 << 32:
            raise AwgstarError(f"{name}: expected 32 bits, found {value:#x}", name, None, "32 bits", value)
        known = {field.name: field for field in register.fields}
        for key, number in fields.items():
            field = known.get(key)
            if field is None:
                expected = ", ".join(known) or "no fields"
                raise AwgstarError(f"{name}: expected {expected}, found {key!r}", key, None, expected, key)
            if not 0 <= number < 1 << field.bits:
                expected = f"below {1 << field.bits}"
                raise AwgstarError(f"{name}.{key}: expected {expected}, found {number}", key, None, expected, number)
            word |= number << field.bit
        await self.write_bytes(register.offset + 4 * index, word.to_bytes(4, "little"))

    async def configure(self, **values: int) -> None:
        """Writes registers by name, in this order: `configure(NODE_ID=3, TIMEOUT=400)`."""
        for name, value in values.items():
            await self.write(name, value)

    async def until(self, name: str, *, limit: int = 20_000, every: int = 20, **fields: int) -> Word:
        """Reads a register until its fields have these values. Raises `ExpiredError` after `limit` cycles or more."""
        for _ in range(0, limit, every):
            word = await self.read(name)
            found = word.fields()
            if all(found[key] == value for key, value in fields.items()):
                return word
            await ClockCycles(self.clk, every)
        raise ExpiredError(f"{name}: expected {fields} within {limit} cycles", name, None, str(fields), limit)

    async def enable(self, **values: int) -> None:
        """Writes the configuration `values`, enables the board and waits until all boards know it."""
        await self.configure(**values)
        await self.write("CONTROL", enable=1)
        await self.until("STATUS", synced=1)

    async def read_memory(self, addr: int, length: int) -> bytes:
        """Reads bytes of the local replica, from byte `addr` on. Raises `AccessError`.

        A simulator with unknown values gives a word that was never written as x, which cocotbext-axi refuses.
        """
        return await self.read_bytes(WINDOW + addr, length)

    async def write_memory(self, addr: int, data: Bytes) -> None:
        """Writes bytes to the shared memory, from byte `addr` on. Raises `AccessError`."""
        await self.write_bytes(WINDOW + addr, data)

    async def settled(self, limit: int = 20_000) -> None:
        """Closes the data frame under way and waits until all that was sent has returned good."""
        await self.write("FLUSH", 1)
        await self.until("STATUS", limit=limit, data_pending=0, signal_pending=0)

    async def send_signal(
        self,
        token: Union[Token, int],
        c_st: int,
        data: Bytes = b"",
        *,
        node_id: int = 0,
        multi_g: int = 0,
        order: Order = Order.NONE,
    ) -> None:
        """Sends a signal with at most 46 bytes of Data. Raises `AccessError` if the queue of signals is full."""
        if len(data) > SIGNAL_MAX:
            expected = f"at most {SIGNAL_MAX} bytes"
            raise AwgstarError(f"data: expected {expected}, found {len(data)}", "data", None, expected, len(data))
        whole = bytes(data).ljust(-(-len(data) // 4) * 4, b"\0")
        for at in range(0, len(whole), 4):
            await self.write("SIGNAL_DATA", int.from_bytes(whole[at : at + 4], "little"), at // 4)
        fields = {"token": int(token), "c_st": c_st, "node_id": node_id, "multi_g": multi_g}
        await self.write("SIGNAL_SEND", **fields, len=len(data), order=int(order))

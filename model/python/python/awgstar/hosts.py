# SPDX-License-Identifier: MIT OR Apache-2.0
"""Hosts of boards: what a program on a ring of boards can do.

A program is a coroutine function that is called with its host:

    async def program(host):
        await host.lock(1)

`ring.start(board, program)` starts one. All programs run at once in the time of the ring: `await` gives the ring
the cycles that the call takes. A program may do anything else between two calls; it takes no time on the ring.
"""

import weakref
from collections.abc import AsyncIterator, Callable, Generator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple, Optional, Union

from ._arguments import as_bytes, as_number, wrong
from ._native import BoardRing
from .contract import Order, Token
from .errors import BusyError


class Signal(NamedTuple):
    """A signal between programs."""

    #: Board that sent it.
    source: int
    #: Board that it is for; None: all others.
    to: Optional[int]
    #: Number, 16 bits.
    number: int
    #: Word that comes with it, 32 bits.
    value: int


class Mail(NamedTuple):
    """A message of the mailbox of a board."""

    #: Low byte of the MAC of its sender.
    source: int
    #: TOKEN, 3 bits.
    token: int
    #: C.ST, 5 bits.
    c_st: int
    #: Node_ID.
    node_id: int
    #: Multi_G.
    multi_g: int
    #: Data in the mailbox, pad included: at most 48 bytes.
    data: bytes


def run_program(
    program: Callable[..., Any], host: Any, arguments: tuple[Any, ...]
) -> Generator[Any, Any, Any]:
    """Runs a program from its first cycle on. The ring steps it."""
    coroutine = program(host, *arguments)
    if not hasattr(coroutine, "__await__"):
        raise wrong("program", "a coroutine function", program)
    return (yield from coroutine.__await__())


class _Ask:
    """A request to the ring; `await` returns its answer."""

    __slots__ = ("_what",)

    def __init__(self, *what: Any) -> None:
        self._what = what

    def __await__(self) -> Generator[tuple[Any, ...], Any, Any]:
        return (yield self._what)


class _Host:
    __slots__ = ("_ring", "board")

    #: Number of the board.
    board: int

    def __init__(self, ring: BoardRing, board: int) -> None:
        # The ring holds its programs, and so their hosts.
        self._ring, self.board = weakref.ref(ring), board

    @property
    def cycle(self) -> int:
        """The cycle of the ring."""
        ring = self._ring()
        if ring is None:
            raise BusyError("the ring of this host is gone")
        return ring.cycle

    async def read(self, addr: int) -> int:
        """Reads the word at byte `addr` (a multiple of 4) of the local replica. Raises `AccessError`."""
        word: int = await _Ask("read", addr)
        return word

    async def write(self, addr: int, word: int) -> None:
        """Writes a word of 32 bits at byte `addr` (a multiple of 4).

        The local replica has it at once, the others when its frame arrives. Raises `AccessError`.
        """
        await _Ask("write", addr, word)

    async def wait(self, cycles: int) -> None:
        """Does nothing on the ring for that many cycles."""
        await _Ask("wait", cycles)


class Host(_Host):
    """The host of a board with firmware: locks, barriers, signals between programs."""

    __slots__ = ()

    async def lock(self, number: int) -> None:
        """Acquires a lock; returns when no other board has it.

        Every write that an earlier holder made before its `unlock` is then in this replica, unless the ring was
        made with order `none`.
        """
        await _Ask("lock", number)

    async def unlock(self, number: int) -> None:
        """Releases a lock, after the data written before as the order of the ring says."""
        await _Ask("unlock", number)

    @asynccontextmanager
    async def locked(self, number: int) -> AsyncIterator[None]:
        """`async with host.locked(1):` holds a lock during its body."""
        await self.lock(number)
        try:
            yield
        finally:
            await self.unlock(number)

    async def barrier(self, number: int = 0) -> None:
        """Waits until all boards have called it with this number, 0 to 255.

        Raises `AccessError` if the board has no such barrier.
        """
        await _Ask("barrier", number)

    async def signal(
        self, number: int, value: int = 0, *, to: Optional[int] = None, order: Order = Order.SENT
    ) -> None:
        """Sends a number (16 bits) and a word (32 bits) to board `to`, or to all others.

        Returns when it is in the mailbox of every receiver.
        """
        await _Ask("signal", to, number, value, as_number("order", order))

    async def wait_signal(
        self, number: Optional[int] = None, *, limit: Optional[int] = None
    ) -> Optional[Signal]:
        """Waits for the oldest signal with this number, or with any; None if there is none after `limit` cycles.

        Raises `LostSignalError` once if the mailbox was full.
        """
        found = await _Ask("wait_signal", number, limit)
        return None if found is None else Signal(*found)

    async def status(self) -> int:
        """Reads the register STATUS of the board."""
        word: int = await _Ask("status")
        return word


class PlainHost(_Host):
    """The host of a board without firmware: every access to its registers and memory."""

    __slots__ = ()

    async def read_block(self, addr: int, length: int) -> bytes:
        """Reads `length` bytes from byte `addr` on, a word at a time. Raises `AccessError`."""
        addr, length = as_number("addr", addr), as_number("length", length)
        words: list[int] = await _Ask("read_block", addr & ~3, (addr % 4 + length + 3) // 4)
        data = b"".join(word.to_bytes(4, "little") for word in words)
        return data[addr % 4 :][:length]

    async def write_block(self, addr: int, data: Union[bytes, bytearray, memoryview]) -> None:
        """Writes bytes from byte `addr` on, a word at a time. Raises `AccessError`."""
        await _Ask("write_block", addr, as_bytes("data", data))

    async def read_register(self, name: str, index: int = 0) -> int:
        """Reads a register of `contract.REGISTERS` by its name. Raises `AccessError`."""
        word: int = await _Ask("read_register", name, index)
        return word

    async def write_register(self, name: str, word: int, index: int = 0) -> None:
        """Writes a register of `contract.REGISTERS` by its name. Raises `AccessError`."""
        await _Ask("write_register", name, word, index)

    async def poll_register(self, name: str, mask: int, value: int, limit: int = 100_000) -> int:
        """Reads a register until its bits under `mask` are `value`; returns the word.

        Raises `ExpiredError` after `limit` cycles.
        """
        word: int = await _Ask("poll_register", name, mask, value, limit)
        return word

    async def interrupt(self, limit: int = 100_000) -> None:
        """Waits for the interrupt of the board. Raises `ExpiredError` after `limit` cycles."""
        await _Ask("interrupt", limit)

    async def synced(self, limit: int = 1_000_000) -> None:
        """Waits until all boards know this one. Raises `ExpiredError` after `limit` cycles."""
        await self.poll_register("STATUS", 1, 1, limit)

    async def flush(self) -> None:
        """Closes the data frame under way: it is sent although it is not full."""
        await self.write_register("FLUSH", 1)

    async def acknowledged(self, limit: int = 1_000_000) -> None:
        """Waits until all data written before has returned good. Raises `ExpiredError`."""
        await self.flush()
        await self.poll_register("STATUS", 1 << 3, 0, limit)

    async def send(
        self,
        token: Token,
        c_st: int,
        data: Union[bytes, bytearray, memoryview] = b"",
        *,
        to: int = 0,
        group: int = 0,
        order: Order = Order.NONE,
    ) -> None:
        """Sends a signal: at most 46 bytes of Data, Node_ID `to`, Multi_G `group`.

        Returns when the board has taken it. Raises `AccessError` if the queue of signals is full.
        """
        code = as_number("token", token)
        await _Ask("send", code, c_st, to, group, as_number("order", order), as_bytes("data", data))

    async def receive(self, limit: int = 100_000) -> Mail:
        """Takes the oldest message out of the mailbox, and waits for one if there is none.

        Raises `ExpiredError` after `limit` cycles.
        """
        await self.poll_mail(limit)
        words: list[int] = await _Ask("take_mail")
        head, _, low, _ = words[:4]
        data = b"".join(word.to_bytes(4, "little") for word in words[4:])
        return Mail(
            source=low >> 16 & 0xFF,
            token=head >> 29,
            c_st=head >> 24 & 0x1F,
            node_id=head >> 16 & 0xFF,
            multi_g=head >> 12 & 0xF,
            data=data[: min(len(data), low & 0x7FF)],
        )

    async def poll_mail(self, limit: int = 100_000) -> None:
        """Waits until the mailbox has a message. Raises `ExpiredError` after `limit` cycles."""
        end = self.cycle + as_number("limit", limit)
        while await self.read_register("MAIL_COUNT") == 0:
            if self.cycle >= end:
                await _Ask("expire", "MAIL_COUNT")

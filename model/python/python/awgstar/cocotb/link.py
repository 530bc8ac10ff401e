# SPDX-License-Identifier: MIT OR Apache-2.0
"""The link in cocotb: source, monitor, sink, and a fibre that closes a ring."""

import random
from collections import deque
from collections.abc import AsyncIterator, Callable, Collection, Iterable
from typing import Any, Optional, Union

from cocotb.triggers import Event, RisingEdge

from .._arguments import Bytes
from ..errors import AwgstarError, ExpiredError, LinkError
from ..frame import Frame, decode
from ._sim import LinkDriver, LinkReader, Sampler
from .traffic import Sending
from .words import BREAKS_RULES, IDLE, Framer, Illegal, LinkWord, Received, header_mac, words_of


class LinkSource(Sampler):
    """Drives a link into the design: frames with idle words between them, without a pause inside (LNK-3).

    Frames wait in a queue; the link is idle while it is empty and while `rst` is high. With `noise`, a seed, idle
    words and lanes that `tkeep` leaves out carry random bits, as they may.
    """

    def __init__(self, dut: Any, clk: Any, rst: Any, prefix: str = "s_axis", *, noise: Optional[int] = None) -> None:
        super().__init__(dut, clk, rst)
        self._drive = LinkDriver(dut, prefix)
        self._noise = None if noise is None else random.Random(noise)
        self._words: deque[LinkWord] = deque()
        self._idle = 0
        self._empty = Event()
        #: Frames that were given to `send`.
        self.frames = 0
        #: Illegal ones among them.
        self.illegal = 0
        self._drive(IDLE)
        self.start()

    def send(
        self,
        frame: Union[Frame, Bytes, Sending],
        *,
        idle: int = 1,
        monitored: bool = False,
        illegal: Optional[Illegal] = None,
        pick: Optional[random.Random] = None,
    ) -> None:
        """Queues a frame, with `idle` words before it (1 or more) and M as `monitored` says.

        Bytes must be a good frame. `illegal` says what is to be wrong; `pick` chooses its place.
        """
        if isinstance(frame, Sending):
            frame, idle, monitored, illegal = frame
        words = words_of(frame, monitored=monitored, illegal=illegal, pick=pick)
        if idle < 1:
            raise LinkError(f"idle: expected 1 word or more (LNK-3), found {idle}", "idle", None, "1 or more", idle)
        gap = 0 if illegal is Illegal.NO_IDLE else idle
        # A frame without tlast ends in the idle word that follows it.
        self._words.extend([IDLE] * gap + words)
        self.frames += 1
        self.illegal += illegal is not None

    def send_words(self, words: Iterable[LinkWord]) -> None:
        """Queues words as they are, legal or not."""
        self._words.extend(words)
        self.frames += 1
        self.illegal += 1

    @property
    def waiting(self) -> int:
        """Words in the queue, idle ones included."""
        return len(self._words)

    async def sent(self) -> None:
        """Waits until the queue is empty and the link idle."""
        while self._words:
            self._empty.clear()
            await self._empty.wait()
        await RisingEdge(self.clk)

    def edge(self) -> None:
        """Drives the word of the cycle that begins."""
        word = IDLE
        if self._words and not self.in_reset:
            word = self._words.popleft()
        elif not self._words:
            self._empty.set()
        if self._noise is not None:
            noise = self._noise
            if not word.valid:
                word = LinkWord(
                    noise.getrandbits(32), noise.getrandbits(4), noise.random() < 0.5, noise.random() < 0.5, False
                )
            elif word.keep != 0b1111:
                left_out = sum(0xFF << 8 * lane for lane in range(4) if not word.keep >> lane & 1)
                word = word._replace(data=word.data | noise.getrandbits(32) & left_out)
        self._drive(word)


class LinkMonitor(Sampler):
    """Watches a link: frames, good and broken, and violations of its rules.

    `async for received in monitor` or `await monitor.recv()` gives the frames; `callback` is called with each.
    """

    def __init__(
        self,
        dut: Any,
        clk: Any,
        rst: Any,
        prefix: str,
        *,
        strict: bool = False,
        callback: Optional[Callable[[Received], None]] = None,
    ) -> None:
        super().__init__(dut, clk, rst)
        self._read, self._strict, self._callback = LinkReader(dut, prefix), strict, callback
        self._framer, self._seen = Framer(), False
        self._queue: deque[Received] = deque()
        self._event = Event()
        self._new: Optional[Received] = None
        #: Violations of LNK-2 and LNK-3, in order.
        self.violations: list[LinkError] = []
        self.start()

    @property
    def frames(self) -> int:
        """Frames seen, good and broken."""
        return self._framer.frames

    @property
    def cycles(self) -> int:
        """Cycles seen out of reset."""
        return self._framer.cycles

    def sample(self) -> None:
        """Takes the word of the cycle."""
        self._new = None
        # Before the first edge with rst high nothing is known.
        if self.cycle == 0:
            return
        self._new, wrong = self._framer.take(self.cycle, self._read())
        if wrong is not None:
            self.violations.append(wrong)
            if self._strict:
                raise wrong

    def edge(self) -> None:
        """Gives the frame that has ended to those who wait."""
        new, self._new = self._new, None
        if new is not None:
            self._queue.append(new)
            if self._callback is not None:
                self._callback(new)
            self._event.set()

    async def recv(self, limit: Optional[int] = None) -> Received:
        """Waits for the next frame, at most `limit` cycles, then raises `ExpiredError`. Ends at a rising edge."""
        end = None if limit is None else self.cycle + limit
        while not self._queue:
            if end is None:
                self._event.clear()
                await self._event.wait()
            elif self.cycle >= end:
                raise ExpiredError(
                    f"a frame: expected one within {limit} cycles, found none", "limit", None, "a frame", limit
                )
            else:
                await RisingEdge(self.clk)
        return self._queue.popleft()

    def recv_nowait(self) -> Optional[Received]:
        """The next frame; None if there is none."""
        return self._queue.popleft() if self._queue else None

    def __aiter__(self) -> AsyncIterator[Received]:
        return self

    async def __anext__(self) -> Received:
        return await self.recv()


class LinkSink(LinkMonitor):
    """The end of a link that the design drives. A violation of LNK-2 or LNK-3 ends the test."""

    def __init__(
        self,
        dut: Any,
        clk: Any,
        rst: Any,
        prefix: str = "m_axis",
        *,
        callback: Optional[Callable[[Received], None]] = None,
    ) -> None:
        super().__init__(dut, clk, rst, prefix, strict=True, callback=callback)


class Fibre(Sampler):
    """Leads the output of the design to its input, so that it is a ring of one, and takes the part of other nodes.

    `send` queues frames of other nodes; each goes into a gap of the ring, and words that arrive meanwhile wait. A frame
    whose MAC is one of `macs` is stripped when it returns and goes to `returned`.
    """

    def __init__(
        self,
        dut: Any,
        clk: Any,
        rst: Any,
        *,
        cycles: int = 8,
        macs: Collection[str] = (),
        output: str = "m_axis",
        input: str = "s_axis",
    ) -> None:
        if cycles < 4:
            raise AwgstarError(f"cycles: expected 4 or more, found {cycles}", "cycles", None, "4 or more", cycles)
        super().__init__(dut, clk, rst)
        self._read, self._drive = LinkReader(dut, output), LinkDriver(dut, input)
        self._macs = set(macs)
        #: What is on the way; its first word leaves next.
        self._line: deque[LinkWord] = deque([IDLE] * (cycles - 1))
        self._waiting: deque[LinkWord] = deque()
        self._own: deque[list[LinkWord]] = deque()
        self._sending: deque[LinkWord] = deque()
        # State of the words that leave the line, and of those that go to the design.
        self._inside = self._strip = self._busy = False
        self._idle = True
        self._framer = Framer()
        #: Frames of `macs` that have gone round.
        self.returned: deque[Received] = deque()
        #: Frames that the design sent or passed on.
        self.frames = 0
        self._drive(IDLE)
        self.start()

    def send(self, frame: Union[Frame, Bytes], *, monitored: bool = False) -> None:
        """Queues a good frame of another node; its MAC is stripped from now on."""
        data = frame.encode() if isinstance(frame, Frame) else bytes(frame)
        self._macs.add(decode(data).mac)
        self._own.append(words_of(data, monitored=monitored))

    def sample(self) -> None:
        """Takes a word from the design."""
        word = self._read() if self.cycle > 0 else IDLE
        if word is None:
            raise LinkError(f"cycle {self.cycle}: a signal of the link is unknown", "tvalid", self.cycle, "0 or 1", "x")
        self._line.append(word)

    def _leaves(self) -> None:
        """Takes the word that leaves the line."""
        word = self._line.popleft()
        if word.valid and not self._inside:
            self._inside = True
            following = self._line[0] if self._line else IDLE
            head = word.data.to_bytes(4, "little") + following.data.to_bytes(4, "little")
            self._strip = header_mac(head) in self._macs
            self.frames += 1
        if self._strip:
            received, _ = self._framer.take(self.cycle, word)
            if received is not None:
                self.returned.append(received)
        elif self._inside:
            self._waiting.append(word)
        if self._inside and (word.last or not word.valid):
            self._inside = self._strip = False

    def edge(self) -> None:
        """Drives the word of the cycle that begins."""
        if self.cycle < 0:
            return
        self._leaves()
        word = IDLE
        if self._busy:
            word = self._waiting.popleft() if self._waiting else IDLE
        elif self._sending:
            word = self._sending.popleft()
        elif self._idle and not self.in_reset:
            if self._waiting:
                word, self._busy = self._waiting.popleft(), True
            elif self._own:
                self._sending.extend(self._own.popleft())
                word = self._sending.popleft()
        if word.last or not word.valid:
            self._busy = False
        self._idle = not word.valid
        self._drive(word)

# SPDX-License-Identifier: MIT OR Apache-2.0
"""The host ports of `ring_node`: what sends and receives in place of the rest of a board."""

import random
from collections import deque
from typing import Any, NamedTuple, Optional, Union

from cocotb.triggers import RisingEdge

from .._arguments import Bytes
from ..contract import MAC_PREFIX, Token
from ..errors import AwgstarError
from ._sim import Sampler, number, reader, signal

_DATA = ("act_seq", "packet_cnt", "addr", "len")
_SIGNAL = ("token", "c_st", "node_id", "multi_g", *_DATA)
_RX = ("mac", "token", "c_st", "node_id", "multi_g", "act_seq", "packet_cnt", "addr", "len")


class Delivered(NamedTuple):
    """A frame that the node has given to its host."""

    #: Cycle of its last beat.
    cycle: int
    #: Fields of its header, and `len`, the number of valid bytes.
    header: dict[str, int]
    #: Its Data, pad included.
    data: bytes


class _Sender:
    """One of the two ports to send: header and payload."""

    def __init__(self, dut: Any, name: str, fields: tuple[str, ...]) -> None:
        self._header = {field: signal(dut, f"s_{name}_hdr_{field}") for field in fields}
        self._valid = signal(dut, f"s_{name}_hdr_valid")
        self._axis = {key: signal(dut, f"s_{name}_axis_{key}") for key in ("tdata", "tkeep", "tvalid", "tlast")}
        self._ready = reader(signal(dut, f"s_{name}_hdr_ready"))
        self._beat_ready = reader(signal(dut, f"s_{name}_axis_tready"))
        self.queue: deque[tuple[dict[str, int], bytes]] = deque()
        self._frame: Optional[tuple[dict[str, int], bytes]] = None
        self._at = 0
        self._offered = self._taken = self._beat = self._header_taken = False
        self.drive()

    @property
    def idle(self) -> bool:
        return self._frame is None and not self.queue

    def sample(self) -> None:
        has_beat = self._frame is not None and self._at < len(self._frame[1])
        self._beat = has_beat and self._beat_ready() == "1"
        self._header_taken = self._offered and self._ready() == "1"

    def edge(self) -> None:
        if self._frame is not None:
            if self._beat:
                self._at += 4
            if self._header_taken:
                self._taken, self._offered = True, False
            if self._taken and self._at >= len(self._frame[1]):
                self._frame = None
        if self._frame is None and self.queue:
            # The payload is there before its header is offered (TX-7).
            self._frame, self._at, self._taken = self.queue.popleft(), 0, False
            self._offered = True
        self._beat = self._header_taken = False
        self.drive()

    def drive(self) -> None:
        header, data = self._frame or ({}, b"")
        part = data[self._at : self._at + 4]
        self._valid.value = int(self._offered)
        for field, handle in self._header.items():
            handle.value = header.get(field, 0)
        self._axis["tvalid"].value = int(bool(part))
        self._axis["tdata"].value = int.from_bytes(part, "little")
        self._axis["tkeep"].value = (1 << len(part)) - 1
        self._axis["tlast"].value = int(bool(part) and self._at + 4 >= len(data))


class NodeHost(Sampler):
    """Configures a `ring_node`, sends frames through it and takes what it delivers.

    `pause` is the share of cycles in which the host does not take what the node offers, chosen with `seed`.
    """

    def __init__(
        self,
        dut: Any,
        clk: Any,
        rst: Any,
        *,
        node_id: int = 0,
        mac: Optional[int] = None,
        groups: int = 0,
        monitor: bool = False,
        pause: float = 0.0,
        seed: int = 0,
    ) -> None:
        super().__init__(dut, clk, rst)
        if not 0 <= pause < 1:
            raise AwgstarError(f"pause: expected 0 to below 1, found {pause}", "pause", None, "0 to below 1", pause)
        for name, value in {
            "cfg_mac": MAC_PREFIX << 8 | node_id if mac is None else mac,
            "cfg_node_id": node_id,
            "cfg_groups": groups,
            "cfg_monitor": int(monitor),
            "discard": 0,
            "count_addr": 0,
        }.items():
            signal(dut, name).value = value
        self._data, self._signal = _Sender(dut, "data", _DATA), _Sender(dut, "signal", _SIGNAL)
        self._issue = signal(dut, "issue")
        self._issue.value = 0
        self._tokens = 0
        self._pause, self._pick = pause, random.Random(seed)
        self._header_ready = signal(dut, "m_rx_hdr_ready")
        self._beat_ready = signal(dut, "m_rx_axis_tready")
        self._ready = [False, False]
        self._set_ready([False, False])
        self._header = {field: reader(signal(dut, f"m_rx_hdr_{field}")) for field in ("valid", *_RX)}
        self._axis = {key: reader(signal(dut, f"m_rx_axis_{key}")) for key in ("tvalid", "tdata", "tkeep", "tlast")}
        self._headers: deque[dict[str, int]] = deque()
        self._beats = bytearray()
        self._blocks: deque[tuple[int, bytes]] = deque()
        self._count = 0
        #: Frames delivered, in order.
        self.delivered: list[Delivered] = []
        self.start()

    def _set_ready(self, ready: list[bool]) -> None:
        self._ready = ready
        self._header_ready.value, self._beat_ready.value = int(ready[0]), int(ready[1])

    def issue(self, tokens: int = 1) -> None:
        """Makes new tokens, one in a cycle (NODE-15)."""
        self._tokens += tokens

    def send_data(self, data: Bytes, addr: int = 0, *, act_seq: int = 0) -> None:
        """Queues a data frame of 1 to 1,024 bytes."""
        header = {"act_seq": act_seq, "packet_cnt": self._count, "addr": addr, "len": len(data)}
        self._count = (self._count + 1) % 256
        self._data.queue.append((header, bytes(data)))

    def send_signal(self, token: Union[Token, int], c_st: int = 0, data: Bytes = b"", **fields: int) -> None:
        """Queues a signal or control token; `fields` are `node_id`, `multi_g`, `act_seq`, `packet_cnt`, `addr`."""
        for name in fields:
            if name not in _SIGNAL or name in ("token", "c_st", "len"):
                raise AwgstarError(f"fields: expected fields of a header, found {name!r}", name, None, "a field", name)
        header = {**fields, "token": int(token), "c_st": c_st, "len": len(data)}
        self._signal.queue.append((header, bytes(data)))

    @property
    def idle(self) -> bool:
        """True if the node has taken all that was queued."""
        return self._data.idle and self._signal.idle and not self._tokens

    async def sent(self) -> None:
        """Waits until the node has taken all that was queued."""
        while not self.idle:
            await RisingEdge(self.clk)

    def sample(self) -> None:
        """Reads what the node answers."""
        if self.cycle == 0:
            return
        self._data.sample()
        self._signal.sample()
        if self._ready[0] and self._header["valid"]() == "1":
            self._headers.append({field: number(self._header[field]()) or 0 for field in _RX})
        if self._ready[1] and self._axis["tvalid"]() == "1":
            data, keep = number(self._axis["tdata"]()) or 0, number(self._axis["tkeep"]()) or 0
            lanes = data.to_bytes(4, "little")
            self._beats += bytes(lanes[lane] for lane in range(4) if keep >> lane & 1)
            if self._axis["tlast"]() == "1":
                self._blocks.append((self.cycle, bytes(self._beats)))
                self._beats.clear()

    def edge(self) -> None:
        """Drives the cycle that begins."""
        while self._headers and self._blocks:
            cycle, data = self._blocks.popleft()
            self.delivered.append(Delivered(cycle, self._headers.popleft(), data))
        if self.in_reset:
            return
        self._data.edge()
        self._signal.edge()
        self._issue.value = int(self._tokens > 0)
        self._tokens = max(0, self._tokens - 1)
        if self._pause:
            self._set_ready([self._pick.random() >= self._pause for _ in range(2)])
        elif not all(self._ready):
            self._set_ready([True, True])

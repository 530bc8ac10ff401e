# SPDX-License-Identifier: MIT OR Apache-2.0
"""Random frames from a seed."""

import os
import random
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple, Optional, Union

from ..contract import CONTROLS, DATA_MAX, SHORT_COUNT_INDEX, Token
from ..errors import AwgstarError
from ..frame import Frame
from .words import Illegal

#: Lengths at which the rules for Data change.
_CORNERS = (1, 2, 3, 4, SHORT_COUNT_INDEX - 1, SHORT_COUNT_INDEX, SHORT_COUNT_INDEX + 1, 47, 48, 49, 50, DATA_MAX)


class Sending(NamedTuple):
    """A frame of random traffic, as `LinkSource.send` takes it."""

    frame: Frame
    #: Idle words before it.
    idle: int
    #: M.
    monitored: bool
    #: What is wrong with it; None if it is legal.
    illegal: Optional[Illegal]


def _seed(seed: Optional[int]) -> int:
    if seed is not None:
        return seed
    text = os.environ.get("AWGSTAR_SEED")
    if text is not None:
        try:
            return int(text, 0)
        except ValueError:
            raise AwgstarError(
                f"AWGSTAR_SEED: expected a number, found {text!r}", "AWGSTAR_SEED", None, "a number", text
            ) from None
    return random.SystemRandom().randrange(1 << 32)


class Traffic(Iterator[Sending]):
    """Endless random frames; the same seed gives the same frames.

    The seed is the argument, or the number in the environment variable `AWGSTAR_SEED`, or drawn; it is printed.
    `macs` are the boards that send. `illegal` is the share of illegal frames, 0 to 1, of the kinds `kinds`.
    `idle` is the largest number of idle words between two frames, `length` that of bytes of Data.
    """

    def __init__(
        self,
        seed: Optional[int] = None,
        *,
        macs: Sequence[Union[str, int]],
        node_ids: Sequence[int] = range(256),
        tokens: Collection[Token] = tuple(Token),
        length: int = DATA_MAX,
        idle: int = 20,
        illegal: float = 0.0,
        kinds: Collection[Illegal] = tuple(Illegal),
    ) -> None:
        if not macs:
            raise AwgstarError("macs: expected one MAC or more, found none", "macs", None, "one MAC or more", "none")
        if not 0 <= illegal <= 1:
            raise AwgstarError(f"illegal: expected 0 to 1, found {illegal}", "illegal", None, "0 to 1", illegal)
        if not 1 <= length <= DATA_MAX:
            raise AwgstarError(
                f"length: expected 1 to {DATA_MAX}, found {length}", "length", None, f"1 to {DATA_MAX}", length
            )
        if idle < 1:
            raise AwgstarError(f"idle: expected 1 or more, found {idle}", "idle", None, "1 or more", idle)
        #: The seed.
        self.seed = _seed(seed)
        #: The generator, for other choices of the same run.
        self.pick = random.Random(self.seed)
        self._macs, self._node_ids = list(macs), list(node_ids)
        self._tokens, self._length, self._idle = list(tokens), length, idle
        self._illegal, self._kinds = illegal, list(kinds)
        self._counts = {mac: 0 for mac in self._macs}
        print(f"awgstar: traffic with seed {self.seed}; AWGSTAR_SEED={self.seed} repeats it", flush=True)

    def _data(self) -> bytes:
        pick = self.pick
        corners = [length for length in _CORNERS if length <= self._length]
        length = (
            pick.choice(corners)
            if pick.random() < 0.3
            else pick.randint(1, min(self._length, pick.choice((60, DATA_MAX))))
        )
        return pick.randbytes(length)

    def _frame(self) -> Frame:
        pick = self.pick
        token, mac = pick.choice(self._tokens), pick.choice(self._macs)
        text = mac if isinstance(mac, str) else ":".join(f"{byte:02x}" for byte in mac.to_bytes(6, "big"))
        node_id, group = pick.choice(self._node_ids), pick.randrange(16)
        if token is Token.FREE:
            return Frame(token, text)
        if token is Token.CONTROL:
            return Frame(token, text, c_st=pick.choice(CONTROLS).c_st, node_id=node_id)
        count = self._counts[mac]
        self._counts[mac] = (count + 1) % 256
        if token is Token.DATA:
            addr = pick.randrange(1 << 12) << 2
            return Frame(token, text, self._data(), 0, node_id, 0, pick.randrange(16), count, addr)
        return Frame(
            token,
            text,
            self._data(),
            pick.randrange(32),
            node_id,
            group,
            pick.randrange(16),
            count,
            pick.getrandbits(32),
        )

    def __next__(self) -> Sending:
        pick = self.pick
        illegal = pick.choice(self._kinds) if self._kinds and pick.random() < self._illegal else None
        idle = 1 if pick.random() < 0.5 else pick.randint(1, self._idle)
        return Sending(self._frame(), idle, pick.random() < 0.3, illegal)

# SPDX-License-Identifier: MIT OR Apache-2.0
"""Words of the link: frames into words, words into frames, without a simulator."""

import random
import zlib
from enum import Enum
from typing import NamedTuple, Optional, Union

from .._arguments import Bytes
from ..contract import FCS_BYTES, FRAME_MAX, WORD_BYTES
from ..errors import AwgstarError, LinkError
from ..frame import Frame, decode

#: Longest run of words of a frame.
_WORDS_MAX = -(-FRAME_MAX // WORD_BYTES)


class LinkWord(NamedTuple):
    """A word of the link: the five signals of LNK-2."""

    #: `tdata`, lane 0 is the first byte.
    data: int
    #: `tkeep`.
    keep: int = 0b1111
    #: `tlast`.
    last: bool = False
    #: `tuser`: M on the first word, "aborted" on the last.
    user: bool = False
    #: `tvalid`.
    valid: bool = True


#: A cycle without a word.
IDLE = LinkWord(0, 0, valid=False)


class Illegal(Enum):
    """What a frame or its sender can have wrong."""

    #: One bit of the frame is inverted: the FCS is wrong.
    BIT = "bit"
    #: TOKEN 010 or 111, with a right FCS.
    TOKEN = "token"
    #: `tuser` on the last word: an upstream node has aborted the frame.
    ABORT = "abort"
    #: The frame ends early, with `tlast`.
    CUT = "cut"
    #: The frame ends without `tlast`.
    NO_LAST = "no_last"
    #: A word inside the frame is missing: `tvalid` is low for a cycle (against LNK-3).
    HOLE = "hole"
    #: `tkeep` of a word inside the frame is not 1111 (against LNK-2).
    KEEP = "keep"
    #: More than 1,042 bytes.
    LONG = "long"
    #: No idle word before the frame (against LNK-3).
    NO_IDLE = "no_idle"


#: Kinds of which the words themselves break a rule of the link.
BREAKS_RULES = frozenset({Illegal.NO_LAST, Illegal.HOLE, Illegal.KEEP, Illegal.NO_IDLE})


def _with_fcs(body: bytes) -> bytes:
    return body + zlib.crc32(body).to_bytes(FCS_BYTES, "little")


def words_of(
    frame: Union[Frame, Bytes],
    *,
    monitored: bool = False,
    illegal: Optional[Illegal] = None,
    pick: Optional[random.Random] = None,
) -> list[LinkWord]:
    """Returns the words of a frame, in which `pick` chooses the place of what is `illegal`.

    `monitored` is M: `tuser` of the first word. Raises `DecodeError` for bytes that are no good frame; with `illegal`
    any bytes of two words or more do.
    """
    data = frame.encode() if isinstance(frame, Frame) else bytes(frame)
    pick = pick or random.Random(0)
    if illegal is None:
        decode(data)
    elif len(data) < 2 * WORD_BYTES + 1:
        raise LinkError(
            f"frame: expected more than {2 * WORD_BYTES} bytes, found {len(data)}", "frame", None, "more", len(data)
        )
    if illegal is Illegal.BIT:
        bit = pick.randrange(8 * len(data))
        data = data[: bit // 8] + bytes([data[bit // 8] ^ 1 << bit % 8]) + data[bit // 8 + 1 :]
    elif illegal is Illegal.TOKEN:
        token = pick.choice([0b010, 0b111])
        data = _with_fcs(data[:6] + bytes([token << 5 | data[6] & 0x1F]) + data[7:-FCS_BYTES])
    elif illegal is Illegal.LONG:
        data += pick.randbytes(FRAME_MAX + WORD_BYTES - len(data) + pick.randrange(64))
    words = []
    for at in range(0, len(data), WORD_BYTES):
        part = data[at : at + WORD_BYTES]
        words.append(LinkWord(int.from_bytes(part, "little"), (1 << len(part)) - 1))
    words[0] = words[0]._replace(user=monitored)
    if illegal is Illegal.CUT:
        words = words[: pick.randrange(1, len(words))]
    inner = pick.randrange(1, max(2, len(words) - 1)) if len(words) > 1 else 0
    if illegal is Illegal.KEEP:
        words[inner] = words[inner]._replace(keep=pick.choice([0b0001, 0b0011, 0b0111, 0b1010]))
    if illegal is Illegal.NO_LAST:
        words[-1] = words[-1]._replace(keep=0b1111)
    else:
        words[-1] = words[-1]._replace(last=True, user=illegal is Illegal.ABORT or (len(words) == 1 and monitored))
    if illegal is Illegal.HOLE:
        words.insert(inner, IDLE)
    return words


class Received(NamedTuple):
    """A frame that was on a link, good or broken."""

    #: Cycle of its first word.
    first: int
    #: Cycle of its last word.
    cycle: int
    #: Its bytes.
    data: bytes
    #: Its fields; None if it is broken.
    frame: Optional[Frame]
    #: Why it is broken: a `DecodeError` of the codec or a `LinkError`; None if it is good.
    error: Optional[AwgstarError]
    #: M: it has passed the monitor.
    monitored: bool

    @property
    def mac(self) -> Optional[str]:
        """The MAC in its header; None if it has fewer than 6 bytes."""
        return header_mac(self.data) if len(self.data) >= 6 else None


def _link_error(rule: Optional[str], cycle: int, field: str, expected: str, found: object) -> LinkError:
    error = LinkError(f"cycle {cycle}: {field}: expected {expected}, found {found}", field, cycle, expected, found)
    error.rule, error.cycle = rule, cycle
    return error


class Framer:
    """Takes the cycles of a link one by one; returns frames and violations of the rules of the link."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._words = 0
        self._first = 0
        self._monitored = False
        self._error: Optional[LinkError] = None
        # The link is idle before the first word.
        self._idle = True
        #: Frames that have ended, good or broken.
        self.frames = 0
        #: Cycles seen.
        self.cycles = 0

    def take(self, cycle: int, word: Optional[LinkWord]) -> tuple[Optional[Received], Optional[LinkError]]:
        """Takes one cycle; None is a word of which a signal that counts is unknown.

        Returns the frame that ends in it, and the first violation of LNK-2 or LNK-3 in it.
        """
        self.cycles += 1
        if word is None:
            broken = _link_error("LNK-2", cycle, "tvalid", "known signals", "x")
            return self._end(cycle, broken), broken
        if not word.valid:
            self._idle = True
            if not self._words:
                return None, None
            broken = _link_error("LNK-3", cycle, "tvalid", "1 inside a frame", 0)
            return self._end(cycle, broken), broken
        found: Optional[LinkError] = None
        if not self._words:
            self._first, self._monitored = cycle, word.user
            if not self._idle:
                found = self._note(_link_error("LNK-3", cycle, "tvalid", "an idle word between two frames", 1))
        legal = (0b0001, 0b0011, 0b0111, 0b1111) if word.last else (0b1111,)
        if word.keep not in legal:
            expected = " or ".join(f"{keep:04b}" for keep in legal)
            error = self._note(_link_error("LNK-2", cycle, "tkeep", expected, f"{word.keep:04b}"))
            found = found or error
        lanes = word.data.to_bytes(WORD_BYTES, "little")
        self._data += bytes(lanes[lane] for lane in range(WORD_BYTES) if word.keep >> lane & 1)
        self._words += 1
        self._idle = False
        if word.last:
            aborted = _link_error(None, cycle, "tuser", "0 on the last word", 1) if word.user else None
            return self._end(cycle, aborted), found
        if self._words == _WORDS_MAX:
            long = _link_error(None, cycle, "tlast", f"the end of a frame within {_WORDS_MAX} words", 0)
            self._note(long)
        return None, found

    def _note(self, error: LinkError) -> LinkError:
        self._error = self._error or error
        return error

    def _end(self, cycle: int, broken: Optional[LinkError]) -> Optional[Received]:
        if not self._words:
            return None
        error: Optional[AwgstarError] = self._error or broken
        frame, data = None, bytes(self._data)
        if error is None:
            try:
                frame = decode(data)
            except AwgstarError as wrong:
                error = wrong
        self._data.clear()
        self._words, self._error = 0, None
        self.frames += 1
        return Received(self._first, cycle, data, frame, error, self._monitored)


def header_mac(data: bytes) -> str:
    """The MAC in the first six bytes, as text."""
    return ":".join(f"{byte:02x}" for byte in data[:6])

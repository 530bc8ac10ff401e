# SPDX-License-Identifier: MIT OR Apache-2.0
"""Exceptions of this package. Every one is an `AwgstarError`."""

from typing import Any, Optional


class AwgstarError(Exception):
    """An error with the field that is wrong, its place, what was expected and what was found."""

    #: Name of the wrong field or argument, if the error is about one.
    field: Optional[str]
    #: Place of the field: byte offset in a frame, `file:line:column` in a file, `list[index]` in a scenario.
    place: Any
    #: What was expected there, in words.
    expected: Optional[str]
    #: What was found there.
    found: Any

    def __init__(
        self,
        message: str,
        field: Optional[str] = None,
        place: Any = None,
        expected: Optional[str] = None,
        found: Any = None,
    ) -> None:
        super().__init__(message)
        self.field, self.place, self.expected, self.found = field, place, expected, found


class DecodeError(AwgstarError, ValueError):
    """Bytes that are no good frame. `place` is the byte offset of the wrong field."""

    #: Name of the check that failed first, as in `contract.Check`, lower case.
    check: Optional[str] = None


class EncodeError(AwgstarError, ValueError):
    """Values that no frame can carry."""


class ScenarioError(AwgstarError, ValueError):
    """A scenario file, an argument or a fault that is invalid."""


class ArgumentError(AwgstarError, TypeError, ValueError):
    """An argument of a wrong type, or a number out of the range of its type. `field` is its name."""


class PlaceError(AwgstarError, IndexError):
    """An index beyond the memory."""


class VectorError(AwgstarError, ValueError):
    """A folder with golden vectors that cannot be read."""


class AccessError(AwgstarError):
    """The board answered an access with SLVERR. `place` is the byte address."""


class ExpiredError(AwgstarError, TimeoutError):
    """A host waited for its limit of cycles and did not find what it waited for."""


class LostSignalError(AwgstarError):
    """The mailbox of the board was full: a signal may be lost."""


class ResetError(AwgstarError):
    """The board of a program was reset, or died, during an access."""


class LimitError(AwgstarError, TimeoutError):
    """A condition was not met within the limit of cycles. `waiting` says who waits for what."""

    #: Programs that have not ended, one line each.
    waiting: tuple[str, ...] = ()


class BusyError(AwgstarError, RuntimeError):
    """The ring is running: this call is not possible from inside a program."""


class LinkError(AwgstarError):
    """Words on a link that no sender may send, or a frame that is cut off. `field` is the wrong signal."""

    #: Requirement that is violated, `LNK-2` or `LNK-3`; None for a frame that is legal but broken.
    rule: Optional[str] = None
    #: Cycle of the word.
    cycle: Optional[int] = None


class ScoreboardError(AwgstarError):
    """A comparison that is not possible, or a run that compared nothing."""


class DivergenceError(AwgstarError, AssertionError):
    """The first difference between the model and the design under test.

    `field` is the path of the register, memory word or output, `place` the cycle, `expected` the value of the
    model and `found` that of the design, in hexadecimal with `x` for unknown digits.
    """

    #: `register`, `memory word` or `output`.
    kind: str = ""
    #: Module that declares what differs.
    module: str = ""
    #: Width in bits.
    bits: int = 0
    #: Path of the first wrong wire; None if the mistake is in the module itself.
    wire: Optional[str] = None
    #: Module in which the mistake is.
    cause: str = ""
    #: Folder of the failing case, for `awgstar cosim --replay`; None if none was written.
    folder: Optional[str] = None

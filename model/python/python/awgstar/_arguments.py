# SPDX-License-Identifier: MIT OR Apache-2.0
"""Arguments that this side of the package converts."""

import operator
from typing import Any, Union

from .errors import ArgumentError

Bytes = Union[bytes, bytearray, memoryview]


def wrong(name: str, expected: str, value: Any) -> ArgumentError:
    """The error about an argument."""
    found = repr(value)[:80]
    return ArgumentError(f"{name}: expected {expected}, found {found}", name, None, expected, found)


def as_bytes(name: str, value: Bytes) -> bytes:
    """The bytes of an argument: a number is not taken for that many zeros, as `bytes` does."""
    try:
        return bytes(memoryview(value))
    except TypeError:
        raise wrong(name, "bytes, bytearray or memoryview", value) from None


def as_number(name: str, value: Any) -> int:
    """A number that is not negative."""
    try:
        number = operator.index(value)
    except TypeError:
        number = -1
    if number < 0:
        raise wrong(name, "a number from 0", value)
    return number

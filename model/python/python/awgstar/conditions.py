# SPDX-License-Identifier: MIT OR Apache-2.0
"""Conditions for `run_until`. They are checked in every cycle, without Python.

`a | b` is met when one of them is, `a & b` when both are.
"""

from ._native import (
    Condition,
    after,
    at,
    barrier_passed,
    delivered,
    frame_at,
    interrupt,
    lock_held,
    up,
    word,
)

__all__ = [
    "Condition",
    "after",
    "at",
    "barrier_passed",
    "delivered",
    "frame_at",
    "interrupt",
    "lock_held",
    "up",
    "word",
]

# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compares `run_until` with the same loop in Rust: `python -m awgstar.speed [BOARDS [CYCLES]]`.

Both run the same ring of boards with firmware, by turns, in one process. The shortest of five runs of each counts, in
seconds of processor time.
"""

import sys
import time
from collections.abc import Callable

from . import BoardRing, _native
from .conditions import at

#: Metres of fibre after each board, and the same in cycles: 5 ns/m, rounded up.
FIBRE_M, FIBRE = 10, 4
#: Cycles between two heartbeats.
PERIOD = 800


def python(boards: int, cycles: int) -> None:
    """A run through this package."""
    ring = BoardRing(nodes=boards, fibre_m=FIBRE_M, tokens=1, period=PERIOD, primitives={})
    ring.run_until(at(cycles), limit=cycles)


def rust(boards: int, cycles: int) -> None:
    """The same in Rust."""
    _native.speed(boards, FIBRE, PERIOD, cycles)


def seconds(run: Callable[[int, int], None], boards: int, cycles: int) -> float:
    """Seconds of processor time of a run."""
    begin = time.process_time()
    run(boards, cycles)
    return time.process_time() - begin


def main() -> int:
    """Prints both times and their ratio; the exit code is 1 if Python takes 10 % more."""
    boards, cycles = ([int(text) for text in sys.argv[1:]] + [4, 1_000_000][len(sys.argv) - 1 :])[:2]
    times = [[seconds(run, boards, cycles) for run in (rust, python)] for _ in range(5)]
    in_rust, in_python = (min(column) for column in zip(*times))
    ratio = in_python / in_rust
    print(f"{boards} boards, {cycles} cycles: Rust {in_rust:.3f} s, Python {in_python:.3f} s, ratio {ratio:.3f}")
    return int(ratio > 1.1)


if __name__ == "__main__":
    sys.exit(main())

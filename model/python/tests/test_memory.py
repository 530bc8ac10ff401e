# SPDX-License-Identifier: MIT OR Apache-2.0
"""Views of replicas: no copy, read only, safe after the ring is gone."""

import gc
import weakref
from pathlib import Path

import numpy
import pytest
from awgstar import BoardRing, Host
from awgstar.errors import ScenarioError

LIMIT = 1_000_000


def ring_that_writes() -> BoardRing:
    async def program(host: Host) -> None:
        for word in range(8):
            await host.write(4 * word, 0x100 + word)
        await host.barrier()

    async def other(host: Host) -> None:
        await host.barrier()

    ring = BoardRing(nodes=3, tokens=1, period=800, primitives={})
    for board in range(3):
        ring.start(board, program if board == 0 else other)
    return ring


def test_an_array_shows_what_the_ring_does() -> None:
    ring = ring_that_writes()
    array = numpy.asarray(ring.memory(2))
    assert (array.dtype, array.shape) == (numpy.uint32, (4096,))
    assert not array.any()
    ring.run(LIMIT)
    assert array[:9].tolist() == [0x100 + word for word in range(8)] + [0]
    again = numpy.asarray(ring.memory(2))
    assert numpy.shares_memory(array, again)
    assert not numpy.shares_memory(array, numpy.asarray(ring.memory(1)))


def test_an_array_cannot_be_written() -> None:
    ring = ring_that_writes()
    array = numpy.asarray(ring.memory(0))
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1
    with pytest.raises(ValueError):
        array.flags.writeable = True
    with pytest.raises(TypeError):
        ring.memory(0)[0] = 1  # type: ignore[index]


def test_an_array_keeps_its_ring() -> None:
    ring = ring_that_writes()
    ring.run(LIMIT)
    alive = weakref.ref(ring)
    array = numpy.asarray(ring.memory(1))[4:8]
    del ring
    gc.collect()
    assert alive() is not None
    # Memory that was given back would be used again here.
    rings = [ring_that_writes() for _ in range(8)]
    assert array.tolist() == [0x104, 0x105, 0x106, 0x107]
    del rings, array
    gc.collect()
    assert alive() is None


def test_a_ring_that_its_own_program_holds_is_collected() -> None:
    ring = BoardRing(nodes=2, tokens=1, period=800, primitives={})

    async def program(host: Host, held: BoardRing) -> None:
        while True:
            await host.wait(1_000 + held.nodes)

    ring.start(0, program, ring)
    ring.step(20_000)
    alive = weakref.ref(ring)
    del ring
    gc.collect()
    assert alive() is None


def test_a_board_that_lost_its_power_has_its_array_still(scenarios: Path) -> None:
    """In docs/scenarios/bypass.toml board 2 loses its power, and returns with an empty memory."""
    ring = BoardRing.from_file(scenarios / "bypass.toml")
    arrays = [numpy.asarray(ring.memory(board)) for board in range(len(ring))]
    ring.run_until(lambda found: any(a.any() for a in arrays), limit=LIMIT, every=1_000)
    dead = seen = False
    while ring.cycle < 100_000:
        ring.step(2_000)
        live = [ring.state(board)["live"] for board in range(len(ring))]
        dead |= not all(live)
        seen |= dead and all(live)
        for board, array in enumerate(arrays):
            assert array[:64].tobytes() == ring.memory(board).read(0, 256)
    assert dead and seen


def test_words_and_bytes_without_numpy() -> None:
    ring = ring_that_writes()
    ring.run(LIMIT)
    memory = ring.memory(1)
    assert len(memory) == 4096 and len(list(memory)) == 4096
    assert (memory[3], memory[-4096], memory[4095]) == (0x103, 0x100, 0)
    assert memory.read(13, 4) == b"\x01\x00\x00\x04"
    assert memory.read(16_384, 0) == b""
    for index in (4096, -4097):
        with pytest.raises(IndexError):
            memory[index]
    with pytest.raises(ScenarioError):
        memory.read(16_383, 2)
    with pytest.raises(ScenarioError):
        ring.memory(3)

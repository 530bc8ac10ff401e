# SPDX-License-Identifier: MIT OR Apache-2.0
"""Rings of boards: programs, accesses, faults, conditions."""

import re
from pathlib import Path

import awgstar
import pytest
from awgstar import BoardRing, Host, Order, PlainHost, Token
from awgstar.conditions import at, barrier_passed, frame_at, interrupt, lock_held, up, word
from awgstar.errors import (
    AccessError,
    BusyError,
    ExpiredError,
    LimitError,
    ResetError,
    ScenarioError,
)

LIMIT = 1_000_000


def ring_with_firmware(nodes: int = 4, **keys) -> BoardRing:
    return BoardRing(nodes=nodes, **{"fibre_m": 62, "tokens": 1, "period": 800, "primitives": {}, **keys})


def plain_ring(nodes: int = 3, **keys) -> BoardRing:
    return BoardRing(nodes=nodes, **{"fibre_m": 62, "period": 800, **keys})


async def add_under_lock(host: Host, times: int) -> None:
    for _ in range(times):
        await host.lock(1)
        value = await host.read(0x40)
        await host.wait(200)
        await host.write(0x40, value + 1)
        await host.unlock(1)
    await host.barrier()
    assert await host.read(0x40) == 4 * times


@pytest.mark.parametrize("lock", ["queue", "distributed", "master-worker"])
def test_all_boards_add_under_a_lock(lock: str) -> None:
    ring = ring_with_firmware(primitives={"lock": lock})
    for board in range(4):
        ring.start(board, add_under_lock, 3)
    ring.run(LIMIT)
    assert [ring.memory(board)[0x40 // 4] for board in range(4)] == [12] * 4


def test_the_engine_serves_locks_and_barriers() -> None:
    ring = ring_with_firmware(engine=True)
    for board in range(4):
        ring.start(board, add_under_lock, 3)
    ring.run(LIMIT)
    assert ring.memory(2)[16] == 12
    # The firmware of no board sent or took a message of a lock.
    assert {one["event"] for one in ring.records()} == {"asked", "answered"}


def test_a_program_is_cycle_for_cycle_that_of_the_file(scenarios: Path) -> None:
    """The program of docs/scenarios/lock.toml, written as a coroutine."""

    async def program(host: Host) -> None:
        # Programs of a file begin with a cycle in which they learn the time.
        await host.wait(1)
        for _ in range(3):
            await host.lock(1)
            await host.write(0x40, await host.read(0x40) + 1)
            await host.wait(200)
            await host.unlock(1)
        await host.barrier()
        assert await host.read(0x40) == 12

    text = (scenarios / "lock.toml").read_text()
    from_file = BoardRing.from_text(text)
    head = text[: text.index("[[program]]")].replace("[primitives]", "program = []\n[primitives]")
    from_python = BoardRing.from_text(head)
    for board in range(4):
        from_python.start(board, program)
    assert from_file.run() == from_python.run()
    records = from_file.records()
    assert records == from_python.records()
    assert sum(one["event"] == "answered" and one["what"] == "lock" for one in records) == 12


def test_no_two_programs_hold_a_lock() -> None:
    inside: list[int] = []
    most = 0

    async def program(host: Host) -> None:
        nonlocal most
        for _ in range(5):
            async with host.locked(3):
                inside.append(host.board)
                most = max(most, len(inside))
                await host.wait(50)
                inside.remove(host.board)

    ring = ring_with_firmware()
    for board in range(4):
        ring.start(board, program)
    ring.run(LIMIT)
    assert most == 1 and not inside


def test_signals_between_programs() -> None:
    async def asks(host: Host) -> None:
        await host.write(0x80, 0xC0FFEE)
        await host.signal(5, 1234, to=2, order=Order.CONFIRMED)
        answer = await host.wait_signal(6)
        assert answer == (2, None, 6, 0xC0FFEE)

    async def answers(host: Host) -> None:
        assert await host.wait_signal(limit=1) is None
        asked = await host.wait_signal()
        assert asked is not None
        assert (asked.source, asked.to, asked.number, asked.value) == (0, 2, 5, 1234)
        # The order says that the data is here.
        await host.signal(6, await host.read(0x80))

    ring = ring_with_firmware(3)
    ring.start(0, asks)
    ring.start(2, answers)
    ring.run(LIMIT)


def test_a_plain_host_is_cycle_for_cycle_that_of_the_file(scenarios: Path) -> None:
    """The program of docs/scenarios/frames.toml, faults included."""
    began: list[tuple[int, int]] = []

    async def program(host: PlainHost) -> None:
        for block in range(4):
            await host.wait(12_000 + 8_000 * block - host.cycle)
            begin = host.cycle
            data = (root_bytes[0x100 * block :])[:200]
            await host.write_block(0x100 * block, data)
            began.append((begin, host.cycle - begin))
            if block == 2:
                await host.send(Token.BROADCAST, 7, bytes.fromhex("c0ffee"), order=Order.SENT)
            await host.acknowledged()

    text = (scenarios / "frames.toml").read_text()
    from_file = BoardRing.from_text(text)
    from_file.step(60_000)
    root_bytes = from_file.memory(1).read(0, 1024)
    without = re.sub(r"\[\[program\]\].*?\n\]\n", "", text, flags=re.S)
    ring = BoardRing.from_text(without)
    ring.start(1, program)
    ring.step(60_000)
    assert ring.memory(3).read(0, 1024) == root_bytes != bytes(1024)
    # The cycles and times that docs/scenarios.md shows.
    assert began == [(12_000, 150), (20_000, 150), (28_000, 150), (36_000, 150)]
    for board in range(4):
        assert ring.counters(board) == from_file.counters(board)


def test_a_file_is_run_as_by_the_command(scenarios: Path, root: Path) -> None:
    report = awgstar.simulate(scenarios / "frames.toml", picture=True)
    page = (root / "docs" / "scenarios.md").read_text()
    shown = page.split("$ cargo run -- sim docs/scenarios/frames.toml\n")[1].split("```")[0]
    assert report.text.strip() == shown.strip()
    assert report.holds and report.warnings == []
    assert report.data["kind"] == "boards" and report.data["nodes"] == 4
    assert report.files["spacetime.svg"].startswith(b"<svg")


@pytest.mark.parametrize("name", ["first", "generation1", "lock", "message"])
def test_every_kind_of_file_is_run(name: str, scenarios: Path) -> None:
    report = awgstar.simulate(scenarios / f"{name}.toml")
    assert report.holds and report.data["title"] in report.text


def test_the_accesses_of_a_plain_host() -> None:
    seen = []

    async def program(host: PlainHost) -> None:
        # `AWGS`, and the size of the memory in bytes: docs/registers.md.
        assert await host.read_register("ID") == 0x4157_4753
        assert await host.read_register("MEM_SIZE") == 16_384
        assert await host.read_register("NODE_ID") == 1
        await host.write_register("IRQ_ENABLE", 4)
        await host.synced()
        await host.write(0x20, 0x0403_0201)
        assert await host.read_block(0x21, 2) == b"\x02\x03"
        await host.write_block(0x22, b"\xaa")
        assert await host.read(0x20) == 0x04AA_0201
        await host.acknowledged()
        await host.send(Token.P2P, 3, b"hello", to=2, order=Order.SENT)
        await host.interrupt()
        assert await host.read_register("IRQ_STATUS") & 4
        await host.write_register("IRQ_STATUS", 4)
        with pytest.raises(ExpiredError):
            await host.interrupt(limit=50)
        with pytest.raises(ExpiredError):
            await host.receive(limit=50)
        with pytest.raises(AccessError) as error:
            await host.write_register("ID", 1)
        assert error.value.place == 0
        seen.append(host.cycle)

    async def receiver(host: PlainHost) -> None:
        mail = await host.receive(limit=LIMIT)
        assert (mail.source, mail.token, mail.c_st, mail.node_id) == (1, Token.P2P, 3, 2)
        assert mail.data[:5] == b"hello" and mail.data[5:] == bytes(len(mail.data) - 5)
        assert await host.read(0x20) == 0x04AA_0201
        seen.append(host.cycle)

    ring = plain_ring()
    ring.start(1, program)
    ring.start(2, receiver)
    end = ring.run(LIMIT)
    assert len(seen) == 2 and end >= max(seen)
    assert [ring.memory(board).read(0x20, 4) for board in range(3)] == [b"\x01\x02\xaa\x04"] * 3


def test_arguments_of_calls_are_checked() -> None:
    wrong = []

    async def plain(host: PlainHost) -> None:
        for call in (
            host.read(2),
            host.read(1 << 20),
            host.write(0, 1 << 32),
            host.write(0, -1),
            host.read_register("STATE"),
            host.read_register("COUNT", 32),
            host.write_block(16_380, bytes(5)),
            host.send(Token.DATA, 0),
            host.send(Token.P2P, 32),
            host.send(Token.P2P, 1, bytes(47)),
            host.poll_register("STATUS", 1, 2),
        ):
            with pytest.raises(ScenarioError) as error:
                await call
            wrong.append(error.value.field)

    ring = plain_ring()
    ring.start(0, plain)
    ring.run(LIMIT)
    assert wrong == [
        "addr", "addr", "word", "word", "register", "index", "addr", "token", "c_st", "data", "value",
    ]  # fmt: skip

    async def program(host: Host) -> None:
        for call in (
            host.read(2),
            host.lock(1 << 32),
            host.unlock(3),
            host.barrier(256),
            host.signal(1 << 16),
            host.signal(1, to=4),
            host.wait(-1),
        ):
            with pytest.raises(ScenarioError) as error:
                await call
            wrong.append(error.value.field)
        await host.lock(3)
        with pytest.raises(ScenarioError, match="does not hold"):
            await host.lock(3)
        await host.unlock(3)

    wrong.clear()
    ring = ring_with_firmware()
    ring.start(0, program)
    ring.run(LIMIT)
    assert wrong == ["addr", "lock", "unlock", "barrier", "number", "to", "cycles"]


def test_an_exception_of_a_program_ends_the_run() -> None:
    async def fails(host: Host) -> None:
        await host.write(0, 7)
        raise KeyError("mine")

    async def goes_on(host: Host) -> None:
        await host.wait(50_000)
        await host.write(4, 8)

    ring = ring_with_firmware()
    ring.start(0, fails)
    ring.start(1, goes_on)
    with pytest.raises(KeyError, match="mine"):
        ring.run(LIMIT)
    # The rest of the ring can go on.
    ring.run(LIMIT)
    assert ring.memory(3).read(0, 8) == b"\x07\x00\x00\x00\x08\x00\x00\x00"


def test_a_program_cannot_run_the_ring() -> None:
    cycles = []

    async def program(host: Host) -> None:
        with pytest.raises(BusyError):
            ring.step()
        with pytest.raises(BusyError):
            ring.counters(0)
        cycles.append((ring.cycle, host.cycle))
        await host.wait(100)
        cycles.append((ring.cycle, host.cycle))

    ring = ring_with_firmware()
    ring.start(0, program)
    ring.run(LIMIT)
    (a, b), (c, d) = cycles
    assert a == b and c == d and 100 <= c - a < 110


def test_only_coroutines_of_hosts_are_programs() -> None:
    ring = ring_with_firmware()
    with pytest.raises(TypeError, match="coroutine"):
        ring.start(0, 3)
    ring.start(0, lambda host: None)
    with pytest.raises(TypeError, match="coroutine"):
        ring.run(LIMIT)
    with pytest.raises(ScenarioError) as error:
        ring.start(4, add_under_lock, 1)
    assert (error.value.field, error.value.expected) == ("board", "one below 4")
    ring.start(0, add_under_lock, 1)
    with pytest.raises(ScenarioError, match="without a program"):
        ring.start(0, add_under_lock, 1)


def test_a_plain_call_on_firmware_is_refused() -> None:
    async def program(host: Host) -> None:
        with pytest.raises(ScenarioError, match="firmware"):
            await PlainHost(ring, 0).read_register("ID")

    ring = ring_with_firmware()
    ring.start(0, program)
    ring.run(LIMIT)


def test_conditions() -> None:
    async def program(host: Host) -> None:
        await host.wait(5_000)
        await host.lock(2)
        await host.write(0x10, 0xABCD)
        await host.wait(1_000)
        await host.unlock(2)
        await waits(host)

    async def waits(host: Host) -> None:
        await host.barrier()
        gone_on.append(host.cycle)

    gone_on: list[int] = []
    ring = ring_with_firmware()
    for board in range(4):
        ring.start(board, program if board == 1 else waits)
    synced = ring.run_until(up(), limit=LIMIT)
    assert all(ring.state(board)["synced"] for board in range(4))
    held = ring.run_until(lock_held(2), limit=LIMIT)
    assert held >= synced + 5_000
    here = ring.run_until(word(1, 0x10, 0xCD, mask=0xFF), limit=LIMIT)
    # The writer has it at once; board 2 is one hop away, board 0 three: 21 cycles of fibre and 4 of a node.
    cycles = [ring.run_until(word(board, 0x10, 0xABCD), limit=LIMIT) for board in (1, 2, 3, 0)]
    assert cycles[0] == here
    assert cycles[2] - cycles[1] == cycles[3] - cycles[2] == 25
    with pytest.raises(LimitError) as error:
        ring.run_until(lock_held(2, board=3), limit=100)
    assert any("board 0 waits for barrier" in line for line in error.value.waiting)
    passed = ring.run_until(barrier_passed(), limit=LIMIT)
    with pytest.raises(LimitError):
        ring.run_until(barrier_passed(times=2), limit=10_000)
    records = ring.records()
    asked = [one for one in records if one["event"] == "asked" and one["what"] == "barrier"]
    answered = [one for one in records if one["event"] == "answered" and one["what"] == "barrier"]
    assert len(asked) == len(answered) == 4
    # The last to arrive knows that all others have.
    assert max(one["cycle"] for one in asked) <= min(one["cycle"] for one in answered)
    assert max(one["cycle"] for one in answered) <= passed == max(gone_on)


def test_interrupt_and_frame_conditions() -> None:
    async def program(host: PlainHost) -> None:
        await host.write_register("IRQ_ENABLE", 1)

    async def sender(host: PlainHost) -> None:
        await host.synced()
        await host.send(Token.P2P, 3, b"x", to=2)

    ring = plain_ring()
    ring.start(2, program)
    ring.start(0, sender)
    sent = ring.run_until(frame_at(0, "signal", source=0), limit=LIMIT)
    irq = ring.run_until(interrupt(2), limit=LIMIT)
    assert irq > sent and ring.state(2)["irq"]
    assert ring.run_until(frame_at(1, "monitor", times=3), limit=LIMIT) > irq + 2 * 800


@pytest.mark.parametrize(
    ("fault", "counter"),
    [({"bit": 300}, "bad_fcs"), ({"lose": True}, "data_gap"), ({"twice": True}, "data_again")],
)
def test_a_fault_of_a_frame_is_repaired(fault: dict, counter: str) -> None:
    async def program(host: PlainHost) -> None:
        await host.synced()
        # Free tokens and heartbeats have left before the data frame: it is the first with data.
        for block in range(3):
            await host.write_block(64 * block, bytes([block + 1]) * 64)
            await host.flush()
        await host.acknowledged()

    head = {"link": 0, "from": 0, "kind": "data", "source": 0, **fault}
    ring = plain_ring(fault=[head])
    ring.start(0, program)
    ring.run(LIMIT)
    expected = b"".join(bytes([block + 1]) * 64 for block in range(3))
    assert [ring.memory(board).read(0, 192) for board in range(3)] == [expected] * 3
    assert ring.counters(1)[counter] > 0


def test_faults_can_be_placed_while_a_ring_runs() -> None:
    async def program(host: PlainHost) -> None:
        await host.synced()
        await host.wait(1_000)
        ring.cut(1, 3_000)
        before = host.cycle
        await host.write(0, 5)
        await host.acknowledged()
        assert host.cycle - before > 3_000

    ring = plain_ring()
    ring.start(0, program)
    ring.run(LIMIT)
    assert ring.memory(2)[0] == 5 and ring.counters(0)["timeout"] > 0

    ring = plain_ring()
    ring.run_until(up(), limit=LIMIT)
    bad = ring.counters(1)["bad_fcs"] + ring.counters(1)["bad_other"]
    for _ in range(3):
        ring.fault(0, bit=200)
        ring.step(2_000)
    assert ring.counters(1)["bad_fcs"] + ring.counters(1)["bad_other"] > bad


def test_a_dead_board_is_bridged() -> None:
    async def program(host: PlainHost) -> None:
        await host.synced()
        await host.wait(2_000)
        await host.write(0, 9)
        await host.acknowledged()

    ring = plain_ring(4)
    ring.start(0, program)
    ring.run_until(up(), limit=LIMIT)
    ring.kill(2)
    ring.run(LIMIT)
    assert [ring.state(board)["live"] for board in range(4)] == [True, True, False, True]
    assert [ring.memory(board)[0] for board in range(4)] == [9, 9, 0, 9]


def test_a_reset_ends_a_call() -> None:
    async def program(host: PlainHost) -> None:
        with pytest.raises(ResetError):
            # No board has this bit.
            await host.poll_register("STATUS", 1 << 31, 1 << 31, LIMIT)
        await host.wait(10)
        await host.synced()
        await host.write(0, 3)
        await host.acknowledged()

    ring = plain_ring()
    ring.start(1, program)
    ring.step(10_000)
    ring.reset(1)
    end = ring.run(LIMIT)
    assert end < 100_000 and ring.memory(0)[0] == 3


def test_wrong_faults_are_refused() -> None:
    ring = plain_ring()
    for call in (
        lambda: ring.fault(3, lose=True),
        lambda: ring.fault(0),
        lambda: ring.fault(0, lose=True, twice=True),
        lambda: ring.fault(0, bit=8_336),
        lambda: ring.fault(0, words=0),
        lambda: ring.cut(3),
        lambda: ring.kill(3),
        lambda: ring.reset(3),
    ):
        with pytest.raises(ScenarioError):
            call()


@pytest.mark.parametrize(
    ("keys", "field"),
    [
        ({"nodes": 300}, "nodes"),
        ({"nodes": 3, "period": 0}, "period"),
        ({"nodes": 3, "memory_bytes": 1000}, "memory_bytes"),
        ({"nodes": 3, "primitives": {"lock": "spin"}}, "primitives.lock"),
        ({"nodes": 3, "parameters": {"MAIL_W": 20}}, "parameters"),
        ({"nodes": 3, "parameters": {"MAIL": 2}}, "parameters"),
        ({"nodes": 3, "engine": True}, "engine"),
        ({"nodes": 3, "engine": True, "primitives": {"lock": "distributed"}}, "engine"),
    ],
)
def test_an_invalid_ring_names_the_field(keys: dict, field: str) -> None:
    with pytest.raises(ScenarioError) as error:
        BoardRing(**keys)
    assert error.value.field == field


def test_a_file_error_has_its_place(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text('system = "board-ring"\nnodes = 3\ncycles = 100\nperiod = "long"\n')
    with pytest.raises(ScenarioError) as error:
        BoardRing.from_file(path)
    assert error.value.place == f"{path}:4:10"
    with pytest.raises(ScenarioError) as error:
        BoardRing.from_file(tmp_path / "none.toml")
    assert error.value.field == "path"
    with pytest.raises(ScenarioError):
        BoardRing.from_file(path, nodes=3)


def test_a_run_that_cannot_end_says_who_waits() -> None:
    async def holds(host: Host) -> None:
        await host.lock(1)

    async def waits(host: Host) -> None:
        await host.wait(10_000)
        await host.lock(1)

    ring = ring_with_firmware(2)
    ring.start(0, holds)
    ring.start(1, waits)
    with pytest.raises(LimitError) as error:
        ring.run(100_000)
    (line,) = error.value.waiting
    assert line.startswith("board 1 waits for lock 0x1 since cycle")
    assert line in str(error.value) and isinstance(error.value, TimeoutError)


def test_skipping_quiet_boards_changes_nothing() -> None:
    """A ring with a trace steps every board in every cycle, one without skips those that are quiet."""

    def run(trace: bool) -> tuple:
        ring = ring_with_firmware(trace=trace)
        for board in range(4):
            ring.start(board, add_under_lock, 2)
        end = ring.run(LIMIT)
        return end, ring.records(), [ring.registers(board) for board in range(4)]

    assert run(False) == run(True)

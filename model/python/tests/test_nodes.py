# SPDX-License-Identifier: MIT OR Apache-2.0
"""Rings of nodes."""

from pathlib import Path

import pytest
from awgstar import NodeRing, Token
from awgstar.conditions import after, at, delivered, frame_at, interrupt, lock_held, up, word
from awgstar.errors import LimitError, ScenarioError


def ring_with_a_write(**keys) -> NodeRing:
    write = {"at": 100, "write": 0x100, "hex": "0011aabb"}
    return NodeRing(nodes=4, tokens=1, fibre_m=10, program=[{"nodes": 1, "do": [write]}], **keys)


def test_a_write_reaches_every_other_node_and_returns() -> None:
    ring = ring_with_a_write()
    cycle = ring.run_until(delivered(0), limit=2_000)
    assert cycle == ring.cycle
    ring.step(200)
    for node in (0, 2, 3):
        (frame,) = ring.delivered(node)
        assert frame["data"] == bytes.fromhex("0011aabb")
        assert (frame["token"], frame["addr"], frame["mac"]) == ("data", 0x100, "02:53:4d:42:00:01")
    assert ring.delivered(1) == []
    (back,) = ring.returned(1)
    assert back["good"] and back["token"] == "data"
    # Node 2 is the next one: each hop is a node of 4 cycles and a fibre of 4 (10 m, 5 ns/m, 14.87 ns a cycle).
    cycles = [ring.delivered(node)[0]["cycle"] for node in (2, 3, 0)]
    assert cycles[1] - cycles[0] == cycles[2] - cycles[1] == 8


def test_frames_handed_over_are_those_delivered() -> None:
    ring = NodeRing(nodes=3, tokens=1)
    ring.send(2, Token.DATA, b"abc", addr=0x40)
    ring.send(0, "p2p", b"\x01", c_st=9, to=1, packet_cnt=7)
    ring.run_until(delivered(1, 2), limit=2_000)
    found = {(f["token"], f["addr"], f["node_id"], f["packet_cnt"]) for f in ring.delivered(1)}
    assert found == {("data", 0x40, 2, 0), ("p2p", 0, 1, 7)}
    assert [f["status"] for f in ring.sent(0) if f["class"] == "signal"] == ["ok"]


def test_the_file_and_the_arguments_make_the_same_ring(scenarios: Path) -> None:
    from_file = NodeRing.from_file(scenarios / "first.toml", trace=True)
    keys = {
        "title": "A write, a lock request, a multicast, and a bit error",
        "nodes": 4,
        "cycles": 640,
        "tokens": 1,
        "fibre_m": 10,
        "groups": {3: [0, 2]},
        "program": [
            {"nodes": 1, "do": [{"at": 100, "write": 0x100, "hex": "0011aabb"}]},
            {"nodes": 3, "do": [{"at": 160, "signal": "lock_mw_request", "to": 1, "send_node": 3, "lock_number": 7}]},
            {"nodes": 2, "do": [{"at": 300, "signal": "multicast", "c_st": 1, "group": 3, "hex": "c0ffee"}]},
            {"nodes": 0, "do": [{"at": 420, "write": 0x200, "text": "hit by a bit error between node 2 and node 3"}]},
        ],
        "fault": [{"link": 2, "frame": 15, "bit": 300}],
    }
    from_keys = NodeRing(trace=True, **keys)
    assert from_file.run() == from_keys.run() == 640
    assert from_file.trace() == from_keys.trace()
    assert from_file.frames() == from_keys.frames()
    # The bit error of the file.
    assert [node for node in range(4) if from_file.counters(node)["bad_fcs"]] == [3]
    assert from_file.counters(0)["returned_bad"] == 1


def test_a_trace_is_a_table() -> None:
    ring = ring_with_a_write(trace=True)
    ring.step(600)
    events, frames = ring.trace(), ring.frames()
    assert len({tuple(one) for one in events}) == len({tuple(one) for one in frames}) == 1
    assert [one["cycle"] for one in events] == sorted(one["cycle"] for one in events)
    assert events[0]["ns"] == pytest.approx(events[0]["cycle"] / 67.25e6 * 1e9)
    # A free token has 64 bytes: 16 words.
    free = [one for one in frames if one["token"] == "free"]
    assert {one["end"] - one["begin"] for one in free if one["begin"] + 16 <= ring.cycle} == {15}
    data = [one for one in frames if one["token"] == "data"]
    assert [one["link"] for one in sorted(data, key=lambda one: one["begin"])] == [1, 2, 3, 0]
    assert all(one["source"] == 1 for one in data)
    assert {one["fate"] for one in data} == {"delivered", "stripped"}


def test_a_trace_makes_a_data_frame() -> None:
    import pandas
    ring = ring_with_a_write(trace=True)
    ring.step(600)
    table = pandas.DataFrame(ring.trace())
    assert list(table.columns) == list(ring.trace()[0])
    assert (table[table.event == "delivered"].node).tolist() == [2, 3, 0]


def test_without_trace_there_is_none() -> None:
    with pytest.raises(ScenarioError, match="trace=True"):
        NodeRing(nodes=2).trace()


def test_conditions_of_cycles_and_frames() -> None:
    ring = ring_with_a_write()
    assert ring.run_until(at(50), limit=1_000) == 50
    assert ring.run_until(at(50), limit=0) == 50
    assert ring.run_until(after(25), limit=25) == 75
    first = ring.run_until(frame_at(1, "data"), limit=2_000)
    # The second word of the frame, with TOKEN, has just been on the output.
    traced = ring_with_a_write(trace=True)
    traced.step(600)
    (begin,) = (f["begin"] for f in traced.frames() if f["token"] == "data" and f["link"] == 1)
    assert first == begin + 2
    again = ring_with_a_write()
    either = again.run_until(frame_at(1, "data") | at(10_000), limit=20_000)
    assert either == first
    later = ring_with_a_write().run_until(frame_at(1, "data") & at(3_000), limit=20_000)
    assert later == 3_000
    others = ring_with_a_write()
    with pytest.raises(LimitError):
        others.run_until(frame_at(1, "data", source=2), limit=2_000)
    assert others.cycle == 2_000


def test_a_function_is_a_condition() -> None:
    ring = NodeRing(nodes=2)
    asked = []

    def enough(found: NodeRing) -> bool:
        asked.append(found.cycle)
        return found.cycle >= 95

    assert ring.run_until(enough, limit=1_000, every=10) == 100
    assert asked == list(range(0, 101, 10))
    with pytest.raises(LimitError):
        ring.run_until(lambda _: False, limit=25, every=10)
    assert ring.cycle == 125
    with pytest.raises(ZeroDivisionError):
        ring.run_until(lambda _: 1 // 0, limit=25)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (word(0, 0, 1), "a ring of boards"),
        (interrupt(0), "a ring of boards"),
        (lock_held(1), "a ring of boards with firmware"),
        (up(), "a ring of boards"),
        (delivered(2), "one below 2"),
        (frame_at(7) | at(5), "one below 2"),
    ],
)
def test_a_condition_that_the_ring_cannot_meet_is_refused(condition, expected: str) -> None:
    with pytest.raises(ScenarioError) as error:
        NodeRing(nodes=2).run_until(condition, limit=10)
    assert error.value.expected == expected


@pytest.mark.parametrize(
    ("keys", "field", "expected"),
    [
        ({}, "nodes", "a value"),
        ({"nodes": 0}, "nodes", "1 to 256"),
        ({"nodes": 2, "tokens": 256}, "tokens", "0 to 255"),
        ({"nodes": 2, "fault": [{"link": 2, "frame": 0, "lose": True}]}, "fault.link", "0 to 1"),
    ],
)
def test_an_invalid_scenario_names_the_field(keys: dict, field: str, expected: str) -> None:
    with pytest.raises(ScenarioError) as error:
        NodeRing(**keys)
    assert error.value.field == field
    assert error.value.expected == expected
    assert error.value.place.startswith("arguments:")


def test_arguments_of_other_types_and_names_are_refused() -> None:
    with pytest.raises(ScenarioError, match="unknown key `lanes`") as error:
        NodeRing(nodes=3, lanes=3)
    assert error.value.field == "lanes"
    with pytest.raises(ScenarioError) as error:
        NodeRing(nodes=object())
    assert error.value.field == "nodes"
    with pytest.raises(ScenarioError) as error:
        NodeRing(nodes=2).send(0, "free", bytes(3000))
    assert error.value.field == "data"
    with pytest.raises(ScenarioError) as error:
        NodeRing(nodes=2).counters(2)
    assert (error.value.field, error.value.expected) == ("node", "one below 2")
    with pytest.raises(TypeError):
        NodeRing(nodes=2).run_until(3, limit=5)


def test_registers_have_the_names_of_the_verilog() -> None:
    ring = NodeRing(nodes=2, tokens=1)
    ring.step(20)
    registers = ring.registers(0)
    assert {"u_egress.left_q", "u_ingress.state_q", "u_arbiter.held_q"} <= set(registers)
    assert all(isinstance(value, int) for value in registers.values())

# SPDX-License-Identifier: MIT OR Apache-2.0
"""Arguments of a wrong type or out of range: every exception is an `AwgstarError` that names the argument."""

from collections.abc import Callable, Iterator
from typing import Any

import awgstar
import pytest
from awgstar import BoardRing, NodeRing, Token, conditions
from awgstar.errors import ArgumentError, AwgstarError, EncodeError

MAC = "02:53:4d:42:00:01"
#: Values that are wrong for nearly every argument.
WRONG = [-1, 1.5, 2**70, None, b"x", "\u00e9", object(), [1], [None], {}, -(2**70)]


def nodes() -> NodeRing:
    return NodeRing(nodes=2, tokens=1, trace=True)


def boards() -> BoardRing:
    return BoardRing(nodes=2, fibre_m=62, period=800)


def calls() -> dict[str, tuple[Callable[..., Any], dict[str, Any]]]:
    """Every function with arguments that it takes."""
    node, board = {"node": 0}, {"board": 0}
    text = "[ring]\nnodes = 2\n"
    encode = {"token": "data", "mac": MAC, "data": b"x", "c_st": 0, "node_id": 0, "multi_g": 0}
    send = {"node": 0, "token": "data", "data": b"x", "c_st": 0, "to": 0, "group": 0, "act_seq": 0}
    word = {"board": 0, "addr": 4, "value": 1, "mask": 1}
    run = {"condition": conditions.at(5), "limit": 10, "every": 1}
    fault = {"link": 0, "frame": 0, "bit": 1, "words": None, "lose": False, "twice": False}
    frame_at = {"node": 0, "kind": "data", "source": 1, "times": 1}
    return {
        "encode": (awgstar.encode, {**encode, "act_seq": 0, "packet_cnt": 0, "addr": 0}),
        "decode": (awgstar.decode, {"frame": awgstar.encode("free", MAC)}),
        "explain": (awgstar.explain, {"frame": b"x"}),
        "simulate": (awgstar.simulate, {"path": "none.toml", "picture": False}),
        "vectors": (awgstar.vectors, {"folder": "none", "classes": ["x"]}),
        "cycle_vectors": (awgstar.cycle_vectors, {"folder": "none", "names": ["x"]}),
        "at": (conditions.at, {"cycle": 1}),
        "after": (conditions.after, {"cycles": 1}),
        "word": (conditions.word, word),
        "interrupt": (conditions.interrupt, board),
        "lock_held": (conditions.lock_held, {"lock": 1, "board": 0}),
        "barrier_passed": (conditions.barrier_passed, {"barrier": 0, "times": 1, "board": 0}),
        "frame_at": (conditions.frame_at, frame_at),
        "delivered": (conditions.delivered, {"node": 0, "frames": 1}),
        "NodeRing": (NodeRing, {"nodes": 2, "cycles": 10, "fibre_m": 1, "tokens": 1, "trace": True}),
        "NodeRing.from_file": (NodeRing.from_file, {"path": "none.toml", "trace": True}),
        "NodeRing.from_text": (NodeRing.from_text, {"text": text, "trace": True}),
        "NodeRing.step": (nodes().step, {"cycles": 1}),
        "NodeRing.run_until": (nodes().run_until, run),
        "NodeRing.send": (nodes().send, {**send, "packet_cnt": 0, "addr": 0}),
        **{f"NodeRing.{name}": (getattr(nodes(), name), node) for name in OF_NODES},
        "BoardRing": (BoardRing, {"nodes": 2, "period": 800, "parameters": {}, "engine": False}),
        "BoardRing.from_file": (BoardRing.from_file, {"path": "none.toml", "trace": True}),
        "BoardRing.from_text": (BoardRing.from_text, {"text": text, "trace": True}),
        "BoardRing.start": (boards().start, {"board": 0, "program": print}),
        "BoardRing.step": (boards().step, {"cycles": 1}),
        "BoardRing.run_until": (boards().run_until, run),
        "BoardRing.run": (boards().run, {"limit": 10}),
        "BoardRing.fault": (boards().fault, fault),
        "BoardRing.cut": (boards().cut, {"link": 0, "cycles": 1}),
        "BoardRing.reset": (boards().reset, {"board": 0, "cycles": 4}),
        **{f"BoardRing.{name}": (getattr(boards(), name), board) for name in OF_BOARDS},
        "Memory.read": (boards().memory(0).read, {"addr": 0, "length": 4}),
    }


OF_NODES = ("discard", "delivered", "returned", "sent", "counters", "registers")
OF_BOARDS = ("memory", "counters", "registers", "state", "frames_sent", "kill")


def wrong_calls() -> Iterator[tuple[str, str, Any]]:
    for name, (_, arguments) in calls().items():
        for argument in arguments:
            yield from ((name, argument, value) for value in WRONG)


@pytest.mark.parametrize("name", list(calls()))
def test_every_exception_is_one_of_the_package(name: str) -> None:
    refused = 0
    for called, argument, value in wrong_calls():
        if called != name:
            continue
        function, arguments = calls()[name]
        try:
            function(**{**arguments, argument: value})
        except AwgstarError as error:
            refused += 1
            if isinstance(error, ArgumentError):
                assert error.field == argument and error.expected, (argument, value, str(error))
                assert str(error).startswith(f"{argument}: expected "), str(error)
        except Exception as error:  # noqa: BLE001
            pytest.fail(f"{name}({argument}={value!r}): {type(error).__name__}: {error}")
    assert refused > 0


@pytest.mark.parametrize("value", [5, 70, "text", None])
def test_a_number_is_no_bytes(value: Any) -> None:
    for call in (lambda: awgstar.encode("data", 1, value), lambda: awgstar.decode(value), lambda: awgstar.explain(value)):
        with pytest.raises(ArgumentError) as error:
            call()
        assert isinstance(error.value, TypeError) and isinstance(error.value, ValueError)
        assert error.value.expected == "bytes, bytearray or memoryview"
    with pytest.raises(ArgumentError):
        awgstar.Frame(Token.DATA, MAC, value).encode()


def test_the_message_names_argument_value_and_expectation() -> None:
    with pytest.raises(EncodeError, match=r"^mac: expected at most 281474976710655, found -1"):
        awgstar.encode("data", -1, b"x")
    with pytest.raises(ArgumentError, match=r"^mac: expected text as .* or a number of 48 bits, found 1\.5"):
        awgstar.encode("data", 1.5, b"x")  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match=r"^cycles: expected a number from 0 to 18446744073709551615, found -1"):
        nodes().step(-1)
    with pytest.raises(IndexError) as error:
        boards().memory(0)[1 << 40]
    assert isinstance(error.value, AwgstarError)
    with pytest.raises(ArgumentError):
        boards().memory(0)["x"]  # type: ignore[index]


@pytest.mark.parametrize(
    ("call", "arguments"),
    [
        ("read", ("x",)),
        ("read", (-4,)),
        ("write", (0, 1.5)),
        ("write", (0, 2**40)),
        ("wait", (-1,)),
        ("read_block", ("x", 4)),
        ("read_block", (0, None)),
        ("write_block", (0, 5)),
        ("read_register", (5,)),
        ("read_register", ("STATUS", -1)),
        ("write_register", ("CONTROL", "x")),
        ("poll_register", ("STATUS", "x", 1)),
        ("interrupt", ("x",)),
        ("send", ("x", 0)),
        ("send", (Token.P2P, "x")),
        ("send", (Token.P2P, 0, 5)),
        ("receive", ("x",)),
    ],
)
def test_a_host_refuses_wrong_arguments(call: str, arguments: tuple[Any, ...]) -> None:
    async def program(host: Any) -> None:
        with pytest.raises(AwgstarError):
            await getattr(host, call)(*arguments)

    ring = boards()
    ring.start(0, program)
    ring.run(1_000_000)

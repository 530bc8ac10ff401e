# SPDX-License-Identifier: MIT OR Apache-2.0
"""The parts of awgstar.cocotb that need no simulator. Checks LNK-2, LNK-3 and LNK-4."""

import pathlib
import random
import subprocess
import sys
import zlib
from typing import Any, Optional

import pytest
from awgstar import Frame, Token, errors
from awgstar._native import Reference
from awgstar.cocotb import Framer, Illegal, LinkWord, Traffic, Word, words_of
from awgstar.cocotb.board import _register
from awgstar.cocotb.words import IDLE

MAC = "02:53:4d:42:00:05"
GOOD = Frame(Token.BROADCAST, MAC, bytes(range(61)), c_st=9, node_id=4, packet_cnt=3)


def play(words: list[LinkWord], framer: Framer) -> tuple[list, list]:
    """Frames and violations of these words, with idle words around them."""
    received, wrong = [], []
    for word in [IDLE, *words, IDLE, IDLE]:
        frame, error = framer.take(framer.cycles, word)
        received += [frame] if frame else []
        wrong += [error] if error else []
    return received, wrong


def test_import_needs_no_cocotb() -> None:
    text = (
        "import sys; sys.modules['cocotb'] = None\n"
        "import awgstar\n"
        "try:\n    import awgstar.cocotb\nexcept ImportError as e:\n    print('pip install' in str(e))\n"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


def test_words_are_those_of_the_link() -> None:
    words = words_of(GOOD, monitored=True)
    # 14 bytes of header, 61 of Data, 4 of FCS: 79 bytes.
    assert len(words) == 20 and [word.keep for word in words] == [0b1111] * 19 + [0b0111]
    assert [word.last for word in words] == [False] * 19 + [True]
    assert [word.user for word in words] == [True] + [False] * 19
    assert words[0].data == 0x424D5302, "lane 0 is the first byte of the MAC"
    data = b"".join(word.data.to_bytes(4, "little") for word in words)[:79]
    assert data[75:] == zlib.crc32(data[:75]).to_bytes(4, "little")
    received, wrong = play(words, Framer())
    assert not wrong and len(received) == 1
    assert received[0].frame == GOOD and received[0].data == data and received[0].monitored
    assert (received[0].first, received[0].cycle) == (1, 20)


def test_bytes_must_be_a_good_frame() -> None:
    with pytest.raises(errors.DecodeError):
        words_of(GOOD.encode()[:-1] + b"x")
    with pytest.raises(errors.LinkError):
        words_of(b"short", illegal=Illegal.CUT)


#: Check of the codec, or field and rule of the link, by what is illegal.
EXPECTED = {
    Illegal.BIT: ("fcs", None, None),
    Illegal.TOKEN: ("token", None, None),
    Illegal.ABORT: (None, "tuser", None),
    Illegal.CUT: ("runt", None, None),
    Illegal.NO_LAST: (None, "tvalid", "LNK-3"),
    Illegal.HOLE: (None, "tvalid", "LNK-3"),
    Illegal.KEEP: (None, "tkeep", "LNK-2"),
    Illegal.LONG: (None, "tlast", None),
}


@pytest.mark.parametrize("illegal", EXPECTED)
def test_each_illegal_frame_is_a_typed_error(illegal: Illegal) -> None:
    check, field, rule = EXPECTED[illegal]
    for seed in range(20):
        words = words_of(GOOD, illegal=illegal, pick=random.Random(seed))
        received, wrong = play(words, Framer())
        error = received[0].error
        assert received[0].frame is None and error is not None
        if check is None:
            assert isinstance(error, errors.LinkError)
            assert (error.field, error.rule) == (field, rule)
            assert error.cycle is not None and 1 <= error.cycle <= len(words) + 1
        else:
            # A cut may leave a frame whose length is good and its FCS not.
            assert isinstance(error, errors.DecodeError) and error.check in (check, "fcs")
        assert [e.rule for e in wrong[:1]] == ([rule] if rule else [])


def test_frames_without_an_idle_word_between_them_break_the_rule() -> None:
    words = words_of(GOOD)
    received, wrong = play(words + words, Framer())
    assert [r.frame is None for r in received] == [False, True]
    assert [(e.rule, e.cycle) for e in wrong] == [("LNK-3", 21)]


def test_an_unknown_word_is_an_error() -> None:
    framer = Framer()
    framer.take(0, words_of(GOOD)[0])
    received, wrong = framer.take(1, None)
    assert received is not None and received.error is wrong and wrong.found == "x"


def test_the_same_seed_gives_the_same_traffic(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def take(seed: int) -> list:
        traffic = Traffic(seed, macs=[MAC, 7], illegal=0.2)
        return [next(traffic) for _ in range(200)]

    assert take(5) == take(5) != take(6)
    assert "seed 5; AWGSTAR_SEED=5 repeats it" in capsys.readouterr().out
    monkeypatch.setenv("AWGSTAR_SEED", "77")
    assert Traffic(macs=[MAC]).seed == 77
    monkeypatch.setenv("AWGSTAR_SEED", "many")
    with pytest.raises(errors.AwgstarError, match="AWGSTAR_SEED"):
        Traffic(macs=[MAC])


def test_legal_traffic_is_legal() -> None:
    traffic, framer = Traffic(3, macs=[MAC, 7], idle=3), Framer()
    tokens = set()
    for sending in (next(traffic) for _ in range(300)):
        assert sending.illegal is None and sending.idle >= 1
        tokens.add(sending.frame.token)
        received, wrong = play(words_of(sending.frame, monitored=sending.monitored), framer)
        assert not wrong and received[0].frame is not None and received[0].error is None
        assert received[0].frame.data[: len(sending.frame.data)] == sending.frame.data
    assert tokens == set(Token)


def test_arguments_are_checked() -> None:
    for wrong in ({"macs": []}, {"macs": [1], "illegal": 2}, {"macs": [1], "length": 1025}, {"macs": [1], "idle": 0}):
        with pytest.raises(errors.AwgstarError):
            Traffic(1, **wrong)
    with pytest.raises(errors.ScoreboardError, match="ring_node, smb or smb_axi4"):
        Reference("frame_tx")
    with pytest.raises(errors.ScoreboardError, match="MEM_ADDR_W"):
        Reference("smb", {"MEM_ADDR_W": 25})
    with pytest.raises(errors.ScoreboardError):
        Reference("ring_node", {"RX_ADDR_W": 99})
    reference = Reference("ring_node")
    with pytest.raises(errors.ScoreboardError, match="inputs"):
        reference.cycle([], [], [], [], None)


def test_fields_of_a_register_by_name() -> None:
    status = Word(_register("STATUS", 0), 0x2_0A)
    assert status == 0x20A and status.active == 1 and status.synced == 0 and status.held == 2
    assert status.fields()["data_pending"] == 1
    with pytest.raises(AttributeError, match="STATUS has synced"):
        _ = status.no_such
    with pytest.raises(errors.AwgstarError, match="NO_SUCH"):
        _register("NO_SUCH", 0)
    with pytest.raises(errors.AwgstarError, match="below 32"):
        _register("COUNT", 32)


def play_zeros(clear: Optional[str]) -> tuple[Reference, Any]:
    """A design with one register, `u_counters.clear_q`, in which all else is 0; what the model says after reset.

    After a reset the counters of a node are being cleared: `clear_q` is 1.
    """
    reference, found = Reference("ring_node"), None
    for _ in range(2):
        inputs: list[Optional[str]] = ["1" if name == "rst" else "0" * bits for name, bits in reference.inputs]
        outputs: list[Optional[str]] = ["0" * bits for _, bits in reference.outputs]
        registers = [clear if path == "u_counters.clear_q" else None for path, _ in reference.registers]
        assert found is None
        found = reference.cycle(inputs, outputs, registers, [], None)
    return reference, found


def test_a_register_that_differs_is_named() -> None:
    _, found = play_zeros("0")
    assert found["kind"] == "register"
    assert (found["path"], found["module"]) == ("u_counters.clear_q", "node_counters")
    assert (found["expected"], found["found"], found["bits"], found["cause"]) == ("1", "0", 1, None)
    assert found["text"].startswith("model and Verilog differ in cycle 1, node 0")


def test_unknown_bits_are_shown_and_the_case_is_saved(tmp_path: pathlib.Path) -> None:
    reference, found = play_zeros("x")
    assert (found["path"], found["expected"], found["found"]) == ("u_counters.clear_q", "1", "x")
    reference.save(tmp_path / "failing", found["path"])
    assert {file.name for file in (tmp_path / "failing").iterdir()} == {"vector.toml", "stimulus.hex", "expect.hex"}


def test_what_is_equal_or_absent_is_no_difference() -> None:
    for clear in ("1", None):
        assert play_zeros(clear)[1] is None


def test_a_width_that_is_not_that_of_the_parameters_is_an_error() -> None:
    with pytest.raises(errors.ScoreboardError, match="u_counters.clear_q") as caught:
        play_zeros("00")
    assert (caught.value.field, caught.value.found) == ("u_counters.clear_q", "2")

# SPDX-License-Identifier: MIT OR Apache-2.0
"""The codec against the golden vectors, which come from a codec that shares no code with it."""

import zlib
from pathlib import Path

import awgstar
import pytest
from awgstar import Frame, Token, decode, encode, explain
from awgstar.errors import AwgstarError, DecodeError, EncodeError

MAC = "02:53:4d:42:00:01"
FIELDS = ("token", "c_st", "node_id", "multi_g", "act_seq", "packet_cnt", "addr")


def mac_text(number: int) -> str:
    return ":".join(f"{byte:02x}" for byte in number.to_bytes(6, "big"))


def test_decode_gives_what_the_vectors_say(root: Path) -> None:
    good = bad = 0
    for v in awgstar.vectors(root / "vectors"):
        # The codec has bytes: what only a stream of words has is not for it.
        if v["module"] != "frame" or not v["rx"] or v["check"] in ("abort", "keep"):
            continue
        if v["check"] != "ok":
            with pytest.raises(DecodeError) as error:
                decode(v["wire"])
            assert error.value.check == v["check"], v["id"]
            bad += 1
            continue
        frame = decode(v["wire"])
        assert frame.mac == mac_text(v["mac"]), v["id"]
        assert frame.data == v["rx_payload"][: v["len"]], v["id"]
        for name in FIELDS:
            # C.ST of a data token is set by the transmitter.
            if name != "c_st" or not (v["tx"] and frame.token == Token.DATA):
                assert getattr(frame, name) == v[name], (v["id"], name)
        good += 1
    assert good > 1000 and bad > 1000


def test_encode_gives_the_bytes_of_the_vectors(root: Path) -> None:
    whole = refused = 0
    for v in awgstar.vectors(root / "vectors"):
        if v["module"] != "frame" or not v["tx"] or v["tx_status"] in ("underrun", "last"):
            continue
        fields = {name: v[name] for name in FIELDS[1:]}
        if v["tx_status"] == "ok":
            # Fields that frame_tx ignores and the codec refuses are in vectors for the transmitter alone.
            if v["rx"]:
                assert encode(v["token"], v["mac"], v["tx_payload"], **fields) == v["wire"], v["id"]
                whole += 1
        else:
            data = bytes(v["len"]) if v["tx_status"] == "length" else v["tx_payload"]
            with pytest.raises(EncodeError):
                encode(v["token"], v["mac"], data, **fields)
            refused += 1
    assert whole > 500 and refused > 10


def test_fcs_is_that_of_zlib() -> None:
    frame = encode("data", MAC, b"\x01\x02\x03", addr=0x100)
    assert len(frame) == 64
    assert frame[-4:] == zlib.crc32(frame[:-4]).to_bytes(4, "little")


def test_a_frame_is_the_same_after_both_ways() -> None:
    frame = Frame(Token.P2P, MAC, bytes(range(8)), c_st=9, node_id=2)
    again = decode(frame.encode())
    # A signal has no length: its Data is padded to 46 bytes.
    assert again == frame._replace(data=frame.data + bytes(38))
    assert again.signal is not None and again.signal.name == "lock_mw_request"
    assert decode(Frame(Token.DATA, MAC, b"x").encode()).signal is None


def test_token_and_c_st_together_make_a_signal() -> None:
    # 10000 is an acknowledgement with TOKEN 011, a release with TOKEN 101, and nothing else.
    names = {t: f.signal and f.signal.name for t in Token for f in [Frame(t, MAC, c_st=0b10000)]}
    assert names == {**dict.fromkeys(Token), Token.P2P: "barrier_mw_ack", Token.BROADCAST: "barrier_mw_release"}


def test_bytes_of_any_kind_are_taken() -> None:
    frame = encode(Token.DATA, 0x0253_4D42_0001, bytearray(b"abc"))
    assert decode(memoryview(frame)) == decode(frame)
    assert explain(bytearray(frame)) == explain(frame)


@pytest.mark.parametrize(
    ("wrong", "check", "field", "place"),
    [
        (b"", "runt", "frame", 0),
        (bytes(63), "runt", "frame", 63),
        (bytes(1043), "long", "frame", 1042),
        (bytes(64), "fcs", "fcs", 60),
    ],
)
def test_a_decode_error_names_field_and_place(
    wrong: bytes, check: str, field: str, place: int
) -> None:
    with pytest.raises(DecodeError) as error:
        decode(wrong)
    e = error.value
    assert (e.check, e.field, e.place) == (check, field, place)
    assert e.expected and e.found is not None
    assert isinstance(e, ValueError) and isinstance(e, AwgstarError)


def test_a_reserved_token_has_a_good_fcs_and_is_refused() -> None:
    frame = bytearray(encode("free", MAC))
    # TOKEN is the upper three bits of byte 6: 010 is not assigned.
    frame[6] = 0b010 << 5
    frame[-4:] = zlib.crc32(bytes(frame[:-4])).to_bytes(4, "little")
    with pytest.raises(DecodeError) as error:
        decode(frame)
    assert (error.value.check, error.value.field, error.value.place) == ("token", "token", 6)
    assert (error.value.expected, error.value.found) == ("an assigned code", 2)


@pytest.mark.parametrize(
    ("change", "field", "expected", "found"),
    [
        ({"c_st": 32}, "c_st", "at most 31", "32"),
        ({"node_id": 256}, "node_id", "at most 255", "256"),
        ({"multi_g": 16}, "multi_g", "at most 15", "16"),
        ({"act_seq": -1}, "act_seq", "at most 15", "-1"),
        ({"packet_cnt": 1 << 40}, "packet_cnt", "at most 255", str(1 << 40)),
        ({"addr": 1 << 32}, "addr", "at most 4294967295", str(1 << 32)),
        ({"token": 2}, "token", "an assigned code", "2"),
        ({"token": "date"}, "token", "an assigned code", "date"),
        ({"mac": 1 << 48}, "mac", f"at most {(1 << 48) - 1}", str(1 << 48)),
        ({"mac": "02:53"}, "mac", "6 parts of two hex digits separated by ':'", ""),
        ({"data": bytes(1025)}, "data", "0 to 1024 valid bytes", "1025"),
        ({"token": "free", "data": b"x"}, "data", "0 valid bytes", "1"),
        ({"token": "data"}, "data", "1 to 1024 valid bytes", "0"),
    ],
)
def test_an_encode_error_names_the_field(
    change: dict, field: str, expected: str, found: str
) -> None:
    with pytest.raises(EncodeError) as error:
        encode(**{"token": "p2p", "mac": MAC, **change})
    e = error.value
    assert (e.field, e.expected, str(e.found)) == (field, expected, found)
    assert field in str(e) and found in str(e)


def test_explain_names_fields_and_defects() -> None:
    frame = encode("p2p", MAC, bytes.fromhex("0300000000000007"), c_st=9)
    text = explain(frame)
    assert text.startswith("64 bytes, good: lock request, master-worker\n")
    assert MAC in text and f"crc 0x{zlib.crc32(frame[:-4]):08x}, good" in text
    broken = bytearray(frame)
    broken[20] ^= 1
    assert "expected 0x" in explain(broken)
    assert explain(b"").startswith("0 bytes")

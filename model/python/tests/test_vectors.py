# SPDX-License-Identifier: MIT OR Apache-2.0
"""The iterator over golden vectors against the files, read here as vectors/FORMAT.md describes them."""

import json
from pathlib import Path

import awgstar
import pytest
from awgstar.errors import VectorError


def test_every_vector_of_the_manifest_is_there(root: Path) -> None:
    manifest = json.loads((root / "vectors" / "manifest.json").read_text())
    expected = [
        f"{one['name']}/{index:04}" for one in manifest["classes"] for index in range(one["vectors"])
    ]
    iterator = awgstar.vectors(root / "vectors")
    assert len(iterator) == len(expected)
    assert [v["id"] for v in iterator] == expected
    assert len(iterator) == 0 and list(iterator) == []


def test_fields_and_words_are_those_of_the_files(root: Path) -> None:
    folder = root / "vectors" / "frame" / "lanes_off"
    lines = (folder / "fields.hex").read_text().split()
    wire = iter((folder / "wire.hex").read_text().split())
    notes = json.loads((folder / "vectors.json").read_text())["vectors"]
    found = list(awgstar.vectors(root / "vectors", ["lanes_off"]))
    assert len(found) == len(lines) > 0
    for v, line, note in zip(found, lines, notes):
        number = int(line.replace("_", ""), 16)

        def bits(high: int, low: int, number: int = number) -> int:
            return number >> low & ((1 << (high - low + 1)) - 1)

        assert (v["tx"], v["rx"], v["monitor"]) == tuple(bool(bits(208 + i, 208 + i)) for i in range(3))
        assert (v["mac"], v["token"], v["c_st"]) == (bits(191, 144), bits(143, 136), bits(135, 128))
        assert (v["node_id"], v["multi_g"], v["act_seq"]) == (bits(127, 120), bits(119, 116), bits(115, 112))
        assert (v["packet_cnt"], v["addr"], v["len"]) == (bits(111, 104), bits(103, 72), bits(63, 48))
        assert v["comment"] == note["comment"]
        assert len(v["wire_words"]) == bits(47, 32)
        data = b""
        for word in v["wire_words"]:
            flags, keep, lanes = (int(part, 16) for part in next(wire).split("_"))
            assert word == (lanes, keep, bool(flags & 1), bool(flags & 2), bool(flags & 4))
            data += lanes.to_bytes(4, "little")[: keep.bit_count() if keep != 15 else 4]
        assert v["wire"] == data


def test_crc_vectors_are_those_of_the_files(root: Path) -> None:
    found = [v for v in awgstar.vectors(root / "vectors") if v["module"] == "crc32"]
    expected = []
    manifest = json.loads((root / "vectors" / "manifest.json").read_text())
    for one in manifest["classes"]:
        if one["module"] == "crc32":
            text = (root / "vectors" / "crc32" / one["name"] / "fields.hex").read_text()
            expected += [tuple(int(part, 16) for part in line.split("_")) for line in text.split()]
    assert [(v["keep"], v["crc_in"], v["data"], v["crc_out"]) for v in found] == expected


def test_a_folder_without_vectors_is_refused(tmp_path: Path) -> None:
    with pytest.raises(VectorError) as error:
        awgstar.vectors(tmp_path)
    assert error.value.field == "folder" and error.value.place == str(tmp_path)


def test_a_class_that_is_not_there_is_refused(root: Path) -> None:
    with pytest.raises(VectorError) as error:
        awgstar.vectors(root / "vectors", ["lanes_of"])
    assert error.value.found == "lanes_of" and "lanes_off" in error.value.expected

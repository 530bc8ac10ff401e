# SPDX-License-Identifier: MIT OR Apache-2.0
"""The iterators over vectors of nodes and boards against the files, read here as vectors/FORMAT.md describes them."""

import json
import re
from pathlib import Path

import awgstar
import pytest
from awgstar.errors import VectorError

FOLDERS = ["board", "board_engine", "board_axi4", "node"]


def fields(root: Path, after: str) -> dict[str, tuple[int, int]]:
    """The table of bits of `smb` after a line of vectors/FORMAT.md: highest and lowest bit of each port."""
    text = (root / "vectors" / "FORMAT.md").read_text().split(after)[1]
    found: dict[str, tuple[int, int]] = {}
    for line in text.split("\n\n")[1].splitlines()[2:]:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        for bits, names in (cells[0:2], cells[2:4]):
            ports = re.findall("`(\\w+)`", names)
            if len(ports) > 1:
                found.update({port: (int(bit), int(bit)) for port, bit in zip(ports, bits.split(","))})
            elif ports:
                high, _, low = bits.partition(":")
                found[ports[0]] = (int(high), int(low or high))
    return found


def lines(path: Path) -> list[str]:
    """The lines of the cycles, without their counts."""
    out = []
    for line in path.read_text().split():
        count, _, rest = line.partition("_")
        out += [rest] * int(count, 16)
    return out


def test_every_vector_is_there(root: Path) -> None:
    expected = []
    for folder in FOLDERS:
        places = (root / "vectors" / folder).glob("*/stimulus.hex")
        expected += sorted(f"{folder}/{place.parent.name}" for place in places)
    assert len(expected) > 80
    iterator = awgstar.cycle_vectors(root / "vectors")
    assert len(iterator) == len(expected)
    assert [v.id for v in iterator] == expected
    assert len(iterator) == 0 and list(iterator) == []
    boards = json.loads((root / "vectors" / "manifest.json").read_text())["boards"]
    names = {id.split("/")[1] for id in expected}
    assert len(boards) > 40 and {one["name"] for one in boards} <= names


def test_ports_of_a_board_are_where_the_format_has_them(root: Path) -> None:
    given = fields(root, "For `smb`, 151 bits in 38 digits")
    wanted = fields(root, "For `smb`, 81 bits in 21 digits")
    assert len(given) == 17 and len(wanted) == 14
    seen = 0
    for vector in awgstar.cycle_vectors(root / "vectors", ["board"]):
        folder = root / "vectors" / vector.id
        stimulus, expect = lines(folder / "stimulus.hex"), lines(folder / "expect.hex")
        assert len(vector) == len(stimulus) == len(expect)
        for number, (cycle, i, line) in enumerate(zip(vector, stimulus, expect)):
            value, mask = (int(part, 16) for part in line.split("_"))

            def bits(number: int, place: tuple[int, int]) -> int:
                return number >> place[1] & ((1 << (place[0] - place[1] + 1)) - 1)

            assert cycle["cycle"] == number
            assert cycle["inputs"] == {port: bits(int(i, 16), place) for port, place in given.items()}
            assert cycle["expected"] == {
                port: (bits(value, place), bits(mask, place)) for port, place in wanted.items()
            }
            seen += 1
    assert seen > 10_000


@pytest.mark.parametrize("folder", FOLDERS)
def test_ports_together_are_the_lines(root: Path, folder: str) -> None:
    """Of every module: the ports in their order, each with its width, are the number of the line."""
    count = 0
    for vector in awgstar.cycle_vectors(root / "vectors", [folder]):
        place = root / "vectors" / vector.id
        stimulus, expect = lines(place / "stimulus.hex"), lines(place / "expect.hex")
        assert (len(stimulus), len(expect)) == (len(vector), len(vector))
        for cycle, i, line in zip(vector, stimulus, expect):
            number = 0
            for name, bits in vector.inputs:
                number = number << bits | cycle["inputs"][name]
            assert number == int(i, 16)
            pair = [0, 0]
            for name, bits in vector.outputs:
                pair = [before << bits | now for before, now in zip(pair, cycle["expected"][name])]
            assert pair == [int(part, 16) for part in line.split("_")]
        count += 1
    assert count == len(list((root / "vectors" / folder).glob("*/stimulus.hex"))) > 0


def test_what_a_vector_is_about(root: Path) -> None:
    (flush,) = awgstar.cycle_vectors(root / "vectors", ["board/flush"])
    assert (flush.module, flush.why) == ("smb", "FLUSH closes the frame under way")
    assert (flush.requirements, flush.answers) == (["WRT-3"], ["00000000", "00010000"])
    assert (flush.signals, flush.parameters) == (None, [])
    engine = next(awgstar.cycle_vectors(root / "vectors", ["board_engine"]))
    assert engine.parameters == ["ENGINE_NODE_W=2"] and engine.signals is not None
    modules = {v.id.split("/")[0]: v.module for v in awgstar.cycle_vectors(root / "vectors")}
    assert modules == {"board": "smb", "board_engine": "smb", "board_axi4": "smb_axi4", "node": "ring_node"}


def test_the_answers_are_in_the_cycles(root: Path) -> None:
    """What the host must read, written by hand, is on the port in these cycles, in this order."""
    for vector in awgstar.cycle_vectors(root / "vectors", ["board"]):
        read = []
        for cycle in vector:
            given, wanted = cycle["inputs"], cycle["expected"]
            if given["s_axi_rready"] and wanted["s_axi_rvalid"] == (1, 1):
                word, response = wanted["s_axi_rdata"], wanted["s_axi_rresp"]
                read.append("slverr" if response[0] == 2 else f"{word[0]:08x}")
            if given["s_axi_bready"] and wanted["s_axi_bvalid"] == (1, 1) and wanted["s_axi_bresp"][0] == 2:
                read.append("slverr")
        assert read == vector.answers, vector.id


def test_iterators_of_a_vector_are_independent(root: Path) -> None:
    (flush,) = awgstar.cycle_vectors(root / "vectors", ["board/flush"])
    first, second = iter(flush), iter(flush)
    assert next(first)["cycle"] == 0 and next(first)["cycle"] == 1 and next(second)["cycle"] == 0
    assert len(first) == len(flush) - 2
    assert len(list(first)) == len(flush) - 2


def test_wrong_folders_names_and_files_are_refused(root: Path, tmp_path: Path) -> None:
    with pytest.raises(VectorError) as error:
        awgstar.cycle_vectors(tmp_path)
    assert error.value.field == "folder" and error.value.place == str(tmp_path)
    with pytest.raises(VectorError) as error:
        awgstar.cycle_vectors(root / "vectors", ["board/flus"])
    assert error.value.found == "board/flus" and "board/flush" in error.value.expected
    folder = tmp_path / "board" / "broken"
    folder.mkdir(parents=True)
    source = root / "vectors" / "board" / "flush"
    for name in ("vector.toml", "stimulus.hex", "expect.hex"):
        (folder / name).write_text((source / name).read_text())
    assert len(next(awgstar.cycle_vectors(tmp_path))) > 0
    text = (source / "expect.hex").read_text()
    for broken in (text.replace("_", "", 1), text.splitlines()[0], text.replace("0004_1", "0004_g")):
        (folder / "expect.hex").write_text(broken + "\n")
        with pytest.raises(VectorError) as error:
            next(awgstar.cycle_vectors(tmp_path))
        assert "expect.hex" in str(error.value), str(error.value)

# SPDX-License-Identifier: MIT OR Apache-2.0
"""What Python gives for the scenarios of the documentation may not change unseen."""

import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

from awgstar import BoardRing, NodeRing, simulate
from awgstar.errors import AwgstarError

SCENARIOS = {
    NodeRing: ["demo", "first"],
    BoardRing: ["as_published", "cut_and_slow", "frames", "lock", "mailbox", "monitor_dies", "noise", "tokens"],
}


def parts(ring: NodeRing | BoardRing) -> Iterator[tuple[str, object]]:
    yield "cycle", ring.cycle
    yield "trace", ring.trace()
    yield "frames", ring.frames()
    each = ["counters", "registers"]
    if isinstance(ring, NodeRing):
        each += ["delivered", "returned", "sent"]
    else:
        yield "records", ring.records() if ring.firmware else []
        yield "memory", [hashlib.sha256(bytes(ring.memory(n).read(0, 16384))).hexdigest() for n in range(ring.nodes)]
    for name in each:
        yield name, [getattr(ring, name)(node) for node in range(ring.nodes)]


def outputs(scenarios: Path) -> Iterator[tuple[str, bytes]]:
    def text(value: object) -> bytes:
        return json.dumps(value, sort_keys=True, default=lambda other: bytes(other).hex()).encode()

    for kind, names in SCENARIOS.items():
        for name in names:
            ring = kind.from_file(scenarios / f"{name}.toml", trace=True)
            try:
                end = str(ring.run())
            except AwgstarError as error:
                end = str(error)
            yield f"{name}/end", end.encode()
            for part, value in parts(ring):
                yield f"{name}/{part}", text(value)
            yield f"{name}/report", text(simulate(scenarios / f"{name}.toml").data)


def test_outputs_are_those_recorded(root: Path, scenarios: Path) -> None:
    table = root / "testbench" / "fixtures" / "python.csv"
    lines = [f"{name},{len(data)},{hashlib.sha256(data).hexdigest()[:32]}" for name, data in outputs(scenarios)]
    text = "\n".join(["output,bytes,sha256", *sorted(lines)]) + "\n"
    if "UPDATE" in os.environ:
        table.write_text(text)
    changed = sorted(set(text.splitlines()) ^ set(table.read_text().splitlines()))
    assert not changed, f"{table.name}: write it again with UPDATE=1 and say why in CHANGELOG.md"

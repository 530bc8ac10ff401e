# SPDX-License-Identifier: MIT OR Apache-2.0
"""The examples of docs/python.md and of the package's README, run as they are printed."""

import doctest
import re
from pathlib import Path

import pytest


def test_the_tour_prints_what_it_shows(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = root / "docs" / "python.md"
    monkeypatch.chdir(root)
    # A fence would be taken for the output of the line before it.
    text = re.sub(r"^```.*$", "", page.read_text(), flags=re.M)
    tour = doctest.DocTestParser().get_doctest(text, {}, "python.md", str(page), 0)
    assert len(tour.examples) > 20
    found: list[str] = []
    options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.REPORT_NDIFF
    doctest.DocTestRunner(optionflags=options).run(tour, out=found.append)
    assert not found, "".join(found)


def test_the_example_of_the_readme_runs(root: Path) -> None:
    text = (root / "model" / "python" / "README.md").read_text()
    (example,) = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    exec(example, {})

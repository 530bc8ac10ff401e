# SPDX-License-Identifier: MIT OR Apache-2.0
"""Paths of the checkout that the tests read."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def scenarios() -> Path:
    """The folder with the scenarios of the documentation."""
    return ROOT / "docs" / "scenarios"

#!/bin/sh
# The Python package: lints, builds, installs and tests it, with the tools of requirements.txt.
#   test.sh [FOLDER]     FOLDER, by default target/python, takes what it builds and installs
# SPDX-License-Identifier: MIT OR Apache-2.0
set -eu
cd "$(dirname "$0")"
mkdir -p "${1:-../../target/python}"
out=$(cd "${1:-../../target/python}" && pwd)
export CARGO_TARGET_DIR="$out/cargo"

missing() { # what
    echo "missing: $1" >&2
    exit 2
}

environment() { # folder: an empty virtual environment
    rm -rf "$1"
    python3 -m venv "$1" || missing "the venv module of python3 (Debian: python3-venv)"
    "$1/bin/python" -m pip --version >/dev/null 2>&1 || missing "pip in the environment (Debian: python3-venv)"
}

echo "installing into $out/venv: $(grep -v '^#' requirements.txt | tr '\n' ' ')"
cmp -s requirements.txt "$out/installed.txt" || environment "$out/venv"
"$out/venv/bin/pip" install --quiet --disable-pip-version-check -r requirements.txt ||
    missing "network, or a package of requirements.txt"
cp requirements.txt "$out/installed.txt"
PATH="$out/venv/bin:$PATH"
export PATH PYO3_PYTHON="$out/venv/bin/python"

echo '== format, licences'
cargo fmt --check
cargo deny --locked --log-level error --config ../../deny.toml check bans licenses sources

echo '== wheel, linted as it is compiled, and sdist'
rm -rf "$out/dist"
CLIPPY_ARGS=-Dwarnings__CLIPPY_HACKERY__ RUSTC_WORKSPACE_WRAPPER=clippy-driver \
    maturin build --quiet --release --locked --out "$out/dist"
maturin sdist --out "$out/dist"
pip install --quiet --disable-pip-version-check --force-reinstall --no-deps "$out"/dist/*.whl

echo '== types'
mypy --strict python/awgstar
python -m mypy.stubtest awgstar --mypy-config-file pyproject.toml --allowlist stubtest.txt

echo '== tests'
pytest

echo '== the sdist in a clean environment'
environment "$out/clean"
"$out/clean/bin/pip" install --quiet --disable-pip-version-check "$out"/dist/*.tar.gz
(cd "$out" && clean/bin/python -c 'import awgstar; print(awgstar.explain(awgstar.encode("free", 1)).splitlines()[0])')

echo '== speed'
python -m awgstar.speed

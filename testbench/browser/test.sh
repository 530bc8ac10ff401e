#!/bin/sh
# The pages of runs, of a study and of a conformance report (docs/html.md) in headless Chromium: no request, no
# message on the console, search, filter, sorting, what a click shows, contrast, a phone, and 100,000 frames of 256 nodes.
#   test.sh [FOLDER]     FOLDER, by default target/browser, takes the tools, the pages and pictures of them
# Needs Icarus, Python 3 with venv and pip, and a network the first time. Installs Chromium with apt-get if there is none, and
# says so. Part of testbench/test.sh long.
# SPDX-License-Identifier: MIT OR Apache-2.0
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
mkdir -p "${1:-$root/target/browser}"
out=$(cd "${1:-$root/target/browser}" && pwd)

missing() { # what
    echo "missing: $1" >&2
    exit 2
}

# Path of the browser; the name of this function is none of its names, which `command -v` would find first.
browser() {
    command -v chromium || command -v chromium-browser || command -v google-chrome || true
}

if [ -z "$(browser)" ]; then
    command -v apt-get >/dev/null 2>&1 || missing "Chromium"
    echo "installing with apt-get: chromium"
    sudo=
    [ "$(id -u)" = 0 ] || sudo=sudo
    $sudo apt-get update -qq
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        chromium fonts-dejavu-core >/dev/null
fi
[ -n "$(browser)" ] || missing "Chromium"
if ! cmp -s "$here/requirements.txt" "$out/installed.txt"; then
    echo "installing into $out/venv: $(grep -v '^#' "$here/requirements.txt" | tr '\n' ' ')"
    python3 -m venv --clear "$out/venv" || missing "the venv module of python3 (Debian: python3-venv)"
    "$out/venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$here/requirements.txt" ||
        missing "network, or a package of requirements.txt"
    cp "$here/requirements.txt" "$out/installed.txt"
fi
cd "$root"
cargo build --quiet --workspace --locked
"$out/venv/bin/python" -B "$here/test.py" "$(browser)" target/debug/awgstar "$out"

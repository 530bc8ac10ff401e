#!/bin/sh
# Checks the scenario files of the repository with their schema by Taplo, without a network: all of docs pass, and
# every one of broken.txt fails (docs/scenarios.md#editors).
# Needs Python 3 with venv and pip, and a network the first time. Part of testbench/test.sh long.
# SPDX-License-Identifier: MIT OR Apache-2.0
set -eu

root="$(cd "$(dirname "$0")/../.." && pwd)"
here="$root/testbench/editors"
out="$root/target/editors"

missing() {
    echo "missing: $1" >&2
    exit 1
}

command -v python3 >/dev/null || missing "python3"
mkdir -p "$out"
if ! cmp -s "$here/requirements.txt" "$out/installed.txt"; then
    echo "editors: installing below target with pip: $(tail -n 1 "$here/requirements.txt")"
    python3 -m venv --clear "$out/venv" || missing "the venv module of python3 (python3-venv)"
    "$out/venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$here/requirements.txt" ||
        missing "network, or a package of requirements.txt"
    cp "$here/requirements.txt" "$out/installed.txt"
fi

cd "$out"
lint() { # files
    plain --schema "file://$root/docs/scenarios/scenario.schema.json" "$@"
}

plain() { # options and files
    RUST_LOG=warn "$out/venv/bin/taplo" lint --no-auto-config --colors never "$@"
}

good=0
for file in "$root"/docs/scenarios/*.toml "$root"/docs/study/*.toml; do
    lint "$file" || {
        echo "editors: refused: $file" >&2
        exit 1
    }
    good=$((good + 1))
done

rm -rf broken
mkdir broken
awk '/^#/ && !file { next }
     /^== / { file = sprintf("broken/%02d.toml", ++count); print "# " substr($0, 4) >file; next }
     { print >file }' "$here/broken.txt"
bad=0
for file in broken/*.toml; do
    if lint "$file" 2>"$file.log"; then
        echo "editors: not refused: $(head -n 1 "$file")" >&2
        exit 1
    fi
    # It is TOML: what is wrong is what the schema says.
    plain "$file"
    bad=$((bad + 1))
done
[ "$good" -ge 20 ] && [ "$bad" -ge 10 ] || {
    echo "editors: only $good files and $bad broken ones" >&2
    exit 1
}
echo "editors: $good scenario files pass, $bad broken ones are refused"

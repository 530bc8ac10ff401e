#!/bin/sh
# Stands for rustdoc in `cargo test --doc`: runs the examples of a crate, then writes its pages from the same
# crates. `cargo doc` would compile all dependencies once more, a minute of work.
# A page with a warning, such as a link to nothing, ends it.
# SPDX-License-Identifier: MIT OR Apache-2.0
set -eu
rustdoc "$@"
count=$#
while [ "$count" -gt 0 ]; do
    argument=$1
    shift
    count=$((count - 1))
    case $argument in
        --test) ;;
        --test-run-directory | --test-args) shift; count=$((count - 1)) ;;
        *) set -- "$@" "$argument" ;;
    esac
done
exec rustdoc "$@" -D warnings --out-dir "${CARGO_TARGET_DIR:-target}/doc"

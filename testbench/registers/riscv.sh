#!/usr/bin/env bash
# Compiles the driver in C for RISC-V, prints its size, and runs it on a processor of the model's tests beside
# boards of the model (docs/c-driver.md). Installs the compiler with apt-get if it is missing, and says so.
# Part of testbench/test.sh long.
# SPDX-License-Identifier: MIT OR Apache-2.0
set -euo pipefail

root="$(cd "$(dirname "$0")/../.." && pwd)"
driver="$root/hdl/driver"
out="$root/target/riscv"
gcc=riscv64-unknown-elf-gcc

if ! command -v "$gcc" >/dev/null; then
    command -v apt-get >/dev/null || {
        echo "riscv: missing: $gcc; no package manager known here that has it" >&2
        exit 2
    }
    sudo=
    [ "$(id -u)" = 0 ] || sudo=sudo
    echo "riscv: installing with apt-get: gcc-riscv64-unknown-elf"
    $sudo apt-get update -qq
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        gcc-riscv64-unknown-elf >/dev/null
fi

mkdir -p "$out"
flags=(-std=c99 -pedantic -ffreestanding -nostdlib -Wall -Wextra -Werror -Wconversion)
"$gcc" --version | head -1
for march in rv32imac rv32i; do
    for level in -O0 -O1 -O2 -O3 -Os; do
        "$gcc" -march=$march -mabi=ilp32 "${flags[@]}" $level -c "$driver/smb.c" -o "$out/smb.o"
        undefined="$(riscv64-unknown-elf-nm -u "$out/smb.o")"
        if [ -n "$undefined" ]; then
            echo "riscv: $march $level: the object needs a library: $undefined" >&2
            exit 1
        fi
        code="$(riscv64-unknown-elf-size "$out/smb.o" | awk 'NR == 2 { print $1 }')"
        data="$(riscv64-unknown-elf-size "$out/smb.o" | awk 'NR == 2 { print $2 + $3 }')"
        echo "smb.o, $march $level: $code bytes of code, $data of data"
    done
done

cat >"$out/sizes.c" <<'END'
#include "smb.h"
unsigned char driver[sizeof(struct smb)];
unsigned char lock[sizeof(struct smb_lock)];
unsigned char barrier[sizeof(struct smb_barrier)];
END
for nodes in 16 256; do
    "$gcc" -march=rv32i -mabi=ilp32 "${flags[@]}" -DSMB_NODES=$nodes -I "$driver" -c "$out/sizes.c" -o "$out/sizes.o"
    riscv64-unknown-elf-nm -S "$out/sizes.o" | while read -r _ size _ name; do
        echo "struct of the $name, SMB_NODES $nodes: $((16#$size)) bytes"
    done
done

cd "$root"
cargo test --workspace --locked --test c_driver -- --ignored --exact riscv::riscv_firmware_on_the_ring

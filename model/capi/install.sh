#!/bin/sh
# Installs libawgstar below a folder: header, libraries, manual page and pkg-config file.
#   sh model/capi/install.sh PREFIX [FOLDER]
# FOLDER has the built libraries; without it they are built first, optimised.
# SPDX-License-Identifier: MIT OR Apache-2.0
set -eu
[ $# -ge 1 ] || { sed -n '2,4s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mkdir -p "$1"
prefix=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
if [ $# -ge 2 ]; then
    built=$(cd "$2" && pwd)
else
    cd "$here/../.."
    cargo build --release --locked --package awgstar-capi
    built=${CARGO_TARGET_DIR:-$PWD/target}/release
fi
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$here/../../Cargo.toml" | head -n 1)
mkdir -p "$prefix/include" "$prefix/lib/pkgconfig" "$prefix/share/man/man3"
cp "$here/include/awgstar.h" "$prefix/include/"
cp "$built/libawgstar.a" "$built/libawgstar.so" "$prefix/lib/"
cp "$here/man/awgstar.3" "$prefix/share/man/man3/"
cat >"$prefix/lib/pkgconfig/awgstar.pc" <<END
prefix=$prefix

Name: awgstar
Description: Programs on a modelled AWG-STAR ring
Version: $version
Cflags: "-I\${prefix}/include"
Libs: "-L\${prefix}/lib" -lawgstar
Libs.private: -lm -lpthread -ldl
END
echo "libawgstar $version is installed below $prefix"

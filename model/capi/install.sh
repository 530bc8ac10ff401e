#!/bin/sh
# Installs libawgstar, librfm2g, libawgstar_armci, libawgstar_shmem and libawgstar_fdsm below a folder: headers,
# libraries, manual pages and pkg-config files.
#   sh model/capi/install.sh PREFIX [FOLDER]
# FOLDER has the built libraries; without it they are built first, optimised.
# SPDX-License-Identifier: MIT OR Apache-2.0
set -eu
[ $# -ge 1 ] || { sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mkdir -p "$1"
prefix=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
if [ $# -ge 2 ]; then
    built=$(cd "$2" && pwd)
else
    cd "$here/../.."
    cargo build --release --locked --package awgstar-capi --package awgstar-rfm2g --package awgstar-armci \
        --package awgstar-shmem --package awgstar-fdsm
    built=${CARGO_TARGET_DIR:-$PWD/target}/release
fi
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$here/../../Cargo.toml" | head -n 1)
mkdir -p "$prefix/include/awgstar_armci" "$prefix/include/awgstar_shmem" "$prefix/lib/pkgconfig" "$prefix/share/man/man3"
cp "$here/include/awgstar.h" "$here/../rfm2g/include/"*.h "$here/../fdsm/include/"*.h "$prefix/include/"
# Its mpi.h must not be taken for that of another MPI.
cp "$here/../armci/include/"*.h "$prefix/include/awgstar_armci/"
# Nor its shmem.h.
cp -R "$here/../shmem/include/." "$prefix/include/awgstar_shmem/"
cp "$here/man/awgstar.3" "$here/../armci/man/awgstar_armci.3" "$here/../shmem/man/awgstar_shmem.3" \
    "$here/../fdsm/man/awgstar_fdsm.3" "$prefix/share/man/man3/"
library() { # name, description, folder of the headers
    cp "$built/lib$1.a" "$built/lib$1.so" "$prefix/lib/"
    cat >"$prefix/lib/pkgconfig/$1.pc" <<END
prefix=$prefix

Name: $1
Description: $2
Version: $version
Cflags: "-I\${prefix}/include$3"
Libs: "-L\${prefix}/lib" -l$1
Libs.private: -lm -lpthread -ldl
END
    echo "lib$1 $version is installed below $prefix"
}
library awgstar "Programs on a modelled AWG-STAR ring" ""
library rfm2g "Programs for reflective-memory boards on a modelled AWG-STAR ring" ""
library awgstar_armci "ARMCI and a small MPI on a modelled AWG-STAR machine" /awgstar_armci
library awgstar_shmem "OpenSHMEM on a modelled AWG-STAR machine" /awgstar_shmem
library awgstar_fdsm "Shared memory of FDSM on a modelled AWG-STAR cluster" ""

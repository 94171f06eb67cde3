#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Kernels that move memory against the device's own copy of as many bytes and cuBLAS' transposition, on one GPU:
#     tests/bench/memory_against_peers.sh [budget]
# Sweeps `transpose` (each ladder's space `full`) and `stencil7` (one sweep, and twelve in passes of several) with an
# empty database and prints, for each size, the rates in GB/s, a float counted as read once and written once a sweep,
# and the ratio to the copy. The budget (default: 20s) is that of each sweep. $BUILD is the build folder (default:
# build). Needs sh, sed and awk only.
set -eu
build=${BUILD:-build}
budget=${1:-20s}
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT

peer() {
    "$build/tests/bench/memory_peers" "$@" | sed 's/.*"gigabytes_per_second": \([0-9.]*\).*/\1/'
}

# The first value of a key in indented JSON: the best configuration comes first.
first() {
    sed -n "s/^ *\"$1\": \([^,]*\),*$/\1/p" "$2" | head -n 1
}

# row TEMPLATE SPACE SIZE ELEMENTS SWEEPS CUBLAS: "-" where cuBLAS has no such function
row() {
    "$build/tune" "$1" --space "$2" --size "$3" --budget "$budget" --device cuda:0 --db "$home/tune.db" --json \
        >"$home/best.json"
    awk -v what="$1 $2 $3" -v ns="$(first time_ns "$home/best.json")" -v bytes="$((8 * $4 * $5))" \
        -v copy="$(peer copy "$4")" -v cublas="$6" 'BEGIN {
        rate = bytes / ns
        printf "%-55s %7.1f  copy %7.1f  ratio %.3f  cuBLAS %s\n", what, rate, copy, rate / copy, cublas
    }'
    sed -n '/"configuration"/,/}/p' "$home/best.json" | sed '/}/q' | tr -d '\n "' | sed 's/.*{/    /; s/}.*/\n/'
}

for size in 16384x16384 16381x16381 10007x4099 8192x8192; do
    rows=${size%x*} columns=${size#*x}
    row transpose full "ROWS=$rows,COLUMNS=$columns" $((rows * columns)) 1 "$(peer sgeam "$rows" "$columns")"
done
for space in patch temporal; do
    sweeps=1
    [ $space = temporal ] && sweeps=12
    row stencil7 $space "NX=512,NY=512,NZ=512,SWEEPS=$sweeps" $((512 * 512 * 512)) $sweeps -
done

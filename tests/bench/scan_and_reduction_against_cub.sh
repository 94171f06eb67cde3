#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prefix sums and reductions against CUB, and the device's own copy, on one GPU:
#     tests/bench/scan_and_reduction_against_cub.sh [budget]
# Sweeps `scan` (spaces lookback and ahead, half of the budget each) and `reduction` (full; sum, minimum, maximum, and
# the index of the minimum) with an empty database. Prints for each size the rates in GB/s, an element counted as read
# once and, in a scan, written once, and the ratio to CUB's. The budget (default: 20s) is that of each size. Needs nvcc
# for CUB, else its build's libcub_shim.so; $BUILD is the build folder (default: build), sh, sed and awk.
set -eu
build=${BUILD:-build}
budget=${1:-20}
budget=${budget%s}
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
[ -e "$build/tests/bench/libcub_shim.so" ] || cmake --build "$build" --target cub_shim

# The value of a key in the peer's line, or the first one in indented JSON: the best configuration comes first.
number() {
    sed -n "s/.*\"$1\": \"*\([^,\"}]*\).*/\1/p" | head -n 1
}

# row TEMPLATE SIZE BYTES CUB N SPACE ...
row() {
    template=$1 size=$2 bytes=$3 cub=$4 n=$5
    shift 5
    for space in "$@"; do
        "$build/tune" "$template" --space "$space" --size "$size" --budget "$((budget / $#))s" --device cuda:0 \
            --db "$home/tune.db" --quiet >"$home/out" 2>&1 || cat "$home/out"
    done
    "$build/tune" best "$template" --size "$size" --device cuda:0 --db "$home/tune.db" --json >"$home/best.json"
    "$build/tests/bench/cub_peers" "$cub" "$n" >"$home/cub.json"
    copy=$("$build/tests/bench/memory_peers" copy "$n" | number gigabytes_per_second)
    awk -v what="$template $size" -v ns="$(number time_ns <"$home/best.json")" -v bytes="$((bytes * n))" \
        -v cub="$(number gigabytes_per_second <"$home/cub.json")" -v copy="$copy" \
        -v version="$(number version <"$home/cub.json")" 'BEGIN {
        rate = bytes / ns
        printf "%-50s %7.1f  CUB %s %7.1f  ratio %.3f  copy %7.1f\n", what, rate, version, cub, rate / cub, copy
    }'
    sed -n '/"configuration"/,/}/p' "$home/best.json" | sed '/}/q' | tr -d '\n "' | sed 's/.*{/    /; s/}.*/\n/'
}

for n in 1048576 16777216 268435456 1073741824; do
    row scan "n=$n,KIND=1,NUMBERS=1,WHOLE=1" 8 inclusive_sum $n lookback ahead
done
row scan "n=268435456,KIND=2,NUMBERS=1,WHOLE=1" 8 exclusive_sum 268435456 lookback ahead
row scan "n=268435456,KIND=1,NUMBERS=2,WHOLE=1" 8 inclusive_sum_integers 268435456 lookback ahead
for n in 65536 1048576 16777216 268435456 1073741824; do
    operation=1
    for cub in sum min max argmin; do
        row reduction "n=$n,OPERATION=$operation,WHOLE=1" 4 $cub $n full
        operation=$((operation + 1))
    done
done

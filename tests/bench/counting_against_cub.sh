#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `histogram` and `merge_sort` against CUB's DeviceHistogram and DeviceMergeSort, on one GPU:
#     tests/bench/counting_against_cub.sh [budget]
# For each size sweeps the template with an empty database, times CUB before and after with the same kind of input, and
# prints both times, CUB's the better of its two, and how many times as fast the template is. The budget (default: 20s)
# is that of each sweep. $BUILD is the build folder (default: build). Needs nvcc, sh, sed and awk.
set -eu
build=${BUILD:-build}
budget=${1:-20s}
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
nvcc -O3 -arch=native -I. -shared -Xcompiler -fPIC -o "$home/libcub_counting.so" tests/bench/cub_counting.cu

cub() {
    "$build/tests/bench/cub_counting" "$home/libcub_counting.so" "$@" | sed 's/.*"CUB \([0-9]*\).*"time_ms": \([0-9.]*\).*/\1 \2/'
}

# The first value of a key in indented JSON: the best configuration comes first.
first() {
    sed -n "s/^ *\"$1\": \([^,]*\),*$/\1/p" "$2" | head -n 1
}

# row TEMPLATE SPACE KIND VALUE SHAPE N
row() {
    before=$(cub "$1" "$4" "$5" "$6")
    "$build/tune" "$1" --space "$2" --size "$3=$4,SHAPE=$5,n=$6" --budget "$budget" --device cuda:0 --db "$home/tune.db" \
        --json >"$home/best.json"
    after=$(cub "$1" "$4" "$5" "$6")
    echo "$before $after $(first time_ns "$home/best.json")" | awk -v what="$1 $2 $3=$4 SHAPE=$5 n=$6" '{
        cub = $2 < $4 ? $2 : $4
        printf "%-52s %9.4f ms  CUB %d %9.4f ms  %.2f times as fast\n", what, $5 / 1e6, $1, cub, 1e6 * cub / $5
    }'
    sed -n '/"configuration"/,/}/p' "$home/best.json" | sed '/}/q' | tr -d '\n "' | sed 's/.*{/    /; s/}.*/\n/'
}

for shape in 1 2 3; do
    row histogram group BITS 8 $shape 1073741824
done
for shape in 1 2 3; do
    row histogram packed BITS 16 $shape 536870912
done
for n in 16777216 268435456; do
    for words in 1 2; do
        row merge_sort path WORDS $words 1 $n
        row merge_sort four_way WORDS $words 1 $n
    done
done

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# gemm against cuBLAS SGEMM in pedantic fp32, on one GPU:
#     tests/bench/gemm_against_cublas.sh [M N K [space ...]]
# Sweeps each space (default: joint_reg_smem and full) with an empty database, times cuBLAS before and after, and prints
# the ratio, the rate of sweeping and the failures by kind. $BUILD is the build folder (default: build). Needs sh, sed
# and awk only.
set -eu
build=${BUILD:-build}
m=${1:-4096} n=${2:-4096} k=${3:-4096}
[ $# -gt 3 ] && shift 3 || set -- joint_reg_smem full
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT

cublas() {
    "$build/tests/bench/cublas_sgemm" "$m" "$n" "$k" | sed 's/.*"time_ms": \([0-9.]*\).*/\1/'
}

# The first value of a key in indented JSON: the best configuration comes first.
first() {
    sed -n "s/^ *\"$1\": \([^,]*\),*$/\1/p" "$2" | head -n 1
}

before=$(cublas)
for space in "$@"; do
    "$build/tune" gemm --space "$space" --size "M=$m,N=$n,K=$k" --device cuda:0 --db "$home/$space.db" --json \
        >"$home/$space.json"
done
after=$(cublas)

awk -v a="$before" -v b="$after" -v m="$m" -v n="$n" -v k="$k" 'BEGIN {
    flops = 2e-9 * m * n * k
    printf "cuBLAS SGEMM pedantic %dx%dx%d: %.4f ms before, %.4f ms after: %.2f TFLOP/s\n", m, n, k, a, b, flops / (a < b ? a : b)
}'
for space in "$@"; do
    file=$home/$space.json
    awk -v space="$space" -v ns="$(first time_ns "$file")" -v done="$(first done "$file")" -v s="$(first seconds "$file")" \
        -v a="$before" -v b="$after" -v m="$m" -v n="$n" -v k="$k" 'BEGIN {
        cublas = a < b ? a : b
        printf "%s: best %.4f ms, %.2f TFLOP/s, %.3f of cuBLAS; %d configurations in %.1f s, %.2f per second\n",
            space, ns * 1e-6, 2 * m * n * k / ns * 1e-3, cublas / (ns * 1e-6), done, s, done / s
    }'
    sed -n '/"failed"/,/}/p' "$file" | tr -d '\n '
    echo
    sed -n '/"configuration"/,/}/p' "$file" | sed '/}/q' | tr -d '\n '
    echo
done

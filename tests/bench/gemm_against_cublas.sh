#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# gemm against cuBLAS SGEMM, and gemm_aat against SSYRK, both in pedantic fp32, on one GPU:
#     tests/bench/gemm_against_cublas.sh [-s SPACE] [-b BUDGET] [MxNxK... NxK...]
# Three sizes are a product C = A B, two are C = A Aᵀ of an N x K matrix; without any, those of RESULTS.md. Times
# cuBLAS, sweeps SPACE (default: pipelined for gemm, panels_triangle for gemm_aat) with a database of its own for at
# most BUDGET (default: 60s) a size, times cuBLAS again and prints a table of ratios, in which cuBLAS has the better of
# its two times. $BUILD is the build folder (default: build). Needs sh, sed, awk and paste only.
set -eu
build=${BUILD:-build} space='' budget=60s
while getopts s:b: option; do
    case $option in
    s) space=$OPTARG ;;
    b) budget=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || set -- 1024x1024x1024 2048x2048x2048 4096x4096x4096 8192x8192x8192 3001x2999x3023 8192x64x8192 \
    16384x64x4096 64x16384x4096 65536x16x1024 4096x4096x64 128x128x262144 2048x2048 4096x4096 8192x8192
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT

# The time of each product, in order.
cublas() {
    "$build/tests/bench/cublas_sgemm" "$@" | sed 's/.*"time_ms": \([0-9.]*\).*/\1/'
}

# The first value of a key in indented JSON: the best configuration comes first.
first() {
    sed -n "s/^ *\"$1\": \([^,]*\),*$/\1/p" "$2" | head -n 1
}

sweep() {
    case $1 in
    *x*x*) template=gemm default=pipelined size=$(echo "$1" | sed 's/\(.*\)x\(.*\)x\(.*\)/M=\1,N=\2,K=\3/') ;;
    *) template=gemm_aat default=panels_triangle size=$(echo "$1" | sed 's/\(.*\)x\(.*\)/N=\1,K=\2/') ;;
    esac
    "$build/tune" "$template" --space "${space:-$default}" --size "$size" --device cuda:0 --budget "$budget" \
        --db "$home/gemm.db" --json >"$home/$1.json"
}

cublas "$@" >"$home/before"
for product in "$@"; do
    sweep "$product"
done
cublas "$@" >"$home/after"

printf '%-18s %10s %10s %7s %5s %7s  %s\n' product 'cuBLAS ms' 'best ms' ratio tried seconds 'best configuration'
paste "$home/before" "$home/after" | for product in "$@"; do
    read -r before after
    file=$home/$product.json
    best=$(sed -n '/"configuration"/,/}/p' "$file" | sed '/}/q' | tr -d '\n "' | sed 's/.*{//; s/}.*//')
    echo "$product $before $after $(first time_ns "$file") $(first done "$file") $(first seconds "$file") $best"
done | awk '{
    cublas = $2 < $3 ? $2 : $3
    printf "%-18s %10.4f %10.4f %7.3f %5d %7.1f  %s\n", $1, cublas, $4 * 1e-6, cublas / ($4 * 1e-6), $5, $6, $7
}'

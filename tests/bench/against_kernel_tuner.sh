#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tune against Kernel Tuner on one GPU: the same kernel and the same 324 configurations, each validated, all caches cold.
#     tests/bench/against_kernel_tuner.sh [M N K]
# $BUILD is the build folder (default: build). Needs python3 with kernel_tuner, cuda-python and cupy.
set -eu
build=${BUILD:-build}
m=${1:-4096} n=${2:-4096} k=${3:-4096}
here=$(dirname "$0")/kernel_tuner
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
export XDG_CACHE_HOME="$home/cache" CUDA_CACHE_PATH="$home/cuda"

number() { sed -n "s/.*\"$1\": *\([0-9.e+-]*\).*/\1/p" "$2" | head -n 1; }

start=$(date +%s.%N)
"$build/tune" "$here" --space "$here/tiles.space" --size "M=$m,N=$n,K=$k" --device cuda:0 --db "$home/tune.db" --quiet \
    --json >"$home/tune.json"
end=$(date +%s.%N)
python3 "$here/gemm.py" "$m" "$n" "$k" >"$home/kernel_tuner.log"
tail -n 1 "$home/kernel_tuner.log" >"$home/kernel_tuner.json"

awk -v done="$(number done "$home/tune.json")" -v s="$(number seconds "$home/tune.json")" \
    -v wall="$(awk "BEGIN { print $end - $start }")" -v best="$(number time_ns "$home/tune.json")" \
    -v kdone="$(number configurations "$home/kernel_tuner.json")" -v ks="$(number seconds "$home/kernel_tuner.json")" \
    -v kbest="$(number best_ms "$home/kernel_tuner.json")" 'BEGIN {
    printf "tune:         %d configurations in %.2f s (%.2f s from start to end of the program): %.2f per second; best %.4f ms\n",
        done, s, wall, done / wall, best * 1e-6
    printf "Kernel Tuner: %d configurations in %.2f s: %.2f per second; best %.4f ms\n", kdone, ks, kdone / ks, kbest
    printf "ratio: %.1f\n", (done / wall) / (kdone / ks)
}'
cat "$home/kernel_tuner.json"
tr -d '\n ' <"$home/tune.json"
echo

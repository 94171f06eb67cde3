#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `quadtree` against a tree built by the host on all processors and copied, and its sort against CUB's, on one GPU:
#     tests/bench/quadtree_against_host_and_cub.sh [budget]
# For each number of uniform points sweeps both variants with an empty database at one query, leaves of at most 32 points
# and 12 levels, and prints their times, that of the host and its copies, and that of CUB's radix sort of as many pairs of
# keys of 24 bits and values, which nothing that sorts first can beat: a floor. The budget (default: 20s) is that of each
# sweep. $BUILD is the build folder (default: build). Needs nvcc for CUB, else its build's libcub_shim.so; sh, sed and awk.
set -eu
build=${BUILD:-build}
budget=${1:-20s}
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
[ -e "$build/tests/bench/libcub_shim.so" ] || cmake --build "$build" --target cub_shim

# The value of a key in a peer's line, or the first one in indented JSON: the best configuration comes first.
number() {
    sed -n "s/.*\"$1\": \"*\([^,\"}]*\).*/\1/p" | head -n 1
}

# sweep SPACE N: nanoseconds of the best configuration.
sweep() {
    sed 's/^\(param CAPACITY *=\).*/\1 [32]/; s/^\(param DEPTH *=\).*/\1 [12]/' "spaces/quadtree/$1.space" >"$home/$1.space"
    "$build/tune" quadtree --space "$home/$1.space" --size "n=$2,QUERIES=1,SHAPE=1" --budget "$budget" --device cuda:0 \
        --db "$home/tune.db" --json | number time_ns
}

for n in 65536 1048576 4194304 67108864; do
    nodes=$(sweep nodes $n)
    morton=$(sweep morton $n)
    "$build/tests/bench/quadtree_cpu" --copy $n 32 12 >"$home/host.json"
    "$build/tests/bench/cub_peers" sort_pairs_24 $n >"$home/cub.json"
    awk -v n=$n -v nodes="$nodes" -v morton="$morton" -v build="$(number build_ms <"$home/host.json")" \
        -v copy="$(number copy_ms <"$home/host.json")" -v threads="$(number threads <"$home/host.json")" \
        -v cub="$(number time_ms <"$home/cub.json")" -v version="$(number version <"$home/cub.json")" 'BEGIN {
        printf "%9d points  morton %8.3f ms  nodes %8.3f ms (%.1f)  host, %d threads %.3f + copies %.3f ms (%.1f)  " \
               "CUB %s, sort alone %.3f ms (%.2f)\n",
               n, morton / 1e6, nodes / 1e6, nodes / morton, threads, build, copy, 1e6 * (build + copy) / morton,
               version, cub, 1e6 * cub / morton
    }'
done

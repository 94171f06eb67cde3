#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The ladder of nearest_neighbor on one GPU, and against the processor of the same machine:
#     tests/bench/nearest_neighbor_ladder.sh [N [budget]]
# Times the processor (nearest_neighbor_cpu), sweeps each space with an empty database (budget: of each, default 20s), and
# prints the best of each rung: its time, its rate, and how many times faster it is than both versions on the processor
# and than the unblocked kernel. $BUILD is the build folder (default: build). Needs sh, sed and awk only.
set -eu
build=${BUILD:-build}
n=${1:-65536} budget=${2:-20s}
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT

# The first value of a key in indented JSON: the best configuration comes first.
first() {
    sed -n "s/^ *\"$1\": \([^,]*\),*$/\1/p" "$2" | head -n 1
}

"$build/tests/bench/nearest_neighbor_cpu" "$n" >"$home/cpu"
sed 's/.*"version": "\([a-z]*\)", "threads": \([0-9]*\).*"time_ms": \([0-9.]*\).*/\1 \2 \3/' "$home/cpu" >"$home/rungs"
for space in direct blocked widened queries chunked expanded; do
    "$build/tune" nearest_neighbor --space "$space" --size "N=$n" --budget "$budget" --device cuda:0 \
        --db "$home/$space.db" --json >"$home/$space.json"
    echo "$space - $(first time_ns "$home/$space.json")" | awk '{ print $1, $2, $3 * 1e-6 }' >>"$home/rungs"
    sed -n '/"configuration"/,/}/p' "$home/$space.json" | sed '/}/q' | tr -d '\n ' >"$home/$space.best"
done
awk -v n="$n" '
    $1 == "plain" { plain = $3 }
    $1 == "parallel" { parallel = $3 }
    $1 == "direct" { direct = $3 }
    BEGIN { print "rung       threads   time ms   10^9 pairs/s   x plain   x parallel   x direct" }
    {
        printf "%-9s %8s %9.3f %14.1f %9.1f %12.1f", $1, $2, $3, n * n / $3 * 1e-6, plain / $3, parallel / $3
        if (direct) printf " %10.2f", direct / $3
        printf "\n"
    }' "$home/rungs"
for space in direct blocked widened queries chunked expanded; do
    echo "$space: $(cat "$home/$space.best")"
done

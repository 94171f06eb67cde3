#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# How fast the CPU device sweeps gemm at its default size:
#     tests/bench/cpu_sweep.sh [space ...]
# Sweeps each space (default: joint_reg_smem, and gemm's default space thread_coarsening) with an empty database and an
# empty cache. Prints configurations per second, where the time went, and the processor time of all processes, which is
# the better figure on a machine with other load. $BUDGET, such as 200 or 30s, ends a sweep earlier. $BUILD is the build
# folder (default: build). Needs sh, sed and awk only.
set -eu
build=${BUILD:-build}
[ $# -gt 0 ] || set -- joint_reg_smem thread_coarsening
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT

# User and system seconds of the children that the shell has waited for: the second line of `times`. A subshell would
# start from zero.
processor_seconds() {
    sed -n 2p "$1" | sed 's/m/ /g; s/s//g' | awk '{print 60 * ($1 + $3) + $2 + $4}'
}

for space in "$@"; do
    times >"$home/before"
    XDG_CACHE_HOME=$home/cache-$space "$build/tune" gemm --space "$space" --device cpu --db "$home/$space.db" --quiet \
        ${BUDGET:+--budget "$BUDGET"} >"$home/$space.txt"
    times >"$home/after"
    sed -n '1,/^best:/p' "$home/$space.txt" | grep -E ' of [0-9]+ configurations|failed|: |GFLOP/s$' || true
    sed -n 's/^\([0-9]*\) of [0-9]* configurations in \([0-9.]*\) s.*/\1 \2/p' "$home/$space.txt" |
        awk -v space="$space" -v before="$(processor_seconds "$home/before")" \
            -v after="$(processor_seconds "$home/after")" '{
            printf "%s: %.1f configurations per second; %.3f s of processor time each\n", space, $1 / $2, (after - before) / $1
        }'
done

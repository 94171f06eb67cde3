#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `spmv` against cuSPARSE's SpMV on one GPU, on matrices of each shape with 2^22 rows:
#     tests/bench/spmv_against_cusparse.sh [budget [rows [mean]]]
# For each shape sweeps every format's space with an empty database, a tenth of the budget each (default: 100s), and
# times all of cuSPARSE's algorithms before and after, its preprocessing left out. Prints the time of each format's
# best configuration, and the ratio of the least of cuSPARSE's times to the least of these. $BUILD is the build folder
# (default: build). Needs sh, sed, sort and awk only.
set -eu
build=${BUILD:-build}
budget=${1:-100}
budget=${budget%s}
rows=${2:-4194304}
mean=${3:-32}
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT

# The fastest algorithm comes last.
cusparse() {
    "$build/tests/bench/cusparse_spmv" "$1" | tee -a "$home/all" | tail -n 1
}

# The value of a key in the peer's line, or the first one in indented JSON: the best configuration comes first.
first() {
    sed -n "s/.*\"$1\": \"*\([^,\"}]*\).*/\1/p" "$2" | head -n 1
}

for shape in 1 2 3 4; do
    size="ROWS=$rows,COLUMNS=$rows,MEAN=$mean,SHAPE=$shape"
    : >"$home/all"
    : >"$home/times"
    cusparse "$size" >"$home/before"
    for space in csr_thread csr_warp ell coo hybrid hybrid_host jds_csr jds_transposed jds_ell csr_split merge tiles; do
        "$build/tune" spmv --space $space --size "$size" --budget "$((budget * 100))ms" --device cuda:0 --json \
            --db "$home/$shape.$space.db" >"$home/$space.json" 2>"$home/errors" || { # ELL has no place for long rows
            echo "    $space: $(head -n 1 "$home/errors")"
            continue
        }
        echo "$(first time_ns "$home/$space.json") $space $(sed -n '/"configuration"/,/}/p' "$home/$space.json" |
            sed '/}/q' | tr -d '\n "' | sed 's/.*{//; s/}.*//')" >>"$home/times"
    done
    cusparse "$size" >"$home/after"
    sort -g "$home/times" | awk '{ printf "    %9.4f ms  %-15s %s\n", $1 / 1e6, $2, $3 }'
    sed 's/.*"algorithm": "\([a-z0-9_]*\)".*"time_ms": \([0-9.]*\).*/    \2 ms  cuSPARSE \1/' "$home/all"
    echo "$(first time_ms "$home/before") $(first time_ms "$home/after") $(first algorithm "$home/after") \
        $(first version "$home/after") $(sort -g "$home/times" | head -n 1)" | awk -v size="$size" '{
        peer = $1 < $2 ? $1 : $2
        printf "%s: %s %.4f ms, cuSPARSE %s %s %.4f ms, ratio %.3f\n", size, $6, $5 / 1e6, $4, $3, peer, 1e6 * peer / $5
    }'
done

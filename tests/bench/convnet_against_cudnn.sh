#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# convnet against cuDNN's fastest algorithm in fp32 (CUDNN_FMA_MATH), on one GPU:
#     tests/bench/convnet_against_cudnn.sh [budget [layer ...]]
# A layer is N,C,H,W,M,K; the default are six from networks. cuDNN is timed before and after the sweeps of the spaces
# implicit and winograd, each with an empty database and the budget (default 20s). Prints a line for each layer and
# space: times, rates by the layer's definition, and the ratio. $BUILD is the build folder (default: build), $CUDNN may
# name the library. Needs sh, sed and awk only.
set -eu
build=${BUILD:-build}
budget=${1:-20s}
[ $# -gt 1 ] && shift || set -- 32,64,56,56,64,3 32,128,28,28,128,3 32,512,7,7,512,3 32,256,56,56,64,1 \
    16,256,56,56,256,3 64,48,27,27,128,5
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT

# The fastest algorithm comes last.
cudnn() {
    "$build/tests/bench/cudnn_convolution" $(echo "$1" | tr , ' ') | tail -n 1
}

# The first value of a key in JSON: the best configuration comes first.
first() {
    sed -n "s/.*\"$1\": \"*\([^,\"]*\).*/\1/p" "$2" | head -n 1
}

for layer in "$@"; do
    size=$(echo "$layer" | sed 's/\(.*\),\(.*\),\(.*\),\(.*\),\(.*\),\(.*\)/N=\1,C=\2,H=\3,W=\4,M=\5,K=\6/')
    cudnn "$layer" >"$home/before"
    for space in implicit winograd; do
        [ "$space" = winograd ] && [ "${layer##*,}" = 1 ] && continue
        "$build/tune" convnet --space "$space" --size "$size" --budget "$budget" --device cuda:0 --json \
            --db "$home/$layer.$space.db" >"$home/$space.json"
    done
    cudnn "$layer" >"$home/after"
    for space in implicit winograd; do
        [ -f "$home/$space.json" ] || continue
        echo "$layer $space $(first time_ms "$home/before") $(first time_ms "$home/after") \
            $(first algorithm "$home/before") $(first time_ns "$home/$space.json")"
        sed -n '/"configuration"/,/}/p' "$home/$space.json" | sed '/}/q' | tr -d '\n '
        echo
        rm "$home/$space.json"
    done
done | awk '/^"/ { print "    " $0; next } {
    split($1, s, ",")
    flops = 2 * s[1] * s[2] * (s[3] - s[6] + 1) * (s[4] - s[6] + 1) * s[5] * s[6] * s[6] * 1e-9
    peer = $3 < $4 ? $3 : $4
    printf "%-22s %-8s %.4f ms %5.1f TFLOP/s; cuDNN %s %.4f ms %5.1f TFLOP/s; %.2f of cuDNN\n",
        $1, $2, $6 * 1e-6, flops / ($6 * 1e-6), $5, peer, flops / peer, peer / ($6 * 1e-6)
}'

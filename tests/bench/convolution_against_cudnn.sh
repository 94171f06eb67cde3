#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# conv1d and conv2d against cuDNN's fastest algorithm in fp32 and against the device's limits, on one GPU:
#     tests/bench/convolution_against_cudnn.sh [budget [case ...]]
# A case is HEIGHT,WIDTH,MASK: with a HEIGHT of 1 conv1d, else conv2d with a square mask. The default are a signal of
# 2^26 values and an image of 8192 x 8192 with masks from 3 to 15. For each case the device's copy and cuDNN (one
# channel, one filter) are timed before and after a sweep of the space full with an empty database and the budget
# (default 20s). Prints a line for each: times, the share of the floor, which is the larger of the time of the copy and
# that of the multiply-adds at the measured ceiling (tune ceilings), and how many times faster than cuDNN it is; then
# the configurations. $BUILD is the build folder (default: build), $CUDNN may name the library. Needs sh, sed and awk only.
set -eu
build=${BUILD:-build}
budget=${1:-20s}
[ $# -gt 1 ] && shift || set -- 1,67108864,3 1,67108864,7 1,67108864,15 \
    8192,8192,3 8192,8192,5 8192,8192,7 8192,8192,9 8192,8192,11 8192,8192,15
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT

# The first value of a key in JSON, or the last: the fastest algorithm of cuDNN comes last.
first() {
    sed -n "s/.*\"$1\": \"*\([^,\"]*\).*/\1/p" "$2" | head -n 1
}
last() {
    sed -n "s/.*\"$1\": \"*\([^,\"]*\).*/\1/p" "$2" | tail -n 1
}

peers() { # height width mask file
    mask=$3
    [ "$1" = 1 ] && mask=1x$3
    "$build/tests/bench/memory_peers" copy $(($1 * $2)) >"$4.copy"
    "$build/tests/bench/cudnn_convolution" 1 1 "$1" "$2" 1 "$mask" same >"$4.cudnn"
}

"$build/tune" ceilings --device cuda:0 --db "$home/ceilings.db" --json >"$home/ceilings"
flops=$(sed -n '/"figure": "flops"/,/"rate"/s/.*"rate": \([0-9.e+]*\).*/\1/p' "$home/ceilings" | head -n 1)
echo "multiply-adds a second: $(echo "$flops" | awk '{ print $1 / 2 }')"
echo "height,width,mask    best ms   copy ms  FMAs ms   of floor  cuDNN ms  x cuDNN  algorithm"
for case in "$@"; do
    height=${case%%,*} mask=${case##*,} width=${case#*,}
    width=${width%,*}
    if [ "$height" = 1 ]; then
        template=conv1d size=N=$width,MASK=$mask fmas=$((width * mask))
    else
        template=conv2d size=HEIGHT=$height,WIDTH=$width,MASK=$mask fmas=$((height * width * mask * mask))
    fi
    peers "$height" "$width" "$mask" "$home/before"
    "$build/tune" $template --space full --size "$size" --budget "$budget" --device cuda:0 --db "$home/$case.db" --json \
        >"$home/best"
    peers "$height" "$width" "$mask" "$home/after"
    echo "$(first time_ns "$home/best") $(first time_ms "$home/before.copy") $(first time_ms "$home/after.copy") \
        $(last time_ms "$home/before.cudnn") $(last time_ms "$home/after.cudnn") $(last algorithm "$home/after.cudnn")" |
        awk -v name="$case" -v fmas="$fmas" -v flops="$flops" '{
            ours = $1 * 1e-6
            copy = $2 < $3 ? $2 : $3
            cudnn = $4 < $5 ? $4 : $5
            arithmetic = 2 * fmas / flops * 1e3
            printf "%-18s %9.4f %9.4f %8.4f %8.1f %% %9.4f %8.2f  %s\n", name, ours, copy, arithmetic,
                100 * (copy > arithmetic ? copy : arithmetic) / ours, cudnn, cudnn / ours, $6
        }'
    echo "$case: $(sed -n '/"configuration"/,/}/p' "$home/best" | sed '/}/q' | tr -d '\n ')" >>"$home/configurations"
done
cat "$home/configurations"

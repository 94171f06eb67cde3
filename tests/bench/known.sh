#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Measures what db/known/ ships, on the first GPU: the best configurations, and trees that pick one for any size.
#     tests/bench/known.sh TAG [template ...]
# Sweeps what known_sizes.txt lists for the templates (default: all of them) and writes into the folder known, to be looked at
# and moved to db/known/:
#     <template>-TAG.json         the best of each size and rung (TAG: h100, h200, ...)
#     <template>-sizes-TAG.json   for templates with a file of sizes: their best, and the tree
# Environment: $TUNE is the program (default: build/tune), $DEVICE the device (cuda:0), $LIST another list, with its files of
# sizes beside it; $BUDGET and $SET_BUDGET what each sweep of one size and of many may take instead of what the list says.
# $DB is a database to go on with (default: a fresh one; sweeps of many sizes have $DB.sizes): searches start with what was
# best in it, also of older kernels. A sweep that fails is told and left out. .github/CONTRIBUTING.md says how to contribute
# results of your GPU.
set -eu
[ $# -gt 0 ] || { sed -n 's/^# //p' "$0" | sed 1d; exit 2; }
tag=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
tune=${TUNE:-build/tune}
device=${DEVICE:-cuda:0}
list=${LIST:-$here/known_sizes.txt}
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
db=${DB:-$home/known.db}
mkdir -p known

wanted() {
    [ $# -eq 1 ] && return 0
    template=$1
    shift
    for name in "$@"; do
        [ "$name" = "$template" ] && return 0
    done
    return 1
}

sweep() {
    "$tune" "$@" --device "$device" --seed 1 --quiet >"$home/out" 2>&1 || { echo "$*:"; cat "$home/out"; }
}

grep -v '^#' "$list" | while read -r template space budget size; do
    wanted "$template" "$@" || continue
    case $size in
    *.sizes)
        sweep "$template" --space "$space" --sizes "$(dirname "$list")/$size" --budget "${SET_BUDGET:-$budget}" --db "$db.sizes"
        grep 'of the best found' "$home/out" | sed "s/^/$template: /"
        ;;
    *)
        sweep "$template" --space "$space" --size "$size" --budget "${BUDGET:-$budget}" --db "$db"
        "$tune" best "$template" --db "$db" --device "$device" --size "$size" 2>/dev/null | tail -n 1
        ;;
    esac
done

templates() { # whose sizes match a pattern, once each
    grep -v '^#' "$list" | grep "$1" | cut -d ' ' -f 1 | sort -u
}

for template in $(templates '[0-9]$'); do
    wanted "$template" "$@" || continue
    ladder=--ladder
    [ "$template" = copy ] && ladder=
    "$tune" export --known "$template" $ladder --db "$db" --device "$device" -o "known/$template-$tag.json"
done
for template in $(templates '\.sizes$'); do
    wanted "$template" "$@" || continue
    "$tune" export --known "$template" --db "$db.sizes" --device "$device" -o "known/$template-sizes-$tag.json"
done

# What the device can do at best: the sweeps have measured it. The best of each probe.
if wanted ceilings "$@"; then
    "$tune" ceilings --db "$db" --device "$device"
    "$tune" export --known ceilings --ladder=PIPE --db "$db" --device "$device" -o "known/ceilings-$tag.json"
fi

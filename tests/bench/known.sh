#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Measures the best configurations that db/known/ ships, on the first GPU:
#     tests/bench/known.sh TAG [template ...]
# Sweeps every size that known_sizes.txt lists for the templates (default: all of them) and writes
# known/<template>-TAG.json (TAG: h100, h200, ...) into the current folder, to be looked at and moved to db/known/.
# $TUNE is the program (default: build/tune), $BUDGET what each sweep may take instead of what the list says, $DB a
# database to go on with (default: a fresh one): searches start with what was best in it, also of older kernels. A sweep
# that fails is told and left out. .github/CONTRIBUTING.md says how to contribute results of your GPU.
set -eu
[ $# -gt 0 ] || { sed -n 's/^# //p' "$0" | sed 1d; exit 2; }
tag=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
tune=${TUNE:-build/tune}
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

grep -v '^#' "$here/known_sizes.txt" | while read -r template space budget size; do
    if [ $# -gt 0 ] && ! wanted "$template" "$@"; then continue; fi
    "$tune" "$template" --space "$space" --size "$size" --device cuda:0 --budget "${BUDGET:-$budget}" --seed 1 \
        --db "$db" --quiet >"$home/out" 2>&1 || { echo "$template $size:"; cat "$home/out"; }
    "$tune" best "$template" --db "$db" --device cuda:0 --size "$size" 2>/dev/null | tail -n 1
done
for template in $(grep -v '^#' "$here/known_sizes.txt" | cut -d ' ' -f 1 | sort -u); do
    if [ $# -gt 0 ] && ! wanted "$template" "$@"; then continue; fi
    ladder=--ladder
    [ "$template" = copy ] && ladder=
    "$tune" export --known "$template" $ladder --db "$db" --device cuda:0 -o "known/$template-$tag.json"
done

# What the device can do at best: the sweeps have measured it. The best of each probe.
if wanted ceilings "$@"; then
    "$tune" ceilings --db "$db" --device cuda:0
    "$tune" export --known ceilings --ladder=PIPE --db "$db" --device cuda:0 -o "known/ceilings-$tag.json"
fi

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One GPU against all identical ones: how much faster is a sweep that measuring limits?
#     tests/bench/several_gpus.sh [SIZE [space]]
# A first sweep fills the cache of compiled images, so that those that count have nothing to compile; each has an empty
# database. All GPUs are used twice: by one process, and where there is MPI by mpirun, with a rank for each GPU. Prints
# configurations per second, the ratios to one GPU, how the work was divided, and whether two sweeps at once on one GPU
# disturb each other's times. $BUILD is the build folder (default: build), $ONE the one device (default: cuda:0), and
# $RANKS the number of ranks (default: that of the GPUs). Needs two GPUs, sh, sed, awk and python3.
set -eu
build=${BUILD:-build}
one=${ONE:-cuda:0}
size=${1:-M=4096,N=4096,K=4096}
space=${2:-full}
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
export XDG_CACHE_HOME="$home/cache"

sweep() { # database, device; before it, how to start the program
    name=$1 device=$2
    shift 2
    "$@" "$build/tune" gemm --space "$space" --size "$size" --device "$device" --seed 1 --db "$home/$name.db" --json --quiet \
        >"$home/$name.json"
}

query() { # database, statement
    python3 -c 'import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
database.execute("attach ? as alone", (sys.argv[2],))
for row in database.execute(sys.argv[3]):
    print(*row)' "$home/$1.db" "$home/one.db" "$2"
}

# The first value of a key in indented JSON.
first() {
    sed -n "s/^ *\"$1\": \([^,]*\),*$/\1/p" "$home/$2.json" | head -n 1
}

# A sweep against that by one GPU, and who measured what.
compare() { # database, how it was made
    awk -v how="$2" -v a="$(first done one)" -v s="$(first seconds one)" -v b="$(first done "$1")" -v t="$(first seconds "$1")" 'BEGIN {
        printf "one GPU: %d configurations in %.1f s, %.2f per second; %s: %d in %.1f s, %.2f per second; ratio %.2f\n",
            a, s, a / s, how, b, t, b / t, (b / t) / (a / s)
    }'
    query "$1" "select uuid, count(*), sum(outcome = 'ok') from evaluation join problem on problem.id = evaluation.problem
        join template on template.id = problem.template where template.name <> 'ceilings' group by uuid"
}

sweep fill all
sweep one "$one"
sweep all all
compare all "all"
if [ -e "$build/libtune_mpi.so" ] && command -v mpirun >/dev/null; then
    ranks=${RANKS:-$(query all "select count(distinct uuid) from evaluation where uuid is not null")}
    sweep ranks all mpirun --oversubscribe --bind-to none -n "$ranks"
    compare ranks "by $ranks ranks"
fi

# Two sweeps at once on one GPU, each with its own database: the ratios of their times to those of the sweep alone.
sweep first "$one" &
other=$!
sweep second "$one"
wait $other
for name in first second; do
    query "$name" "select e.time_ns / a.time_ns from evaluation e join alone.evaluation a using (configuration)
        where e.outcome = 'ok' and a.outcome = 'ok' order by 1" |
        awk -v name="$name" -v s="$(first seconds "$name")" '{ r[NR] = $1 } END {
            printf "%s of two on one GPU: %.1f s; times over those alone: median %.4f, 1st to 99th percentile %.4f to %.4f\n",
                name, s, r[int((NR + 1) / 2)], r[int(NR * 0.01) + 1], r[int(NR * 0.99)]
        }'
done

# SPDX-License-Identifier: Apache-2.0
"""How far away may the result be that answers for a problem? From results that are there already.

    TUNE_LIBRARY=build/libtune.so PYTHONPATH=tuner/python python3 tests/bench/reach.py DATABASE=DEVICE ...

DEVICE is "cpu:0" or the path of a description (`tune list devices --json`; `device` of a file in db/known/) of what the
database was measured on. For each pair of problems of a kernel, the best configuration of one is taken for the other,
where both it and the default were measured; a limit replaces it by the default where the problems are farther apart
(octaves as in tuner/select/nearness.h). Prints, for each limit, how many times as fast as the default that is
(geometric mean over the problems, of each the mean over its pairs): of two thirds of the problems, by which the limit
is chosen, and of the third that is kept out (by a hash of their names).
"""
import collections
import hashlib
import math
import sys

import tune
from stored import default_of, measured, octaves, sizes_of

LIMITS = [*range(1, 21), 60]


def pairs_of(database, device):
    """(problem, octaves, times as fast as the default)."""
    times, session, unmeasured = measured(database), tune.Session(database="/nonexistent"), 0
    best = {problem: min(each, key=each.get) for problem, each in times.items()}
    for problem in times:
        template, sizes = problem[0], sizes_of(problem[1])
        usual = times[problem].get(default_of(session, device, template, sizes))
        for other in times:
            if other[0] == template and other != problem and usual:
                answer = times[problem].get(best[other])
                unmeasured += not answer
                if answer:
                    yield (device, *problem), octaves(sizes, sizes_of(other[1])), usual / answer
    print(f"{database}: {len(times)} problems; of {unmeasured} pairs the answer was never measured", file=sys.stderr)


def is_kept_out(problem):
    return int(hashlib.sha256(" ".join(problem[1:]).encode()).hexdigest(), 16) % 3 == 0


def gain(pairs, limit, kept_out):
    logarithms = collections.defaultdict(list)
    for problem, distance, ratio in pairs:
        if is_kept_out(problem) == kept_out:
            logarithms[problem].append(math.log(ratio) if distance <= limit else 0)
    means = [sum(each) / len(each) for each in logarithms.values()]
    return math.exp(sum(means) / len(means)) if means else math.nan


everything = {argument: list(pairs_of(*argument.split("=", 1))) for argument in sys.argv[1:]}
everything["all"] = [pair for pairs in everything.values() for pair in pairs]
print("limit " + " ".join(f"{name.split('/')[-1]:>22}" for name in everything))
for limit in LIMITS:
    print(f"{limit:5} " + " ".join(f"{gain(pairs, limit, False):14.3f}{gain(pairs, limit, True):8.3f}"
                                   for pairs in everything.values()))

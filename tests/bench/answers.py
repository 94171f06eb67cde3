# SPDX-License-Identifier: Apache-2.0
"""How much of the optimum answers without a search give, from results that are there already.

    [TUNE_LIBRARY=build/libtune.so PYTHONPATH=tuner/python] python3 tests/bench/answers.py DATABASE DEVICE [KNOWN.json ...]
        [--describe DESCRIPTION.json]

For each problem that DATABASE has of the device whose name holds DEVICE, its best is compared with what these answers took
when they were measured there; the problem's own results are left out. By the rules of tuner/select/selection.h:

    3, size          the best of the device's nearest other size, by octaves over all sizes and what powers of two divide
                     them; of inputs of another kind (sizes SHAPE, BITS, KIND, ...) nothing is taken
    3, GPU           the best configuration that a file of known results (db/known/, `tune export --known`) has for the very
                     same problem on another device
    3, GPU and size  the same for the nearest other problem
    3, nearest       whichever of the three is nearest: a device of another model is as far as an octave, and as those between
                     the bandwidths of their memory (1.5 in all between an H100 and an H200)
    4, default       the template's; needs the library (TUNE_LIBRARY) and a description of the device (`device` of a file in
                     db/known/)

Rule 1, the problem itself, gives all of the optimum; rule 2 needs the tree of a sweep over many sizes: sizes.py. Prints the
share of the optimum for each problem, then a table: geometric mean, least, number of problems, and of how many more the answer
was never measured. Sweeps that began with known results have measured nearly all answers from another GPU, and those of other
sizes less often. The optimum is the best that is known, not that of the space.
"""
import argparse
import json
import math

from stored import configuration_of, default_of, measured, octaves, sizes_of

OTHER_DEVICE = 1.5  # octaves, between an H100 and an H200: nearness.h
KINDS = {"SHAPE", "BITS", "KIND", "NUMBERS", "WHOLE", "OPERATION", "WORDS", "SWEEPS"}

parser = argparse.ArgumentParser()
parser.add_argument("database")
parser.add_argument("device")
parser.add_argument("known", nargs="*")
parser.add_argument("--describe")
options = parser.parse_args()


def key_of(template, size):
    return template, tuple(sorted(sizes_of(size).items()))


def distance(a, b):
    """Octaves between problems of a template; None if they are not of one kind."""
    a, b = dict(a[1]), dict(b[1])
    if a.keys() != b.keys() or any(a[name] != b[name] for name in a if name in KINDS):
        return None
    return octaves(a, b)


def known_results():
    """The best configuration of each problem of other devices, by problem."""
    best = {}
    for path in options.known:
        with open(path) as file:
            document = json.load(file)
        for problem in document["problems"]:
            results = [result for part in problem.values() if isinstance(part, list) for result in part]
            result = min(results, key=lambda result: result["time_ns"])
            best[key_of(document["template"], problem["size"])] = configuration_of(result["configuration"])
    return best


def nearest(key, best):
    """The best of another problem of the kernel, and its distance."""
    others = [(distance(key, other), other) for other in best if other[0] == key[0] and other != key]
    others = [(away, other) for away, other in others if away is not None]
    return (min(others)[0], best[min(others)[1]]) if others else None


def default_answers(times):
    import tune
    session = tune.Session(database="/nonexistent")
    for key in times:
        try:
            yield key, default_of(session, options.describe, key[0], dict(key[1]))
        except tune.Error:
            continue


def judge(what, answers, times):
    shares, unmeasured = [], 0
    for key, configuration in answers:
        if key not in times:
            continue
        time = times[key].get(configuration)
        if time is None:
            unmeasured += 1
            continue
        shares.append(min(times[key].values()) / time)
        print(f"{what:16} {key[0]:18} {','.join(f'{name}={value}' for name, value in key[1]):48} {shares[-1]:.3f}")
    if shares:
        mean = math.exp(sum(map(math.log, shares)) / len(shares))
        table.append(f"| {what} | {len(shares)} ({unmeasured} more) | {mean:.3f} | {min(shares):.3f} |")


table = []
times = {key_of(*problem): each for problem, each in measured(options.database, f"%{options.device}%").items()}
own = {key: min(each, key=each.get) for key, each in times.items()}
others = known_results()
by_size = {key: nearest(key, own) for key in times}
by_device = {key: (OTHER_DEVICE, others[key]) for key in times if key in others}
by_both = {key: near and (OTHER_DEVICE + near[0], near[1]) for key in times for near in [nearest(key, others)]}
rules = {"3, size": by_size, "3, GPU": by_device, "3, GPU and size": by_both,
         "3, nearest": {key: min((one for one in (by_size.get(key), by_device.get(key), by_both.get(key)) if one), default=None)
                        for key in times}}
for rule, found in rules.items():
    judge(rule, ((key, near[1]) for key, near in found.items() if near), times)
if options.describe:
    judge("4, default", default_answers(times), times)
print("\n| answer | problems | geometric mean | least |\n|---|---|---|---|")
print("\n".join(table))

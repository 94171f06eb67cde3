# SPDX-License-Identifier: Apache-2.0
"""How much of the optimum answers without a search give, from results that are there already.

    python3 tests/bench/answers.py DATABASE DEVICE [KNOWN.json ...]

For each problem that DATABASE has of the device whose name holds DEVICE, its best is compared with what these answers took
when they were measured there:

    another GPU      the best configuration that a file of known results (db/known/, `tune export --known`) has for the very
                     same problem on another device
    another size     the best of the device's nearest other size, by octaves over all sizes; of inputs of another kind
                     (sizes SHAPE, BITS, KIND, ...) nothing is taken

Prints the share of the optimum for each problem, then geometric mean, least, and how many problems had an answer that was
never measured. Sweeps that began with known results have measured nearly all answers from another GPU, and those of other
sizes less often. The optimum is the best that is known, not that of the space.
"""
import argparse
import collections
import json
import math
import sqlite3

KINDS = {"SHAPE", "BITS", "KIND", "NUMBERS", "WHOLE", "OPERATION", "WORDS", "SWEEPS"}

parser = argparse.ArgumentParser()
parser.add_argument("database")
parser.add_argument("device")
parser.add_argument("known", nargs="*")
options = parser.parse_args()


def sizes_of(text):
    return {name: int(value) for name, value in (part.split("=") for part in text.split(","))} if text else {}


def key_of(template, size):
    return template, tuple(sorted(sizes_of(size).items()))


def configuration_of(values):
    return tuple(sorted((name, str(value)) for name, value in values.items()))


def measured():
    """Time of each configuration of each problem."""
    times = collections.defaultdict(dict)
    rows = sqlite3.connect(f"file:{options.database}?mode=ro", uri=True).execute(
        "select template.name, problem.size, configuration, min(time_ns) from evaluation"
        " join problem on problem.id = evaluation.problem join template on template.id = problem.template"
        " join device on device.id = problem.device"
        " where origin = 'measured' and outcome = 'ok' and template.name <> 'ceilings' and device.name like ?"
        " group by 1, 2, 3", [f"%{options.device}%"])
    for template, size, configuration, time in rows:
        times[key_of(template, size)][configuration_of(json.loads(configuration))] = time
    return times


def octaves(a, b):
    """Between problems of a template; None if they are not of one kind."""
    a, b = dict(a[1]), dict(b[1])
    if any(a[name] != b[name] for name in a if name in KINDS):
        return None
    return sum(abs(math.log2(max(a[name], 1) / max(b[name], 1))) for name in a)


def known_answers():
    for path in options.known:
        with open(path) as file:
            document = json.load(file)
        for problem in document["problems"]:
            results = [result for part in problem.values() if isinstance(part, list) for result in part]
            best = min(results, key=lambda result: result["time_ns"])
            yield key_of(document["template"], problem["size"]), configuration_of(best["configuration"])


def neighbours_answers(times):
    for key in times:
        others = [(octaves(key, other), other) for other in times if other[0] == key[0] and other != key]
        others = [(distance, other) for distance, other in others if distance is not None]
        if others:
            best = times[min(others)[1]]
            yield key, min(best, key=best.get)


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
        print(f"{what:14} {key[0]:18} {','.join(f'{name}={value}' for name, value in key[1]):48} {shares[-1]:.3f}")
    if shares:
        mean = math.exp(sum(map(math.log, shares)) / len(shares))
        print(f"{what}: {mean:.3f} of the optimum (geometric mean of {len(shares)} problems), least {min(shares):.3f}; "
              f"{unmeasured} more were not measured\n")


all_times = measured()
judge("another GPU", known_answers(), all_times)
judge("another size", neighbours_answers(all_times), all_times)

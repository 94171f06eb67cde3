# SPDX-License-Identifier: Apache-2.0
"""Chooses a strategy's parameters by random search over recordings, and estimates how well the choice generalises.

    python3 tests/bench/tune_strategies.py TUNE STRATEGY RECORDING... [--search NAME=LOW..HIGH] [--candidates N]
            [--repeats N] [--jobs N] [--seed N] [--parallel N]

Candidates are the presets and random values: of the parameters that --search names (it may be repeated), between these
bounds; without --search, of all parameters within their ranges. Each candidate is scored (score P of `tune simulate`) on
every recording. Prints
- fitted: P of the candidate that is best on all recordings, replayed with another seed;
- one recording left out: for each recording, P of the candidate that is best on all others, and their mean;
- one kernel left out: likewise; a recording's kernel is its name up to the first '_'.
The difference between these figures shows how much is fitted to the recordings.
"""
import argparse
import json
import math
import random
import subprocess
from concurrent.futures import ThreadPoolExecutor

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("tune")
parser.add_argument("strategy")
parser.add_argument("recordings", nargs="+")
parser.add_argument("--search", action="append", default=[], metavar="NAME=LOW..HIGH")
parser.add_argument("--candidates", type=int, default=40)
parser.add_argument("--repeats", type=int, default=20)
parser.add_argument("--jobs", type=int, default=2, help="processes at once, one thread each")
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--parallel", type=int, help="compile workers (default: one evaluation at a time)")
arguments = parser.parse_args()


def ranges():
    """Name, preset, low and high of the parameters to search."""
    listed = json.loads(subprocess.run([arguments.tune, "list", "strategies", "--json"], check=True,
                                       capture_output=True, text=True).stdout)
    parameters = next(row for row in listed if row["strategy"] == arguments.strategy)["parameters"]
    chosen = {}
    for text in arguments.search:
        name, bounds = text.split("=")
        chosen[name] = tuple(float(bound) for bound in bounds.split(".."))
    unknown = set(chosen) - {row["parameter"] for row in parameters}
    if unknown:
        raise SystemExit(f"{arguments.strategy} has no parameter {', '.join(sorted(unknown))}")
    return [(row["parameter"], row["preset"], *chosen.get(row["parameter"], (row["low"], row["high"])))
            for row in parameters if not chosen or row["parameter"] in chosen]


def draw(generator, preset, low, high):
    """A random value, an integer if preset and bounds are; log-uniform if the range is wide."""
    wide = low > 0 and high / low >= 10
    value = math.exp(generator.uniform(math.log(low), math.log(high))) if wide else generator.uniform(low, high)
    whole = preset == int(preset) and low == int(low) and high == int(high) and high > 2
    return round(value) if whole else float(f"{value:.4g}")


def score(values, seed):
    """P on each recording, by name."""
    text = arguments.strategy + ":" * bool(values) + ",".join(f"{name}={value}" for name, value in values.items())
    machine = ["--parallel", str(arguments.parallel)] if arguments.parallel else []
    run = subprocess.run([arguments.tune, "simulate", "--json", "--quiet", "--jobs", "1", "--strategy", text, "--repeats",
                          str(arguments.repeats), "--seed", str(seed), *machine,
                          "--recorded", *arguments.recordings], capture_output=True, text=True)
    if run.returncode != 0:
        raise SystemExit(f"{text}: {run.stderr.strip()}")
    return {row["recording"]: row["p"] for row in json.loads(run.stdout)["strategies"][0]["spaces"]}


def mean(numbers):
    numbers = list(numbers)
    return sum(numbers) / len(numbers)


def best_on(names, scores):
    return max(range(len(scores)), key=lambda i: mean(scores[i][name] for name in names))


def left_out(groups, scores):
    """P on each group's recordings of the candidate that is best on all others."""
    results = {}
    for group in groups:
        others = [name for name in scores[0] if name not in group]
        if others:
            best = best_on(others, scores)
            results |= {name: scores[best][name] for name in group}
    return results


def show(title, results):
    if results:
        print(f"{title:24} {mean(results.values()):7.4f}   " + "  ".join(f"{n} {p:.3f}" for n, p in results.items()))


generator = random.Random(arguments.seed)
searched = ranges()
candidates = [{}] + [{name: draw(generator, preset, low, high) for name, preset, low, high in searched}
                     for _ in range(arguments.candidates)]
with ThreadPoolExecutor(arguments.jobs) as pool:
    scores = list(pool.map(lambda values: score(values, arguments.seed), candidates))
names = list(scores[0])
order = sorted(range(len(scores)), key=lambda i: -mean(scores[i].values()))
for i in order[:10]:
    print(f"{mean(scores[i].values()):7.4f}  {candidates[i] or 'presets'}")
kernels = {}
for name in names:
    kernels.setdefault(name.split("_")[0], []).append(name)
show("presets", scores[0])
show("fitted, other replays", score(candidates[order[0]], arguments.seed + 1))
show("one recording left out", left_out([[name] for name in names], scores))
show("one kernel left out", left_out(kernels.values(), scores))

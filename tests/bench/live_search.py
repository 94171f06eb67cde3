# SPDX-License-Identifier: Apache-2.0
"""Does the search keep its promise on a real device? Strategies against each other, live, every cache cold.

    python3 tests/bench/live_search.py [--evaluations 100] [--half] [--seeds 10] [--strategy auto --strategy random]
        [--seconds S] [--device cuda:0] [--db FILE] [--known FILE] [--build build] [--results FILE] [--label NAME]
        [--keep FOLDER] TEMPLATE:SPACE:SIZE...                  (such as gemm:full:M=4096,N=4096,K=4096)

Each sweep starts with an empty database, or with a copy of --known (sweeps of other GPUs or sizes), without the knowledge
that is shipped, and compiles everything. The best known time of a problem is the best of all sweeps here, or of --db (a
database with a sweep of the whole space), as first measured: finals are not counted, as they come after the search. A seed is
that of the inputs, too. A sweep is within 5 % or 1 % once it has measured a configuration that is; the time is from the start of
the program, and what never got there counts as infinite in the median. "evaluations" are those to 1 %. "s to random's" is the time
to what random search ends with (the median of its sweeps). --half: no more evaluations than half of the space has
configurations. No sweep begins later than --seconds after the first; seeds are the outer loop. --keep: the databases.

Each sweep is added to --results; those that are there already are in the table and are not made again, so that a table can be
made in several runs. --label sets the strategies of this --build apart from those of other programs in there.

The sweeps print one line each; the table comes last. A sweep of gemm:full takes about 4 s on an H100 with 16 cores.
"""
import argparse
import functools
import itertools
import json
import math
import os
import shutil
import sqlite3
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from stored import first_sweep

BEST = """
    SELECT min(median(evaluation.samples_ns)) FROM evaluation JOIN problem ON problem.id = evaluation.problem
    JOIN template ON template.id = problem.template
    WHERE evaluation.outcome = 'ok' AND template.name = ? AND problem.size = ?"""

parser = argparse.ArgumentParser()
parser.add_argument("problems", nargs="+", metavar="TEMPLATE:SPACE:SIZE")
parser.add_argument("--evaluations", type=int, default=100)
parser.add_argument("--half", action="store_true")
parser.add_argument("--seeds", type=int, default=10)
parser.add_argument("--seconds", type=float, default=math.inf)
parser.add_argument("--strategy", action="append", dest="strategies")
parser.add_argument("--device", default="cuda:0")
parser.add_argument("--db", type=Path)
parser.add_argument("--known", type=Path)
parser.add_argument("--build", type=Path, default=Path("build"))
parser.add_argument("--results", type=Path)
parser.add_argument("--label", default="")
parser.add_argument("--keep", type=Path)
options = parser.parse_args()
strategies = options.strategies or ["auto", "random"]


def uninformed_home(folder):
    """All that is shipped but what is known of GPUs."""
    here = Path(__file__).resolve().parents[2]
    folder.mkdir()
    for entry in here.iterdir():
        if entry.name != "db":
            (folder / entry.name).symlink_to(entry)
    return folder


def query(file, text, values=()):
    database = sqlite3.connect(f"{Path(file).resolve().as_uri()}?mode=ro", uri=True)
    database.create_function("median", 1, lambda samples: samples and statistics.median(json.loads(samples)))
    try:
        return database.execute(text, values).fetchall()
    finally:
        database.close()


def sweep(problem, strategy, seed, evaluations):
    """The problem's whole size, and the valid results: seconds since the program began, and nanoseconds, as measured."""
    template, space, size = problem
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "sweep.db"
        if options.known:
            shutil.copy(options.known, file)
        before = query(file, "SELECT coalesce(max(id), 0) FROM run")[0][0] if options.known else 0
        command = [options.build / "tune", template, "--space", space, "--size", size, "--device", options.device, "--db", file,
                   "--strategy", strategy, "--seed", str(seed), "--budget", str(evaluations), "--quiet"]
        environment = os.environ | {"XDG_CACHE_HOME": name, "XDG_DATA_HOME": name, "TUNE_SITE": "",
                                    "TUNE_HOME": str(uninformed_home(folder / "home"))}
        start = time.time()
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{' '.join(map(str, command))}: {done.stderr.strip()}")
        if options.keep:
            options.keep.mkdir(exist_ok=True)
            shutil.copy(file, options.keep / f"{':'.join(problem)} {strategy} {options.label} {seed}.db".replace("/", "_"))
        results = [(at - start, cost) for _, at, _, cost in first_sweep(file, before)]
        size = query(file, "SELECT size FROM problem JOIN run ON run.problem = problem.id WHERE run.id > ? ORDER BY run.id", [before])
        return size[0][0], results


@functools.cache
def budget(problem):
    if not options.half:
        return options.evaluations
    template, space, size = problem
    command = [options.build / "tune", "show", template, "--space", space, "--size", size, "--device", options.device, "--json"]
    count = json.loads(subprocess.check_output(command, env=os.environ | {"TUNE_SITE": ""}))["valid"]
    return min(options.evaluations, count // 2)


def until(results, limit):
    """When a sweep first had a time within a limit."""
    return min((seconds for seconds, cost in results if cost <= limit), default=math.inf)


def evaluations_until(results, limit):
    return next((number for number, (_, cost) in enumerate(results, 1) if cost <= limit), math.inf)


def end(results):
    return min((cost for _, cost in results), default=math.inf)


def seconds_text(seconds):
    return "-" if math.isinf(seconds) else f"{seconds:.2f}"


def table(problem, sweeps, recorded):
    """A row for each strategy."""
    best = min(recorded or math.inf, *(end(results) for runs in sweeps.values() for results in runs))
    by_chance = statistics.median(end(results) for results in sweeps.get("random", [[]]))
    for strategy, runs in sweeps.items():
        near = [[until(results, limit) for results in runs] for limit in (best * 1.05, best * 1.01)]
        yield (":".join(problem), strategy, f"{best * 1e-6:.4f}", f"{statistics.median(map(end, runs)) / best:.3f}",
               seconds_text(statistics.median(until(results, math.inf) for results in runs)),
               *(seconds_text(statistics.median(times)) for times in near),
               *(f"{sum(map(math.isfinite, times))}/{len(runs)}" for times in near),
               seconds_text(statistics.median(evaluations_until(results, best * 1.01) for results in runs)),
               seconds_text(statistics.median(until(results, by_chance) for results in runs)))


problems = [tuple(text.split(":", 2)) for text in options.problems]
sweeps = {problem: {} for problem in problems}  # problem, strategy, seed: results
whole_sizes = {}
if options.results and options.results.exists():
    for line in options.results.read_text().splitlines():
        problem, whole, strategy, seed, results = json.loads(line)
        if tuple(problem) in sweeps:
            sweeps[tuple(problem)].setdefault(strategy, {})[seed] = results
            whole_sizes[tuple(problem)] = whole
began = time.monotonic()
for seed, problem, strategy in itertools.product(range(1, options.seeds + 1), problems, strategies):
    name = f"{strategy} {options.label}".strip()
    done = sweeps[problem].setdefault(name, {})
    if seed in done or time.monotonic() - began > options.seconds:
        continue
    whole_sizes[problem], results = sweep(problem, strategy, seed, budget(problem))
    done[seed] = results
    print(f"{':'.join(problem)} {name} seed {seed}: best {end(results) * 1e-6:.4f} ms of {len(results)} in "
          f"{max((seconds for seconds, _ in results), default=0):.2f} s", flush=True)
    if options.results:
        with options.results.open("a") as file:
            print(json.dumps([problem, whole_sizes[problem], name, seed, results]), file=file)
sweeps = {problem: {name: list(runs.values()) for name, runs in by_name.items() if runs} for problem, by_name in sweeps.items()}

rows = [("problem", "strategy", "best known ms", "median end", "s to first", "s to 5 %", "s to 1 %", "within 5 %", "within 1 %", "evaluations", "s to random's")]
for problem in (problem for problem in problems if sweeps[problem]):
    recorded = query(options.db, BEST, (problem[0], whole_sizes[problem]))[0][0] if options.db else None
    rows.extend(table(problem, sweeps[problem], recorded))
widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
print()
for row in rows:
    print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())

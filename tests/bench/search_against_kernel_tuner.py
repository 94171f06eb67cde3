# SPDX-License-Identifier: Apache-2.0
"""How long until a search is within 1 % of the optimum, with tune and with Kernel Tuner: one GPU, one run, every answer verified,
all caches cold.

    python3 tests/bench/search_against_kernel_tuner.py EXAMPLES [--problems gemm,sepconv,pnpoly] [--seeds 5] [--seconds 90]
        [--evaluations 300] [--strategy adaptive_tabu_greywolf] [--device cuda:0] [--build build]

EXAMPLES is the folder examples/cuda of Kernel Tuner. Needs python3 with kernel_tuner (1.4), cuda-python, numpy and, for gemm,
cupy. The problems are scripts in kernel_tuner/: one kernel of ours in a space of the size of templates/gemm's, two published ones
that 'tune import --run' takes as they are.

Which configurations are within 1 % is decided by a sweep of the whole space by tune, for both alike: a search is there when it has
evaluated one of them. Its time is from the start of the program to that row in tune's database, and from the call of
tune_kernel, without the making of inputs and of what is expected, to the end of that evaluation by Kernel Tuner. A search
of Kernel Tuner ends after --seconds. Once more than half of the searches did not get there, their median is longer than that, and
the rest is not run.
"""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from stored import first_sweep

HERE = Path(__file__).resolve().parent / "kernel_tuner"
SCRIPTS = {"gemm": "gemm_large.py", "sepconv": "sepconv.py", "pnpoly": "pnpoly.py"}

parser = argparse.ArgumentParser()
parser.add_argument("examples", type=Path)
parser.add_argument("--problems", default=",".join(SCRIPTS))
parser.add_argument("--seeds", type=int, default=5)
parser.add_argument("--seconds", type=float, default=90)
parser.add_argument("--evaluations", type=int, default=300)
parser.add_argument("--strategy", default="adaptive_tabu_greywolf")
parser.add_argument("--device", default="cuda:0")
parser.add_argument("--build", type=Path, default=Path("build"))
options = parser.parse_args()
tune = str((options.build / "tune").resolve())


def key(configuration):
    return tuple(sorted(configuration.items()))


def problem_in(folder, name):
    """The arguments of tune that name the template and the space."""
    for source in (*HERE.iterdir(), *(options.examples / f"{kernel}.cu" for kernel in ("convolution", "pnpoly"))):
        if source.is_file():
            shutil.copy(source, folder)
    if name == "gemm":
        return [str(folder), "--space", str(folder / "large.space")]
    subprocess.run([tune, "import", "--run", SCRIPTS[name], "-o", "imported", "--quiet"], cwd=folder, check=True)
    template, = (folder / "imported/templates").iterdir()
    space, = (folder / "imported/spaces").glob("*/*.space")
    return [str(template), "--space", str(space)]


def sweep(problem, folder, *more):
    """The valid results in the order of their end: seconds since the program started, configuration, nanoseconds."""
    with tempfile.TemporaryDirectory(dir=folder) as home:
        file = Path(home) / "sweep.db"
        environment = os.environ | {"XDG_CACHE_HOME": home, "XDG_DATA_HOME": home, "TUNE_SITE": ""}
        began = time.time()
        subprocess.run([tune, *problem, "--device", options.device, "--db", str(file), "--quiet", *more],
                       env=environment, check=True, stdout=subprocess.DEVNULL)
        return [(at - began, configuration, cost) for _, at, configuration, cost in first_sweep(file)]


def peer(script, folder, seed):
    """As sweep(), of Kernel Tuner."""
    command = [sys.executable, script, "--strategy", options.strategy, "--seed", str(seed), "--seconds", str(options.seconds)]
    environment = os.environ | {"CUDA_CACHE_DISABLE": "1"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.stderr[-2000:]}")
    rows = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return [(row["seconds"], row["configuration"], row["ms"] * 1e6) for row in rows if row["ms"] is not None]


def there(results, near):
    return min((seconds for seconds, configuration, _ in results if key(configuration) in near), default=float("inf"))


def text(seconds):
    return f"{seconds:.2f} s" if seconds < float("inf") else f"more than {options.seconds:g} s"


def searches(name, label, search, near):
    times = []
    for seed in range(1, options.seeds + 1):
        results = search(seed)
        times.append(there(results, near))
        print(f"{name}, {label}, seed {seed}: {len(results)} valid results in {results[-1][0] if results else 0:.1f} s, within 1 % "
              f"after {text(times[-1])}", flush=True)
        if sum(seconds == float("inf") for seconds in times) > options.seeds // 2:
            return float("inf")
    return statistics.median(times)


table = []
for name in options.problems.split(","):
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        problem = problem_in(folder, name)
        whole = sweep(problem, folder, "--strategy", "random", "--budget", "1000000")
        best = min(nanoseconds for _, _, nanoseconds in whole)
        near = {key(configuration) for _, configuration, nanoseconds in whole if nanoseconds <= 1.01 * best}
        print(f"{name}: {len(whole)} valid configurations in {whole[-1][0]:.1f} s, {len(near)} of them within 1 % of "
              f"{best * 1e-6:.4f} ms", flush=True)
        ours = searches(name, "tune", lambda seed: sweep(problem, folder, "--seed", str(seed), "--budget",
                                                          str(options.evaluations)), near)
        theirs = searches(name, "Kernel Tuner", lambda seed: peer(SCRIPTS[name], folder, seed), near)
        least = theirs if theirs < float("inf") else options.seconds
        table.append((name, len(whole), text(ours), text(theirs), f"{'' if least == theirs else 'more than '}{least / ours:.1f}"))

print()
for row in [("problem", "valid", "tune, median", "Kernel Tuner, median", "ratio"), *table]:
    print("  ".join(str(cell).ljust(width) for cell, width in zip(row, (8, 6, 16, 22, 0))).rstrip())

# SPDX-License-Identifier: Apache-2.0
"""How long until a search is within 1 % of the optimum, with tune and with Kernel Tuner: one GPU, one run, every answer verified,
all caches cold.

    python3 tests/bench/search_against_kernel_tuner.py EXAMPLES [--problems gemm,sepconv,pnpoly] [--seeds 5] [--ratio 50]
        [--evaluations 300] [--strategy adaptive_tabu_greywolf] [--gpus 0] [--build build]

EXAMPLES is the folder examples/cuda of Kernel Tuner. Needs python3 with kernel_tuner (1.4), cuda-python, numpy and, for gemm,
cupy. The problems are scripts in kernel_tuner/: one kernel of ours in a space of the size of templates/gemm's, two published ones
that 'tune import --run' takes as they are.

Which configurations are within 1 % is decided by a sweep of the whole space by tune, for both alike: a search is there when it has
evaluated one of them. Its time is from the start of the program to that row in tune's database, and from the call of
tune_kernel, without the making of inputs and of what is expected, to the end of that evaluation by Kernel Tuner. A search
of Kernel Tuner ends once it is there, or after --ratio times the median of tune's searches. Once more than half of them did not
get there, their median is longer than that, and no more are begun. Where --gpus names several, of one model (such as 0,1), so many
searches of Kernel Tuner are under way, each alone on its GPU; tune's are alone, on the first.
"""
import argparse
import itertools
import json
import os
import queue
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path

from stored import first_sweep

HERE = Path(__file__).resolve().parent / "kernel_tuner"
SCRIPTS = {"gemm": "gemm_large.py", "sepconv": "sepconv.py", "pnpoly": "pnpoly.py"}

parser = argparse.ArgumentParser()
parser.add_argument("examples", type=Path)
parser.add_argument("--problems", default=",".join(SCRIPTS))
parser.add_argument("--seeds", type=int, default=5)
parser.add_argument("--ratio", type=float, default=50)
parser.add_argument("--evaluations", type=int, default=300)
parser.add_argument("--strategy", default="adaptive_tabu_greywolf")
parser.add_argument("--gpus", default="0")
parser.add_argument("--build", type=Path, default=Path("build"))
options = parser.parse_args()
tune = str((options.build / "tune").resolve())
gpus = queue.SimpleQueue()  # those that no search of Kernel Tuner is using
for number in options.gpus.split(","):
    gpus.put(number)


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
        subprocess.run([tune, *problem, "--device", f"cuda:{options.gpus.split(',')[0]}", "--db", str(file), "--quiet", *more],
                       env=environment, check=True, stdout=subprocess.DEVNULL)
        return [(at - began, configuration, cost) for _, at, configuration, cost in first_sweep(file)]


def evaluated(cache, began, names):
    """The valid results in a cache file of Kernel Tuner, to which another may just be written: as sweep()."""
    for line in cache.read_text().splitlines() if cache.exists() else []:
        try:
            result, _ = json.JSONDecoder().raw_decode(line.partition(": ")[2])
            seconds = datetime.fromisoformat(result["timestamp"]).timestamp() - began
        except (ValueError, TypeError, KeyError):
            continue  # the head of the file, or what is being written
        if isinstance(result["time"], (int, float)):
            yield seconds, {name: int(result[name]) for name in names}, result["time"] * 1e6


def peer(script, folder, seed, seconds, near, gpu):
    """As sweep(), of Kernel Tuner."""
    with tempfile.TemporaryDirectory(dir=folder) as home:
        cache = Path(home) / "cache.json"
        command = [sys.executable, script, "--strategy", options.strategy, "--seed", str(seed), "--seconds", str(seconds),
                   "--cache", str(cache)]
        environment = os.environ | {"CUDA_CACHE_DISABLE": "1", "CUDA_VISIBLE_DEVICES": gpu}
        with open(Path(home) / "errors", "w") as errors, subprocess.Popen(
                command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=errors, text=True) as search:
            began, *names = search.stdout.readline().split() or [0]
            results = []
            while search.poll() is None and there(results, near) == float("inf") and (not results or results[-1][0] <= seconds):
                time.sleep(0.5)
                results = list(evaluated(cache, float(began), names))
            if search.poll():
                raise SystemExit(f"{' '.join(command)}: {Path(errors.name).read_text()[-2000:]}")
            search.kill()
        return [result for result in evaluated(cache, float(began), names) if result[0] <= seconds]


def there(results, near):
    return min((seconds for seconds, configuration, _ in results if key(configuration) in near), default=float("inf"))


def report(name, label, seed, results, near):
    """Says how a search went; the seconds until it was there."""
    seconds = there(results, near)
    print(f"{name}, {label}, seed {seed}: {len(results)} valid results in {results[-1][0] if results else 0:.1f} s, "
          f"{'never within' if seconds == float('inf') else f'{seconds:.2f} s to'} 1 %", flush=True)
    return seconds


def ours(name, problem, folder, near):
    return statistics.median(
        report(name, "tune", seed, sweep(problem, folder, "--seed", str(seed), "--budget", str(options.evaluations)), near)
        for seed in range(1, options.seeds + 1))


def theirs(name, folder, near, seconds):
    """The median of the searches, infinite once it is known to be longer than `seconds`."""
    times = []

    def search(seed):
        if sum(time == float("inf") for time in times) > options.seeds // 2:
            return
        gpu = gpus.get()
        try:
            times.append(report(name, "Kernel Tuner", seed, peer(SCRIPTS[name], folder, seed, seconds, near, gpu), near))
        finally:
            gpus.put(gpu)

    with ThreadPoolExecutor(gpus.qsize()) as pool:
        list(pool.map(search, range(1, options.seeds + 1)))
    return statistics.median(itertools.chain(times, [float("inf")] * (options.seeds - len(times))))


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
        median = ours(name, problem, folder, near)
        limit = options.ratio * median
        peers = theirs(name, folder, near, limit)
        table.append((name, len(whole), len(near), f"{median:.2f} s", f"{peers:.1f} s" if peers <= limit else f"more than {limit:.1f} s",
                      f"{peers / median:.1f}" if peers <= limit else f"more than {options.ratio:g}"))

print()
for row in [("problem", "valid", "within 1 %", "tune, median", "Kernel Tuner, median", "ratio"), *table]:
    print("  ".join(str(cell).ljust(width) for cell, width in zip(row, (8, 6, 11, 13, 20, 0))).rstrip())

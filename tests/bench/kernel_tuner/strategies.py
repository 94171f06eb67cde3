# SPDX-License-Identifier: Apache-2.0
"""Kernel Tuner's search strategies on recorded results, scored by 'tune simulate' next to ours.

    python3 strategies.py RECORDING... [--strategies NAME,...] [--repeats 100] [--jobs N] [--limit SECONDS]
                          [--traces FILE] [--ours NAME[:PARAMETER=VALUE,...]]...

Kernel Tuner runs in its simulation mode on each recording (T4 or its own cache file, .gz or not). A configuration costs
what compiling, validating and measuring it took when it was recorded; where a T4 file does not say how long measuring
took, the sum of the run times. A search may take 1.1 times the time at which the score ends, as in Kernel Tuner's own
methodology; the strategy's own time counts there, but not in the traces. The traces (what was found when) go into a file,
kernel_tuner_traces.json, for 'tune simulate --traces'; the output ends with its table.

--limit bounds the time of a repeat (default 60 s): some strategies never end once they ask for nothing new. Needs
kernel_tuner (1.4), numpy and scipy; $TUNE names the program (default: build/tune in this repository).
"""
import argparse
import contextlib
import gzip
import io
import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

ALL = ("random_sample,adaptive_tabu_greywolf,basinhopping,diff_evo,dual_annealing,firefly_algorithm,genetic_algorithm,"
       "greedy_ils,greedy_mls,hybrid_vndx,mls,ordered_greedy_mls,pso,simulated_annealing")
OPTIONS = {"random_sample": {"fraction": 1}}  # it would stop at a tenth of the space
MARGIN = 1.1
ENDINGS = (".gz", ".json", "_T4", "-T4", "_kerneltuner_cache")
FAILURES = {"compile": "CompilationFailedConfig", "constraints": "InvalidConfig"}
WORDS = ("InvalidConfig", "CompilationFailedConfig", "RuntimeFailedConfig", "ErrorConfig")


def name_of(path):
    name = Path(path).name
    for ending in ENDINGS:
        name = name.removesuffix(ending) if len(name) > len(ending) else name
    return name


def read_json(path):
    opened = gzip.open(path, "rt") if str(path).endswith(".gz") else open(path)
    with opened as file:
        return json.load(file)


def from_t4(document):
    """A T4 document as the dictionary of a Kernel Tuner cache file; times are in milliseconds."""
    keys = list(document["results"][0]["configuration"])
    cache = {}
    for result in document["results"]:
        configuration, times = result["configuration"], result["times"]
        runtimes = times.get("runtimes", [])
        value = next(m["value"] for m in result["measurements"] if m["name"] == "time")
        if result["invalidity"] != "correct":
            value = value if value in WORDS else FAILURES.get(result["invalidity"], "RuntimeFailedConfig")
        entry = dict(configuration, time=value, times=runtimes, compile_time=times["compilation"],
                     verification_time=times.get("validation", 0), benchmark_time=times.get("benchmark", sum(runtimes)),
                     strategy_time=0, framework_time=0)
        cache[",".join(str(configuration[key]) for key in keys)] = entry
    return {"device_name": "recorded", "kernel_name": "recorded", "problem_size": [1], "tune_params_keys": keys,
            "tune_params": {}, "objective": "time", "cache": cache}


def kernel_tuner_cache(path):
    document = read_json(path)
    cache = from_t4(document) if "results" in document else document
    for key in cache["tune_params_keys"]:
        cache["tune_params"][key] = sorted({entry[key] for entry in cache["cache"].values()})
    return cache


class OutOfTime(BaseException):
    pass


def out_of_time(*_):
    raise OutOfTime


class Simulation:
    """A recording, read once, and its search space, constructed once. Kernel Tuner's strategies change the space (it keeps
    visited neighbours), so each search needs a process of its own, forked before any search ran."""

    def __init__(self, path):
        import kernel_tuner.interface as interface
        import kernel_tuner.util as util
        from constraint import FunctionConstraint

        self.cache = kernel_tuner_cache(path)
        self.file = tempfile.NamedTemporaryFile("w", suffix=".json")
        json.dump(self.cache, self.file)
        self.file.flush()
        self.data = util.read_cache(self.file.name, open_cache=False)
        keys = self.cache["tune_params_keys"]
        known = {tuple(entry[key] for key in keys) for entry in self.cache["cache"].values()}
        self.restrictions = [FunctionConstraint(lambda *values: values in known)]
        self.space = interface.Searchspace(self.cache["tune_params"], self.restrictions, 1_000_000_000)

    def search(self, strategy, seed, time_limit, limit):
        """The times of each improvement, in seconds of recorded costs, and the best times found, in milliseconds."""
        import kernel_tuner.interface as interface
        import kernel_tuner.util as util
        import numpy
        from kernel_tuner.runners.simulation import SimulationRunner

        random.seed(seed)
        numpy.random.seed(seed)
        trace = {"seconds": [], "best_ms": []}
        state = {"clock": 0.0, "best": float("inf")}
        run = SimulationRunner.run

        def traced_run(runner, configurations, options):
            results = run(runner, configurations, options)
            for result in results:
                if not result or "compile_time" not in result:
                    continue
                state["clock"] += (result["compile_time"] + result["verification_time"] + result["benchmark_time"]) / 1e3
                if "__error__" not in result and result["time"] < state["best"]:
                    state["best"] = result["time"]
                    trace["seconds"].append(state["clock"])
                    trace["best_ms"].append(result["time"])
            return results

        SimulationRunner.run = traced_run
        interface.Searchspace = lambda *_, **__: self.space
        util.read_cache = lambda *_, **__: self.data
        signal.signal(signal.SIGALRM, out_of_time)
        signal.setitimer(signal.ITIMER_REAL, limit)
        ended = "done"
        try:
            with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                interface.tune_kernel(
                    self.cache["kernel_name"], "", tuple(self.cache["problem_size"]), [], self.cache["tune_params"],
                    restrictions=self.restrictions, strategy=strategy, strategy_options={"time_limit": time_limit, **OPTIONS.get(strategy, {})},
                    cache=self.file.name, simulation_mode=True, quiet=True, verbose=False)
        except OutOfTime:
            ended = "limit"
        except Exception as error:  # what it found until then counts
            ended = f"{type(error).__name__}: {error}"
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        return trace, ended


simulations = {}


def carry_out(task):
    path, strategy, repeat, time_limit, limit = task
    began = time.perf_counter()
    trace, ended = simulations[path].search(strategy, repeat, time_limit, limit)
    return path, strategy, repeat, trace, ended, time.perf_counter() - began


def tune(*arguments):
    program = os.environ.get("TUNE", Path(__file__).resolve().parents[3] / "build" / "tune")
    return subprocess.run([program, "simulate", *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recordings", nargs="+")
    parser.add_argument("--strategies", default=ALL)
    parser.add_argument("--repeats", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("--traces", default="kernel_tuner_traces.json")
    parser.add_argument("--ours", action="append", default=[])
    options = parser.parse_args()

    windows = json.loads(tune("--json", "--strategy", "random", "--repeats", "1", "--recorded", *options.recordings))
    ends = [recording["to_seconds"] for recording in windows["recordings"]]
    strategies = options.strategies.split(",")
    tasks = [(path, strategy, repeat, MARGIN * end, options.limit) for path, end in zip(options.recordings, ends)
             for strategy in strategies for repeat in range(options.repeats)]
    repeats = {(path, strategy): [None] * options.repeats for path in options.recordings for strategy in strategies}
    seconds = dict.fromkeys(strategies, 0.0)
    faults = {}
    for path in options.recordings:
        simulations[path] = Simulation(path)
    with multiprocessing.get_context("fork").Pool(options.jobs, maxtasksperchild=1) as pool:
        for done, (path, strategy, repeat, trace, ended, took) in enumerate(pool.imap_unordered(carry_out, tasks), 1):
            repeats[path, strategy][repeat] = trace
            seconds[strategy] += took
            if ended != "done":
                faults[strategy, ended] = faults.get((strategy, ended), 0) + 1
            if done % 100 == 0:
                print(f"{done}/{len(tasks)}", file=sys.stderr)
    for (strategy, ended), count in faults.items():
        print(f"{strategy}: {count} of {len(options.recordings) * options.repeats} searches ended by {ended}", file=sys.stderr)
    for strategy in strategies:
        print(f"{strategy}: {seconds[strategy] / (len(options.recordings) * options.repeats):.2f} s per search", file=sys.stderr)

    traces = [{"strategy": f"Kernel Tuner {strategy}", "recording": name_of(path), "repeats": repeats[path, strategy]}
              for path, strategy in repeats]
    with open(options.traces, "w") as file:
        json.dump({"traces": traces}, file)
    ours = [argument for name in options.ours for argument in ("--strategy", name)]
    print(tune("--traces", options.traces, *ours, "--recorded", *options.recordings), end="")


if __name__ == "__main__":
    main()

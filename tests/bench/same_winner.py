# SPDX-License-Identifier: Apache-2.0
"""Does the same sweep find the same winner every time?

    python3 tests/bench/same_winner.py TEMPLATE SPACE_FILE [--size M=4096,...] [--device cuda:0] [--times 5] [--build build]

Sweeps --times times, each with an empty database. If the winners differ, measures them again in one sweep of a space that
holds them alone, and prints how far apart they are. The sweeps share a cache, so that only the first one compiles.
"""
import argparse
import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

parser = argparse.ArgumentParser()
parser.add_argument("template")
parser.add_argument("space", type=Path)
parser.add_argument("--size")
parser.add_argument("--device", default="cuda:0")
parser.add_argument("--times", type=int, default=5)
parser.add_argument("--build", type=Path, default=Path("build"))
options = parser.parse_args()
home = tempfile.TemporaryDirectory()
folder = Path(home.name)
environment = os.environ | {"XDG_CACHE_HOME": str(folder / "cache"), "XDG_DATA_HOME": str(folder)}


def sweep(name, space):
    command = [options.build / "tune", options.template, "--space", space, "--device", options.device, "--db",
               folder / f"{name}.db", "--quiet", "--json"]
    if options.size:
        command += ["--size", options.size]
    return json.loads(subprocess.check_output(command, env=environment))


def expression(configuration):
    return "(" + " and ".join(f"{name} == {json.dumps(value)}" for name, value in configuration.items()) + ")"


winners = []
for i in range(options.times):
    result = sweep(f"sweep{i}", options.space)
    best = result["best"][0]
    winners.append(best["configuration"])
    print(f"sweep {i + 1}: {best['time_ns'] * 1e-3:.2f} us in {result['seconds']:.1f} s: {best['configuration']}", flush=True)

distinct = [c for i, c in enumerate(winners) if c not in winners[:i]]
if len(distinct) == 1:
    print(f"{options.times} sweeps, one winner")
else:
    text = options.space.read_text()
    text = re.sub(r"^(space\s+)\w+", r"\1winners", text, count=1, flags=re.M)
    space = folder / "winners.space"
    space.write_text(text + "\nwhere " + " or ".join(map(expression, distinct)) + "\n")
    times = [row["time_ns"] for row in sweep("winners", space)["best"]]
    print(f"{options.times} sweeps, {len(distinct)} winners; measured together: "
          + ", ".join(f"{t * 1e-3:.2f} us" for t in times) + f"; {100 * (max(times) / min(times) - 1):.2f} % apart")

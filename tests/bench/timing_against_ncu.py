#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Our median against Nsight Compute's gpu__time_duration, for an empty kernel and two sizes of each template.

    tests/bench/timing_against_ncu.py [--build build] [--ncu ncu] [--json FILE]

Times the default configuration of a space for each case, first in one process by itself, then in one under ncu, which
measures the kernels of five samples and leaves caches and clocks alone. Under ncu each sample starts with the kernel that
blocks the stream (tune_block); the durations of the kernels up to the next one are summed.

The two do not measure the same. Ours is the time between two events around all kernels of a sample, less what they show
for an empty kernel; it includes gaps between the kernels and copies into constant memory, which ncu does not measure.
ncu counts each kernel from its start to its end on the GPU, which takes an empty kernel some time as well: the first row
says how much, and the last column subtracts it for each kernel. Needs permission to read the GPU's counters.
"""
import argparse
import csv
import json
import os
import statistics
import subprocess
import sys
import tempfile

CASES = [
    ("gemm", "thread_coarsening", "M=1024,N=1024,K=1024"),
    ("gemm", "thread_coarsening", "M=4096,N=4096,K=4096"),
    ("transpose", "tiled", "ROWS=1024,COLUMNS=1024"),
    ("transpose", "tiled", "ROWS=8192,COLUMNS=16384"),
    ("reduction", "cascade", "n=1048576"),
    ("reduction", "cascade", "n=268435456"),
    ("mri_fhd", "constant", "N=32768,M=1024"),
    ("mri_fhd", "constant", "N=262144,M=4096"),
    ("dcs", "coarsened", "NX=256,NY=256,NZ=4,ATOMS=1000"),
    ("dcs", "coarsened", "NX=768,NY=768,NZ=4,ATOMS=4000"),
]
SAMPLES = 25
PROFILED = 5
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
UNITS = {"ns": 1, "nsecond": 1, "us": 1e3, "usecond": 1e3, "ms": 1e6, "msecond": 1e6, "s": 1e9, "second": 1e9}


def time_cases(options, prefix, arguments):
    command = prefix + [os.path.join(options.build, "tests/bench/timed_cases")] + arguments
    for template, space, sizes in CASES:
        command += [f"{ROOT}/templates/{template}", f"{ROOT}/spaces/{template}/{space}.space", sizes]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    rows = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode != 0 or len(rows) != len(CASES) + 1:
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return rows[:-1], rows[-1]


def samples_of(lines):
    """The durations in ns of each sample's kernels, from ncu's CSV."""
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        sys.exit("ncu printed no table:\n" + "".join(lines))
    samples = []
    for row in csv.DictReader(lines[start:]):
        if row["Metric Name"] != "gpu__time_duration.sum":
            continue
        if row["Kernel Name"].startswith("tune_block"):
            samples.append([])
        else:
            samples[-1].append(float(row["Metric Value"].replace(",", "")) * UNITS[row["Metric Unit"]])
    return samples


def profile(options):
    with tempfile.NamedTemporaryFile("r", suffix=".csv") as log:
        prefix = [options.ncu, "--profile-from-start", "off", "--clock-control", "none", "--cache-control", "none",
                  "--metrics", "gpu__time_duration.sum", "--print-units", "base", "--csv", "--log-file", log.name]
        rows, _ = time_cases(options, prefix, [str(PROFILED), "--profiled"])
        return rows, samples_of(log.readlines())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--ncu", default="ncu")
    parser.add_argument("--json")
    options = parser.parse_args()
    ours, empty = time_cases(options, [], [str(SAMPLES)])
    profiled, samples = profile(options)
    expected = PROFILED + sum(row["taken"] for row in profiled)
    if len(samples) != expected:
        sys.exit(f"ncu saw {len(samples)} samples instead of {expected}")
    empty_ncu = statistics.median(map(sum, samples[:PROFILED]))
    at = PROFILED
    print(f"an empty kernel: {empty['time_ns'] / 1e3:.3f} us between the events, subtracted from ours; "
          f"{empty_ncu / 1e3:.3f} us by ncu")
    print(f"{'template':10} {'size':30} {'ours us':>11} {'ncu us':>11} {'ours-ncu':>9} {'ratio':>8} {'kernels':>7} "
          f"{'ours-(ncu-empty)':>16}")
    table = [{"template": "empty", "time_ns": 0, "taken_off_ns": empty["time_ns"], "ncu_ns": empty_ncu}]
    for mine, theirs in zip(ours, profiled):
        if mine["configuration"] != theirs["configuration"]:
            sys.exit(f"{mine['template']} {mine['size']}: another configuration under ncu")
        of_case = samples[at:at + theirs["taken"]]
        at += theirs["taken"]
        kernels = len(of_case[0])
        ncu = statistics.median(map(sum, of_case))
        row = {"template": mine["template"], "size": mine["size"], "time_ns": mine["time_ns"], "ncu_ns": ncu,
               "ratio": mine["time_ns"] / ncu, "kernels": kernels, "configuration": mine["configuration"]}
        table.append(row)
        less = mine["time_ns"] - ncu
        print(f"{row['template']:10} {row['size']:30} {row['time_ns'] / 1e3:11.3f} {ncu / 1e3:11.3f} {less / 1e3:9.3f} "
              f"{row['ratio']:8.4f} {kernels:7} {(less + kernels * empty_ncu) / 1e3:16.3f}")
    if options.json:
        with open(options.json, "w") as file:
            json.dump(table, file, indent=2)


if __name__ == "__main__":
    main()

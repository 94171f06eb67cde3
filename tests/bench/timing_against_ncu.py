#!/usr/bin/env python3
"""Our median against Nsight Compute's gpu__time_duration, for two sizes of each template.

    tests/bench/timing_against_ncu.py [--build build] [--ncu ncu] [--json FILE]

Each pair is one configuration: the best known one of `tune run`. It is timed by itself, then once more under ncu, which
measures every kernel of the process with the caches as they are and the clocks left alone. There each sample begins
with the kernel that holds the stream (tune_hold), so that what follows it up to the next kernel of ours (tune_*) is one
sample; its kernels' durations are added up. Events also see what a launch costs between kernels, 1 to 2 us each, so
the difference is shown beside the ratio; and copies into constant memory, which ncu does not measure, are in ours
alone. Needs a GPU whose counters may be read.
"""
import argparse
import csv
import io
import json
import os
import statistics
import subprocess
import sys
import tempfile

CASES = [
    ("gemm", "M=1024,N=1024,K=1024"),
    ("gemm", "M=4096,N=4096,K=4096"),
    ("transpose", "ROWS=1024,COLUMNS=1024"),
    ("transpose", "ROWS=8192,COLUMNS=16384"),
    ("reduction", "n=1048576"),
    ("reduction", "n=268435456"),
    ("mri_fhd", "N=32768,M=1024"),
    ("mri_fhd", "N=262144,M=4096"),
    ("dcs", "NX=256,NY=256,NZ=4,ATOMS=1000"),
    ("dcs", "NX=768,NY=768,NZ=4,ATOMS=4000"),
]


def tune_run(options, template, size, prefix, database):
    command = prefix + [
        os.path.join(options.build, "tune"), "run", template, "--size", size, "--device", options.device,
        "--db", database, "--seed", "1", "--deadline", "10m", "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    start = done.stdout.find("{\n")
    if done.returncode != 0 or start < 0:
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return json.JSONDecoder().raw_decode(done.stdout[start:])[0]


def rows_of(text):
    """The rows of ncu's CSV, in the order of the launches, of the process that launched most."""
    lines = text.splitlines()
    head = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if head is None:
        sys.exit(f"ncu gives no table:\n{text}")
    rows = [row for row in csv.DictReader(io.StringIO("\n".join(lines[head:])))
            if row["Metric Name"] == "gpu__time_duration.sum"]
    by_process = {}
    for row in rows:
        by_process.setdefault(row["Process ID"], []).append(row)
    return sorted(max(by_process.values(), key=len, default=[]), key=lambda row: int(row["ID"]))


def samples_of(rows):
    """Kernels and nanoseconds of each sample."""
    unit = {"ns": 1, "nsecond": 1, "us": 1e3, "usecond": 1e3, "ms": 1e6, "msecond": 1e6, "s": 1e9, "second": 1e9}
    samples, now = [], None
    for row in rows:
        ours = row["Kernel Name"].startswith("tune_")
        if ours and now:
            samples.append(now)
        if ours:
            now = [] if row["Kernel Name"].startswith("tune_hold") else None
        elif now is not None:
            now.append(float(row["Metric Value"].replace(",", "")) * unit[row["Metric Unit"]])
    return samples + ([now] if now else [])


def profile(options, template, size, database):
    with tempfile.NamedTemporaryFile("r", suffix=".csv") as log:
        prefix = [options.ncu, "--target-processes", "all", "--clock-control", "none", "--cache-control", "none",
                  "--metrics", "gpu__time_duration.sum", "--print-units", "base", "--csv", "--log-file", log.name]
        document = tune_run(options, template, size, prefix, database)
        return document, samples_of(rows_of(log.read()))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--ncu", default="ncu")
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--json")
    options = parser.parse_args()
    table = []
    print(f"{'template':10} {'size':30} {'ours us':>11} {'ncu us':>11} {'ratio':>8} {'more us':>8} {'kernels':>7}"
          f" {'samples':>9}")
    with tempfile.TemporaryDirectory() as home:
        database = os.path.join(home, "tune.db")
        for template, size in CASES:
            ours = tune_run(options, template, size, [], database)
            theirs, samples = profile(options, template, size, database)
            if ours["configuration"] != theirs["configuration"]:
                sys.exit(f"{template} {size}: another configuration under ncu")
            if len(samples) != len(theirs["samples_ns"]):
                sys.exit(f"{template} {size}: {len(samples)} samples seen, {len(theirs['samples_ns'])} taken")
            ncu_ns = statistics.median(sum(sample) for sample in samples)
            row = {"template": template, "size": size, "time_ns": ours["time_ns"], "ncu_ns": ncu_ns,
                   "ratio": ours["time_ns"] / ncu_ns, "kernels": len(samples[0]), "samples": len(ours["samples_ns"]),
                   "ncu_samples": len(samples), "configuration": ours["configuration"]}
            table.append(row)
            print(f"{template:10} {size:30} {row['time_ns'] / 1e3:11.3f} {ncu_ns / 1e3:11.3f} {row['ratio']:8.4f}"
                  f" {(row['time_ns'] - ncu_ns) / 1e3:8.3f} {row['kernels']:7} {row['samples']:4}/{len(samples)}",
                  flush=True)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(table, file, indent=2)


if __name__ == "__main__":
    main()

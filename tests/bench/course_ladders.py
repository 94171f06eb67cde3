# SPDX-License-Identifier: Apache-2.0
"""The course's ladders of mri_fhd and dcs, from plain loops on the CPU to the last variant, on one GPU and its host.

    python3 tests/bench/course_ladders.py [mri_fhd|dcs ...] [--device cuda:0] [--budget 6s] [--size N=...,M=...] [--rungs REGEX]
        [--build build]

Each rung is the best of a sweep of its own, with an empty database and the given budget; its configurations are those of a
shipped space that one more constraint selects. Prints for each rung its time, pairs per second, how many times as fast as
the first rung on the GPU it is, and its share of the floor that the special function units set: 16 operations per cycle
and multiprocessor at the highest clock, two per pair for mri_fhd and one for dcs. Rungs past the floor need fewer of them.
The CPU's loops are tests/bench/course_on_cpu.c, with all threads of the host, at a size of their own.
"""
import argparse
import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

LADDERS = {
    "mri_fhd": {
        "problem": "mri",
        "size": "N=262144,M=4096",
        "special": 2,
        "rungs": [
            ("scatter, all from voxel 0", "direct", 'VARIANT == "scatter" and TRIG == "precise" and STAGGER == 0'),
            ("scatter, staggered", "direct", 'VARIANT == "scatter" and TRIG == "precise" and STAGGER == 1'),
            ("gather after loop fission", "direct", 'VARIANT == "gather" and TRIG == "precise"'),
            ("voxels in registers", "registers", 'TRIG == "precise" and VOXELS == 1'),
            ("constant memory, five arrays", "constant", 'VARIANT == "constant_soa" and TRIG == "precise" and VOXELS == 1'),
            ("constant memory, structures", "constant", 'VARIANT == "constant_aos" and TRIG == "precise" and VOXELS == 1'),
            ("hardware sine and cosine", "constant", 'VARIANT == "constant_aos" and TRIG == "sfu" and VOXELS == 1'),
            ("several voxels a thread", "constant", 'VARIANT == "constant_aos" and TRIG == "sfu"'),
            ("const __restrict__ instead", "readonly", 'TRIG == "sfu"'),
            ("fewest instructions", "lean", 'TRIG == "sfu"'),
            ("part of them polynomials", "polynomial", "BLOCK >= 64"),
            ("rows: rotation", "rotation", 'TRIG == "sfu"'),
            ("rows: symmetry", "symmetric", 'TRIG == "sfu"'),
        ],
    },
    "dcs": {
        "problem": "dcs",
        "size": "NX=768,NY=768,NZ=4,ATOMS=4000",
        "special": 1,
        "rungs": [
            ("scatter", "direct", 'VARIANT == "scatter"'),
            ("gather", "direct", 'VARIANT == "gather"'),
            ("constant memory", "constant", 'VARIANT == "constant" and PREFETCH == 0'),
            ("energy prefetched", "constant", 'VARIANT == "constant" and PREFETCH == 1'),
            ("slices and rsqrtf", "constant", 'VARIANT == "slices" and PADDED == 0'),
            ("several points, adjacent", "coarsened", 'VARIANT == "coarsened_adjacent" and PADDED == 0'),
            ("interleaved", "coarsened", 'VARIANT == "coarsened_interleaved" and PADDED == 0'),
            ("padded grid", "coarsened", 'VARIANT == "coarsened_interleaved" and PADDED == 1'),
            ("tiles, fewest instructions", "tiled", "BLOCK_X >= 16"),
            ("part of the roots by Newton", "newton", "BLOCK_X >= 16"),
        ],
    },
}

parser = argparse.ArgumentParser()
parser.add_argument("templates", nargs="*")
parser.add_argument("--device", default="cuda:0")
parser.add_argument("--budget", default="6s")
parser.add_argument("--size", help="instead of the template's size here; with one template")
parser.add_argument("--rungs", default="", help="only those whose names match")
parser.add_argument("--build", type=Path, default=Path("build"))
parser.add_argument("--source", type=Path, default=Path("."), help="the folder that holds templates and spaces")
options = parser.parse_args()
home = tempfile.TemporaryDirectory()
folder = Path(home.name)
environment = os.environ | {"XDG_CACHE_HOME": str(folder / "cache"), "XDG_DATA_HOME": str(folder)}


def product(size):
    result = 1
    for part in size.split(","):
        result *= int(part.split("=")[1])
    return result


def floor_of(special):
    """Pairs per second; None where the device does not say what it takes."""
    devices = json.loads(subprocess.check_output([options.build / "tune", "list", "devices", "--json"], env=environment))
    gpus = [device for device in devices if device["kind"] == "cuda"]
    kind, _, number = options.device.partition(":")
    if kind == "cuda" and int(number or 0) < len(gpus):
        gpu = gpus[int(number or 0)]
        return gpu["sm_count"] * 16 * gpu["clock_khz"] * 1e3 / special
    return None


def sweep(template, number, space, condition, size):
    text = (options.source / "spaces" / template / f"{space}.space").read_text()
    text = re.sub(r"^(space\s+)\w+", rf"\g<1>rung{number}", text, count=1, flags=re.M)
    text = re.sub(r"^default .*$", "", text, flags=re.M)
    path = folder / f"rung{number}.space"
    path.write_text(f"{text}\nwhere {condition}\n")
    command = [options.build / "tune", options.source / "templates" / template, "--space", path, "--device", options.device,
               "--size", size, "--budget", options.budget, "--seed", "1", "--db", folder / "rungs.db", "--quiet", "--json"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if not done.stdout:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout)


for template in options.templates or LADDERS:
    ladder = LADDERS[template]
    size = options.size or ladder["size"]
    floor = floor_of(ladder["special"])
    print(f"{template}, {size}" + (f", floor {floor:.3g} pairs/s" if floor else ""))
    print(f"{'':30} {'ms':>10} {'pairs/s':>10} {'x first':>8} {'of floor':>8}  configuration")
    for precision in ("double", "single"):
        cpu = json.loads(subprocess.check_output([options.build / "tests/bench/course_on_cpu", ladder["problem"], precision]))
        print(f"{'CPU, ' + precision + ', ' + str(cpu['threads']) + ' threads':30} {'':10} {cpu['pairs_per_second']:10.3g}")
    first = None
    for number, (name, space, condition) in enumerate(ladder["rungs"]):
        if not re.search(options.rungs, name):
            continue
        result = sweep(template, number, space, condition, size)
        if not result["best"]:
            print(f"{name:30} none: {result['failed']}")
            continue
        best = result["best"][0]
        rate = product(size) / best["time_ns"] * 1e9
        first = first or rate
        share = f"{rate / floor:8.3f}" if floor else f"{'':8}"
        text = " ".join(f"{key}={value}" for key, value in best["configuration"].items() if key != "VARIANT")
        print(f"{name:30} {best['time_ns'] * 1e-6:10.3f} {rate:10.3g} {rate / first:8.1f} {share}  {text}", flush=True)

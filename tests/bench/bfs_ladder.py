# SPDX-License-Identifier: Apache-2.0
"""bfs: its ladder in GTEPS, against the processor of the same machine and against Gunrock's published rates.

    python3 tests/bench/bfs_ladder.py [--device cuda:0] [--budget 6s] [--scales 20,21,22,23,24] [--side 4096] [--cpu 1]

For each graph (RMAT with 16 edges a vertex of each scale; RMAT of scale 21 with 48; a grid) times both versions of bfs_cpu
on the same graph, sweeps each space with an empty database and the given budget, and prints of each rung its time, GTEPS as
Graph500 counts them (edges of the part that is reached, each once), how many times as fast it is as the rung before and as
the processor's faster version, and the configuration. `--cpu 0` leaves the processor out: rates are then those of the
whole graph.

Gunrock counts entries of lists, of which an edge has two, so those a second are compared; its rates are multiplied by how
much more the memory's bandwidth is than a Quadro GV100's, 870 GB/s by NVIDIA's data sheet (`--bandwidth`: in GB/s; else what
`tune` takes from the data sheet). They are of its documentation, "Source data for gunrock_version_compare_bfs_Tesla_V100_
undirected_idempotence_markpred", version 1.0+, columns avg_mteps and avg_process_time, and its outputs lie in
github.com/gunrock/io, gunrock-output/v1-0-0/bfs/GV100. Its graphs are not quite these: rmat_n24_e16 has 263 million entries
(here 537), kron_g500-logn21 has no double edges, and road_usa has 2.4 entries a vertex and 6249 levels, the grid 3.5 and
6099 of them.
"""
import argparse
import json
import os
import subprocess
import tempfile
from pathlib import Path

RUNGS = ["edge", "push", "pull", "direction", "queue", "privatised", "resident"]
GV100_BANDWIDTH = 870.0
# By name of our graph: theirs, 10^9 entries a second, ms, when it was measured.
GUNROCK = {
    "rmat 24, 16": ("rmat_n24_e16.000000", 56.485660079, 4.616552, "2019-10-23"),
    "rmat 21, 48": ("kron_g500-logn21", 175.942077337, 1.034896, "2019-10-23"),
    "grid": ("road_usa", 0.112569400, 512.649298, "2019-10-25"),
}

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cuda:0")
parser.add_argument("--budget", default="6s")
parser.add_argument("--scales", default="20,21,22,23,24")
parser.add_argument("--side", type=int, default=4096, help="of the grid; 0: no grid")
parser.add_argument("--dense", type=int, default=21, help="scale of RMAT with 48 edges a vertex; 0: none")
parser.add_argument("--rungs", default=",".join(RUNGS))
parser.add_argument("--cpu", type=int, default=1)
parser.add_argument("--bandwidth", type=float, help="GB/s")
parser.add_argument("--build", type=Path, default=Path("build"))
options = parser.parse_args()
home = tempfile.TemporaryDirectory()
environment = os.environ | {"XDG_CACHE_HOME": home.name, "XDG_DATA_HOME": home.name}


def run(*command):
    done = subprocess.run([str(word) for word in command], env=environment, capture_output=True, text=True)
    if not done.stdout:
        raise SystemExit(done.stderr)
    return done.stdout


def graphs():
    """Name, and sizes of the template."""
    for scale in options.scales.split(","):
        if scale:
            yield f"rmat {scale}, 16", {"N": 2 ** int(scale), "DEGREE": 16, "SHAPE": 1, "SEED": 1}
    if options.dense:
        yield f"rmat {options.dense}, 48", {"N": 2 ** options.dense, "DEGREE": 48, "SHAPE": 1, "SEED": 1}
    if options.side:
        yield "grid", {"N": options.side ** 2, "DEGREE": 16, "SHAPE": 2, "SEED": 1}


def device_bandwidth():
    """GB/s by the data sheet; 0 if it is not known."""
    for device in json.loads(run(options.build / "tune", "list", "devices", "--json")):
        if device["device"] == options.device:
            return 1e-9 * device["peak_bandwidth"]
    return 0.0


def best_of(space, sizes):
    size = ",".join(f"{name}={value}" for name, value in sizes.items())
    text = run(options.build / "tune", "bfs", "--space", space, "--device", options.device, "--budget", options.budget,
               "--seed", "1", "--size", size, "--db", f"{home.name}/bench.db", "--quiet", "--json")
    result = json.loads(text)
    if not result["best"]:
        print(f"{space}: none: {result['failed']}")
        return None
    return result["best"][0]


def line(name, milliseconds, edges, before="", faster="", text=""):
    print(f"{name:24} {milliseconds:11.4f} {edges / milliseconds * 1e-6:10.3f} {before:>9} {faster:>9}  {text}", flush=True)


def processor(sizes):
    """Edges that are reached, and the time of the faster version in ms."""
    peers = [json.loads(text) for text in run(options.build / "tests/bench/bfs_cpu", *sizes.values()).splitlines()]
    for peer in peers:
        line(f"processor, {peer['version']}, {peer['threads']}", peer["time_ms"], peer["edges_reached"], text=f"{peer['levels']} levels")
    return peers[0]["edges_reached"], min(peer["time_ms"] for peer in peers)


def whole(sizes):
    vertices, degree, shape, _ = sizes.values()
    return vertices * degree if shape == 1 else vertices * 7 // 4


def compare(name, edges, milliseconds):
    their_name, rate, _, date = GUNROCK[name]
    if not bandwidth:
        return
    scaled = rate * bandwidth / GV100_BANDWIDTH
    own = 2 * edges / milliseconds * 1e-6
    print(f"Gunrock 1.0+, {their_name}, Quadro GV100, {date}: {rate:.3f} 10^9 entries/s, scaled by {bandwidth:.0f} / "
          f"{GV100_BANDWIDTH:.0f} GB/s {scaled:.3f}; here {own:.3f}: {own / scaled:.2f} x")


def ladder(name, sizes):
    print(f"\n{name}: " + ", ".join(f"{key}={value}" for key, value in sizes.items()))
    print(f"{'':24} {'ms':>11} {'GTEPS':>10} {'x before':>9} {'x CPU':>9}")
    edges, cpu = processor(sizes) if options.cpu else (whole(sizes), None)
    before = least = None
    for space in options.rungs.split(","):
        best = best_of(space, sizes)
        if not best:
            continue
        time = best["time_ns"] * 1e-6
        text = " ".join(f"{key}={value}" for key, value in best["configuration"].items() if key != "VARIANT")
        line(space, time, edges, f"{before / time:.2f}" if before else "", f"{cpu / time:.2f}" if cpu else "", text)
        before, least = time, min(time, least or time)
    if least and name in GUNROCK:
        compare(name, edges, least)


bandwidth = options.bandwidth or device_bandwidth()
for graph in graphs():
    ladder(*graph)

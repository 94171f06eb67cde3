# SPDX-License-Identifier: Apache-2.0
"""dcs_cutoff: its ladder against dcs, and how its cost grows with the volume.

    python3 tests/bench/dcs_cutoff.py ladder  [--device cuda:0] [--budget 6s] [--size NX=128,NY=128,NZ=128,...]
    python3 tests/bench/dcs_cutoff.py volumes [--device cuda:0] [--size NX=128,NY=128,NZ=128,...] [--limit 20] [-o DIR]

`ladder` sweeps each space with an empty database and the given budget, and the space `newton` of dcs at the same grid and
atoms. It prints for each rung its time, how many times as fast as the rung before and as dcs it is, and the configuration.

`volumes` doubles the volume six times, one axis after the other, with as many atoms a volume; what is timed is the default
configuration of each space, the same at all volumes, but with surplus atoms scattered, since to gather them is not linear.
A rung that must be expected to take longer than `--limit` seconds a launch is left out from there on. It prints the times
and by which power of the volume they grow from the first to the last, and plots them in DIR/dcs_cutoff_volumes.svg. A power
of 1 is linear; a little more is the surface, near which points have fewer atoms around them, of which a large volume has less.
"""
import argparse
import json
import math
import os
import subprocess
import tempfile
from pathlib import Path

RUNGS = ["all_atoms", "bins", "claimed", "checked", "several_bins", "first_dummy", "cylinder", "dynamic", "culled"]
PLOTTED = ["all_atoms", "bins", "checked", "cylinder", "dynamic", "culled"]
DOUBLINGS = 6

parser = argparse.ArgumentParser()
parser.add_argument("what", choices=["ladder", "volumes"])
parser.add_argument("--device", default="cuda:0")
parser.add_argument("--budget", default="6s")
parser.add_argument("--size", default="NX=128,NY=128,NZ=128,CUTOFF=96", help="of the ladder, or the smallest volume")
parser.add_argument("--limit", type=float, default=20, help="seconds a launch")
parser.add_argument("--build", type=Path, default=Path("build"))
parser.add_argument("-o", dest="folder", type=Path, default=Path("."))
options = parser.parse_args()
home = tempfile.TemporaryDirectory()
environment = os.environ | {"XDG_CACHE_HOME": home.name, "XDG_DATA_HOME": home.name}
sizes = {name: int(value) for name, value in (part.split("=") for part in options.size.split(","))}
sizes.setdefault("ATOMS", max(sizes["NX"] * sizes["NY"] * sizes["NZ"] // 80, 1))


def sweep(template, space, size, budget):
    """The best configuration of a space; None if there is none."""
    size = ",".join(f"{name}={value}" for name, value in size.items())
    command = [options.build / "tune", template, "--space", space, "--device", options.device, "--budget", budget,
               "--seed", "1", "--size", size, "--db", f"{home.name}/bench.db", "--quiet", "--json"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if not done.stdout:
        raise SystemExit(done.stderr)
    result = json.loads(done.stdout)
    if not result["best"]:
        print(f"{space}: none: {result['failed']}")
        return None
    return result["best"][0]


def ladder():
    grid = {name: sizes[name] for name in ("NX", "NY", "NZ", "ATOMS")}
    dcs = sweep("dcs", "newton", grid, options.budget)
    print(", ".join(f"{name}={value}" for name, value in sizes.items()))
    print(f"{'':14} {'ms':>10} {'x before':>9} {'x dcs':>8}")
    if dcs:
        print(f"{'dcs, newton':14} {dcs['time_ns'] * 1e-6:10.3f}")
    before = None
    for space in RUNGS:
        best = sweep("dcs_cutoff", space, sizes, options.budget)
        if not best:
            continue
        time = best["time_ns"]
        text = " ".join(f"{key}={value}" for key, value in best["configuration"].items() if key != "VARIANT")
        gain = f"{before / time:9.2f}" if before else f"{'':9}"
        of_dcs = f"{dcs['time_ns'] / time:8.2f}" if dcs else ""
        print(f"{space:14} {time * 1e-6:10.3f} {gain} {of_dcs}  {text}", flush=True)
        before = time


def volume(doublings):
    grown = dict(sizes)
    for doubling in range(doublings):
        grown[("NX", "NY", "NZ")[doubling % 3]] *= 2
    grown["ATOMS"] <<= doublings
    return grown


def scattering(space):
    """The space, beginning with a configuration whose surplus is scattered."""
    text = Path(f"spaces/dcs_cutoff/{space}.space").read_text()
    path = Path(home.name) / f"{space}.space"
    path.write_text(text.replace('SURPLUS = "gather", ', 'SURPLUS = "scatter", '))
    return path


def times_of(space):
    """Pairs of factor and seconds, as far as the limit allows."""
    times = []
    for doublings in range(DOUBLINGS + 1):
        growth = 4 if len(times) < 2 else times[-1][1] / times[-2][1]
        if times and times[-1][1] * growth > options.limit:
            break
        best = sweep("dcs_cutoff", scattering(space), volume(doublings), "1")
        if not best:
            break
        times.append((1 << doublings, best["time_ns"] * 1e-9))
    return times


def power(times):
    return math.log(times[-1][1] / times[0][1]) / math.log(times[-1][0] / times[0][0])


def volumes():
    measured = {space: times_of(space) for space in PLOTTED}
    measured = {space: times for space, times in measured.items() if len(times) > 1}
    if not measured:
        raise SystemExit("no rung could be measured at two volumes")
    print(", ".join(f"{name}={value}" for name, value in sizes.items()) + " and larger volumes: ms")
    print(f"{'volume':12}" + "".join(f"{1 << n:>11}" for n in range(DOUBLINGS + 1)) + f"{'power':>8}")
    for space, times in measured.items():
        row = "".join(f"{seconds * 1e3:11.4g}" for _, seconds in times)
        print(f"{space:12}{row:{11 * (DOUBLINGS + 1)}}{power(times):8.2f}")
    path = options.folder / "dcs_cutoff_volumes.svg"
    path.write_text(drawing(measured))
    print(f"plot: {path}")


WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 480, 80, 190, 40, 60
COLOURS = ["#b03a2e", "#ca6f1e", "#7d6608", "#1e8449", "#1f618d", "#6c3483"]


def drawing(measured):
    """Time over volume, both logarithmic: what is linear has the slope of the dashed lines."""
    seconds = [time for times in measured.values() for _, time in times]
    low, high = math.floor(math.log10(min(seconds))), math.ceil(math.log10(max(seconds)))
    wide, tall = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def place(factor, time):
        return LEFT + wide * math.log2(factor) / DOUBLINGS, TOP + tall * (high - math.log10(time)) / (high - low)

    def text(x, y, words, anchor="start", colour="#333"):
        return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{words}</text>'

    def line(points, style):
        return f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}" fill="none" {style}/>'

    grid = ", ".join(f"{name}={value}" for name, value in sizes.items())
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
             f'<clipPath id="inside"><rect x="{LEFT}" y="{TOP}" width="{wide}" height="{tall}"/></clipPath>',
             text(LEFT, 24, f"dcs_cutoff on {options.device}: time of a launch by volume, 1 = {grid}")]
    for decade in range(low, high + 1):
        y = place(1, 10.0**decade)[1]
        parts += [line([(LEFT, y), (LEFT + wide, y)], 'stroke="#ddd"'),
                  text(LEFT - 8, y + 4, f"{10.0**(decade + 3):g} ms", "end")]
        parts.append(line([place(1, 10.0**decade), place(1 << DOUBLINGS, 10.0**decade * (1 << DOUBLINGS))],
                          'stroke="#bbb" stroke-dasharray="3 4" clip-path="url(#inside)"'))
    for n in range(DOUBLINGS + 1):
        parts.append(text(place(1 << n, 1)[0], HEIGHT - BOTTOM + 20, f"{1 << n}", "middle"))
    parts.append(text(LEFT + wide / 2, HEIGHT - BOTTOM + 44, "volume; dashed: linear", "middle"))
    labels = sorted(measured, key=lambda space: place(*measured[space][-1])[1])
    below = TOP - 18.0
    for space in labels:
        colour, times = COLOURS[PLOTTED.index(space)], measured[space]
        points = [place(*time) for time in times]
        parts.append(line(points, f'stroke="{colour}" stroke-width="2"'))
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
        below = max(below + 18, points[-1][1] + 4)
        parts.append(text(LEFT + wide + 10, below, f"{space}, power {power(times):.2f}", colour=colour))
    return "\n".join(parts + ["</svg>", ""])


{"ladder": ladder, "volumes": volumes}[options.what]()

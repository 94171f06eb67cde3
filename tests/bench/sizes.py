# SPDX-License-Identifier: Apache-2.0
"""How good is one sweep for many sizes, at sizes that it has not seen?

    python3 tests/bench/sizes.py [--device cuda:0] [--build build] [--only gemm] [--scale 1] [--keep FOLDER]
        [--examples EXAMPLES]

For each case below: a sweep with --sizes over a set of shapes, with 15 % of the evaluations that tuning each of them alone
would take. Some of the shapes, spread evenly over the set, are also tuned alone, each with an empty database. Then leave-one-
size-out: each of these shapes in turn is taken out of the set, configurations and tree are chosen again of what was measured
at the others (--budget 1 measures nothing more), and the tree answers for the shape. Where the space does not have the tree's
answer, the next of its configurations answers, also one that tuner/select would leave out for the nearest size's best. At
last the answers, the tree's other configurations and the fastest that are known anywhere at the shape are measured again, in
one sweep with finals, whose best is the optimum: the least of a hundred times that were each measured once would be one that
was lucky. Printed are shares of the optimum, geometric mean and least: of the tree at the shapes of its own sweep, of the
trees without, of the best of the configurations that these trees had to choose from, and of the default.

Shapes are the points of a Halton sequence in the logarithms of the sizes; in turn they are rounded to multiples of 128, of 8,
made odd, and rounded to powers of two. Those with more work than the case allows are left out, and the next point taken.

The space of gemm is `any_size`, all of whose configurations are valid at all sizes: `pipelined` leaves out what was never good
at a size, so that few of its configurations are valid at many.

EXAMPLES is the folder examples/cuda of Kernel Tuner: then its convolution is a case as well, in the space of its example.

--scale 0.1 takes a tenth of the shapes and of the evaluations, for a first look without a GPU.
"""
import argparse
import json
import math
import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
import time
from pathlib import Path

SHARE = 0.15
CONFIGURATIONS = 8
FASTEST = 8  # of each sweep, that are measured again
# template: space, shapes, shapes that are tuned alone, evaluations alone, (size, least, most)..., most of their product
CASES = {
    "gemm": ("any_size", 100, 24, 100, [("M", 16, 8192), ("N", 16, 8192), ("K", 16, 8192)], 2**36),
    "transpose": ("aligned", 40, 10, 80, [("ROWS", 64, 16384), ("COLUMNS", 64, 16384)], 2**27),
    "reduction": ("cascade", 30, 8, 80, [("n", 2**14, 2**28)], 2**28),
    "convolution": ("example", 40, 10, 80, [("image_height", 64, 8192), ("image_width", 64, 8192)], 2**25),
}
SMALL = {  # where kernels run on the host's cores
    "gemm": ("smem_tiling", 20, 4, 80, [("M", 16, 256), ("N", 16, 256), ("K", 16, 256)], 2**22),
    "transpose": ("tiled", 20, 4, 60, [("ROWS", 32, 1024), ("COLUMNS", 32, 1024)], 2**19),
    "reduction": ("cascade", 20, 4, 60, [("n", 2**10, 2**20)], 2**20),
    "convolution": ("example", 20, 4, 60, [("image_height", 32, 256), ("image_width", 32, 256)], 2**14),
}
OF_OTHERS = {"convolution"}  # kernels in EXAMPLES

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cuda:0")
parser.add_argument("--build", type=Path, default=Path("build"))
parser.add_argument("--only", action="append")
parser.add_argument("--scale", type=float, default=1)
parser.add_argument("--seed", default="1")
parser.add_argument("--keep", type=Path)
parser.add_argument("--examples", type=Path)
options = parser.parse_args()
if OF_OTHERS & set(options.only or []) and not options.examples:
    parser.error("the kernel of convolution is in EXAMPLES: give --examples EXAMPLES")
source = Path(__file__).resolve().parent.parent.parent
temporary = tempfile.TemporaryDirectory()
home = options.keep or Path(temporary.name)
home.mkdir(parents=True, exist_ok=True)
environment = os.environ | {"XDG_CACHE_HOME": str(home / "cache"), "XDG_DATA_HOME": str(home)}


def halton(index, base):
    result, fraction = 0, 1
    while index:
        fraction /= base
        result += fraction * (index % base)
        index //= base
    return result


def rounded(value, way, low):
    """In turn what vectors and tiles like, and what they do not."""
    multiple = [128, 8, 1, 1][way]
    value = max(low, round(value))
    if way == 3:
        return 2 ** round(math.log2(value))
    return max(multiple, round(value / multiple) * multiple) if multiple > 1 else value | 1


def shapes(count, axes, most):
    found, index = [], 0
    while len(found) < count:
        index += 1
        shape = [rounded(low * (high / low) ** halton(index, base), (index + axis) % 4, low)
                 for axis, (base, (_, low, high)) in enumerate(zip([2, 3, 5], axes))]
        if math.prod(shape) <= most and shape not in found:
            found.append(shape)
    return found


def from_examples(name):
    """Kernel Tuner's kernel beside our template, without the two lines that fix the image's size."""
    folder = shutil.copytree(source / "tests/bench/kernel_tuner" / name, home / name, dirs_exist_ok=True)
    kernel = (options.examples / f"{name}.cu").read_text()
    (folder / f"{name}.cu").write_text(re.sub(r"^#define image_\w+ 4096$", "", kernel, flags=re.M))


def tune(template, *arguments):
    subject = home / template if template in OF_OTHERS else template
    command = [options.build / "tune", subject, "--device", options.device, "--quiet", "--seed", options.seed, *map(str, arguments)]
    return json.loads(subprocess.check_output([*command, "--json"], env=environment, cwd=source))


def times(database, size):
    """Of all valid configurations at a size."""
    with sqlite3.connect(database) as connection:
        return dict(connection.execute("select configuration, time_ns from evaluation join problem on problem.id = "
                                       "evaluation.problem where outcome = 'ok' and size = ?", [size]).fetchall())


def feature(node, shape):
    a = shape[node["a"]]
    return {"size": lambda: a, "unit": lambda: min(a & -a, 1024), "ratio": lambda: a / shape[node["b"]],
            "product": lambda: a * shape[node["b"]]}[node["feature"]]()


def answers(dispatch, shape):
    """The tree's, and then the others by what they lose at the sizes of the sweep, near ones first: as dispatch.h, but none
    is left out."""
    node = dispatch["tree"][0]
    while "feature" in node:
        node = dispatch["tree"][node["then" if feature(node, shape) < node["below"] else "otherwise"]]

    def loss(which):
        weighted = [(0.2, math.log(1.5))]
        for case in dispatch["cases"]:
            if case["costs"][which]:
                octaves = sum(abs(math.log2(a / b)) for a, b in zip(case["size"], shape))
                weighted.append((math.exp(-octaves / 1.3), math.log(case["costs"][which] / case["best"])))
        return sum(weight * value for weight, value in weighted) / sum(weight for weight, _ in weighted)

    order = sorted(range(len(dispatch["configurations"])), key=lambda which: (which != node["configuration"], loss(which)))
    return [json.dumps(dispatch["configurations"][which], separators=(",", ":")) for which in order]


def complete(dispatch, axes, shape):
    """With the sizes that the file leaves out, in the template's order; and as the database writes them. None: the space
    has no configuration there, and the sweep has left it out."""
    names, given = dispatch["sizes"], dict(zip((name for name, _, _ in axes), shape))
    for case in dispatch["cases"]:
        if all(case["size"][names.index(name)] == value for name, value in given.items()):
            return case["size"], ",".join(f"{name}={value}" for name, value in zip(names, case["size"]))
    return None


def measure(template, space, size, configurations, database):
    """Times by configuration; without those that are not valid there."""
    file = (home if template in OF_OTHERS else source / "spaces") / template / f"{space}.space"
    text = re.sub(r"^(space\s+)\w+", r"\1answer", file.read_text(), count=1, flags=re.M)
    each = (" and ".join(f"{name} == {json.dumps(value)}" for name, value in json.loads(configuration).items())
            for configuration in configurations)
    path = home / "answer.space"
    path.write_text(re.sub(r"^default\b.*$", "", text, flags=re.M) + f"\nwhere {' or '.join(f'({only})' for only in each)}\n")
    try:
        tune(template, "--space", path, "--size", size, "--db", database)
    except subprocess.CalledProcessError:
        return {}
    return times(database, size)


def mean(shares):
    return math.exp(sum(math.log(max(share, 1e-3)) for share in shares) / len(shares))


def judge(template, space, count, alone_count, alone, axes, most):
    began = time.monotonic()
    count, alone_count = max(4, round(count * options.scale)), max(2, round(alone_count * options.scale))
    alone = max(20, round(alone * options.scale))
    all_shapes = shapes(count, axes, most)
    names = [",".join(f"{name}={value}" for (name, _, _), value in zip(axes, shape)) for shape in all_shapes]
    together, file = home / f"{template}.db", home / f"{template}.txt"

    def sweep(sizes, budget):
        file.write_text("\n".join(sizes) + "\n")
        return tune(template, "--space", space, "--sizes", file, "--configs", CONFIGURATIONS, "--budget", budget, "--db", together)

    budget = int(SHARE * alone * count)
    whole = sweep(names, budget)
    print(f"{template}: {count} sizes, {whole['evaluations']} evaluations in {whole['seconds']:.0f} s, "
          f"{100 * whole['evaluations'] / (alone * count):.1f} % of {alone * count} alone; "
          f"{len(whole['dispatch']['configurations'])} configurations, {len(whole['dispatch']['tree']) // 2 + 1} leaves; by its own "
          f"measurements {100 * whole['mean']:.1f} %, least {100 * whole['worst']:.1f} %", flush=True)
    own, held_out, portfolio, default, invalid = [], [], [], [], []
    for i in range(alone_count):
        which = i * count // alone_count
        swept = complete(whole["dispatch"], axes, all_shapes[which])
        if not swept:
            continue
        shape, size = swept
        database, again = home / f"{template}-{which}.db", home / f"{template}-{which}-again.db"
        started = time.monotonic()
        by_default = tune(template, "--space", space, "--size", size, "--budget", 1, "--db", database)["best"]
        searched = tune(template, "--space", space, "--size", size, "--budget", alone, "--db", database)["seconds"]
        without = sweep(names[:which] + names[which + 1:], 1)
        orders = [answers(tree["dispatch"], shape) for tree in (whole, without)]
        known = [times(together, size), times(database, size)]
        fastest = [configuration for of in known for configuration in sorted(of, key=of.get)[:FASTEST]]
        now = measure(template, space, size, {*orders[0], *orders[1], *fastest}, again)
        optimum = min(now.values())
        first = [next((number for number, configuration in enumerate(order) if configuration in now), None) for order in orders]
        invalid.extend(first)
        shares = [0 if number is None else optimum / now[order[number]] for number, order in zip(first, orders)]
        own.append(shares[0])
        held_out.append(shares[1])
        portfolio.append(max((optimum / now[configuration] for configuration in orders[1] if configuration in now), default=0))
        default.append(min(1, optimum / by_default[0]["time_ns"]) if by_default else 0)
        once = min(min(of.values()) for of in known if of)
        print(f"  {size}: alone {searched:.1f} s, {optimum * 1e-3:.2f} us, once {100 * once / optimum:.1f} % of it; tree "
              f"{100 * own[-1]:.1f} %, without this size {100 * held_out[-1]:.1f} %, best of its configurations "
              f"{100 * portfolio[-1]:.1f} %, default {100 * default[-1]:.1f} % ({time.monotonic() - started:.0f} s)", flush=True)
    rows = [f"{100 * mean(shares):.1f} / {100 * min(shares):.1f}" for shares in (own, held_out, portfolio, default)]
    print(f"| {template} {space} | {count} | {whole['evaluations']} of {alone * count} | {' | '.join(rows)} | "
          f"{time.monotonic() - began:.0f} s | {sum(number != 0 for number in invalid)} answers were not the tree's first |",
          flush=True)


for name, case in (SMALL if options.device == "cpu" else CASES).items():
    if name not in (options.only or (CASES if options.examples else CASES.keys() - OF_OTHERS)):
        continue
    if name in OF_OTHERS:
        from_examples(name)
    judge(name, *case)

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Time to construct published search spaces: tune, Kernel Tuner and pyATF.

    PYTHONPATH=... python3 tests/bench/space_construction.py build/tests/bench/space_construction FOLDER

FOLDER holds the spaces as text: a line `param NAME = [values]` for each parameter, `restrict EXPRESSION` for each
constraint. PYTHONPATH must lead to kernel_tuner (with python-constraint2, best with its compiled modules, and numpy) and
to pyatf; a tool that cannot be imported is reported and left out. Each tool constructs each space several times in a
process of its own; the table has the fastest time and the growth of that process's memory. The time runs from the parsed
space (for the others: from names, values and restrictions in Python) until configurations are available.
"""

import ast
import json
import os
import resource
import subprocess
import sys
import time

SPACES = ["hotspot", "expdist", "gemm", "atf_prl_8x8", "atf_prl_4x4", "atf_prl_2x2", "dedispersion"]
# Kernel Tuner adds this constraint by itself; the published count includes it.
FURTHER = {"expdist": "block_size_x * block_size_y <= 1024"}
REPEATS = 5


def read(path):
    parameters, restrictions = {}, []
    with open(path, encoding="utf-8") as file:
        for line in file:
            word, _, rest = line.strip().partition(" ")
            if word == "param":
                name, _, values = rest.partition("=")
                parameters[name.strip()] = ast.literal_eval(values.strip())
            elif word == "restrict":
                restrictions.append(rest)
    return parameters, restrictions


def names_in(expression, parameters):
    names = {node.id for node in ast.walk(ast.parse(expression, mode="eval")) if isinstance(node, ast.Name)}
    return [name for name in parameters if name in names]


def kernel_tuner(parameters, restrictions):
    from kernel_tuner.searchspace import Searchspace

    start = time.perf_counter()
    space = Searchspace(parameters, restrictions, max_threads=1024)
    return time.perf_counter() - start, space.size


def pyatf(parameters, restrictions):
    """pyATF wants each restriction at the last of the parameters that it reads."""
    from pyatf import TP, Set
    from pyatf.search_space import SearchSpace

    of_parameter = {name: [] for name in parameters}
    for restriction in restrictions:
        of_parameter[names_in(restriction, parameters)[-1]].append(f"({restriction})")
    tunables = []
    for name, values in parameters.items():
        rule = " and ".join(of_parameter[name])
        read = [n for n in names_in(rule, parameters) if n != name] if rule else []
        check = eval(f"lambda {', '.join([name] + read)}: {rule}") if rule else None  # pylint: disable=eval-used
        tunables.append(TP(name, Set(*values), check))
    start = time.perf_counter()
    space = SearchSpace(*tunables, verbosity=0)
    return time.perf_counter() - start, space.constrained_size


def measure(tool, path, further):
    """Runs in a process of its own: prints the fastest of several times, the count, and the growth of memory."""
    parameters, restrictions = read(path)
    if further:
        restrictions.append(further)
    build = {"kernel_tuner": kernel_tuner, "pyatf": pyatf}[tool]
    build({"a": [1, 2]}, ["a < 2"])  # imports and first-time costs are not timed
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    times = []
    for _ in range(REPEATS):
        seconds, count = build(dict(parameters), list(restrictions))
        times.append(seconds)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(json.dumps({"ms": min(times) * 1e3, "valid": count, "peak_kilobytes": grown}))


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return None, (done.stderr.strip().splitlines() or ["it printed no error"])[-1]
    return json.loads(done.stdout.strip().splitlines()[-1]), None


HINTS = {
    "kernel_tuner": "pip install kernel-tuner, or PYTHONPATH to its sources, python-constraint2, numpy, xmltodict, jsonschema",
    "pyatf": "pip install pyatf, or PYTHONPATH to its src folder",
}


def main():
    if len(sys.argv) > 3 and sys.argv[1] == "--measure":
        measure(sys.argv[2], sys.argv[3], sys.argv[4] if len(sys.argv) > 4 else None)
        return 0
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    ours, folder = sys.argv[1:]
    missing = set()
    print(f"{'space':14}{'valid':>9}{'tune ms':>10}{'KiB':>7}{'packed':>8}"
          f"{'Kernel Tuner ms':>17}{'ratio':>8}{'MiB':>6}{'pyATF ms':>10}{'ratio':>8}{'MiB':>6}")
    agreed = True
    for name in SPACES:
        path = os.path.join(folder, name + ".txt")
        further = [FURTHER[name]] if name in FURTHER else []
        result, why = run([ours, path] + further)
        if result is None:
            print(f"{name}: {why}", file=sys.stderr)
            return 1
        line = (f"{name:14}{result['valid']:9}{result['ms']:10.3f}{result['bytes'] / 1024:7.1f}"
                f"{result['packed_bytes'] / 1024:8.0f}")
        for tool, width in (("kernel_tuner", 17), ("pyatf", 10)):
            peer, why = (None, None) if tool in missing else run(
                [sys.executable, __file__, "--measure", tool, path] + further)
            if peer is None:
                if why:
                    missing.add(tool)
                    print(f"{tool} is left out: {why}\n    hint: {HINTS[tool]}", file=sys.stderr)
                line += f"{'-':>{width}}{'-':>8}{'-':>6}"
                continue
            agreed = agreed and peer["valid"] == result["valid"]
            line += f"{peer['ms']:{width}.2f}{peer['ms'] / result['ms']:8.0f}{peer['peak_kilobytes'] / 1024:6.0f}"
            if peer["valid"] != result["valid"]:
                line += f" (counts {peer['valid']})"
        print(line, flush=True)
    if not agreed:
        print("the tools do not agree on a count", file=sys.stderr)
    return 0 if agreed else 1


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A strategy for tune --strategy "exec:python3 strategy.py": look around the best so far, or anywhere. See search/PROTOCOL.md."""
import json
import random
import sys

best, names, seen = None, [], set()
for line in sys.stdin:
    [(kind, body)] = json.loads(line).items()
    if kind == "hello":
        random.seed(body["seed"])
        names = [parameter["name"] for parameter in body["parameters"]]
        values = [parameter["values"] for parameter in body["parameters"]]
        untried = [tuple(v[i] for v, i in zip(values, row)) for row in body["valid"]]
        random.shuffle(untried)
    elif kind == "tell":
        point = tuple(body["configuration"].get(name) for name in names)
        seen.add(point)
        if body["valid"] and (best is None or body["cost"] < best[0]):
            best = (body["cost"], point)
    elif kind == "ask":
        untried = [point for point in untried if point not in seen]
        near = [point for point in untried if best and sum(a != b for a, b in zip(point, best[1])) == 1]
        if not untried:
            answer = {"end": True}
        else:
            point = (near or untried)[0]
            seen.add(point)
            answer = {"configurations": [{n: v for n, v in zip(names, point) if v is not None}]}
        print(json.dumps(answer), flush=True)

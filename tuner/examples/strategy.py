#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A strategy for tune --strategy "exec:python3 strategy.py": look around the best so far, or anywhere. See search/PROTOCOL.md."""
import json
import random
import sys

best, names, values, listed, untried, seen, refused = None, [], [], False, [], set(), False


def one_changed(point):
    i = random.randrange(len(point))
    return point[:i] + (random.choice(values[i]),) + point[i + 1 :]


def propose():
    """A point; None: any; False: there are no more."""
    global untried
    if not listed:  # too many to be listed: a neighbour, and after one that the space does not have any
        return one_changed(best[1]) if best and not refused else None
    untried = [point for point in untried if point not in seen]
    near = [point for point in untried if best and sum(a != b for a, b in zip(point, best[1])) == 1]
    return (near or untried or [False])[0]


for line in sys.stdin:
    [(kind, body)] = json.loads(line).items()
    if kind == "hello":
        random.seed(body["seed"])
        names = [parameter["name"] for parameter in body["parameters"]]
        values = [parameter["values"] for parameter in body["parameters"]]
        listed = "valid" in body
        untried = [tuple(v[i] for v, i in zip(values, row)) for row in body.get("valid", [])]
        random.shuffle(untried)
    elif kind == "tell":
        point = tuple(body["configuration"].get(name) for name in names)
        seen.add(point)
        refused = False
        if body["valid"] and (best is None or body["cost"] < best[0]):
            best = (body["cost"], point)
    elif kind == "refused":
        refused = True
    elif kind == "ask":
        point = propose()
        if point:
            seen.add(point)
        some = [{n: v for n, v in zip(names, point) if v is not None}] if point else []
        print(json.dumps({"end": True} if point is False else {"configurations": some}), flush=True)

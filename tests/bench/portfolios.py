# SPDX-License-Identifier: Apache-2.0
"""What a few configurations could reach at the sizes of a recording, whoever chose among them.

    python3 tests/bench/portfolios.py tests/bench/gemm_recorded.tsv [COUNT ...]

The recording is one of size_recording.h. For each COUNT (4, 8, 12 and 16), so many configurations are chosen by one who knows
all of it, greedily and then by exchanges, so that the geometric mean over the sizes is greatest where each size has the best of
them. Printed are their shares of the optimum, geometric mean and least, and a mean that no choice of so many exceeds (by
Lagrangian relaxation of the k-median problem: G. Cornuejols, M. Fisher, G. Nemhauser, Management Science 23, 1977). What was
not measured at a size is taken to be invalid there, and a size without an answer to get a twentieth.
"""
import math
import sys

NONE = 3.0  # lost, as a logarithm, where nothing chosen is valid


def read(path):
    with open(path) as file:
        sizes = file.readline().rstrip("\n").split("\t")
        rows = [line.rstrip("\n").split("\t") for line in file]
    times = [[math.inf if time == "-" else float(time) for time in row[1:]] for row in rows]
    best = [min(column) for column in zip(*times)]
    losses = [[min(math.log(time / best[s]), NONE) for s, time in enumerate(row)] for row in times]
    return sizes, [row[0] for row in rows], losses


def together(chosen, losses):
    return [min(column) for column in zip(*(losses[c] for c in chosen))]


def choose(count, losses):
    """Greedily, then exchanges while the sum of losses falls."""
    current, chosen = [NONE] * len(losses[0]), []

    def best_with(current):
        return min(range(len(losses)), key=lambda c: sum(map(min, losses[c], current)))

    for _ in range(count):
        chosen.append(best_with(current))
        current = together(chosen, losses)
    changed = True
    while changed:
        changed = False
        for place in range(count):
            rest = chosen[:place] + chosen[place + 1:]
            other = best_with(together(rest, losses) if rest else [NONE] * len(losses[0]))
            if sum(together([*rest, other], losses)) < sum(together(chosen, losses)) - 1e-12:
                chosen, changed = [*rest, other], True
    return chosen


def least_sum(count, losses, upper, steps=400):
    """A sum of losses that no choice of `count` falls below: subgradient steps on the prices of sizes."""
    prices = [sorted(column)[1] for column in zip(*losses)]
    bound, factor, since = -math.inf, 1.5, 0
    for _ in range(steps):
        gains = sorted((sum(loss - price for loss, price in zip(row, prices) if loss < price), c) for c, row in enumerate(losses))
        value = sum(prices) + sum(gain for gain, _ in gains[:count])
        since = 0 if value > bound + 1e-9 else since + 1
        bound = max(bound, value)
        if since == 15:
            factor, since = factor / 2, 0
        open_ = [losses[c] for _, c in gains[:count]]
        slope = [1 - sum(row[s] < price for row in open_) for s, price in enumerate(prices)]
        length = sum(step * step for step in slope)
        if length == 0 or upper - bound < 1e-6:
            break
        prices = [max(0.0, price + factor * (upper - value) * step / length) for price, step in zip(prices, slope)]
    return bound


sizes, configurations, losses = read(sys.argv[1])
print(f"{len(configurations)} configurations, {len(sizes)} sizes, "
      f"{sum(loss == NONE for row in losses for loss in row)} of {len(configurations) * len(sizes)} not measured, or hopeless")
for count in map(int, sys.argv[2:] or ["4", "8", "12", "16"]):
    lost = together(choose(count, losses), losses)
    worst = max(range(len(sizes)), key=lost.__getitem__)
    bound = least_sum(count, losses, sum(lost))
    print(f"{count:3} {100 * math.exp(-sum(lost) / len(sizes)):6.2f} % {100 * math.exp(-lost[worst]):6.2f} % at {sizes[worst]};"
          f" none exceeds {100 * math.exp(-bound / len(sizes)):6.2f} %")

# SPDX-License-Identifier: Apache-2.0
"""What the scripts beside this file share: a search of Kernel Tuner that says when it had evaluated what.

Run by hand, or by 'tune import --run', a script tunes the whole space. With --strategy NAME --seed N --seconds S it searches, and
prints one JSON object a line: "configuration", "seconds" since the call of tune_kernel, and "ms", null where it failed or its
answer was wrong.
"""
import argparse
import json
import random
import sys
from datetime import datetime, timezone

import numpy
from kernel_tuner import tune_kernel


def tune(kernel, source, size, arguments, parameters, **named):
    parser = argparse.ArgumentParser()
    parser.add_argument("--strategy")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args(sys.argv[1:])
    if not options.strategy:
        return tune_kernel(kernel, source, size, arguments, parameters, **named)
    random.seed(options.seed)
    numpy.random.seed(options.seed)
    began = datetime.now(timezone.utc)
    results, _ = tune_kernel(
        kernel, source, size, arguments, parameters, **named, lang="NVCUDA", quiet=True, strategy=options.strategy,
        strategy_options={"time_limit": options.seconds, "max_fevals": 10**9})
    for result in results:
        time = result["time"] if isinstance(result["time"], (int, float)) else None
        seconds = (datetime.fromisoformat(result["timestamp"]) - began).total_seconds()
        print(json.dumps({"configuration": {name: int(result[name]) for name in parameters}, "seconds": seconds, "ms": time}))
    return results

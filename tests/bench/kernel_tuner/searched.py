# SPDX-License-Identifier: Apache-2.0
"""What the scripts beside this file share: a search of Kernel Tuner that says when it had evaluated what.

Run by hand, or by 'tune import --run', a script tunes the whole space. With --strategy NAME --seed N --seconds S --cache FILE it
searches: it prints the time (seconds since 1970) at which it calls tune_kernel, and the names of the parameters; Kernel Tuner
writes each evaluation to its cache file when it has ended.
"""
import argparse
import random
import sys
import time

import numpy
from kernel_tuner import tune_kernel


def tune(kernel, source, size, arguments, parameters, **named):
    parser = argparse.ArgumentParser()
    parser.add_argument("--strategy")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--cache")
    options = parser.parse_args(sys.argv[1:])
    if not options.strategy:
        return tune_kernel(kernel, source, size, arguments, parameters, **named)
    random.seed(options.seed)
    numpy.random.seed(options.seed)
    print(time.time(), *parameters, flush=True)
    return tune_kernel(
        kernel, source, size, arguments, parameters, **named, lang="NVCUDA", quiet=True, strategy=options.strategy,
        strategy_options={"time_limit": options.seconds, "max_fevals": 10**9}, cache=options.cache)

# SPDX-License-Identifier: Apache-2.0
"""Kernel Tuner over the space of tiles.space, with the kernel of gemm.cu: prints one JSON object.

    python3 gemm.py [M N K] [--unverified]

Each configuration is verified against the product in double precision (rounded to single), with the error bound that tune
uses, for the largest element, as absolute tolerance; --unverified skips that. Needs kernel_tuner, cupy (for
the expected result) and cuda-python.
"""
import json
import sys
import time
from pathlib import Path

import cupy
import numpy
from kernel_tuner import tune_kernel

arguments = [a for a in sys.argv[1:] if not a.startswith("--")]
m, n, k = (int(a) for a in arguments) if arguments else (4096, 4096, 4096)
random = numpy.random.default_rng()
a = random.uniform(-1, 1, (m, k)).astype(numpy.float32)
b = random.uniform(-1, 1, (k, n)).astype(numpy.float32)
c = numpy.zeros((m, n), dtype=numpy.float32)

expected = cupy.asnumpy(cupy.asarray(a, dtype=numpy.float64) @ cupy.asarray(b, dtype=numpy.float64)).astype(numpy.float32)
cupy.get_default_memory_pool().free_all_blocks()

parameters = {
    "BM": [32, 64, 128], "BN": [32, 64, 128], "BK": [8, 16, 32], "TM": [4, 8], "TN": [4, 8], "PAD": [0, 1, 4],
    "BLOCK": [2**i for i in range(4, 11)],
}
began = time.perf_counter()
results, environment = tune_kernel(
    "gemm", str(Path(__file__).with_name("gemm.cu")), (n, m),
    [a, b, c, numpy.int32(m), numpy.int32(n), numpy.int32(k)], parameters,
    restrictions=["BLOCK * TM * TN == BM * BN"], grid_div_x=["BN"], grid_div_y=["BM"], block_size_names=["BLOCK"],
    answer=None if "--unverified" in sys.argv else [None, None, expected, None, None, None], atol=1e-2, lang="NVCUDA",
    quiet=True, verbose=False,
)
seconds = time.perf_counter() - began
valid = [r for r in results if isinstance(r["time"], (int, float))]
best = min(valid, key=lambda r: r["time"])
print(json.dumps({
    "configurations": len(results), "valid": len(valid), "seconds": seconds, "a_second": len(results) / seconds,
    "best_ms": best["time"], "best": {name: best[name] for name in parameters},
    "compile_s": sum(r.get("compile_time", 0) for r in results) / 1e3,
    "verify_s": sum(r.get("verification_time", 0) for r in results) / 1e3,
    "measure_s": sum(r.get("benchmark_time", 0) for r in results) / 1e3,
}))

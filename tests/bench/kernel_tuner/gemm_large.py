# SPDX-License-Identifier: Apache-2.0
"""Kernel Tuner over the space of large.space, with the kernel of gemm.cu, each configuration verified as in gemm.py."""
import cupy
import numpy

from searched import tune

M = N = K = 4096
parameters = {
    "BM": [32, 64, 128, 256], "BN": [32, 64, 128, 256], "BK": [8, 16, 32], "TM": [2, 4, 8, 16], "TN": [2, 4, 8, 16],
    "PAD": [0, 1, 4], "BLOCK": [2**i for i in range(6, 11)],
}
random = numpy.random.default_rng(1)
a = random.uniform(-1, 1, (M, K)).astype(numpy.float32)
b = random.uniform(-1, 1, (K, N)).astype(numpy.float32)
c = numpy.zeros((M, N), dtype=numpy.float32)
expected = cupy.asnumpy(cupy.asarray(a, dtype=numpy.float64) @ cupy.asarray(b, dtype=numpy.float64)).astype(numpy.float32)
cupy.get_default_memory_pool().free_all_blocks()
with open("gemm.cu") as file:
    source = file.read()

tune("gemm", source, (N, M), [a, b, c, numpy.int32(M), numpy.int32(N), numpy.int32(K)], parameters,
     restrictions=["BLOCK * TM * TN == BM * BN", "4 * BK * (BM + PAD + BN) <= 49152"], grid_div_x=["BN"], grid_div_y=["BM"],
     block_size_names=["BLOCK"], answer=[None, None, expected, None, None, None], atol=1e-2)

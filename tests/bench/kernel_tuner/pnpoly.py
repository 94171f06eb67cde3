# SPDX-License-Identifier: Apache-2.0
"""Kernel Tuner's example pnpoly.py without its host code, as in its published recordings: the same kernel (pnpoly.cu, in the
current folder) and parameters, each configuration verified against the naive kernel of that file. Of the four methods only two:
the other two differ from it for some points, and a wrong answer ends a search of Kernel Tuner."""
import numpy
from kernel_tuner import run_kernel

from searched import tune

POINTS, VERTICES = 20_000_000, 600
parameters = {
    "block_size_x": [32 * i for i in range(1, 32)], "tile_size": [1] + [2 * i for i in range(1, 11)],
    "between_method": [0, 1], "use_precomputed_slopes": [0, 1], "use_method": [0, 1],
}
random = numpy.random.default_rng(1)
bitmap = numpy.zeros(POINTS, dtype=numpy.int32)
points = random.standard_normal(2 * POINTS, dtype=numpy.float32)
angles = numpy.sort(random.random(VERTICES) * 2 * numpy.pi)[::-1]
x, y = numpy.cos(angles).astype(numpy.float32), numpy.sin(angles).astype(numpy.float32)
slopes = (numpy.roll(x, 1) - x) / (numpy.roll(y, 1) - y)
arguments = [bitmap, points, numpy.int32(POINTS)]
constants = {"d_vertices": numpy.stack([x, y], axis=1).ravel(), "d_slopes": slopes}
with open("pnpoly.cu") as file:
    source = file.read()

expected = run_kernel("cn_pnpoly_naive", source, (POINTS, 1), arguments, {"block_size_x": 512}, grid_div_x=["block_size_x"],
                      cmem_args=constants, lang="NVCUDA")
tune("cn_pnpoly", source, (POINTS, 1), arguments, parameters, grid_div_x=["block_size_x", "tile_size"], cmem_args=constants,
     answer=[expected[0], None, None], atol=0)

# SPDX-License-Identifier: Apache-2.0
"""Kernel Tuner's example sepconv.py, its rows with a filter of 17: the same kernel (convolution.cu, in the current folder) and
parameters, each configuration verified against the naive kernel of that file."""
import numpy
from kernel_tuner import run_kernel

from searched import tune

WIDTH, SIZE = 17, (4096, 4096)
parameters = {
    "filter_height": [1], "filter_width": [WIDTH], "block_size_x": [16 * i for i in range(1, 65)],
    "block_size_y": [2**i for i in range(6)], "tile_size_x": list(range(1, 11)), "tile_size_y": [1],
    "use_padding": [0, 1], "read_only": [0, 1],
}
random = numpy.random.default_rng(1)
output = numpy.zeros(SIZE[0] * SIZE[1], dtype=numpy.float32)
image = random.standard_normal((SIZE[0] + WIDTH - 1) * SIZE[1], dtype=numpy.float32)
weights = random.standard_normal(WIDTH, dtype=numpy.float32)
arguments = [output, image, weights]
with open("convolution.cu") as file:
    source = file.read()

expected = run_kernel(
    "convolution_naive", source, SIZE, arguments,
    {"filter_height": 1, "filter_width": WIDTH, "block_size_x": 16, "block_size_y": 16},
    grid_div_x=["block_size_x"], grid_div_y=["block_size_y"], lang="NVCUDA")
tune("convolution_kernel", source, SIZE, arguments, parameters, grid_div_x=["block_size_x", "tile_size_x"],
     grid_div_y=["block_size_y", "tile_size_y"], cmem_args={"d_filter": weights},
     restrictions=["use_padding==0 or (block_size_x % 32 != 0)", "block_size_x*block_size_y >= 32",
                   "block_size_x*block_size_y <= 1024"],
     answer=[expected[0], None, None], atol=1e-3)

# SPDX-License-Identifier: Apache-2.0
"""Tune a kernel of your own, then use it on arrays: a notebook in cells.

    python own_kernel.py [FOLDER]       writes the kernel to FOLDER (default: smooth); takes seconds

It runs on the first GPU with CuPy or PyTorch if one of them is installed, else on the CPU device with NumPy.
"""

# %% A package of arrays
import importlib.util
import sys
from typing import Any, Callable, Optional

import numpy
import tune
from tune.language import call, ceil_div, device, mag, pow2, ref, sum_error, uniform


def on_gpu() -> Optional[tuple[Callable[[Any], Any], Callable[[Any], Any]]]:
    """A function that brings an array of NumPy to the GPU, and one that brings it back; None without a GPU."""
    if importlib.util.find_spec("cupy"):
        import cupy
        if cupy.cuda.is_available():
            return cupy.asarray, cupy.asnumpy
    if importlib.util.find_spec("torch"):
        import torch
        if torch.cuda.is_available():
            return (lambda x: torch.from_numpy(x).cuda()), (lambda x: x.cpu().numpy())
    return None


there, back = on_gpu() or ((lambda x: x), (lambda x: x))
where = "cuda:0" if on_gpu() else "cpu"

# %% The kernel: what is tuned are macros, BLOCK and ROWS
KERNEL = """
__device__ float at(const float *x, int rows, int columns, int i, int j)
{
    return i < 0 || i >= rows || j < 0 || j >= columns ? 0 : x[i * columns + j];
}

__global__ void smooth(const float *x, float *y, int rows, int columns)
{
    int j = blockIdx.x * BLOCK + threadIdx.x;
    for (int k = 0; k < ROWS; k++) {
        int i = blockIdx.y * ROWS + k;
        if (i < rows && j < columns)
            y[i * columns + j] = 0.5f * x[i * columns + j]
                + 0.125f * (at(x, rows, columns, i - 1, j) + at(x, rows, columns, i + 1, j)
                            + at(x, rows, columns, i, j - 1) + at(x, rows, columns, i, j + 1));
    }
}
"""

# The same in double precision, as simply as can be; mag is the sum of absolute terms, which errors are relative to.
REFERENCE = """
__global__ void reference(const float *x, double *y, double *mag, int rows, int columns)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
    if (j >= columns)
        return;
    double sum = 0.5 * x[i * columns + j], size = fabs(sum);
    for (int k = 0; k < 4; k++) {
        int r = i + (k == 0) - (k == 1), c = j + (k == 2) - (k == 3);
        if (r >= 0 && r < rows && c >= 0 && c < columns) {
            sum += 0.125 * x[r * columns + c];
            size += fabs(0.125 * x[r * columns + c]);
        }
    }
    y[i * columns + j] = sum;
    mag[i * columns + j] = size;
}
"""

# %% The template: its data, how it is launched, how results are checked
smooth = tune.Template("smooth", "a five-point stencil", comment="y = x / 2 + the mean of the four neighbours / 2")
rows = smooth.size("rows", "64 if device.kind == 'cpu' else 4096", awkward=33)
columns = smooth.size("columns", "96 if device.kind == 'cpu' else 4096", awkward=65)
BLOCK = smooth.parameter("BLOCK", "threads per block, along a row")
ROWS = smooth.parameter("ROWS", "rows that a block computes")
smooth.source("smooth.cu", text=KERNEL)
x = smooth.buffer("x", "float", (rows, columns), "in", uniform(-1, 1))
y = smooth.buffer("y", "float", (rows, columns), "out")
smooth.launch(call("smooth", (ceil_div(columns, BLOCK), ceil_div(rows, ROWS)), BLOCK, x, y, rows, columns))
smooth.reference("reference.cu", call("reference", (ceil_div(columns, 64), rows), 64, x, ref(y), mag(y), rows, columns),
                 text=REFERENCE)
smooth.check(y, within=sum_error(6))
smooth.work(flops=6 * rows * columns, bytes=8 * rows * columns)

# %% The space: what is tried
space = smooth.space("shapes", "shapes of blocks")
space.param(BLOCK, pow2(32, 64) if where == "cpu" else pow2(32, 512))
space.param(ROWS, [1, 4] if where == "cpu" else [1, 2, 4, 8])
space.where(BLOCK <= device.max_threads_per_block)
smooth.write(sys.argv[1] if len(sys.argv) > 1 else "smooth")

# %% Search, once: whatever is found is in the database
shape = (60, 100) if where == "cpu" else (3000, 5000)
found = tune.sweep(smooth, "shapes", rows=shape[0], columns=shape[1], device=where, progress=True)
assert found.best and found.best.time, "no configuration is valid"
print(f"{found.done} configurations, best {found.best.configuration} with {found.best.time * 1e6:.1f} us")

# %% Use it, here and in all later runs: sizes follow from the arrays, and each size has its best configuration
run = tune.function(smooth)
image = numpy.random.default_rng(1).random(shape, dtype="float32")
result = back(run(there(image)))

padded = numpy.pad(image.astype("float64"), 1)
expected = image / 2 + (padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:]) / 8
print(f"the largest difference to NumPy's double precision is {abs(result - expected).max():.1e}")
assert result.shape == shape and abs(result - expected).max() < 1e-6

# %% What was launched, and why
answer = tune.best(smooth, rows=shape[0], columns=shape[1], device=where)
print(f"{answer.configuration}, by the rule {answer.rule.name.lower()}: {answer.origin}")

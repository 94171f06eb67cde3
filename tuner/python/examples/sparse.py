# SPDX-License-Identifier: Apache-2.0
"""Multiply a sparse matrix of your own by a vector, with the shipped kernel spmv: a notebook in cells.

    python sparse.py [ROWS]       default: 2000; takes seconds, on the CPU device

The kernel relies on how many entries the matrix has, and on the most of a row: NONZEROS and LONGEST, which tune.function
takes from the arrays. With tune.load they are said, as sizes. CuPy's and PyTorch's arrays on a GPU will do as well.
"""

# %% A matrix by rows (CSR): where each row starts, and of each entry its column, ascending in a row, and its value
import sys

import numpy
import tune

rows = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
random = numpy.random.default_rng(1)
lengths = random.integers(0, 9, rows)
starts = numpy.concatenate(([0], numpy.cumsum(lengths))).astype("int32")
columns = numpy.concatenate([numpy.sort(random.choice(rows, length, replace=False)) for length in lengths]).astype("int32")
values = random.standard_normal(columns.size, dtype="float32")
order = numpy.argsort(-lengths, kind="stable").astype("int32")  # the rows, longest first: some variants start from it
x = random.standard_normal(rows, dtype="float32")

# %% Once: search among matrices that are about as large. MEAN, entries a row, and SHAPE (2: random) say which are like it
about = {"MEAN": 4, "SHAPE": 2}
found = tune.sweep("spmv", "csr_warp", device="cpu", budget=2, sizes={"ROWS": rows, **about})
assert found.best
print(f"{len(found.evaluations())} configurations, best {found.best.configuration}")

# %% In any later run: what is known best for this matrix
spmv = tune.function("spmv", sizes=about)
kernel = spmv.kernel_for(starts, columns, values, order, x)  # loaded once for a matrix
y = kernel(starts, columns, values, order, x)
y = kernel(starts, columns, values, order, x, prepare=False)  # the same matrix again: what is made of it is there
print(f"{kernel.loaded_for.rule.name.lower()}: {kernel.loaded_for.origin}")

# %% Compare
expected = numpy.zeros(rows)
numpy.add.at(expected, numpy.repeat(numpy.arange(rows), lengths), values.astype(float) * x[columns])
print(f"{values.size} entries, {lengths.max()} of a row at most; greatest error {abs(y - expected).max():.1e}")
assert numpy.allclose(y, expected, atol=1e-5)

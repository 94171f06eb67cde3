# SPDX-License-Identifier: Apache-2.0
"""What the tests share: folders with a database and a cache of their own, and a kernel that is swept in a moment."""
import os
import shutil
import stat
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]

KERNEL = """__global__ void axpy(const float *x, const float *y, float *z, int n)
{
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += BLOCK * gridDim.x)
        z[i] = 3 * x[i] + y[i];
}
"""
REFERENCE = """__global__ void reference(const float *x, const float *y, double *z, double *mag, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        z[i] = 3.0 * x[i] + y[i];
        mag[i] = fabs(3.0 * x[i]) + fabs(y[i]);
    }
}
"""
TEMPLATE = """template axpy "z = 3 x + y"
size n = 1000
parameter BLOCK "threads per block"
source "axpy.cu"
buffer x : float[n] in uniform(-1, 1)
buffer y : float[n] in uniform(-1, 1)
buffer z : float[n] out
launch { axpy<<<ceil_div(n, BLOCK), BLOCK>>>(x, y, z, n) }
reference "reference.cu" { reference<<<ceil_div(n, 256), 256>>>(x, y, ref(z), mag(z), n) }
check z within sum_error(2)
"""
SPACE = """space blocks of axpy
param BLOCK = [32, 64]
"""


class Case(unittest.TestCase):
    """A test in a folder of its own, which also has the database and the cache of images."""

    GPUS = False
    """May it see them?"""

    def setUp(self) -> None:
        self.home = Path(tempfile.mkdtemp(prefix="tune-test-"))
        self.addCleanup(shutil.rmtree, self.home)
        self.set_environment(TUNE_DB=str(self.home / "tune.db"), TUNE_SITE="",
                             XDG_CACHE_HOME=str(self.home / "cache"))
        if not self.GPUS:
            self.set_environment(CUDA_VISIBLE_DEVICES="")

    def set_environment(self, **variables: str) -> None:
        for name, value in variables.items():
            before = os.environ.get(name)
            os.environ[name] = value
            if before is None:
                self.addCleanup(os.environ.pop, name, None)
            else:
                self.addCleanup(os.environ.__setitem__, name, before)

    def write_kernel(self) -> Path:
        """A folder with the template axpy and its space `blocks`."""
        folder = self.home / "axpy"
        folder.mkdir()
        for name, text in (("axpy.cu", KERNEL), ("reference.cu", REFERENCE), ("axpy.template", TEMPLATE),
                           ("blocks.space", SPACE)):
            (folder / name).write_text(text)
        return folder

    def pretend(self, script: str) -> None:
        """A script stands in for the program."""
        path = self.home / "program"
        path.write_text("#!/bin/sh\n" + script)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        self.set_environment(TUNE_PROGRAM=str(path))

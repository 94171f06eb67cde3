# SPDX-License-Identifier: Apache-2.0
"""tune: the fastest known configuration of a CUDA kernel, from Python.

    found = tune.sweep("gemm", "joint_reg_smem", M=4096, N=4096, K=512, budget="30s")   # search, once
"""
from . import language
from ._declared import Space, Template
from ._errors import (ArgumentError, CapturingError, CompileError, DatabaseError, DeviceError, InputError,
                      NotFoundError, OutOfMemoryError, Place, SweepError, SystemFailure, TuneError, UnvalidatedError)
from ._library import version
from ._sweep import Evaluation, Progress, Sweep, sweep

__all__ = [
    "ArgumentError", "CapturingError", "CompileError", "DatabaseError", "DeviceError", "Evaluation", "InputError",
    "NotFoundError", "OutOfMemoryError", "Place", "Progress", "Space", "Sweep", "SweepError", "SystemFailure",
    "Template", "TuneError", "UnvalidatedError", "language", "sweep", "version",
]

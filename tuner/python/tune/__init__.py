# SPDX-License-Identifier: Apache-2.0
"""tune: the fastest known configuration of a CUDA kernel, from Python.

    found = tune.sweep("gemm", "joint_reg_smem", M=4096, N=4096, K=512, budget="30s")   # search, once
    answer = tune.best("gemm", M=4096, N=4096, K=512)                                   # what is known
    gemm = tune.load("gemm", M=4096, N=4096, K=512)                                     # and launch it
    c = gemm(a, b)                                                                      # arrays of CuPy, PyTorch, NumPy

tune.Template and tune.Space declare kernels and search spaces of your own, with expressions of tune.language.
"""
from . import language
from ._answers import Answer, Rule, Session, best
from ._declared import Space, Template
from ._errors import (ArgumentError, CapturingError, CompileError, DatabaseError, DeviceError, InputError,
                      NotFoundError, OutOfMemoryError, Place, SweepError, SystemFailure, TuneError, UnvalidatedError)
from ._functions import Function, function
from ._kernels import Buffer, Kernel, Launch, Role, load
from ._library import version
from ._online import Online, OnlineState
from ._sweep import Evaluation, Progress, Sweep, sweep

__all__ = [
    "Answer", "ArgumentError", "Buffer", "CapturingError", "CompileError", "DatabaseError", "DeviceError", "Evaluation",
    "Function", "InputError", "Kernel", "Launch", "NotFoundError", "Online", "OnlineState", "OutOfMemoryError", "Place",
    "Progress", "Role", "Rule", "Session", "Space", "Sweep", "SweepError", "SystemFailure", "Template", "TuneError", "UnvalidatedError",
    "best", "function", "language", "load", "sweep", "version",
]

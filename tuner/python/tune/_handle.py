# SPDX-License-Identifier: Apache-2.0
"""What the library has made and somebody has to free: once, when it is closed or nobody has it any more."""
from __future__ import annotations

import os
import weakref

from . import _library
from ._errors import ArgumentError


class Handle:
    """A pointer of the library's. Handles may be freed in any order, so none keeps another."""

    def __init__(self, free: str, pointer: int) -> None:
        self._pointer = pointer
        self._free = weakref.finalize(self, _library.function(free), pointer)
        # A process that ends frees all of it by itself, whatever still runs; but a kernel's calls are written then.
        self._free.atexit = free == "tune_kernel_free" and "TUNE_CAPTURE" in os.environ

    @property
    def pointer(self) -> int:
        if not self._free.alive:
            raise ArgumentError("this has been closed", "make another one")
        return self._pointer

    def keep(self) -> None:
        """From here on it is freed only by close()."""
        _kept.add(self)

    def close(self) -> None:
        """Free it now; nothing happens the second time."""
        self._free()
        _kept.discard(self)


_kept: set[Handle] = set()

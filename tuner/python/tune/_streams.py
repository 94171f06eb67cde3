# SPDX-License-Identifier: Apache-2.0
"""Streams as other packages have them."""
from __future__ import annotations

import operator
import sys
from typing import Any, Iterable, Union

from ._arrays import Array
from ._errors import ArgumentError

Stream = Union[None, int, Any]


def handle_of(stream: Any) -> int:
    """A CUstream as a number: of a number, or of what has `__cuda_stream__`, `.cuda_stream` or `.ptr`."""
    protocol = getattr(stream, "__cuda_stream__", None)
    if protocol is not None:
        _, handle = protocol() if callable(protocol) else protocol
        return int(handle)
    for name in ("cuda_stream", "ptr"):
        handle = getattr(stream, name, None)
        if handle is not None:
            return int(handle)
    try:
        return operator.index(stream)
    except TypeError:
        raise ArgumentError(f"the stream is {type(stream).__name__}, which is none",
                            "pass a number, a stream of CuPy or PyTorch, or None for the current one") from None


def current(objects: Iterable[Any], arrays: Iterable[Array]) -> int:
    """The stream on which the arrays' own package works now; else the one that an array names, else the default."""
    for one, array in zip(objects, arrays):
        package = type(one).__module__.partition(".")[0]
        if package == "torch":
            return int(sys.modules["torch"].cuda.current_stream(array.ordinal).cuda_stream)
        if package == "cupy":
            return int(sys.modules["cupy"].cuda.get_current_stream().ptr)
    return next((array.stream for array in arrays if array.stream is not None), 0)

# SPDX-License-Identifier: Apache-2.0
"""What functions take: names, paths, and what has been written to a path."""
from __future__ import annotations

import os
from pathlib import Path
from typing import Protocol, Union

PathLike = Union[str, "os.PathLike[str]"]
Value = Union[int, float, str, bool]


class Located(Protocol):
    """A Template or Space that has been written."""

    @property
    def path(self) -> Path: ...


def path_of(what: Union[PathLike, Located]) -> str:
    """A name as it is, a path as text; of a Template or Space where it was written."""
    return os.fspath(what) if isinstance(what, (str, os.PathLike)) else os.fspath(what.path)

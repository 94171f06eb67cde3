# SPDX-License-Identifier: Apache-2.0
"""Kernels whose sizes follow from the arrays that they are called with."""
from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence, Union

from . import _answers, _arrays, _program
from ._answers import Session
from ._arrays import CPU, Array
from ._errors import ArgumentError
from ._kernels import Kernel, Role, by_name, described, given, load_answer
from ._streams import Stream
from ._types import Located, PathLike, path_of


class Function:
    """A kernel whose sizes follow from its arrays; see tune.function."""

    def __init__(self, template: str, session: Session, device: Optional[str], objective: Optional[str],
                 sizes: Mapping[str, int], unvalidated: bool, online: float) -> None:
        shown = described(template)
        self.kernel = str(shown["template"])
        self._session, self._template, self._device, self._objective = session, template, device, objective
        self._unvalidated, self._online = unvalidated, online
        self._sizes = _program.whole_sizes(sizes)
        self._wanted = [row["name"] for row in shown["sizes"] if not row.get("derived")]
        self._usual = {row["name"]: row.get("value") for row in shown["sizes"] if not row.get("derived")}
        self._matrices: list[dict[str, Any]] = shown["matrices"]
        self._rows = {row["name"]: row for row in shown["buffers"] if row["passed"]}
        self._kernels: dict[tuple[Any, ...], Kernel] = {}

    def __call__(self, *arrays: Any, stream: Stream = None, prepare: bool = True, **named: Any) -> Any:
        """Launch it as a Kernel is."""
        return self.kernel_for(*arrays, **named)(*arrays, stream=stream, prepare=prepare, **named)

    def kernel_for(self, *arrays: Any, **named: Any) -> Kernel:
        """The kernel that would be launched with these arrays; loaded once."""
        roles = {name: Role[row["passed"].upper()] for name, row in self._rows.items()}
        named = dict(by_name(self.kernel, roles, arrays, named))
        passed = {name: given(what, name) for name, what in named.items()}
        sizes = self._infer({name: one.array for name, one in passed.items()}, named)
        device = self._device or _device_of([one.array for one in passed.values()])
        key = (device, *sizes.items())
        if key not in self._kernels:
            answer = self._session.best(self._template, device, self._objective, sizes)
            self._kernels[key] = load_answer(answer, unvalidated=self._unvalidated, online=self._online)
        return self._kernels[key]

    def _infer(self, arrays: Mapping[str, Array], objects: Mapping[str, Any]) -> dict[str, int]:
        found = {name: (value, "what was given") for name, value in self._sizes.items()}
        for name, array in arrays.items():
            for size, extent in self._extents(name, array):
                before, of = found.setdefault(size, (extent, name))
                if before != extent:
                    raise ArgumentError(f"the size {size} is {before} by {of}, but {extent} by {name}")
        missing = [size for size in self._wanted if size not in found]
        for matrix in self._matrices:
            sizes = matrix["sizes"]
            longest = _longest(objects.get(matrix["buffers"][0])) if matrix["format"] == "csr" else None
            if longest is not None and sizes[1:] and sizes[1] not in found:
                found[sizes[1]] = longest, matrix["buffers"][0]
            if any(size in found for size in sizes):
                missing += [size for size in sizes if size not in found]
        if missing:
            raise self._missing(missing)
        return {size: value for size, (value, _) in found.items()}

    def _missing(self, sizes: Sequence[str]) -> ArgumentError:
        text = f"the size {sizes[0]} does not" if len(sizes) == 1 else f"the sizes {', '.join(sizes)} do not"
        usual = {size: self._usual.get(size) for size in sizes}
        said = ", ".join(f"{size}={'...' if value is None else value}" for size, value in usual.items())
        note = "" if None in usual.values() else ", with the template's defaults"
        return ArgumentError(f"{text} follow from the shapes of the arrays",
                             f"say so: tune.function({self.kernel!r}, {said}){note}")

    def _extents(self, name: str, array: Array) -> list[tuple[str, int]]:
        """Sizes that stand alone as a dimension of the buffer."""
        row = self._rows[name]
        dimensions, kind = row["dimensions"], _arrays.element_type(row["type"], array.itemsize)
        count = _arrays.numbers_in(array, kind)
        if count is None:
            raise ArgumentError(f"{name} has elements of {array.dtype}, but {self.kernel} takes {_arrays.wanted(kind)}")
        if len(dimensions) == 1:
            shape: tuple[int, ...] = (count,)
        elif array.elements == count * kind.numbers and kind.numbers > 1 and array.shape[-1:] == (kind.numbers,):
            shape = array.shape[:-1]
        else:
            shape = array.shape
        if len(shape) != len(dimensions):
            return []
        sizes = {*self._wanted, *(size for matrix in self._matrices for size in matrix["sizes"])}
        return [(one, extent) for one, extent in zip(dimensions, shape) if one in sizes]


def _longest(starts: Any) -> Optional[int]:
    """The most entries of a row, by where the rows of a CSR matrix start; waits for a GPU. None: the array cannot say."""
    try:
        return int((starts[1:] - starts[:-1]).max()) if len(starts) > 1 else 0
    except (AttributeError, TypeError, ValueError):
        return None


def _device_of(arrays: Sequence[Array]) -> Optional[str]:
    """Where the arrays are, if they say so."""
    if any(array.places == (CPU,) for array in arrays):
        return "cpu:0"
    ordinal = next((array.ordinal for array in arrays if array.ordinal is not None), None)
    return f"cuda:{ordinal}" if ordinal is not None else None


def function(kernel: Union[PathLike, Located], device: Optional[str] = None, objective: Optional[str] = None, *,
             sizes: Optional[Mapping[str, int]] = None, database: Optional[PathLike] = None,
             known: Optional[PathLike] = None, unvalidated: bool = False, online: float = 0,
             **more_sizes: int) -> Function:
    """A kernel to call with arrays of any size: each call loads, once, what is best for its sizes and device.

        saxpy = tune.function("./mykernel")
        z = saxpy(x, y)

    A size follows from the arrays where it alone is a dimension of a buffer, as in `float[n]` and `float[rows,
    columns]`; of the latter, arrays must have as many dimensions. A product such as `float[M * K]` says nothing, so
    sizes that stand only in such, or in none, have to be given here. The most entries of a row of a sparse matrix, LONGEST
    of spmv, is looked up in the array of the rows' starts, at each call, and a GPU is waited for; give it where that
    matters, or call what `kernel_for` returns. `online` is as for tune.load.
    """
    session = _answers.session(database, known)
    return Function(path_of(kernel), session, device, objective, {**(sizes or {}), **more_sizes}, unvalidated,
                    online)

# SPDX-License-Identifier: Apache-2.0
"""Kernels that are loaded, and launched with arrays of other packages."""
from __future__ import annotations

import ctypes
import enum
from dataclasses import dataclass
from typing import Any, Mapping, NamedTuple, Optional, Sequence, Union

from . import _answers, _arrays, _library, _online, _program, _streams
from ._answers import Answer
from ._arrays import CPU, CUDA, Array
from ._errors import ArgumentError, TuneError
from ._handle import Handle
from ._streams import Stream
from ._types import Located, PathLike


class Role(enum.Enum):
    """What becomes of a buffer."""

    IN = 0
    OUT = 1
    INOUT = 2


class Buffer(NamedTuple):
    """A buffer that the caller passes."""

    name: str
    type: str
    """As the template has it: "float", "float4", "particle"."""
    role: Role
    elements: int
    size: int
    """In bytes."""
    on_host: bool
    """It must be memory that host and device both reach."""

    @property
    def kind(self) -> _arrays.ElementType:
        return _arrays.element_type(self.type, self.size // self.elements if self.elements else 1)


@dataclass(frozen=True)
class Launch:
    """One launch of the sequence, for those who launch themselves."""

    kernel: str
    function: int
    """A CUfunction; 0 on the CPU device."""
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    cluster: tuple[int, int, int]
    shared_bytes: int
    cooperative: bool


class Given(NamedTuple):
    """An array that was passed: the caller's own object, and what is known of it."""

    object: Any
    array: Array


_EM_CUDA = 190


def _place_of(image: Optional[int], size: int) -> str:
    """Where an image runs: the ELF header of a cubin says so."""
    header = ctypes.string_at(image, 20) if image and size >= 20 else b""
    return CPU if header[:4] == b"\x7fELF" and int.from_bytes(header[18:20], "little") != _EM_CUDA else CUDA


def given(what: Any, buffer: str) -> Given:
    """An array that was passed for a buffer."""
    try:
        return Given(what, _arrays.of(what))
    except ArgumentError as error:
        raise ArgumentError(f"{buffer} cannot be passed: {error.text}", error.hint) from error


def _check(kernel: str, buffer: Buffer, array: Array, place: str) -> None:
    """May the kernel take it?"""
    kind = buffer.kind
    count = _arrays.numbers_in(array, kind)
    where = {CPU: "the CPU", CUDA: "a GPU"}
    if place not in array.places:
        raise ArgumentError(f"{buffer.name} lies on {where[array.places[0]]}, but {kernel} is for {where[place]}",
                            "copy it, or load the kernel for another device")
    if count is None:
        raise ArgumentError(f"{buffer.name} has elements of {array.dtype}, but {kernel} takes {_arrays.wanted(kind)}")
    if not array.contiguous:
        raise ArgumentError(f"{buffer.name} is not contiguous: its elements do not lie one behind the other in C order",
                            "copy it: ascontiguousarray(x), or x.contiguous()")
    if count != buffer.elements:
        raise ArgumentError(f"{buffer.name} has {count} elements, but {kernel} takes {buffer.elements}",
                            "does the kernel have other sizes? of a longer array pass a part, x[:n]")
    if buffer.role is not Role.IN and not array.writable:
        raise ArgumentError(f"{buffer.name} is read-only, but {kernel} writes it")


def by_name(kernel: str, roles: Mapping[str, Role], positional: Sequence[Any],
            named: Mapping[str, Any]) -> dict[str, Any]:
    """Arrays by the names of their buffers. Positional ones are all buffers, or all but outputs, in order."""
    inputs = [name for name, role in roles.items() if role is not Role.OUT]
    order = list(roles) if len(positional) > len(inputs) else inputs
    takes = ", ".join(f"{name} ({role.name.lower()})" for name, role in roles.items())
    if len(positional) > len(order):
        raise ArgumentError(f"{kernel} takes {len(order)} arrays, not {len(positional)}", f"they are {takes}")
    if len(inputs) < len(positional) < len(order) and not named:
        raise ArgumentError(f"{kernel} takes {len(inputs)} arrays, or {len(order)} with all outputs, and not "
                            f"{len(positional)}", f"they are {takes}; name those that are not in order")
    arrays = dict(zip(order, positional))
    for name, array in named.items():
        if name not in roles:
            raise ArgumentError(f"{kernel} takes no array {name}", f"they are {takes}")
        if name in arrays:
            raise ArgumentError(f"{name} was passed twice")
        arrays[name] = array
    missing = [name for name in inputs if name not in arrays]
    if missing:
        raise ArgumentError(f"{kernel} lacks {', '.join(missing)}", f"it takes {takes}")
    return {name: array for name, array in arrays.items() if array is not None or roles[name] is not Role.OUT}


class Kernel:
    """A kernel that is loaded, for one problem.

        gemm = tune.load("gemm", M=4096, N=4096, K=512)
        c = gemm(a, b)                    # an output that is left out is made like the inputs
        gemm(a, b, c, stream=stream)      # or passed; arrays may be named, too: gemm(A=a, B=b, C=c)

    Arrays are checked before anything runs: type, number of elements, that they are contiguous, writable where they
    are written, and where the kernel runs. `stream` is a number or a stream of CuPy, PyTorch or any other package that
    has `__cuda_stream__`; without it, the one on which the arrays' package works now. As everywhere in CUDA a call
    returns when its launches are queued, and arrays must live until they have run.

    An output that is made has the shape of an input of the same type whose extent the template writes in the same
    words; else the dimensions that the template writes; else one dimension.

    A kernel with a workspace must not run in two streams at once: fork() it. Calls on the CPU device return when all is
    done. Where launches are on a GPU, a kernel is not freed before the process ends unless it is closed, which is for
    whoever knows that they have run.
    """

    def __init__(self, handle: Handle, answer: Answer, may_change: bool = False) -> None:
        info: Any = _library.describe("tune_kernel_describe", handle.pointer, _library.KernelInfo())
        self._handle = handle
        self.loaded_for = answer
        """The answer that it was loaded for."""
        self.workspace = int(info.workspace)
        """Bytes of the device that it holds."""
        self.waits = bool(info.waits)
        """Launches wait for the device, since what comes next depends on the data."""
        self.from_cache = bool(info.from_cache)
        """Nothing had to be compiled."""
        self.place = _place_of(info.image, info.image_bytes)
        """ "cuda" or "cpu"."""
        self._launch_count = int(info.launch_count)
        # What is being compiled in the background may have to prepare or finish where the default need not.
        self._must_prepare = bool(info.must_prepare) or may_change
        self._must_finish = bool(info.must_finish) or may_change
        self.buffers = tuple(self._buffer(i) for i in range(info.buffer_count))
        """Those that are passed, in order."""
        self._dimensions: Optional[dict[str, list[str]]] = None

    def __repr__(self) -> str:
        takes = ", ".join(f"{buffer.name}: {buffer.type}[{buffer.elements}] {buffer.role.name.lower()}"
                          for buffer in self.buffers)
        return f"<tune.Kernel {self.loaded_for.kernel}({takes})>"

    def __enter__(self) -> "Kernel":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Unload it; what it has launched must have run."""
        self._handle.close()

    def fork(self) -> "Kernel":
        """The same code with a workspace of its own, for another stream."""
        pointer = _library.make("tune_kernel_fork", self._handle.pointer)
        return Kernel(Handle("tune_kernel_free", pointer), self.loaded_for)

    @property
    def image(self) -> bytes:
        """A cubin, or a shared object."""
        info: Any = _library.describe("tune_kernel_describe", self._handle.pointer, _library.KernelInfo())
        return ctypes.string_at(info.image, info.image_bytes) if info.image else b""

    @property
    def online(self) -> _online.Online:
        """What was found by trying on its calls; see tune.load."""
        return _online.read(self._handle.pointer)

    @property
    def launches(self) -> list[Launch]:
        """The launch sequence; empty if it depends on the data."""
        return [self._launch(i) for i in range(self._launch_count)]

    def __call__(self, *arrays: Any, stream: Stream = None, prepare: bool = True, **named: Any) -> Any:
        """Launch it: the output, or a tuple of all outputs.

        Templates may convert inputs to a layout of their own beforehand, and outputs back. With prepare=False the
        former is left out, for inputs that are those of the last call.
        """
        passed = self._pass(arrays, named)
        where = self._stream(stream, passed)
        if self._must_prepare and prepare:
            self._call("tune_prepare", where, passed)
        self._call("tune_launch", where, passed)
        if self._must_finish:
            self._call("tune_finish", where, passed)
        outputs = [one.object for buffer, one in zip(self.buffers, passed) if buffer.role is not Role.IN]
        return outputs[0] if len(outputs) == 1 else tuple(outputs)

    def _call(self, function: str, stream: int, passed: Sequence[Given]) -> None:
        buffers = (_library.BufferArgument * len(passed))()
        for argument, one in zip(buffers, passed):
            argument.address, argument.size = one.array.pointer, one.array.elements * one.array.itemsize
        if self.place == CUDA:
            self._handle.keep()
        _library.call(function, self._handle.pointer, stream or None, buffers, len(passed))

    def _stream(self, stream: Stream, passed: Sequence[Given]) -> int:
        if self.place == CPU:
            return 0
        if stream is not None:
            return _streams.handle_of(stream)
        return _streams.current([one.object for one in passed], [one.array for one in passed])

    def _pass(self, positional: Sequence[Any], named: Mapping[str, Any]) -> list[Given]:
        kernel = self.loaded_for.kernel
        objects = by_name(kernel, {buffer.name: buffer.role for buffer in self.buffers}, positional, named)
        passed = {name: given(what, name) for name, what in objects.items()}
        for buffer in self.buffers:
            if buffer.name not in passed:
                passed[buffer.name] = given(self._make(buffer, passed), buffer.name)
            _check(kernel, buffer, passed[buffer.name].array, self.place)
        ordinals = {one.array.ordinal: name for name, one in passed.items() if one.array.ordinal is not None}
        if self.place == CUDA and len(ordinals) > 1:
            (first, a), (second, b), *_ = ordinals.items()
            raise ArgumentError(f"{a} lies on GPU {first} and {b} on GPU {second}", "copy one to where the other is")
        return [passed[buffer.name] for buffer in self.buffers]

    def _make(self, buffer: Buffer, passed: Mapping[str, Given]) -> Any:
        """An output that was left out."""
        if not passed:
            raise ArgumentError(f"there are no inputs that {buffer.name} could be made like", "pass it")
        like = next(iter(passed.values()))
        is_complex = buffer.type in ("complex", "complex_double")
        try:
            return _arrays.empty_like(like.object, self._shape(buffer, passed), buffer.kind, is_complex)
        except ArgumentError as error:
            raise ArgumentError(f"{buffer.name}: {error.text}", error.hint) from error

    def _shape(self, buffer: Buffer, passed: Mapping[str, Given]) -> tuple[int, ...]:
        dimensions = self._written()
        mine = dimensions.get(buffer.name, [])
        for other in self.buffers:
            one = passed.get(other.name)
            if one and mine and other.type == buffer.type and dimensions.get(other.name) == mine:
                shape, count = one.array.shape, other.kind.numbers
                if one.array.elements == buffer.elements:
                    return shape
                if shape and shape[-1] == count:
                    return shape[:-1]
        sizes = self.loaded_for.sizes
        known = [sizes[one] if one in sizes else int(one) for one in mine if one in sizes or one.isdigit()]
        return tuple(known) if len(known) == len(mine) > 1 else (buffer.elements,)

    def _written(self) -> dict[str, list[str]]:
        """The extents of buffers as the template writes them; without the program nobody knows."""
        if self._dimensions is None:
            try:
                rows = described(self.loaded_for.template)["buffers"]
                self._dimensions = {row["name"]: row["dimensions"] for row in rows}
            except TuneError:
                self._dimensions = {}
        return self._dimensions

    def _buffer(self, index: int) -> Buffer:
        info = _library.BufferInfo(ctypes.sizeof(_library.BufferInfo))
        _library.call("tune_kernel_buffer", self._handle.pointer, index, ctypes.byref(info))
        return Buffer(_library.text_of(info.name), _library.text_of(info.type), Role(info.role), int(info.elements),
                      int(info.size), bool(info.on_host))

    def _launch(self, index: int) -> Launch:
        info = _library.LaunchInfo(ctypes.sizeof(_library.LaunchInfo))
        _library.call("tune_kernel_launch", self._handle.pointer, index, ctypes.byref(info))
        (gx, gy, gz), (bx, by, bz), (cx, cy, cz) = info.grid, info.block, info.cluster
        return Launch(_library.text_of(info.kernel), int(info.function or 0), (gx, gy, gz), (bx, by, bz), (cx, cy, cz),
                      int(info.shared_bytes), bool(info.cooperative))


def described(template: str) -> Any:
    """What the program says of a template."""
    return _program.run(["show", template])


def load_answer(answer: Answer, in_background: bool = False, unvalidated: bool = False, online: float = 0) -> Kernel:
    """Load the kernel of an answer; see tune.load."""
    flags = (_library.LOAD_IN_BACKGROUND if in_background else 0) | (_library.LOAD_UNVALIDATED if unvalidated else 0)
    options = _library.LoadOptions(ctypes.sizeof(_library.LoadOptions), flags, online)
    pointer = _library.make("tune_load", answer.session.handle.pointer, answer.handle.pointer, ctypes.byref(options))
    return Kernel(Handle("tune_kernel_free", pointer), answer, in_background)


def load(kernel: Union[PathLike, Located, Answer], device: Optional[str] = None, objective: Optional[str] = None, *,
         sizes: Optional[Mapping[str, int]] = None, database: Optional[PathLike] = None,
         known: Optional[PathLike] = None, in_background: bool = False, unvalidated: bool = False,
         online: float = 0, **more_sizes: int) -> Kernel:
    """Load the best known configuration of a kernel, for arrays of these sizes; see Kernel.

    The arguments are those of tune.best, whose answer may be passed as well. What is not in the cache of compiled
    images is compiled once, `in_background` while the default runs. Nothing is loaded that was never validated unless
    `unvalidated` says so.

    With `online`, a share such as 0.05, calls also try other configurations that sweeps found valid for this kernel and
    model of device, within that share of their time, each on copies first; the kernel goes on with what is faster, and
    what was learnt is stored for the next run when all was tried or the kernel is closed. Kernel.online tells.
    """
    if not isinstance(kernel, Answer):
        kernel = _answers.best(kernel, device, objective, sizes=sizes, database=database, known=known, **more_sizes)
    elif device or objective or sizes or database or known or more_sizes:
        raise ArgumentError("an answer is for its own device and sizes", "pass nothing else of the problem with it")
    return load_answer(kernel, in_background, unvalidated, online)

# SPDX-License-Identifier: Apache-2.0
"""Arrays of other packages: where their elements lie, and whether a kernel may take them.

NumPy's arrays are known by `__array_interface__`, those of a GPU (CuPy, PyTorch, Numba, ...) by
`__cuda_array_interface__`, and all others, such as PyTorch's tensors of the CPU, by DLPack. None of these packages is
needed, nor imported.
"""
from __future__ import annotations

import ctypes
import sys
from dataclasses import dataclass
from typing import Any, Optional

from ._errors import ArgumentError

CPU, CUDA = "cpu", "cuda"


@dataclass(frozen=True)
class Array:
    """What is to be known of an array."""

    pointer: int
    kind: str
    """Of its numbers: f, i, u, c(omplex), b(ool), "bfloat16", or V for structures."""
    itemsize: int
    shape: tuple[int, ...]
    contiguous: bool
    writable: bool
    places: tuple[str, ...]
    """Where it can be reached from: on the CPU, on a GPU; managed memory on both."""
    ordinal: Optional[int]
    """The GPU, if it is known."""
    stream: Optional[int]
    """The stream that its producer works on, if it says so."""
    keep: Any
    """What has to live as long as the pointer is used."""

    @property
    def elements(self) -> int:
        count = 1
        for extent in self.shape:
            count *= extent
        return count

    @property
    def dtype(self) -> str:
        """ "float32", as NumPy calls it."""
        words = {"f": "float", "i": "int", "u": "uint", "c": "complex"}
        if self.kind in words:
            return f"{words[self.kind]}{8 * self.itemsize}"
        return {"b": "bool", "V": f"a structure of {self.itemsize} bytes"}.get(self.kind, self.kind)


def is_contiguous(shape: tuple[int, ...], strides: Optional[tuple[int, ...]], itemsize: int) -> bool:
    """In C order without gaps; strides in units of `itemsize`."""
    if strides is None or 0 in shape:
        return True
    expected = itemsize
    for extent, stride in zip(reversed(shape), reversed(strides)):
        if extent != 1 and stride != expected:
            return False
        expected *= extent
    return True


# ---- NumPy's protocol and CUDA's, which are dictionaries of the same kind ----

def _of_interface(what: Any, interface: dict[str, Any], place: str) -> Array:
    pointer, read_only = interface["data"]
    typestr, shape = str(interface["typestr"]), tuple(int(extent) for extent in interface["shape"])
    if typestr[0] == (">" if sys.byteorder == "little" else "<"):
        raise ArgumentError("its bytes are in the other order", "convert it: x.astype(x.dtype.newbyteorder('='))")
    if interface.get("mask") is not None:
        raise ArgumentError("it is masked", "pass its data")
    kind, itemsize = typestr[1], int(typestr[2:])
    if itemsize == 2 and str(getattr(what, "dtype", "")).endswith("bfloat16"):
        kind = "bfloat16"  # CUDA's interface has no word for it
    strides = interface.get("strides")
    contiguous = is_contiguous(shape, tuple(strides) if strides is not None else None, itemsize)
    return Array(int(pointer or 0), kind, itemsize, shape, contiguous, not read_only, (place,),
                 _ordinal(what) if place == CUDA else None, interface.get("stream"), what)


def _ordinal(what: Any) -> Optional[int]:
    """PyTorch's device has an index, CuPy's an id."""
    device = getattr(what, "device", None)
    for name in ("index", "id"):
        found = getattr(device, name, None)
        if isinstance(found, int):
            return found
    return None


# ---- DLPack ----

class _Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class _Type(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class _Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", _Device), ("ndim", ctypes.c_int32), ("dtype", _Type),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


class _Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
                ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", _Tensor)]


# Functions of their own, so that nobody else's declarations are changed.
_get_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi))
_is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_IsValid", ctypes.pythonapi))

_READ_ONLY = 1
_KINDS = {0: "i", 1: "u", 2: "f", 4: "bfloat16", 5: "c", 6: "b"}
_PLACES = {1: (CPU,), 2: (CUDA,), 3: (CPU, CUDA), 13: (CPU, CUDA)}  # 3: page-locked, 13: managed


def _capsule(what: Any) -> Any:
    """Without any waiting on a GPU: launches are ordered by their streams."""
    stream = {"stream": -1} if what.__dlpack_device__()[0] == 2 else {}
    try:
        return what.__dlpack__(max_version=(1, 0), **stream)
    except TypeError:
        return what.__dlpack__(**stream)


def _of_dlpack(what: Any) -> Array:
    capsule = _capsule(what)  # which frees what it holds when it goes, as it is not renamed
    writable = True
    if _is_valid(capsule, b"dltensor_versioned"):
        versioned = _Versioned.from_address(_get_pointer(capsule, b"dltensor_versioned"))
        writable = not versioned.flags & _READ_ONLY
        tensor = versioned.tensor
    else:
        tensor = _Tensor.from_address(_get_pointer(capsule, b"dltensor"))
    if tensor.device.type not in _PLACES:
        raise ArgumentError(f"it lies on a device of DLPack's type {tensor.device.type}, which tune does not know")
    if tensor.dtype.code not in _KINDS or tensor.dtype.lanes != 1 or tensor.dtype.bits % 8:
        raise ArgumentError(f"its elements have DLPack's type {tensor.dtype.code} of {tensor.dtype.bits} bits and "
                            f"{tensor.dtype.lanes} lanes, which tune does not know")
    shape = tuple(tensor.shape[: tensor.ndim])
    strides = tuple(tensor.strides[: tensor.ndim]) if tensor.strides else None
    pointer = (tensor.data or 0) + tensor.byte_offset
    places, contiguous = _PLACES[tensor.device.type], is_contiguous(shape, strides, 1)
    return Array(pointer, _KINDS[tensor.dtype.code], tensor.dtype.bits // 8, shape, contiguous, writable, places,
                 tensor.device.id if places == (CUDA,) else None, None, capsule)


def _interface(what: Any, name: str) -> Optional[dict[str, Any]]:
    """PyTorch has the attribute, and raises one error or another where it cannot be had."""
    try:
        found = getattr(what, name, None)
    except (RuntimeError, TypeError):
        return None
    return found if isinstance(found, dict) else None


def of(what: Any) -> Array:
    """What is to be known of an array; an ArgumentError if it is none."""
    for name, place in (("__cuda_array_interface__", CUDA), ("__array_interface__", CPU)):
        interface = _interface(what, name)
        if interface is not None:
            return _of_interface(what, interface, place)
    if hasattr(what, "__dlpack__") and hasattr(what, "__dlpack_device__"):
        try:
            return _of_dlpack(what)
        except (BufferError, RuntimeError) as error:
            raise ArgumentError(f"it cannot be had by DLPack: {error}") from error
    raise ArgumentError(f"it is {type(what).__name__}, which is no array",
                        "pass an array of NumPy, CuPy, PyTorch or whatever has __cuda_array_interface__ or DLPack")


# ---- the types of templates ----

@dataclass(frozen=True)
class ElementType:
    """What a template's type is made of: so many numbers of a kind; a struct of its own is bytes."""

    kind: str
    itemsize: int
    numbers: int

    @property
    def bytes(self) -> int:
        return self.itemsize * self.numbers


_NUMBERS = {"char": ("i", 1), "uchar": ("u", 1), "short": ("i", 2), "ushort": ("u", 2), "int": ("i", 4),
            "uint": ("u", 4), "long": ("i", 8), "ulong": ("u", 8), "half": ("f", 2), "bfloat16": ("bfloat16", 2),
            "float": ("f", 4), "double": ("f", 8)}
_COMPOUND = {"complex": ("f", 4), "complex_double": ("f", 8), "half2": ("f", 2), "bfloat162": ("bfloat16", 2)}


def element_type(name: str, size: int) -> ElementType:
    """Of a type by its name in templates; `size` is that of an element, in bytes."""
    if name in _NUMBERS:
        return ElementType(*_NUMBERS[name], 1)
    if name in _COMPOUND:
        return ElementType(*_COMPOUND[name], 2)
    if name[:-1] in _NUMBERS and name[-1] in "234":
        return ElementType(*_NUMBERS[name[:-1]], int(name[-1]))
    return ElementType("V", size, 1)


def numbers_in(array: Array, kind: ElementType) -> Optional[int]:
    """How many elements of a template's type an array holds; None if its numbers are others."""
    if array.kind == kind.kind and array.itemsize == kind.itemsize:
        whole, rest = divmod(array.elements, kind.numbers)
        return whole if rest == 0 else None
    if array.kind == "V" and array.itemsize == kind.bytes:  # a structure of NumPy's
        return array.elements
    if array.kind == "c" and kind.numbers == 2 and kind.kind == "f" and array.itemsize == kind.bytes:
        return array.elements
    if array.kind == "b" and kind.bytes == 1:
        return array.elements
    if kind.kind == "V" and array.kind == "u" and array.itemsize == 1:  # bytes
        whole, rest = divmod(array.elements, kind.bytes)
        return whole if rest == 0 else None
    return None


def wanted(kind: ElementType) -> str:
    """The dtype to pass, in words."""
    if kind.kind == "V":
        return f"structures of {kind.itemsize} bytes"
    plain = Array(0, kind.kind, kind.itemsize, (), True, True, (), None, None, None).dtype
    return plain if kind.numbers == 1 else f"{plain}, {kind.numbers} to an element"


def empty_like(like: Any, shape: tuple[int, ...], kind: ElementType, is_complex: bool) -> Any:
    """An array of the same package and device as `like`."""
    package = sys.modules.get(type(like).__module__.partition(".")[0])
    namespace = getattr(like, "__array_namespace__", None)
    maker = package if hasattr(package, "empty") else namespace() if namespace else None
    plain = ElementType("c", kind.bytes, 1) if is_complex else kind
    name = Array(0, plain.kind, plain.itemsize, (), True, True, (), None, None, None).dtype
    dtype = getattr(maker, name, None)
    if maker is None or dtype is None or kind.kind == "V":
        raise ArgumentError(f"an array of {wanted(kind)} cannot be made like {type(like).__name__}", "pass one")
    shape = shape if plain.numbers == 1 else (*shape, plain.numbers)
    device = getattr(like, "device", None)
    if device is not None and type(like).__module__.partition(".")[0] == "torch":
        return maker.empty(shape, dtype=dtype, device=device)
    return maker.empty(shape, dtype=dtype)

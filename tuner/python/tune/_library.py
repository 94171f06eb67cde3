# SPDX-License-Identifier: Apache-2.0
"""libtune.so through ctypes: where it is, the structures of tune.h, and how its errors become exceptions."""
from __future__ import annotations

import ctypes
import ctypes.util
import threading
from ctypes import POINTER, c_char, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint, c_uint32, c_uint64, c_void_p
from pathlib import Path
from typing import Any, Callable, Optional

from . import _places
from ._errors import BY_CODE, NotFoundError, Place, SystemFailure

INTERFACE = 1
_SONAME = f"libtune.so.{INTERFACE}"


class Error(ctypes.Structure):
    _fields_ = [("code", c_int), ("text", c_char * 1024), ("hint", c_char * 256), ("file", c_char * 512),
                ("line", c_uint), ("column", c_uint)]


class Options(ctypes.Structure):
    _fields_ = [("bytes", c_size_t), ("home", c_char_p), ("database", c_char_p), ("known", c_char_p),
                ("cache", c_char_p)]


class Size(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("value", c_int64)]


class Problem(ctypes.Structure):
    _fields_ = [("bytes", c_size_t), ("kernel", c_char_p), ("device", c_char_p), ("sizes", POINTER(Size)),
                ("size_count", c_size_t), ("objective", c_char_p)]


class AnswerInfo(ctypes.Structure):
    _fields_ = [("bytes", c_size_t), ("rule", c_int), ("kernel", c_char_p), ("size", c_char_p), ("device", c_char_p),
                ("configuration", c_char_p), ("defines", c_char_p), ("origin", c_char_p), ("time_ns", c_double),
                ("octaves", c_double), ("validated", c_int)]


class LoadOptions(ctypes.Structure):
    _fields_ = [("bytes", c_size_t), ("flags", c_uint), ("online", c_double)]


class BufferInfo(ctypes.Structure):
    _fields_ = [("bytes", c_size_t), ("name", c_char_p), ("type", c_char_p), ("role", c_int), ("elements", c_uint64),
                ("size", c_uint64), ("on_host", c_int)]


class KernelInfo(ctypes.Structure):
    _fields_ = [("bytes", c_size_t), ("answer", c_void_p), ("buffer_count", c_size_t), ("workspace", c_uint64),
                ("launch_count", c_size_t), ("must_prepare", c_int), ("must_finish", c_int), ("waits", c_int),
                ("from_cache", c_int), ("image", c_void_p), ("image_bytes", c_size_t)]


class OnlineInfo(ctypes.Structure):
    _fields_ = [("bytes", c_size_t), ("state", c_int), ("why", c_char_p), ("configuration", c_char_p),
                ("ratio", c_double), ("candidates", c_size_t), ("tried", c_size_t), ("wrong", c_size_t),
                ("calls", c_uint64), ("tries", c_uint64), ("time_ns", c_double), ("excess_ns", c_double),
                ("stored", c_int)]


class LaunchInfo(ctypes.Structure):
    _fields_ = [("bytes", c_size_t), ("kernel", c_char_p), ("function", c_void_p), ("grid", c_uint32 * 3),
                ("block", c_uint32 * 3), ("cluster", c_uint32 * 3), ("shared_bytes", c_size_t), ("cooperative", c_int)]


class BufferArgument(ctypes.Structure):
    _fields_ = [("address", c_void_p), ("size", c_uint64)]


LOAD_IN_BACKGROUND, LOAD_UNVALIDATED = 1, 2

_HANDLE, _RESULT, _ERROR = c_void_p, POINTER(c_void_p), POINTER(Error)
_LAUNCH = (c_int, [_HANDLE, c_void_p, POINTER(BufferArgument), c_size_t, _ERROR])

# Result and arguments of each function of tune.h that is used here.
_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "tune_code_name": (c_char_p, [c_int]),
    "tune_version": (c_char_p, []),
    "tune_open": (c_int, [POINTER(Options), _RESULT, _ERROR]),
    "tune_close": (None, [_HANDLE]),
    "tune_trouble": (c_int, [_HANDLE, _ERROR]),
    "tune_refresh": (None, [_HANDLE]),
    "tune_best": (c_int, [_HANDLE, POINTER(Problem), _RESULT, _ERROR]),
    "tune_answer_free": (None, [_HANDLE]),
    "tune_answer_describe": (None, [_HANDLE, POINTER(AnswerInfo)]),
    "tune_load": (c_int, [_HANDLE, _HANDLE, POINTER(LoadOptions), _RESULT, _ERROR]),
    "tune_kernel_free": (None, [_HANDLE]),
    "tune_kernel_fork": (c_int, [_HANDLE, _RESULT, _ERROR]),
    "tune_kernel_describe": (None, [_HANDLE, POINTER(KernelInfo)]),
    "tune_kernel_buffer": (c_int, [_HANDLE, c_size_t, POINTER(BufferInfo), _ERROR]),
    "tune_kernel_launch": (c_int, [_HANDLE, c_size_t, POINTER(LaunchInfo), _ERROR]),
    "tune_kernel_online": (c_int, [_HANDLE, POINTER(OnlineInfo), _ERROR]),
    "tune_launch": _LAUNCH,
    "tune_prepare": _LAUNCH,
    "tune_finish": _LAUNCH,
}

_lock = threading.Lock()
_loaded: Optional[ctypes.CDLL] = None


def _candidates() -> list[str]:
    """Paths to try, surest first; names without a folder are for the system's linker."""
    checkout = _places.checkout()
    folders = [_places.PACKAGE]
    folders += [prefix / "lib" for prefix in _places.prefixes()]
    folders += [checkout / "build"] if checkout else []
    paths = [folder / _SONAME for folder in folders]
    for folder in folders[1:]:  # Debian's and its like: lib/x86_64-linux-gnu
        paths += sorted(folder.glob(f"*-linux-gnu/{_SONAME}"))
    return [*map(str, paths), _SONAME]


def _open(path: str) -> ctypes.CDLL:
    """Load one, and see that it has the interface which is written down here."""
    library = ctypes.CDLL(path)
    if not hasattr(library, "tune_interface") or library.tune_interface() != INTERFACE:
        raise NotFoundError(f"{path} does not have interface {INTERFACE} of libtune, which this package is for",
                            "install the package and the library of one version of tune")
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name, None)
        if function is not None:  # one that is missing is missed when it is called
            function.restype, function.argtypes = result, arguments
    return library


def _find() -> ctypes.CDLL:
    chosen = _places.from_environment("TUNE_LIBRARY")
    if chosen:
        path = chosen / _SONAME if chosen.is_dir() else chosen
        try:
            return _open(str(path))
        except OSError as error:
            raise NotFoundError(f"$TUNE_LIBRARY is '{chosen}', which cannot be loaded: {error}") from error
    looked = []
    for path_text in _candidates():
        in_folder = "/" in path_text
        looked.append(path_text if in_folder else f"where the system has its libraries ({path_text})")
        if in_folder and not Path(path_text).exists():
            continue
        try:
            return _open(path_text)
        except OSError as error:
            if in_folder:
                raise NotFoundError(f"{path_text} cannot be loaded: {error}") from error
    raise NotFoundError("libtune was not found; looked for " + ", ".join(looked),
                        "build tune, or set TUNE_LIBRARY to the path of libtune.so")


def load() -> ctypes.CDLL:
    """The library, which is loaded once a process."""
    global _loaded
    with _lock:
        if _loaded is None:
            _loaded = _find()
        return _loaded


def version() -> str:
    """The version of the library."""
    text: bytes = load().tune_version()
    return text.decode()


def function(name: str) -> Callable[..., Any]:
    found: Optional[Callable[..., Any]] = getattr(load(), name, None)
    if found is None:
        raise NotFoundError(f"libtune {version()} has no function {name}",
                            "install the package and the library of one version of tune")
    return found


def text_of(value: Optional[bytes]) -> str:
    return value.decode("utf-8", "replace") if value else ""


def raise_error(error: Error) -> None:
    name = text_of(function("tune_code_name")(error.code))
    place = Place(text_of(error.file), error.line, error.column) if error.file else None
    raise BY_CODE.get(name, SystemFailure)(text_of(error.text), text_of(error.hint), place)


def call(name: str, *arguments: Any) -> None:
    """Call a function that returns an enum tune_code and takes an error last."""
    error = Error()
    if function(name)(*arguments, ctypes.byref(error)) != 0:
        raise_error(error)


def make(name: str, *arguments: Any) -> int:
    """Call one that makes a handle."""
    error, handle = Error(), c_void_p()
    if function(name)(*arguments, ctypes.byref(handle), ctypes.byref(error)) != 0:
        raise_error(error)
    assert handle.value
    return handle.value


def describe(name: str, handle: int, structure: Any) -> Any:
    """Have a structure with `bytes` filled in."""
    structure.bytes = ctypes.sizeof(structure)
    function(name)(handle, ctypes.byref(structure))
    return structure

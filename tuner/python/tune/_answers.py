# SPDX-License-Identifier: Apache-2.0
"""What is known: the configuration that would be launched for a kernel, a device and sizes."""
from __future__ import annotations

import ctypes
import enum
import json
import os
import threading
from dataclasses import dataclass, field
from typing import Any, Mapping, Optional, Union

from . import _library, _program
from ._errors import ArgumentError, TuneError
from ._handle import Handle
from ._types import Located, PathLike, Value, path_of


class Rule(enum.IntEnum):
    """Which rule gave an answer; the README, "What answers without a search", says more."""

    DEFAULT = 0
    """Nothing is known: the space's default."""
    EXACT = 1
    """It was found for this size and model of device."""
    TREE = 2
    """By the tree that a sweep over many sizes left."""
    DATA = 3
    """Found for other data of the same size."""
    SIZE = 4
    """Found for the nearest size."""
    DEVICE = 5
    """Found for another device of the architecture."""
    ARCHITECTURE = 6
    """Found for another architecture."""


@dataclass(frozen=True)
class Answer:
    """The configuration that would be launched, and where it comes from."""

    kernel: str
    """The template's name."""
    sizes: dict[str, int]
    """Of the problem, those that were left out included."""
    device: str
    """Its model."""
    configuration: dict[str, Value]
    rule: Rule
    origin: str
    """In words: "your database, measured 2026-11-20 with NVRTC 13.0"."""
    time: Optional[float]
    """Seconds, where it was measured; None: nowhere."""
    octaves: float
    """How far that is from the problem; 0: it is the same."""
    validated: bool
    """For at least one problem."""
    defines: str = field(repr=False)
    """ "#define TILE_M 64\\n...", as its source sees them."""
    template: str = field(repr=False)
    """The name or path that was asked about."""
    handle: Handle = field(repr=False, compare=False)
    session: "Session" = field(repr=False, compare=False)


def _encoded(path: Optional[PathLike]) -> Optional[bytes]:
    return os.fsencode(path) if path is not None else None


class Session:
    """Knowledge that is open: a database beside what the site and tune itself know, or one file to carry along.

    tune.best, tune.load and tune.function have sessions of their own, so this is for programs that want several, or
    say where each lies. It may be used by several threads at once.
    """

    def __init__(self, database: Optional[PathLike] = None, known: Optional[PathLike] = None,
                 home: Optional[PathLike] = None, cache: Optional[PathLike] = None) -> None:
        options = _library.Options(ctypes.sizeof(_library.Options), _encoded(home), _encoded(database),
                                   _encoded(known), _encoded(cache))
        self.handle = Handle("tune_close", _library.make("tune_open", ctypes.byref(options)))

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Answers and kernels stay."""
        self.handle.close()

    def refresh(self) -> None:
        """See what others have stored since. Sweeps of this process need no such call."""
        _library.function("tune_refresh")(self.handle.pointer)

    @property
    def trouble(self) -> Optional[TuneError]:
        """What of the knowledge could not be read and is left out; None if there is nothing."""
        try:
            _library.call("tune_trouble", self.handle.pointer)
        except TuneError as error:
            return error
        return None

    def best(self, kernel: Union[PathLike, Located], device: Optional[str] = None, objective: Optional[str] = None,
             sizes: Optional[Mapping[str, int]] = None, **more_sizes: int) -> Answer:
        """The configuration that would be launched; see tune.best."""
        chosen = _program.whole_sizes({**(sizes or {}), **more_sizes})
        listed = (_library.Size * len(chosen))()
        for one, (name, value) in zip(listed, chosen.items()):
            if not -2 ** 63 <= value < 2 ** 63:
                raise ArgumentError(f"the size {name} is {value}, which does not fit into 64 bits")
            one.name, one.value = name.encode(), value
        template = path_of(kernel)
        problem = _library.Problem(ctypes.sizeof(_library.Problem), os.fsencode(template),
                                   os.fsencode(device) if device else None, listed, len(chosen),
                                   objective.encode() if objective else None)
        pointer = _library.make("tune_best", self.handle.pointer, ctypes.byref(problem))
        return answer_of(Handle("tune_answer_free", pointer), template, self)


def answer_of(handle: Handle, template: str, session: Session) -> Answer:
    """An answer of the library as an object."""
    info: Any = _library.describe("tune_answer_describe", handle.pointer, _library.AnswerInfo())
    text = _library.text_of
    sizes = dict(one.split("=") for one in text(info.size).split(",") if one)
    return Answer(text(info.kernel), {name: int(value) for name, value in sizes.items()}, text(info.device),
                  json.loads(info.configuration), Rule(info.rule), text(info.origin),
                  info.time_ns * 1e-9 if info.time_ns > 0 else None, info.octaves, bool(info.validated),
                  text(info.defines), template, handle, session)


_VARIABLES = ("TUNE_DB", "TUNE_HOME", "TUNE_SITE", "TUNE_CACHE", "XDG_DATA_HOME", "XDG_CACHE_HOME", "HOME")
_lock = threading.Lock()
_sessions: dict[tuple[Any, ...], Session] = {}


def session(database: Optional[PathLike] = None, known: Optional[PathLike] = None) -> Session:
    """The one that module functions use: for each database, environment and process its own."""
    key = (os.getpid(), _encoded(database), _encoded(known), *(os.environ.get(name) for name in _VARIABLES))
    with _lock:
        if key not in _sessions:
            _sessions[key] = Session(database, known)
        return _sessions[key]


def refresh_all() -> None:
    """A sweep of this process has stored results."""
    with _lock:
        for (process, *_), one in _sessions.items():
            if process == os.getpid():
                one.refresh()


def best(kernel: Union[PathLike, Located], device: Optional[str] = None, objective: Optional[str] = None, *,
         sizes: Optional[Mapping[str, int]] = None, database: Optional[PathLike] = None,
         known: Optional[PathLike] = None, **more_sizes: int) -> Answer:
    """The configuration that would be launched for a problem, without a search.

        answer = tune.best("gemm", M=4096, N=4096, K=512)
        answer.configuration, answer.rule, answer.origin, answer.time

    `kernel` is the name of a shipped template, the path of one, or a Template that was written. Sizes that are left
    out have the template's defaults. `device` is "cuda:0", "cpu:0" or the path of a description; None is the device
    of the calling thread's CUDA context, else the first GPU, else the CPU. `known` is a file of `tune export --known`,
    which alone is asked then.
    """
    return session(database, known).best(kernel, device, objective, sizes, **more_sizes)

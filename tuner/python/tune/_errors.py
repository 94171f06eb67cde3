# SPDX-License-Identifier: Apache-2.0
"""What goes wrong, as exceptions: one class for each value of enum tune_code, with text, hint and place."""
from __future__ import annotations

from typing import NamedTuple, Optional


class Place(NamedTuple):
    """Where in a file; lines and columns count from 1, and 0 is none."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return ":".join([self.file] + [str(number) for number in (self.line, self.column) if number])


class TuneError(Exception):
    """The base of all: `text` is one sentence, `hint` says what may help, `place` where the fault lies."""

    def __init__(self, text: str, hint: Optional[str] = None, place: Optional[Place] = None) -> None:
        super().__init__(text)
        self.text = text
        self.hint = hint or None
        self.place = place

    def __str__(self) -> str:
        text = f"{self.place}: {self.text}" if self.place else self.text
        return f"{text}\n    hint: {self.hint}" if self.hint else text


class ArgumentError(TuneError, ValueError):
    """The call: an array of the wrong type or size, a wrong number of arrays, a closed handle."""


class InputError(TuneError, ValueError):
    """A name or a size that does not exist, a template or file that is wrong."""


class DatabaseError(TuneError):
    """Stored results cannot be read."""


class CompileError(TuneError):
    """The kernel does not compile here, or needs more than the device has."""


class DeviceError(TuneError):
    """There is no device, or it failed: its context is lost."""


class OutOfMemoryError(TuneError, MemoryError):
    """Of the host or the device."""


class UnvalidatedError(TuneError):
    """Nothing that was ever validated fits the problem."""


class CapturingError(TuneError):
    """What was asked for waits for the device, which a stream that is captured cannot."""


class SystemFailure(TuneError):
    """Files, threads, a program or a library that is not there."""


class NotFoundError(SystemFailure, ImportError):
    """libtune.so or the program `tune` was not found, or has another version; the text says where we looked."""


class SweepError(TuneError):
    """A sweep ended without a result."""


# By the names that tune_code_name has for them.
BY_CODE: dict[str, type[TuneError]] = {
    "argument": ArgumentError,
    "input": InputError,
    "database": DatabaseError,
    "compile": CompileError,
    "device": DeviceError,
    "memory": OutOfMemoryError,
    "unvalidated": UnvalidatedError,
    "capturing": CapturingError,
    "system": SystemFailure,
}

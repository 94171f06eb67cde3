# SPDX-License-Identifier: Apache-2.0
"""Texts of the language on their way from Python to the program: each statement knows the line that it is from."""
from __future__ import annotations

import os
import sys
import textwrap
from pathlib import Path
from typing import Any, Mapping, NamedTuple, Optional

from . import _program
from ._errors import ArgumentError, InputError, Place

WIDTH = 100
MARK = "Written from Python, where it is to be edited."
_PACKAGE = os.path.dirname(os.path.abspath(__file__))


def _caller() -> Place:
    """The line outside of this package that made the call."""
    frame = sys._getframe(1)
    while frame.f_back and os.path.dirname(os.path.abspath(frame.f_code.co_filename)) == _PACKAGE:
        frame = frame.f_back
    return Place(frame.f_code.co_filename, frame.f_lineno)


class _Statement(NamedTuple):
    text: str
    place: Place


class Text:
    """A text that grows by statements, each of which knows the line of Python that it is from."""

    def __init__(self) -> None:
        self._statements: list[_Statement] = []

    def add(self, text: str, comment: Optional[str] = None) -> None:
        remark = [f"# {line}" for line in textwrap.wrap(comment, WIDTH)] if comment else []
        self._statements.append(_Statement("\n".join([*remark, text]), _caller()))

    def paragraph(self, comment: str) -> None:
        """A comment of its own, behind an empty line."""
        lines = [f"# {line}" for line in textwrap.wrap(comment, WIDTH)]
        self._statements.append(_Statement("\n".join(["", *lines]), _caller()))

    def __str__(self) -> str:
        return "".join(statement.text + "\n" for statement in self._statements)

    def origin(self, line: int) -> Optional[Place]:
        """Where the statement was declared that has this line of the text, from 1."""
        for statement in self._statements:
            line -= statement.text.count("\n") + 1
            if line <= 0:
                return statement.place
        return None

    def line(self, number: int) -> str:
        lines = str(self).splitlines()
        return lines[number - 1].strip() if 0 < number <= len(lines) else ""


def write(path: Path, text: str, mark: str, overwrite: bool) -> None:
    """Write a file that appears when it is complete. One that is not from here is not lost unless that is wanted."""
    content = text.encode()
    try:
        present: Optional[bytes] = path.read_bytes()
    except FileNotFoundError:
        present = None
    if present == content:
        return
    if present is not None and mark.encode() not in present and not overwrite:
        raise ArgumentError(f"{path} is there already, and was not written from Python",
                            "choose another folder, or say overwrite=True")
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        partial.write_bytes(content)
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def show(arguments: list[str], texts: Mapping[Path, Text]) -> Any:
    """What `tune show` says, its errors at the place in Python that the line is from."""
    try:
        return _program.run(["show", *arguments])
    except InputError as error:
        place = error.place
        text = texts.get(Path(place.file).resolve()) if place else None
        origin = text.origin(place.line) if text and place else None
        if not text or not place or not origin:
            raise
        raise InputError(f"{error.text}, in '{text.line(place.line)}' ({place})", error.hint, origin) from None

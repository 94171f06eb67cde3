# SPDX-License-Identifier: Apache-2.0
"""The program `tune`: finding it, running it, and what it complains of as exceptions."""
from __future__ import annotations

import json
import operator
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, Mapping, Sequence, Union

from . import _places
from ._errors import ArgumentError, InputError, NotFoundError, Place, SweepError, TuneError

STATUS_INPUT, STATUS_INTERRUPTED = 2, 130

_PLACE = re.compile(r"^(?P<file>[^\n]*?):(?P<line>\d+):(?:(?P<column>\d+):)? (?P<text>.*)$", re.DOTALL)


def find() -> str:
    """The path of the program: $TUNE_PROGRAM, else beside this package, in the checkout's build folder, or on $PATH."""
    chosen = _places.from_environment("TUNE_PROGRAM")
    if chosen:
        if not os.access(chosen, os.X_OK) or chosen.is_dir():
            raise NotFoundError(f"$TUNE_PROGRAM is '{chosen}', which is no program that can be run")
        return str(chosen)
    checkout = _places.checkout()
    tried = [prefix / "bin" / "tune" for prefix in _places.prefixes()]
    tried += [checkout / "build" / "tune"] if checkout else []
    for path in tried:
        if os.access(path, os.X_OK) and path.is_file() and not _is_script(path):
            return str(path)
    for folder in os.get_exec_path():
        found = shutil.which("tune", path=folder)
        if found and not _is_script(Path(found)):
            return found
    looked = ", ".join([*map(str, tried), "$PATH"])
    raise NotFoundError(f"the program 'tune' was not found in {looked}", "build it, or set TUNE_PROGRAM to its path")


def _is_script(path: Path) -> bool:
    """Other packages have a script of this name; ours is a binary."""
    with open(path, "rb") as file:
        return file.read(2) == b"#!"


def whole_sizes(sizes: Mapping[str, Any]) -> dict[str, int]:
    """The sizes as integers; those of NumPy will do."""
    whole = {}
    for name, value in sizes.items():
        try:
            whole[name] = operator.index(value)
        except TypeError:
            raise ArgumentError(f"the size {name} is {value!r}, which is no whole number") from None
    return whole


def size_text(sizes: Mapping[str, int]) -> str:
    """As --size and the answers write them: "M=4096,N=4096"."""
    return ",".join(f"{name}={value}" for name, value in sizes.items())


def error_of(stderr: str, status: int) -> TuneError:
    """What the program said last: "tune: FILE:LINE:COLUMN: text", the line with a caret, and a hint."""
    lines = stderr.splitlines()
    starts = [i for i, line in enumerate(lines) if line.startswith("tune: ")]
    kind: type[TuneError] = InputError if status == STATUS_INPUT else SweepError
    if not starts:
        return kind(stderr.strip() or f"tune ended with status {status} and said nothing")
    text, *more = lines[starts[-1] :]
    hints = [line.strip()[len("hint: ") :] for line in more if line.strip().startswith("hint: ")]
    text = text[len("tune: ") :]
    match = _PLACE.match(text)
    place = Place(match["file"], int(match["line"]), int(match["column"] or 0)) if match else None
    return kind(match["text"] if match else text, hints[0] if hints else None, place)


def run(arguments: Sequence[Union[str, "os.PathLike[str]"]]) -> Any:
    """Run the program with `--json` to its end; what it printed."""
    command = [find(), *(os.fspath(one) for one in arguments), "--json"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise error_of(done.stderr, done.returncode)
    return json.loads(done.stdout)

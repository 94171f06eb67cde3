# SPDX-License-Identifier: Apache-2.0
"""Sweeps: the program finds, validates and times configurations, and this module brings back what it found."""
from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, Sequence, Union

from . import _answers, _program
from ._errors import SweepError
from ._types import Located, PathLike, Value, path_of

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Progress:
    """How far a sweep is: a line that the program has written, some seconds apart."""

    done: int
    total: int
    text: str
    """The line as it was: "120/286, failed: 3 timeout, best 3.081 ms (44604.4 GFLOP/s), 5 s left"."""


@dataclass(frozen=True)
class Evaluation:
    """One configuration and what became of it. What is not known is None; times are in seconds."""

    configuration: dict[str, Value]
    outcome: str
    """ "ok", or what failed: "compile_error", "wrong_result", ..."""
    message: str = ""
    time: Optional[float] = None
    time_low: Optional[float] = None
    time_high: Optional[float] = None
    """The bounds of the 95 % confidence interval of the median."""
    figures: dict[str, Any] = field(default_factory=dict)
    """What else was stored: registers, shared_bytes, occupancy, error_ratio, energy_j, the template's metrics, ..."""

    @property
    def valid(self) -> bool:
        return self.outcome == "ok"


@dataclass(frozen=True)
class Sweep:
    """What a sweep has found. `best` is the configuration that won; None if none was valid."""

    kernel: str
    best: Optional[Evaluation]
    top: list[Evaluation]
    """The best ones, the fastest first (or the best by the objective)."""
    failed: dict[str, int]
    """How many configurations failed, by outcome."""
    status: str
    """ "done", "budget", ..."""
    done: int
    reused: int
    """How many of these were in the database already."""
    seconds: float
    objective: str
    run: int
    """The number of the run in the database."""
    database: Path
    report: Optional[Path]
    document: dict[str, Any] = field(repr=False)
    """All that the program printed (`tune ... --json`)."""

    def evaluations(self) -> list[Evaluation]:
        """All configurations of this sweep, failed ones, too, in the order in which they were tried."""
        return _read(self.database, self.run)

    def to_pandas(self) -> "pandas.DataFrame":
        """A row for each of evaluations(), a column for each parameter and figure. Needs pandas."""
        import pandas

        rows = []
        for one in self.evaluations():
            rows.append({**one.configuration, "outcome": one.outcome, "time": one.time, "time_low": one.time_low,
                         "time_high": one.time_high, **one.figures, "message": one.message})
        return pandas.DataFrame(rows)


_FIGURES = ("registers", "local_bytes", "spill_bytes", "shared_bytes", "occupancy", "error_ratio", "sm_clock_mhz",
            "power_mw", "compile_seconds", "energy_j", "device_ns", "measured_at")


def default_database() -> Path:
    """$TUNE_DB, else the usual place."""
    if os.environ.get("TUNE_DB"):
        return Path(os.environ["TUNE_DB"])
    data = os.environ.get("XDG_DATA_HOME")
    return (Path(data) if data else Path.home() / ".local" / "share") / "tune" / "tune.db"


def _seconds(nanoseconds: Optional[float]) -> Optional[float]:
    return nanoseconds * 1e-9 if nanoseconds else None


def _read(database: Path, run: int) -> list[Evaluation]:
    names = ", ".join(f"e.{name}" for name in _FIGURES)
    connection = sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)
    try:
        rows = connection.execute(
            "select e.configuration, e.outcome, e.message, e.time_ns, e.time_low_ns, e.time_high_ns, e.metrics, "
            f"{names} from run_evaluation r join evaluation e on e.id = r.evaluation "
            "where r.run = ? order by r.sequence", (run,))
        return [_of_row(row) for row in rows]
    finally:
        connection.close()


def _of_row(row: Sequence[Any]) -> Evaluation:
    configuration, outcome, message, time, low, high, metrics, *figures = row
    known = {name: value for name, value in zip(_FIGURES, figures) if value is not None}
    return Evaluation(json.loads(configuration), outcome, message, _seconds(time), _seconds(low), _seconds(high),
                      {**known, **(json.loads(metrics) if metrics else {})})


def _of_summary(row: Mapping[str, Any]) -> Evaluation:
    taken = ("configuration", "time_ns", "low_ns", "high_ns", "metrics")
    figures = {name: value for name, value in row.items() if name not in taken}
    return Evaluation(row["configuration"], "ok", "", _seconds(row["time_ns"]), _seconds(row["low_ns"]),
                      _seconds(row["high_ns"]), {**figures, **row.get("metrics", {})})


def _inputs(inputs: Mapping[str, Any], folder: str) -> list[str]:
    arguments: list[str] = []
    for name, data in inputs.items():
        if not isinstance(data, (str, os.PathLike)):
            import numpy

            array = numpy.ascontiguousarray(data)
            data = os.path.join(folder, f"{len(arguments)}.npy")
            numpy.save(data, array)
        arguments += ["--input", f"{name}={os.fspath(data)}"]
    return arguments


_LINE = re.compile(r"^(\d+)/(\d+)\b")


class _Run:
    """A process of the program, whose complaints are gathered and whose progress is told while it runs."""

    def __init__(self, command: list[str], progress: Optional[Callable[[Progress], None]]) -> None:
        # In a session of its own: Ctrl-C on a terminal reaches Python alone, which then ends it as it should be.
        self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                         stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True)
        self._progress = progress
        self._output: list[str] = []
        self.errors: list[str] = []

    def _gather(self) -> None:
        assert self._process.stdout
        self._output.append(self._process.stdout.read())

    def _follow(self) -> None:
        assert self._process.stderr
        for line in self._process.stderr:
            self.errors.append(line)
            match = _LINE.match(line)
            if match and self._progress:
                self._progress(Progress(int(match[1]), int(match[2]), line.rstrip("\n")))

    def finish(self) -> tuple[int, str]:
        """Its status and output. What interrupts this, or is raised by the callback, ends the program first."""
        reader = threading.Thread(target=self._gather, daemon=True)
        reader.start()
        try:
            self._follow()
            reader.join()
            return self._process.wait(), "".join(self._output)
        except BaseException:
            self._end()
            raise
        finally:
            if self._process.poll() is not None:
                reader.join()
                for stream in (self._process.stdout, self._process.stderr):
                    if stream:
                        stream.close()

    def _end(self) -> None:
        """As Ctrl-C does: once to finish what is being measured, which takes a moment, twice to stop at once."""
        try:
            self._process.send_signal(signal.SIGINT)
            self._drain()
        except BaseException:
            self._process.send_signal(signal.SIGINT)
            self._drain()
            raise

    def _drain(self) -> None:
        assert self._process.stderr
        for line in self._process.stderr:
            self.errors.append(line)
        self._process.wait()


def _print(progress: Progress) -> None:
    print(progress.text, file=sys.stderr, flush=True)


def sweep(kernel: Union[PathLike, Located], space: Union[None, PathLike, Located] = None, *,
          sizes: Optional[Mapping[str, int]] = None, budget: Union[None, int, str] = None,
          device: Optional[str] = None, database: Optional[PathLike] = None, strategy: Optional[str] = None,
          objective: Optional[str] = None, patience: Optional[int] = None, seed: Optional[int] = None,
          jobs: Optional[int] = None, fresh: bool = False, inputs: Optional[Mapping[str, Any]] = None,
          progress: Union[bool, Callable[[Progress], None]] = False, options: Sequence[str] = (),
          **more_sizes: int) -> Sweep:
    """Search for the best configuration of a kernel: compile, validate, time and store.

        found = tune.sweep("gemm", "joint_reg_smem", M=4096, N=4096, K=512, budget="30s", progress=True)
        found.best.configuration, found.best.time
        found.to_pandas().query("outcome == 'ok'").plot.scatter("TILE_T", "time")

    `kernel` is the name of a shipped template, the path of one, or a Template that was written; sizes are keywords, or
    in `sizes` where a size has the name of an option. `budget` is a number of evaluations, or a time such as "30s".
    `inputs` maps buffers to files or arrays. `progress` is True, which prints lines, or is called with each Progress.
    `options` are more options of the program, as in `tune --help`.

    Whatever was finished is in the database, also after Ctrl-C, which ends the program before KeyboardInterrupt goes
    on. Where nothing was valid, `best` is None and `failed` says why; what is wrong with the input is an InputError.
    """
    chosen = _program.whole_sizes({**(sizes or {}), **more_sizes})
    path = Path(database) if database is not None else default_database()
    with tempfile.TemporaryDirectory(prefix="tune-") as folder:
        command = [_program.find(), path_of(kernel), "--json", "--db", os.fspath(path)]
        command += ["--space", path_of(space)] if space is not None else []
        command += ["--size", _program.size_text(chosen)] if chosen else []
        for name, value in (("budget", budget), ("device", device), ("strategy", strategy), ("objective", objective),
                            ("patience", patience), ("seed", seed), ("jobs", jobs)):
            command += [f"--{name}={value}"] if value is not None else []
        command += ["--fresh"] if fresh else []
        command += _inputs(inputs or {}, folder)
        command += options
        run = _Run(command, _print if progress is True else progress or None)
        status, output = run.finish()
    _answers.refresh_all()
    return _result(path_of(kernel), path, status, output, "".join(run.errors))


def _result(kernel: str, database: Path, status: int, output: str, errors: str) -> Sweep:
    try:
        document = json.loads(output) if output.strip() else None
    except ValueError as error:
        raise SweepError(f"what the program printed is no JSON document: {error}",
                         "sweeps on several devices, or of several sizes, are for the command line") from error
    if status == _program.STATUS_INTERRUPTED:
        raise KeyboardInterrupt
    if status not in (0, 1) or not isinstance(document, dict):
        raise _program.error_of(errors, status)
    top = [_of_summary(row) for row in document["best"]]
    report = document.get("report")
    return Sweep(kernel=kernel, best=top[0] if top else None, top=top,
                 failed=document["failed"], status=document["status"], done=document["done"],
                 reused=document["reused"], seconds=document["seconds"], objective=document["objective"],
                 run=document["run"], database=database, report=Path(report) if report else None, document=document)

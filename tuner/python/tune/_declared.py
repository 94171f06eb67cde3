# SPDX-License-Identifier: Apache-2.0
"""Templates and spaces declared in Python, written as the texts that GRAMMAR.md describes."""
from __future__ import annotations

import os
import textwrap
from pathlib import Path
from typing import Any, Iterable, Mapping, Optional, Union

from . import _program
from ._errors import ArgumentError, InputError
from ._texts import MARK, Text, show, write
from .language import Expression, Operand, expression, name, quoted, value, values


class Template:
    """A kernel template: its data, how it is launched, how its results are checked.

        axpy = tune.Template("axpy", "y = a x + y")
        n = axpy.size("n", 2 ** 20, awkward=8193)
        BLOCK = axpy.parameter("BLOCK", "threads per block")
        axpy.source("axpy.cu", text=...)
        x = axpy.buffer("x", "float", n, "in", uniform(-1, 1))
        ...
        axpy.launch(call("axpy", ceil_div(n, BLOCK), BLOCK, x, y, n))
        space = axpy.space("blocks")
        space.param(BLOCK, pow2(32, 1024))
        axpy.write("axpy")

    Each method adds one statement, with `comment` above it; what it declares comes back as an expression. Where
    expressions are expected, a text of Python is one of the language; GRAMMAR.md says what statements mean.
    """

    def __init__(self, name: str, title: str = "", comment: Optional[str] = None) -> None:
        self.name = name
        self.spaces: list[Space] = []
        self._text = Text()
        self._sources: dict[str, str] = {}
        self._sizes: list[str] = []
        self._parameters: list[str] = []
        self._folder: Optional[Path] = None
        self._text.add(f"# {MARK}")
        self._text.add(_named("template", name, title), comment)

    @property
    def text(self) -> str:
        """The template as it will be written."""
        return str(self._text)

    @property
    def path(self) -> Path:
        """The folder that it was written to, which tune.sweep, tune.best and tune.load take."""
        if self._folder is None:
            raise ArgumentError(f"the template {self.name} has not been written", "call its write(FOLDER)")
        return self._folder

    def statement(self, text: str, comment: Optional[str] = None) -> None:
        """Any statement of the language, as a text."""
        self._text.add(text, comment)

    def comment(self, text: str) -> None:
        """A paragraph of its own, behind an empty line."""
        self._text.paragraph(text)

    def size(self, name_of_size: str, default: Operand, awkward: Optional[Operand] = None,
             comment: Optional[str] = None) -> Expression:
        """A problem size, its default, and the size at which every configuration is validated a second time."""
        self._text.add(f"size {name_of_size} = {expression(default)}", comment)
        if awkward is not None:
            self._text.add(f"awkward {name_of_size} = {expression(awkward)}")
        self._sizes.append(name_of_size)
        return name(name_of_size)

    def define(self, *sizes: Expression, comment: Optional[str] = None) -> None:
        """Sizes that all sources see as macros."""
        self._text.add("define " + ", ".join(map(str, sizes)), comment)

    def parameter(self, name_of_parameter: str, meaning: str = "", values: Optional[Mapping[str, str]] = None,
                  comment: Optional[str] = None) -> Expression:
        """A tunable parameter; `values` says what some of its values mean, in the order of a ladder."""
        text = _named("parameter", name_of_parameter, meaning)
        if values:
            rungs = "\n".join(f"    {quoted(one)} {quoted(means)}" for one, means in values.items())
            text += f" {{\n{rungs}\n}}"
        self._text.add(text, comment)
        self._parameters.append(name_of_parameter)
        return name(name_of_parameter)

    def source(self, file: str, text: Optional[str] = None, when: Optional[Operand] = None,
               comment: Optional[str] = None) -> None:
        """The file to compile; `text` is written to it, else it must be there."""
        self._keep(file, text)
        self._text.add(f"source {quoted(file)}" + _condition(when), comment)

    def option(self, text: str, when: Optional[Operand] = None, comment: Optional[str] = None) -> None:
        """An option of the compiler."""
        self._text.add(f"option {quoted(text)}" + _condition(when), comment)

    def let(self, name_of_value: str, of: Operand, comment: Optional[str] = None) -> Expression:
        """A named expression."""
        self._text.add(f"let {name_of_value} = {expression(of)}", comment)
        return name(name_of_value)

    def count(self, name_of_count: str, most: Operand, comment: Optional[str] = None) -> Expression:
        """A number that launches find out and a block reads back."""
        self._text.add(f"count {name_of_count} at most {expression(most)}", comment)
        return name(name_of_count)

    def struct(self, name_of_type: str, fields: Mapping[str, str], align: Optional[int] = None,
               comment: Optional[str] = None) -> str:
        """A type of the kernel's: {"position": "float3", "spin": "float[2]"}."""
        rows = "\n".join(f"    {field} : {kind}" for field, kind in fields.items())
        self._text.add(f"struct {name_of_type} {f'align {align} ' if align else ''}{{\n{rows}\n}}", comment)
        return name_of_type

    def buffer(self, name_of_buffer: str, kind: str, extent: Union[Operand, tuple[Operand, ...]], role: str = "in",
               initial: Optional[Expression] = None, comment: Optional[str] = None) -> Expression:
        """An array of `extent` elements, or of (rows, columns); role: in, out, inout, temp or scratch."""
        dimensions = extent if isinstance(extent, tuple) else (extent,)
        inside = ", ".join(expression(one).text for one in dimensions)
        filled = f" {initial}" if initial is not None else ""
        self._text.add(f"buffer {name_of_buffer} : {kind}[{inside}] {role}{filled}", comment)
        return name(name_of_buffer)

    def setup(self, file: str, *statements: str, text: Optional[str] = None, comment: Optional[str] = None) -> None:
        """Runs once a size, untimed: produces inputs."""
        self._keep(file, text)
        self._text.add(f"setup {quoted(file)} " + _block(statements), comment)

    def prepare(self, *statements: str, comment: Optional[str] = None) -> None:
        """Runs once a configuration, untimed."""
        self._text.add("prepare " + _block(statements), comment)

    def launch(self, *statements: str, comment: Optional[str] = None) -> None:
        """What is timed: statements of tune.language.call, or texts."""
        self._text.add("launch " + _block(statements), comment)

    def finish(self, *statements: str, comment: Optional[str] = None) -> None:
        """Untimed, after a run whose results are checked."""
        self._text.add("finish " + _block(statements), comment)

    def verify(self, file: str, *statements: str, text: Optional[str] = None, comment: Optional[str] = None) -> None:
        """Untimed, after that: computes what is checked."""
        self._keep(file, text)
        self._text.add(f"verify {quoted(file)} " + _block(statements), comment)

    def reference(self, file: str, *statements: str, text: Optional[str] = None,
                  comment: Optional[str] = None) -> None:
        """Computes the expected results in double precision, into ref(y) and mag(y)."""
        self._keep(file, text)
        self._text.add(f"reference {quoted(file)} " + _block(statements), comment)

    def check(self, what: Union[Expression, str], within: Optional[Operand] = None, absolute: Optional[Operand] = None,
              below: Optional[Operand] = None, exact: bool = False, unordered: bool = False,
              allow_nonfinite: bool = False, comment: Optional[str] = None) -> None:
        """How a buffer is compared with what is expected; `what` may be a text such as "y[1 : n - 1]"."""
        words = [f"check {what}"]
        words += ["unordered"] if unordered else []
        words += ["exact"] if exact else []
        for word, bound in (("within", within), ("absolute", absolute), ("below", below)):
            words += [f"{word} {expression(bound)}"] if bound is not None else []
        words += ["allow nonfinite"] if allow_nonfinite else []
        self._text.add(" ".join(words), comment)

    def work(self, comment: Optional[str] = None, **figures: Operand) -> None:
        """What one launch must do at least: flops, bytes, special, shared, integer."""
        self._text.add("work " + ", ".join(f"{figure} = {expression(of)}" for figure, of in figures.items()), comment)

    def metric(self, label: str, of: Operand, comment: Optional[str] = None) -> None:
        """A figure computed of what was measured."""
        self._text.add(f"metric {quoted(label)} = {expression(of)}", comment)

    def objective(self, label: str, maximize: Optional[Operand] = None, minimize: Optional[Operand] = None,
                  default: bool = False, comment: Optional[str] = None) -> None:
        """What a sweep can look for; with `default` it does unless told otherwise."""
        if (maximize is None) == (minimize is None):
            raise ArgumentError(f"the objective {label} needs either maximize or minimize")
        sense, of = ("maximize", maximize) if maximize is not None else ("minimize", minimize)
        self._text.add(f"objective {quoted(label)} = {sense} {expression(of if of is not None else 0)}", comment)
        if default:
            self._text.add(f"default objective {quoted(label)}")

    def default_space(self, name_of_space: str) -> None:
        self._text.add(f"default space {name_of_space}")

    def space(self, name_of_space: str, title: str = "", comment: Optional[str] = None) -> "Space":
        """A space of this template, which is written with it."""
        space = Space(name_of_space, self, title, comment)
        self.spaces.append(space)
        return space

    def write(self, folder: Union[str, "os.PathLike[str]"], overwrite: bool = False,
              device: Optional[str] = None) -> Path:
        """Write template, sources and spaces, and have the program read them.

        Files that were written from Python are replaced, others only with `overwrite`. What is wrong is an InputError
        whose place is the line of Python that declares it; the files remain, so that one can look at them.
        """
        folder = Path(folder).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        for file, source in self._sources.items():
            write(folder / file, source, MARK, overwrite)
        path = folder / f"{self.name}.template"
        write(path, self.text, MARK, overwrite)
        self._folder = folder
        for space in self.spaces:
            space._write_into(folder, overwrite)
        texts = {path: self._text, **{space.path: space._text for space in self.spaces}}
        chosen = ["--device", device] if device else []
        shown = show([str(folder), *chosen], texts)
        _same("sizes", [row["name"] for row in shown["sizes"]], self._sizes)
        _same("parameters", [row["name"] for row in shown["parameters"]], self._parameters)
        for space in self.spaces:
            space._compare(show([str(folder), "--space", str(space.path), *chosen], texts))
        return folder

    def _keep(self, file: str, text: Optional[str]) -> None:
        if text is None:
            return
        text = textwrap.dedent(text).strip("\n") + f"\n// {MARK}\n"
        if self._sources.setdefault(file, text) != text:
            raise ArgumentError(f"the source {file} has two texts")


def _named(word: str, name_of_it: str, title: str) -> str:
    return f"{word} {name_of_it}" + (f" {quoted(title)}" if title else "")


def _condition(when: Optional[Operand]) -> str:
    return "" if when is None else f" if {expression(when)}"


def _block(statements: Iterable[str]) -> str:
    lines = [textwrap.dedent(one).strip("\n") for one in statements]
    if len(lines) == 1 and "\n" not in lines[0]:
        return f"{{ {lines[0]} }}"
    return "{\n" + "".join(textwrap.indent(line, "    ") + "\n" for line in lines) + "}"


def _same(what: str, shown: list[str], declared: list[str]) -> None:
    """The program read what was meant; statements that were added as texts may have declared more."""
    missing = [one for one in declared if one not in shown]
    if missing:
        raise InputError(f"of the {what} declared in Python the program did not read {', '.join(missing)}")


class Space:
    """A search space: the values that a template's parameters may take.

        space = tune.Space("mine", "gemm", "a few tiles")      # of a shipped template; or template.space("mine")
        space.set("VARIANT", "joint")
        space.param("TILE_T", pow2(64, 256))
        space.where("TILE_T % TILE_U == 0")
        space.write("mine.space")

    Values are Python's: a string is a string. In `where` and `let` a text is an expression of the language.
    """

    def __init__(self, name: str, of: Union[str, Template], title: str = "", comment: Optional[str] = None) -> None:
        self.name = name
        self._of = of
        self._path: Optional[Path] = None
        self._text = Text()
        self._literal: dict[str, list[Any]] = {}
        self._text.add(f"# {MARK}")
        kernel = of.name if isinstance(of, Template) else of
        self._text.add(f"space {name} of {kernel}" + (f" {quoted(title)}" if title else ""), comment)

    @property
    def text(self) -> str:
        """The space as it will be written."""
        return str(self._text)

    @property
    def path(self) -> Path:
        """The file that it was written to, which tune.sweep takes."""
        if self._path is None:
            raise ArgumentError(f"the space {self.name} has not been written")
        return self._path

    def statement(self, text: str, comment: Optional[str] = None) -> None:
        """Any statement of the language, as a text."""
        self._text.add(text, comment)

    def comment(self, text: str) -> None:
        """A paragraph of its own, behind an empty line."""
        self._text.paragraph(text)

    def param(self, parameter: Union[str, Expression], among: Union[Expression, range, Iterable[Operand]],
              comment: Optional[str] = None) -> None:
        """The values that a parameter may take."""
        if not isinstance(among, (Expression, str)):
            among = list(among) if not isinstance(among, range) else among
            if not any(isinstance(one, Expression) for one in among):
                self._literal[str(parameter)] = list(among)
        self._text.add(f"param {parameter} = {values(among)}", comment)

    def set(self, parameter: Union[str, Expression], to: Operand, comment: Optional[str] = None) -> None:
        """A parameter's only value."""
        self._text.add(f"set {parameter} = {value(to)}", comment)

    def let(self, name_of_value: str, of: Operand, comment: Optional[str] = None) -> Expression:
        """A named expression."""
        self._text.add(f"let {name_of_value} = {expression(of)}", comment)
        return name(name_of_value)

    def where(self, condition: Operand, comment: Optional[str] = None) -> None:
        """A constraint: a configuration is valid if all of them hold."""
        self._text.add(f"where {expression(condition)}", comment)

    def default(self, comment: Optional[str] = None, **chosen: Operand) -> None:
        """The configuration to begin with."""
        self._text.add("default " + ", ".join(f"{one} = {value(to)}" for one, to in chosen.items()), comment)

    def union(self, *spaces: Union[str, "Space"], comment: Optional[str] = None) -> None:
        """The union of other spaces in the same folder; such a space has no other statements."""
        names = [one.name if isinstance(one, Space) else one for one in spaces]
        self._text.add("union " + ", ".join(names), comment)

    def write(self, path: Union[str, "os.PathLike[str]"], overwrite: bool = False,
              device: Optional[str] = None) -> Path:
        """Write it as NAME.space into a folder, or to a path that ends in .space, and have the program read it."""
        path = Path(path).resolve()
        self._write_into(path, overwrite)
        self.show(device)
        return self.path

    def show(self, device: Optional[str] = None, **sizes: int) -> dict[str, Any]:
        """What `tune show` says: parameters with their values, how many configurations are valid, likely mistakes."""
        kernel = str(self._of.path) if isinstance(self._of, Template) else self._of
        arguments = [kernel, "--space", str(self.path)] + (["--device", device] if device else [])
        arguments += ["--size", _program.size_text(_program.whole_sizes(sizes))] if sizes else []
        shown: dict[str, Any] = show(arguments, {self.path: self._text})
        self._compare(shown)
        return shown

    def _write_into(self, path: Path, overwrite: bool) -> None:
        if path.suffix != ".space":
            path.mkdir(parents=True, exist_ok=True)
            path /= f"{self.name}.space"
        write(path, self.text, MARK, overwrite)
        self._path = path

    def _compare(self, shown: Mapping[str, Any]) -> None:
        read = {row["name"]: row["values"] for row in shown["parameters"] if row["space"] == self.name}
        for parameter, meant in self._literal.items():
            if parameter in read and not set(read[parameter]) <= set(meant):
                raise InputError(f"the program read {read[parameter]} as values of {parameter}, and not {meant}")

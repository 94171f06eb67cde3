# SPDX-License-Identifier: Apache-2.0
"""Expressions of templates and spaces, written in Python (GRAMMAR.md has what they mean).

    from tune.language import ceil_div, device, pow2

    space.where(BLOCK * ITEMS <= device.max_threads_per_block)

Operators make expressions of expressions. Python keeps `and`, `or`, `not`, `in`, `a if c else b` and chains such as
`a < b < c` to itself: and_, or_, not_, in_ and choose stand for them. Or write an expression as a text, which means
what it means in a template: `space.where("32 <= BLOCK <= 512 and ITEMS != 3")`.
"""
from __future__ import annotations

import math
import operator
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

from ._errors import ArgumentError

# How tightly operators bind, as in GRAMMAR.md: from `a if c else b` to names and numbers.
_CHOICE, _OR, _AND, _NOT, _COMPARISON, _BITS, _XORS, _ANDS, _SHIFT, _SUM, _PRODUCT, _SIGN, _POWER, _PRIMARY = range(14)


class Expression:
    """A text of the language, and how tightly it binds."""

    __slots__ = ("text", "_rank")
    __hash__ = object.__hash__
    __array_ufunc__ = None  # numbers of NumPy leave operators to us

    def __init__(self, text: str, rank: int = _CHOICE) -> None:
        self.text = text
        self._rank = rank

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Expression({self.text!r})"

    def __bool__(self) -> bool:
        raise ArgumentError(f"'{self.text}' is an expression, which is neither true nor false in Python",
                            "use and_, or_, not_, in_ and choose of tune.language, or write the condition as a text")

    def __iter__(self) -> Any:
        raise ArgumentError(f"'{self.text}' is an expression, which cannot be iterated over in Python")

    def _with(self, sign: str, other: "Operand", rank: int, swapped: bool = False) -> "Expression":
        left, right = (value(other), self) if swapped else (self, value(other))
        return Expression(f"{left._in(rank)} {sign} {right._in(rank + 1)}", rank)

    def _in(self, rank: int) -> str:
        """The text as an operand of what binds as `rank` says."""
        return self.text if self._rank >= rank else f"({self.text})"

    def _compared(self, sign: str, other: "Operand") -> "Expression":
        return Expression(f"{self._in(_BITS)} {sign} {value(other)._in(_BITS)}", _COMPARISON)

    def __add__(self, other: "Operand") -> "Expression":
        return self._with("+", other, _SUM)

    def __radd__(self, other: "Operand") -> "Expression":
        return self._with("+", other, _SUM, swapped=True)

    def __sub__(self, other: "Operand") -> "Expression":
        return self._with("-", other, _SUM)

    def __rsub__(self, other: "Operand") -> "Expression":
        return self._with("-", other, _SUM, swapped=True)

    def __mul__(self, other: "Operand") -> "Expression":
        return self._with("*", other, _PRODUCT)

    def __rmul__(self, other: "Operand") -> "Expression":
        return self._with("*", other, _PRODUCT, swapped=True)

    def __truediv__(self, other: "Operand") -> "Expression":
        return self._with("/", other, _PRODUCT)

    def __rtruediv__(self, other: "Operand") -> "Expression":
        return self._with("/", other, _PRODUCT, swapped=True)

    def __floordiv__(self, other: "Operand") -> "Expression":
        return self._with("//", other, _PRODUCT)

    def __rfloordiv__(self, other: "Operand") -> "Expression":
        return self._with("//", other, _PRODUCT, swapped=True)

    def __mod__(self, other: "Operand") -> "Expression":
        return self._with("%", other, _PRODUCT)

    def __rmod__(self, other: "Operand") -> "Expression":  # type: ignore[misc]
        return self._with("%", other, _PRODUCT, swapped=True)

    def __lshift__(self, other: "Operand") -> "Expression":
        return self._with("<<", other, _SHIFT)

    def __rlshift__(self, other: "Operand") -> "Expression":
        return self._with("<<", other, _SHIFT, swapped=True)

    def __rshift__(self, other: "Operand") -> "Expression":
        return self._with(">>", other, _SHIFT)

    def __rrshift__(self, other: "Operand") -> "Expression":
        return self._with(">>", other, _SHIFT, swapped=True)

    def __and__(self, other: "Operand") -> "Expression":
        return self._with("&", other, _ANDS)

    def __rand__(self, other: "Operand") -> "Expression":
        return self._with("&", other, _ANDS, swapped=True)

    def __xor__(self, other: "Operand") -> "Expression":
        return self._with("^", other, _XORS)

    def __rxor__(self, other: "Operand") -> "Expression":
        return self._with("^", other, _XORS, swapped=True)

    def __or__(self, other: "Operand") -> "Expression":
        return self._with("|", other, _BITS)

    def __ror__(self, other: "Operand") -> "Expression":
        return self._with("|", other, _BITS, swapped=True)

    def __pow__(self, other: "Operand") -> "Expression":
        return Expression(f"{self._in(_PRIMARY)} ** {value(other)._in(_SIGN)}", _POWER)

    def __rpow__(self, other: "Operand") -> "Expression":
        return value(other) ** self

    def __neg__(self) -> "Expression":
        return Expression(f"-{self._in(_SIGN)}", _SIGN)

    def __pos__(self) -> "Expression":
        return self

    def __invert__(self) -> "Expression":
        return Expression(f"~{self._in(_SIGN)}", _SIGN)

    def __lt__(self, other: "Operand") -> "Expression":
        return self._compared("<", other)

    def __le__(self, other: "Operand") -> "Expression":
        return self._compared("<=", other)

    def __gt__(self, other: "Operand") -> "Expression":
        return self._compared(">", other)

    def __ge__(self, other: "Operand") -> "Expression":
        return self._compared(">=", other)

    def __eq__(self, other: "Operand") -> "Expression":  # type: ignore[override]
        return self._compared("==", other)

    def __ne__(self, other: "Operand") -> "Expression":  # type: ignore[override]
        return self._compared("!=", other)

    def __abs__(self) -> "Expression":
        return function("abs", self)

    def __round__(self) -> "Expression":
        return function("round", self)

    def __ceil__(self) -> "Expression":
        return function("ceil", self)

    def __floor__(self) -> "Expression":
        return function("floor", self)


Value = Union[int, float, str, bool]
Operand = Union[Expression, int, float, str, bool]

_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def quoted(text: str) -> str:
    """A string of the language."""
    for character in text:
        if ord(character) < 32 and character not in _ESCAPES:
            raise ArgumentError(f"{text!r} has the character {ord(character)}, which no string may have")
    return '"' + "".join(_ESCAPES.get(character, character) for character in text) + '"'


def name(text: str) -> Expression:
    """A name that is declared elsewhere: a size, a parameter, a let of a shipped template."""
    return Expression(text, _PRIMARY)


def value(what: Operand) -> Expression:
    """An expression as it is; numbers, strings and booleans of Python as those of the language."""
    if isinstance(what, Expression):
        return what
    if isinstance(what, bool):
        return Expression("true" if what else "false", _PRIMARY)
    if isinstance(what, str):
        return Expression(quoted(what), _PRIMARY)
    try:
        number: Union[int, float] = operator.index(what)  # type: ignore[arg-type]
    except TypeError:
        number = float(what)
    if not math.isfinite(number):
        raise ArgumentError(f"{number} is no number of the language, which has finite ones")
    return Expression(repr(number), _SIGN if math.copysign(1, number) < 0 else _PRIMARY)


def expression(what: Operand) -> Expression:
    """Where expressions stand, a text of Python is one of the language, which may take several lines."""
    if not isinstance(what, str):
        return value(what)
    text = what.strip()
    return Expression(f"({text})", _PRIMARY) if "\n" in text else Expression(text)


def values(what: Union[Expression, range, Iterable[Operand]]) -> Expression:
    """A list: of Python's, a range, or an expression that is one."""
    if isinstance(what, range):
        step = f", {what.step}" if what.step != 1 else ""
        return Expression(f"range({what.start}, {what.stop}{step})", _PRIMARY)
    if isinstance(what, (Expression, str)):
        return expression(what)
    return Expression("[" + ", ".join(value(one).text for one in what) + "]", _PRIMARY)


def function(called: str, *arguments: Operand) -> Expression:
    """A function of the language; a text among its arguments is one of the language."""
    return Expression(f"{called}({', '.join(expression(one).text for one in arguments)})", _PRIMARY)


def and_(*conditions: Operand) -> Expression:
    return Expression(" and ".join(expression(one)._in(_NOT) for one in conditions), _AND)


def or_(*conditions: Operand) -> Expression:
    return Expression(" or ".join(expression(one)._in(_AND) for one in conditions), _OR)


def not_(condition: Operand) -> Expression:
    return Expression(f"not {expression(condition)._in(_NOT)}", _NOT)


def in_(what: Operand, among: Union[Expression, range, Iterable[Operand]]) -> Expression:
    return Expression(f"{value(what)._in(_BITS)} in {values(among)._in(_PRIMARY)}", _COMPARISON)


def choose(condition: Operand, then: Operand, otherwise: Operand) -> Expression:
    """`then if condition else otherwise`; these two are values, so a text is a string."""
    parts = value(then)._in(_OR), expression(condition)._in(_OR), value(otherwise).text
    return Expression("{} if {} else {}".format(*parts), _CHOICE)


def minimum(*of: Operand) -> Expression:
    return function("min", *of)


def maximum(*of: Operand) -> Expression:
    return function("max", *of)


def ceil_div(a: Operand, b: Operand) -> Expression:
    """a / b rounded up."""
    return function("ceil_div", a, b)


def round_up(a: Operand, b: Operand) -> Expression:
    """a rounded up to a multiple of b."""
    return function("round_up", a, b)


def sqrt(a: Operand) -> Expression:
    return function("sqrt", a)


def log2(a: Operand) -> Expression:
    return function("log2", a)


def pow2(low: Operand, high: Operand) -> Expression:
    """The powers of two from low to high."""
    return function("pow2", low, high)


def gamma(n: Operand) -> Expression:
    """A bound on the rounding error of a sum of n terms in single precision."""
    return function("gamma", n)


def sum_error(n: Operand) -> Expression:
    """A bound on the same error that is exceeded with negligible probability only."""
    return function("sum_error", n)


def uniform(low: Operand, high: Operand) -> Expression:
    """Initial values: random."""
    return function("uniform", low, high)


def constant(a: Operand) -> Expression:
    """Initial values: all alike."""
    return function("constant", a)


def index() -> Expression:
    """Initial values: element i is i."""
    return function("index")


def file(path: str) -> Expression:
    """Initial values: those of a .npy, .mtx or raw file, whose path begins at the template's folder."""
    return Expression(f"file({quoted(path)})", _PRIMARY)


def ref(buffer: Expression) -> Expression:
    """In a reference: where the expected values go, doubles."""
    return function("ref", buffer)


def mag(buffer: Expression) -> Expression:
    """In a reference: where the magnitudes go that tolerances are relative to, doubles."""
    return function("mag", buffer)


def typed(name_of_type: str, *parts: Operand) -> Expression:
    """An argument of a type of the kernel's: typed("uint", n), typed("float4", a, b, c, d)."""
    return function(name_of_type, *parts)


def double(a: Operand) -> Expression:
    """An argument of type double: floats are passed as `float` otherwise."""
    return function("double", a)


class _Fields:
    """device.sm_count, measured.time."""

    def __init__(self, called: str) -> None:
        self._called = called

    def __getattr__(self, field: str) -> Expression:
        if field.startswith("_"):
            raise AttributeError(field)
        return name(f"{self._called}.{field}")


device = _Fields("device")
measured = _Fields("measured")

Shape = Union[Operand, Sequence[Operand]]


def _shape(shape: Shape) -> str:
    if isinstance(shape, (str, Expression)) or not isinstance(shape, Sequence):
        return expression(shape).text
    return "(" + ", ".join(expression(one).text for one in shape) + ")"


def call(kernel: str, grid: Shape, block: Shape, *arguments: Operand, shared: Optional[Operand] = None,
         attributes: Optional[Mapping[str, Any]] = None) -> str:
    """The statement that launches a kernel: `kernel<<<grid, block, shared, attributes>>>(arguments)`.

    Grid, block and shared are expressions, so texts are texts of the language; so are arguments, whose strings would
    have no meaning. Attributes are {"cooperative": True}, {"stream": 1, "cluster": (2, 1, 1)} and so on.
    """
    inside = [_shape(grid), _shape(block)]
    inside += [expression(shared).text] if shared is not None else []
    for attribute, given in (attributes or {}).items():
        inside.append(attribute if given is True else f"{attribute} = {_shape(given)}")
    return f"{kernel}<<<{', '.join(inside)}>>>({', '.join(expression(one).text for one in arguments)})"

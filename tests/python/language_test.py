# SPDX-License-Identifier: Apache-2.0
"""Expressions: since the language is Python's, Python says what their texts mean."""
import math
import random
import unittest
from typing import Any, Callable

import numpy

import tune
from tune import language
from tune.language import Expression, and_, choose, expression, in_, name, not_, or_, value, values

NAMES = {"a": 3, "b": 7, "c": 20, "d": -4}

# As expressions, and as Python has them. Comparisons and what follows yield numbers again by `choose`.
BINARY: list[tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]]] = [
    (lambda x, y: x + y,) * 2, (lambda x, y: x - y,) * 2, (lambda x, y: x * y,) * 2,
    (lambda x, y: x // (abs(y) + 1),) * 2, (lambda x, y: x % (abs(y) + 1),) * 2, (lambda x, y: x & y,) * 2,
    (lambda x, y: x | y,) * 2, (lambda x, y: x ^ y,) * 2, (lambda x, y: x << (y & 3),) * 2,
    (lambda x, y: x >> (y & 3),) * 2, (lambda x, y: (x % 8) ** (y & 3),) * 2,
    (lambda x, y: choose(x < y, x, y), lambda x, y: x if x < y else y),
    (lambda x, y: choose(or_(x == y, not_(and_(x >= 0, y != 1))), 5, y),
     lambda x, y: 5 if x == y or not (x >= 0 and y != 1) else y),
    (lambda x, y: choose(and_(or_(x > 2, y > 2), x <= y), x, 1), lambda x, y: x if (x > 2 or y > 2) and x <= y else 1),
    (lambda x, y: choose(in_(x % 5, [0, 1, y]), 1, -x), lambda x, y: 1 if x % 5 in [0, 1, y] else -x),
]


def grow(depth: int, chance: random.Random) -> tuple[Any, Any]:
    """A random expression, and its value."""
    if depth == 0 or chance.random() < 0.1:
        if chance.random() < 0.3:
            number = chance.randrange(-9, 10)
            return value(number), number
        one = chance.choice(sorted(NAMES))
        return name(one), NAMES[one]
    left, right = grow(depth - 1, chance), grow(depth - 1, chance)
    if chance.random() < 0.2:
        return (-left[0], -left[1]) if chance.random() < 0.5 else (~left[0], ~left[1])
    ours, pythons = chance.choice(BINARY)
    return ours(left[0], right[0]), pythons(left[1], right[1])


class Language(unittest.TestCase):
    def test_texts_mean_what_python_does(self) -> None:
        chance = random.Random(1)
        for _ in range(500):
            made, meant = grow(4, chance)
            self.assertEqual(eval(made.text, {}, dict(NAMES)), meant, made.text)

    def test_with_python_on_the_left(self) -> None:
        a = name("a")
        for made, meant in ((2 - a, -1), (2 // a, 0), (7 % a, 1), (2 ** a, 8), (1 << a, 8), (6 & a, 2), (4 | a, 7),
                            (1 ^ a, 2), (2 + a, 5), (2 * a, 6), (64 >> a, 8), (1 / a, 1 / 3), (2 < a, True)):
            self.assertEqual(eval(made.text, {}, dict(NAMES)), meant, made.text)

    def test_numbers_of_numpy(self) -> None:
        n = name("n")
        self.assertEqual([(numpy.int64(3) * n).text, (n + numpy.float32(0.5)).text, (numpy.int8(4) < n).text],
                         ["3 * n", "n + 0.5", "n > 4"])

    def test_values(self) -> None:
        for given, text in ((True, "true"), (0.5, "0.5"), (-3, "-3"), ("na\"ive\\\n", '"na\\"ive\\\\\\n"'),
                            (Expression("x"), "x")):
            self.assertEqual(value(given).text, text)  # type: ignore[arg-type]
        for wrong in (math.inf, math.nan, "a\0b"):
            self.assertRaises(tune.ArgumentError, value, wrong)
        self.assertEqual((name("n") ** -2).text, "n ** -2")
        self.assertEqual((value(-2) ** 2).text, "(-2) ** 2")
        self.assertEqual(values(range(1, 9)).text, "range(1, 9)")
        self.assertEqual(values(["naive", 2]).text, '["naive", 2]')
        self.assertEqual(values(language.pow2(1, 8)).text, "pow2(1, 8)")

    def test_texts_of_the_language(self) -> None:
        self.assertEqual((expression("a if b else c") + 1).text, "(a if b else c) + 1")
        self.assertEqual(expression("a and\n b").text, "(a and\n b)")
        self.assertEqual(language.ceil_div("n + 1", 4).text, "ceil_div(n + 1, 4)")
        self.assertEqual(language.file('a".npy').text, 'file("a\\".npy")')
        self.assertEqual(abs(name("x")).text, "abs(x)")
        rounded: Any = math.ceil(name("x") / 2)
        self.assertEqual(rounded.text, "ceil(x / 2)")

    def test_what_python_keeps_to_itself(self) -> None:
        block = name("BLOCK")
        for wrong in (lambda: 32 <= block <= 512, lambda: block > 1 and block < 5, lambda: not block,
                      lambda: block in [1, 2], lambda: list(block)):
            self.assertRaises(tune.ArgumentError, wrong)

    def test_calls(self) -> None:
        n, block = name("n"), name("BLOCK")
        self.assertEqual(language.call("k", language.ceil_div(n, block), block, name("x"), 2.5, n),
                         "k<<<ceil_div(n, BLOCK), BLOCK>>>(x, 2.5, n)")
        self.assertEqual(
            language.call("k<64>", (n, 1), (8, "B + 1"), n + 1, language.double(2), shared=4 * block,
                          attributes={"cooperative": True, "stream": 1, "cluster": (2, 1, 1)}),
            "k<64><<<(n, 1), (8, B + 1), 4 * BLOCK, cooperative, stream = 1, cluster = (2, 1, 1)>>>(n + 1, double(2))")


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes expressions with Python's own answers to them, one a line: expression, tab, answer.

    python3 python_answers.py > python_answers.txt
    python3 python_answers.py 300 2 comprehensions >> python_answers.txt

The answer is the value in the language's spelling, or "error" where Python raises, or where the result has no place
in the language: an integer beyond 64 bits (of any part of the expression), a float that is not finite, a complex one.
"""
import ast
import math
import operator
import random
import sys


class Beyond(Exception):
    pass


def kept(value):
    if isinstance(value, complex):
        raise Beyond
    if isinstance(value, float) and not math.isfinite(value):
        raise Beyond
    if isinstance(value, int) and not isinstance(value, bool) and not -2**63 <= value < 2**63:
        raise Beyond
    return value


BINARY = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
          ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow, ast.BitAnd: operator.and_,
          ast.BitOr: operator.or_, ast.BitXor: operator.xor, ast.LShift: operator.lshift, ast.RShift: operator.rshift}
UNARY = {ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert, ast.Not: operator.not_}
COMPARE = {ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq,
           ast.NotEq: operator.ne, ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b}
CALLS = {"min": min, "max": max, "abs": abs, "ceil": math.ceil, "floor": math.floor, "round": round, "int": int,
         "float": float, "sqrt": math.sqrt, "log2": math.log2, "range": range, "list": list}


bound = {}


def comprehended(node, clause):
    if clause == len(node.generators):
        yield evaluate(node.elt)
        return
    generator = node.generators[clause]
    for value in evaluate(generator.iter):
        bound[generator.target.id] = value
        if all(evaluate(condition) for condition in generator.ifs):
            yield from comprehended(node, clause + 1)
        bound[generator.target.id] = value


def evaluate(node):
    """Python's evaluation, with a look at every part's value."""
    if isinstance(node, ast.Constant):
        return kept(node.value)
    if isinstance(node, ast.Name):
        return bound[node.id]
    if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
        return list(comprehended(node, 0))
    if isinstance(node, ast.BinOp):
        left, right = evaluate(node.left), evaluate(node.right)
        if isinstance(node.op, (ast.Pow, ast.LShift)) and isinstance(left, int) and isinstance(right, int) \
                and right > 64 and (abs(left) > 1 or (isinstance(node.op, ast.LShift) and left)):
            raise Beyond
        if isinstance(left, str) or isinstance(right, str):
            raise Beyond
        return kept(BINARY[type(node.op)](left, right))
    if isinstance(node, ast.UnaryOp):
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant) and node.operand.value == 2**63:
            return -2**63
        return kept(UNARY[type(node.op)](evaluate(node.operand)))
    if isinstance(node, ast.BoolOp):
        for part in node.values:
            value = evaluate(part)
            if bool(value) == isinstance(node.op, ast.Or):
                return value
        return value
    if isinstance(node, ast.Compare):
        left = evaluate(node.left)
        for op, part in zip(node.ops, node.comparators):
            right = evaluate(part)
            if not COMPARE[type(op)](left, right):
                return False
            left = right
        return True
    if isinstance(node, ast.IfExp):
        return evaluate(node.body if evaluate(node.test) else node.orelse)
    if isinstance(node, ast.Call):
        arguments = [evaluate(a) for a in node.args]
        if node.func.id in ("int", "float") and isinstance(arguments[0], str):
            raise Beyond
        return kept(CALLS[node.func.id](*arguments))
    if isinstance(node, (ast.List, ast.Tuple)):
        return [evaluate(part) for part in node.elts]
    raise AssertionError(ast.dump(node))


def spelled(value):
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return repr(value)


class Maker:
    def __init__(self, seed, comprehensions=False):
        self.random = random.Random(seed)
        self.comprehensions = comprehensions  # lists are mostly that, and kept small
        self.names = []

    def pick(self, *choices):
        return self.random.choice(choices)

    def number(self):
        r = self.random
        if self.names and r.random() < 0.6:
            return r.choice(self.names)
        if self.comprehensions and r.random() < 0.7:
            return str(r.randint(-9, 20))
        return self.pick(
            lambda: str(r.randint(0, 9)), lambda: str(r.randint(0, 9)), lambda: str(2 ** r.randint(0, 62)),
            lambda: str(r.randint(0, 2**63 - 1)), lambda: hex(r.randint(0, 2**40)), lambda: f"{r.uniform(0, 10):.2f}",
            lambda: repr(r.randint(0, 20) / 2), lambda: f"{r.uniform(0, 1):.3e}", lambda: f"1e{r.randint(-300, 300)}",
            lambda: self.pick("True", "False", "0", "1", "0.0", "1_000", "9223372036854775807", "9007199254740993",
                              "9007199254740992.0", ".5", "3."),
        )()

    def comprehension(self, depth):
        clauses, outer = "", list(self.names)
        for _ in range(self.random.randint(1, 2)):
            name = "ijklmn"[len(self.names)]
            clauses += f" for {name} in {self.values(depth - 1)}"
            self.names.append(name)
            while self.random.random() < 0.3:
                clauses += f" if {self.make(1)} {self.pick('<', '!=', '>=', '%')} {self.make(1)}"
        text = self.make(depth - 2) + clauses
        self.names = outer
        return text

    def values(self, depth):
        if self.comprehensions and depth > 1 and len(self.names) < 4 and self.random.random() < 0.7:
            return self.pick("[{}]", "list({})", "[{}]").format(self.comprehension(depth))
        if self.random.random() < 0.2:
            return "range(" + ", ".join(str(self.random.randint(-9, 9)) for _ in range(self.random.randint(1, 3))) + ")"
        return "[" + ", ".join(self.make(depth - 2) for _ in range(self.random.randint(1, 4))) + "]"

    def make(self, depth):
        if depth <= 0:
            return self.number() if self.random.random() < 0.93 else self.pick("'a'", '"b"', "''", '"joint"')
        sub = lambda: self.make(depth - self.random.randint(1, 3))
        kind = self.random.random()
        if kind < 0.40:
            return f"{sub()} {self.pick('+', '-', '*', '/', '//', '%', '+', '-', '*', '**', '&', '|', '^', '<<', '>>')} {sub()}"
        if kind < 0.52:
            return f"({sub()})"
        if kind < 0.60:
            return f"{self.pick('-', '-', '+', '~', 'not ')}{sub()}"
        if kind < 0.72:
            text = sub()
            for _ in range(self.random.randint(1, 2)):
                text += f" {self.pick('<', '<=', '>', '>=', '==', '!=')} {sub()}"
            return text
        if kind < 0.80:
            return f"{sub()} {self.pick('and', 'or')} {sub()}"
        if kind < 0.85:
            return f"{sub()} if {sub()} else {sub()}"
        if kind < 0.89:
            return f"(({sub()}) {self.pick('in', 'not in')} {self.values(depth)})"
        name = self.pick("min", "max", "abs", "ceil", "floor", "round", "int", "float", "sqrt", "log2")
        if self.comprehensions:
            name = self.pick("min", "max", "max", name)
        if name in ("min", "max"):
            if self.comprehensions and len(self.names) < 4 and self.random.random() < 0.3:
                return f"{name}({self.comprehension(depth)})"
            if self.random.random() < 0.3:
                return f"{name}({self.values(depth)})"
            return f"{name}({sub()}, {sub()})"
        return f"{name}({sub()})"


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1200
    maker = Maker(int(sys.argv[2]) if len(sys.argv) > 2 else 1, len(sys.argv) > 3)
    errors, done, seen = 0, 0, set()
    while done < count:
        text = maker.make(maker.random.randint(1, 7))
        if len(text) > 100 or text in seen or (maker.comprehensions and " for " not in text):
            continue
        seen.add(text)
        try:
            tree = ast.parse(text, mode="eval").body
        except SyntaxError:
            if errors * 8 > count:
                continue
            errors += 1
            print(text, "error", sep="\t")
            done += 1
            continue
        try:
            answer = spelled(kept(evaluate(tree)))
        except (Beyond, TypeError, ValueError, ZeroDivisionError, OverflowError):
            if errors * 8 > count:
                continue
            errors += 1
            answer = "error"
        print(text, answer, sep="\t")
        done += 1


if __name__ == "__main__":
    import warnings
    warnings.simplefilter("ignore")
    main()

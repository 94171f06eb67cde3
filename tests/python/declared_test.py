# SPDX-License-Identifier: Apache-2.0
"""Templates and spaces from Python: their texts, that the program reads them, and where it finds what is wrong."""
import inspect
import unittest
from pathlib import Path

import own
import tune
from tune.language import call, ceil_div, constant, device, double, mag, pow2, ref, sum_error, uniform

TEXT = '''# Written from Python, where it is to be edited.
template axpy "z = 3 x + y"
size n = 2 ** 20
awkward n = 8193
parameter BLOCK "threads per block"
parameter VARIANT "how" {
    "plain" "an element a thread"
    "striding" "any \\"grid\\""
}
source "axpy.cu"
# What is read.
buffer x : float[n] in uniform(-1, 1)
buffer y : float[n] in uniform(-1, 1)
buffer z : float[n] out
launch { axpy<<<ceil_div(n, BLOCK), BLOCK>>>(x, y, z, n) }
reference "reference.cu" { reference<<<ceil_div(n, 256), 256>>>(x, y, ref(z), mag(z), n) }
check z within sum_error(2)
work flops = 2 * n, bytes = 12 * n
metric "GB/s" = bytes / time * 1e-9
'''

SPACE = '''# Written from Python, where it is to be edited.
space blocks of axpy "sizes of blocks"
param BLOCK = [32, 64, 96]
param VARIANT = ["plain", "striding"]
# Some devices have less.
where BLOCK <= device.max_threads_per_block
where (BLOCK != 96
       or VARIANT == "plain")
default BLOCK = 64, VARIANT = "plain"
'''


def axpy(extent: str = "n") -> tune.Template:
    made = tune.Template("axpy", "z = 3 x + y")
    n = made.size("n", "2 ** 20", awkward=8193)
    block = made.parameter("BLOCK", "threads per block")
    made.parameter("VARIANT", "how", {"plain": "an element a thread", "striding": 'any "grid"'})
    made.source("axpy.cu", text=own.KERNEL + "#if VARIANT_plain\n#endif\n")
    x = made.buffer("x", "float", n, initial=uniform(-1, 1), comment="What is read.")
    y = made.buffer("y", "float", n, "in", uniform(-1, 1))
    z = made.buffer("z", "float", extent, "out")
    made.launch(call("axpy", ceil_div(n, block), block, x, y, z, n))
    made.reference("reference.cu", call("reference", ceil_div(n, 256), 256, x, y, ref(z), mag(z), n),
                   text=own.REFERENCE)
    made.check(z, within=sum_error(2))
    made.work(flops=2 * n, bytes=12 * n)
    made.metric("GB/s", "bytes / time * 1e-9")
    space = made.space("blocks", "sizes of blocks")
    space.param(block, (32, 64, 96))
    space.param("VARIANT", ["plain", "striding"])
    space.where(block <= device.max_threads_per_block, comment="Some devices have less.")
    space.where('BLOCK != 96\n       or VARIANT == "plain"')
    space.default(BLOCK=64, VARIANT="plain")
    return made


class Declared(own.Case):
    def test_what_is_written_is_read(self) -> None:
        made = axpy()
        self.assertEqual((made.text, made.spaces[0].text), (TEXT, SPACE))
        folder = made.write(self.home / "axpy")
        self.assertEqual((folder / "axpy.template").read_text(), TEXT)
        self.assertEqual((folder / "blocks.space").read_text(), SPACE)
        self.assertEqual(made.path, folder)
        shown = made.spaces[0].show(n=64)
        self.assertEqual((shown["valid"], shown["size"]), (5, "n=64"))
        self.assertEqual(shown["default"], {"configuration": {"BLOCK": 64, "VARIANT": "plain"}, "named": True})
        made.write(self.home / "axpy")  # again: they are its own

    def test_of_a_shipped_template(self) -> None:
        space = tune.Space("mine", "copy")
        shown = tune._program.run(["show", "copy", "--space", "full", "--device", "cpu"])
        for row in shown["parameters"]:
            space.set(row["name"], row["values"][0])
        path = space.write(self.home / "mine.space", device="cpu")
        self.assertEqual(path.name, "mine.space")
        self.assertEqual(space.show("cpu")["valid"], 1)

    def test_everything_else(self) -> None:
        made = tune.Template("all", comment="A comment.")
        n = made.size("n", 64)
        m = made.size("m", n * 2, comment="Another.")
        made.define(m)
        made.comment("A paragraph.")
        block = made.parameter("BLOCK")
        made.option("-DX=1", when=block > 32)
        wide = made.let("wide", block * 2 > m)
        made.source("a.cu", when=wide)
        made.source("b.cu")
        kept = made.count("kept", n)
        kind = made.struct("pair", {"at": "float2", "of": "int[2]"}, align=16)
        x = made.buffer("x", kind, (n, 2), initial=constant(1))
        total = made.buffer("total", "uint", 1, "scratch", constant(0))
        y = made.buffer("y", "float", m, "out")
        made.setup("setup.cu", call("s", 1, 1, total))
        made.prepare(call("p", 1, block, total))
        made.launch(call("k", 1, block, x, y, double(2)), f"read {kept} = {total}[0]",
                    "if kept > 0 {\n    fill y = 1\n}")
        made.finish("fill total = 0")
        made.verify("verify.cu", call("v", 1, 1, y))
        made.reference("reference.cu", call("r", 1, 1, ref(y)))
        made.check("y[1 : m]", exact=True, allow_nonfinite=True)
        made.objective("rate", maximize="n / time", default=True)
        made.default_space("all")
        for source in ("a.cu", "b.cu", "setup.cu", "verify.cu", "reference.cu"):
            (self.home / source).write_text("// empty\n#if BLOCK\n#endif\n")
        space = made.space("all")
        space.param(block, pow2(32, 64))
        space.let("half", block // 2)
        space.where(tune.language.name("half") > 8)
        made.write(self.home)
        self.assertEqual(made.spaces[0].show()["valid"], 2)

    def test_errors_are_where_python_declares(self) -> None:
        made = axpy(extent="n + k")
        with self.assertRaises(tune.InputError) as caught:
            made.write(self.home / "axpy")
        error, (lines, first) = caught.exception, inspect.getsourcelines(axpy)
        line = first + next(i for i, text in enumerate(lines) if '"z", "float"' in text)
        assert error.place
        self.assertEqual((Path(error.place.file), error.place.line), (Path(__file__), line))
        self.assertIn("unknown name k, in 'buffer z : float[n + k] out' (", error.text)

        made = axpy()
        made.spaces[0].where("BLOCK < LIMIT"); line = inspect.currentframe().f_lineno  # type: ignore[union-attr] # noqa
        with self.assertRaises(tune.InputError) as caught:
            made.write(self.home / "other")
        assert caught.exception.place
        self.assertEqual(caught.exception.place.line, line)
        self.assertIn("unknown name LIMIT, in 'where BLOCK < LIMIT' (", caught.exception.text)

    def test_files_of_others_stay(self) -> None:
        folder = self.home / "axpy"
        folder.mkdir()
        for name in ("axpy.cu", "axpy.template", "blocks.space"):
            (folder / name).write_text("mine\n")
            with self.assertRaisesRegex(tune.ArgumentError, f"{name} is there already"):
                axpy().write(folder)
            self.assertEqual((folder / name).read_text(), "mine\n")
            (folder / name).unlink()
        (folder / "axpy.cu").write_text("mine\n")
        axpy().write(folder, overwrite=True)
        self.assertIn("axpy(const float", (folder / "axpy.cu").read_text())
        self.assertEqual([path.name for path in folder.iterdir() if path.name.startswith(".")], [])

    def test_use_before_it_is_written(self) -> None:
        with self.assertRaisesRegex(tune.ArgumentError, "the template axpy has not been written"):
            tune.sweep(axpy())


if __name__ == "__main__":
    unittest.main()

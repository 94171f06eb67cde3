# SPDX-License-Identifier: Apache-2.0
"""Sweeps from Python: what comes back, what goes to the program, and how they end early."""
import importlib.util
import json
import sqlite3
import unittest
from pathlib import Path

import numpy

import tune
from own import Case

PRINTED = {"best": [{"configuration": {"BLOCK": 64}, "time_ns": 1500.0, "low_ns": 1400.0, "high_ns": 1600.0,
                     "registers": 7, "metrics": {"rate": 2.5}}],
           "failed": {"timeout": 2}, "run": 3, "status": "done", "done": 4, "reused": 1, "seconds": 0.5,
           "objective": "time", "report": None}


class Swept(Case):
    def test_own_kernel(self) -> None:
        folder = self.write_kernel()
        before = tune.best(folder, n=777, device="cpu:0")
        self.assertEqual((before.rule, before.time, before.validated), (tune.Rule.DEFAULT, None, False))
        found = tune.sweep(folder, "blocks", n=777, device="cpu", seed=1)
        assert found.best
        self.use(folder, found)
        self.assertEqual(found.done, 2)
        self.assertEqual(found.failed, {})
        self.assertIn(found.best.configuration["BLOCK"], (32, 64))
        rows = found.evaluations()
        self.assertEqual(sorted(row.configuration["BLOCK"] for row in rows), [32, 64])
        self.assertTrue(all(row.valid for row in rows))
        stored = dict(sqlite3.connect(self.home / "tune.db").execute(
            "select json_extract(configuration, '$.BLOCK'), time_ns from evaluation").fetchall())
        for row in rows:
            self.assertAlmostEqual((row.time or 0) * 1e9, stored[row.configuration["BLOCK"]], delta=1e-3)
        if importlib.util.find_spec("pandas"):
            frame = found.to_pandas()
            self.assertEqual(sorted(frame["BLOCK"]), [32, 64])
            self.assertEqual(set(frame["outcome"]), {"ok"})
        again = tune.sweep(folder, "blocks", n=777, device="cpu", seed=1)
        self.assertEqual((again.done, again.reused), (2, 2))

    def use(self, folder: Path, found: tune.Sweep) -> None:
        """What a sweep of this process has stored is known at once, and launched."""
        assert found.best
        answer = tune.best(folder, n=777, device="cpu:0")
        self.assertEqual((answer.kernel, answer.sizes), ("axpy", {"n": 777}))
        self.assertEqual((answer.rule, answer.configuration), (tune.Rule.EXACT, found.best.configuration))
        self.assertAlmostEqual((answer.time or 0) * 1e9, (found.best.time or 0) * 1e9, delta=1e-3)
        self.assertEqual(answer.defines.split(), ["#define", "BLOCK", str(answer.configuration["BLOCK"])])
        with tune.Session(self.home / "another.db") as session:
            self.assertEqual(session.best(folder, "cpu:0", n=777).rule, tune.Rule.DEFAULT)
        x, y = numpy.arange(777, dtype="float32"), numpy.linspace(0, 1, 777, dtype="float32")
        for kernel in (tune.load(answer), tune.function(folder).kernel_for(x, y)):
            numpy.testing.assert_allclose(kernel(x, y), 3 * x.astype("float64") + y, rtol=1e-6)

    def test_input_that_is_wrong(self) -> None:
        folder = self.write_kernel()
        with self.assertRaises(tune.InputError) as caught:
            tune.sweep(folder, "blocks", m=5, device="cpu")
        self.assertEqual(caught.exception.text, "template axpy has no size m")
        template = folder / "axpy.template"
        template.write_text(template.read_text().replace("float[n] out", "float[k] out"))
        with self.assertRaises(tune.InputError) as caught:
            tune.sweep(folder, "blocks", device="cpu")
        place = caught.exception.place
        assert place
        self.assertEqual((Path(place.file).name, place.line, place.column), ("axpy.template", 7, 18))
        self.assertEqual(caught.exception.text, "unknown name k")
        with self.assertRaisesRegex(tune.ArgumentError, "the size n is 1.5, which is no whole number"):
            tune.sweep(folder, n=1.5)  # type: ignore[arg-type]


class Pretended(Case):
    def answer(self, document: object, status: int = 0, before: str = "") -> None:
        (self.home / "answer").write_text(json.dumps(document))
        self.pretend(f'printf "%s\\n" "$@" >"{self.home}/arguments"\n{before}\n'
                     f'cat "{self.home}/answer"\nexit {status}\n')

    def test_what_goes_to_the_program(self) -> None:
        self.answer(PRINTED)
        found = tune.sweep("gemm", "naive", sizes={"budget": 5}, M=3, budget="30s", device="cpu", database="a.db",
                           strategy="random", objective="energy", patience=9, seed=7, jobs=2, fresh=True,
                           inputs={"x": "x.npy"}, options=["--unconfined"])
        self.assertEqual((self.home / "arguments").read_text().split("\n")[:-1], [
            "gemm", "--json", "--db", "a.db", "--space", "naive", "--size", "budget=5,M=3", "--budget=30s",
            "--device=cpu", "--strategy=random", "--objective=energy", "--patience=9", "--seed=7", "--jobs=2",
            "--fresh", "--input", "x=x.npy", "--unconfined"])
        best = found.best
        assert best
        self.assertEqual(best.configuration, {"BLOCK": 64})
        self.assertAlmostEqual((best.time or 0) * 1e9, 1500, delta=1e-3)
        self.assertEqual(best.figures, {"registers": 7, "rate": 2.5})
        self.assertEqual((found.failed, found.run, found.done, found.reused), ({"timeout": 2}, 3, 4, 1))
        self.assertEqual(found.database, Path("a.db"))

    def test_arrays_as_inputs(self) -> None:
        copy = f'cp "${{word#x=}}" "{self.home}/x.npy"'
        self.answer(PRINTED, before=f"for word; do case $word in x=*) {copy} ;; esac; done")
        tune.sweep("gemm", inputs={"x": numpy.arange(12, dtype="int16").reshape(3, 4).T})
        stored = numpy.load(self.home / "x.npy")
        self.assertEqual(stored.dtype, "int16")
        self.assertEqual(stored.tolist(), [[0, 4, 8], [1, 5, 9], [2, 6, 10], [3, 7, 11]])

    def test_nothing_valid(self) -> None:
        self.answer({**PRINTED, "best": []}, 1)
        found = tune.sweep("gemm")
        self.assertIsNone(found.best)
        self.assertEqual(found.failed, {"timeout": 2})

    def test_work_that_failed(self) -> None:
        self.pretend('exec >&2\necho "tune: a note"\necho "tune: the disk is full"\n'
                     'echo "    hint: make room"\nexit 1\n')
        with self.assertRaises(tune.SweepError) as caught:
            tune.sweep("gemm")
        self.assertEqual(str(caught.exception), "the disk is full\n    hint: make room")

    def test_progress(self) -> None:
        self.answer(PRINTED, before='echo "gemm, space naive: 100 valid configurations" >&2; '
                                    'echo "12/34, failed: 1 timeout, best 2 ms, 5 s left" >&2')
        told: list[tune.Progress] = []
        tune.sweep("gemm", progress=told.append)
        self.assertEqual(told, [tune.Progress(12, 34, "12/34, failed: 1 timeout, best 2 ms, 5 s left")])

    def test_an_interrupt_ends_the_program_first(self) -> None:
        self.pretend(f'trap \'echo ended >"{self.home}/ended"; exit 130\' INT\necho "1/9, best -" >&2\n'
                     'while :; do sleep 0.01; done\n')

        def interrupt(progress: tune.Progress) -> None:
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            tune.sweep("gemm", progress=interrupt)
        self.assertEqual((self.home / "ended").read_text(), "ended\n")

    def test_a_program_that_was_interrupted(self) -> None:
        self.answer(PRINTED, 130)
        with self.assertRaises(KeyboardInterrupt):
            tune.sweep("gemm")


if __name__ == "__main__":
    unittest.main()

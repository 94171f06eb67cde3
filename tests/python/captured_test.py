# SPDX-License-Identifier: Apache-2.0
"""A program's calls, as $TUNE_CAPTURE has them written: with its sparse matrix, to tune for it."""
import json
import os
import pathlib
import subprocess
import sys
import unittest

import own
import tune

EXAMPLE = pathlib.Path(tune.__file__).parents[1] / "examples" / "sparse.py"
ROWS = 300


class Captured(own.Case):
    def setUp(self) -> None:
        super().setUp()
        self.calls = self.home / "calls"
        variables = {"TUNE_CAPTURE": str(self.calls), "TUNE_CAPTURE_DATA": str(self.home / "data")}
        done = subprocess.run([sys.executable, "-B", str(EXAMPLE), str(ROWS)], text=True, capture_output=True,
                              env={**os.environ, **variables}, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.entries = int(done.stdout.splitlines()[-1].split()[0])

    def test_a_matrix_is_tuned_for(self) -> None:
        (line,) = [json.loads(line) for line in self.calls.read_text().splitlines()]
        self.assertEqual((line["template"], line["size"]["ROWS"], line["count"]), ("spmv", ROWS, 2))
        self.assertEqual(sorted(line["inputs"]), ["A", "x"])
        listed = pathlib.Path(line["inputs"]["A"]).read_text().splitlines()
        self.assertEqual(listed[1], f"{ROWS} {ROWS} {self.entries}")
        self.assertEqual(len(listed), 2 + self.entries)
        environment = {**os.environ, "TUNE_DB": str(self.home / "later.db")}
        done = subprocess.run([os.environ["TUNE_PROGRAM"], "spmv", "--space", "csr_thread", "--sizes", str(self.calls),
                               "--device", "cpu", "--budget", "2", "--seed", "1"], text=True, capture_output=True,
                              env=environment, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"NONZEROS={self.entries}", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""The examples, run as a user would."""
import os
import subprocess
import sys
import unittest

import own


class Examples(own.Case):
    def output(self, name: str, *arguments: str) -> str:
        script = own.SOURCE / "tuner" / "python" / "examples" / name
        done = subprocess.run([sys.executable, "-B", script, *arguments], text=True, capture_output=True,
                              cwd=self.home, env={**os.environ, "PYTHONWARNINGS": "error"}, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_own_kernel(self) -> None:
        output = self.output("own_kernel.py", str(self.home / "smooth"))
        self.assertRegex(output, r"(?m)^4 configurations, best \{'BLOCK': (32|64), 'ROWS': [14]\} with ")
        self.assertRegex(output, r"by the rule exact: ")

    def test_sparse(self) -> None:
        output = self.output("sparse.py", "300")
        self.assertRegex(output, r"(?m)^2 configurations, best \{'VARIANT': 'csr_warp', ")
        self.assertRegex(output, r"(?m)^size: .* at ROWS=300,COLUMNS=300,MEAN=4,SHAPE=2,NONZEROS=1200,LONGEST=8, ")
        self.assertRegex(output, r"(?m)^\d+ entries, 8 of a row at most; greatest error ")


if __name__ == "__main__":
    unittest.main()

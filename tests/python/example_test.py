# SPDX-License-Identifier: Apache-2.0
"""The examples, run as a user would."""
import os
import subprocess
import sys
import unittest

import own


class Examples(own.Case):
    def test_own_kernel(self) -> None:
        script = own.SOURCE / "tuner" / "python" / "examples" / "own_kernel.py"
        done = subprocess.run([sys.executable, "-B", script, self.home / "smooth"], text=True, capture_output=True,
                              cwd=self.home, env={**os.environ, "PYTHONWARNINGS": "error"}, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^4 configurations, best \{'BLOCK': (32|64), 'ROWS': [14]\} with ")
        self.assertRegex(done.stdout, r"by the rule exact: ")


if __name__ == "__main__":
    unittest.main()

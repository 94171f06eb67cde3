# SPDX-License-Identifier: Apache-2.0
"""Finding the library and the program, in processes of their own, since a library is loaded once."""
import json
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import tune
from own import SOURCE, Case

LIBRARY = Path(os.environ.get("TUNE_LIBRARY") or SOURCE / "build" / "libtune.so")


class Places(Case):
    def python(self, code: str, package: Path, **variables: str) -> "subprocess.CompletedProcess[str]":
        """Run code with the package in a folder, and nothing of ours in the environment but what is given."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("TUNE_")}
        environment.update({"PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1", **variables})
        return subprocess.run([sys.executable, "-c", code], env=environment, text=True, capture_output=True,
                              cwd=self.home, check=False)

    def package(self, *parts: str) -> Path:
        """A copy of the package in a folder below `home`."""
        folder = self.home.joinpath(*parts)
        shutil.copytree(SOURCE / "tuner" / "python" / "tune", folder / "tune",
                        ignore=shutil.ignore_patterns("__pycache__"))
        return folder

    def test_version(self) -> None:
        project = (SOURCE / "tuner" / "python" / "pyproject.toml").read_text()
        self.assertIn(f'\nversion = "{tune.version()}"\n', project)

    def test_beside_the_package(self) -> None:
        package = self.package("site")
        shutil.copy(LIBRARY, package / "tune" / "libtune.so.1")
        done = self.python("import tune; print(tune.version())", package)
        self.assertEqual((done.stdout.strip(), done.stderr), (tune.version(), ""))

    def test_in_the_prefix(self) -> None:
        package = self.package("prefix", "lib", "python3", "site-packages")
        shutil.copy(LIBRARY, self.home / "prefix" / "lib" / "libtune.so.1")
        (self.home / "prefix" / "bin").mkdir()
        program = self.home / "prefix" / "bin" / "tune"
        program.write_bytes(b"binary")
        program.chmod(0o755)
        done = self.python("import tune, tune._program; print(tune.version(), tune._program.find())", package)
        self.assertEqual((done.stdout.strip(), done.stderr), (f"{tune.version()} {program}", ""))

    def test_in_the_checkout_that_pip_installed_from(self) -> None:
        package = self.package("site")
        for folder in ("source/tuner/library", "source/tuner/python", "source/build", "site/tune-0.1.0.dist-info"):
            (self.home / folder).mkdir(parents=True)
        shutil.copy(LIBRARY, self.home / "source" / "build" / "libtune.so.1")
        noted = package / "tune-0.1.0.dist-info"
        (noted / "METADATA").write_text("Metadata-Version: 2.1\nName: tune\nVersion: 0.1.0\n")
        (noted / "direct_url.json").write_text(json.dumps({"url": (self.home / "source/tuner/python").as_uri(),
                                                           "dir_info": {}}))
        done = self.python("import tune; print(tune.version())", package)
        self.assertEqual((done.stdout.strip(), done.stderr), (tune.version(), ""))

    def test_none(self) -> None:
        package = self.package("site")
        done = self.python("import tune\ntry: tune.version()\nexcept tune.NotFoundError as e: print(e)", package,
                           LD_LIBRARY_PATH="")
        if "libtune was not found" in done.stdout:  # unless the system has one
            self.assertIn(str(package / "tune" / "libtune.so.1"), done.stdout)
            self.assertIn("where the system has its libraries (libtune.so.1)", done.stdout)
            self.assertIn("hint: build tune, or set TUNE_LIBRARY to the path of libtune.so", done.stdout)

    def test_what_is_named_counts_alone(self) -> None:
        package = self.package("site")
        shutil.copy(LIBRARY, package / "tune" / "libtune.so.1")
        code = "import tune\ntry: tune.version()\nexcept tune.NotFoundError as e: print(e)"
        done = self.python(code, package, TUNE_LIBRARY="/nowhere/libtune.so")
        self.assertIn("$TUNE_LIBRARY is '/nowhere/libtune.so', which cannot be loaded", done.stdout)

    def test_another_interface(self) -> None:
        package = self.package("site")
        other = self.home / "libtune.so"
        made = subprocess.run(["cc", "-shared", "-fPIC", "-o", other, "-xc", "-"], text=True, check=False,
                              input='int tune_interface(void) { return 2; }\n')
        self.assertEqual(made.returncode, 0)
        done = self.python("import tune\ntry: tune.version()\nexcept tune.NotFoundError as e: print(e)", package,
                           TUNE_LIBRARY=str(other))
        self.assertIn(f"{other} does not have interface 1 of libtune", done.stdout)

    def test_scripts_of_others_on_the_path(self) -> None:
        package = self.package("site")
        for name, first in (("a", b"#!/bin/sh\n"), ("b", b"binary")):
            (self.home / name).mkdir()
            program = self.home / name / "tune"
            program.write_bytes(first)
            program.chmod(0o755)
        path = f"{self.home / 'a'}:{self.home / 'b'}"
        done = self.python("import tune._program; print(tune._program.find())", package, PATH=path)
        self.assertEqual(done.stdout.strip(), str(self.home / "b" / "tune"))


if __name__ == "__main__":
    unittest.main()

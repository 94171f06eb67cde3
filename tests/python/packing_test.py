# SPDX-License-Identifier: Apache-2.0
"""What pip makes of the package, without a network and where nothing may be written."""
import base64
import csv
import email
import hashlib
import importlib.util
import io
import os
import subprocess
import sys
import tarfile
import unittest
import zipfile
from pathlib import Path

from own import SOURCE, Case

PACKAGE = SOURCE / "tuner" / "python"
SPECIFICATION = importlib.util.spec_from_file_location("packing", PACKAGE / "packing.py")
packing = importlib.util.module_from_spec(SPECIFICATION)
SPECIFICATION.loader.exec_module(packing)
MODULES = sorted(f"tune/{path.name}" for path in (PACKAGE / "tune").iterdir() if path.is_file())


def files_of(wheel: Path) -> "dict[str, bytes]":
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


class Packing(Case):
    def test_a_wheel_holds_the_modules_and_says_what_they_are(self) -> None:
        name = packing.build_wheel(str(self.home))
        self.assertEqual(name, "tune-0.1.0-py3-none-any.whl")
        files = files_of(self.home / name)
        about = [f"tune-0.1.0.dist-info/{one}" for one in ("METADATA", "WHEEL", "RECORD")]
        self.assertEqual(sorted(files), sorted(MODULES + about))
        self.assertIn("tune/py.typed", files)
        for module in MODULES:
            self.assertEqual(files[module], (PACKAGE / module).read_bytes())
        said = email.message_from_bytes(files[about[0]])
        self.assertEqual([said[key] for key in ("Name", "Version", "Requires-Python", "License")],
                         ["tune", "0.1.0", ">=3.9", "Apache-2.0"])
        self.assertEqual(len(said.get_all("Classifier")), 3)
        self.assertEqual(said.get_payload(), (PACKAGE / "README.md").read_text())

    def test_the_record_is_that_of_the_files(self) -> None:
        files = files_of(self.home / packing.build_wheel(str(self.home)))
        rows = {row[0]: row[1:] for row in csv.reader(io.StringIO(files["tune-0.1.0.dist-info/RECORD"].decode()))}
        self.assertEqual(sorted(rows), sorted(files))
        for name, data in files.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().replace("=", "")
            ours = name.endswith("/RECORD")
            self.assertEqual(rows[name], ["", ""] if ours else [f"sha256={digest}", str(len(data))])

    def test_an_editable_wheel_leads_to_the_checkout(self) -> None:
        files = files_of(self.home / packing.build_editable(str(self.home)))
        self.assertEqual(files["tune.pth"].decode(), f"{PACKAGE}\n")
        self.assertFalse([name for name in files if name.startswith("tune/")])

    def test_a_source_distribution_can_be_built_again(self) -> None:
        with tarfile.open(self.home / packing.build_sdist(str(self.home))) as archive:
            names = sorted(archive.getnames())
        more = ["PKG-INFO", "README.md", "packing.py", "pyproject.toml"]
        self.assertEqual(names, sorted(f"tune-0.1.0/{name}" for name in MODULES + more))

    @unittest.skipUnless(importlib.util.find_spec("pip"), "there is no pip")
    def test_pip_installs_the_checkout_without_a_network(self) -> None:
        site = self.home / "site"
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        pip = [sys.executable, "-m", "pip", "--isolated", "--disable-pip-version-check", "install", "--quiet",
               "--no-index", "--no-compile", "--target", str(site), str(PACKAGE)]
        done = subprocess.run(pip, env=environment, text=True, capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(sorted(f"tune/{path.name}" for path in (site / "tune").iterdir()), MODULES)


if __name__ == "__main__":
    unittest.main()

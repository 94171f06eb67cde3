# SPDX-License-Identifier: Apache-2.0
"""Builds the package for pip (PEP 517 and 660). No setuptools is fetched for that, and nothing is written beside it.

What is said of the package is in pyproject.toml, as for any other builder.
"""
from __future__ import annotations

import base64
import hashlib
import io
import re
import tarfile
import zipfile
from pathlib import Path
from typing import Any, Iterator, Mapping, Optional

HERE = Path(__file__).resolve().parent
Settings = Optional[Mapping[str, Any]]


def _project() -> dict[str, str]:
    """The texts in [project]. (Python has a reader of TOML since 3.11.)"""
    text = (HERE / "pyproject.toml").read_text(encoding="utf-8")
    table = re.split(r"^\[", text.split("\n[project]\n")[1], maxsplit=1, flags=re.M)[0]
    texts: dict[str, str] = dict(re.findall(r'^([a-z-]+) = "(.*)"$', table, flags=re.M))
    for name, pattern in (("license", r'\{ text = "(.*)" \}'), ("classifiers", r"\[(.*)\]")):
        found = re.search(f"^{name} = {pattern}$", table, flags=re.M)
        texts[name] = found[1] if found else ""
    return texts


def _metadata(project: Mapping[str, str]) -> str:
    classifiers = "".join(f"Classifier: {one}\n" for one in re.findall('"([^"]+)"', project["classifiers"]))
    return (f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
            f"Summary: {project['description']}\nLicense: {project['license']}\n{classifiers}"
            f"Requires-Python: {project['requires-python']}\nDescription-Content-Type: text/markdown\n\n"
            + (HERE / project["readme"]).read_text(encoding="utf-8"))


def _modules() -> Iterator[tuple[str, bytes]]:
    for path in sorted((HERE / "tune").iterdir()):
        if path.is_file():
            yield f"tune/{path.name}", path.read_bytes()


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")


def _wheel(folder: str, files: Iterator[tuple[str, bytes]]) -> str:
    project = _project()
    stem = f"{project['name']}-{project['version']}"
    about = f"{stem}.dist-info"
    wheel = "Wheel-Version: 1.0\nGenerator: tune\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    entries = [*files, (f"{about}/METADATA", _metadata(project).encode()), (f"{about}/WHEEL", wheel.encode())]
    record = "".join(f"{name},sha256={_digest(data)},{len(data)}\n" for name, data in entries)
    entries.append((f"{about}/RECORD", f"{record}{about}/RECORD,,\n".encode()))
    name = f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(Path(folder) / name, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry, data in entries:
            info = zipfile.ZipInfo(entry)  # of 1980: the same files make the same wheel
            info.external_attr = 0o100644 << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return name


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: Optional[str] = None) -> str:
    return _wheel(wheel_directory, _modules())


def build_editable(wheel_directory: str, config_settings: Settings = None,
                   metadata_directory: Optional[str] = None) -> str:
    return _wheel(wheel_directory, iter([("tune.pth", f"{HERE}\n".encode())]))


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    project = _project()
    stem = f"{project['name']}-{project['version']}"
    files = [(name, (HERE / name).read_bytes()) for name in ("pyproject.toml", "README.md", "packing.py")]
    files += [*_modules(), ("PKG-INFO", _metadata(project).encode())]
    with tarfile.open(Path(sdist_directory) / f"{stem}.tar.gz", "w:gz") as archive:
        for name, data in files:
            info = tarfile.TarInfo(f"{stem}/{name}")
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return f"{stem}.tar.gz"

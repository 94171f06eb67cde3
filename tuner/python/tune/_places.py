# SPDX-License-Identifier: Apache-2.0
"""Where libtune.so and the program `tune` may lie.

What an environment variable names comes first, and nothing else is then tried. Then whatever belongs to this package:
files in it, the prefix that it is installed below, the checkout that it lies in or was installed from with
`pip install ./tuner/python`. At last what the system finds by itself.
"""
from __future__ import annotations

import json
import os
from importlib import metadata
from pathlib import Path
from typing import Optional
from urllib.parse import unquote, urlparse

PACKAGE = Path(__file__).resolve().parent


def _installed_from() -> Optional[Path]:
    """The folder that pip took this package from, which it notes in direct_url.json."""
    try:
        text = metadata.distribution("tune").read_text("direct_url.json")
        url = urlparse(json.loads(text)["url"]) if text else None
    except (metadata.PackageNotFoundError, ValueError, KeyError, TypeError):
        return None
    return Path(unquote(url.path)) if url and url.scheme == "file" else None


def checkout() -> Optional[Path]:
    """The source tree of tune, if this package lies in one or was installed from one."""
    for folder in (PACKAGE.parent, _installed_from()):
        if folder and folder.name == "python" and (folder.parent / "library").is_dir():
            return folder.parent.parent
    return None


def prefixes() -> list[Path]:
    """Folders with a lib/ above the package, or where pip took it from: a prefix of tune's is one of them."""
    origin = _installed_from()
    folders = list(PACKAGE.parents)[1:6] + (list(origin.parents)[:3] if origin else [])
    return [folder for folder in folders if (folder / "lib").is_dir() and folder != Path("/")]


def from_environment(name: str) -> Optional[Path]:
    value = os.environ.get(name)
    return Path(value) if value else None

# SPDX-License-Identifier: Apache-2.0
"""What a kernel has found that tries other configurations on its own calls."""
from __future__ import annotations

import ctypes
import enum
import json
from dataclasses import dataclass
from typing import Mapping, Union

from . import _library


class OnlineState(enum.Enum):
    """What becomes of the calls of a kernel."""

    OFF = 0
    """Nobody has asked for it."""
    REFUSED = 1
    """Nothing can be tried: Online.why says so."""
    TRYING = 2
    DONE = 3


@dataclass(frozen=True)
class Online:
    """Online tuning of a kernel, by now."""

    state: OnlineState
    why: str
    """Why nothing is tried, in words; "" while something is."""
    configuration: Mapping[str, Union[bool, int, float, str]]
    """The one that is launched now."""
    ratio: float
    """Of its time to that of the one in use at first: 0.8 is a fifth less."""
    candidates: int
    """That may be tried,"""
    tried: int
    """were,"""
    wrong: int
    """and had other results."""
    calls: int
    """While something was tried."""
    tries: int
    """Launches of candidates."""
    time: float
    """Seconds that these calls took;"""
    excess: float
    """and what of it trying took."""
    stored: bool
    """What was learnt is in the database."""


def read(kernel: int) -> Online:
    """Of a handle."""
    info = _library.OnlineInfo(ctypes.sizeof(_library.OnlineInfo))
    _library.call("tune_kernel_online", kernel, ctypes.byref(info))
    return Online(OnlineState(info.state), _library.text_of(info.why),
                  json.loads(_library.text_of(info.configuration) or "{}"), float(info.ratio), int(info.candidates),
                  int(info.tried), int(info.wrong), int(info.calls), int(info.tries), 1e-9 * info.time_ns,
                  1e-9 * info.excess_ns, bool(info.stored))

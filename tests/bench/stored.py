# SPDX-License-Identifier: Apache-2.0
"""What answers.py and reach.py share: the results that a database has, how far problems are apart, the template's default."""
import collections
import ctypes
import json
import math
import sqlite3


def sizes_of(text):
    return {name: int(value) for name, value in (part.split("=") for part in text.split(","))} if text else {}


def configuration_of(values):
    return tuple(sorted((name, str(value)) for name, value in values.items()))


def measured(database, device="%"):
    """Time of each configuration of each problem, which is a template and the text of sizes; `device` is for LIKE."""
    times = collections.defaultdict(dict)
    for template, size, configuration, time in sqlite3.connect(f"file:{database}?mode=ro", uri=True).execute(
            "select template.name, problem.size, configuration, min(time_ns) from evaluation"
            " join problem on problem.id = evaluation.problem join template on template.id = problem.template"
            " join device on device.id = problem.device where origin = 'measured' and outcome = 'ok'"
            " and template.name <> 'ceilings' and device.name like ? group by 1, 2, 3", [device]):
        times[template, size][configuration_of(json.loads(configuration))] = time
    return times


def _powers_of_two(value):
    return min(5, (value & -value).bit_length() - 1) if value else 0


def octaves(a, b):
    """Between sizes, as in tuner/select/nearness.h."""
    return sum(abs(math.log2(max(a[name], 1) / max(b[name], 1))) + abs(_powers_of_two(a[name]) - _powers_of_two(b[name])) / 8
               if name in a and name in b else 1 for name in {*a, *b})


def default_of(session, device, template, sizes):
    """What tune_default answers."""
    from tune import _library
    answer = session.best(template, device, None, sizes)
    handles = (ctypes.c_void_p(handle.pointer) for handle in (session.handle, answer.handle))
    usual = ctypes.c_void_p(_library.make("tune_default", *handles))
    info = _library.describe("tune_answer_describe", usual, _library.AnswerInfo())
    found = configuration_of(json.loads(info.configuration))
    _library.function("tune_answer_free")(usual)
    return found

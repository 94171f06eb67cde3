# SPDX-License-Identifier: Apache-2.0
"""What benchmarks share that read databases: the results that one has, when a sweep had which, how far problems are apart, and
the template's default."""
import collections
import ctypes
import json
import math
import sqlite3
import statistics


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


def first_sweep(database, after=0):
    """The valid results of a database's first run (of those with a number above `after`) in the order of their end, for a later
    one may be of what the device can do: when the run began and when each was stored (seconds since 1970), its configuration, and nanoseconds as first measured: finals
    replace time_ns, not the samples."""
    rows = sqlite3.connect(f"file:{database}?mode=ro", uri=True).execute(
        "select (julianday(run.started_at) - 2440587.5) * 86400, (julianday(measured_at) - 2440587.5) * 86400, configuration,"
        " samples_ns from run join run_evaluation on run_evaluation.run = run.id"
        " join evaluation on evaluation.id = run_evaluation.evaluation"
        " where outcome = 'ok' and run.id = (select min(id) from run where id > ?) order by measured_at, run_evaluation.sequence", [after])
    return [(began, at, json.loads(configuration), statistics.median(json.loads(samples)))
            for began, at, configuration, samples in rows]


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

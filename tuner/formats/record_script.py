# SPDX-License-Identifier: Apache-2.0
"""Runs a script written for Kernel Tuner and records its calls instead of tuning.

    python3 - SCRIPT FOLDER < record_script.py

Modules of the names kernel_tuner and cupy are replaced by stand-ins, and files that the script writes go to
FOLDER/written. Each call of tune_kernel becomes FOLDER/N.json, a T1 document with a few more members, and beside it the
kernel's source and the arrays as .npy files; a call of run_kernel does if the script has no other, and its results may
serve another call as expected values. FOLDER/notes.txt says what was lost.
"""
import ast
import builtins
import importlib
import importlib.abc
import importlib.machinery
import inspect
import itertools
import json
import os
import random
import re
import runpy
import sys
import textwrap
import types

CALLS_MOST, VALUES_MOST, TEXTS_MOST = 16, 20000, 256
DATA_BYTES_MOST = 1 << 30

script, folder = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
notes, calls, runs, skipped = [], [], [], []
data_bytes = 0


def note(text):
    if text not in notes:
        notes.append(" ".join(str(text).split()))
        with open(os.path.join(folder, "notes.txt"), "w") as file:
            file.write("".join(line + "\n" for line in notes))


def fail(text):
    with open(os.path.join(folder, "error.txt"), "w") as file:
        file.write(" ".join(text.split()))
    os._exit(3)


class Skip(Exception):
    """Why a call cannot be imported; the others can."""


try:
    import numpy
except ImportError:
    fail(f"numpy is missing for {sys.executable}")


# ---- functions as expressions ----

class Rewriter(ast.NodeTransformer):
    """p["x"] becomes x, and names from around the function become their values."""

    def __init__(self, dictionary, names, around):
        self.dictionary, self.names, self.around = dictionary, names, around

    def visit_Subscript(self, node):
        if isinstance(node.value, ast.Name) and node.value.id == self.dictionary and isinstance(node.slice, ast.Constant):
            return ast.Name(node.slice.value, ast.Load())
        return self.generic_visit(node)

    def visit_Name(self, node):
        value = self.around.get(node.id)
        if node.id not in self.names and isinstance(value, (int, float, str, list, tuple, numpy.generic)):
            value = value.item() if isinstance(value, numpy.generic) else value
            return ast.parse(repr(value), mode="eval").body
        return node


def sources_of(function):
    """The lambdas and one-line functions that may be this one, as pairs of arguments and result."""
    lines = textwrap.dedent(inspect.getsource(function)).strip()
    for text in (lines, "(" + lines.rstrip(",)") + ")", "f(" + lines, lines.split("=", 1)[-1].strip(" ,")):
        try:
            tree = ast.parse(text)
            break
        except SyntaxError:
            continue
    else:
        start = lines.index("lambda")
        for end in range(len(lines), start, -1):
            try:
                tree = ast.parse("(" + lines[start:end] + ")")
                break
            except SyntaxError:
                continue
    for node in ast.walk(tree):
        if isinstance(node, ast.Lambda):
            yield node.args, node.body
        if isinstance(node, ast.FunctionDef):
            body = [line for line in node.body if not (isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant))]
            if len(body) == 1 and isinstance(body[0], ast.Return):
                yield node.args, body[0].value


def around(function):
    values = dict(function.__globals__)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            values[name] = cell.cell_contents
        except ValueError:
            pass
    return values


def apply(function, configuration):
    names = list(inspect.signature(function).parameters)
    if len(names) == 1 and names[0] not in configuration:
        return function(dict(configuration))
    return function(*(configuration[name] for name in names))


def expressions_of(function, known):
    """The texts that the function's source may stand for."""
    try:
        candidates = list(sources_of(function))
    except (OSError, TypeError, ValueError, UnboundLocalError):
        return
    for arguments, body in candidates:
        names = [argument.arg for argument in arguments.args]
        dictionary = names[0] if len(names) == 1 and names[0] not in known else None
        tree = Rewriter(dictionary, known, around(function)).visit(body)
        yield ast.unparse(ast.fix_missing_locations(tree))


def evaluate(text, names):
    import math
    return eval(text, {"math": math, "np": numpy, "numpy": numpy, "ceil": math.ceil, "floor": math.floor}, dict(names))


def configurations(parameters, most=200):
    """Some of the configurations, the same ones each time."""
    choose = random.Random(1)
    return [{name: choose.choice(values) for name, values in parameters.items()} for _ in range(most)]


def agrees(text, function, samples, same):
    for sample in samples:
        try:
            wanted = apply(function, sample)
        except Exception:
            continue
        try:
            if not same(evaluate(text, sample), wanted):
                return False
        except Exception:
            return False
    return True


class Watched(dict):
    """A configuration that knows which of its parameters were asked for."""

    def __init__(self, values):
        super().__init__(values)
        self.used = set()

    def __getitem__(self, name):
        self.used.add(name)
        return super().__getitem__(name)

    def get(self, name, default=None):
        self.used.add(name)
        return super().get(name, default)


def used_by(function, parameters):
    names = list(inspect.signature(function).parameters)
    if len(names) != 1 or names[0] in parameters:
        return names
    used = set()
    for sample in configurations(parameters):
        watched = Watched(sample)
        try:
            function(watched)
        except Exception:
            pass
        used |= watched.used
    return [name for name in parameters if name in used]


def table(function, parameters, names):
    """The function over all values of the parameters that it reads; None if these are too many."""
    count = 1
    for name in names:
        count *= len(parameters[name])
    if not names or count > VALUES_MOST:
        return None
    rest = {name: values[0] for name, values in parameters.items()}
    return {values: apply(function, {**rest, **dict(zip(names, values))})
            for values in itertools.product(*(parameters[name] for name in names))}


def condition(function, parameters):
    """A restriction that is a function, as text; by its source if that agrees with it, else by its values."""
    for text in expressions_of(function, parameters):
        if agrees(text, function, configurations(parameters), lambda a, b: bool(a) == bool(b)):
            return text
    names = used_by(function, parameters)
    values = table(function, parameters, names)
    if values is None:
        note(f"a restriction is lost: its source cannot be read and {', '.join(names) or 'what it reads'} has too many values")
        return None
    groups = {}
    for key, value in values.items():
        groups.setdefault(key[:-1], [])
        if value:
            groups[key[:-1]].append(key[-1])
    terms = [" and ".join([f"{name} == {value!r}" for name, value in zip(names, key)] + [f"{names[-1]} in {list(last)!r}"])
             for key, last in groups.items() if last]
    note(f"a restriction was not converted but tried: it lists the values of {', '.join(names)} that it allows")
    return " or ".join(f"({term})" for term in terms) or f"{names[0]} != {names[0]}"


def block_names(options):
    """The parameters that are the extents of a block."""
    names = list(options.get("block_size_names") or [])
    return (names + ["block_size_x", "block_size_y", "block_size_z"][len(names):])[:3]


def threads(parameters, options):
    """Kernel Tuner's own restriction: no block has more threads than GPUs allow. None: no configuration has more."""
    names = [name for name in block_names(options) if name in parameters]
    most = 1
    for name in names:
        most *= max(parameters[name], default=1)
    return f"{' * '.join(names)} <= 1024" if most > 1024 else None


def number(function, parameters, what):
    """A function of the parameters that gives a number, as text."""
    for text in expressions_of(function, parameters):
        if agrees(text, function, configurations(parameters), lambda a, b: abs(a - b) <= 1e-9 * abs(b)):
            return text
    raise Skip(f"{what} is a function that cannot be read as an expression of the parameters: write it as text")


# ---- sizes and data ----

class Shape:
    """The problem's extents, which other numbers may follow."""

    def __init__(self, extents, parameters):
        self.extents = extents
        self.known = {}
        names = [f"ProblemSize[{i}]" for i in range(len(extents))]
        for i, extent in enumerate(extents):
            self.add(extent, names[i])
        whole = 1
        for extent in extents:
            whole *= extent
        self.add(whole, " * ".join(names))
        largest = sorted({max(values) for values in parameters.values() if all(type(v) is int for v in values)})
        borders = [(value, f"max({name})") for name, values in parameters.items()
                   if all(type(v) is int for v in values) for value in [max(values)] if value in largest]
        if len(extents) == 2 and len(borders) <= 32:
            for (a, text_a), (b, text_b) in itertools.product(borders, borders):
                self.add((extents[0] + a - 1) * (extents[1] + b - 1), f"({names[0]} + {text_a} - 1) * ({names[1]} + {text_b} - 1)")
        for factor in (2, 3, 4, 6, 8, 16):
            self.add(factor * whole, f"{factor} * " + " * ".join(names))

    def add(self, value, text):
        if value >= 64:
            self.known.setdefault(int(value), text)

    def text(self, value):
        return self.known.get(int(value), str(int(value)))


TYPES = {"float32": "float", "float64": "double", "float16": "half", "bool": "bool", "complex64": "float2", "complex128": "double2",
         **{f"{sign}int{bits}": f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}}


def flat(array):
    """The memory of an array as Kernel Tuner passes it, of a type that .npy files and templates share."""
    array = numpy.ascontiguousarray(numpy.ravel(numpy.asarray(array), order="K"))
    if array.dtype.byteorder == ">":
        array = array.astype(array.dtype.newbyteorder("<"))
    plain = {"bool": numpy.uint8, "complex64": numpy.float32, "complex128": numpy.float64}
    if array.dtype.name in plain:
        return array.view(plain[array.dtype.name])
    return array if array.dtype.name in TYPES else array.view(numpy.uint8)


def save(array, name):
    global data_bytes
    if data_bytes + array.nbytes > DATA_BYTES_MOST:
        return None
    data_bytes += array.nbytes
    numpy.save(os.path.join(folder, name), array, allow_pickle=False)
    return name


def fill(array, name):
    """How T1 says what an array holds."""
    values = flat(array)
    if values.size == 0:
        return {"FillType": "Constant", "FillValue": 0}
    first = values[0]
    if numpy.all(values == first) and numpy.isfinite(first):
        return {"FillType": "Constant", "FillValue": first.item()}
    if values.dtype.kind in "iuf" and first == 0 and values.size < 1 << 24 and numpy.array_equal(values, numpy.arange(values.size)):
        return {"FillType": "Generator", "DataSource": "i"}
    saved = save(values, name)
    if saved:
        return {"FillType": "BinaryRaw", "DataSource": saved}
    low, high = numpy.nanmin(values).item(), numpy.nanmax(values).item()
    note(f"{name} would take {values.nbytes} bytes: random values from {low:g} to {high:g} stand for it")
    return {"FillType": "Random", "FillMinimum": low, "FillValue": high}


def is_array(value):
    return isinstance(value, numpy.ndarray) and value.ndim > 0


def describe(value, shape, prefix, index):
    if isinstance(value, Anything):
        raise Skip(f"argument {index} is an object of {type(value).label}, not an array or a number")
    if not isinstance(value, (numpy.ndarray, numpy.generic)):
        kind = type(value).__name__
        try:
            value = numpy.asarray(value)
        except Exception:
            raise Skip(f"argument {index} is of type {kind}, not an array or a number of numpy")
        if value.dtype.kind not in "biufc":
            raise Skip(f"argument {index} is of type {kind}, not an array or a number of numpy")
    kind = TYPES.get(value.dtype.name, "custom")
    if not is_array(value):
        number = value.item()
        whole = isinstance(number, int) and not isinstance(number, bool)
        return {"Type": kind, "MemoryType": "Scalar", "FillValue": shape.text(number) if whole and number in shape.extents else number}
    argument = {"Type": kind, "MemoryType": "Vector", "Size": shape.text(value.size), **fill(value, f"{prefix}argument_{index}.npy")}
    if kind == "custom":
        argument["TypeSize"] = value.dtype.itemsize
    return argument


class Produced(numpy.ndarray):
    """What run_kernel would have computed; arithmetic with it gives what nobody knows."""
    origin = None

    def __array_finalize__(self, source):
        self.origin = getattr(source, "origin", None)

    def __array_ufunc__(self, ufunc, method, *inputs, **arguments):
        plain = [value.view(numpy.ndarray) if isinstance(value, Produced) else value for value in inputs]
        arguments.pop("out", None)
        result = getattr(ufunc, method)(*plain, **arguments)
        if isinstance(result, numpy.ndarray):
            result = result.view(Produced)
            result.origin = "computed"
        return result


# ---- the kernel ----

def is_file_name(text):
    return len(text) <= 250 and not re.search(r"[(){};\\\n]", text) and re.search(r"\.(c|opencl|F|h)", text)


def copy_headers(text, place, done):
    for name in re.findall(r'^\s*#\s*include\s*"([^"\n]+)"', text, re.M):
        path, target = os.path.join(place, name), os.path.join(folder, name)
        if name in done or ".." in name.split("/") or os.path.isabs(name) or not os.path.isfile(path):
            continue
        done.add(name)
        with open(path, errors="replace") as file:
            header = file.read()
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "w") as file:
            file.write(header)
        copy_headers(header, os.path.dirname(path), done)


def generated(function, parameters):
    """The source of a code generator: an #if for each text."""
    names = used_by(function, parameters)
    try:
        texts = table(function, parameters, names) if names else {(): apply(function, {n: v[0] for n, v in parameters.items()})}
    except Exception as reason:
        raise Skip(f"the function that generates the kernel failed: {reason}")
    if texts is None or len(texts) > TEXTS_MOST:
        raise Skip(f"the function that generates the kernel has more than {TEXTS_MOST} texts: they cannot be one source")
    if len(set(texts.values())) == 1:
        return next(iter(texts.values()))
    note(f"the kernel is generated by {', '.join(names)}: its source has a branch for each text")
    test = lambda name, value: f"{name}_{value}" if isinstance(value, str) else f"{name} == {int(value)}"
    branches = ["{} {}\n{}\n".format("#if" if i == 0 else "#elif", " && ".join(test(n, v) for n, v in zip(names, key)), text)
                for i, (key, text) in enumerate(texts.items())]
    return "".join(branches) + "#endif\n"


def read_kernel(source, parameters, name):
    """The kernel's text, and the folder that its headers lie in."""
    if isinstance(source, (list, tuple)):
        source = source[0]
    place = os.getcwd()
    if callable(source):
        return generated(source, parameters), place
    source = str(source)
    if not is_file_name(source):
        return source, place
    path = os.path.abspath(source)
    with open(path) as file:
        return file.read(), os.path.dirname(path)


# ---- the calls ----

def values_of(parameters):
    plain = lambda value: value.item() if isinstance(value, numpy.generic) else value
    return {str(name): [plain(value) for value in values] for name, values in parameters.items()}


def divisor(value, name, parameters):
    """The factors of a grid_div."""
    if value is None:
        return [name] if name in parameters else ["1"]
    if isinstance(value, (str, int)) or callable(value):
        value = [value]
    factors = [number(factor, parameters, "grid_div") if callable(factor) else str(factor) for factor in value]
    return factors or ["1"]


def geometry(specification, problem_size, divisors, parameters):
    """ProblemSize and its divisors; or GlobalSize, where the problem's size depends on parameters."""
    if callable(problem_size):
        shape = apply(problem_size, {name: values[0] for name, values in parameters.items()})
        if not isinstance(shape, tuple):
            problem_size = (number(problem_size, parameters, "problem_size"),)
        else:
            problem_size = tuple(number(lambda p, i=i: problem_size(p)[i], parameters, "problem_size") for i in range(len(shape)))
    if isinstance(problem_size, (str, int, float, numpy.number)):
        problem_size = (problem_size,)
    extents = [value if isinstance(value, str) else int(value) for value in problem_size]
    while len(extents) > 1 and extents[-1] == 1:
        extents.pop()
    if all(isinstance(extent, int) for extent in extents):
        specification["ProblemSize"] = extents
        for axis, factors in zip("XYZ", divisors):
            specification["GridDiv" + axis] = factors
        return extents
    product = lambda factors: " * ".join(f"({factor})" for factor in factors)
    specification["GlobalSizeType"] = "CUDA"
    specification["GlobalSize"] = {axis: f"ceil(({extent}) / ({product(factors)}))" for axis, extent, factors in zip("XYZ", extents, divisors)}
    return []


def options_of(options):
    found, options = [], list(options or [])
    for option in options:
        if option.startswith("-I") and len(option) > 2:
            option = "-I" + os.path.abspath(option[2:])
        found.append(option)
    return found


def defines_of(defines, parameters):
    options = []
    for name, value in (defines or {}).items():
        if callable(value):
            value = number(value, parameters, f"the define {name}")
            value = f"({value})"
        options.append(f"-D{name}={value}")
    return options


def language(text, lang):
    """That of a kernel, by Kernel Tuner's rules. Functions for the host are no kernels."""
    known = {"cuda": "CUDA", "cupy": "CUDA", "nvcuda": "CUDA", "pycuda": "CUDA", "hip": "HIP", "opencl": "OpenCL"}
    if lang is None:
        lang = "cuda" if "__global__" in text else "opencl" if "__kernel" in text else "C"
    if lang.lower() in known:
        return known[lang.lower()]
    if lang.lower() == "c" and ("__global__" in text or "<<<" in text):
        raise Skip("it is a function for the host that launches kernels; 'tune new' drafts a template of one of these")
    raise Skip("it is a function for the host, not a kernel in CUDA")


def answers(call, answer, arguments, prefix, atol):
    """The expected values, and the run of another kernel that would have computed them."""
    references, origin = [], None
    for index, (expected, argument) in enumerate(zip(answer, arguments)):
        if expected is None:
            continue
        if isinstance(expected, Produced):
            if expected.origin == "computed" or not expected.origin or expected.origin[1] != index:
                note(f"the answer for argument {index} is made of what run_kernel computes, and is lost")
                references.append({"TargetArgument": index, "Lost": True})
                continue
            origin = expected.origin[0]
            references.append({"TargetArgument": index, "Computed": True, "ValidationMethod": "AllClose", "ValidationThreshold": float(atol)})
            continue
        expected = numpy.asarray(expected)
        if not is_array(argument) or expected.size != argument.size:
            note(f"the answer for argument {index} has {expected.size} values, not {getattr(argument, 'size', 1)}, and is lost")
            references.append({"TargetArgument": index, "Lost": True})
            continue
        saved = save(flat(expected.astype(argument.dtype) if expected.dtype != argument.dtype else expected), f"{prefix}answer_{index}.npy")
        if not saved:
            note(f"the answer for argument {index} is too large, and is lost")
            references.append({"TargetArgument": index, "Lost": True})
            continue
        references.append({"TargetArgument": index, "FillType": "BinaryRaw", "DataSource": saved,
                           "ValidationMethod": "AllClose", "ValidationThreshold": float(atol)})
    return references, origin


class Seconds(ast.NodeTransformer):
    """Kernel Tuner's time is in milliseconds."""

    def visit_Name(self, node):
        return ast.parse("(time * 1000)", mode="eval").body if node.id == "time" else node


def plain_metric(text, parameters):
    """The metric in tune's terms; None: it reads what tune does not measure."""
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except SyntaxError:
        return None
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    allowed = (ast.Expression, ast.BinOp, ast.UnaryOp, ast.IfExp, ast.Compare, ast.Name, ast.Constant, ast.operator, ast.unaryop, ast.cmpop, ast.expr_context)
    if not names <= {*parameters, "time"} or not all(isinstance(node, allowed) for node in ast.walk(tree)):
        return None
    if any(isinstance(node, ast.Constant) and type(node.value) not in (int, float) for node in ast.walk(tree)):
        return None
    return ast.unparse(Seconds().visit(tree))


def metric_texts(metrics, parameters):
    found = {}
    for name, value in (metrics or {}).items():
        known = {**parameters, "time": [1.0, 2.5, 7.25]}
        texts = [value] if isinstance(value, str) else [
            text for text in expressions_of(value, known)
            if agrees(text, value, configurations(known, 50), lambda a, b: abs(a - b) <= 1e-9 * abs(b))]
        plain = plain_metric(texts[0], parameters) if texts else None
        if plain:
            found[str(name)] = plain
        else:
            note(f"the metric {name} is not imported: it is no expression of time and parameters alone")
    return found


def write(document, prefix, text, place):
    specification = document["KernelSpecification"]
    specification["KernelFile"] = prefix + re.sub(r"\W+", "_", specification["KernelName"].split("<")[0]) + ".cu"
    with open(os.path.join(folder, specification["KernelFile"]), "w") as file:
        file.write(text)
    copy_headers(text, place, set())
    with open(os.path.join(folder, f"{len(calls)}.json"), "w") as file:
        json.dump(document, file)


def record(name, source, problem_size, arguments, parameters, options):
    """One call as a T1 document; the files beside it begin with a number of its own."""
    parameters = values_of(parameters)
    if (name, parameters) in calls or len(calls) == CALLS_MOST:
        note(f"a further call for {name} with the same parameters was not imported")
        return
    again = sum(call[0] == name for call in calls)
    prefix = f"{len(calls) + 1}_" if calls else ""
    if any(isinstance(value, TunablePrecision) for value in arguments):
        note("tunable precisions are imported in those of their arrays")
    arguments = [value.array if isinstance(value, TunablePrecision) else value for value in arguments]
    blocks = block_names(options)
    text, place = read_kernel(source, parameters, name)
    specification = {"Language": language(text, options.get("lang")), "KernelName": name,
                     "CompilerOptions": options_of(options.get("compiler_options")) + defines_of(options.get("defines"), parameters),
                     "LocalSize": {axis: block if block in parameters else fallback for axis, block, fallback in zip("XYZ", blocks, ("256", "1", "1"))}}
    divisors = [divisor(options.get("grid_div_" + axis), block, parameters) for axis, block in zip("xyz", blocks)]
    shape = Shape(geometry(specification, problem_size, divisors, parameters), parameters)
    specification["Arguments"] = [describe(value, shape, prefix, index) for index, value in enumerate(arguments)]
    for symbol, value in (options.get("cmem_args") or {}).items():
        specification["Arguments"].append({**describe(numpy.atleast_1d(numpy.asarray(value)), shape, f"{prefix}{symbol}_", 0), "Name": symbol, "MemoryType": "Symbol"})
    shared = (options.get("smem_args") or {}).get("size", 0)
    specification["SharedMemory"] = number(shared, parameters, "the size of shared memory") if callable(shared) else shared if isinstance(shared, str) else int(shared)
    if options.get("texmem_args"):
        note("texture references (texmem_args) went with CUDA 12: pass a texture object to the kernel instead, texture(x, width, height)")
    if options.get("verify"):
        note("a verify function of Python cannot be imported: see the verify block in GRAMMAR.md")
    answer = options.get("answer")
    if answer is not None and not options.get("verify"):
        specification["ReferenceArguments"], origin = answers(name, answer, arguments, prefix, options.get("atol") or 1e-6)
        if origin is not None:
            specification["ReferenceKernel"] = reference_kernel(runs[origin], shape)
    restrictions = options.get("restrictions")
    restrictions = [] if restrictions is None else [restrictions] if callable(restrictions) or isinstance(restrictions, str) else list(restrictions)
    conditions = [restriction if isinstance(restriction, str) else condition(restriction, parameters) if callable(restriction) else None for restriction in restrictions]
    conditions.append(threads(parameters, options))
    document = {"General": {"BenchmarkName": re.sub(r"\W+", "_", name).strip("_") + (f"_{again + 1}" if again else "")},
                "Metrics": metric_texts(options.get("metrics"), parameters),
                "ConfigurationSpace": {"TuningParameters": [{"Name": key, "Values": values} for key, values in parameters.items()],
                                       "Conditions": [{"Expression": text} for text in conditions if text is not None]},
                "KernelSpecification": specification}
    calls.append((name, parameters))
    write(document, prefix, text, place)


def try_record(name, *arguments):
    try:
        record(name, *arguments)
    except Skip as reason:
        skipped.append(f"a call for {name} is not imported: {reason}")
        note(skipped[-1])


def bind(function_names, positional, named):
    options = dict(zip(function_names, positional))
    options.update(named)
    return options


TUNE = ("kernel_name kernel_source problem_size arguments tune_params grid_div_x grid_div_y grid_div_z restrictions answer atol verify "
        "verbose lang device platform smem_args cmem_args texmem_args compiler compiler_options defines log iterations block_size_names "
        "quiet strategy strategy_options cache metrics").split()
RUN = ("kernel_name kernel_source problem_size arguments params grid_div_x grid_div_y grid_div_z lang device platform smem_args cmem_args "
       "texmem_args compiler compiler_options defines block_size_names quiet log").split()


def tune_kernel(*positional, **named):
    options = bind(TUNE, positional, named)
    try_record(options["kernel_name"], options["kernel_source"], options["problem_size"], options["arguments"], options["tune_params"], options)
    result = {name: values[0] for name, values in values_of(options["tune_params"]).items()}
    result.update({"time": 1.0, "times": [1.0], "compile_time": 0.0, "verification_time": 0.0, "benchmark_time": 0.0})
    for name in options.get("metrics") or {}:
        result[name] = 1.0
    return [result], {"device_name": "recorded"}


def remember_run(options):
    """What a reference block needs of a run: the kernel, its macros, its launch."""
    parameters = {name: [value] for name, value in values_of({name: [value] for name, value in options["params"].items()}).items()}
    parameters = {name: values[0] for name, values in parameters.items()}
    blocks = block_names(options)
    specification = {}
    divisors = [divisor(options.get("grid_div_" + axis), block, parameters) for axis, block in zip("xyz", blocks)]
    extents = geometry(specification, options["problem_size"], divisors, parameters) or [1]
    first = {name: values[0] for name, values in parameters.items()}
    block = [int(first.get(name, fallback)) for name, fallback in zip(blocks, (256, 1, 1))]
    steps = []
    for factors in divisors:
        steps.append(1)
        for factor in factors:
            steps[-1] *= evaluate(factor, first)
    return {"KernelName": options["kernel_name"], "Defines": first, "Extents": extents, "Steps": steps, "Block": block}


def reference_kernel(run, shape):
    """With the grid, which follows the sizes of the problem where the run's are the same."""
    grid = []
    for axis, (extent, step) in enumerate(zip(run["Extents"], run["Steps"])):
        whole = isinstance(step, int) and axis < len(shape.extents) and extent == shape.extents[axis] and extent > 1
        grid.append(f"ceil_div(ProblemSize[{axis}], {step})" if whole else int(-(-extent // step)))
    return {"KernelName": run["KernelName"], "Defines": run["Defines"], "Grid": grid, "Block": run["Block"]}


def run_kernel(*positional, **named):
    options = bind(RUN, positional, named)
    try:
        runs.append(remember_run(options))
    except Exception as reason:
        note(f"a call of run_kernel could not be read: {reason}")
        runs.append(None)
    runs_made.append(options)
    results = []
    for index, argument in enumerate(options["arguments"]):
        if is_array(argument):
            argument = argument.copy().view(Produced)
            argument.origin = (len(runs) - 1, index)
        results.append(argument)
    return results


runs_made = []


# ---- stand-ins ----

class AnyClass(type):
    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything()


class Anything(metaclass=AnyClass):
    """Takes part in whatever a script does with observers, devices and the like."""
    label = "a module that is not installed"

    def __init__(self, *positional, **named):
        pass

    def __call__(self, *positional, **named):
        return Anything()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything()

    def __iter__(self):
        return iter(())

    def __or__(self, other):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *reason):
        return False


def anything(label):
    return AnyClass(label.split(".")[-1], (Anything,), {"label": label})


class TunablePrecision:
    def __init__(self, name, array, *positional, **named):
        self.name, self.array = name, array


class PythonKernel:
    """A kernel as a function of Python: remembered like a call of run_kernel."""

    def __init__(self, kernel_name, kernel_string, problem_size, arguments, params=None, *positional, **named):
        self.options = dict(named, kernel_name=kernel_name, kernel_source=kernel_string, problem_size=problem_size,
                            arguments=arguments, params=params or {})

    def __call__(self, *arguments):
        return run_kernel(**{**self.options, "arguments": list(arguments) or self.options["arguments"]})

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything()


def pagelocked(shape, dtype, *positional, **named):
    return numpy.zeros(shape, dtype)


KNOWN = {"tune_kernel": tune_kernel, "run_kernel": run_kernel, "PythonKernel": PythonKernel, "TunablePrecision": TunablePrecision,
         "get_config_string": lambda configuration, *rest: str(configuration),
         "get_best_config": lambda results, *rest, **named: results[0],
         "pagelocked_empty": pagelocked, "pagelocked_zeros": pagelocked}


class StandIn(types.ModuleType):
    __path__ = []
    __all__ = list(KNOWN)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name in KNOWN:
            return KNOWN[name]
        return anything(f"{self.__name__}.{name}") if name[0].isupper() else importlib.import_module(f"{self.__name__}.{name}")

    def __call__(self, *positional, **named):
        return anything(self.__name__)()

    def __or__(self, other):
        return self


class Array(numpy.ndarray):
    def get(self, *positional, **named):
        return numpy.asarray(self)


class Lifted:
    """A module of numpy whose functions give arrays as cupy's do."""

    def __init__(self, module):
        self.module = module

    def __getattr__(self, name):
        return lifted(getattr(self.module, name))


def lifted(value):
    if isinstance(value, numpy.ndarray):
        return value.view(Array) if type(value) is numpy.ndarray else value
    if isinstance(value, types.ModuleType):
        return Lifted(value)
    if callable(value) and not isinstance(value, (type, numpy.ufunc)):
        return lambda *positional, **named: lifted(value(*positional, **named))
    return value


class Cupy(StandIn):
    """numpy, which cupy imitates; what numpy does not have is cupy's own."""

    def __getattr__(self, name):
        own = {"asnumpy": numpy.asarray, "get_array_module": lambda *arrays: self,
               "empty_pinned": numpy.zeros, "zeros_pinned": numpy.zeros}
        if name in own:
            return own[name]
        return lifted(getattr(numpy, name)) if not name.startswith("__") and hasattr(numpy, name) else super().__getattr__(name)


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    replaced = ("kernel_tuner", "cupy", "cupyx")
    missing = ("pycuda", "cuda", "pyopencl", "pandas", "matplotlib")

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in self.replaced + self.missing:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        if spec.name == "kernel_tuner.utils.directives":
            fail("it tunes a program with directives (OpenACC or OpenMP), which has no kernel in CUDA")
        return (Cupy if spec.name in ("cupy", "cupyx") else StandIn)(spec.name)

    def exec_module(self, module):
        package, _, part = module.__name__.partition(".")
        if package == "cupy" and isinstance(getattr(numpy, part, None), types.ModuleType):
            sys.modules[module.__name__] = getattr(numpy, part)


class Replaced(Finder):
    missing = ()


real_open = open


def redirected(file, mode="r", *positional, **named):
    """The results of a stand-in must not replace real ones: what the script writes goes to the recording's folder."""
    if isinstance(file, (str, os.PathLike)) and set(mode) & set("wax+") and not os.path.abspath(file).startswith(folder):
        os.makedirs(os.path.join(folder, "written"), exist_ok=True)
        file = os.path.join(folder, "written", os.path.basename(file))
    return real_open(file, mode, *positional, **named)


def main():
    builtins.open = redirected
    sys.meta_path.insert(0, Replaced())
    sys.meta_path.append(Finder())  # where the real ones are not installed
    os.chdir(os.path.dirname(script))
    sys.path.insert(0, os.path.dirname(script))
    sys.argv = [script]
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit:
        pass
    except BaseException as reason:
        lines = [frame.lineno for frame in inspect.getinnerframes(reason.__traceback__) if frame.filename == script]
        at = f"{os.path.basename(script)}:{lines[-1]}: " if lines else ""
        text = f"{at}{type(reason).__name__}: {reason}"
        if not calls and not runs_made:
            fail(f"the script failed before it called tune_kernel: {text}")
        note(f"the script stopped after what is imported: {text}")
    if not calls and not skipped and runs_made:
        options = runs_made[0]
        parameters = {name: [value] for name, value in options["params"].items()}
        try_record(options["kernel_name"], options["kernel_source"], options["problem_size"], options["arguments"], parameters, options)
    if not calls and skipped:
        fail(skipped[0])
    if not calls:
        fail("the script never called tune_kernel or run_kernel")


main()

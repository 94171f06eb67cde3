// SPDX-License-Identifier: Apache-2.0
// tune import --run: scripts for Kernel Tuner are run with stand-ins and become templates, with their data and answers.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, sql, tune } from "./tune.mjs";

const python = ["python3", "/usr/bin/python3"].find((name) => spawnSync(name, ["-c", "import numpy"]).status === 0);
const skip = python ? false : "no Python with numpy at hand";
if (python) process.env.TUNE_PYTHON = python;

const kernel = `#include "parts/scale.cuh"
#ifndef kernel_tuner
#error not as with Kernel Tuner
#endif
__constant__ float coefficient[1];
__global__ void affine(float *y, const float *x, float offset, int n) {
    int first = (blockIdx.x * width + threadIdx.x) * work;
    for (int k = 0; k < work && first + k < n; k++)
        y[first + k] = scale(coefficient[0], x[first + k]) + offset + (width == 96);
}
`;
const script = `import json, os, socket
import numpy as np
from kernel_tuner import tune_kernel
from kernel_tuner.observers.nvml import NVMLObserver

limit = 256
def tried(p):
    allowed = set([2, 4])
    return p["staged"] == 0 or p["work"] in allowed

def tune():
    n = 1000
    x = np.linspace(-1, 1, n).astype(np.float32)
    y = np.zeros_like(x)
    coefficient = np.array([3], dtype=np.float32)
    expected = 3 * x.astype(np.float64) + 2.5
    parameters = {"width": [32 * i for i in range(1, 5)], "work": [1, 2, 4], "staged": np.array([0, 1])}
    results, env = tune_kernel("affine", "affine.cu", n, [y, x, np.float32(2.5), np.int32(n)], parameters,
        grid_div_x=["width", "work"], block_size_names=["width"], cmem_args={"coefficient": coefficient},
        restrictions=["width * work <= limit".replace("limit", str(limit)), lambda p: p["width"] * p["work"] <= limit, tried],
        answer=[expected.astype(np.float32), None, None, None], atol=1e-5, compiler_options=["-arch=sm_52", "-DUNUSED=1"],
        metrics={"GB/s": lambda p: (2 * n * 4 / 1e9) / (p["time"] / 1e3), "W": "nvml_power"}, observers=[NVMLObserver(["nvml_power"])])
    with open("results.json", "w") as file:
        json.dump(results, file)
    assert min(results, key=lambda r: r["time"])["width"] == 32
    for attempt in (lambda: os.mkdir("made"), lambda: socket.create_connection(("127.0.0.1", 9))):
        try:
            attempt()
            os._exit(9)
        except OSError as error:
            print(error)

if __name__ == "__main__":
    tune()
`;

function write(home, text = script) {
  mkdirSync(join(home, "theirs/parts"), { recursive: true });
  writeFileSync(join(home, "theirs/affine.cu"), kernel);
  writeFileSync(join(home, "theirs/parts/scale.cuh"), "__device__ float scale(float a, float x) { return a * x; }\n");
  writeFileSync(join(home, "theirs/tune_affine.py"), text);
}

const valid = () => [32, 64, 96, 128].flatMap((width) => [1, 2, 4].flatMap((work) =>
  [0, 1].filter((staged) => width * work <= 256 && (!staged || work > 1)).map((staged) => ({ width, work, staged }))));

test("a script is not run unasked", (t) => {
  const home = folder(t);
  write(home);
  const done = tune(home, "import", "theirs/tune_affine.py");
  assert.equal(done.status, 2);
  assert.match(done.stderr, /is a script, which has to be run to see what it tunes\n.*hint: if you trust it: tune import --run theirs\/tune_affine\.py/);
  assert.equal(tune(home, "import", "--run", "theirs/none.py").status, 2);
});

test("a script becomes a template with its data, its answer, its restrictions and its metrics", { skip }, (t) => {
  const home = folder(t);
  write(home);
  const done = tune(home, "import", "--run", "theirs/tune_affine.py");
  assert.equal(done.status, 0, done.stderr);
  assert.equal(done.stdout, "./templates/affine/affine.template\n./spaces/affine/affine.space\n");
  assert.match(done.stderr, /not converted but tried: it lists the values of work, staged that it allows/);
  assert.match(done.stderr, /option -arch=sm_52 is left to tune/);
  assert.match(done.stderr, /the metric W is not imported/);
  assert.deepEqual(readdirSync(join(home, "theirs")).sort(), ["affine.cu", "parts", "tune_affine.py"]);
  const text = readFileSync(join(home, "templates/affine/affine.template"), "utf8");
  assert.match(text, /^# Imported from theirs\/tune_affine\.py; /);
  assert.match(text, /^buffer x : float\[problem_size_x\] in file\("argument_1\.npy"\)$/m);
  assert.match(text, /^buffer y : float\[problem_size_x\] inout constant\(0\)$/m);
  assert.match(text, /affine<<<ceil_div\(problem_size_x, width \* work\), width>>>\(y, x, float\(2\.5\), int\(problem_size_x\)\)/);
  assert.match(text, /^metric "GB\/s" = 2 \* 1000 \* 4 \/ 1000000000\.0 \/ \(time \* 1000 \/ 1000\.0\)$/m);
  assert.ok(existsSync(join(home, "templates/affine/parts/scale.cuh")));

  const shown = JSON.parse(tune(home, "show", "templates/affine", "--space", "affine", "--device", "cpu", "--json").stdout);
  assert.equal(shown.valid, valid().length);
  const swept = tune(home, "templates/affine", "--device", "cpu", "--quiet");
  assert.equal(swept.status, 0, swept.stderr);
  const rows = sql(home, "select configuration, outcome, message from evaluation where origin = 'measured'");
  assert.deepEqual(new Set(rows.map((row) => row.configuration)), new Set(valid().map((c) => JSON.stringify(c))));
  for (const row of rows)
    assert.equal(row.outcome, JSON.parse(row.configuration).width === 96 ? "wrong_result" : "ok", row.message);
});

test("another kernel may be the answer, and generated sources become one", { skip }, (t) => {
  const home = folder(t);
  write(home, `import numpy
import kernel_tuner
def source(p):
    return "__global__ void twice(int *y, int *x, int *u, int *v) { int i = blockIdx.x * %d + threadIdx.x; y[i] = 2 * x[i]; u[i] = i; v[i] += 1; }\\n" \\
           "__global__ void slow(int *y, int *x, int *u, int *v) { int i = blockIdx.x * blockDim.x + threadIdx.x; y[i] = x[i] + x[i]; }\\n" % p["block_size_x"]
x = numpy.arange(256, dtype=numpy.int32)
arguments = [numpy.zeros_like(x), x, numpy.zeros_like(x), x]
y = kernel_tuner.run_kernel("slow", source, 256, arguments, {"block_size_x": 64})[0]
kernel_tuner.tune_kernel("twice", source, (256, 1), arguments, {"block_size_x": [32, 64]}, answer=[y, None, None, None])
kernel_tuner.tune_kernel("twice", source, (256, 1), arguments, {"block_size_x": [32, 64]}, answer=[y + 1, None, None, None])
`);
  const done = tune(home, "import", "--run", "theirs/tune_affine.py");
  assert.equal(done.status, 0, done.stderr);
  assert.match(done.stderr, /a further call for twice with the same parameters was not imported/);
  const text = readFileSync(join(home, "templates/twice/twice.template"), "utf8");
  assert.match(text, /reference "reference\.cu" \{\n {4}slow<<<ceil_div\(problem_size_x, 64\), 64>>>\(y, x, u, v\)\n/);
  assert.match(text, /^buffer u : int\[problem_size_x\] temp\nbuffer v : int\[problem_size_x\] scratch index\(\)$/m);
  assert.match(text, /^check y exact\n$/m);
  assert.match(readFileSync(join(home, "templates/twice/twice.cu"), "utf8"), /#if block_size_x == 32\n[^]*#elif block_size_x == 64/);
  const swept = tune(home, "templates/twice", "--device", "cpu", "--quiet");
  assert.equal(swept.status, 0, swept.stderr);
  assert.deepEqual(sql(home, "select outcome, count(*) as n from evaluation where origin = 'measured' group by 1"), [{ outcome: "ok", n: 2 }]);
});

// One row cancels to 0, so that a bound relative to each value would refuse sums in another order.
const sums = (answer) => `import numpy
import kernel_tuner
source = """#define ROWS 1024
__global__ void sums(float *y, const float *x) {
    int i = blockIdx.x * block_size_x + threadIdx.x;
    if (i >= ROWS) return;
    float part[split] = {};
    for (int k = 0; k < 64; k++) part[k % split] += x[64 * i + k];
    float sum = 0;
    for (int k = 0; k < split; k++) sum += part[k];
    y[i] = sum;
}
__global__ void slow(float *y, const float *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 63; k >= 0; k--) sum += x[64 * i + k];
    y[i] = sum;
}
"""
x = numpy.sin(numpy.arange(64 * 1024) * 1.7).astype(numpy.float32).reshape(1024, 64)
x[7, 63] = -x[7, :63].astype(numpy.float64).sum()
y = numpy.zeros(1024, dtype=numpy.float32)
computed = kernel_tuner.run_kernel("slow", source, 1024, [y, x], {"block_size_x": 64, "split": 1})
kernel_tuner.tune_kernel("sums", source, 1024, [y, x], {"block_size_x": [32, 1024], "block_size_y": [1, 2], "split": [1, 8]}, answer=${answer})
`;

for (const [answer, check] of [["None", /^check y within 1e-4$/m], ["[computed[0], None]", /^check y within 1e-05 absolute 1e-06$/m]])
  test(`values that cancel may differ by the errors of their summands, with answer=${answer}; blocks have at most 1024 threads`, { skip }, (t) => {
    const home = folder(t);
    write(home, sums(answer));
    const done = tune(home, "import", "--run", "theirs/tune_affine.py");
    assert.equal(done.status, 0, done.stderr);
    assert.match(readFileSync(join(home, "templates/sums/sums.template"), "utf8"), check);
    assert.match(readFileSync(join(home, "spaces/sums/sums.space"), "utf8"), /^where block_size_x \* block_size_y <= 1024$/m);
    assert.match(readFileSync(join(home, "templates/sums/sums.template"), "utf8"), /^size ROWS = problem_size_x\ndefine ROWS$/m);
    assert.match(readFileSync(join(home, "templates/sums/sums.cu"), "utf8"), /^#ifndef ROWS\n#define ROWS 1024\n#endif\n/);
    const swept = tune(home, "templates/sums", "--device", "cpu", "--quiet", "--size", "problem_size_x=512");
    assert.equal(swept.status, 0, swept.stderr);
    assert.deepEqual(sql(home, "select outcome, count(*) as n from evaluation where origin = 'measured' group by 1"), [{ outcome: "ok", n: 6 }]);
  });

test("cupy's arrays are numpy's, and a call that is no kernel's leaves the others", { skip }, (t) => {
  const home = folder(t);
  write(home, `import cupy as cp
import pycuda.gpuarray
from kernel_tuner import tune_kernel
source = "__global__ void next(float *y, const float *x) { int i = blockIdx.x * block_size_x + threadIdx.x; y[i] = x[i] + 1; }"
x = cp.random.randn(256).astype(cp.float32)
y = cp.zeros_like(x)
for i, (array, language) in enumerate([(x, "C"), (cp.cuda.texture.TextureObject(), None), (pycuda.gpuarray.to_gpu(x), None), (x, "cupy")]):
    tune_kernel("next", source, 256, [y, array], {"block_size_x": [32, 64 + i]}, answer=[cp.asnumpy(x + 1), None], lang=language)
assert (x + y).get().shape == (256,)
`);
  const done = tune(home, "import", "--run", "theirs/tune_affine.py");
  assert.equal(done.status, 0, done.stderr);
  assert.equal(done.stdout, "./templates/next/next.template\n./spaces/next/next.space\n");
  for (const reason of ["it is a function for the host that launches kernels; 'tune new' drafts",
    "argument 1 is an object of cupy.cuda.texture.TextureObject,", "argument 1 is an object of pycuda.gpuarray.to_gpu,"])
    assert.ok(done.stderr.includes(`a call for next is not imported: ${reason}`), done.stderr);
  assert.match(readFileSync(join(home, "spaces/next/next.space"), "utf8"), /\[32, 67\]/);
  assert.match(readFileSync(join(home, "templates/next/next.template"), "utf8"), /^buffer x : float\[problem_size_x\] in file/m);
});

test("what goes wrong is said", { skip }, (t) => {
  const home = folder(t);
  const bare = join(home, "bare");
  writeFileSync(bare, `#!/bin/sh\nexec ${python} -I -S "$@"\n`);
  chmodSync(bare, 0o755);
  for (const [text, python3, message, ...more] of [
    ["import numpy\n", undefined, /the script never called tune_kernel or run_kernel\n.*hint/],
    ["raise ValueError('no')\n", undefined, /failed before it called tune_kernel: tune_affine\.py:1: ValueError: no/],
    ["import no_such_module\n", undefined, /no_such_module.*\n.*hint: install what the script imports/],
    ["import time\ntime.sleep(60)\n", undefined, /nothing was tuned within 0\.5 s\n.*hint/, "--deadline", "500ms"],
    ["import os\nos.kill(os.getpid(), 9)\n", undefined, /ended with signal 9/],
    [script, "/no/such/python", /no\/such\/python ended with status 127: .*No such file/],
    [script, bare, /numpy is missing for .*\n.*hint: install it/],
    ["import kernel_tuner, numpy\nkernel_tuner.tune_kernel('k', '__global__ void k(int *x) {}', 1, [numpy.zeros(4, numpy.int32)], {'while': [1]})\n",
      undefined, /"while" is a reserved word/],
    ["import kernel_tuner\nkernel_tuner.tune_kernel('f', 'extern \"C\" float f() { return 1; }', 1, [], {'threads': [1]})\n",
      undefined, /a call for f is not imported: it is a function for the host, not a kernel in CUDA/],
    ["import kernel_tuner.utils.directives\n", undefined, /it tunes a program with directives/],
  ]) {
    write(home, text);
    process.env.TUNE_PYTHON = python3 || python;
    const done = tune(home, "import", "--run", "theirs/tune_affine.py", ...more);
    process.env.TUNE_PYTHON = python;
    assert.equal(done.status, 2, done.stdout + done.stderr);
    assert.match(done.stderr, message);
    assert.ok(!existsSync(join(home, "templates")));
  }
});

// SPDX-License-Identifier: Apache-2.0
// What a kernel leaves where it may, what it must leave, and in which order: scratch buffers and checks of parts.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { device, folder, sql, swept, tune } from "./tune.mjs";

// Sweep a template on the CPU device: the outcome of each configuration, by the value of its parameter.
function sweep(home, name, parameter, template, space, sources) {
  mkdirSync(join(home, name), { recursive: true });
  writeFileSync(join(home, name, `${name}.template`), `template ${name}\n${template}`);
  writeFileSync(join(home, name, `${name}.space`), `space ${name} of ${name}\n${space}\n`);
  for (const [file, text] of Object.entries(sources)) writeFileSync(join(home, name, file), text);
  const done = tune(home, `./${name}`, "--space", `${name}/${name}.space`, "--device", device, "--quiet", "--json");
  const rows = existsSync(join(home, "tune.db")) ?
    sql(home, `select configuration, outcome, message from evaluation where ${swept}`) : [];
  const found = rows.map((row) => [JSON.parse(row.configuration)[parameter], row]);
  return { ...done, messages: Object.fromEntries(found.map(([value, row]) => [value, row.message])),
           outcomes: Object.fromEntries(found.map(([value, row]) => [value, row.outcome])) };
}

// A sum over blocks whose last block, found with a counter that must begin at 0 in every run, adds up the parts.
const total = `size n = 5000
awkward n = 257
parameter BLOCK
source "total.cu"
let blocks = ceil_div(n, BLOCK)
buffer x : int[n] in uniform(-9, 10)
buffer part : int[blocks] temp
buffer count : uint[1] COUNT
buffer sum : int[1] out
launch { total<<<blocks, BLOCK>>>(x, part, count, sum, n) }
reference "reference.cu" { sequential<<<1, 1>>>(x, ref(sum), n) }
check sum exact
`;
const totalSources = {
  "total.cu": `__global__ void total(const int *x, int *part, unsigned *count, int *sum, int n) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        int here = 0;
        for (int i = blockIdx.x * BLOCK; i < n && i < (blockIdx.x + 1) * BLOCK; i++) here += x[i];
        part[blockIdx.x] = here;
        __threadfence();
        last = atomicAdd(count, 1u) == gridDim.x - 1;
        if (last) {
            __threadfence();
            int all = 0;
            for (int i = 0; i < gridDim.x; i++) all += ((volatile int *)part)[i];
            *sum = all;
        }
    }
}
`,
  "reference.cu": `__global__ void sequential(const int *x, double *sum, int n) {
    double all = 0;
    for (int i = 0; i < n; i++) all += x[i];
    *sum = all;
}
`,
};

test("a scratch buffer begins with its initial values in every run and is never compared", (t) => {
  const scratch = sweep(folder(t), "total", "BLOCK", total.replace("COUNT", "scratch constant(0)"), "param BLOCK = [64, 128]", totalSources);
  assert.deepEqual(scratch.outcomes, { 64: "ok", 128: "ok" }, scratch.stderr);
  const temp = sweep(folder(t), "total", "BLOCK", total.replace("COUNT", "temp"), "param BLOCK = [64]", totalSources);
  assert.notEqual(temp.outcomes[64], "ok");
});

// A three-point stencil that leaves the border alone, or, with DAMAGE, one element of it or of the inside.
const stencil = (checks) => `size n = 4096
awkward n = 37
parameter RADIUS
source "stencil.cu"
buffer x : float[n] in uniform(1, 2)
buffer y : float[n] out
launch { stencil<<<ceil_div(n, 64), 64>>>(x, y, n) }
reference "reference.cu" { expected<<<ceil_div(n, 64), 64>>>(x, ref(y), n) }
${checks}
`;
const stencilSources = {
  "stencil.cu": `__global__ void stencil(const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= RADIUS && i < n - 1) y[i] = x[i - 1] + x[i] + x[i + 1];
    if (i == n - 1) y[i] = 1e30f;
}
`,
  "reference.cu": `__global__ void expected(const float *x, double *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= 1 && i < n - 1) y[i] = (double)x[i - 1] + x[i] + x[i + 1];
}
`,
};

test("elements outside of the checked ranges need neither be written nor be right, by kernel or reference", (t) => {
  const ranges = "check y[1 : n - 7] within 1e-5\ncheck y[n - 7 : n - 1] within 1e-5";
  const found = sweep(folder(t), "stencil", "RADIUS", stencil(ranges), "param RADIUS = [1, 2, 3]", stencilSources);
  assert.deepEqual(found.outcomes, { 1: "ok", 2: "not_finite", 3: "not_finite" }, found.stderr);
  assert.match(found.messages[3], /^y: 2 of 29 elements were never written, first at 1, at size n=37/);
  const own = sweep(folder(t), "stencil", "RADIUS", stencil("check y[RADIUS : n - 1] within 1e-5"), "param RADIUS = [1, 2, 3]", stencilSources);
  assert.deepEqual(own.outcomes, { 1: "ok", 2: "ok", 3: "ok" }, own.stderr);
  const whole = sweep(folder(t), "stencil", "RADIUS", stencil("check y within 1e-5"), "param RADIUS = [1]", stencilSources);
  assert.equal(whole.status, 2);
  assert.match(whole.stderr, /the reference leaves 2 elements of ref\(y\) unwritten, the first at 0/);
  const last = sweep(folder(t), "stencil", "RADIUS", stencil("check y[1 :] within 1e-5"), "param RADIUS = [1]", stencilSources);
  assert.match(last.stderr, /the reference leaves 1 elements of ref\(y\) unwritten, the first at 4095/);
});

test("ranges that overlap are refused at their place", (t) => {
  const done = sweep(folder(t), "stencil", "RADIUS", stencil("check y[1 : 9] exact\ncheck y[8 : n - 1] exact"), "param RADIUS = [1]", stencilSources);
  assert.equal(done.status, 2);
  assert.match(done.stderr, /stencil\.template:11:7: y\[8 : 4095\] overlaps with y\[1 : 9\], which is checked, too/);
});

// Jacobi's method on a tridiagonal system. Nobody knows x, but everybody can tell whether it solves the system.
const solver = `size n = 2000
awkward n = 33
parameter ROUNDS
source "jacobi.cu"
buffer b : float[n] in uniform(1, 2)
buffer x : float[n] scratch constant(0)
buffer next : float[n] temp
buffer residual : double[n] out
launch { for i in range(0, ROUNDS) { jacobi<<<ceil_div(n, 64), 64>>>(b, x, next, n)
                                     swap x, next } }
verify "residual.cu" { residual<<<ceil_div(n, 64), 64>>>(b, x, residual, n) }
reference "zero.cu" { zero<<<ceil_div(n, 64), 64>>>(ref(residual), mag(residual), n) }
check residual within 1e-6
`;
const solverSources = {
  "jacobi.cu": `__global__ void jacobi(const float *b, const float *x, float *next, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) next[i] = (b[i] + (i > 0 ? x[i - 1] : 0) + (i < n - 1 ? x[i + 1] : 0)) / 4;
}
`,
  "residual.cu": `__global__ void residual(const float *b, const float *x, double *r, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double left = i > 0 ? x[i - 1] : 0, right = i < n - 1 ? x[i + 1] : 0;
    r[i] = fabs(4.0 * x[i] - left - right - b[i]) / (fabs(4.0 * x[i]) + fabs(left) + fabs(right) + fabs(b[i]));
}
`,
  "zero.cu": `__global__ void zero(double *r, double *magnitude, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { r[i] = 0; magnitude[i] = 1; }
}
`,
};

test("a verify block computes what is compared from what a run has left", (t) => {
  const found = sweep(folder(t), "solver", "ROUNDS", solver, "param ROUNDS = [3, 29, 30]", solverSources);
  assert.deepEqual(found.outcomes, { 3: "wrong_result", 29: "ok", 30: "ok" }, found.stderr);
  assert.match(found.messages[3], /^residual\[\d+\]: got 0\.\d+, expected 0/);
});

test("a residual is checked against a bound alone, without a reference", (t) => {
  const alone = solver.replace(/reference .*\n/, "").replace("check residual within 1e-6", "check residual below 1e-6");
  const found = sweep(folder(t), "solver", "ROUNDS", alone, "param ROUNDS = [3, 30]", solverSources);
  assert.deepEqual(found.outcomes, { 3: "wrong_result", 30: "ok" }, found.stderr);
  assert.match(found.messages[3], /^residual\[\d+\]: got 0\.\d+, must be within 1e-06 of 0 \(largest error .* elements wrong, at size n=33/);
  const lazy = { ...solverSources, "residual.cu": solverSources["residual.cu"].replace("if (i >= n) return;", "if (i >= n - 1) return;") };
  assert.match(sweep(folder(t), "solver", "ROUNDS", alone, "param ROUNDS = [30]", lazy).messages[30], /^residual: 1 of 33 elements were never written, first at 32/);
});

test("what a verify block cannot do is the template's fault, and a stray write of it is named", (t) => {
  const wrong = { ...solverSources, "residual.cu": "__global__ void residual(const float *b, double *r, int n) {}" };
  const done = sweep(folder(t), "solver", "ROUNDS", solver, "param ROUNDS = [30]", wrong);
  assert.equal(done.status, 2, done.stdout + done.stderr);
  assert.match(done.stderr, /solver\.template:12:\d+: .*residual/);
  const broken = sweep(folder(t), "solver", "ROUNDS", solver, "param ROUNDS = [30]", { ...solverSources, "residual.cu": "nonsense" });
  assert.equal(broken.status, 2);
  assert.match(broken.stderr, /residual\.cu does not compile/);
  const stray = { ...solverSources, "residual.cu": solverSources["residual.cu"].replace("if (i >= n) return;", "if (i == n) r[i] = 0; if (i >= n) return;") };
  const found = sweep(folder(t), "solver", "ROUNDS", solver, "param ROUNDS = [30]", stray);
  assert.equal(found.outcomes[30], "out_of_bounds");
  assert.match(found.messages[30], /^the verify block wrote past the end of residual: /);
});

// A kernel that works on tiles of its own: prepare makes them, and finish puts the results in order.
const tiled = `size n = 3000
awkward n = 65
parameter TILE
parameter WRONG
source "tiled.cu"
let tiles = ceil_div(n, TILE)
buffer x : float[n] in uniform(1, 2)
buffer packed : float[tiles * TILE] temp
buffer done : float[tiles * TILE] temp
buffer y : float[n] out
prepare { pack<<<tiles, TILE>>>(x, packed, n) }
launch { square<<<tiles, TILE>>>(packed, done) }
finish { unpack<<<tiles, TILE>>>(done, y, n) }
reference "square.cu" { expected<<<ceil_div(n, 64), 64>>>(x, ref(y), n) }
check y within sum_error(2)
`;
const tiledSources = {
  "tiled.cu": `__global__ void pack(const float *x, float *packed, int n) { // element j of all tiles, then element j + 1
    int i = blockIdx.x * TILE + threadIdx.x;
    packed[threadIdx.x * gridDim.x + blockIdx.x] = i < n ? x[i] : 0;
}
__global__ void square(const float *packed, float *done) {
    int i = blockIdx.x * TILE + threadIdx.x;
    done[i] = packed[i] * packed[i];
}
__global__ void unpack(const float *done, float *y, int n) {
    int i = blockIdx.x * TILE + threadIdx.x;
    if (i < n) y[i] = done[(threadIdx.x ^ WRONG) * gridDim.x + blockIdx.x];
}
`,
  "square.cu": `__global__ void expected(const float *x, double *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = (double)x[i] * x[i];
}
`,
};

test("a finish block puts results in order, untimed, by the configuration's own source", (t) => {
  const found = sweep(folder(t), "tiled", "WRONG", tiled, "param TILE = [64]\nparam WRONG = [0, 1]", tiledSources);
  assert.deepEqual(found.outcomes, { 0: "ok", 1: "wrong_result" }, found.stderr);
  const stray = { ...tiledSources, "tiled.cu": tiledSources["tiled.cu"].replace("if (i < n) y", "if (i < n + 9) y") };
  const wrong = folder(t);
  sweep(wrong, "tiled", "WRONG", tiled, "set TILE = 64\nset WRONG = 0", stray);
  const checked = tune(wrong, "check", "./tiled", "--space", "tiled/tiled.space", "--quiet");
  assert.equal(checked.status, 1, checked.stdout + checked.stderr);
  assert.match(checked.stdout + checked.stderr, /tiled\.cu:11:.*y/s);
});

// A convolution whose extents are macros in every source, so that the compiler knows them.
const convolution = `size N = 1000
size R = 3
awkward N = 33
define N, R
parameter BLOCK
parameter SHIFT
source "convolution.cu"
buffer x : float[N + 2 * R] in uniform(1, 2)
buffer weights : float[2 * R + 1] in uniform(1, 2)
buffer y : float[N] out
launch { convolve<<<ceil_div(N, BLOCK), BLOCK>>>(x, weights, y) }
reference "reference.cu" { expected<<<ceil_div(N, 64), 64>>>(x, weights, ref(y)) }
check y within sum_error(2 * R + 1)
`;
const convolutionSources = {
  "convolution.cu": `__global__ void convolve(const float *x, const float *weights, float *y) {
    __shared__ float tile[BLOCK + 2 * R];
    int first = blockIdx.x * BLOCK;
    for (int i = threadIdx.x; i < BLOCK + 2 * R && first + i < N + 2 * R; i += BLOCK) tile[i] = x[first + i];
    __syncthreads();
    float sum = 0;
    for (int j = 0; j <= 2 * R; j++) sum += weights[j] * tile[threadIdx.x + j];
    if (first + threadIdx.x < N + SHIFT) y[first + threadIdx.x] = sum;
}
`,
  "reference.cu": `__global__ void expected(const float *x, const float *weights, double *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N) return;
    double sum = 0;
    for (int j = 0; j <= 2 * R; j++) sum += (double)weights[j] * x[i + j];
    y[i] = sum;
}
`,
};

test("sizes may be macros of the sources; then there is an image for the awkward size", (t) => {
  const home = folder(t);
  const space = "param BLOCK = [64, 128]\nset SHIFT = 0";
  const found = sweep(home, "convolution", "BLOCK", convolution, space, convolutionSources);
  assert.deepEqual(found.outcomes, { 64: "ok", 128: "ok" }, found.stderr);
  const awkward = sweep(folder(t), "convolution", "SHIFT", convolution, "set BLOCK = 64\nparam SHIFT = [0, 1]", convolutionSources);
  assert.deepEqual(awkward.outcomes, { 0: "ok", 1: "out_of_bounds" }, awkward.stderr);
  assert.match(awkward.messages[1], /y\[33\], the extent is 33\), at size N=33,R=3/);
  const again = tune(home, "./convolution", "--space", "convolution/convolution.space", "--device", device, "--quiet", "--json", "--fresh");
  assert.equal(again.status, 0, again.stderr); // from the cache, both images
  const broken = { ...convolutionSources, "convolution.cu": convolutionSources["convolution.cu"] + "#if N < 100\n#error too small\n#endif\n" };
  const refused = sweep(folder(t), "convolution", "BLOCK", convolution, space, broken);
  assert.equal(refused.outcomes[64], "compile_error", refused.stderr);
  assert.match(refused.messages[64], /too small/);
  assert.match(tune(home, "show", "./convolution").stdout, /N \(a macro, too\)/);
  const header = tune(home, "best", "./convolution", "--device", device, "--header").stdout;
  assert.match(header, /^#pragma once\n#define N 1000\n#define R 3\n#define BLOCK (64|128)\n#define SHIFT 0\n$/m);
});

// Stream compaction: what is kept is the same in every run, but not in which order.
const compaction = (check) => `size n = 6000
awkward n = 300
parameter MODE
source "compact.cu"
buffer x : int[n] in uniform(-50, 50)
buffer count : uint[1] inout constant(0)
buffer z : int[n] inout constant(-99)
launch { compact<<<ceil_div(n, 64), 64>>>(x, count, z, n) }
reference "reference.cu" { keep<<<1, 1>>>(x, ref(count), ref(z), n) }
check count exact
${check}
`;
const compactionSources = {
  "compact.cu": `__global__ void compact(const int *x, unsigned *count, int *z, int n) {
    int i = (gridDim.x - 1 - blockIdx.x) * blockDim.x + threadIdx.x; // the last ones first
    if (i >= n || x[i] <= 0) return;
    unsigned at = atomicAdd(count, 1u);
    z[at] = MODE == 1 && at == 5 ? x[i] + 1 : x[i];
}
`,
  "reference.cu": `__global__ void keep(const int *x, double *count, double *z, int n) {
    int kept = 0;
    for (int i = 0; i < n; i++) if (x[i] > 0) z[kept++] = x[i];
    *count = kept;
    for (int i = kept; i < n; i++) z[i] = -99;
}
`,
};

test("an unordered check compares what there is, whatever its order", (t) => {
  const sets = sweep(folder(t), "compaction", "MODE", compaction("check z unordered"), "param MODE = [0, 1]", compactionSources);
  assert.deepEqual(sets.outcomes, { 0: "ok", 1: "wrong_result" }, sets.stderr);
  assert.match(sets.messages[1], /^sorted z\[\d+\]: got \d+, expected \d+.* elements wrong, at size n=300/);
  const order = sweep(folder(t), "compaction", "MODE", compaction("check z exact"), "param MODE = [0]", compactionSources);
  assert.deepEqual(order.outcomes, { 0: "wrong_result" }, order.stderr);
});

// 0 and 1000 in turn, each with an error of ERROR / 10,000, as a difference of numbers of that size has.
const offset = (check) => `size n = 4096
awkward n = 37
parameter ERROR
source "offset.cu"
buffer x : float[n] in index()
buffer y : float[n] out
launch { offset<<<ceil_div(n, 64), 64>>>(x, y, n) }
reference "reference.cu" { expected<<<ceil_div(n, 64), 64>>>(x, ref(y), n) }
${check}
`;
const offsetSources = {
  "offset.cu": `__global__ void offset(const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[n - 1 - i] = (i % 2 ? 1000.0f : 0.0f) + (i % 3 ? ERROR : -ERROR) * 1e-4f;
}
`,
  "reference.cu": `__global__ void expected(const float *x, double *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[n - 1 - i] = i % 2 ? 1000 : 0;
}
`,
};

test("an absolute tolerance allows errors where 0 is expected, beside a relative one elsewhere", (t) => {
  const outcomes = (check) => sweep(folder(t), "offset", "ERROR", offset(check), "param ERROR = [1, 2, 3]", offsetSources);
  const both = outcomes("check y within 1e-6 absolute 2.5e-4"); // float: 1000.0003 is off by 3.05e-4 at most
  assert.deepEqual(both.outcomes, { 1: "ok", 2: "ok", 3: "wrong_result" }, both.stderr);
  assert.match(both.messages[3], /^y\[\d+\]: got -?0\.000(3|29)\d*, expected 0 within 1e-06 \* 0 \+ 0\.00025 \(largest error 1\.2 times the tolerance\)/);
  const absolute = outcomes("check y[0 : n] unordered absolute 0.00015");
  assert.deepEqual(absolute.outcomes, { 1: "ok", 2: "wrong_result", 3: "wrong_result" }, absolute.stderr);
  assert.match(absolute.messages[2], /^sorted y\[\d+\]: got -0\.000(2|19)\d*, expected 0 within 0\.00015 \(/);
});

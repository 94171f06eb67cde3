// SPDX-License-Identifier: Apache-2.0
// What a launch passes is what the kernel takes, or the row says so, with the place in the template.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, sql, tune } from "./tune.mjs";

const kernel = (type) => `__global__ void saxpy(const float *x, float *y, float a, ${type} n) {
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) y[i] = a * x[i];
}
`;
const reference = (type) => `__global__ void reference(const float *x, double *y, ${type} a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i];
}
`;
const template = (launch, arguments_ = "x, ref(y), double(2.5), n") => `template saxpy
size n = 1000
parameter BLOCK
parameter WIDE
source "saxpy.cu"
buffer x : float[n] in uniform(-1, 1)
buffer y : float[n] out
launch { saxpy<<<ceil_div(n, BLOCK), BLOCK>>>(${launch}) }
reference "reference.cu" { reference<<<ceil_div(n, 256), 256>>>(${arguments_}) }
check y within sum_error(2)
`;

// Sweep a folder of these files on the CPU device: what it ends with, and its rows.
function sweep(home, files, space = "param BLOCK = [32, 64]") {
  mkdirSync(join(home, "k"), { recursive: true });
  writeFileSync(join(home, "k.space"), `space k of saxpy\n${space}\n`);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, "k", name), text);
  const done = tune(home, "./k", "--space", "./k.space", "--device", "cpu", "--quiet");
  const rows = existsSync(join(home, "tune.db")) ? sql(home, "select configuration, outcome, message from evaluation") : [];
  return { ...done, rows };
}

test("an int for a long long is found, with the conversion to write, and the conversion works", (t) => {
  const home = folder(t);
  const files = { "saxpy.cu": kernel("long long"), "reference.cu": reference("double"),
                  "saxpy.template": template("x, y, 2.5, n") };
  const done = sweep(home, files);
  assert.equal(done.status, 1, done.stdout + done.stderr);
  assert.deepEqual(done.rows.map((row) => row.outcome), ["launch_error", "launch_error"]);
  for (const row of done.rows)
    assert.match(row.message, /saxpy\.template:8:58: parameter 4 of saxpy is `long long( int)?`, but the launch passes int; write long\(n\), or change the kernel$/);
  const mended = sweep(home, { ...files, "saxpy.template": template("x, y, 2.5, long(n)") });
  assert.equal(mended.status, 0, mended.stdout + mended.stderr);
});

test("a float for an int of the same size, a wrong buffer and a wrong number are found", (t) => {
  const cases = [
    ["x, y, 2, n", /saxpy\.template:8:53: parameter 3 of saxpy is `float`, but the launch passes int; write float\(2\), or/],
    ["x, y, 2.5, float(n)", /:58: parameter 4 of saxpy is `int`, but the launch passes float; write int\(n\), or/],
    ["x, n, 2.5, n", /:50: parameter 2 of saxpy is `float ?\*`, but the launch passes int$/],
    ["x, y, 2.5, y", /:58: parameter 4 of saxpy is `int`, but the launch passes y, a buffer of float$/],
    ["x, y, 2.5", /:10: saxpy has 4 parameters, but the launch passes 3 arguments$/],
  ];
  for (const [launch, message] of cases) {
    const home = folder(t);
    const done = sweep(home, { "saxpy.cu": kernel("int"), "reference.cu": reference("double"), "saxpy.template": template(launch) });
    assert.equal(done.rows.length, 2, done.stderr);
    for (const row of done.rows) {
      assert.equal(row.outcome, "launch_error");
      assert.match(row.message, message);
    }
  }
});

test("a float for the reference's double ends the sweep, with the line and a caret", (t) => {
  const done = sweep(folder(t), { "saxpy.cu": kernel("int"), "reference.cu": reference("float"),
                                  "saxpy.template": template("x, y, 2.5, n") });
  assert.equal(done.status, 2, done.stdout);
  assert.deepEqual(done.rows, []);
  assert.match(done.stderr, /saxpy\.template:9:\d+: parameter 3 of reference is `float`, but the launch passes double\n/);
  assert.match(done.stderr, / {4}reference "reference\.cu" .*\n +\^{11}\n +hint: write float\(2\.5\), or change the kernel\n/);
});

test("a signature may depend on the configuration, so that a mismatch is a row", (t) => {
  const done = sweep(folder(t), { "saxpy.cu": `#if WIDE\n#define COUNT long long\n#else\n#define COUNT int\n#endif\n${kernel("COUNT")}`,
                                  "reference.cu": reference("double"), "saxpy.template": template("x, y, 2.5, n") },
                     "param BLOCK = [32, 64]\nparam WIDE = [0, 1]");
  assert.equal(done.status, 0, done.stderr);
  for (const row of done.rows)
    assert.equal(row.outcome, /WIDE\W+1/.test(row.configuration) ? "launch_error" : "ok", row.message);
  assert.equal(done.rows.length, 4);
});

test("what is read as other bits, unsigned, or empty is right", (t) => {
  const source = `enum kind : int { PLAIN };
struct pair { float a, b; };
__global__ void saxpy(const unsigned int *x, void *y, const float a, unsigned n, size_t wide, bool flag, kind k, const float4 *v, const int *nothing) {
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n && flag && !nothing) ((float *)y)[i] = a * __uint_as_float(x[i]);
}
`;
  const done = sweep(folder(t), { "saxpy.cu": source, "reference.cu": reference("double"),
                                  "saxpy.template": template("x, y, 2.5, n, ulong(n), uchar(1), 0, x, long(0)") });
  assert.equal(done.status, 0, done.stdout + done.stderr + JSON.stringify(done.rows));
});

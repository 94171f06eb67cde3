// SPDX-License-Identifier: Apache-2.0
// A result that is NaN, or that depends on memory that nobody has written, is never called valid.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, sql, tune } from "./tune.mjs";

const evaluations = (home) => existsSync(join(home, "tune.db")) ?
  sql(home, "select configuration, outcome, message from evaluation where origin = 'measured'") : [];

// Write templates/NAME and spaces/NAME/NAME.space, and sweep it on the CPU device.
function sweep(home, name, template, space, sources) {
  mkdirSync(join(home, "templates", name), { recursive: true });
  mkdirSync(join(home, "spaces", name), { recursive: true });
  writeFileSync(join(home, `templates/${name}/${name}.template`), `template ${name}\n${template}\n`);
  writeFileSync(join(home, `spaces/${name}/${name}.space`), `space ${name} of ${name}\n${space}\n`);
  for (const [file, text] of Object.entries(sources)) writeFileSync(join(home, "templates", name, file), text);
  const done = tune(home, `templates/${name}`, "--space", `spaces/${name}/${name}.space`, "--device", "cpu", "--quiet", "--json");
  return { ...done, rows: evaluations(home) };
}

// z += SCALE * x, with a z that the T1 file calls write-only: what is there before is nobody's.
const vector = (Name, AccessType, Output) =>
  ({ Name, Type: "float", MemoryType: "Vector", AccessType, FillType: "Random", Size: 1000, FillValue: 1.0, Output });
const accumulate = (access) => ({
  General: { BenchmarkName: "accumulate" },
  ConfigurationSpace: { TuningParameters: [{ Name: "SCALE", Type: "int", Values: "[1, 2, 3]", Default: 1 }], Conditions: [] },
  KernelSpecification: {
    Language: "CUDA", KernelName: "accumulate", KernelFile: "accumulate.cu", GlobalSizeType: "CUDA",
    LocalSize: { X: "64" }, GlobalSize: { X: "1000" }, GridDivX: ["64"], ProblemSize: [1000],
    Arguments: [vector("z", access, 1), vector("x", "ReadOnly", 0),
                { Name: "n", Type: "int32", MemoryType: "Scalar", AccessType: "ReadOnly", FillValue: 1000 }],
  },
});
const accumulateKernel = `__global__ void accumulate(float *z, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] += x[i] * SCALE;
}
`;

function importAccumulate(home, access) {
  writeFileSync(join(home, "accumulate_T1.json"), JSON.stringify(accumulate(access)));
  writeFileSync(join(home, "accumulate.cu"), accumulateKernel);
  const imported = tune(home, "import", "accumulate_T1.json");
  assert.equal(imported.status, 0, imported.stderr);
  const done = tune(home, "templates/accumulate", "--space", "spaces/accumulate/accumulate.space", "--device", "cpu", "--quiet", "--json");
  return { ...done, rows: evaluations(home) };
}

test("a reference that reads the poison of an output is refused, with the place of its check", (t) => {
  const home = folder(t);
  const done = importAccumulate(home, "WriteOnly");
  assert.equal(done.status, 2, done.stdout + done.stderr);
  assert.match(done.stderr, /accumulate\.template:\d+:7: the reference depends on what was in z before: it reads elements that it has not written; ref\(z\)\[0\] is nan, then /);
  assert.match(done.stderr, /hint: make z inout, with initial values/);
  assert.deepEqual(done.rows.filter((row) => row.outcome === "ok"), []);
  const text = readFileSync(join(home, "templates/accumulate/accumulate.template"), "utf8").split("\n");
  const line = Number(/accumulate\.template:(\d+):7/.exec(done.stderr)[1]);
  assert.match(text[line - 1], /^check z /);
});

test("with an output that is read and written, SCALE decides", (t) => {
  const { rows, stderr } = importAccumulate(folder(t), "ReadWrite");
  assert.deepEqual(rows.map((row) => [JSON.parse(row.configuration).SCALE, row.outcome]).sort(),
                   [[1, "ok"], [2, "wrong_result"], [3, "wrong_result"]], stderr);
});

const head = `size n = 4096
awkward n = 37
parameter MODE
source "k.cu"
buffer x : float[n] in uniform(1, 2)
buffer z : float[n] out
buffer t : float[n] temp
launch { k<<<ceil_div(n, 64), 64>>>(x, z, t, n) }
reference "r.cu" { r<<<ceil_div(n, 64), 64>>>(x, ref(z), n) }
`;
const kernel = (body) => `__global__ void k(const float *x, float *z, float *t, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { ${body} }
}
`;
const reference = (value) => `__global__ void r(const float *x, double *expected, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) expected[i] = ${value};
}
`;

test("a NaN among the expected values is an error of the reference", (t) => {
  const done = sweep(folder(t), "nans", `${head}check z within 1e-6`, "param MODE = [1, 2]",
                     { "k.cu": kernel("z[i] = MODE * sqrtf(-x[i]);"), "r.cu": reference("i == 7 ? sqrt(-(double)x[i]) : 1") });
  assert.equal(done.status, 2, done.stdout + done.stderr);
  assert.match(done.stderr, /nans\.template:11:7: the reference computes nan for z\[7\]; 1 of \d+ expected values are not finite, at size n=/);
  assert.match(done.stderr, /allow nonfinite/);
  assert.deepEqual(done.rows, []);
});

test("where they are allowed, NaN matches NaN and an infinity its sign, and nothing else", (t) => {
  const { rows, stderr } = sweep(folder(t), "nans", `${head}check z within 1e-6 allow nonfinite`, "param MODE = [0, 1, 2, 3, 4]", {
    "k.cu": kernel(`
      float right = i % 3 == 0 ? sqrtf(-x[i]) : i % 3 == 1 ? 1 / (x[i] - x[i]) : x[i];
      z[i] = i != 9 + MODE % 3 || MODE == 0 ? right : MODE == 1 ? -right : MODE == 2 ? 1 / (x[i] - x[i]) : MODE == 3 ? x[i] : -right;`),
    "r.cu": reference("i % 3 == 0 ? sqrt(-(double)x[i]) : i % 3 == 1 ? 1 / ((double)x[i] - x[i]) : x[i]"),
  });
  // MODE 1, 4: minus infinity where infinity is expected; 2: an infinity for a number; 3: a number for NaN.
  assert.deepEqual(rows.map((row) => [JSON.parse(row.configuration).MODE, row.outcome]).sort(),
                   [[0, "ok"], [1, "wrong_result"], [2, "not_finite"], [3, "wrong_result"], [4, "wrong_result"]], stderr);
});

test("a kernel that reads what it has not written is found, and the buffer named", (t) => {
  const { rows, stderr } = sweep(folder(t), "reads", `${head}check z within 1e-6`, "param MODE = [0, 1, 2]", {
    "k.cu": kernel("z[i] = MODE == 0 ? x[i] : MODE == 1 ? (t[i] > x[i] ? t[i] : x[i]) : z[i] < x[i] ? z[i] : x[i];"),
    "r.cu": reference("x[i]"),
  });
  const found = Object.fromEntries(rows.map((row) => [JSON.parse(row.configuration).MODE, row]));
  assert.equal(found[0]?.outcome, "ok", stderr);
  for (const [mode, buffer] of [[1, "t"], [2, "z"]]) {
    assert.equal(found[mode].outcome, "wrong_result");
    assert.match(found[mode].message, new RegExp(`^depends on what was in ${buffer} before: it reads elements that it has not written; z\\[`));
    assert.match(found[mode].message, /at size n=37/);
  }
});

// SPDX-License-Identifier: Apache-2.0
// tune new: from a kernel's source to a sweep without an edit, and nothing is overwritten.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, sql, tune } from "./tune.mjs";

const saxpy = `#include "parts/scale.cuh"
#ifndef ITEMS
#define ITEMS 2
#endif
#ifndef BLOCK
#define BLOCK 128
#endif
__global__ void saxpy(const float *x, const float *y, float *z, float a, int n)
{
    int first = blockIdx.x * BLOCK * ITEMS + threadIdx.x;
    for (int i = first; i < first + BLOCK * ITEMS && i < n; i += BLOCK)
        z[i] = scale(a, x[i]) + y[i];
}
`;
const header = "__device__ float scale(float a, float x) { return a * x; }\n";

function write(home) {
  mkdirSync(join(home, "mine/parts"), { recursive: true });
  writeFileSync(join(home, "mine/saxpy.cu"), saxpy);
  writeFileSync(join(home, "mine/parts/scale.cuh"), header);
}

test("a source becomes a template that can be swept", (t) => {
  const home = folder(t);
  write(home);
  const done = tune(home, "new", "sum", "mine/saxpy.cu");
  assert.equal(done.status, 0, done.stderr);
  assert.deepEqual(done.stdout.trim().split("\n").sort(),
    ["./sum/parts/scale.cuh", "./sum/reference.cu", "./sum/saxpy.cu", "./sum/sum.space", "./sum/sum.template"]);
  assert.match(done.stderr, /then: tune \.\/sum\n$/);
  assert.equal(readFileSync(join(home, "sum/saxpy.cu"), "utf8"), saxpy);
  const swept = tune(home, "./sum", "--device", "cpu", "--size", "n=5000", "--budget", "4", "--quiet");
  assert.equal(swept.status, 0, swept.stderr);
  assert.deepEqual(sql(home, "select outcome, count(*) as n from evaluation where origin = 'measured' group by 1"), [{ outcome: "ok", n: 4 }]);
});

test("nothing is overwritten, and what cannot be read is said", (t) => {
  const home = folder(t);
  write(home);
  mkdirSync(join(home, "sum"));
  writeFileSync(join(home, "sum/sum.space"), "mine");
  const again = tune(home, "new", "sum", "mine/saxpy.cu");
  assert.equal(again.status, 2);
  assert.match(again.stderr, /sum\.space already exists\n.*hint/);
  assert.deepEqual(readdirSync(join(home, "sum")), ["sum.space"]);
  assert.equal(tune(home, "new", "sum", "mine/saxpy.cu", "-o", "else/where").status, 0);
  assert.ok(existsSync(join(home, "else/where/sum/sum.template")));
  for (const [args, message] of [
    [[], /a name and a source are missing\n.*hint/], [["sum"], /which source\?\n.*hint/], [["sum", "none.cu"], /none\.cu/],
    [["../sum", "mine/saxpy.cu"], /'\.\.\/sum' cannot be the name/], [["sum", "mine/parts/scale.cuh"], /no __global__ function found/],
    [["other", "mine/saxpy.cu", "--kernel-name", "saxpi"], /there is no kernel saxpi\n.*did you mean saxpy/],
  ]) {
    const done = tune(home, "new", ...args);
    assert.equal(done.status, 2, done.stdout);
    assert.match(done.stderr, message);
  }
});

// SPDX-License-Identifier: Apache-2.0
// The cache of compiled images: nothing is compiled twice until something that goes into it changes.
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { cacheOfOwn, folder, sql, start, tune } from "./tune.mjs";

cacheOfOwn();

const files = {
  "scale.template": `template scale "y = 2 x"
size n = 4096
parameter WIDTH "in the source"
parameter BLOCK "in the launch alone"
source "scale.cu"
buffer x : float[n] in uniform(-1, 1)
buffer y : float[n] out
launch {
    scale<<<ceil_div(n, BLOCK), BLOCK>>>(x, y, n)
}
reference "reference.cu" {
    reference<<<ceil_div(n, 256), 256>>>(x, ref(y), n)
}
check y exact
work  flops = n, bytes = 8 * n
`,
  "scale.cu": `#include "factor.cuh"
#if WIDTH == 5
#error "not this one"
#endif
__global__ void scale(const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = FACTOR * x[i] + (WIDTH > 1 || blockDim.x > 64); // one is right: there are no finals
}
`,
  "factor.cuh": "#define FACTOR 2\n",
  "reference.cu": `__global__ void reference(const float *x, double *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 2.0 * x[i];
}
`,
};
const space = `space all of scale "fifteen configurations, five programs"
param WIDTH = [1, 2, 3, 4, 5]
param BLOCK = [64, 128, 256]
`;
const configurations = 15, programs = 5;

// A user's folder with a compiler that notes each compilation of scale.cu, and how often it did since the last time.
function desk(t) {
  const home = folder(t), template = join(home, "scale"), compiler = join(home, "compiler"), calls = join(home, "calls");
  mkdirSync(template);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(template, name), text);
  writeFileSync(join(home, "all.space"), space);
  writeFileSync(compiler, `#!/bin/sh
for word; do
    case $word in */kernel.cpp) grep -q '^#line 1 .*/scale.cu"' "$word" && echo "$word" >>'${calls}' ;; esac
done
exec g++ "$@"
`);
  chmodSync(compiler, 0o755);
  const before = process.env.TUNE_CXX;
  process.env.TUNE_CXX = compiler;
  t.after(() => { if (before === undefined) delete process.env.TUNE_CXX; else process.env.TUNE_CXX = before; });
  const compilations = () => {
    const count = existsSync(calls) ? readFileSync(calls, "utf8").trim().split("\n").length : 0;
    rmSync(calls, { force: true });
    return count;
  };
  return { home, template, compilations };
}

// The compiler above keeps its log where only unconfined ones may write.
const command = ["./scale", "--space", "all.space", "--device", "cpu", "--json", "--quiet", "--unconfined"];

// A sweep with an empty database.
function sweep(home, ...more) {
  for (const name of readdirSync(home)) if (name.startsWith("tune.db")) rmSync(join(home, name));
  const done = tune(home, ...command, ...more);
  assert.equal(done.status, 0, done.stderr);
  check(home);
  return JSON.parse(done.stdout);
}

function check(home) {
  const rows = sql(home, "select outcome, count(*) as n from evaluation where origin = 'measured' group by 1 order by 1");
  assert.deepEqual(rows, [{ outcome: "compile_error", n: 3 }, { outcome: "ok", n: 1 }, { outcome: "wrong_result", n: 11 }]);
}

test("a second sweep compiles nothing; after a change of an included file it compiles everything", (t) => {
  const { home, template, compilations } = desk(t);
  assert.equal(sweep(home).from_cache, configurations - programs); // those that differ in their launches alone
  assert.equal(compilations(), programs);
  const [error] = sql(home, "select message from evaluation where outcome = 'compile_error' limit 1");
  assert.equal(sweep(home).from_cache, configurations);
  assert.equal(compilations(), 0);
  assert.match(error.message, /scale\.cu.*not this one/s);
  assert.deepEqual(sql(home, "select distinct message from evaluation where outcome = 'compile_error'"), [error]);

  writeFileSync(join(template, "factor.cuh"), "#define FACTOR 2.0f\n");
  sweep(home);
  assert.equal(compilations(), programs);
  writeFileSync(join(template, "factor.cuh"), files["factor.cuh"]);
  sweep(home);
  assert.equal(compilations(), 0);

  assert.equal(sweep(home, "--no-cache").from_cache, 0);
  assert.equal(compilations(), configurations);
});

test("two sweeps at once share what they compile", async (t) => {
  const { home, compilations } = desk(t);
  const sweeps = [start(home, ...command), start(home, ...command)];
  for (const one of sweeps) assert.equal((await one.ended).status, 0, one.err);
  assert.equal(compilations(), programs);
  const rows = sql(home, "select count(distinct configuration) as n from evaluation where origin = 'measured'");
  assert.deepEqual(rows, [{ n: configurations }]);
});

test("a damaged cache, or a place where none can be made, is like no cache", (t) => {
  const { home, compilations } = desk(t);
  sweep(home);
  compilations();
  const images = join(home, "cache", "tune", "images");
  const entries = readdirSync(images).filter((name) => /^[0-9a-f]{32}$/.test(name));
  assert.equal(entries.length, programs + 2); // and the reference and the kernels that validate
  for (const name of entries) {
    const bytes = readFileSync(join(images, name));
    bytes[bytes.length >> 1] ^= 1;
    writeFileSync(join(images, name), bytes);
  }
  sweep(home);
  assert.equal(compilations(), programs);
  sweep(home);
  assert.equal(compilations(), 0);
  rmSync(join(home, "cache"), { recursive: true });
  writeFileSync(join(home, "cache"), "a file where the folder should be");
  sweep(home);
  assert.equal(compilations(), configurations);
});

test("a check fills the cache too, and then takes from it", (t) => {
  const { home } = desk(t);
  const images = () => readdirSync(join(home, "cache", "tune", "images")).filter((name) => !name.startsWith(".")).length;
  const check = () => tune(home, "check", "./scale", "--space", "all.space", "--device", "cpu", "--configuration", "WIDTH=1,BLOCK=64", "--quiet");
  assert.equal(check().status, 0);
  const first = images();
  assert.ok(first > 0);
  assert.equal(check().status, 0);
  assert.equal(images(), first);
});

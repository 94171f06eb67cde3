// SPDX-License-Identifier: Apache-2.0
// Ways to launch on a GPU: kernels that are templates, streams that overlap and are joined. Skipped without a GPU.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { files, launch, streamFiles, textureFiles } from "../program/launches.mjs";
import { folder, sql } from "../program/tune.mjs";
import { lacks_gpu, tune, write_kernel } from "./gpu.mjs";

function sweep(home, kernel, space) {
  write_kernel(home, kernel);
  writeFileSync(join(home, "k.space"), `space k of k\n${space}\n`);
  const done = tune(home, "./k", "--space", "./k.space", "--device", "cuda", "--quiet");
  // tune measures the GPU's ceilings as well, whose rows are of another template
  return { ...done, rows: lacks_gpu(done) ? [] : sql(home, "select configuration, outcome, message, time_ns from evaluation where problem in (select problem.id from problem join template on template.id = problem.template where template.name = 'k') order by id") };
}

const valid = (done, count) => {
  assert.equal(done.status, 0, done.stdout + done.stderr);
  assert.deepEqual(done.rows.map((row) => row.outcome), Array(count).fill("ok"), JSON.stringify(done.rows));
};

test("kernels that are templates", (t) => {
  const done = sweep(folder(t), files(launch), 'param TILE = [32, 64, 128]\nparam TYPE = ["float", "double"]');
  if (lacks_gpu(done)) return t.skip(done.stderr.trim());
  valid(done, 6);
});

test("an instance's signature is compared", (t) => {
  const done = sweep(folder(t), files(launch.replace("next<double>", "next<float>")), 'set TILE = 32\nset TYPE = "float"');
  if (lacks_gpu(done)) return t.skip(done.stderr.trim());
  assert.match(done.rows[0].message, /parameter 2 of next<float> is `float \*`, but the launch passes z, a buffer of double/);
});

test("streams, and waits between them, in a loop", (t) => {
  const done = sweep(folder(t), streamFiles, "param BLOCK = [32, 64]");
  if (lacks_gpu(done)) return t.skip(done.stderr.trim());
  valid(done, 2);
});

test("textures, filtered and not, beyond their edges; surfaces; linear memory", (t) => {
  const done = sweep(folder(t), textureFiles, 'param BLOCK = [32, 64]\nparam MODE = ["clamp", "wrap"]');
  if (lacks_gpu(done)) return t.skip(done.stderr.trim());
  valid(done, 4);
});

// Each part of the host's sums is that of every PARTS-th number; with BAD the host's part fails.
const hostFiles = {
  "k.template": `template k
size n = 2 ** 18
awkward n = 33
parameter PARTS
parameter BAD
source "k.cu"
buffer x : int[n] in uniform(-1000, 1000)
buffer host_x : int[n] temp
buffer sums : long[PARTS] temp
buffer y : int[n] out
launch {
    copy host_x <- x, stream = 1
    add<<<PARTS, 1, host, stream = 1>>>(host_x, sums, n)
    twice<<<ceil_div(n, 64), 64>>>(x, y, n)
    wait 0 after 1
    add_sums<<<ceil_div(n, 64), 64>>>(sums, y, n, PARTS)
}
reference "r.cu" { expected<<<1, 1>>>(x, ref(y), n) }
check y exact
`,
  "k.cu": `__global__ void add(const int *x, long long *sums, int n) {
#if BAD == 1
    __trap();
#elif BAD == 2
    *(volatile int *)64 = 0;
#endif
    long long sum = 0;
    for (int i = blockIdx.x; i < n; i += gridDim.x) sum += x[i];
    sums[blockIdx.x] = sum;
}
__global__ void twice(const int *x, int *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
}
__global__ void add_sums(const long long *sums, int *y, int n, int parts) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; i < n && k < parts; k++) y[i] += (int)sums[k];
}
`,
  "r.cu": `__global__ void expected(const int *x, double *y, int n) {
    long long sum = 0;
    for (int i = 0; i < n; i++) sum += x[i];
    for (int i = 0; i < n; i++) y[i] = 2.0 * x[i] + (double)sum;
}
`,
};

test("launches on the host, in the order of their stream", (t) => {
  const done = sweep(folder(t), hostFiles, "param PARTS = [1, 3, 16]\nset BAD = 0");
  if (lacks_gpu(done)) return t.skip(done.stderr.trim());
  valid(done, 3);
});

test("what fails on the host is a row like any other", (t) => {
  const done = sweep(folder(t), hostFiles, "set PARTS = 2\nparam BAD = [0, 1, 2]");
  if (lacks_gpu(done)) return t.skip(done.stderr.trim());
  const outcomes = Object.fromEntries(done.rows.map((row) => [JSON.parse(row.configuration).BAD, row.outcome]));
  assert.deepEqual([outcomes[0], outcomes[1]], ["ok", "fault"], JSON.stringify(done.rows));
  assert.match(outcomes[2], /^(fault|crash)$/, JSON.stringify(done.rows));
});

test("the rest of spmv on the host", (t) => {
  const home = folder(t);
  const done = tune(home, "spmv", "--space", "hybrid_host", "--size", "ROWS=4099,COLUMNS=2003,MEAN=9,SHAPE=3", "--budget", "3", "--device", "cuda", "--quiet");
  if (lacks_gpu(done)) return t.skip(done.stderr.trim());
  assert.equal(done.status, 0, done.stdout + done.stderr);
  assert.deepEqual(sql(home, "select distinct outcome from evaluation where problem in (select problem.id from problem join template on template.id = problem.template where template.name = 'spmv')"), [{ outcome: "ok" }]);
});

// Sixteen kernels of a block each, that take the same time alone: the clock must show all of them, and their overlap.
const spin = {
  "k.template": `template k
size n = 512
awkward n = 33
parameter SIDE
source "k.cu"
buffer x : int[n] out
launch { for i in range(16) { spin<<<1, 32, stream = i * SIDE>>>(x + i * (n // 16), n // 16 if i < 15 else n - 15 * (n // 16)) } }
reference "r.cu" { expected<<<ceil_div(n, 256), 256>>>(ref(x), n) }
check x exact
`,
  "k.cu": `__global__ void spin(int *x, int n) {
    long long start = clock64();
    while (clock64() - start < 20000) continue;
    for (int i = threadIdx.x; i < n; i += 32) x[i] = 7;
}
`,
  "r.cu": `__global__ void expected(double *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = 7;
}
`,
};

test("kernels in streams of their own overlap within the time that is measured", (t) => {
  const done = sweep(folder(t), spin, "param SIDE = [0, 1]");
  if (lacks_gpu(done)) return t.skip(done.stderr.trim());
  valid(done, 2);
  const [alone, side] = [0, 1].map((i) => done.rows.find((row) => JSON.parse(row.configuration).SIDE === i).time_ns);
  t.diagnostic(`in one stream ${(alone / 1000).toFixed(1)} us, in sixteen ${(side / 1000).toFixed(1)} us`);
});

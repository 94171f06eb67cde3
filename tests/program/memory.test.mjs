// SPDX-License-Identifier: Apache-2.0
// Memory that a kernel was not given, or that nobody has: a row of that configuration, and the sweep goes on.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, sql, tune } from "./tune.mjs";

const reference = `__global__ void reference(const float *x, double *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2.0 * x[i];
}
`;

// Sweep KIND over `kinds`: the rows by kind.
function sweep(t, source, kinds, shared, launch = "x, y, n") {
  const home = folder(t);
  mkdirSync(join(home, "k"));
  writeFileSync(join(home, "k.space"), `space k of twice\nparam KIND = [${kinds}]\n`);
  writeFileSync(join(home, "k", "twice.cu"), source);
  writeFileSync(join(home, "k", "reference.cu"), reference);
  writeFileSync(join(home, "k", "twice.template"), `template twice
size n = 10000
parameter KIND
source "twice.cu"
buffer x : float[n + 4] in uniform(-1, 1)
buffer y : float[n] out
launch { twice<<<ceil_div(n, 128), 128, ${shared}>>>(${launch}) }
reference "reference.cu" { reference<<<ceil_div(n, 256), 256>>>(x, ref(y), n) }
check y within sum_error(2)
`);
  const done = tune(home, "./k", "--space", "./k.space", "--device", "cpu", "--quiet");
  const rows = sql(home, "select configuration, outcome, message from evaluation where origin = 'measured'");
  assert.equal(done.status, 0, done.stderr);
  assert.equal(rows.length, kinds.length, done.stderr);
  return Object.fromEntries(rows.map((row) => [JSON.parse(row.configuration).KIND, row]));
}

test("a kernel has the dynamic shared memory that its launch gives, and no more", (t) => {
  const source = `__global__ void twice(const float *x, float *y, int n) {
    extern __shared__ float s[];
    int i = blockIdx.x * 128 + threadIdx.x;
    s[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    if (i < n) y[i] = 2 * s[127 - (127 - threadIdx.x)];
}
`;
  const rows = sweep(t, source, [0, 1, 2, 4, 64, 256, 508, 512], "512 - KIND");
  assert.equal(rows[0].outcome, "ok", rows[0].message);
  for (const short of [1, 2, 4, 64, 256, 508, 512]) {
    assert.equal(rows[short].outcome, "fault", `${short}: ${rows[short].message}`);
    assert.match(rows[short].message, new RegExp(`dynamic shared memory.* ${512 - short} bytes`));
  }
  assert.match(rows[512].message, /'twice': uses byte 0 of its dynamic shared memory, but the launch gives it 0 bytes, block \(\d+, 0, 0\), thread \(0, 0, 0\)/);
});

test("reading beyond it is a fault as well, however far", (t) => {
  const source = `__global__ void twice(const float *x, float *y, int n) {
    extern __shared__ float s[];
    int i = blockIdx.x * 128 + threadIdx.x;
    s[threadIdx.x] = 2;
    __syncthreads();
    if (i < n) y[i] = s[threadIdx.x] * x[i] + 0 * s[KIND];
}
`;
  const rows = sweep(t, source, [0, 127, 128, 256, 60000, 200000], 512);
  for (const [kind, row] of Object.entries(rows)) assert.equal(row.outcome, kind < 128 ? "ok" : "fault", `${kind}: ${row.message}`);
});

test("what is declared aligned is aligned, and static and dynamic memory share one limit", (t) => {
  const source = `__global__ void twice(const float *x, float *y, int n) {
    extern __shared__ __align__(128) float s[];
    __shared__ char own[40000];
    int i = blockIdx.x * 128 + threadIdx.x;
    own[threadIdx.x] = 1;
    s[threadIdx.x % 3] = 1;
    __syncthreads();
    if (i < n) y[i] = (size_t)s % 128 ? 0 : 2 * own[threadIdx.x] * x[i];
}
`;
  const rows = sweep(t, source, [12, 100, 192448, 192449], "KIND");
  assert.deepEqual(Object.values(rows).map((row) => row.outcome), ["ok", "ok", "ok", "resources"]);
  assert.match(rows[192449].message, /40000 \+ 192449 bytes of shared memory; the limit is 232448/);
});

test("an image that takes more memory than there is, and a wild address, are rows", (t) => {
  const source = `#if KIND > 1
__device__ float vast[KIND][1 << 28];
#endif
__global__ void twice(const float *x, float *y, int n) {
    int i = blockIdx.x * 128 + threadIdx.x;
#if KIND > 1
    if (n < 0) vast[n][i] = *y;
    if (n < 0) *y = vast[n][i];
#elif KIND == 1
    if (i == 5) *(volatile float *)(size_t)(0x8000000000000001u) = 1;
#endif
    if (i < n) y[i] = 2 * x[i];
}
`;
  const rows = sweep(t, source, [0, 1, 5000, 100000], 0);
  assert.deepEqual(Object.values(rows).map((row) => row.outcome), ["ok", "fault", "memory", "memory"]);
  assert.match(rows[5000].message, /code and variables take 5368709\d+ bytes/);
});

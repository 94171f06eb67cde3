// SPDX-License-Identifier: Apache-2.0
// Parameters without effect on a GPU, where a pragma that the CPU device ignores has one. Skipped without a GPU.
import assert from "node:assert/strict";
import { test } from "node:test";
import { folder } from "../program/tune.mjs";
import { lacks_gpu, tune, write_kernel } from "./gpu.mjs";

const files = {
  "k.template": `template k
size n = 4096
parameter UNROLL
parameter HIDDEN
parameter LOST
parameter IDLE
source "k.cu"
buffer x : float[n] in uniform(1, 2)
buffer z : float[n] out
launch { k<<<ceil_div(n, 128), 128>>>(x, z, n) }
reference "r.cu" { r<<<ceil_div(n, 128), 128>>>(x, ref(z), n) }
check z within 1e-3
`,
  "k.space": "space k of k\nparam UNROLL = [1, 8]\nparam HIDDEN = [1, 2]\nparam LOST = [1, 2]\nparam IDLE = [1, 2]\n",
  "k.cu": `__global__ void k(const float *x, float *z, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    constexpr int steps = HIDDEN;
#if 0
    const int lost = LOST;
#endif
    if (i < n) {
        constexpr int steps = 1;
        float sum = 0;
#pragma unroll UNROLL
        for (int j = 0; j < n; j += 64)
            sum += x[j] * steps;
        z[i] = sum;
    }
    (void)steps;
}
`,
  "r.cu": `__global__ void r(const float *x, double *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double sum = 0;
    for (int j = 0; j < n; j += 64)
        sum += x[j];
    if (i < n) z[i] = sum;
}
`,
};

test("parameters without effect on a GPU", (t) => {
  const home = folder(t);
  write_kernel(home, files);
  const done = tune(home, "./k", "--device", "cuda", "--quiet");
  if (lacks_gpu(done)) return t.skip(done.stderr.trim());
  assert.equal(done.status, 0, done.stderr);
  // 16 configurations: 8 pairs that differ in one parameter.
  const same = (name) => `note: ${name} had no effect: the images of all 8 pairs of configurations that differ only in it are the same`;
  assert.deepEqual(done.stdout.split("\n").filter((line) => line.startsWith("note: ")),
    [same("HIDDEN"), same("LOST"), "note: IDLE has no effect: no source of template k mentions it, nor does its text"]);
});

// SPDX-License-Identifier: Apache-2.0
// Rows of a sweep on a GPU: a configuration that cannot be launched, NVRTC's first error, a crash whose tune check
// command can be pasted, and each configuration's own work. Skipped without a GPU.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { folder, sql } from "../program/tune.mjs";
import { lacks_gpu, tune, variables, write_kernel } from "./gpu.mjs";

const files = {
  "k.template": `template k
size n = 4096
awkward n = 1007
parameter BLOCK
parameter D
source "k.cu"
buffer x : float[n] in uniform(1, 2)
buffer z : float[n] out
launch { k<<<ceil_div(n, BLOCK) // D, BLOCK>>>(x, z, n) }
reference "r.cu" { r<<<ceil_div(n, 256), 256>>>(x, ref(z), n) }
check z within 1e-6
work flops = n * BLOCK, bytes = 8 * n
`,
  "k.space": "space k of k\nparam BLOCK = [32, 64, 256, 512]\nparam D = [0, 1]\nwhere D == 1 or BLOCK == 32\n",
  "k.cu": `__global__ void k(const float *x, float *z, int n)
{
    int unused;
    int i = blockIdx.x * BLOCK + threadIdx.x;
#if BLOCK == 64
    undeclared = 1;
#elif BLOCK == 256
    z[i + 1000000000000ll] = 1;
#elif BLOCK == 512
    z[i] = 1;
#endif
    if (i < n) z[i] = 2 * x[i];
}
`,
  "r.cu": `__global__ void r(const float *x, double *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = 2.0 * x[i];
}
`,
};

test("a sweep's rows on a GPU", (t) => {
  const home = folder(t);
  write_kernel(home, files);
  const done = tune(home, "./k", "--device", "cuda", "--quiet");
  if (lacks_gpu(done)) return t.skip(done.stderr.trim());
  assert.equal(done.status, 0, done.stderr);
  const rows = sql(home, "select json_extract(configuration, '$.BLOCK') as block, json_extract(configuration, '$.D') as d, outcome, flops, awkward from evaluation where json_extract(configuration, '$.D') is not null order by d, block");
  assert.deepEqual(rows.map((row) => [row.block, row.d, row.outcome]),
    [[32, 0, "host_error"], [32, 1, "ok"], [64, 1, "compile_error"], [256, 1, "fault"], [512, 1, "out_of_bounds"]]);
  assert.equal(rows[1].flops, 4096 * 32);
  assert.equal(rows[1].awkward, "n=1007");
  assert.match(done.stdout, /such as BLOCK=32 D=0: .*k\.template:9:\d+: division by zero/);
  assert.match(done.stdout, /such as BLOCK=64 D=1: .*k\.cu\(6\): error: .*undeclared/);
  const commands = [...done.stdout.matchAll(/to see why: (.*)/g)].map((match) => match[1]);
  assert.equal(commands.length, 2, done.stdout);
  for (const command of commands) {
    assert.match(command, / --device cuda:0 --size n=1007 --configuration /);
    const pasted = spawnSync("sh", ["-c", `${command} --quiet`], { encoding: "utf8", cwd: home, env: variables(home) });
    assert.equal(pasted.status, 1, pasted.stderr);
    assert.match(pasted.stdout, /k\.cu:\d+: out of bounds/);
  }
});

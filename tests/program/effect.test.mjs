// SPDX-License-Identifier: Apache-2.0
// Parameters that had no effect on what a sweep ran.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, tune } from "./tune.mjs";

const all = ["BLOCK", "SHAPE", "LOST", "WRONG", "IDLE", "UNROLL"];

// SHAPE acts in the image, BLOCK in the launch. LOST is read only by code that is left out, WRONG only by a constant
// that another one hides, UNROLL only by a pragma. Nothing mentions IDLE.
const kernel = `__global__ void k(const float *x, float *z, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef NOWHERE
    const int wrong = LOST;
#endif
    constexpr int steps = WRONG;
    {
        constexpr int steps = 1;
        float sum = 0;
#pragma unroll UNROLL
        for (int j = 0; j < 4; j++)
            sum += x[i < n ? i : 0] * SHAPE * steps;
        if (i < n)
            z[i] = sum;
    }
    (void)steps;
}
`;

function write(home, space) {
  mkdirSync(join(home, "t"), { recursive: true });
  writeFileSync(join(home, "t", "t.template"), ["template t", "size n = 1000", ...all.map((name) => `parameter ${name}`),
    'source "k.cu"', "buffer x : float[n] in uniform(1, 2)", "buffer z : float[n] out",
    "launch { k<<<ceil_div(n, BLOCK), BLOCK>>>(x, z, n) }",
    'reference "r.cu" { r<<<ceil_div(n, 256), 256>>>(x, ref(z), n) }', "check z within 1", ""].join("\n"));
  writeFileSync(join(home, "t", "k.cu"), kernel);
  writeFileSync(join(home, "t", "r.cu"), "__global__ void r(const float *x, double *z, int n)\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) z[i] = 4.0 * x[i];\n}\n");
  writeFileSync(join(home, "t", "s.space"), `space s of t\n${space}\n`);
}

const sweep = (home, ...more) => tune(home, "./t", "--device", "cpu", "--quiet", "--seed", "1", ...more);
const idle = (done) => {
  assert.ok(done.status < 2, done.stderr);
  return JSON.parse(done.stdout).without_effect;
};
const notes = (done) => done.stdout.split("\n").filter((line) => line.startsWith("note: "));
const same = (name, pairs) => `note: ${name} had no effect on this device: the images of ${pairs} of configurations that ` +
  "differ only in it are the same (the CPU device ignores #pragma unroll and __launch_bounds__)";

test("what had no effect is said after a sweep", (t) => {
  const home = folder(t);
  write(home, "param BLOCK = [64, 128]\nparam SHAPE = [1, 2]\nparam LOST = [1, 2]\nparam WRONG = [1, 2]\nparam IDLE = [1, 2]\nset UNROLL = 1");
  const done = sweep(home);
  assert.ok(done.status < 2, done.stderr);
  // 32 configurations: 16 pairs that differ in any one parameter.
  assert.deepEqual(notes(done), [same("LOST", "all 16 pairs"), same("WRONG", "all 16 pairs"),
    "note: IDLE has no effect: no source of template t mentions it, nor does its text"]);
  // Nothing is compiled now, so nothing is known of images; what no source mentions is known nevertheless.
  assert.deepEqual(idle(sweep(home, "--json")), ["IDLE"]);
  assert.deepEqual(idle(sweep(home, "--json", "--fresh", "--no-cache")), ["LOST", "WRONG", "IDLE"]);
});

test("a pragma that the CPU device ignores", (t) => {
  const home = folder(t);
  write(home, "set BLOCK = 64\nset SHAPE = 1\nset LOST = 1\nset WRONG = 1\nset IDLE = 1\nparam UNROLL = [1, 2, 4]");
  assert.deepEqual(notes(sweep(home)), [same("UNROLL", "all 3 pairs")]);
});

test("few pairs say nothing, unless they are all there are", (t) => {
  const home = folder(t);
  write(home, "set BLOCK = 64\nset SHAPE = 1\nset LOST = 1\nparam WRONG = [1, 2, 3]\nset IDLE = 1\nset UNROLL = 1");
  assert.deepEqual(idle(sweep(home, "--json", "--budget", "2", "--strategy", "exhaustive")), []);
  write(home, "set BLOCK = 64\nset SHAPE = 1\nset LOST = 1\nparam WRONG = [7, 8]\nset IDLE = 1\nset UNROLL = 1");
  assert.deepEqual(notes(sweep(home)), [same("WRONG", "the only pair")]);
});

test("a value that does not compile is an effect", (t) => {
  const home = folder(t);
  write(home, "set BLOCK = 64\nset SHAPE = 1\nset LOST = 1\nparam WRONG = [1, 2, 3, 4, 5]\nset IDLE = 1\nset UNROLL = 1");
  writeFileSync(join(home, "t", "k.cu"), kernel + "static_assert(WRONG < 5);\n");
  assert.deepEqual(idle(sweep(home, "--json")), []);
});

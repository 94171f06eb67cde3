// SPDX-License-Identifier: Apache-2.0
// Confinement must not come between a GPU and its driver: the same sweep gives the same outcomes with and without it,
// with energy and all. Skipped without a GPU.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { folder, kernels, query } from "../program/tune.mjs";
import { lacks_gpu, tune } from "./gpu.mjs";

function sweep(t, ...args) {
  const home = folder(t);
  const begun = Date.now();
  const done = tune(home, ...args, "--device", "cuda", "--seed", "1", "--quiet", "--json");
  if (lacks_gpu(done)) return null;
  assert.equal(done.status, 0, done.stderr);
  const rows = query(join(home, "tune.db"), "select configuration, outcome from evaluation where origin = 'measured' order by 1");
  t.diagnostic(`${args.join(" ")}: ${rows.length} rows, ${Date.now() - begun} ms`);
  return rows;
}

for (const args of [
  [join(kernels, "faults"), "--space", "all", "--deadline", "10s"],
  ["gemm", "--space", "joint_reg_smem", "--budget", "20", "--strategy", "exhaustive"],
  ["reduction", "--budget", "5", "--strategy", "exhaustive", "--objective", "energy"],
]) {
  test(`a confined sweep is like an unconfined one: ${args.slice(0, 1)}`, (t) => {
    const confined = sweep(t, ...args);
    if (!confined) return t.skip("no GPU");
    assert.ok(confined.some((row) => row.outcome === "ok"));
    assert.deepEqual(confined, sweep(t, ...args, "--unconfined"));
  });
}

test("compute-sanitizer is not confined, and that is said", (t) => {
  const home = folder(t);
  const done = tune(home, "check", "reduction", "--device", "cuda", "--sample", "1");
  if (lacks_gpu(done)) return t.skip("no GPU");
  assert.match(done.stderr, /compute-sanitizer .* not confined/);
});

// SPDX-License-Identifier: Apache-2.0
// Cooperative grids, clusters and cooperative groups on a GPU: results, and what does not fit. Skipped without a GPU.
import assert from "node:assert/strict";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, kernels, sql } from "../program/tune.mjs";
import { lacks_gpu, tune } from "./gpu.mjs";

const limits = `space limits of groups
param KERNEL  = ["jacobi", "total"]
param BLOCKS  = [1, 100000]
param CLUSTER = [1, 2, 32]
set   BLOCK   = 64
set   SYNC    = "kept"
where KERNEL == "total" or CLUSTER == 1
where KERNEL == "jacobi" or BLOCKS == 1
`;

test("blocks that wait for each other run on a GPU, as far as they fit", (t) => {
  const home = folder(t), place = join(home, "k");
  cpSync(join(kernels, "groups"), place, { recursive: true });
  writeFileSync(join(place, "limits.space"), limits);
  const done = tune(home, "./k", "--space", "./k/all.space", "--device", "cuda", "--size", "n=300000,rounds=6", "--quiet");
  if (lacks_gpu(done)) return t.skip("no GPU");
  const rows = sql(home, "select outcome, message from evaluation where problem in (select problem.id from problem join template on template.id = problem.template where template.name <> 'ceilings')");
  for (const row of rows)
    assert.ok(row.outcome === "ok" || (row.outcome === "resources" && /need compute capability 9\.0/.test(row.message)), row.message);
  assert.equal(rows.length, 8);
  tune(home, "./k", "--space", "./k/limits.space", "--device", "cuda", "--size", "n=300000,rounds=6", "--quiet");
  const refused = sql(home, "select configuration, message from evaluation where outcome = 'resources'");
  const message = (...names) => refused.find((row) => names.every((name) => row.configuration.includes(name)))?.message;
  assert.match(message('"BLOCKS":100000'), /cooperative grid of 'jacobi' has 100000 blocks, but .* runs only \d+ of them at once/);
  assert.match(message('"CLUSTER":32'), /a cluster has 32 blocks|need compute capability 9\.0/);
});

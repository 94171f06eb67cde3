// SPDX-License-Identifier: Apache-2.0
// What users bring, on a GPU: tests of whole runs that the CPU device passes. Skipped without a GPU.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { folder } from "../program/tune.mjs";
import { lacks_gpu, tune } from "./gpu.mjs";

for (const [name, what] of [["types", "types other than numbers"], ["roles", "roles of buffers, parts, orders, finish and verify blocks"], ["data", "data of the user's own"], ["matrix", "sparse matrices"],
                            ["cub", "CUB's collectives"], ["nested", "kernels that launch kernels"]])
  test(what, (t) => {
    const found = tune(folder(t), "run", "reduction", "--device", "cuda", "--quiet");
    if (lacks_gpu(found)) return t.skip(found.stderr.trim());
    const { NODE_TEST_CONTEXT: _, ...rest } = process.env; // or node takes it for a part of this run
    const done = spawnSync(process.execPath, ["--test", fileURLToPath(new URL(`../program/${name}.test.mjs`, import.meta.url))],
      { encoding: "utf8", env: { ...rest, TUNE_TEST_DEVICE: "cuda" }, maxBuffer: 1 << 28 });
    assert.equal(done.status, 0, done.stdout + done.stderr);
  });

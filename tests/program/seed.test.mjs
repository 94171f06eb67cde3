// SPDX-License-Identifier: Apache-2.0
// Inputs are new in every run, or reproduced from --seed.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { folder, kernels, sql, tune } from "./tune.mjs";

const sweep = (home, ...more) =>
  tune(home, join(kernels, "lucky"), "--device", "cpu", "--jobs", "1", "--quiet", "--fresh", ...more);

const last = (home) => sql(home, `select run.seed as run, evaluation.seed as inputs, outcome
  from run, evaluation order by run.id desc, measured_at desc limit 1`)[0];

process.env.TUNE_TEST_SEED = "";

test("without --seed every run has inputs of its own", (t) => {
  const home = folder(t), seeds = new Set();
  for (let i = 0; i < 2; i++) {
    sweep(home);
    const { run, inputs } = last(home);
    assert.equal(run, inputs);
    seeds.add(run);
  }
  assert.equal(seeds.size, 2);
});

test("other inputs expose a kernel that is right by luck", (t) => {
  const home = folder(t), outcomes = {};
  for (const seed of ["4", "6", "18446744073709551615"]) {
    sweep(home, "--seed", seed);
    const { run, inputs, outcome } = last(home);
    assert.equal(run, seed);
    assert.equal(inputs, seed);
    outcomes[outcome] = seed;
  }
  for (const [outcome, seed] of Object.entries(outcomes)) {
    sweep(home, "--seed", seed);
    assert.equal(last(home).outcome, outcome, `seed ${seed} gives other inputs than before`);
  }
  assert.deepEqual(Object.keys(outcomes).sort(), ["ok", "wrong_result"]);
});

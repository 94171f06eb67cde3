// SPDX-License-Identifier: Apache-2.0
// What a GPU can do at best: measured with its first sweep, and as the programming guide has it. Skipped without a GPU.
import assert from "node:assert/strict";
import { test } from "node:test";
import { folder, sql } from "../program/tune.mjs";
import { lacks_gpu, tune } from "./gpu.mjs";

const sweep = ["reduction", "--device", "cuda", "--budget", "2", "--strategy", "exhaustive", "--size", "n=1000000"];

test("the first sweep measures, later ones do not", (t) => {
  const home = folder(t);
  const first = tune(home, ...sweep);
  if (lacks_gpu(first)) return t.skip("no GPU");
  assert.equal(first.status, 0, first.stderr);
  assert.match(first.stderr, /^measuring what .* can do at best, \d+ probes; 'tune ceilings' shows it$/m);
  assert.match(first.stdout, /% of the memory limit$/m);
  const runs = () => sql(home, "select template from runs order by run").map((row) => row.template);
  assert.deepEqual(runs(), ["reduction", "ceilings"]);
  const [{ seconds }] = sql(home, "select seconds from runs where template = 'ceilings'");
  t.diagnostic(`${seconds} s`);
  const second = tune(home, ...sweep, "--fresh");
  assert.equal(second.status, 0, second.stderr);
  assert.ok(!second.stderr.includes("at best"));
  assert.deepEqual(runs(), ["reduction", "ceilings", "reduction"]);
});

// No probe beats its unit, and each comes near. Memory: a data sheet counts what no kernel can reach.
test("what the probes reach is what the data sheet says, or a little less", (t) => {
  const home = folder(t);
  const done = tune(home, "ceilings", "--device", "cuda", "--json");
  if (lacks_gpu(done)) return t.skip("no GPU");
  assert.equal(done.status, 0, done.stderr);
  const { ceilings } = JSON.parse(done.stdout);
  assert.equal(ceilings.length, 5);
  for (const { limit, rate, data_sheet_rate: sheet, source, configuration } of ceilings) {
    assert.equal(source, "measured");
    t.diagnostic(`${limit}: ${rate.toPrecision(4)}, ${(100 * rate / sheet).toFixed(1)} % of the data sheet; ${JSON.stringify(configuration)}`);
    assert.ok(rate <= 1.02 * sheet, limit);
    assert.ok(rate >= (limit === "memory" ? 0.7 : 0.9) * sheet, limit);
  }
  assert.deepEqual(sql(home, "select distinct outcome from evaluation"), [{ outcome: "ok" }]);
});

// SPDX-License-Identifier: Apache-2.0
// What a device can do at best: measured when asked for, once, and what shares are relative to from then on.
import assert from "node:assert/strict";
import { test } from "node:test";
import { folder, sql, tune } from "./tune.mjs";

const figures = ["flops", "bytes", "special_ops", "shared_traffic", "integer_ops"];
const kernel = ["mri_fhd", "--device", "cpu", "--size", "N=64,M=32", "--space", "registers"];

function ceilings(home, ...args) {
  const done = tune(home, "ceilings", "--device", "cpu", "--json", ...args);
  assert.equal(done.status, 0, done.stderr);
  return { document: JSON.parse(done.stdout), said: done.stderr };
}

test("they are measured once, by probes that are validated", (t) => {
  const home = folder(t);
  const { document, said } = ceilings(home);
  assert.match(said, /^measuring what .* can do at best, \d+ probes; 'tune ceilings' shows it$/m);
  assert.deepEqual(document.ceilings.map((row) => row.figure), figures);
  for (const row of document.ceilings) {
    assert.equal(row.source, "measured");
    assert.ok(row.rate > 0);
    assert.equal(typeof row.configuration.PIPE, "string");
  }
  assert.deepEqual(sql(home, "select distinct outcome from evaluation where origin = 'measured'"), [{ outcome: "ok" }]);
  // The best rate of each, by another route.
  for (const { figure, rate } of document.ceilings) {
    const [{ best }] = sql(home, `select max(${figure} / time_ns) * 1e9 as best from evaluation where origin = 'measured'`);
    assert.ok(Math.abs(best / rate - 1) < 1e-9, figure);
  }

  const runs = () => sql(home, "select count(*) as runs from run")[0].runs;
  assert.equal(runs(), 1);
  const again = ceilings(home);
  assert.equal(again.said, "");
  assert.deepEqual(again.document, document);
  assert.equal(runs(), 1);
  assert.match(ceilings(home, "--fresh").said, /measuring/);
  assert.equal(runs(), 2);
});

test("a table says how far they are from the data sheet", (t) => {
  const done = tune(folder(t), "ceilings", "--device", "cpu", "--quiet");
  assert.equal(done.status, 0, done.stderr);
  assert.equal(done.stderr, "");
  const lines = done.stdout.trimEnd().split("\n");
  assert.match(lines[0], /^limit +at best +of the data sheet +from +measured +probe$/);
  assert.equal(lines.length, 1 + figures.length);
  assert.match(lines[1], /^fp32 +[\d.]+ [kMGT]FLOP\/s +[\d.]+ % +measured +20\d\d-.* PIPE=fp32 /);
  assert.match(lines[3], /^special-function +[\d.]+ [kMGT]op\/s +- +measured /);
});

test("a sweep on the CPU device does not measure them; shares follow once they are there", (t) => {
  const home = folder(t);
  assert.equal(tune(home, ...kernel, "--budget", "2").status, 0);
  const share = () => JSON.parse(tune(home, "best", "mri_fhd", "--device", "cpu", "--json").stdout)[0];
  const before = share();
  assert.equal(before.limit_source, "data sheet");
  assert.equal(sql(home, "select count(*) as runs from run")[0].runs, 1);
  const { document } = ceilings(home);
  const after = share();
  assert.equal(after.limit_source, "measured");
  const ceiling = document.ceilings.find((row) => row.limit === after.limit);
  assert.equal(after.limit_rate, ceiling.rate);
  const [row] = sql(home, `select ${ceiling.figure} as amount, time_ns from evaluation where id = ${after.evaluation}`);
  assert.ok(Math.abs(100 * row.amount / ceiling.rate * 1e9 / row.time_ns / after.percent_of_peak - 1) < 1e-9);
  const [view] = sql(home, "select * from best where template = 'mri_fhd' and origin = 'measured'");
  assert.equal(view.limit_name, after.limit);
  assert.ok(Math.abs(view.percent_of_peak - after.percent_of_peak) <= 0.051);

  const ran = tune(home, "run", ...kernel.slice(0, 5), "--json");
  assert.equal(ran.status, 0, ran.stderr);
  assert.equal(JSON.parse(ran.stdout).limit_source, "measured");
  assert.match(tune(home, "run", ...kernel.slice(0, 5)).stdout, /^rate: .* % of the [a-z0-9-]+ limit$/m);
  // The probes are no results.
  assert.ok(!JSON.parse(tune(home, "best", "--json").stdout).some((row) => row.template === "ceilings"));
});

test("a recorded description has none that could be measured", (t) => {
  const done = tune(folder(t), "ceilings", "--device", "nothing.json");
  assert.equal(done.status, 2);
});

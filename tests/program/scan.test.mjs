// SPDX-License-Identifier: Apache-2.0
// What the sweeps of the shipped template do not reach: look-backs over many tiles, which a few processors that take one
// after the other never need, and input of the user's own.
import assert from "node:assert/strict";
import { cpSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, kernels, source, sql, tune } from "./tune.mjs";

test("a look-back goes past windows of totals, whatever their width", (t) => {
  const home = folder(t), place = join(home, "lookback"), headers = join(source, "templates/scan");
  cpSync(join(kernels, "lookback"), place, { recursive: true });
  for (const name of readdirSync(headers).filter((name) => name.endsWith(".cuh"))) cpSync(join(headers, name), join(place, name));
  const done = tune(home, place, "--space", "all", "--device", "cpu", "--quiet");
  assert.equal(done.status, 0, done.stdout + done.stderr);
  assert.deepEqual(sql(home, "select outcome, count(*) as n from evaluation group by outcome"), [{ outcome: "ok", n: 10 }]);
});

test("floats of the user's are scanned and reduced as they are, infinities and NaN too", (t) => {
  const home = folder(t), file = join(home, "x.raw");
  const values = new Float32Array(33000).fill(1.5);
  values[20000] = Infinity;
  values[30000] = -Infinity; // sums from here on are NaN
  writeFileSync(file, values);
  const sweep = (template, size, space) => tune(home, template, "--space", space, "--budget", "3", "--strategy", "random", "--seed", "1",
    "--device", "cpu", "--quiet", "--size", size, "--input", `x=${file}`);
  for (const [template, size, space] of [["scan", "n=33000", "lookback"], ["reduction", "n=33000,OPERATION=1", "cascade"],
    ["reduction", "n=33000,OPERATION=2", "cascade"], ["reduction", "n=33000,OPERATION=5", "trees"]]) {
    const done = sweep(template, size, space);
    assert.equal(done.status, 0, done.stdout + done.stderr);
  }
  assert.deepEqual(sql(home, "select outcome, count(*) as n from evaluation group by outcome"), [{ outcome: "ok", n: 12 }]);
});

test("what is computed by other sizes has no findings either", (t) => {
  const home = folder(t);
  for (const [template, size] of [["scan", "n=3001,KIND=2,NUMBERS=2"], ["reduction", "n=3001,OPERATION=4"]]) {
    const done = tune(home, "check", template, "--space", "full", "--sample", "2", "--size", size, "--device", "cpu", "--json", "--no-nvrtc");
    assert.equal(done.status, 0, done.stdout + done.stderr);
    assert.deepEqual(JSON.parse(done.stdout).devices[0].findings, []);
  }
});

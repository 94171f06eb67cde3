// SPDX-License-Identifier: Apache-2.0
// Grids and clusters whose blocks wait for each other, and cooperative groups, on the CPU device.
import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, kernels, sql, tune } from "./tune.mjs";

const groups = join(kernels, "groups");
const cpu = ["--device", "cpu", "--quiet"];

test("a cooperative grid, a cluster and tiles compute what they should, whatever their size", (t) => {
  const home = folder(t);
  const done = tune(home, groups, "--space", "all", ...cpu);
  assert.equal(done.status, 0, done.stdout + done.stderr);
  assert.deepEqual(sql(home, "select outcome, count(*) as n from evaluation group by outcome"), [{ outcome: "ok", n: 8 }]);
});

test("barriers of grid and cluster order accesses of different blocks; without them there are races", (t) => {
  const home = folder(t);
  const kept = tune(home, "check", groups, "--space", "all", "--sample", "2", "--device", "cpu", "--json", "--no-nvrtc");
  assert.equal(kept.status, 0, kept.stdout + kept.stderr);
  assert.deepEqual(JSON.parse(kept.stdout).devices[0].findings, []);
  const broken = tune(home, "check", groups, "--space", "broken", "--sample", "all", "--device", "cpu", "--json", "--no-nvrtc");
  const findings = JSON.parse(broken.stdout).devices[0].findings;
  const text = (finding) => `${finding.kind} ${JSON.stringify(finding)}`;
  const has = (...patterns) => assert.ok(findings.some((finding) => patterns.every((pattern) => pattern.test(text(finding)))),
                                         `${patterns} in ${broken.stdout}`);
  has(/^race/, /"variable":"a"/);
  has(/^race/, /of another block/, /shared memory/);
  has(/^divergent/, /wait for the grid \(line 24\)/);
  has(/^divergent/, /groups\.cu/, /32 for their cluster \(line 58\)/);
});

test("a grid that cannot live at once and a cluster that is too large are rows of their own", (t) => {
  const home = folder(t);
  tune(home, groups, "--space", "sizes", ...cpu);
  const rows = sql(home, "select configuration, outcome, message from evaluation");
  for (const row of rows) {
    const { KERNEL, BLOCKS, CLUSTER } = JSON.parse(row.configuration);
    const fits = KERNEL === "jacobi" ? BLOCKS === 1 : KERNEL === "pairs" ? CLUSTER > 1 : CLUSTER === 1;
    assert.equal(row.outcome, fits ? "ok" : "resources", row.message);
    if (!fits && KERNEL === "jacobi")
      assert.match(row.message, /a cooperative grid of 1200 blocks with 76800 threads is too large/);
    if (!fits && KERNEL === "total") assert.match(row.message, /groups\.template:\d+:\d+: kernel total: a cluster has 32 blocks/);
    if (!fits && KERNEL === "pairs") assert.match(row.message, /a grid of 47x1x1 is not a multiple of its clusters of 2x1x1 blocks/);
  }
  assert.equal(rows.length, 10);
});

test("a grid that its clusters do not divide is named with its place, and a hint", (t) => {
  const home = folder(t), place = join(home, "groups");
  cpSync(groups, place, { recursive: true });
  const template = join(place, "groups.template");
  writeFileSync(template, readFileSync(template, "utf8").replace("round_up(ceil_div(n, BLOCK), CLUSTER)", "ceil_div(n, BLOCK)"));
  writeFileSync(join(place, "odd.space"), 'space odd of groups\nset KERNEL = "total"\nset BLOCK = 64\nset BLOCKS = 1\nset SYNC = "kept"\n' +
                                          "param CLUSTER = [2, 4]\n");
  const done = tune(home, place, "--space", join(place, "odd.space"), ...cpu);
  const rows = sql(home, "select distinct message from evaluation where outcome != 'ok'");
  assert.ok(rows.length > 0, done.stdout);
  for (const row of rows) {
    assert.match(row.message, /groups\.template:\d+:\d+: kernel total: the grid's x is \d+, which is not a multiple of the cluster's, [24]/);
    assert.match(row.message, /hint: round the grid up: round_up\(blocks, [24]\)/);
  }
});

// SPDX-License-Identifier: Apache-2.0
// Kernels that launch kernels: in streams of their own, as tail launches, recursively, by the thousand; and what is wrong
// with such launches.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { device, folder, kernels, sql, tune } from "./tune.mjs";

const nested = join(kernels, "nested");
const rows = (home) => sql(home, "select configuration, outcome, message from evaluation where configuration like '%WAY%'")
  .map((row) => ({ ...row, way: JSON.parse(row.configuration).WAY }));

test("launched grids compute what they should, after their parents, in the order of their streams", (t) => {
  const home = folder(t);
  const done = tune(home, nested, "--space", "ways", "--device", device, "--quiet");
  assert.equal(done.status, 0, done.stdout + done.stderr);
  assert.deepEqual(rows(home).map((row) => `${row.way} ${row.outcome}`).sort(),
                   ["DEEP ok", "MANY ok", "STREAMS ok", "TAIL ok"]);
});

test("a launch that cannot be made fails its configuration, with its line and what is too much", { skip: device !== "cpu" }, (t) => {
  const home = folder(t);
  tune(home, nested, "--space", "broken", "--device", "cpu", "--quiet");
  const messages = {
    MANY: /kernel 'parent': kernel 'single' is launched while 2048 launches wait, .*<<<grid, block, launches = n>>>.* at line \d+/,
    LARGE: /kernel 'parent': kernel 'section': 2048 threads per block; the limit is 1024 at line \d+/,
    ENDLESS: /kernel 'endless', launched by 'endless' in line (\d+): kernel 'endless' is launched 25 grids deep; the limit is 24 at line \1,/,
  };
  const found = rows(home);
  assert.equal(found.length, 3);
  for (const { way, outcome, message } of found) {
    assert.equal(outcome, "fault");
    assert.match(message, messages[way]);
  }
});

test("tune check looks into launched grids as well", { skip: device !== "cpu" }, (t) => {
  const home = folder(t);
  const done = tune(home, "check", nested, "--space", "faulty", "--sample", "all", "--device", "cpu", "--json", "--no-nvrtc");
  const { findings } = JSON.parse(done.stdout).devices[0];
  assert.deepEqual([...new Set(findings.map((finding) => `${finding.example.WAY} ${finding.kind} ${finding.variable}`))].sort(),
                   ["OUTSIDE out of bounds turned", "RACE race turned"], done.stdout + done.stderr);
});

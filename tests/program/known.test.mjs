// SPDX-License-Identifier: Apache-2.0
// Best results as text: out of one database and into another, entry by entry.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, json, query, refuses, tune } from "./tune.mjs";

const h200 = ["--device", "NVIDIA H200"];
const read = (...path) => JSON.parse(readFileSync(join(...path), "utf8"));

test("best results move from one database to another", (t) => {
  const home = folder(t);
  const done = tune(home, "export", "--known", "transpose", ...h200, "-o", "transpose.json");
  assert.equal(done.status, 0, done.stderr);
  const file = read(home, "transpose.json");
  assert.deepEqual([file.format, file.template, file.device.name], [1, "transpose", "NVIDIA H200"]);
  assert.equal(tune(home, "export", "--known", "transpose", ...h200).stdout, readFileSync(join(home, "transpose.json"), "utf8"));
  for (let i = 0; i < 2; i++) { // a second time changes nothing
    const imported = tune(home, "import", "transpose.json", "--db", "other.db");
    assert.deepEqual([imported.status, imported.stderr], [0, ""]);
    assert.equal(imported.stdout, `transpose on NVIDIA H200: ${file.problems.length} known results, 1 dispatch tree\n`);
    assert.deepEqual(query(join(home, "other.db"), "select origin, count(*) as rows from evaluation group by 1"), [{ origin: "imported", rows: file.problems.length }]);
  }
  const rows = json(tune(home, "best", "transpose", ...h200, "--db", "other.db", "--json"));
  assert.deepEqual(rows.map((row) => [row.size, row.time_ns]).sort(), file.problems.map((problem) => [problem.size, problem.evaluations[0].time_ns]).sort());
  assert.match(tune(home, "export", "transpose", "--db", "other.db").stderr, /has no such results/); // as T4: they record no search
});

test("a wrong entry is refused with its place, and the others are taken", (t) => {
  const home = folder(t);
  tune(home, "export", "--known", "transpose", ...h200, "-o", "known.json");
  const lines = readFileSync(join(home, "known.json"), "utf8").split("\n"), line = lines.findIndex((text) => text.includes('"time_ns"'));
  lines[line] = lines[line].replace(/: .*,/, ': "fast",');
  writeFileSync(join(home, "known.json"), lines.join("\n"));
  const done = tune(home, "import", "known.json", "--db", "other.db");
  assert.equal(done.status, 2);
  assert.ok(done.stderr.startsWith(`tune: known.json:${line + 1}:22: "time_ns" must be a number\n`), done.stderr);
  assert.match(done.stdout, /^transpose on NVIDIA H200: \d+ known results, 1 dispatch tree, 1 refused\n$/);
});

test("into a folder there is a file for each template and device", (t) => {
  const home = folder(t);
  mkdirSync(join(home, "site"));
  const done = tune(home, "export", "--known", "-o", "site");
  const names = readdirSync(join(home, "site")).sort();
  assert.deepEqual(done.stdout.trim().split("\n").sort(), names.map((name) => `site/${name}`), done.stderr);
  assert.ok(names.includes("gemm-nvidia-h100-80gb-hbm3.json") && names.includes("gemm-nvidia-h200.json"));
  assert.equal(read(home, "site", "gemm-nvidia-h200.json").device.name, "NVIDIA H200");
});

test("what no file can hold is refused", (t) => {
  const home = folder(t);
  refuses(tune(home, "export", "--known"), "one template on one device, but there are several: ", "choose with a template and --device NAME");
  refuses(tune(home, "export", "--known", "gemm", "--device", "cpu"), "the database has no such results");
  refuses(tune(home, "export", "--known", "--t1", "gemm"), "--t1, --t4 and --known exclude each other");
  refuses(tune(home, "export", "gemm", "--ladder"), "--ladder needs --known");
  refuses(tune(home, "export", "--known", "--ladder"), "need a template");
});

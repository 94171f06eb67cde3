// SPDX-License-Identifier: Apache-2.0
// Results that are forgotten: what goes, what stays, what is said.
import assert from "node:assert/strict";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, refuses, sql, tune } from "./tune.mjs";

// Results as another tool recorded them: times in ms, null for a failure.
function recorded(home, kernel, device, times) {
  const results = times.map((time, i) => ({
    timestamp: "2023-12-22T09:54:05Z", configuration: { a: i + 1 }, times: { runtimes: time ? [time] : [], compilation_time: 1 },
    invalidity: time ? "correct" : "compile", correctness: time ? 1 : 0,
    measurements: time ? [{ name: "time", value: time, unit: "ms" }] : [], objectives: ["time"],
  }));
  writeFileSync(join(home, `${kernel}_${device}.json`), JSON.stringify({ schema_version: "1.0.0", results }));
  const done = tune(home, "import", `${kernel}_${device}.json`);
  assert.equal(done.status, 0, done.stderr);
}

const stored = (home) => sql(home, `select t.name || ' ' || d.name || ' ' || json_extract(e.configuration, '$.a') as row from evaluation e
  join problem p on p.id = e.problem join template t on t.id = p.template join device d on d.id = p.device where e.origin <> 'shipped' order by e.id`).map(({ row }) => row);

test("what is asked for goes, the best stays", (t) => {
  const home = folder(t);
  recorded(home, "conv", "A100", [3.5, 2.25, null, 4.75]);
  recorded(home, "conv", "A30", [7.75, 8.5]);
  recorded(home, "fft", "A100", [1.5, 1.25]);
  const dry = tune(home, "forget", "conv", "--device", "A100", "--dry-run");
  assert.equal(dry.status, 0, dry.stderr);
  assert.match(dry.stdout, /^conv +A100 +3 +1 +1 +-$/m);
  assert.match(dry.stdout, /^would forget 3 evaluations\nkept 1: the best/m);
  assert.equal(stored(home).length, 8);
  const done = tune(home, "forget", "conv", "--device", "A100");
  assert.equal(done.status, 0, done.stderr);
  assert.match(done.stdout, /^forgot 3 evaluations$/m);
  assert.deepEqual(stored(home), ["conv A100 2", "conv A30 1", "conv A30 2", "fft A100 1", "fft A100 2"]);
  const best = JSON.parse(tune(home, "best", "conv", "--json").stdout);
  assert.deepEqual(best.map((row) => [row.device, row.time_ns]), [["A100", 2.25e6], ["A30", 7.75e6]]);
  const old = JSON.parse(tune(home, "forget", "--older-than", "52w", "--with-best", "--json").stdout);
  assert.deepEqual([old.dry_run, old.evaluations, old.kept, old.rows.length], [false, 5, 0, 3]);
  assert.deepEqual(stored(home), []);
});

test("failures alone go, and the file becomes smaller", (t) => {
  const home = folder(t), file = join(home, "tune.db");
  recorded(home, "conv", "A100", Array.from({ length: 400 }, (_, i) => (i % 10 ? null : 2.5 + i)));
  const failed = tune(home, "forget", "--failed");
  assert.match(failed.stdout, /^forgot 360 evaluations\n/m);
  assert.equal(stored(home).length, 40);
  const before = statSync(file).size, offer = /'tune forget --vacuum' gives back what is free/;
  assert.match(tune(home, "list", "database").stderr, offer);
  const vacuumed = JSON.parse(tune(home, "forget", "--vacuum", "--json").stdout);
  assert.deepEqual([vacuumed.evaluations, vacuumed.free_bytes], [0, 0]);
  assert.equal(vacuumed.bytes, statSync(file).size);
  assert.ok(vacuumed.bytes < before, `${vacuumed.bytes} of ${before}`);
  const listed = tune(home, "list", "database", "--json"), tables = JSON.parse(listed.stdout);
  assert.doesNotMatch(listed.stderr, offer);
  assert.equal(tables.find(({ table }) => table === "evaluation").rows, 40); // a look at the room does not fill it
  assert.deepEqual(sql(home, "select id from evaluation where origin = 'shipped'"), []);
});

test("what is refused leaves everything as it is", (t) => {
  const home = folder(t);
  recorded(home, "conv", "A100", [3.5]);
  refuses(tune(home, "forget"), "what is to be forgotten?", "--dry-run says what that is");
  refuses(tune(home, "forget", "--vacuum", "--dry-run"), "what is to be forgotten?");
  refuses(tune(home, "forget", "--with-best"), "what is to be forgotten?");
  refuses(tune(home, "forget", "fft"), "has no such results");
  refuses(tune(home, "forget", "conv", "--older-than", "yesterday"), "'yesterday' is not a time");
  refuses(tune(home, "forget", "conv", "--db", "other.db"), "there is no database other.db");
  assert.ok(!existsSync(join(home, "other.db")));
  assert.deepEqual(stored(home), ["conv A100 1"]);
});

test("commands that read make no database", (t) => {
  const home = folder(t);
  for (const args of [["list", "database"], ["list", "runs"], ["report", "-o", "r"], ["export", "conv"], ["forget", "conv"]])
    refuses(tune(home, ...args, "--db", "typo.db"), "there is no database typo.db", "hint: ");
  const best = tune(home, "best", "transpose", "--device", "NVIDIA H200", "--db", "typo.db", "--json");
  assert.match(best.stderr, /^tune: there is no database typo\.db: what came with tune answers$/m);
  assert.ok(JSON.parse(best.stdout).length > 1);
  assert.deepEqual(JSON.parse(tune(home, "list", "runs", "--json").stdout), []);
  assert.ok(!existsSync(join(home, "typo.db")) && !existsSync(join(home, "tune.db")) && !existsSync(join(home, "r")));
});

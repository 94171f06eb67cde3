// SPDX-License-Identifier: Apache-2.0
// Databases joined: what tune makes of them together, and what it refuses.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, query, refuses, tune } from "./tune.mjs";

// Results of two devices, as another tool recorded them, each in a database of its own.
function recorded(home, name, device, times) {
  const results = times.map((time, i) => ({
    timestamp: "2023-12-22T09:54:05Z", configuration: { a: i + 1 }, times: { runtimes: [time], compilation_time: 1 }, invalidity: "correct", correctness: 1,
    measurements: [{ name: "time", value: time, unit: "ms" }], objectives: ["time"],
  }));
  writeFileSync(join(home, `conv_${device}.json`), JSON.stringify({ schema_version: "1.0.0", results }));
  const done = tune(home, "import", `conv_${device}.json`, "--db", name);
  assert.equal(done.status, 0, done.stderr);
}

test("databases are joined in a new one, which answers for all of them", (t) => {
  const home = folder(t);
  recorded(home, "a.db", "A100", [3.5, 2.25]);
  recorded(home, "b.db", "A30", [7.75]);
  const before = readFileSync(join(home, "a.db"));
  const done = tune(home, "merge", "a.db", "b.db", "a.db", "-o", "c.db");
  assert.equal(done.status, 0, done.stderr);
  assert.equal(done.stdout, "a.db: 2 evaluations; 0 runs\nb.db: 1 evaluation; 0 runs\n" +
    "a.db: 2 evaluations, 0 of them new; 0 runs\nc.db has 3 evaluations of 0 runs\n");
  assert.deepEqual(readFileSync(join(home, "a.db")), before);
  const best = JSON.parse(tune(home, "best", "conv", "--db", "c.db", "--json").stdout);
  assert.deepEqual(best.map((row) => [row.device, row.time_ns]), [["A100", 2.25e6], ["A30", 7.75e6]]);
});

test("what is refused leaves everything as it is", (t) => {
  const home = folder(t), at = (name) => join(home, name);
  recorded(home, "a.db", "A100", [3.5]);
  refuses(tune(home, "merge"), "which databases?", "tune merge A.db B.db -o C.db");
  refuses(tune(home, "merge", "a.db"), "which file is to have the rows?");
  refuses(tune(home, "merge", "a.db", "", "-o", "c.db"), "the name of a database is empty");
  refuses(tune(home, "merge", "a.db", "b.db", "-o", "c.db"), "there is no database b.db", "hint: name another file\n");
  refuses(tune(home, "merge", "a.db", "-o", "a.db"), "cannot create a.db: File exists", "it stays as it is");
  writeFileSync(at("b.db"), "no database");
  refuses(tune(home, "merge", "a.db", "b.db", "-o", "c.db"), "b.db is not a database");
  assert.ok(!existsSync(at("c.db")));
  assert.deepEqual(query(at("a.db"), "select count(*) as rows from evaluation"), [{ rows: 1 }]);
});

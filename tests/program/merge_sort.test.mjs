// SPDX-License-Identifier: Apache-2.0
// A sort that is wrong is found by what its verify block computes: keys out of order, equal ones that changed places,
// values of other keys, keys that got lost.
import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, source, tune } from "./tune.mjs";

// The shipped template with one change.
function changed(home, [file, from, to]) {
  cpSync(join(source, "templates/hash.cuh"), join(home, "hash.cuh"));
  cpSync(join(source, "templates/merge_sort"), join(home, "merge_sort"), { recursive: true });
  cpSync(join(source, "spaces/merge_sort"), join(home, "merge_sort"), { recursive: true });
  const path = join(home, "merge_sort", file), text = readFileSync(path, "utf8");
  assert.ok(text.includes(from), from);
  writeFileSync(path, text.replace(from, to));
  return join(home, "merge_sort");
}

const sorts = [
  ["as shipped", 2, ["naive.cu", "ITEMS", "ITEMS"], null],
  ["a merge that ends too early", 1, ["naive.cu", "k < end;", "k + 1 < end;"], /faults\[\d+\]: got 1, expected 0/],
  ["equal keys that change places", 2, ["corank.cuh", "a(i) <= b", "a(i) < b"], /faults\[\d+\]: got 2, expected 0/],
  ["a value of another key", 2, ["elements.cuh", "values[i] = e.y", "values[i] = e.y & ~1u"], /faults\[\d+\]: got [23], expected 0/],
  ["keys that are made up", 1, ["elements.cuh", "keys[i] = e;", "keys[i] = e | 1;"], /lost\[0\]: got 1, expected 0/],
];

for (const [what, words, change, message] of sorts)
  test(what, (t) => {
    const home = folder(t);
    const done = tune(home, changed(home, change), "--space", "naive", "--device", "cpu", "--budget", "1", "--strategy", "random",
      "--seed", "1", "--size", `n=5000,SHAPE=2,WORDS=${words}`);
    assert.equal(done.status, message ? 1 : 0, done.stdout + done.stderr);
    if (message) assert.match(done.stdout, message);
  });

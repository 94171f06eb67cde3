// SPDX-License-Identifier: Apache-2.0
// Kernels that fail in every way: each failure costs one row.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { folder, kernels, sql, tune } from "./tune.mjs";

const expected = {
  good: "ok", compile_error: "compile_error", too_much_shared: "resources", endless: "timeout", crash: "fault",
  before_start: "out_of_bounds", input_changed: "out_of_bounds", beyond_end: "out_of_bounds", not_written: "not_finite",
  wrong: "wrong_result", wrong_when_awkward: "wrong_result", not_finite: "not_finite",
};

test("every failure is a row of its kind, and the good ones are valid", (t) => {
  const home = folder(t);
  const done = tune(home, join(kernels, "faults"), "--space", "all", "--device", "cpu", "--deadline", "3s");
  assert.equal(done.status, 0, done.stderr);
  const rows = sql(home, "select configuration, outcome, message from evaluation");
  assert.equal(rows.length, 24);
  for (const row of rows) {
    const { KIND } = JSON.parse(row.configuration);
    assert.equal(row.outcome, expected[KIND], `${row.configuration}: ${row.message}`);
  }
  const message = (kind) => rows.find((row) => row.configuration.includes(`"${kind}"`)).message;
  assert.match(message("compile_error"), /faults\.cu:6\b/); // the user's own line
  assert.match(message("compile_error"), /no_such_name/);
  assert.match(message("before_start"), /y/);
  assert.match(message("beyond_end"), /y/);
  assert.match(message("input_changed"), /x/);
  assert.match(message("wrong"), /130|4999/); // the first wrong element
  assert.match(message("wrong_when_awkward"), /n=131/);
  assert.match(done.stdout, /timeout/);
  assert.match(done.stdout, /best: +KIND=good/);
});

test("a launch with more threads than the device has is refused before compiling", (t) => {
  const home = folder(t);
  const done = tune(home, join(kernels, "faults"), "--space", "threads", "--device", "cpu");
  assert.equal(done.status, 0, done.stderr);
  const [row] = sql(home, "select outcome, message, compile_seconds from evaluation where outcome != 'ok'");
  assert.equal(row.outcome, "resources");
  assert.match(row.message, /4096/);
  assert.match(row.message, /1024/);
});

test("constraints that leave nothing are listed with what each removes", (t) => {
  const home = folder(t);
  const done = tune(home, join(kernels, "faults"), "--space", "empty", "--device", "cpu");
  assert.equal(done.status, 2);
  assert.match(done.stderr, /BLOCK >= 100.*removes 2|2.*BLOCK >= 100/s);
  assert.match(done.stderr, /BLOCK % 48 == 0/);
});

// SPDX-License-Identifier: Apache-2.0
// tune check on a GPU: compute-sanitizer finds the planted faults that it is able to find, at their lines, and nothing in
// their twins and the shipped templates. Skipped without a GPU or compute-sanitizer.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { folder, kernels, shipped } from "../program/tune.mjs";
import { lacks_gpu, tune } from "./gpu.mjs";

const on_gpu = (home, ...args) => tune(home, "check", ...args, "--device", "cuda", "--json", "--seed", "1");

// memcheck knows the extents of buffers and of a block's whole shared memory; racecheck covers shared memory only.
const sure = {
  global_read: ["out of bounds", "x"], global_write: ["out of bounds", "y"], header: ["out of bounds", "x"],
  missing_barrier: ["race", ""], warps: ["race", ""],
};

function gpu_report(t, done) {
  if (lacks_gpu(done)) return t.skip(done.stderr.trim());
  const gpu = JSON.parse(done.stdout).devices[1];
  if (/no compute-sanitizer/.test(gpu.not_checked.join())) return t.skip(gpu.not_checked[0]);
  assert.deepEqual(gpu.not_checked, []);
  return gpu;
}

test("compute-sanitizer finds planted faults, and none in their twins", (t) => {
  const home = folder(t);
  const gpu = gpu_report(t, on_gpu(home, join(kernels, "planted"), "--space", "gpu", "--sample", "all"));
  if (!gpu) return;
  for (const finding of gpu.findings) assert.equal(finding.example.BROKEN, 1, JSON.stringify(finding));
  for (const [kind, [what, variable]] of Object.entries(sure)) {
    const found = gpu.findings.find((one) => one.example.KIND === kind);
    assert.ok(found, `${kind} is not found`);
    assert.equal(found.kind, what, JSON.stringify(found));
    assert.equal(found.variable, variable, JSON.stringify(found));
    assert.match(found.file, /planted\.cu$|below\.cuh$/);
    assert.ok(found.line > 0);
    if (variable) assert.match(found.message, new RegExp(`^(reads|writes) 4 bytes \\d+ (before|past) ${variable} \\(by thread`));
  }
});

for (const template of shipped) {
  test(`compute-sanitizer is silent on ${template}`, (t) => {
    const home = folder(t);
    const gpu = gpu_report(t, on_gpu(home, template, "--space", "full", "--sample", "2"));
    if (gpu) assert.deepEqual(gpu.findings, []);
  });
}

// SPDX-License-Identifier: Apache-2.0
// Kernels with CUB's collectives of blocks and warps: on the CPU device, under its checks, and, if it is installed, for NVRTC.
import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { device, folder, kernels, sql, tune } from "./tune.mjs";

const cub = join(kernels, "cub");

// A copy of the kernel in which `from` is `to`.
function changed(home, from, to) {
  cpSync(cub, join(home, "cub"), { recursive: true });
  const file = join(home, "cub/cub.cu"), text = readFileSync(file, "utf8");
  assert.ok(text.includes(from));
  writeFileSync(file, text.replace(from, to));
}

const findings = (done) => JSON.parse(done.stdout).devices.flatMap((device) => device.findings);

test("tiles are summed, scanned and sorted right, also those that are not full", (t) => {
  const home = folder(t);
  const done = tune(home, cub, "--space", "all", "--device", device, "--quiet");
  assert.equal(done.status, 0, done.stdout + done.stderr);
  assert.deepEqual(sql(home, "select outcome, count(*) as n from evaluation where configuration like '%KERNEL%' group by outcome"), [{ outcome: "ok", n: 8 }]);
});

test("there are no findings; shared memory that is used again without a barrier is one, at the call", (t) => {
  const home = folder(t);
  const kept = tune(home, "check", cub, "--space", "some", "--sample", "all", "--device", "cpu", "--json");
  assert.deepEqual(findings(kept), []);
  assert.equal(kept.status, 0, kept.stderr);
  const broken = findings(tune(home, "check", cub, "--space", "broken", "--sample", "all", "--device", "cpu", "--json", "--no-nvrtc"));
  const lines = readFileSync(join(cub, "cub.cu"), "utf8").split("\n");
  assert.ok(broken.length > 0);
  for (const finding of broken) {
    assert.equal(finding.kind, "race");
    assert.match(finding.file, /cub\/cub\.cu$/);
    assert.match(lines[finding.line - 1], /\b(load|store|reduce|scan|sort|edges)\(room\./);
    assert.equal(finding.variable, "room");
  }
  for (const collective of ["reduce(room", "scan(room", "sort(room", "edges(room"])
    assert.ok(broken.some((finding) => lines[finding.line - 1].includes(collective)), collective);
});

test("what launches kernels is refused alike everywhere, with a hint", (t) => {
  const home = folder(t);
  changed(home, "__device__ void sync()", "#include <cub/device/device_reduce.cuh>\n__device__ void sync()");
  const refused = findings(tune(home, "check", "./cub", "--space", "./cub/some.space", "--sample", "1", "--device", "cpu", "--json"));
  assert.ok(refused.length >= 1); // two where NVRTC is installed
  for (const finding of refused)
    assert.match(finding.message, /cannot include the host's header cub\/device\/device_reduce\.cuh: .*it launches kernels/);

  changed(home, "    int own[EACH], result[EACH]", "    cub::DeviceReduce::Sum(nullptr, sum, x, y, n);\n    int own[EACH], result[EACH]");
  const named = findings(tune(home, "check", "./cub", "--space", "./cub/some.space", "--sample", "1", "--device", "cpu", "--json"));
  assert.ok(named.length >= 1);
  for (const finding of named) {
    assert.match(finding.message, /cub::Device\.\.\. launches kernels.*#ifndef __CUDACC_RTC__/);
    assert.match(readFileSync(join(home, "cub/cub.cu"), "utf8").split("\n")[finding.line - 1], /DeviceReduce/);
  }
});

// SPDX-License-Identifier: Apache-2.0
// Headers that CUDA programs include: the same on all devices; where NVRTC is installed, tune check asks it as well.
import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, kernels, sql, tune } from "./tune.mjs";

const source = join(kernels, "headers");

// A copy of the kernel in which `from` is `to`.
function changed(home, from, to) {
  cpSync(source, join(home, "k"), { recursive: true });
  const text = readFileSync(join(source, "headers.cu"), "utf8");
  assert.ok(text.includes(from));
  writeFileSync(join(home, "k/headers.cu"), text.replace(from, to));
}

const messages = (home) => sql(home, "select message from evaluation").map((row) => row.message).join("\n");

test("a kernel with the usual headers is tuned, and its file's host function is for kernels", (t) => {
  const home = folder(t);
  const done = tune(home, source, "--space", "all", "--device", "cpu", "--quiet");
  assert.equal(done.status, 0, done.stdout + done.stderr);
  assert.deepEqual(sql(home, "select outcome from evaluation"), [{ outcome: "ok" }], messages(home));
});

test("a header of the host's is refused with advice", (t) => {
  const home = folder(t);
  changed(home, "#include <cmath>", "#include <cmath>\n#include <algorithm>");
  tune(home, "./k", "--space", "./k/all.space", "--device", "cpu", "--quiet");
  assert.match(messages(home), /kernels cannot include the host's header algorithm: no device has it \(min and max are built in\)/);
});

test("what NVRTC refuses and the host's compiler takes is a finding of tune check", (t) => {
  const home = folder(t);
  changed(home, "float sum = 0;", "float sum = 0 * pow(2, 2);");
  const check = (...args) => JSON.parse(tune(home, "check", "./k", "--space", "./k/all.space", "--device", "cpu", "--json", ...args).stdout).devices;
  const [cpu, nvrtc] = check();
  assert.deepEqual(cpu.findings, []);
  if (nvrtc.not_checked.length > 0) {
    assert.match(nvrtc.not_checked[0], /whether NVRTC compiles the sources: .*libnvrtc/);
    assert.equal(nvrtc.checked, 0);
    return;
  }
  const [finding] = nvrtc.findings;
  assert.equal(finding.kind, "does not compile");
  assert.equal(finding.tool, "NVRTC");
  assert.match(finding.file, /k\/headers\.cu$/);
  assert.match(readFileSync(join(home, "k/headers.cu"), "utf8").split("\n")[finding.line - 1], /pow\(2, 2\)/);
  assert.match(finding.message, /more than one instance of overloaded function "pow"/);
  assert.equal(check("--no-nvrtc").length, 1);
});

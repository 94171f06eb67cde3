// SPDX-License-Identifier: Apache-2.0
// tune check: planted faults are found where they are; their correct twins and the shipped templates have no findings.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { environment, folder, kernels, program, shipped, thorough, tune } from "./tune.mjs";

const planted = join(kernels, "planted");

// The kind and variable of each fault; the line is the one that ends with the fault's name.
const faults = {
  static_read: ["out of bounds", "tile"], static_write: ["out of bounds", "tile"], row_read: ["out of bounds", "rows"],
  dynamic_read: ["out of bounds", "room"], dynamic_write: ["out of bounds", "room"],
  constant_read: ["out of bounds", "table"], global_read: ["out of bounds", "x"], global_write: ["out of bounds", "y"],
  local_write: ["out of bounds", "own"], far_read: ["out of bounds", ""], header: ["out of bounds", "x"],
  missing_barrier: ["race", "tile"], warps: ["race", "tile"], warp: ["race", "tile"], last_block: ["race", "part"],
  block_tail: ["race", "y"], blocks: ["race", "part"], divergent: ["divergent barrier", ""], two_barriers: ["divergent barrier", ""],
  misaligned: ["misaligned access", "x"], unset_shared: ["uninitialised read", "tile"], unset_global: ["uninitialised read", "y"],
};

function line_of(kind) {
  for (const file of ["planted.cu", "below.cuh"]) {
    const line = readFileSync(join(planted, file), "utf8").split("\n").findIndex((text) => text.endsWith(`// fault: ${kind}`));
    if (line >= 0) return `${file}:${line + 1}`;
  }
  throw new Error(`no line of ${kind}`);
}

const check = (home, ...args) => tune(home, "check", ...args, "--device", "cpu", "--seed", "1", "--no-nvrtc");

test("each planted fault is found at its line with its variable, and its correct twin has no finding", (t) => {
  const home = folder(t);
  const done = check(home, planted, "--space", "all", "--sample", "all", "--json");
  assert.equal(done.status, 1, done.stderr);
  const [device] = JSON.parse(done.stdout).devices;
  assert.equal(device.checked, 2 * Object.keys(faults).length);
  assert.deepEqual(device.not_checked, []);
  for (const finding of device.findings) {
    assert.equal(finding.example.BROKEN, 1, JSON.stringify(finding));
    assert.equal(finding.size, "n=192");
    assert.equal(finding.kind, faults[finding.example.KIND][0], JSON.stringify(finding));
  }
  for (const [kind, [what, variable]] of Object.entries(faults)) {
    const place = line_of(kind);
    const found = device.findings.find((one) => one.example.KIND === kind && `${one.file}:${one.line}`.endsWith(`/${place}`));
    assert.ok(found, `${kind} is not found at ${place}`);
    assert.equal(found.kind, what);
    assert.equal(found.variable, variable, JSON.stringify(found));
    assert.equal(found.configurations, 1);
  }
});

test("configurations are validated at further sizes, unless sizes are given", (t) => {
  const home = folder(t);
  const findings = (...args) => JSON.parse(check(home, join(kernels, "sizes"), "--sample", "all", "--json", ...args).stdout).devices[0].findings;
  assert.deepEqual(findings("--space", "right"), []);
  const wrong = findings("--space", "sizes");
  for (const finding of wrong) {
    assert.equal(finding.kind, "wrong result");
    assert.equal(finding.tool, "validation");
    assert.match(finding.message, /^y\[0\]: got 0, expected /);
    assert.ok((finding.example.WRONG === 1 ? ["n=1,m=3", "n=1,m=1"] : ["n=160,m=3"]).includes(finding.size), finding.size);
  }
  assert.deepEqual([...new Set(wrong.map(({ example }) => example.WRONG))].sort(), [1, 2]);
  assert.deepEqual(findings("--space", "sizes", "--size", "n=1024"), []);
});

test("a fault in several configurations is one finding, with file and line", (t) => {
  const home = folder(t);
  const done = check(home, planted, "--space", "same", "--sample", "all");
  assert.equal(done.status, 1, done.stderr);
  const findings = done.stdout.split("\n").filter((line) => line.includes(": out of bounds: "));
  assert.equal(findings.length, 1, done.stdout);
  assert.match(findings[0], /planted\.cu:\d+: out of bounds: room: thread \(63, 0, 0\) reads 4 bytes/);
  assert.match(done.stdout, /in 2 of 2 configurations, for example KIND=dynamic_read/);
});

test("a source that does not compile is a finding, and --size is respected", (t) => {
  const home = folder(t);
  const broken = check(home, join(kernels, "faults"), "--space", "all", "--sample", "1", "--size", "n=77", "--json");
  assert.equal(JSON.parse(broken.stdout).devices[0].checked, 1);
  const all = check(home, join(kernels, "faults"), "--space", "compile", "--json", "--size", "n=77");
  assert.equal(all.status, 1, all.stderr);
  const [finding] = JSON.parse(all.stdout).devices[0].findings;
  assert.equal(finding.kind, "does not compile");
  assert.equal(finding.line, 6);
  assert.match(finding.message, /no_such_name/);
  assert.equal(finding.size, "n=77");
});

// Several seconds each, so that by default only some are checked, of each kind one: all with TUNE_TEST_ALL=1.
const sample = "1";
const some = ["bfs", "gemm", "quadtree", "spmv"];
for (const template of thorough ? shipped : some) {
  test(`no findings in ${template}`, (t) => {
    const home = folder(t);
    const done = check(home, template, "--space", "full", "--sample", sample);
    assert.equal(done.status, 0, done.stdout + done.stderr);
    assert.match(done.stdout, new RegExp(`${sample} of \\d+ configurations? checked: 0 findings`));
  });
}

// How a compiler without one of the sanitizers behaves; the rest is left to the real one.
const cannot_link = (option) => `case "$*" in *${option}*)
echo "/usr/bin/ld: kernel.o: in function 'trial':" >&2
echo "/usr/bin/ld: cannot find -lasan: No such file or directory" >&2
echo "collect2: error: ld returned 1 exit status" >&2
exit 1;; esac`;
const no_library = `case "$*" in *-print-file-name=*) echo libasan.so; exit;; esac`;

function check_with(home, compiler, ...args) {
  const path = join(home, "g++");
  writeFileSync(path, `#!/bin/sh\n${compiler}\nexec /usr/bin/g++ "$@"\n`);
  chmodSync(path, 0o755);
  return spawnSync(program, ["check", ...args, "--device", "cpu", "--json", "--seed", "1"], {
    encoding: "utf8", cwd: home, env: { ...environment(home), TUNE_CXX: path },
  });
}

for (const [what, compiler, note] of [
  ["cannot link", cannot_link("-fsanitize=address"), /^out-of-bounds accesses: .*-fsanitize=address: cannot find -lasan.*install/],
  ["has no run time", no_library, /^out-of-bounds accesses: .* has no AddressSanitizer runtime library.*install/],
]) {
  test(`AddressSanitizer that ${what} is reported, not as a finding, and races are still found`, (t) => {
    const done = check_with(folder(t), compiler, planted, "--space", "races", "--sample", "all");
    assert.equal(done.status, 1, done.stderr);
    const [device] = JSON.parse(done.stdout).devices;
    assert.equal(device.not_checked.length, 1, device.not_checked.join());
    assert.match(device.not_checked[0], note);
    assert.deepEqual([...new Set(device.findings.map((one) => one.kind))], ["race"]);
    assert.deepEqual([...new Set(device.findings.map((one) => one.example.KIND))].sort(), ["missing_barrier", "warps"]);
  });
}

test("without any sanitizer nothing counts as checked", (t) => {
  const done = check_with(folder(t), cannot_link("-fsanitize="), planted, "--space", "same", "--sample", "1");
  assert.equal(done.status, 1);
  assert.match(done.stderr, /nothing can be checked: .*cannot find -lasan/);
  assert.equal(done.stdout, "");
});

test("wrong usage ends with status 2", (t) => {
  const home = folder(t);
  for (const args of [[], ["nosuch"], ["transpose", "--sample", "few"], ["transpose", "--db", "x"]]) {
    assert.equal(tune(home, "check", ...args).status, 2, args.join(" "));
  }
});

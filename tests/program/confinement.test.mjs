// SPDX-License-Identifier: Apache-2.0
// Kernels on the CPU device are native code: what they are refused, and that nothing of them stays.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { cacheOfOwn, environment, folder, kernels, program, sanitized, sql, start, tune, until } from "./tune.mjs";

cacheOfOwn();

const template = join(kernels, "hostile");
const offered = JSON.parse(tune("/tmp", "list", "devices", "--json").stdout)[0].confinement;
const files = offered.landlock > 0;
let number = 0;

// A folder that no template may reach, and a name for the processes that a kernel leaves.
function setUp(t) {
  const home = folder(t);
  const private_ = join(home, "private");
  mkdirSync(private_);
  writeFileSync(join(private_, "secret"), "secret\n");
  process.env.HOSTILE_FOLDER = private_;
  process.env.HOSTILE_NAME = `hostile${process.pid}.${number++}`.slice(0, 15);
  process.env.HOSTILE_CACHE = join(home, "cache", "tune", "images");
  process.env.HOSTILE_PROCESS = String(process.pid);
  return { home, private: private_, name: process.env.HOSTILE_NAME };
}

// How many processes satisfy a condition on their folder in /proc.
function processes(condition) {
  let count = 0;
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      if (condition(`/proc/${entry}`)) count++;
    } catch { /* it has just ended */ }
  }
  return count;
}

// Those that a kernel has named, and all that the program has started.
const named = (name) => processes((path) => readFileSync(`${path}/comm`, "utf8") === `${name}\n`);
const started = (name) => processes((path) => readFileSync(`${path}/environ`, "latin1").includes(`HOSTILE_NAME=${name}\0`));

const outcomes = (home) =>
  Object.fromEntries(sql(home, "select configuration, outcome from evaluation").map((row) =>
    [JSON.parse(row.configuration).KIND, row.outcome]));

test("what a kernel has no need of is refused", { skip: !files && "no Landlock" }, (t) => {
  const { home, private: private_, name } = setUp(t);
  const done = tune(home, template, "--space", "all", "--device", "cpu");
  assert.equal(done.status, 0, done.stderr);
  const found = outcomes(home);
  assert.equal(Object.keys(found).length, 14);
  if (sanitized) delete found.memory; // AddressSanitizer's shadow leaves no bound on the address space
  for (const kind of Object.keys(found)) assert.equal(found[kind], "ok", kind);
  assert.deepEqual(readdirSync(private_), ["secret"]);
  assert.equal(readFileSync(join(private_, "secret"), "utf8"), "secret\n");
  assert.ok(!existsSync(join(process.env.HOSTILE_CACHE, "planted")));
  assert.equal(started(name), 0);
});

test("--unconfined lifts that, but nothing stays", (t) => {
  const { home, private: private_, name } = setUp(t);
  const done = tune(home, template, "--space", "all", "--device", "cpu", "--unconfined");
  assert.equal(done.status, 0, done.stderr);
  const found = outcomes(home);
  assert.equal(found.good, "ok");
  for (const kind of ["write", "append", "read", "secret", "connect", "local", "signal", "plant", "forge"])
    assert.equal(found[kind], "wrong_result", kind);
  assert.ok(existsSync(join(private_, "written")));
  assert.equal(started(name), 0);
});

test("a kernel cannot start processes without end, and none of them stays",
  { skip: !offered.process_namespace && "no process namespaces" }, (t) => {
    const { home, name } = setUp(t);
    const done = tune(home, template, "--space", "many", "--device", "cpu", "--deadline", "20s");
    assert.match(Object.values(outcomes(home)).join(), /^(ok|timeout|fault|crash)$/, done.stderr);
    assert.equal(started(name), 0);
  });

for (const extra of [[], ["--unconfined"]]) {
  test(`a kernel that ignores signals dies within a second of a killed parent ${extra}`, async (t) => {
    const { home, name } = setUp(t);
    const child = start(home, template, "--space", "stubborn", "--device", "cpu", ...extra);
    await until(() => named(name) > 0);
    child.kill("SIGKILL");
    await child.ended;
    await until(() => started(name) === 0, 1);
  });
}

test("a header outside is refused, with a word about the confinement", { skip: !files && "no Landlock" }, (t) => {
  const { home, private: private_ } = setUp(t);
  const own = join(home, "a", "b");
  mkdirSync(own, { recursive: true });
  for (const name of readdirSync(template)) {
    const text = readFileSync(join(template, name), "utf8");
    writeFileSync(join(own, name), name === "hostile.cu" ? `#include "../../private/header.h"\n${text}` : text);
  }
  writeFileSync(join(private_, "header.h"), "\n");
  const args = [own, "--space", join(own, "good.space"), "--device", "cpu", "--quiet"];
  const done = tune(home, ...args);
  assert.equal(done.status, 1);
  const [row] = sql(home, "select outcome, message from evaluation");
  assert.equal(row.outcome, "compile_error");
  assert.match(row.message, /Permission denied/);
  assert.match(row.message, /confined.*--unconfined/s);
  assert.equal(tune(home, ...args, "--unconfined", "--fresh").status, 0);
});

test("a header of the folder above, and one that an option names, are read", (t) => {
  const { home } = setUp(t);
  const own = join(home, "a", "b"), include = join(home, "include");
  mkdirSync(own, { recursive: true });
  mkdirSync(include);
  for (const name of readdirSync(template)) {
    let text = readFileSync(join(template, name), "utf8");
    if (name === "hostile.cu") text = `#include "../above.h"\n#include "named.h"\n${text}`;
    if (name === "hostile.template") text = text.replace("source \"hostile.cu\"", `source "hostile.cu"\noption "-I${include}"`);
    writeFileSync(join(own, name), text);
  }
  writeFileSync(join(home, "a", "above.h"), "\n");
  writeFileSync(join(include, "named.h"), "\n");
  const done = tune(home, own, "--space", join(own, "good.space"), "--device", "cpu", "--quiet");
  assert.equal(done.status, 0, done.stdout + done.stderr);
});

test("a second sweep takes its images from the cache", (t) => {
  const { home } = setUp(t);
  const args = [template, "--space", "good", "--device", "cpu", "--quiet", "--json"];
  assert.equal(JSON.parse(tune(home, ...args).stdout).from_cache, 0);
  assert.equal(JSON.parse(tune(home, ...args, "--fresh").stdout).from_cache, 1);
});

test("a check confines its workers too", { skip: (!files && "no Landlock") || (sanitized && "other checks are seen by the sanitizers") }, (t) => {
  const { home, private: private_, name } = setUp(t);
  const done = tune(home, "check", template, "--space", "all", "--device", "cpu", "--sample", "all", "--json");
  assert.ok(done.status < 2, done.stderr);
  assert.deepEqual(readdirSync(private_), ["secret"]);
  assert.equal(started(name), 0);
});

// ulimit -m lowers what processes that are checked, and those of a GPU, may take. (A sweep's kernels on the CPU device run
// into a limit of address space instead.)
test("a check ends what takes memory without end, with a finding", { skip: sanitized && "the program itself is large then" }, (t) => {
  const { home } = setUp(t);
  const script = `ulimit -m 500000; exec "$0" check ${template} --space grow --device cpu --json`;
  const done = spawnSync("bash", ["-c", script, program], { encoding: "utf8", cwd: home, env: environment(home) });
  assert.equal(done.status, 1, done.stderr);
  assert.match(done.stdout, /it was ended when it had taken \d+ MiB of memory, with what it had started; it may take 488 MiB/);
});

test("the list of devices tells what is in force", (t) => {
  const home = folder(t);
  const done = tune(home, "list", "devices", "--json");
  const [device] = JSON.parse(done.stdout);
  assert.equal(typeof device.confinement.landlock, "number");
  assert.equal(typeof device.confinement.filter, "boolean");
  assert.equal(typeof device.confinement.process_namespace, "boolean");
  const text = tune(home, "list", "devices");
  const all = offered.landlock && offered.filter && offered.process_namespace;
  assert.equal(/confine/.test(text.stderr), !all, text.stderr);
});

test("what a wrapper of the compiler writes elsewhere is refused, and ccache is told to do without", (t) => {
  const { home } = setUp(t);
  if (spawnSync("ccache", ["--version"]).error) return t.skip("no ccache");
  const wrapper = join(home, "cxx");
  writeFileSync(wrapper, "#!/bin/sh\nexec ccache g++ \"$@\"\n", { mode: 0o755 });
  process.env.TUNE_CXX = wrapper;
  process.env.CCACHE_DIR = join(home, "compiler-cache");
  const done = tune(home, template, "--space", "good", "--device", "cpu", "--quiet");
  delete process.env.TUNE_CXX;
  delete process.env.CCACHE_DIR;
  assert.equal(done.status, 0, done.stdout + done.stderr);
});

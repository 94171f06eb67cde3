// SPDX-License-Identifier: Apache-2.0
// Everyday use: sweep, run, best, list, show, report.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { environment, folder, program, source, sql, tune, variables } from "./tune.mjs";

const small = ["gemm", "--device", "cpu", "--size", "M=96,N=80,K=64"];

test("the main job: sweep, summary and report; then run and best answer from the database", (t) => {
  const home = folder(t);
  const swept = tune(home, ...small, "--space", "joint_reg_smem", "--budget", "24", "--strategy", "random");
  assert.equal(swept.status, 0, swept.stderr);
  assert.match(swept.stdout, /GFLOP\/s/);
  assert.match(swept.stdout, /best: +VARIANT=joint/);
  const page = swept.stdout.match(/^report: (.*)$/m)[1];
  assert.ok(existsSync(page));

  const [best] = sql(home, "select * from best where template = 'gemm' and origin = 'measured'");
  assert.equal(best.size, "M=96,N=80,K=64");
  // Among those that did not lose the finals, either outright or tied and using more resources.
  const fastest = sql(home, "select min(time_ns) as ns from evaluation where outcome = 'ok' and id not in (select evaluation from verdict where result <> 'winner')")[0].ns;
  assert.ok(Math.abs(best.time_ms - fastest * 1e-6) < 1e-3 * best.time_ms + 1e-4);

  const run = tune(home, "run", ...small, "--json");
  assert.equal(run.status, 0, run.stderr);
  const result = JSON.parse(run.stdout);
  assert.equal(result.outcome, "ok");
  assert.match(result.origin, /^database/);
  assert.equal(result.image, "cached");
  assert.deepEqual(result.configuration, JSON.parse(best.configuration));

  const rows = JSON.parse(tune(home, "best", "gemm", "--device", "cpu", "--json").stdout);
  assert.equal(rows.length, 1);
  assert.deepEqual(rows[0].configuration, result.configuration);
  assert.match(tune(home, "best", "gemm").stdout, /M=96,N=80,K=64/);
});

test("the header can be included and defines the tuned parameters", (t) => {
  const home = folder(t);
  assert.equal(tune(home, ...small, "--space", "joint_reg_smem", "--budget", "3").status, 0);
  const header = join(home, "best.h");
  const done = tune(home, "best", ...small, "--header", "-o", header);
  assert.equal(done.status, 0, done.stderr);
  const configuration = JSON.parse(sql(home, "select configuration from best where origin = 'measured'")[0].configuration);
  const numbers = Object.entries(configuration).filter(([, value]) => typeof value === "number");
  writeFileSync(join(home, "use.c"), `#include "best.h"\n${numbers.map(([name, value]) => `_Static_assert(${name} == ${value}, "");`).join("\n")}\n#if !VARIANT_joint\n#error\n#endif\n`);
  assert.equal(spawnSync("gcc", ["-fsyntax-only", join(home, "use.c")]).status, 0);
});

test("a changed kernel source never answers with an old best", (t) => {
  const home = folder(t), mine = join(home, "mine");
  spawnSync("cp", ["-r", join(source, "tests/program/kernels/faults"), mine]);
  const args = [mine, "--space", "good", "--device", "cpu", "--budget", "2"];
  assert.equal(tune(home, ...args).status, 0);
  assert.equal(JSON.parse(tune(home, "best", mine, "--json").stdout).length, 1);
  const kernel = join(mine, "faults.cu");
  writeFileSync(kernel, `// a comment changes nothing\n${readFileSync(kernel, "utf8")}`);
  assert.equal(JSON.parse(tune(home, "best", mine, "--json").stdout).length, 1);
  writeFileSync(kernel, readFileSync(kernel, "utf8").replace("2 * x[i] + 1", "2 * x[i] + 3"));
  assert.equal(JSON.parse(tune(home, "best", mine, "--json").stdout).length, 0);
  const again = tune(home, ...args, "--json");
  assert.equal(JSON.parse(again.stdout).reused, 0);
});

test("run uses the default where nothing is known, and says so", (t) => {
  const home = folder(t);
  variables(t, { TUNE_CACHE_BYTES: "0" }); // no cache
  const done = tune(home, "run", ...small);
  assert.equal(done.status, 0, done.stderr);
  assert.match(done.stdout, /nothing is known that is valid for this device and size: the default of space/);
  assert.match(done.stdout, /compiled now/);
});

test("without a GPU the CPU device is used, and one line says so", (t) => {
  const home = folder(t);
  const done = tune(home, "run", "gemm", "--size", "M=64,N=64,K=64");
  assert.equal(done.status, 0, done.stderr);
  assert.match(done.stderr, /^tune: no CUDA GPU: .*; using the CPU device\n$/);
});

test("lists: templates, spaces, devices, strategies, runs", (t) => {
  const home = folder(t);
  const list = (kind) => JSON.parse(tune(home, "list", kind, "--json").stdout);
  const templates = list("templates").map((row) => row.template);
  for (const name of ["gemm", "gemm_aat", "transpose", "mri_fhd", "dcs", "reduction", "stencil7", "copy", "ceilings"]) assert.ok(templates.includes(name), name);
  const spaces = list("spaces").filter((row) => row.template === "gemm").map((row) => row.space);
  for (const name of ["naive", "smem_tiling", "thread_coarsening", "joint_reg_smem", "full"]) assert.ok(spaces.includes(name), name);
  assert.ok(list("devices").some((row) => row.device === "cpu:0"));
  const strategies = list("strategies");
  assert.deepEqual(strategies.find((row) => row.strategy === "exhaustive").parameters, []);
  const starts = strategies.find((row) => row.strategy === "greedy").parameters.find((row) => row.parameter === "starts");
  assert.ok(starts.low <= starts.preset && starts.preset <= starts.high && starts.meaning.length > 0);
  const lines = tune(home, "list", "strategies").stdout.split("\n");
  const greedy = lines.findIndex((line) => line.startsWith("greedy "));
  assert.match(lines[greedy + 1], new RegExp(`^ +starts +${starts.preset} +${starts.low} +${starts.high} +${starts.meaning}$`));
  tune(home, ...small, "--space", "naive", "--budget", "1");
  assert.equal(list("runs").length, 1);
});

test("show: a template's sizes and parameters; a space's counts agree with its listing", (t) => {
  const home = folder(t);
  const shown = JSON.parse(tune(home, "show", "gemm", "--json", "--device", "cpu").stdout);
  assert.deepEqual(shown.sizes.map((size) => size.name), ["M", "N", "K"]);
  assert.ok(shown.spaces.includes("joint_reg_smem"));
  const space = JSON.parse(tune(home, "show", "gemm", "--space", "joint_reg_smem", "--device", "cpu", "--json").stdout);
  const product = space.parameters.reduce((n, p) => n * p.values.length, 1);
  assert.equal(space.cartesian, product);
  const removed = space.constraints.reduce((n, c) => n + c.removed, 0);
  assert.equal(space.cartesian - removed, space.valid);
  assert.match(tune(home, "show", "gemm", "--space", "full", "--device", "cpu").stdout, /valid configurations of/);
});

test("a reader that has seen enough ends the program, without a word", (t) => {
  const home = folder(t);
  const script = '{ sleep 0.3; "$0" list templates; echo $? > status; } | true; cat status';
  const done = spawnSync("bash", ["-c", script, program], { encoding: "utf8", cwd: home, env: environment(home) });
  assert.equal(done.stderr, "");
  assert.equal(done.stdout.trim(), "141"); // SIGPIPE, as of other programs
});

test("a report of an empty database says so", (t) => {
  const home = folder(t);
  const done = tune(home, "report", "-o", join(home, "out"));
  assert.equal(done.status, 0, done.stderr);
  assert.ok(existsSync(join(home, "out", "index.html")));
});

test("shipped knowledge answers on a machine that has measured nothing", (t) => {
  const home = folder(t);
  const known = readdirSync(join(source, "db", "known")).filter((name) => name.endsWith(".json"));
  assert.ok(known.length > 0);
  const sizes = {}; // by template and device, of all their files
  for (const name of known) {
    const file = JSON.parse(readFileSync(join(source, "db", "known", name), "utf8"));
    const own = (sizes[file.template] ??= {})[file.device.name] ??= new Set();
    file.problems.forEach((problem) => own.add(problem.size)); // of one, rungs may be of several compilers
  }
  for (const [template, devices] of Object.entries(sizes)) {
    const rows = JSON.parse(tune(home, "best", template, "--json").stdout);
    assert.ok(rows.every((row) => row.origin === "shipped"));
    for (const [device, own] of Object.entries(devices))
      assert.equal(rows.filter((row) => row.device === device).length, own.size, `${template} on ${device} is of another version of the kernel: measure again`);
  }
});

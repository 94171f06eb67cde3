// SPDX-License-Identifier: Apache-2.0
// Results belong to what the compiler reads: a changed include never answers with an old best, a file that is not read
// changes nothing, and shipped knowledge belongs to the shipped templates.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { folder, source, sql, start, tune, until } from "./tune.mjs";

const template = `template k "z = y"
size n = 64
parameter BLOCK
OPTIONS
source "k.cu"
buffer y : float[n] in uniform(-1, 1)
buffer z : float[n] out
launch { k<<<1, n>>>(y, z) }
reference "reference.cu" { r<<<1, n>>>(y, ref(z)) }
check z exact
`;
const body = "__global__ void k(const float *y, float *z) { z[threadIdx.x] = FACTOR * y[threadIdx.x] * (BLOCK > 0); }\n";
const reference = "__global__ void r(const float *y, double *z) { z[threadIdx.x] = y[threadIdx.x]; }\n";

function put(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function kernel(t, { options = "", cu = body, ref = reference, values = "[1, 2]" } = {}) {
  const home = folder(t), place = join(home, "mine");
  put(join(place, "k.template"), template.replace("OPTIONS", options));
  put(join(place, "k.cu"), cu);
  put(join(place, "reference.cu"), ref);
  put(join(place, "all.space"), `space all of k\nparam BLOCK = ${values}\n`);
  return { home, place, sweep: (...more) => tune(home, place, "--space", "all", "--device", "cpu", "--json", ...more) };
}

const measured = "from evaluation where origin = 'measured'";
const outcomes = (home) => Object.fromEntries(sql(home, `select outcome, count(*) as n ${measured} group by outcome`).map((row) => [row.outcome, row.n]));
const known = (home, place) => JSON.parse(tune(home, "best", place, "--json").stdout).length;

for (const [what, file, line, options] of [
  ["another ending", "factor.inl", '#include "factor.inl"'],
  ["a folder below", "sub/x.cuh", '#include "sub/x.cuh"'],
  ["OpenCL's ending", "factor.opencl", '#include "factor.opencl"'],
  ["a folder beside", "../common/factor.h", '#include "../common/factor.h"'],
  ["an option's folder", "parts/factor", "#include <factor>", 'option "-Iparts"'],
  ["an option's file", "before.h", "", 'option "-include=before.h"'],
  ["a macro", "sub/factor.inl", '#define HEADER "sub/factor.inl"\n#include HEADER'],
]) {
  test(`an included file counts: ${what}`, (t) => {
    const { home, place, sweep } = kernel(t, { options, cu: `${line}\n${body}` });
    put(join(place, file), "#define FACTOR 1\n");
    sweep();
    assert.deepEqual(outcomes(home), { ok: 2 });
    assert.equal(known(home, place), 1);
    put(join(place, file), "#define FACTOR 1 // as before\n");
    put(join(home, "README.md"), "not read\n");
    if (what !== "a macro") put(join(place, "README.md"), "not read\n");
    if (what !== "a macro") assert.equal(known(home, place), 1);
    put(join(place, file), "#define FACTOR 2\n");
    assert.equal(known(home, place), 0);
    sweep();
    assert.deepEqual(outcomes(home), { ok: 2, wrong_result: 2 });
  });
}

test("what the reference includes counts", (t) => {
  const { home, place, sweep } = kernel(t, { cu: `#define FACTOR 1\n${body}`, ref: `#include "unit.inl"\n${reference.replace("= y", "= UNIT * y")}` });
  put(join(place, "unit.inl"), "#define UNIT 1\n");
  sweep();
  assert.equal(known(home, place), 1);
  put(join(place, "unit.inl"), "#define UNIT 3\n");
  assert.equal(known(home, place), 0);
});

test("an include that changes and changes back while a sweep works leaves no row of what was between", async (t) => {
  const { home, place } = kernel(t, { cu: `#include "factor.inl"\n${body}`, values: "range(1, 60)" });
  const file = join(place, "factor.inl");
  const replace = (text) => { put(`${file}.new`, text); renameSync(`${file}.new`, file); };
  replace("#define FACTOR 1\n");
  const child = start(home, place, "--space", "all", "--device", "cpu", "--strategy", "exhaustive");
  const rows = () => { try { return sql(home, `select count(*) as n ${measured}`)[0].n; } catch { return 0; } };
  for (const more of [3, 3, 3]) {
    const before = rows();
    await until(() => child.exitCode !== null || rows() >= before + more); // it may have ended: see below
    replace("#define FACTOR 2\n"); // no other than a wrong result can come of it
    await new Promise((resolve) => setTimeout(resolve, 30));
    replace("#define FACTOR 1\n");
  }
  const { status } = await child.ended;
  // A row was about to be stored while the file differed, and the sweep ended; or it went on with the right one.
  if (status !== 0) assert.match(child.err, /sources of template k in .*mine have changed/);
  assert.deepEqual(Object.keys(outcomes(home)), ["ok"]);
  const again = JSON.parse(tune(home, place, "--space", "all", "--device", "cpu", "--json").stdout);
  assert.ok(again.reused > 0);
  assert.deepEqual(outcomes(home), { ok: 59 });
});

test("sources that are no regular files have their own message, and nothing waits for them", (t) => {
  const { place, sweep } = kernel(t, { cu: `#define FACTOR 1\n#include "pipe.h"\n${body}` });
  const fifo = (name) => assert.equal(spawnSync("mkfifo", [join(place, name)]).status, 0);
  const refuses = (pattern) => { const done = sweep(); assert.equal(done.status, 2, done.stderr); assert.match(done.stderr, pattern); };
  fifo("pipe.h");
  refuses(/k\.cu:2:11: cannot include this: .*pipe\.h: it is not a regular file but a FIFO/);
  rmSync(join(place, "pipe.h"));
  mkdirSync(join(place, "pipe.h"));
  refuses(/k\.cu:2:11: cannot include this: it is a folder/);
  put(join(place, "k.cu"), `#define FACTOR 1\n#include "/dev/zero"\n${body}`);
  refuses(/not a regular file but a device/);
  rmSync(join(place, "k.cu"));
  fifo("k.cu");
  refuses(/k\.template:5:8: .*k\.cu is not a regular file but a FIFO/);
  rmSync(join(place, "k.cu"));
  symlinkSync("/dev/null", join(place, "k.cu"));
  refuses(/k\.cu is not a regular file but a device/);
  rmSync(join(place, "k.cu"));
  put(join(place, "k.cu"), body);
  rmSync(join(place, "reference.cu"));
  mkdirSync(join(place, "reference.cu"));
  refuses(/reference\.cu is not a regular file but a folder/);
  rmSync(join(place, "k.template"));
  fifo("k.template");
  refuses(/k\.template: it is not a regular file but a FIFO/);
});

test("shipped knowledge belongs to the shipped templates as they are", (t) => {
  const home = folder(t), folder_ = join(source, "db", "known"), hashes = {};
  for (const file of readdirSync(folder_).filter((name) => name.endsWith(".json"))) {
    const { template, template_hash } = JSON.parse(readFileSync(join(folder_, file), "utf8"));
    hashes[template] ??= JSON.parse(tune(home, "show", template, "--device", "cpu", "--json").stdout).hash;
    assert.equal(template_hash, hashes[template], basename(file));
  }
});

// SPDX-License-Identifier: Apache-2.0
// What a row says, and for what it answers: a configuration's own work, where it was validated, how long it was given;
// configurations that cannot be launched; what explains a failure; runs whose process was killed.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { environment, folder, sql, start, tune, until } from "./tune.mjs";

const template = (extra = "") => `template double
size n = 4096
awkward n = 1007
parameter BLOCK
parameter D
source "k.cu"
buffer x : float[n] in uniform(1, 2)
buffer z : float[n] out
launch { k<<<ceil_div(n, BLOCK) // D, BLOCK>>>(x, z, n) }
reference "r.cu" { r<<<ceil_div(n, 256), 256>>>(x, ref(z), n) }
check z within 1e-6
${extra}
`;
const good = `__global__ void k(const float *x, float *z, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) z[i] = 2 * x[i];
}
`;
const reference = `__global__ void r(const float *x, double *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = 2.0 * x[i];
}
`;

function write(home, { kernel = good, extra = "", space }) {
  mkdirSync(join(home, "double"), { recursive: true });
  writeFileSync(join(home, "double/double.template"), template(extra));
  writeFileSync(join(home, "double/k.cu"), kernel);
  writeFileSync(join(home, "double/r.cu"), reference);
  writeFileSync(join(home, "double/s.space"), `space s of double\n${space}\n`);
}

const sweep = (home, ...more) => tune(home, "./double", "--device", "cpu", "--quiet", ...more);
const outcomes = (home) =>
  Object.fromEntries(sql(home, "select configuration, outcome from evaluation").map((row) => {
    const { BLOCK, D } = JSON.parse(row.configuration);
    return [`${BLOCK}/${D}`, row.outcome];
  }));

test("work that reads parameters is each configuration's own", (t) => {
  const home = folder(t);
  write(home, { space: "param BLOCK = [64, 128]\nset D = 1", extra: "work flops = n * BLOCK, bytes = 8 * n" });
  const done = sweep(home, "--json");
  assert.equal(done.status, 0, done.stderr);
  const rows = sql(home, "select json_extract(configuration, '$.BLOCK') as block, flops, bytes, time_ns from evaluation order by 1");
  assert.deepEqual(rows.map(({ block, flops, bytes }) => [block, flops, bytes]), [[64, 4096 * 64, 8 * 4096], [128, 4096 * 128, 8 * 4096]]);
  assert.deepEqual(sql(home, "select flops, bytes from problem"), [{ flops: null, bytes: 8 * 4096 }]);
  const { best } = JSON.parse(done.stdout);
  for (const row of best) // the summary's rate
    assert.ok(Math.abs(row.gflops * row.time_ns / (4096 * row.configuration.BLOCK) - 1) < 1e-9, JSON.stringify(row));
  const block = best[0].configuration.BLOCK;
  const view = sql(home, "select gflops, json_extract(configuration, '$.BLOCK') as block from best")[0];
  assert.equal(view.block, block);
  assert.equal(view.gflops, Math.round(4096 * block / best[0].time_ns * 10) / 10);
  const listed = JSON.parse(tune(home, "best", "./double", "--json").stdout)[0];
  assert.ok(Math.abs(listed.gflops * listed.time_ns / (4096 * block) - 1) < 1e-9);
  const run = JSON.parse(tune(home, "run", "./double", "--device", "cpu", "--json").stdout);
  assert.ok(Math.abs(run.gflops * run.time_ns / (4096 * block) - 1) < 1e-9);
});

test("a failure at an awkward size answers only while that size is validated", (t) => {
  const home = folder(t);
  const kernel = good.replace("if (i < n)", "if (i < n && (BLOCK < 128 || n % 2 == 0))"); // wrong at n=1007
  const all = "param BLOCK = [64, 128]\nset D = 1", excluded = `${all}\nwhere BLOCK < 128 or n % 2 == 0`;
  const reused = () => JSON.parse(sweep(home, "--json").stdout).reused;
  write(home, { kernel, space: all });
  assert.equal(reused(), 0);
  assert.deepEqual(outcomes(home), { "64/1": "ok", "128/1": "not_finite" });
  assert.deepEqual(sql(home, "select distinct awkward from evaluation"), [{ awkward: "n=1007" }]);
  assert.equal(reused(), 2);
  write(home, { kernel, space: excluded }); // the cause is removed, without --fresh
  assert.equal(reused(), 1);
  assert.deepEqual(outcomes(home), { "64/1": "ok", "128/1": "ok" });
  assert.equal(reused(), 2);
  write(home, { kernel, space: all }); // valid, but not where it would be validated now
  assert.equal(reused(), 1);
  assert.deepEqual(outcomes(home), { "64/1": "ok", "128/1": "not_finite" });
});

test("a summary does not show results of other validations", (t) => {
  const home = folder(t);
  const all = "param BLOCK = [64, 128]\nset D = 1";
  write(home, { space: `${all}\nwhere n % 2 == 0` });
  assert.equal(JSON.parse(sweep(home, "--json").stdout).best.length, 2);
  write(home, { space: all });
  const done = JSON.parse(sweep(home, "--json", "--budget", "1", "--strategy", "exhaustive").stdout);
  assert.equal(done.reused, 0);
  assert.equal(done.best.length, 1);
});

test("a timeout under a short deadline is no answer for a longer one", (t) => {
  const home = folder(t);
  const kernel = good.replace("    int i", "    if (BLOCK == 128)\n        for (volatile int w = 1; w;) {}\n    int i"); // endless
  write(home, { kernel, space: "param BLOCK = [64, 128]\nset D = 1" });
  sweep(home, "--deadline", "5s"); // in which any machine compiles them
  assert.deepEqual(outcomes(home), { "64/1": "ok", "128/1": "timeout" });
  assert.deepEqual(sql(home, "select deadline_seconds from evaluation where outcome = 'timeout'"), [{ deadline_seconds: 5 }]);
  // As if after less, and with what lost workers had spent on it.
  sql(home, "update evaluation set deadline_seconds = 3, measure_seconds = 100 where outcome = 'timeout'");
  const reused = (deadline) => JSON.parse(sweep(home, "--deadline", deadline, "--json").stdout).reused;
  assert.equal(reused("2s"), 2); // it answers for less
  assert.equal(reused("3s"), 2);
  assert.equal(reused("4s"), 1);
});

test("a configuration that cannot be launched is a row with the expression's place", (t) => {
  const home = folder(t);
  write(home, { space: "param BLOCK = [64, 128]\nparam D = [0, 1, 1000]" });
  const done = sweep(home);
  assert.equal(done.status, 0, done.stderr);
  assert.deepEqual(outcomes(home), {
    "64/0": "host_error", "128/0": "host_error", "64/1": "ok", "128/1": "ok", "64/1000": "host_error", "128/1000": "host_error",
  });
  assert.match(sql(home, "select message from evaluation where configuration = '{\"BLOCK\":64,\"D\":0}'")[0].message,
    /double\.template:9:33: division by zero$/);
  assert.match(sql(home, "select message from evaluation where configuration = '{\"BLOCK\":64,\"D\":1000}'")[0].message,
    /double\.template:9:14: kernel k: the grid's x is 0; it must be at least 1$/);
  assert.match(done.stdout, / 4 {2}host_error: .*\n +such as BLOCK=64 D=0: .*double\.template:9:33: division by zero\n/);
});

// Each fails for one value of D, in its own way; D = 0 is a good one.
test("whatever fails on the host is one row", (t) => {
  const home = folder(t);
  const expected = {
    1: /:11:17: t\[0 : 5096\] is not a range of the buffer, which has 4096 elements$/,
    2: /:9:\d+: the result of \* is too large/,
    3: /:13:\d+: 2147487744 does not fit type int\nhint: write long\(\.\.\.\)/,
    4: /:6:\d+: buffer t has a negative extent \(-4096\)$/,
    5: /:15:\d+: .*division by zero/,
    6: /:14:\d+: kernel k: the dynamic shared memory is negative \(-1 bytes\)$/,
    7: /:19:\d+: work: flops is -1; it must be finite and not negative$/,
  };
  mkdirSync(join(home, "many"));
  writeFileSync(join(home, "many/many.template"), `template many
size n = 4096
parameter D
source "k.cu"
buffer z : float[n] out
buffer t : float[(n if D != 4 else -n)] temp
launch {
    fill t = 1
    let big = 2 ** 62 * (4 if D == 2 else 1)
    if D == 2 { fill t = big }
    if D == 1 { copy z <- t[0 : n + 1000] }
    let count = n + (2 ** 31 if D == 3 else 0)
    k<<<ceil_div(n, 64), 64>>>(z, t, count)
    if D == 6 { k<<<1, 64, -1>>>(z, t, n) }
    if D == 5 { fill t = 1 // (D - 5) }
}
reference { }
check z within 1e-6
work flops = -1 if D == 7 else n
`.replace("reference { }", 'reference "r.cu" { r<<<ceil_div(n, 256), 256>>>(ref(z), n) }'));
  writeFileSync(join(home, "many/k.cu"), "__global__ void k(float *z, float *t, int n) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) z[i] = t[i]; }\n");
  writeFileSync(join(home, "many/r.cu"), "__global__ void r(double *z, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) z[i] = 1; }\n");
  writeFileSync(join(home, "many/s.space"), "space s of many\nparam D = range(8)\n");
  const done = tune(home, "./many", "--device", "cpu", "--quiet");
  assert.equal(done.status, 0, done.stdout + done.stderr);
  const rows = sql(home, "select json_extract(configuration, '$.D') as d, outcome, message from evaluation order by 1");
  assert.deepEqual(rows.map((row) => row.outcome), ["ok", ...Array(7).fill("host_error")], JSON.stringify(rows, null, 1));
  for (const { d, message } of rows.slice(1)) assert.match(message, expected[d]);
});

test("where it fails only at the awkward size, the message says so", (t) => {
  const home = folder(t);
  write(home, { space: "param BLOCK = [64]\nparam D = [1, 20]" }); // 1007 / 64 = 16 blocks
  sweep(home);
  assert.equal(outcomes(home)["64/20"], "host_error");
  assert.match(sql(home, "select message from evaluation where outcome = 'host_error'")[0].message, /at least 1, at the awkward size n=1007$/);
});

test("if no configuration can be launched, there is one error with its place", (t) => {
  const home = folder(t);
  write(home, { space: "param BLOCK = [64, 128]\nset D = 0" });
  const done = sweep(home);
  assert.equal(done.status, 2, done.stdout);
  assert.equal(done.stderr.match(/^tune: /gm).length, 1, done.stderr);
  assert.match(done.stderr, /tune: .*double\.template:9:33: division by zero\n {4}launch .*\n +\^\^\n {4}hint: none of the configurations tried \(2\)/);
  assert.equal(sweep(home).status, 2); // and again, from the database
  const run = tune(home, "run", "./double", "--device", "cpu", "--quiet");
  assert.equal(run.status, 1);
  assert.match(run.stderr, /double\.template:9:33: division by zero/);
  const check = tune(home, "check", "./double", "--device", "cpu", "--quiet");
  assert.equal(check.status, 1);
  assert.match(check.stdout, /double\.template:9: failing expression: division by zero\n.*in 2 of 2 configurations/);
});

test("a large space without a launch is told of early", (t) => {
  const home = folder(t);
  write(home, { space: "param BLOCK = range(1, 31)\nset D = 0" });
  const done = sweep(home);
  assert.equal(done.status, 2);
  assert.match(done.stderr, /^tune: none of the first 20 configurations can be launched: .*double\.template:9:\d+: division by zero, for /m);
});

test("a failure comes with the compiler's first error, or with a command that explains it", (t) => {
  const home = folder(t);
  const kernel = `#include "h.h"
${good.replace("    if (i < n)", `    int unused;
#if BLOCK == 64
    undeclared = unused;
#elif BLOCK == 96
    inside<int>(i);
#elif BLOCK == 256
    z[i + 100000000] = 1;
#elif BLOCK == 512
    z[i] = 1;
#endif
    if (i < n)`)}`;
  write(home, { kernel, space: "param BLOCK = [32, 64, 256, 512]\nset D = 1" });
  writeFileSync(join(home, "double/h.h"), "template <typename T> __device__ void inside(T t) { t.nothing(); }\n");
  const done = sweep(home);
  assert.match(done.stdout, /1 {2}compile_error: .*\n +such as BLOCK=64 D=1: \.\/double\/k\.cu:7:5: error: .*undeclared/);
  const commands = [...done.stdout.matchAll(/to see why: (.*)/g)].map((match) => match[1]);
  assert.equal(commands.length, 2, done.stdout);
  for (const [i, line] of [11, 13].entries()) {
    assert.match(commands[i], / check \.\/double --device cpu --size n=1007 --configuration BLOCK=(256|512),D=1$/);
    const pasted = spawnSync("sh", ["-c", `${commands[i]} --quiet`], { encoding: "utf8", cwd: home, env: environment(home) });
    assert.equal(pasted.status, 1, pasted.stderr);
    assert.match(pasted.stdout, new RegExp(`k\\.cu:${line}: out of bounds: `));
    assert.match(pasted.stdout, /1 of 4 configurations checked/);
  }
});

test("tune list runs tells whether a run lives", async (t) => {
  const home = folder(t);
  write(home, { kernel: good.replace("    int i", "    for (volatile int w = 0; w < 100000; w++) {}\n    int i"),
                space: "param BLOCK = range(32, 1025, 32)\nset D = 1" });
  const child = start(home, "./double", "--device", "cpu", "--quiet", "--strategy", "exhaustive");
  await until(() => existsSync(join(home, "tune.db")) && (() => {
    try { return sql(home, "select count(*) as n from run")[0].n > 0; } catch { return false; }
  })());
  const status = () => JSON.parse(tune(home, "list", "runs", "--json").stdout)[0].status;
  assert.equal(status(), "running");
  child.kill("SIGKILL");
  await child.ended;
  const stored = () => sql(home, "select status from runs where run = 1")[0].status;
  assert.equal(status(), "killed"); // listing only reads
  assert.equal(stored(), "running");
  tune(home, "./double", "--device", "cpu", "--quiet", "--budget", "1");
  assert.equal(stored(), "killed"); // whoever writes notes it
});

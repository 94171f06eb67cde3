// SPDX-License-Identifier: Apache-2.0
// What can go wrong around a sweep: references, compilers, signals, changing sources, images that do not load.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { appendFileSync, chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { environment, folder, kernels, program, sql, start, tune, until } from "./tune.mjs";

const rows = (home) => { try { return sql(home, "select count(*) as n from evaluation")[0].n; } catch { return 0; } };
const blocks = (most) => `space good of faults\nset KIND = "good"\nparam BLOCK = range(1, ${most + 1})\n`;
const sweep = (place, ...more) => [place, "--space", "good", "--device", "cpu", ...more];

// A copy of the failing kernels to modify, and a TMPDIR of its own, whose contents `left` lists.
function workshop(t) {
  const home = folder(t), place = join(home, "mine"), temporary = join(home, "tmp");
  cpSync(join(kernels, "faults"), place, { recursive: true });
  appendFileSync(join(place, "faults.cu"), 'static_assert(BLOCK > 0, "each BLOCK is compiled");\n');
  mkdirSync(temporary);
  return { home, place, temporary, left: () => readdirSync(temporary) };
}

// As editors save: no reader sees half a file.
function replace(path, text) {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

// With additional environment variables.
function tuneWith(home, variables, ...args) {
  return spawnSync(program, args, { encoding: "utf8", cwd: home, env: { ...environment(home), ...variables }, timeout: 60000 });
}

// A compiler that is a shell script; $real is the real one.
function compiler(home, text) {
  const path = join(home, "g++");
  writeFileSync(path, `#!/bin/sh\nreal=/usr/bin/g++\n${text}\n`);
  chmodSync(path, 0o755);
  return { TUNE_CXX: path };
}

const children = (pid) => spawnSync("pgrep", ["-P", String(pid)], { encoding: "utf8" }).stdout.trim().split("\n").filter(Boolean);
const gone = (pid) => !existsSync(`/proc/${pid}`) || / Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));

for (const [name, body, says] of [
  ["hangs", "for (volatile int turn = 0; ; turn = turn + 1) ;", /the template's reference does not end within 5 s/],
  ["crashes", "*(volatile float *)8 = 1;", /the template's reference crashes the cpu device: Segmentation fault/],
]) {
  test(`a reference that ${name} ends the sweep with one error`, (t) => {
    const { home, place } = workshop(t);
    writeFileSync(join(place, "reference.cu"), `__global__ void twice_reference(const float *x, double *y, int n)\n{\n    ${body}\n}\n`);
    const done = tune(home, ...sweep(place, "--deadline", "5s")); // in which any machine compiles it
    assert.equal(done.status, 2, done.stderr);
    assert.match(done.stderr, says);
    assert.equal(rows(home), 0);
  });
}

test("a source that changes during the sweep ends it, and no row of the new kernel is stored under the old hash", async (t) => {
  const { home, place } = workshop(t);
  writeFileSync(join(place, "good.space"), blocks(1024));
  const child = start(home, ...sweep(place));
  await until(() => rows(home) > 2);
  const kernel = join(place, "faults.cu");
  replace(kernel, `// a comment changes nothing\n${readFileSync(kernel, "utf8")}`);
  const before = rows(home);
  await until(() => rows(home) > before + 2);
  replace(kernel, readFileSync(kernel, "utf8").replace("        y[i] = 2 * x[i];\n#endif", "        y[i] = 3 * x[i];\n#endif"));
  const { status } = await child.ended;
  assert.equal(status, 1, child.err);
  assert.match(child.err, /sources of template faults in .*mine have changed/);
  assert.deepEqual(sql(home, "select distinct outcome from evaluation"), [{ outcome: "ok" }]);
  assert.equal(sql(home, "select status from runs")[0].status, "failed");
});

test("many rows are reused at once", (t) => {
  const { home, place } = workshop(t);
  writeFileSync(join(place, "good.space"), blocks(5000));
  assert.equal(tune(home, ...sweep(place, "--budget", "1", "--strategy", "exhaustive")).status, 0);
  sql(home, `insert into evaluation (problem, configuration, outcome, measured_at, origin, time_ns, awkward)
    with recursive n(i) as (select 2 union all select i + 1 from n where i < 5000)
    select problem, replace(configuration, ':1}', ':' || i || '}'), 'ok', measured_at, 'measured', 1e9, awkward from evaluation, n`);
  const done = tune(home, ...sweep(place, "--json"));
  assert.equal(done.status, 0, done.stderr);
  assert.equal(JSON.parse(done.stdout).reused, 5000);
  assert.deepEqual(sql(home, "select reused from runs limit 1"), [{ reused: 5000 }]);
});

for (const [name, signals] of [["SIGHUP", ["SIGHUP"]], ["SIGTERM", ["SIGTERM"]], ["Ctrl-C twice", ["SIGINT", "SIGINT"]]]) {
  test(`${name} ends the sweep in order`, async (t) => {
    const { home, place, temporary, left } = workshop(t);
    process.env.TMPDIR = temporary;
    t.after(() => { delete process.env.TMPDIR; });
    const child = start(home, ...sweep(place));
    await until(() => rows(home) > 1);
    const workers = children(child.pid);
    for (const signal of signals) {
      child.kill(signal);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const { status } = await child.ended;
    assert.equal(status, 130, child.err);
    assert.equal(sql(home, "select status from runs")[0].status, "interrupted");
    assert.deepEqual(left(), []);
    assert.ok(workers.every(gone));
  });
}

test("Ctrl-C twice does not wait for a kernel that never ends", async (t) => {
  const { home, place } = workshop(t);
  writeFileSync(join(place, "endless.space"), "space endless of faults\nset KIND = \"endless\"\nparam BLOCK = [64]\n");
  const child = start(home, place, "--space", "endless", "--device", "cpu");
  const times = () => children(child.pid).flatMap((group) => {
    const members = spawnSync("pgrep", ["-g", group], { encoding: "utf8" }).stdout.trim().split("\n").join();
    return spawnSync("ps", ["-o", "time=", "-p", members], { encoding: "utf8" }).stdout.split("\n");
  });
  await until(() => times().some((time) => time.trim() > "00:00:01"));
  const begun = Date.now();
  child.kill("SIGINT");
  await new Promise((resolve) => setTimeout(resolve, 300));
  child.kill("SIGINT");
  assert.equal((await child.ended).status, 130, child.err);
  assert.ok(Date.now() - begun < 5000);
});

test("a hanging compiler ends when its parent is killed", async (t) => {
  const { home, place } = workshop(t);
  const mark = join(home, "pid");
  const variables = compiler(home, `case "$*" in *--version*) exec $real "$@";; esac\necho $$ > ${mark}\nexec sleep 1000`);
  Object.assign(process.env, variables);
  t.after(() => { delete process.env.TUNE_CXX; });
  const child = start(home, ...sweep(place, "--unconfined")); // which leaves the mark
  await until(() => existsSync(mark) && readFileSync(mark, "utf8").trim());
  child.kill("SIGKILL");
  await child.ended;
  await until(() => gone(readFileSync(mark, "utf8").trim()), 10);
});

test("a compiler that dies is not the source's fault", (t) => {
  const { home, place } = workshop(t);
  const variables = compiler(home, 'for file in "$@"; do :; done\ngrep -qs "define BLOCK 40" $(dirname "$0")/tmp/*/*/*/kernel.cpp && kill -SEGV $$\nexec $real "$@"');
  writeFileSync(join(place, "good.space"), "space good of faults\nset KIND = \"good\"\nparam BLOCK = [40, 64]\n");
  const done = tuneWith(home, { ...variables, TMPDIR: join(home, "tmp") }, ...sweep(place, "--jobs", "1"));
  assert.equal(done.status, 0, done.stderr);
  const crashed = sql(home, "select outcome from evaluation where configuration like '%40%'");
  assert.deepEqual(crashed, [{ outcome: "compile_crash" }]);
  assert.deepEqual(sql(home, "select outcome from evaluation where configuration like '%64%'"), [{ outcome: "ok" }]);
});

test("a compiler that is missing, or fails silently, is one clear error", (t) => {
  const { home, place } = workshop(t);
  const missing = tuneWith(home, { TUNE_CXX: join(home, "no-such-compiler") }, ...sweep(place));
  assert.notEqual(missing.status, 0);
  assert.match(missing.stderr, /no-such-compiler/);
  const mute = tuneWith(home, compiler(home, "exit 1"), ...sweep(place));
  assert.notEqual(mute.status, 0);
  assert.match(mute.stderr, /compiler .* exited with status 1 and no message/);
  assert.equal(rows(home), 0);
});

test("a full TMPDIR ends the sweep and is not the kernel's failure", (t) => {
  const { home, place, temporary } = workshop(t);
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=400k", "tmpfs", temporary]);
  if (mounted.status !== 0) return t.skip("a small file system cannot be mounted here");
  try {
    // There is space again as soon as the compiler has failed: its messages must not have been lost before.
    const variables = compiler(home, 'case "$*" in *kernel.cpp*) if grep -qs "define BLOCK" $(dirname "$0")/tmp/*/*/*/kernel.cpp; then cat /dev/zero > $TMPDIR/filler 2>/dev/null; $real "$@"; status=$?; rm $TMPDIR/filler; exit $status; fi;; esac\nexec $real "$@"');
    const done = tuneWith(home, { ...variables, TMPDIR: temporary }, ...sweep(place, "--jobs", "1"));
    assert.equal(done.status, 1, done.stderr);
    assert.match(done.stderr, /[Nn]o space left/);
    // Nothing is held against a configuration: the next sweep measures again what is marked.
    assert.deepEqual(sql(home, "select * from evaluation where outcome != 'ok' and transient is null"), []);
    assert.deepEqual(readdirSync(temporary), []);
  } finally {
    spawnSync("umount", [temporary]);
  }
});

test("a killed measuring process costs no row", async (t) => {
  const { home, place } = workshop(t);
  const child = start(home, ...sweep(place, "--budget", "24"));
  await until(() => rows(home) > 1);
  for (const pid of children(child.pid)) {
    if (existsSync(`/proc/${pid}`) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("measure")) process.kill(Number(pid), "SIGKILL");
  }
  assert.equal((await child.ended).status, 0, child.err);
  assert.deepEqual(sql(home, "select outcome, count(*) as n from evaluation group by 1"), [{ outcome: "ok", n: 24 }]);
});

test("a database is data: what it holds is never run", (t) => {
  const { home, place } = workshop(t);
  assert.equal(tune(home, ...sweep(place, "--budget", "1", "--strategy", "exhaustive")).status, 0);
  assert.deepEqual(sql(home, "select name from sqlite_master where name = 'image'"), []);
  // As earlier versions kept it: whatever is there, the kernel is compiled or comes from the user's own cache.
  sql(home, "create table image (problem integer primary key, evaluation integer, bytes integer, data blob)");
  sql(home, "insert into image select problem, id, 4, x'00010203' from evaluation");
  const done = tune(home, "run", place, "--device", "cpu", "--db", join(home, "tune.db"));
  assert.equal(done.status, 0, done.stderr);
  assert.match(done.stdout, /image from the cache|compiled now/);
});

test("a kernel that prints forever ends at its deadline", (t) => {
  const { home, place } = workshop(t);
  const kernel = join(place, "faults.cu");
  replace(kernel, readFileSync(kernel, "utf8").replace("for (volatile int turn = 0; i == 7; turn = turn + 1)", 'for (volatile int turn = 0; i == 7; turn = turn + 1)\n        printf("0123456789012345678901234567890123456789012345678901234567890123456789\\n");\n    for (; false;)'));
  writeFileSync(join(place, "loud.space"), "space loud of faults\nparam KIND = [\"endless\", \"good\"]\nset BLOCK = 64\n");
  const done = tuneWith(home, {}, place, "--space", "loud", "--device", "cpu", "--deadline", "2s");
  assert.equal(done.status, 0, done.stderr);
  assert.deepEqual(sql(home, "select outcome from evaluation order by 1"), [{ outcome: "ok" }, { outcome: "timeout" }]);
});

// SPDX-License-Identifier: Apache-2.0
// The database under bad conditions: no finished result is lost, and each problem is one clear error.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { environment, folder, kernels, program, query, sanitized, source, sql, start, tune, until } from "./tune.mjs";

const faults = join(kernels, "faults");
const sweep = [faults, "--space", "good", "--device", "cpu"];
const count = (home) => sql(home, "select count(*) as n from evaluation")[0].n;
const healthy = (home) => assert.equal(sql(home, "pragma quick_check")[0].quick_check, "ok");
// What takes sweep after sweep; other tests run sweeps with sanitizers.
const sweeps = { skip: sanitized && "sweeps are seen by the sanitizers elsewhere" };
const sh = (command, ...args) => spawnSync(command, args, { encoding: "utf8" });

test("a sweep goes on where the last one stopped", sweeps, (t) => {
  const home = folder(t);
  assert.equal(tune(home, ...sweep, "--budget", "5").status, 0);
  assert.equal(count(home), 5);
  const second = tune(home, ...sweep, "--budget", "12", "--json");
  assert.equal(second.status, 0, second.stderr);
  assert.equal(JSON.parse(second.stdout).reused, 5);
  assert.ok(count(home) >= 12);
});

test("--fresh measures again and keeps one row per configuration", sweeps, (t) => {
  const home = folder(t);
  tune(home, ...sweep, "--budget", "3", "--strategy", "exhaustive");
  const before = sql(home, "select configuration, measured_at from evaluation order by 1");
  const again = tune(home, ...sweep, "--budget", "3", "--strategy", "exhaustive", "--fresh");
  assert.equal(again.status, 0, again.stderr);
  const after = sql(home, "select configuration, measured_at from evaluation order by 1");
  assert.deepEqual(after.map((row) => row.configuration), before.map((row) => row.configuration));
  after.forEach((row, i) => assert.notEqual(row.measured_at, before[i].measured_at));
});

test("Ctrl-C finishes the row, leaves a usable database and says how to resume", sweeps, async (t) => {
  const home = folder(t);
  const child = start(home, ...sweep);
  await until(() => existsSync(join(home, "tune.db")) && (() => { try { return count(home) > 2; } catch { return false; } })());
  child.kill("SIGINT");
  const { status } = await child.ended;
  assert.equal(status, 130, child.err);
  assert.match(child.err, /interrupted.*goes on/);
  healthy(home);
  assert.equal(sql(home, "select status from runs")[0].status, "interrupted");
  const rows = count(home);
  assert.ok(rows > 2 && rows < 481);
  const next = tune(home, ...sweep, "--budget", String(rows + 2), "--json");
  assert.equal(JSON.parse(next.stdout).reused, rows);
});

test("kill -9 loses no finished row and leaves no process", sweeps, async (t) => {
  const home = folder(t);
  const child = start(home, ...sweep);
  await until(() => { try { return count(home) > 5; } catch { return false; } });
  const workers = sh("pgrep", "-P", String(child.pid)).stdout.trim().split("\n");
  const rows = count(home);
  child.kill("SIGKILL");
  await child.ended;
  await until(() => workers.every((pid) => !existsSync(`/proc/${pid}`) || / Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"))), 10);
  healthy(home);
  assert.ok(count(home) >= rows);
  assert.equal(tune(home, ...sweep, "--budget", String(rows + 4)).status, 0);
});

test("two sweeps share a database without lost or duplicate rows", sweeps, async (t) => {
  const home = folder(t);
  const two = [start(home, ...sweep, "--budget", "20"), start(home, ...sweep, "--budget", "20", "--strategy", "random", "--seed", "7")];
  for (const child of two) assert.equal((await child.ended).status, 0, child.err);
  healthy(home);
  const doubles = sql(home, "select configuration, count(*) as n from evaluation group by problem, configuration having n > 1");
  assert.deepEqual(doubles, []);
  assert.ok(count(home) >= 20);
});

for (const [what, lose] of [
  ["removed", (path) => ["", "-wal", "-shm"].forEach((end) => rmSync(path + end, { force: true }))],
  ["renamed", (path) => renameSync(path, `${path}.old`)],
  ["replaced", (path) => { copyFileSync(path, `${path}.new`); renameSync(`${path}.new`, path); }],
]) {
  test(`a database that is ${what} during a sweep fails it, and its rows are saved`, what === "removed" ? {} : sweeps, async (t) => {
    const home = folder(t), rescued = join(home, "tune.db.rescued");
    const child = start(home, ...sweep, "--quiet");
    await until(() => { try { return count(home) > 5; } catch { return false; } });
    const rows = count(home);
    lose(join(home, "tune.db"));
    const { status } = await child.ended;
    assert.equal(status, 1, child.err);
    assert.match(child.err, /tune\.db was (removed or renamed|replaced by another file); all rows are in .*tune\.db\.rescued/);
    assert.doesNotMatch(child.err, /all finished results are in/);
    assert.equal(query(rescued, "pragma quick_check")[0].quick_check, "ok");
    const kept = query(rescued, "select count(*) as n from evaluation")[0].n;
    assert.ok(kept >= rows, `${kept} of ${rows}`);
    const next = tune(home, ...sweep, "--db", rescued, "--budget", String(kept + 2), "--json");
    assert.equal(JSON.parse(next.stdout).reused, kept, next.stderr);
  });
}

test("a file that is not a database is refused and left alone", (t) => {
  const home = folder(t), path = join(home, "tune.db");
  writeFileSync(path, "this is my shopping list, do not touch it\n".repeat(100));
  const done = tune(home, ...sweep);
  assert.notEqual(done.status, 0);
  assert.match(done.stderr, /tune\.db/);
  assert.match(done.stderr, /not a database/);
  assert.match(readFileSync(path, "utf8"), /^this is my shopping list/);
});

test("a corrupt database is recognised", (t) => {
  const home = folder(t), path = join(home, "tune.db");
  tune(home, ...sweep, "--budget", "20");
  sql(home, "pragma wal_checkpoint(truncate)");
  const bytes = readFileSync(path);
  bytes.fill(0x5a, 4096, Math.min(bytes.length, 40960));
  writeFileSync(path, bytes);
  const done = tune(home, ...sweep, "--budget", "25");
  assert.notEqual(done.status, 0);
  assert.match(done.stderr, /corrupt|damaged|malformed/);
});

test("a database of a newer tune is refused", (t) => {
  const home = folder(t);
  tune(home, ...sweep, "--budget", "2");
  sql(home, "pragma user_version = 999");
  for (const args of [sweep, ["best"], ["report"]]) {
    const done = tune(home, ...args);
    assert.notEqual(done.status, 0);
    assert.match(done.stderr, /newer/);
  }
});

test("a read-only database can be read but not written", (t) => {
  const home = folder(t);
  tune(home, ...sweep, "--budget", "2");
  sql(home, "pragma wal_checkpoint(truncate)");
  sh("cp", "-r", faults, join(home, "kernel")); // the source tree may be closed to others
  sh("cp", "-r", join(source, "templates"), join(source, "spaces"), home);
  const user = sh("id", "-u").stdout.trim() === "0" ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [];
  chmodSync(join(home, "tune.db"), 0o444);
  chmodSync(home, 0o555);
  try {
    const as = (...args) => { const [command, ...rest] = [...user, program, ...args]; return spawnSync(command, rest, { encoding: "utf8", cwd: "/", env: { ...environment(home), TUNE_HOME: home } }); };
    const best = as("best", "--json");
    if (best.status === null || /setpriv|Permission denied/.test(best.stderr)) return t.skip("the program cannot be run as another user here");
    assert.equal(best.status, 0, best.stderr);
    assert.ok(JSON.parse(best.stdout).some((row) => row.template === "faults"));
    const written = as(join(home, "kernel"), ...sweep.slice(1));
    assert.notEqual(written.status, 0);
    assert.match(written.stderr, /can be read but not written/);
  } finally {
    chmodSync(home, 0o755);
  }
});

test("a full disk stops the sweep, and what was stored stays", (t) => {
  const home = folder(t), small = join(home, "small");
  mkdirSync(small);
  if (sh("mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", small).status !== 0) return t.skip("a small file system cannot be mounted here");
  try {
    const done = tune(home, ...sweep, "--db", join(small, "tune.db"));
    assert.equal(done.status, 1, done.stderr);
    assert.match(done.stderr, /full/);
    const rows = spawnSync("sqlite3", [`file:${join(small, "tune.db")}?mode=ro`, "select count(*) from evaluation; pragma quick_check"], { encoding: "utf8" });
    assert.match(rows.stdout, /^\d+\nok/, rows.stderr);
    assert.ok(Number(rows.stdout.split("\n")[0]) > 0);
  } finally {
    sh("umount", small);
  }
});

test("a sweep with stdout closed still runs and is stored", (t) => {
  const home = folder(t);
  const done = spawnSync("sh", ["-c", 'exec "$0" "$@" >&-', program, ...sweep, "--budget", "3"], { encoding: "utf8", cwd: home, env: environment(home) });
  assert.equal(done.status, 1);
  assert.match(done.stderr, /standard output is closed/);
  healthy(home);
  assert.equal(count(home), 3);
});

test("a reader that goes away does not kill the sweep", (t) => {
  const home = folder(t);
  const done = spawnSync("sh", ["-c", '"$0" "$@" | true', program, ...sweep, "--budget", "3"], { encoding: "utf8", cwd: home, env: environment(home) });
  assert.doesNotMatch(done.stderr, /SIGPIPE|Broken/);
  assert.equal(count(home), 3);
});

test("a database folder that cannot be created is reported", (t) => {
  const home = folder(t);
  writeFileSync(join(home, "file"), "");
  const done = tune(home, ...sweep, "--db", join(home, "file", "tune.db"));
  assert.notEqual(done.status, 0);
  assert.match(done.stderr, /file/);
});

test("what a stranger put into a database is data: its views and triggers are not used", (t) => {
  const home = folder(t), endless = "with recursive r(n) as (select 1 union all select n + 1 from r)";
  tune(home, ...sweep, "--budget", "3");
  const best = tune(home, "best", "--json").stdout, rows = count(home);
  sql(home, `drop view fastest; create view fastest as ${endless} select n as problem, n as evaluation, 1.0 as time_ns from r;
    drop view best; create view best as ${endless} select n as template, n as device_id from r;
    create trigger a after insert on evaluation begin delete from evaluation; end;
    create trigger b after update on run begin insert into known_file values (hex(randomblob(9)), (select count(*) from fastest), ''); end`);
  assert.equal(tune(home, "best", "--json").stdout, best);
  const report = tune(home, "report", "-o", "out");
  assert.equal(report.status, 0, report.stderr);
  const next = tune(home, ...sweep, "--budget", "6", "--json");
  assert.equal(next.status, 0, next.stderr);
  assert.equal(JSON.parse(next.stdout).reused, 3);
  assert.ok(count(home) >= rows + 3);
});

test("commands that only ask do not write", (t) => {
  const home = folder(t), path = join(home, "tune.db");
  tune(home, ...sweep, "--budget", "3");
  tune(home, "best"); // loads what comes with tune
  sql(home, "pragma journal_mode = delete");
  const before = readFileSync(path);
  for (const args of [["best"], ["best", "--json"], ["list", "runs"], ["report", "-o", "out"], ["export", faults, "-o", "out.json"]]) {
    const done = tune(home, ...args);
    assert.equal(done.status, 0, done.stderr);
    assert.ok(before.equals(readFileSync(path)), `${args.join(" ")} writes to the database`);
  }
});

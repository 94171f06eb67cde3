// SPDX-License-Identifier: Apache-2.0
// One sweep by several ranks: as hands of this machine ($TUNE_HANDS), each as if on a node of its own, and by mpirun where
// there is one. tests/campaign/ranks.mjs kills them at random.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { environment, folder, json, program, refuses, source, sql, start, tune, until, variables } from "./tune.mjs";

const count = 48;

// A kernel that takes almost no time, and a space of configurations that have to be compiled and share four images.
function workshop(t) {
  const home = folder(t), place = join(home, "tiny");
  cpSync(join(source, "tests", "campaign", "kernels", "tiny"), place, { recursive: true });
  writeFileSync(join(place, "many.space"), `space many of tiny\nset KIND = "good"\nparam BLOCK = [16, 32, 48, 64]\nparam NUMBER = range(${count / 4})\n`);
  return { home, place };
}

const sweep = (place, ...more) => [place, "--space", "many", "--device", "all", "--seed", "1", ...more];
const rows = (home) => { try { return sql(home, "select count(*) as n from evaluation")[0].n; } catch { return 0; } };

function assertWhole(home) {
  assert.deepEqual(sql(home, "select outcome, count(*) as rows, count(distinct configuration) as different from evaluation group by 1"),
    [{ outcome: "ok", rows: count, different: count }]);
  assert.deepEqual(sql(home, "pragma integrity_check"), [{ integrity_check: "ok" }]);
  assert.equal(sql(home, "select count(*) as n from problem")[0].n, 1);
}

// The hands of a sweep, and whatever else is of it.
function processes(home, hands = true) {
  return readdirSync("/proc").filter((entry) => /^\d+$/.test(entry)).map(Number).filter((pid) => {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, "latin1").includes(`TUNE_DB=${join(home, "tune.db")}\0`)) return false;
      return !hands || readFileSync(`/proc/${pid}/cmdline`, "latin1").split("\0")[1] === "--hand";
    } catch { return false; }
  });
}

test("hands on other nodes share a space, and every one measures", (t) => {
  variables(t, { TUNE_HANDS: "2" });
  const { home, place } = workshop(t);
  const done = tune(home, ...sweep(place, "--json"));
  assert.equal(json(done).done, count);
  assert.match(done.stderr, /tune: 3 ranks: 3 x .* of 3 ranks/);
  assertWhole(home);
  assert.equal(sql(home, "select count(distinct uuid) as n from evaluation")[0].n, 3);
});

test("ranks of one node with one device count it once", (t) => {
  variables(t, { TUNE_HANDS: "2", TUNE_NODE: "here" });
  const { home, place } = workshop(t);
  const done = tune(home, ...sweep(place, "--budget", "8"));
  assert.equal(done.status, 0, done.stderr);
  assert.match(done.stderr, /tune: 3 ranks: 1 x .* of 1 rank\n/);
  assert.equal(rows(home), 8);
});

test("a database on a network file system is worked on in the node's own storage", (t) => {
  const { home, place } = workshop(t), local = folder(t);
  variables(t, { TUNE_DB_LOCAL: local, TUNE_HANDS: "1" });
  const first = tune(home, ...sweep(place, "--budget", "6"));
  assert.equal(first.status, 0, first.stderr);
  assert.ok(first.stderr.includes(`working on a copy of ${join(home, "tune.db")} in ${local}`), first.stderr);
  assert.match(first.stdout, new RegExp(`report: ${join(home, "report")}`));
  assert.equal(rows(home), 6);
  assert.deepEqual(readdirSync(local), []);
  assert.equal(json(tune(home, ...sweep(place, "--json"))).reused, 6);
  assertWhole(home);
});

test("--agree: every rank prints what rank 0 has found", (t) => {
  variables(t, { TUNE_HANDS: "2", TUNE_NODE: "here" });
  const { home, place } = workshop(t), thrice = (text) => text.slice(0, text.length / 3).repeat(3);
  const swept = tune(home, ...sweep(place, "--budget", "8", "--agree", "--json")).stdout;
  assert.equal(swept, thrice(swept));
  assert.equal(JSON.parse(swept.slice(0, swept.length / 3)).done, 8);
  const best = tune(home, "best", place, "--agree", "--header").stdout;
  assert.equal(best, thrice(best));
  assert.match(best, /#define BLOCK/);
  const alone = tune(home, "best", place, "--header").stdout;
  assert.equal(alone.repeat(3), best);
});

test("when a hand is killed, others do its work", async (t) => {
  variables(t, { TUNE_HANDS: "3" });
  const { home, place } = workshop(t), child = start(home, ...sweep(place));
  await until(() => rows(home) > 0 || child.exitCode !== null);
  const [victim] = processes(home);
  if (victim) process.kill(victim, "SIGKILL");
  const { status } = await child.ended;
  assert.equal(status, 0, child.err);
  assertWhole(home);
  await until(() => processes(home, false).length === 0);
});

test("when rank 0 is killed, the hands end, and the next sweep goes on", async (t) => {
  variables(t, { TUNE_HANDS: "2" });
  const { home, place } = workshop(t), child = start(home, ...sweep(place));
  await until(() => rows(home) > 0 || child.exitCode !== null);
  child.kill("SIGKILL");
  await child.ended;
  await until(() => processes(home, false).length === 0);
  const before = rows(home), done = json(tune(home, ...sweep(place, "--json")));
  assert.ok(done.reused >= before, `${done.reused} of ${before}`);
  assertWhole(home);
});

// Each rank as if on a node of its own. The parameters keep Open MPI from binding ranks to cores and from looking for
// networks and shared memory that containers lack.
const parameters = ["--oversubscribe", "--bind-to", "none", "--mca", "btl", "self,tcp", "--mca", "btl_base_warn_component_unused", "0"];
const ranks = (count, ...args) => [...parameters, "-n", String(count), "sh", "-c", 'TUNE_NODE=node$OMPI_COMM_WORLD_RANK exec "$@"', "rank", program, ...args];
const surroundings = (home) => ({ cwd: home, env: { ...environment(home), OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" }, timeout: 120e3 });
const mpirun = (home, count, ...args) => spawnSync("mpirun", ranks(count, ...args), { encoding: "utf8", ...surroundings(home) });
const withoutMpi = existsSync(join(dirname(program), "libtune_mpi.so")) ? false : "this build has no MPI";

test("mpirun starts ranks that share a space", { skip: withoutMpi }, (t) => {
  const { home, place } = workshop(t), done = mpirun(home, 3, ...sweep(place));
  assert.equal(done.status, 0, `${done.error}${done.stderr}`);
  assert.match(done.stderr, /tune: 3 ranks: 3 x .* of 3 ranks/);
  assertWhole(home);
  assert.equal(sql(home, "select count(distinct uuid) as n from evaluation")[0].n, 3);
});

test("a rank 0 without a device works with those of others", { skip: withoutMpi }, (t) => {
  const { home, place } = workshop(t);
  const lacking = ranks(2, ...sweep(place, "--budget", "2")).map((word) => word.replace("TUNE_NODE", "[ $OMPI_COMM_WORLD_RANK != 0 ] || export TMPDIR=/nonexistent; TUNE_NODE"));
  const done = spawnSync("mpirun", lacking, { encoding: "utf8", ...surroundings(home) });
  assert.equal(done.status, 0, `${done.error}${done.stderr}`);
  assert.match(done.stderr, /tune: no device on node0 \(rank 0\): cannot create a folder in \/nonexistent/);
  assert.match(done.stderr, /tune: 2 ranks: 1 x .* of 1 rank\n/);
  assert.equal(rows(home), 2);
});

test("an MPI that does not find the other ranks is an error", { skip: withoutMpi }, (t) => {
  variables(t, { PMI_SIZE: "3", PMI_RANK: "0", OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" }); // as MPICH starts them
  const { home, place } = workshop(t);
  refuses(tune(home, ...sweep(place)), "3 ranks were started, and MPI knows of 1", "libtune_mpi.so is of another MPI");
});

test("a device that no rank has is one error", (t) => {
  variables(t, { TUNE_HANDS: "1" });
  const { home, place } = workshop(t);
  refuses(tune(home, place, "--space", "many", "--device", "cuda:999"), "tune: none of 2 ranks has a device for this; rank 0: --device: there is no cuda:999");
});

// SPDX-License-Identifier: Apache-2.0
// Sweeps as jobs of a real Slurm, in a test of its own as it needs root:
//
//     tests/cluster/slurm.sh node --test tests/cluster/slurm.test.mjs
//
// One node plays several: each rank has a name of its own for it ($TUNE_NODE).
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { environment, folder, program, query, source, until } from "../program/tune.mjs";
import { deviceOf, hold } from "./devices.mjs";

if (!process.env.SLURM_CONF) throw new Error("run it by tests/cluster/slurm.sh");
const count = 200;

function workshop(t) {
  const home = folder(t), place = join(home, "tiny"), rank = join(home, "rank");
  cpSync(join(source, "tests", "campaign", "kernels", "tiny"), place, { recursive: true });
  writeFileSync(join(place, "many.space"), `space many of tiny\nset KIND = "good"\nparam BLOCK = [16, 32, 48, 64]\nparam NUMBER = range(${count / 4})\n`);
  writeFileSync(rank, '#!/bin/sh\nTUNE_NODE=node$SLURM_PROCID exec "$@"\n');
  chmodSync(rank, 0o755);
  return { home, place, rank };
}

const sweep = ({ place }, ...more) => [program, place, "--space", "many", "--device", "all", "--seed", "1", ...more];
const slurm = (home, command, ...args) => spawnSync(command, args, { encoding: "utf8", cwd: home, env: { ...environment(home), OMPI_MCA_btl: "self,tcp" }, timeout: 120e3 });
const rows = (home) => { try { return query(join(home, "tune.db"), "select count(*) as n from evaluation")[0].n; } catch { return 0; } };

function assertWhole(database) {
  assert.deepEqual(query(database, "select outcome, count(*) as rows, count(distinct configuration) as different from evaluation group by 1"),
    [{ outcome: "ok", rows: count, different: count }]);
}

// Submit a script; its number.
function submit(home, script, ...options) {
  const file = join(home, "job.sh");
  writeFileSync(file, script);
  const done = slurm(home, "sbatch", "--parsable", "--output", join(home, "job-%A-%a.out"), ...options, file);
  assert.equal(done.status, 0, done.stderr);
  return done.stdout.trim();
}

const isOver = (home, job) => slurm(home, "squeue", "-h", "-j", job).stdout.trim() === "";

test("srun starts ranks that share a space", (t) => {
  const shop = workshop(t), done = slurm(shop.home, "srun", "-n", "3", shop.rank, ...sweep(shop));
  assert.equal(done.status, 0, done.stderr);
  assert.match(done.stderr, /tune: 3 ranks: 3 x .* of 3 ranks/);
  assertWhole(join(shop.home, "tune.db"));
  assert.equal(query(join(shop.home, "tune.db"), "select count(distinct uuid) as n from evaluation")[0].n, 3);
});

test("every rank has the same header, without what rank 0 says besides", (t) => {
  const shop = workshop(t), { home, place } = shop;
  assert.equal(slurm(home, program, place, "--space", "many", "--budget", "4", "--quiet").status, 0);
  const done = slurm(home, "srun", "-n", "2", "-o", "%t.h", "-e", "%t.log", program, "best", place, "--agree", "--header");
  assert.equal(done.status, 0, done.stderr);
  const [first, second] = ["0.h", "1.h"].map((name) => readFileSync(join(home, name), "utf8"));
  assert.match(first, /^\/\*.*\*\/\n#pragma once\n/);
  assert.equal(first, second);
});

// As CLUSTER.md has it, with a limit that is near: Slurm sends the signal up to a minute earlier than it was asked to. The
// first time, a lock holds up one of the ranks, so that the sweep cannot end before.
test("a signal before the limit ends a job with status 130, which is queued again and goes on to the end", async (t) => {
  const shop = workshop(t), { home, rank } = shop, release = await hold(t, deviceOf("node2"));
  const job = submit(home, `#!/bin/sh
#SBATCH --ntasks=3 --time=2 --signal=USR1@100 --requeue --open-mode=append
srun ${rank} ${sweep(shop).join(" ")}
status=$?
echo $status >>${home}/statuses
[ $status -ne 130 ] || scontrol requeue $SLURM_JOB_ID
`);
  await until(() => existsSync(join(home, "statuses")));
  assert.equal(readFileSync(join(home, "statuses"), "utf8"), "130\n");
  const before = rows(home);
  assert.ok(before > 0 && before < count, `${before} rows`);
  release();
  await until(() => isOver(home, job), 300);
  const statuses = readFileSync(join(home, "statuses"), "utf8").trim().split("\n");
  assert.deepEqual([...new Set(statuses)], ["130", "0"]);
  assertWhole(join(home, "tune.db"));
  const ends = query(join(home, "tune.db"), "select status from run order by id").map(({ status }) => status);
  assert.deepEqual(ends, statuses.map((status) => status === "0" ? "done" : "interrupted"));
});

// Before the program has begun, the signal has its usual effect: Slurm says so, and the program nothing.
test("a signal while the ranks of a job start ends it with status 130", (t) => {
  const shop = workshop(t), { home, rank } = shop;
  for (let tenths = 2; tenths < 12; tenths++) {
    const command = `(sleep ${tenths / 10}; scancel --signal=USR1 --name=early${tenths}) & srun -J early${tenths} -n 3 ${rank} ${sweep(shop, "--fresh").join(" ")}; status=$?; wait; exit $status`;
    const { status, stderr } = slurm(home, "sh", "-c", command);
    assert.ok(status === 130 || status === 0 || (stderr.includes("User defined signal 1") && !stderr.includes("tune:")), `${status}: ${stderr}`);
  }
});

test("an array of jobs, each with a database of its own, and tune merge", async (t) => {
  const shop = workshop(t), { home } = shop;
  const job = submit(home, `#!/bin/sh\nTUNE_NODE=node$SLURM_ARRAY_TASK_ID ${sweep(shop, "--budget", "30", "--quiet", "--strategy", "random").join(" ").replace("--seed 1", "--seed $SLURM_ARRAY_TASK_ID")} --db part-$SLURM_ARRAY_TASK_ID.db\n`, "--array=1-2", "-n", "1");
  await until(() => isOver(home, job));
  const merged = slurm(home, program, "merge", "part-1.db", "part-2.db", "-o", "all.db");
  assert.equal(merged.status, 0, merged.stderr);
  assert.equal(query(join(home, "all.db"), "select count(*) as n from runs")[0].n, 2);
  assert.equal(query(join(home, "all.db"), "select count(distinct uuid) as n from evaluation")[0].n, 2);
});

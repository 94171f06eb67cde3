// SPDX-License-Identifier: Apache-2.0
// Kills of ranks: while three of them share a sweep, as hands of this machine or by mpirun where there is one, rank 0,
// another rank or a measuring worker is killed at random. What was finished stays, the same command goes on from there, and
// in the end each configuration has one valid row.
//
//     TUNE=build/tune node ranks.mjs [--kills N] [--seed N]
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { environment, program, until } from "../program/tune.mjs";
import { campaign, home, pause, query, temporary, tiny } from "./campaign.mjs";
import { generator } from "./random.mjs";

const { values: options } = parseArgs({ options: { kills: { type: "string", default: "10" }, seed: { type: "string", default: "1" } } });
const random = generator(Number(options.seed)), wanted = Number(options.kills), count = 40;
const launchers = existsSync(join(dirname(program), "libtune_mpi.so")) ? ["hands", "hands", "mpirun"] : ["hands"];
const place = join(home, "tiny"), database = join(home, "ranks.db");
const killed = new Map();

function start(launcher, ...more) {
  const sweep = [program, place, "--space", "many", "--device", "all", "--seed", "1", "--db", database, ...more];
  const variables = launcher === "hands" ? { TUNE_HANDS: "2" } : { OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1", OMPI_MCA_odls_base_sigkill_timeout: "0" };
  const command = launcher === "hands" ? sweep : ["mpirun", "--oversubscribe", "--bind-to", "none", "--mca", "btl", "self,tcp",
    "--mca", "btl_base_warn_component_unused", "0", "-n", "3", "sh", "-c", 'TUNE_NODE=node$OMPI_COMM_WORLD_RANK exec "$@"', "rank", ...sweep];
  const child = spawn(command[0], command.slice(1), { cwd: home, env: { ...environment(home), TMPDIR: temporary, CAMPAIGN_HOME: home, ...variables }, stdio: ["ignore", "pipe", "pipe"] });
  child.output = child.errors = "";
  child.stdout.on("data", (data) => { child.output += data; });
  child.stderr.on("data", (data) => { child.errors += data; });
  child.ended = new Promise((resolve) => child.on("close", (status) => { child.over = true; resolve(status); }));
  return child;
}

// The processes of tune that are part of the job, by role.
function processes() {
  return readdirSync("/proc").filter((entry) => /^\d+$/.test(entry)).flatMap((entry) => {
    try {
      const variables = readFileSync(`/proc/${entry}/environ`, "latin1"), line = readFileSync(`/proc/${entry}/cmdline`, "latin1").split("\0");
      if (!variables.includes(`CAMPAIGN_HOME=${home}\0`)) return [];
      const rank = /OMPI_COMM_WORLD_RANK=(\d+)/.exec(variables)?.[1];
      const role = line[1] === "--worker" ? line[2] : line[1] === "--hand" || (line[0] === program && rank > 0) ? "other rank" : line[0] === program ? "rank 0" : "";
      return [{ pid: Number(entry), role }];
    } catch { return []; } // it has ended
  });
}

const rows = () => existsSync(database) ? query(database, "select configuration, outcome, coalesce(transient, 0) as transient from evaluation order by configuration") : [];

function assertNoneDoubled(found) {
  assert.equal(new Set(found.map(({ configuration }) => configuration)).size, found.length);
  for (const { outcome, transient } of found) assert.ok(outcome === "ok" || transient === 1, outcome);
}

async function undisturbed() {
  const child = start("hands", "--json"), status = await child.ended;
  assert.equal(status, 0, child.errors);
  return JSON.parse(child.output);
}

const clear = () => { for (const name of readdirSync(home)) if (name.startsWith("ranks.db")) rmSync(join(home, name)); };

// A job, in which one process is killed; then the same command.
async function disturbed(seconds) {
  const launcher = random.one(launchers), role = random.one(["rank 0", "other rank", "measure"]);
  clear();
  const child = start(launcher);
  await pause(1000 * seconds * random());
  const victim = random.one(processes().filter((process) => process.role === role));
  try { process.kill(victim.pid, "SIGKILL"); } catch { await child.ended; return; } // too early or too late
  killed.set(`${role}, ${launcher}`, (killed.get(`${role}, ${launcher}`) ?? 0) + 1);
  const status = await child.ended;
  if (launcher === "hands" && role !== "rank 0") assert.equal(status, 0, child.errors);
  await until(() => processes().length === 0);
  let before = [];
  try { before = rows(); } catch { /* its tables were yet to be made */ }
  assertNoneDoubled(before);
  const { reused } = await undisturbed(), after = rows();
  assert.ok(reused >= before.filter(({ transient }) => transient === 0).length, `${reused} of ${before.length}`);
  assertNoneDoubled(after);
  assert.equal(after.filter(({ outcome }) => outcome === "ok").length, count);
  assert.deepEqual(query(database, "pragma integrity_check"), [{ integrity_check: "ok" }]);
}

const total = () => [...killed.values()].reduce((sum, number) => sum + number, 0);

async function main() {
  console.log(`seed ${options.seed}`);
  cpSync(tiny, place, { recursive: true });
  mkdirSync(temporary, { recursive: true });
  writeFileSync(join(place, "many.space"), `space many of tiny\nset KIND = "good"\nparam BLOCK = [32, 64]\nparam NUMBER = range(${count / 2})\n`);
  await undisturbed(); // which compiles
  clear();
  const began = Date.now();
  await undisturbed();
  const seconds = (Date.now() - began) / 1000;
  for (let jobs = 0; total() < wanted; jobs++) {
    assert.ok(jobs < 5 * wanted + 20, "too many jobs ended before they were hit");
    await disturbed(seconds);
  }
  for (const [name, number] of [...killed].sort((a, b) => b[1] - a[1])) console.log(`${String(number).padStart(6)}  ${name}`);
  console.log(`${total()} kills; each time what was finished stayed, and the next sweep ended with ${count} rows`);
}

await campaign(main, () => {
  for (const { pid } of processes()) process.kill(pid, "SIGKILL");
});

// SPDX-License-Identifier: Apache-2.0
// Kills from outside: compilers, compile workers and measuring workers are killed at random during sweeps, as a person or
// the out-of-memory killer would. What was killed twice is marked, and measured again by the next sweep: in the end the
// rows equal those of an undisturbed sweep.
//
//     TUNE=build/tune node kills.mjs [--kills N] [--seed N]
import assert from "node:assert/strict";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { campaign, home, nothingIsLeft, pause, processes, query, startSweep, tiny } from "./campaign.mjs";
import { generator } from "./random.mjs";

const { values: options } = parseArgs({ options: { kills: { type: "string", default: "50" }, seed: { type: "string", default: "1" } } });
const random = generator(Number(options.seed));

const roles = ["compiler", "compile", "measure"];
const signals = ["SIGKILL", "SIGKILL", "SIGKILL", "SIGTERM", "SIGINT", "SIGHUP"];
const wanted = Number(options.kills), killed = new Map();

const start = (database) => startSweep(tiny, "mixed", database, { options: ["--no-cache", "--deadline", "60s", "--jobs", "2"] });
const rowsOf = (database) => query(database, "select configuration, outcome, coalesce(transient, 0) as transient, message from evaluation order by configuration");
const results = (rows) => rows.map(({ configuration, outcome, transient }) => ({ configuration, outcome, transient }));

async function undisturbed(database) {
  const child = start(database);
  const { status, signal } = await child.ended;
  assert.equal(status, 0, `${signal}: ${child.errors}`);
  await nothingIsLeft();
  return rowsOf(database);
}

const total = () => [...killed.values()].reduce((sum, count) => sum + count, 0);

// Kill one process of a role chosen first, as there are many compilers to one measuring worker.
function kill() {
  const role = random.one(roles), victim = random.one(processes().filter((process) => process.role === role));
  if (!victim) return;
  const signal = random.one(signals);
  try { process.kill(victim.pid, signal); } catch { return; }
  killed.set(`${role} ${signal}`, (killed.get(`${role} ${signal}`) ?? 0) + 1);
}

async function disturbed(database, most) {
  const child = start(database), until = total() + most;
  while (!child.over) {
    await pause(50 + 250 * random());
    if (!child.over && total() < Math.min(until, wanted)) kill();
  }
  assert.equal(child.over.status, 0, `${child.over.signal}: ${child.errors}`);
  await nothingIsLeft();
  return rowsOf(database);
}

async function main() {
  console.log(`seed ${options.seed}`);
  const expected = await undisturbed(join(home, "undisturbed.db"));
  assert.ok(expected.every(({ transient }) => transient === 0), JSON.stringify(expected));
  assert.deepEqual([...new Set(expected.map(({ outcome }) => outcome))].sort(), ["compile_error", "fault", "ok", "resources", "wrong_result"]);
  let marked = 0, sweeps = 0;
  for (const began = Date.now(); total() < wanted; sweeps++) {
    assert.ok(Date.now() - began < 20 * 60e3, "too slow");
    const database = join(home, "disturbed.db");
    for (const name of readdirSync(home)) if (name.startsWith("disturbed.db")) rmSync(join(home, name));
    const rows = await disturbed(database, 12);
    const different = rows.filter(({ outcome }, i) => outcome !== expected[i].outcome);
    for (const row of different) assert.equal(row.transient, 1, JSON.stringify(row)); // no other row may differ
    marked += different.length;
    assert.deepEqual(results(await undisturbed(database)), results(expected));
  }
  for (const [name, count] of [...killed].sort((a, b) => b[1] - a[1])) console.log(`${String(count).padStart(6)}  ${name}`);
  console.log(`${total()} kills in ${sweeps} sweeps; ${marked} rows were marked and measured again`);
}

await campaign(main, () => {
  for (const { pid } of processes()) process.kill(pid, "SIGKILL");
});

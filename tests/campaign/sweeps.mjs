// SPDX-License-Identifier: Apache-2.0
// Fault injection into whole sweeps on the CPU device. The space itself has kernels and compilers that fail in every way;
// while it is swept, workers, compilers and the program itself are killed, stopped and robbed of their folders, and the
// program is started again until it finishes. The rows must be those of an undisturbed sweep, and nothing may stay behind.
//
//     TUNE=build/tune node sweeps.mjs [--faults N] [--seed N]
import assert from "node:assert/strict";
import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { campaign, home, nothingIsLeft, pause, processes, query, startSweep, temporary, tiny } from "./campaign.mjs";
import { generator } from "./random.mjs";

const { values: options } = parseArgs({ options: { faults: { type: "string", default: "100" }, seed: { type: "string", default: "1" } } });

const random = generator(Number(options.seed));

// ---- a compiler that fails where a source says so

const compiler = join(home, "g++");
writeFileSync(compiler, `#!/bin/sh
for unit in "$TMPDIR"/kernel.cpp; do
  if grep -qs "define KIND_compiler_dies" "$unit"; then kill -SEGV $$; fi
  if grep -qs "define KIND_compiler_hangs" "$unit"; then exec sleep 1000; fi
  if grep -qs "define KIND_compiler_eats_memory" "$unit"; then exec dd if=/dev/zero of=/dev/null bs=16G count=1; fi
done
exec g++ "$@"
`);
chmodSync(compiler, 0o755);

const start = (database, space, deadline) =>
  startSweep(tiny, space, database, { options: ["--deadline", deadline], variables: { TUNE_CXX: compiler } });

const rowsOf = (database) => query(database,
  "select configuration, outcome, message, transient, compile_seconds + validate_seconds + measure_seconds as lost from evaluation order by configuration");

// ---- faults

// `rows`: the fault can cost the row of the configuration at work. `ends`: the program ends, and is started again.
const faults = [
  { name: "a worker is killed", weight: 30, roles: ["compile", "measure"], signal: "SIGKILL" },
  { name: "a worker is terminated", weight: 10, roles: ["compile", "measure"], signal: "SIGTERM" },
  { name: "a worker faults", weight: 10, roles: ["compile", "measure"], signal: "SIGSEGV", rows: true },
  { name: "a worker aborts", weight: 6, roles: ["compile", "measure"], signal: "SIGABRT", rows: true },
  { name: "a worker is stopped", weight: 1, roles: ["compile", "measure"], signal: "SIGSTOP" },
  { name: "a compiler is killed", weight: 10, roles: ["compiler"], signal: "SIGKILL" },
  { name: "the program is killed", weight: 10, roles: ["program"], signal: "SIGKILL", ends: true },
  { name: "the program is interrupted", weight: 5, roles: ["program"], signal: "SIGINT", ends: true },
  { name: "the program is terminated", weight: 3, roles: ["program"], signal: "SIGTERM", ends: true },
  { name: "a worker's folder is removed", weight: 6, folder: /^worker-/ },
  { name: "all folders are removed", weight: 2, folder: /^tune-scratch-/, ends: true },
];

function draw() {
  let left = random() * faults.reduce((sum, fault) => sum + fault.weight, 0);
  return faults.find((fault) => (left -= fault.weight) < 0) ?? faults[0];
}

function removeFolder(pattern) {
  const inside = (folder) => existsSync(folder) ? readdirSync(folder).map((name) => ({ name, path: join(folder, name) })) : [];
  const all = inside(temporary);
  const chosen = random.one([...all, ...all.flatMap(({ path }) => inside(path))].filter(({ name }) => pattern.test(name)));
  if (!chosen) return false;
  rmSync(chosen.path, { recursive: true, force: true, maxRetries: 3 });
  return true;
}

function inject(fault) {
  if (fault.folder) return removeFolder(fault.folder);
  const victim = random.one(processes().filter(({ role }) => fault.roles.includes(role)));
  if (!victim) return false;
  try { process.kill(victim.pid, fault.signal); } catch { return false; }
  return true;
}

// ---- one sweep

const done = new Map(); // how often each fault was injected

async function disturbed(database, space, deadline, most) {
  const done_here = [];
  for (;;) {
    const child = start(database, space, deadline);
    let ends = 0;
    while (!child.over) {
      await pause(20 + 180 * random());
      if (child.over || done_here.length >= most) { await Promise.race([child.ended, pause(50)]); continue; }
      const fault = draw();
      if (!inject(fault)) continue;
      done_here.push(fault);
      done.set(fault.name, (done.get(fault.name) ?? 0) + 1);
      ends += fault.ends ? 1 : 0;
    }
    const { status, signal } = child.over;
    if (status === 0) return done_here;
    // The program may end early when it is told to, or when one worker after the other is killed before doing anything.
    assert.ok(ends > 0 || done_here.length > 0, `status ${status}, ${signal}: ${child.errors}`);
    // A fault that strikes while the first reference runs cannot be told from one of the reference's own.
    const blamed = status === 2 && /the template's reference crashes/.test(child.errors) && done_here.some((fault) => fault.signal === "SIGSEGV");
    assert.ok(blamed || signal === "SIGKILL" || status === 130 || status === 1 || signal === "SIGINT" || signal === "SIGTERM", `status ${status}, ${signal}: ${child.errors}`);
    if (status === 1) assert.match(child.errors, /tune: /);
  }
}

const spoilt = new Set(["crash", "fault", "timeout", "compile_crash", "compile_timeout", "compile_error"]);

// The rows are those of the undisturbed sweep, except for at most as many as were hit by faults, and those that are marked
// because they were killed twice.
function compare(rows, expected, injected) {
  assert.deepEqual(rows.map(({ configuration }) => configuration), expected.map(({ configuration }) => configuration));
  const differing = rows.filter(({ outcome }, i) => outcome !== expected[i].outcome);
  const different = differing.filter(({ transient }) => !transient);
  const costly = injected.filter(({ rows }) => rows).length;
  assert.ok(different.every(({ outcome }) => spoilt.has(outcome)), JSON.stringify(different));
  assert.ok(different.length <= costly, `${different.length} rows for ${costly} faults: ${JSON.stringify(different)}`);
  for (const { configuration, outcome, lost } of differing) assert.ok(lost > 0, `${configuration}: ${outcome}, ${lost} s lost`);
  return differing.length;
}

// ---- the campaign

const outcomes = {
  good: "ok", compile_error: "compile_error", compiler_dies: "compile_crash", compiler_hangs: "compile_timeout", compiler_eats_memory: "compile_crash",
  too_much_shared: "resources", endless: "timeout", illegal_address: "fault", trap: "fault", assertion: "fault", stack_overflow: "fault",
  before_start: "out_of_bounds", beyond_end: "out_of_bounds", input_changed: "out_of_bounds", wrong: "wrong_result", not_written: "not_finite", changes: "wrong_result",
};

async function undisturbed(space, deadline) {
  const database = join(home, `${space}.db`);
  const child = start(database, space, deadline);
  const { status, signal } = await child.ended;
  assert.equal(status, 0, `${signal}: ${child.errors}`);
  await nothingIsLeft();
  const rows = rowsOf(database);
  for (const { configuration, outcome, message } of rows) {
    const { KIND, BLOCK } = JSON.parse(configuration);
    assert.equal(outcome, BLOCK > 1024 ? "resources" : outcomes[KIND], `${configuration}: ${message}`);
  }
  return rows;
}

async function main() {
  console.log(`seed ${options.seed}`);
  const spaces = [{ space: "planted", deadline: "20s", most: 30 }, { space: "late", deadline: "4s", most: 4 }];
  for (const entry of spaces) entry.expected = await undisturbed(entry.space, entry.deadline);
  let injected = 0, sweeps = 0, spoiltRows = 0;
  const began = Date.now();
  while (injected < Number(options.faults)) {
    const { space, deadline, most, expected } = spaces[sweeps % 8 === 7 ? 1 : 0];
    const database = join(home, "disturbed.db");
    for (const name of readdirSync(home)) if (name.startsWith("disturbed.db")) rmSync(join(home, name));
    const here = await disturbed(database, space, deadline, most);
    await nothingIsLeft();
    spoiltRows += compare(rowsOf(database), expected, here);
    assert.deepEqual(query(database, "pragma integrity_check"), [{ integrity_check: "ok" }]);
    assert.deepEqual(query(database, "select configuration from evaluation group by 1 having count(*) > 1"), []);
    injected += here.length;
    sweeps++;
  }
  for (const [name, count] of [...done].sort((a, b) => b[1] - a[1])) console.log(`${String(count).padStart(6)}  ${name}`);
  console.log(`${injected} faults in ${sweeps} sweeps, ${spoiltRows} rows lost to them, ${((Date.now() - began) / 1000).toFixed(1)} s`);
}

await campaign(main, () => {
  for (const { pid } of processes()) process.kill(pid, "SIGKILL");
});

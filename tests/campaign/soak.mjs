// SPDX-License-Identifier: Apache-2.0
// A soak test: a long sweep on the CPU device, of kernels that cost next to nothing, while memory, open files and
// processes are watched. None of them may grow: medians over the second half of the sweep are compared with the first.
//
//     TUNE=build/tune node soak.mjs [--configurations N]
import assert from "node:assert/strict";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { campaign, home, query, startSweep, temporary, tiny } from "./campaign.mjs";

const { values: options } = parseArgs({ options: { configurations: { type: "string", default: "100000" } } });
const count = Number(options.configurations);

const mebibyte = 1 << 20;
// How much the second half may have over the first: the program keeps some tens of bytes per configuration of the space,
// whose pages come into use one after the other.
const bounds = { "program's memory": 2 * mebibyte + 100 * count, "workers' memory": 4 * mebibyte, "open files": 4, processes: 1 };
const programMost = 100 * mebibyte;

const read = (path) => { try { return readFileSync(path, "latin1"); } catch { return ""; } };
const memory = (pid) => 1024 * Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0);
const files = (pid) => { try { return readdirSync(`/proc/${pid}/fd`).length; } catch { return 0; } };

function observe(pid) {
  const workers = read(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean);
  const all = [pid, ...workers];
  return {
    "program's memory": memory(pid),
    "workers' memory": workers.reduce((sum, worker) => sum + memory(worker), 0),
    "open files": all.reduce((sum, one) => sum + files(one), 0),
    processes: all.length,
  };
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

function judge(observations) {
  // The first tenth is warm-up: workers open the device, caches fill.
  const settled = observations.slice(Math.floor(observations.length / 10));
  const half = Math.floor(settled.length / 2);
  assert.ok(half >= 5, `only ${observations.length} observations`);
  for (const [name, bound] of Object.entries(bounds)) {
    const of = (list) => median(list.map((one) => one[name]));
    const [first, second] = [of(settled.slice(0, half)), of(settled.slice(half))];
    const most = Math.max(...observations.map((one) => one[name]));
    const shown = (number) => (name.endsWith("memory") ? `${(number / mebibyte).toFixed(1)} MiB` : String(number));
    console.log(`${name}: ${shown(first)}, then ${shown(second)}, at most ${shown(most)}`);
    assert.ok(second - first <= bound, `${name} grows`);
    if (name === "program's memory") assert.ok(most <= programMost, `${name}: ${shown(most)}`);
  }
}

// A copy of the tiny kernels with a space of as many configurations as wanted.
function writeKernels() {
  const folder = join(home, "tiny");
  cpSync(tiny, folder, { recursive: true });
  writeFileSync(join(folder, "soak.space"), `space soak of tiny\nset KIND = "good"\nparam BLOCK = [32, 64]\nparam NUMBER = range(${count / 2})\n`);
  return folder;
}

const secondsQuery = `select sum(compile_seconds) as compiling, sum(validate_seconds) as validating, sum(measure_seconds) as measuring,
  avg(json_array_length(samples_ns)) as samples from evaluation`;

await campaign(async () => {
  const database = join(home, "tune.db"), began = Date.now(), observations = [];
  const child = startSweep(writeKernels(), "soak", database);
  const timer = setInterval(() => { if (child.pid && !child.over) observations.push(observe(child.pid)); }, Math.min(1000, 50 + count / 100));
  const over = await child.ended;
  clearInterval(timer);
  const seconds = (Date.now() - began) / 1000;
  assert.deepEqual(over, { status: 0, signal: null }, child.errors);
  assert.deepEqual(query(database, "select outcome, count(*) as n, count(distinct configuration) as configurations from evaluation group by 1"),
    [{ outcome: "ok", n: count, configurations: count }]);
  const [{ compiling, validating, measuring, samples }] = query(database, secondsQuery);
  console.log(`${count} configurations in ${seconds.toFixed(1)} s, ${(count / seconds).toFixed(0)} per second`);
  console.log(`of which, in seconds: compiling ${compiling.toFixed(1)}, validating ${validating.toFixed(1)}, measuring ${measuring.toFixed(1)}; `
    + `${samples.toFixed(1)} samples per configuration`);
  judge(observations);
  assert.deepEqual(readdirSync(temporary), []);
});

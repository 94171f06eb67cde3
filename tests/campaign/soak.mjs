// SPDX-License-Identifier: Apache-2.0
// A long sweep on the CPU device, of kernels that cost next to nothing, under observation: memory, open files and
// processes must not grow. The medians of the second half of the observations are held against those of the first.
//
//     TUNE=build/tune node soak.mjs [--configurations N]
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values: options } = parseArgs({ options: { configurations: { type: "string", default: "100000" } } });
const count = Number(options.configurations);
const here = dirname(fileURLToPath(import.meta.url));
const program = process.env.TUNE || join(here, "..", "..", "build", "tune");
const home = mkdtempSync(join(tmpdir(), "tune-soak-"));
const temporary = join(home, "tmp"), tiny = join(home, "tiny"), database = join(home, "tune.db");

const mebibyte = 1 << 20;
// What may be added from half to half: the program keeps a few dozen bytes for each configuration of the space, whose
// pages come into use one after the other.
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
  // The first tenth is the start: workers open the device, caches fill.
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

async function main() {
  mkdirSync(temporary);
  cpSync(join(here, "kernels", "tiny"), tiny, { recursive: true });
  writeFileSync(join(tiny, "soak.space"), `space soak of tiny\nset KIND = "good"\nparam BLOCK = [32, 64]\nparam NUMBER = range(${count / 2})\n`);
  const child = spawn(program, [tiny, "--space", "soak", "--device", "cpu", "--db", database, "--seed", "1", "--quiet"], {
    cwd: home, stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, TMPDIR: temporary, XDG_CACHE_HOME: join(home, "cache"), CUDA_VISIBLE_DEVICES: "" },
  });
  const observations = [], began = Date.now();
  const timer = setInterval(() => { if (child.pid && child.exitCode === null) observations.push(observe(child.pid)); }, Math.min(1000, 50 + count / 100));
  const status = await new Promise((resolve) => child.on("close", (code, signal) => resolve(signal ?? code)));
  clearInterval(timer);
  const seconds = (Date.now() - began) / 1000;
  assert.equal(status, 0);
  const sql = (query) => spawnSync("sqlite3", [database, query], { encoding: "utf8" }).stdout.trim();
  assert.equal(sql("select outcome, count(*), count(distinct configuration) from evaluation group by 1"), `ok|${count}|${count}`);
  console.log(`${count} configurations in ${seconds.toFixed(1)} s, ${(count / seconds).toFixed(0)} a second`);
  console.log(`of which, in seconds: ${sql("select printf('compiling %.1f, validating %.1f, measuring %.1f; %.1f samples a configuration', sum(compile_seconds), sum(validate_seconds), sum(measure_seconds), avg(json_array_length(samples_ns))) from evaluation")}`);
  judge(observations);
  assert.deepEqual(readdirSync(temporary), []);
}

try {
  await main();
} finally {
  rmSync(home, { recursive: true, force: true });
}

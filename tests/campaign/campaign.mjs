// SPDX-License-Identifier: Apache-2.0
// What the campaigns share: a home and a TMPDIR of their own, the kernels, sweeps of them in that environment, and
// their processes.
import { spawn } from "node:child_process";
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { environment, program } from "../program/tune.mjs";

export { query } from "../program/tune.mjs";
export const tiny = join(dirname(fileURLToPath(import.meta.url)), "kernels", "tiny");
export const home = mkdtempSync(join(tmpdir(), "tune-campaign-"));
export const temporary = join(home, "tmp"); // must be empty after each sweep
mkdirSync(temporary);

export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// All processes of this campaign's sweeps, with their roles: "program", "compile", "measure" (workers) or "compiler".
export function processes() {
  const found = [];
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, "latin1");
      const [, parent, group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (!readFileSync(`/proc/${entry}/environ`, "latin1").includes(`CAMPAIGN_HOME=${home}`)) continue;
      const line = readFileSync(`/proc/${entry}/cmdline`, "latin1").split("\0");
      const role = line[1] === "--worker" ? line[2] : Number(parent) === process.pid ? "program" : "compiler";
      found.push({ pid: Number(entry), parent: Number(parent), group: Number(group), role });
    } catch { /* it has ended */ }
  }
  return found;
}

// No process and no file outlives a sweep.
export async function nothingIsLeft() {
  for (const end = Date.now() + 5000; processes().length > 0 && Date.now() < end;) await pause(10);
  assert.deepEqual(processes(), []);
  assert.deepEqual(readdirSync(temporary), []);
}

// Start a sweep on the CPU device: the child, with its errors so far in child.errors, a promise of its end in child.ended,
// and that end, once it is known, in child.over.
export function startSweep(template, space, database, { options = [], variables = {} } = {}) {
  const child = spawn(program, [template, "--space", space, "--device", "cpu", "--db", database, "--seed", "1", "--quiet", ...options],
    { cwd: home, env: { ...environment(home), TMPDIR: temporary, CAMPAIGN_HOME: home, ...variables }, stdio: ["ignore", "ignore", "pipe"] });
  child.errors = "";
  child.stderr.on("data", (data) => { child.errors += data; });
  child.ended = new Promise((resolve) => child.on("close", (status, signal) => { child.over = { status, signal }; resolve(child.over); }));
  return child;
}

// Run a campaign, then remove what it left; with CAMPAIGN_KEEP=1 its home stays.
export async function campaign(main, end = () => {}) {
  try {
    await main();
  } finally {
    end();
    if (!process.env.CAMPAIGN_KEEP) rmSync(home, { recursive: true, force: true });
  }
}

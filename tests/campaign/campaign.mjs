// SPDX-License-Identifier: Apache-2.0
// What the campaigns share: a home and a TMPDIR of their own, the kernels, and sweeps of them in that environment.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
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

// Start a sweep on the CPU device: the child, with its errors so far in child.errors, a promise of its end in child.ended,
// and that end, once it is known, in child.over.
export function startSweep(template, space, database, { options = [], variables = {} } = {}) {
  const child = spawn(program, [template, "--space", space, "--device", "cpu", "--db", database, "--seed", "1", "--quiet", ...options],
    { cwd: home, env: { ...environment(home), TMPDIR: temporary, ...variables }, stdio: ["ignore", "ignore", "pipe"] });
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

// SPDX-License-Identifier: Apache-2.0
// What the GPU tests of the program share: tune on the first GPU in a home of its own, and how a machine without one
// shows.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { program } from "../program/tune.mjs";

export const variables = (home) => ({
  ...process.env, TUNE_DB: join(home, "tune.db"), XDG_CACHE_HOME: join(home, "cache"),
});

export const tune = (home, ...args) =>
  spawnSync(program, args, { encoding: "utf8", cwd: home, env: variables(home), maxBuffer: 1 << 28 });

export const lacks_gpu = (done) => /no CUDA|no NVIDIA driver|there is no cuda|is no device/.test(done.stderr);

// A kernel of the test's own, as ./k.
export function write_kernel(home, files) {
  mkdirSync(join(home, "k"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, "k", name), text);
}

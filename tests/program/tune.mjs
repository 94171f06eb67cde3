// SPDX-License-Identifier: Apache-2.0
// Runs the program as a user would, each test in a folder of its own with a database of its own.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const source = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const program = process.env.TUNE || join(source, "build", "tune");
export const kernels = join(source, "tests", "program", "kernels");

// A program built with sanitizers writes its reports to files, one per process: the death of a worker is a row like any
// other to the program, but must fail the test.
const reports = process.env.TUNE_SANITIZED ? mkdtempSync(join(tmpdir(), "tune-sanitizer-")) : "";
const log = `log_path=${join(reports, "report")}:exitcode=66`;
const sanitizers = reports ? { ASAN_OPTIONS: log, UBSAN_OPTIONS: `${log}:print_stacktrace=1` } : {};

if (reports) {
  process.on("exit", () => {
    for (const name of readdirSync(reports)) {
      console.error(readFileSync(join(reports, name), "utf8"));
      process.exitCode = 1;
    }
    rmSync(reports, { recursive: true });
  });
}

// A new folder that is removed when the test ends.
export function folder(test) {
  const path = mkdtempSync(join(tmpdir(), "tune-test-"));
  test.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

export function environment(home) {
  return { ...process.env, ...sanitizers, TUNE_DB: join(home, "tune.db"), XDG_CACHE_HOME: join(home, "cache"), CUDA_VISIBLE_DEVICES: "" };
}

// Run to the end: { status, stdout, stderr }.
export function tune(home, ...args) {
  const done = spawnSync(program, args, { encoding: "utf8", cwd: home, env: environment(home), maxBuffer: 1 << 28 });
  if (done.error) throw done.error;
  return done;
}

// Start without waiting: the child, with its output so far in child.out and child.err, and a promise of its end.
export function start(home, ...args) {
  const child = spawn(program, args, { cwd: home, env: environment(home), stdio: ["ignore", "pipe", "pipe"] });
  child.out = "";
  child.err = "";
  child.stdout.on("data", (data) => { child.out += data; });
  child.stderr.on("data", (data) => { child.err += data; });
  child.ended = new Promise((resolve) => child.on("close", (status, signal) => resolve({ status, signal })));
  return child;
}

// Wait until `condition` holds.
export async function until(condition, seconds = 60) {
  const end = Date.now() + 1000 * seconds;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`not so after ${seconds} s: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

// Query a database as a user would, with the sqlite3 shell; rows are objects.
export function query(database, statement) {
  const done = spawnSync("sqlite3", ["-json", database, statement], { encoding: "utf8", maxBuffer: 1 << 28 });
  if (done.status !== 0) throw new Error(done.stderr);
  return done.stdout.trim() ? JSON.parse(done.stdout) : [];
}

// Query the database of the program's runs.
export const sql = (home, statement) => query(join(home, "tune.db"), statement);

// Install the build that is tested.
export function install(prefix) {
  const done = spawnSync("cmake", ["--install", dirname(program), "--prefix", prefix], { encoding: "utf8" });
  if (done.status !== 0) throw new Error(done.stderr);
}

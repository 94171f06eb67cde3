// SPDX-License-Identifier: Apache-2.0
// Runs the program as a user would, each test in a folder of its own with a database of its own.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const source = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const program = process.env.TUNE || join(source, "build", "tune");
export const kernels = join(source, "tests", "program", "kernels");
// The shipped templates that have a space with every variant.
export const shipped = readdirSync(join(source, "spaces")).filter((name) => existsSync(join(source, "spaces", name, "full.space")));

// Whether tests try all of what they try a part of by default.
export const thorough = Boolean(process.env.TUNE_TEST_ALL);

// A program built with sanitizers writes its reports to files, one per process, in a folder where its workers may write in
// such a build. A worker's death is a row like any other to the program, but must fail the tests; it is known by its
// status too, since workers in process namespaces of their own have the same number and overwrite each other's reports.
export const sanitized = Boolean(process.env.TUNE_SANITIZED);
const status = 66;
const reportsOf = (home) => join(home, "cache", "sanitizer-reports");
let reports = "";

function gatherReports(home) {
  if (!sanitized) return;
  const files = existsSync(reportsOf(home)) ? readdirSync(reportsOf(home)) : [];
  for (const name of files) {
    const text = readFileSync(join(reportsOf(home), name), "utf8");
    if (!text.includes("LeakSanitizer does not work under ptrace")) reports += text; // nor in a confined worker
  }
  const database = join(home, "tune.db");
  if (!existsSync(database)) return;
  reports += spawnSync("sqlite3", [database, `select message from evaluation where message like '%status ${status}%'`], { encoding: "utf8" }).stdout;
}

function sanitizers(home) {
  if (!sanitized) return {};
  const options = `log_path=${join(reportsOf(home), "sanitizer")}:exitcode=${status}`;
  const address = [process.env.ASAN_OPTIONS, options, `detect_leaks=${Number(thorough)}`]; // leaks are for unit tests to find
  try {
    mkdirSync(reportsOf(home), { recursive: true, mode: 0o700 });
  } catch (error) {
    if (error.code !== "ENOTDIR") throw error; // a test without a place for a cache; then a report is seen by its status
  }
  return { ASAN_OPTIONS: address.filter(Boolean).join(":"), UBSAN_OPTIONS: `${options}:print_stacktrace=1`, TUNE_SANITIZER_REPORTS: reportsOf(home) };
}

process.on("exit", () => {
  if (!reports) return;
  console.error(reports);
  process.exitCode = 1;
});

// A new folder that is removed when the test ends.
export function folder(test) {
  const path = mkdtempSync(join(tmpdir(), "tune-test-"));
  test.after(() => {
    gatherReports(path);
    rmSync(path, { recursive: true, force: true });
  });
  return path;
}

// Where kernels run: tests/gpu runs some of these files on a GPU again.
export const device = process.env.TUNE_TEST_DEVICE ?? "cpu";

// TUNE_TEST_CACHE: a folder of images that tests share, so that each kernel is compiled once. Tests that look at what is
// compiled, or into the cache, call cacheOfOwn() first.
export function cacheOfOwn() {
  delete process.env.TUNE_TEST_CACHE;
}

export function environment(home) {
  const cache = process.env.TUNE_TEST_CACHE ?? join(home, "cache");
  const found = { ...process.env, ...sanitizers(home), TUNE_DB: join(home, "tune.db"), TUNE_SITE: "", XDG_CACHE_HOME: cache };
  return device === "cpu" ? { ...found, CUDA_VISIBLE_DEVICES: "" } : found;
}

// Variables of the environment, until the test ends.
export function variables(t, given) {
  for (const [name, value] of Object.entries(given)) {
    const before = process.env[name];
    process.env[name] = value;
    t.after(() => { if (before === undefined) delete process.env[name]; else process.env[name] = before; });
  }
}

// Sweeps and runs have the same inputs every time, so that a change is judged by what it does and not by luck.
// TUNE_TEST_SEED=N gives others, and TUNE_TEST_SEED= new ones each time.
const unseeded = new Set(["best", "check", "export", "forget", "import", "list", "merge", "new", "report", "show", "simulate"]);

function seeded(args) {
  const seed = process.env.TUNE_TEST_SEED ?? "1", [subject] = args;
  if (!seed || !subject || subject.startsWith("-") || unseeded.has(subject) || args.some((word) => word.startsWith("--seed"))) return args;
  return [...args, "--seed", seed];
}

// Run to the end: { status, stdout, stderr }.
export function tune(home, ...args) {
  const done = spawnSync(program, seeded(args), { encoding: "utf8", cwd: home, env: environment(home), maxBuffer: 1 << 28 });
  if (done.error) throw done.error;
  return done;
}

// What it printed when it succeeded.
export function json(done) {
  assert.equal(done.status, 0, done.stderr);
  return JSON.parse(done.stdout);
}

// It called the input wrong, in these words.
export function refuses(done, ...texts) {
  assert.equal(done.status, 2, done.stderr || done.stdout);
  for (const text of texts) assert.ok(done.stderr.includes(text), `${done.stderr}\nlacks: ${text}`);
}

// Start without waiting: the child, with its output so far in child.out and child.err, and a promise of its end.
export function start(home, ...args) {
  const child = spawn(program, seeded(args), { cwd: home, env: environment(home), stdio: ["ignore", "pipe", "pipe"] });
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

// Evaluations of what a test has swept; the first sweep on a GPU measures its ceilings, too.
export const swept = "origin = 'measured' and problem in (select problem.id from problem join template on template.id = problem.template where template.name <> 'ceilings')";

// Install the build that is tested.
export function install(prefix) {
  const done = spawnSync("cmake", ["--install", dirname(program), "--prefix", prefix], { encoding: "utf8" });
  if (done.status !== 0) throw new Error(done.stderr);
}

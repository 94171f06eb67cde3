// SPDX-License-Identifier: Apache-2.0
// A mutation campaign: hundreds of small mistakes (mutations.mjs) in kernels, references, templates and spaces, one at a
// time, each swept and checked on the CPU device. A mistake must show: as an error, as a configuration that is not valid,
// or as a finding of `tune check`. One that does not show must be harmless, with the reason in harmless.mjs; those that
// are known to be harmful, but beyond what can be found here, are listed there as well, and counted.
//
//     TUNE=build/tune node mutants.mjs [--mutants N] [--seed N] [--jobs N] [--kind REGEX] [--subject REGEX] [--table FILE]
//
// A subject is a template and a variant, such as "gemm naive".
// The table says by kind what an error, validation alone and check alone have caught.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { environment, program, source as repository } from "../program/tune.mjs";
import { campaign, home } from "./campaign.mjs";
import { harmless, missed } from "./harmless.mjs";
import { mutations } from "./mutations.mjs";
import { generator } from "./random.mjs";

const { values: options } = parseArgs({ options: {
  mutants: { type: "string", default: "520" }, seed: { type: "string", default: "1" }, jobs: { type: "string", default: "2" },
  kind: { type: "string", default: "" }, subject: { type: "string", default: "" }, table: { type: "string" } } });
const random = generator(Number(options.seed));

// ---- what is mutated: a configuration of every variant of every kernel, at sizes that whole blocks cover, but for those
// whose last block needs another: ROWS where a tile is all below the matrix, NZ where the last chunk has a single plane

const gemm = { template: "templates/gemm", size: "M=64,N=64,K=32" };
const mri = { template: "templates/mri_fhd", size: "N=256,M=64", sfu: { TRIG: "sfu", BLOCK: 64 } };
const dcs = { template: "templates/dcs", size: "NX=32,NY=16,NZ=2,ATOMS=24" };
const reduction = { template: "templates/reduction", size: "n=262144,OPERATION=1,WHOLE=1" };
const scan = { template: "templates/scan", size: "n=5000,KIND=1,NUMBERS=1,WHOLE=8" };
const transpose = { template: "templates/transpose", size: "ROWS=64,COLUMNS=96" };
const stencil = { template: "templates/stencil7", size: "NX=128,NY=16,NZ=8,SWEEPS=2" };
const point = { BLOCK_X: 32, BLOCK_Y: 4, BLOCK_Z: 1, VECTOR: 1, ROWS: 1, DEPTH: 1 };
const subjects = [
  { ...gemm, configuration: { VARIANT: "naive", BLOCK_X: 16, BLOCK_Y: 8, UNROLL: 4 } },
  { ...gemm, configuration: { VARIANT: "smem_tiling", TILE_M: 8, TILE_N: 16, TILE_K: 8, STAGES: 1, PAD: 1, UNROLL: 4 } },
  { ...gemm, configuration: { VARIANT: "smem_tiling", TILE_M: 8, TILE_N: 16, TILE_K: 16, STAGES: 2, PAD: 1, UNROLL: 4 } },
  { ...gemm, configuration: { VARIANT: "joint", TILE_T: 64, TILE_U: 16, TILE_S: 8, COLUMNS: 1, UNROLL: 4, PREFETCH: 1, PAD: 4, MIN_BLOCKS: 2 } },
  { ...gemm, size: "M=256,N=128,K=32", configuration: { VARIANT: "thread_coarsening", TILE_M: 128, TILE_N: 64, TILE_K: 16, REG_M: 8, REG_N: 8, LANES_M: 4, VECTOR: 4, PAD: 4, STAGES: 2, UNROLL: 16, MIN_BLOCKS: 2, RASTER: 1 } },
  { ...mri, configuration: { VARIANT: "scatter", TRIG: "precise", BLOCK: 64, STAGGER: 1, VOXELS: 1 } },
  { ...mri, configuration: { VARIANT: "gather", TRIG: "sfu", BLOCK: 64, STAGGER: 0, VOXELS: 1 } },
  { ...mri, configuration: { VARIANT: "registers", TRIG: "precise", BLOCK: 64, VOXELS: 2, UNROLL: 2 } },
  { ...mri, configuration: { VARIANT: "constant_soa", TRIG: "precise", BLOCK: 64, CHUNK: 32, VOXELS: 2, UNROLL: 2 } },
  { ...mri, configuration: { VARIANT: "constant_aos", TRIG: "precise", BLOCK: 64, CHUNK: 32, VOXELS: 2, UNROLL: 2 } },
  { ...mri, configuration: { VARIANT: "readonly", TRIG: "precise", BLOCK: 64, VOXELS: 2, UNROLL: 2 } },
  { ...mri, configuration: { VARIANT: "lean", TRIG: "sfu", BLOCK: 32, FETCH: "shared", CHUNK: 32, VOXELS: 4, UNROLL: 1, SPREAD: 0, SPLIT: 1, MIN_BLOCKS: 0, POLYNOMIAL: 1, POLYNOMIAL_VOXELS: 0 } },
  { ...mri, configuration: { VARIANT: "rotation", TRIG: "precise", BLOCK: 32, FETCH: "readonly", CHUNK: 32, VOXELS: 4, GROUPS: 2, RESEED: 2, UNROLL: 1, SPREAD: 3, SPLIT: 1, MIN_BLOCKS: 0 } },
  { ...mri, configuration: { VARIANT: "symmetric", TRIG: "sfu", BLOCK: 32, FETCH: "constant", CHUNK: 32, VOXELS: 4, GROUPS: 2, UNROLL: 1, SPREAD: 0, SPLIT: 1, MIN_BLOCKS: 0 } },
  { ...dcs, configuration: { VARIANT: "scatter", BLOCK_X: 64, BLOCK_Y: 1, UNROLL: 1, PADDED: 0, COARSEN: 1, ROWS: 1 } },
  { ...dcs, configuration: { VARIANT: "gather", BLOCK_X: 32, BLOCK_Y: 4, UNROLL: 4, PADDED: 0, COARSEN: 1, ROWS: 1 } },
  { ...dcs, configuration: { VARIANT: "constant", BLOCK_X: 32, BLOCK_Y: 4, CHUNK: 64, UNROLL: 4, PADDED: 1, PREFETCH: 1, COARSEN: 1, ROWS: 1 } },
  { ...dcs, configuration: { VARIANT: "slices", BLOCK_X: 32, BLOCK_Y: 4, CHUNK: 64, UNROLL: 4, PADDED: 0, PREFETCH: 1, COARSEN: 1, ROWS: 1 } },
  { ...dcs, configuration: { VARIANT: "coarsened_adjacent", BLOCK_X: 16, BLOCK_Y: 4, COARSEN: 2, ROWS: 1, CHUNK: 64, UNROLL: 4, PADDED: 0 } },
  { ...dcs, configuration: { VARIANT: "coarsened_interleaved", BLOCK_X: 16, BLOCK_Y: 4, COARSEN: 2, ROWS: 1, CHUNK: 64, UNROLL: 4, PADDED: 1 } },
  { ...dcs, configuration: { VARIANT: "tiled", BLOCK_X: 16, BLOCK_Y: 2, COARSEN: 2, ROWS: 2, FETCH: "shared", CHUNK: 8, UNROLL: 1, SPREAD: 3, SPLIT: 1, MIN_BLOCKS: 0, PADDED: 0, NEWTON: 1, NEWTON_ROWS: 0 } },
  ...["neighboured_divergent", "neighboured_dense", "interleaved", "unrolled", "last_warp", "shuffle"].map((VARIANT, i) => ({
    ...reduction, size: `n=262144,OPERATION=${1 + i % 5},WHOLE=1`,
    configuration: { VARIANT, FINISH: ["two_pass", "atomic", "last"][i % 3], BLOCK: 128, ITEMS: 2, UNROLL: 2, VECTOR: 1 } })),
  { ...reduction, configuration: { VARIANT: "cascade", FINISH: "two_pass", BLOCK: 128, ITEMS: 2, UNROLL: 2, VECTOR: 4 } },
  { ...reduction, size: "n=262144,OPERATION=5,WHOLE=1", configuration: { VARIANT: "last_warp", FINISH: "two_pass", BLOCK: 128, ITEMS: 2, UNROLL: 1, VECTOR: 2 } },
  ...["kogge_stone", "double_buffered", "brent_kung_modulo", "brent_kung"].map((VARIANT) =>
    ({ ...scan, configuration: { VARIANT, BLOCK: 64, ITEMS: VARIANT === "brent_kung" ? 2 : 1, VECTOR: 1 } })),
  { ...scan, configuration: { VARIANT: "three_phase", BLOCK: 64, ITEMS: 4, VECTOR: 1, SCAN: "kogge_stone", PAD: 1 } },
  { ...scan, size: "n=70001,KIND=2,NUMBERS=1,WHOLE=8", configuration: { VARIANT: "hierarchical", BLOCK: 64, ITEMS: 4, VECTOR: 2, SCAN: "brent_kung", PAD: 1, STREAM: 0 } },
  { ...scan, configuration: { VARIANT: "stream", BLOCK: 64, ITEMS: 4, VECTOR: 2, SCAN: "shuffle", PAD: 0, STREAM: 0 } },
  { ...scan, configuration: { VARIANT: "lookback", BLOCK: 64, ITEMS: 8, VECTOR: 4, SCAN: "rows", PAD: 0, STREAM: 0, WINDOW: 8, DELAY: 0, DYNAMIC: 1 } },
  { ...scan, configuration: { VARIANT: "ahead", BLOCK: 64, ITEMS: 8, VECTOR: 4, SCAN: "rows", PAD: 0, STREAM: 0, WINDOW: 32, DELAY: 0, AHEAD: 2, PER_SM: 2 } },
  ...["naive_read", "naive_write"].map((VARIANT) => ({ ...transpose, configuration: { VARIANT, TILE_X: 16, TILE_Y: 8, ITEMS: 1 } })),
  ...["tiled", "padded", "unrolled", "swizzled", "diagonal"].map((VARIANT) => ({ ...transpose, configuration: {
    VARIANT, TILE_X: 32, TILE_Y: 16, ITEMS: /unrolled|diagonal|swizzled/.test(VARIANT) ? 2 : 1, PAD: /tiled|swizzled/.test(VARIANT) ? 0 : 1 } })),
  { ...transpose, configuration: { VARIANT: "vector", TILE_X: 32, TILE_Y: 32, ITEMS: 16, VECTOR: 4, RASTER: 2, STREAM: 0, FETCH: 0 } },
  { ...transpose, size: "ROWS=61,COLUMNS=96", configuration: {
    VARIANT: "aligned", TILE_X: 32, TILE_Y: 16, ITEMS: 4, PAD: 1, VECTOR: 2, GRAIN: 8, STEPS: 2, RASTER: 2, STREAM: 0, FETCH: 0 } },
  { ...transpose, size: "ROWS=125,COLUMNS=97", configuration: {
    VARIANT: "bulk", TILE_X: 32, TILE_Y: 32, ITEMS: 8, GRAIN: 8, STEPS: 4, STAGES: 2, UNROLL: 1, RASTER: 2, STREAM: 0 } },
  { ...stencil, configuration: { ...point, VARIANT: "naive", BLOCK_Z: 2, CHUNK: 1 } },
  ...["pencil", "registers"].map((VARIANT) => ({ ...stencil, configuration: { ...point, VARIANT, CHUNK: 4, UNROLL: 1 } })),
  { ...stencil, configuration: { ...point, VARIANT: "plane", CHUNK: 4, UNROLL: 1, HALO: "cache", AHEAD: 0, STREAM: 0 } },
  { ...stencil, size: "NX=128,NY=16,NZ=9,SWEEPS=2", configuration: { ...point, VARIANT: "vector", VECTOR: 2, CHUNK: 4, UNROLL: 1, HALO: "shared", AHEAD: 1, STREAM: 0 } },
  { ...stencil, configuration: { ...point, VARIANT: "patch", VECTOR: 2, ROWS: 2, CHUNK: 4, UNROLL: 1, AHEAD: 1, STREAM: 0 } },
  { ...stencil, configuration: { ...point, VARIANT: "temporal", VECTOR: 2, ROWS: 2, DEPTH: 2, CHUNK: 4, UNROLL: 1, STREAM: 0 } },
  { template: "tests/campaign/kernels/window", size: "n=1024,taps=5", configuration: { BLOCK: 64, UNROLL: 2 } },
];

// Parameters, and the sizes that the template defines.
function defines({ configuration, size, macros }) {
  const sizes = size.split(",").filter((one) => macros.includes(one.split("=")[0])).map((one) => `-D${one}`);
  return sizes.concat(Object.entries(configuration).flatMap(([name, value]) => [`-D${name}=${value}`, `-D${name}_${value}=1`]));
}

// The file and those that it includes in this configuration.
function closure(folder, file, subject) {
  const done = spawnSync("g++", ["-MM", "-MT", "made", "-DTUNE_CPU", "-w", ...defines(subject), "-x", "c++", file], { cwd: folder, encoding: "utf8" });
  assert.equal(done.status, 0, done.stderr);
  return done.stdout.replace(/^made:|\\\n/g, " ").trim().split(/\s+/).map((name) => join(name));
}

function describe(subject) {
  const folder = join(repository, subject.template);
  const name = basename(subject.template);
  const template = readFileSync(join(folder, `${name}.template`), "utf8");
  const main = subject.configuration.VARIANT ? `${subject.configuration.VARIANT}.cu` : `${name}.cu`;
  const variants = { joint: "joint_reg_smem.cu", ...(name === "stencil7" ? { vector: "plane.cu" } : {}) };
  subject.folder = folder;
  subject.name = name;
  subject.macros = [...template.matchAll(/^define (.*)/gm)].flatMap(([, names]) => names.split(/, */));
  subject.template = `${name}.template`;
  subject.sources = closure(folder, variants[subject.configuration.VARIANT] ?? main, subject);
  subject.references = [...template.matchAll(/^reference "([^"]+)"/gm)].map(([, file]) => file);
  subject.space = "one.space";
  const values = Object.entries(subject.configuration).map(([key, value]) => `param ${key} = [${JSON.stringify(value)}]\n`);
  subject.spaceText = `space one of ${name}\n${values.join("")}`;
  subject.text = (file) => file === "one.space" ? subject.spaceText : readFileSync(join(folder, file), "utf8");
  subject.label = `${name}${subject.configuration.VARIANT ? ` ${subject.configuration.VARIANT}` : ""}`;
  return subject;
}

// The lines of a template's blocks that the configuration takes. Conditions that compare parameters with
// constants are evaluated, unless they are in a branch not taken: they may name parameters that the configuration lacks.
// Others are taken to hold.
function taken(subject, text) {
  const sizes = Object.fromEntries(subject.size.split(",").map((one) => one.split("=")).map(([name, value]) => [name, Number(value)]));
  const known = { ...sizes, ...subject.configuration };
  const comparison = /^(?:\w+ == "\w+"(?: or \w+ == "\w+")*|\w+ in \["\w+"(?:, "\w+")*\]|[A-Z_]+(?: (?:==|>) \d+)?)$/;
  const holds = (condition) => new Function(...Object.keys(known), `return !!(${condition.replace(/\bor\b/g, "||").replace(/(\w+) in (\[.*\])/, "$2.includes($1)")})`)(...Object.values(known));
  const stack = [];
  return text.split("\n").map((line) => {
    const code = line.replace(/#.*/, "").trim();
    const [, otherwise, condition] = /^(\} el)?if (.*) \{$/.exec(code) ?? [];
    if (otherwise || code === "} else {") Object.assign(stack.at(-1), { now: !stack.at(-1).done, done: true });
    else if (code.endsWith("{")) stack.push({ now: true, done: true });
    else if (code === "}") stack.pop();
    if (condition && comparison.test(condition) && stack.every(({ now }) => now))
      stack.at(-1).now = stack.at(-1).done = holds(condition);
    return stack.every(({ now }) => now);
  });
}

// Is the buffer that a line declares used by the configuration?
function used(subject, text, number) {
  const [, name] = /^buffer (\w+)/.exec(text.split("\n")[number - 1]) ?? [];
  const lines = taken(subject, text);
  return !name || text.split("\n").some((line, i) => lines[i] && /^ /.test(line) && new RegExp(`\\b${name}\\b`).test(line.replace(/#.*/, "").replace(/"[^"]*"/g, "")));
}

// What the compiler sees of a source: code in a branch that is not compiled can hold no mistake.
function preprocessed(subject, file, text) {
  const done = spawnSync("g++", ["-E", "-P", "-DTUNE_CPU", "-w", ...defines(subject), "-I", join(subject.folder, dirname(file)), "-x", "c++", "-"],
    { input: text, encoding: "utf8" });
  return done.stdout;
}

// ---- one mutant

function run(folder, ...args) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: folder, env: { ...environment(folder), XDG_CACHE_HOME: join(home, "cache") }, stdio: ["ignore", "pipe", "pipe"] });
    const done = { out: "", err: "" };
    child.stdout.on("data", (data) => { done.out += data; });
    child.stderr.on("data", (data) => { done.err += data; });
    child.on("close", (status, signal) => resolve({ ...done, status, signal }));
  });
}

const common = (subject) => [`./${subject.name}`, "--space", "./one.space", "--device", "cpu", "--json", "--quiet", "--deadline", "20s", "--jobs", "1"];

async function sweep(folder, subject) {
  const done = await run(folder, ...common(subject), "--size", subject.size);
  if (![0, 1, 2].includes(done.status)) throw new Error(`tune ended with ${done.status ?? done.signal}: ${done.err}`);
  const result = done.out ? JSON.parse(done.out) : {};
  const rows = Object.keys(result.failed ?? {});
  return { caught: done.status === 2 || (!result.best?.length && !rows.length) ? "error" : result.best?.length ? null : rows[0],
    reused: result.reused ?? 0, text: done.err.trim() };
}

async function checkAt(folder, subject, ...size) {
  const done = await run(folder, "check", ...common(subject), "--seed", "1", ...size);
  if (![0, 1, 2].includes(done.status)) throw new Error(`tune check ended with ${done.status ?? done.signal}: ${done.err}`);
  const kinds = done.out ? (JSON.parse(done.out).devices ?? []).flatMap(({ findings }) => findings.map(({ kind }) => kind)) : [];
  return { caught: done.status === 0 ? null : kinds[0] ?? "error", text: done.err.trim() };
}

// At the sizes that check chooses; then at the one that was swept, as who is about to use it would.
async function check(folder, subject) {
  const usual = await checkAt(folder, subject);
  return usual.caught ? usual : checkAt(folder, subject, "--size", subject.size);
}

function lay(subject, folder) {
  cpSync(subject.folder, join(folder, subject.name), { recursive: true });
  for (const file of subject.sources.filter((file) => file.startsWith("..")))
    cpSync(join(subject.folder, file), join(folder, subject.name, file));
  writeFileSync(join(folder, "one.space"), subject.spaceText);
}

function put(subject, folder, mutation, text) {
  if (mutation.file === "one.space") return writeFileSync(join(folder, "one.space"), text);
  if (!mutation.included) return writeFileSync(join(folder, subject.name, mutation.file), text);
  // The file includes its old text from a folder of its own, which no list of sources names.
  const path = join(folder, subject.name, mutation.file);
  const body = join(dirname(path), "inner", `${basename(path)}.inl`);
  mkdirSync(dirname(body), { recursive: true });
  writeFileSync(path, `#include "inner/${basename(body)}"\n`);
  writeFileSync(body, text.replace(/^#include "/gm, '#include "../'));
}

async function judge(mutation, number) {
  const { subject } = mutation;
  const folder = join(home, String(number));
  mkdirSync(folder);
  lay(subject, folder);
  if (mutation.included) {
    put(subject, folder, mutation, subject.text(mutation.file));
    const before = await sweep(folder, subject);
    assert.equal(before.caught, null, `${subject.label} as it is: ${before.caught}: ${before.text}`);
  }
  put(subject, folder, mutation, mutation.text);
  const validation = await sweep(folder, subject);
  const stale = mutation.included && validation.caught === null && validation.reused > 0;
  const checked = await check(folder, subject);
  rmSync(folder, { recursive: true, force: true });
  return { mutation, validation: validation.caught, check: checked.caught, stale };
}

// ---- the campaign

// As many of each kind as there are, up to an equal share.
function choose(all, count) {
  const kinds = Map.groupBy ? Map.groupBy(all, ({ kind }) => kind) : all.reduce((map, one) => map.set(one.kind, [...(map.get(one.kind) ?? []), one]), new Map());
  const lists = [...kinds.values()].map((list) => random.shuffle(list)).sort((a, b) => a.length - b.length);
  const chosen = [];
  lists.forEach((list, i) => {
    let left = Math.ceil((count - chosen.length) / (lists.length - i));
    for (const mutation of list) {
      if (left === 0) break;
      const { subject, file, line, text } = mutation;
      if (subject.sources.includes(file) && preprocessed(subject, file, text) === preprocessed(subject, file, subject.text(file))) continue;
      if (file === subject.template && !(taken(subject, subject.text(file))[line - 1] && used(subject, subject.text(file), line))) continue;
      chosen.push(mutation);
      left--;
    }
  });
  return chosen;
}

const find = (list, { subject, file, what }) => list.find((entry) => entry.file.test(basename(file)) && entry.what.test(what) && (!entry.subject || entry.subject.test(subject.label)));

function tabulate(results) {
  const share = (part, whole) => whole ? `${part} (${Math.round(100 * part / whole)} %)` : "0";
  const lines = ["| mistake | mutants | harmless | harmful | error before any run | validation alone | `tune check` alone | either |", "|---|---|---|---|---|---|---|---|"];
  const row = (name, list) => {
    const harmful = list.filter((one) => !one.harmless);
    const count = (test) => share(harmful.filter(test).length, harmful.length);
    lines.push(`| ${name} | ${list.length} | ${list.length - harmful.length} | ${harmful.length} | ${count(({ validation }) => validation === "error")} `
      + `| ${count(({ validation }) => validation && validation !== "error")} | ${count(({ check }) => check && check !== "error")} | ${count(({ validation, check }) => validation || check)} |`);
  };
  for (const kind of [...new Set(results.map(({ mutation }) => mutation.kind))].sort()) row(kind, results.filter(({ mutation }) => mutation.kind === kind));
  row("all", results);
  return lines.join("\n");
}

// Do it for each, as many at a time as there are jobs.
async function each(list, work) {
  let next = 0;
  await Promise.all(Array.from({ length: Number(options.jobs) }, async () => {
    while (next < list.length) {
      const number = next++;
      await work(list[number], number);
    }
  }));
}

await campaign(async () => {
  const described = subjects.map(describe).filter(({ label }) => new RegExp(options.subject).test(label));
  await each(described, async (subject, number) => {
    const folder = join(home, `subject-${number}`);
    mkdirSync(folder);
    lay(subject, folder);
    const valid = await sweep(folder, subject);
    assert.equal(valid.caught, null, `${subject.label} as it is: ${valid.text}`);
    if (options.kind || Number(options.mutants) > 100) assert.equal((await check(folder, subject)).caught, null, `check of ${subject.label} as it is`);
  });
  const all = described.flatMap((subject) => [...mutations(subject)].map((mutation) => ({ ...mutation, subject })))
    .filter(({ kind }) => new RegExp(options.kind).test(kind));
  const chosen = choose(all, Number(options.mutants));
  const results = [];
  await each(chosen, async (mutation, number) => {
    const result = await judge(mutation, number);
    const survived = !result.validation && !result.check;
    result.harmless = survived && !result.stale && find(harmless, mutation);
    result.missed = survived && !result.stale && !result.harmless && find(missed, mutation);
    result.escaped = result.stale || (survived && !result.harmless && !result.missed);
    results.push(result);
    if (process.env.CAMPAIGN_VERBOSE || result.escaped)
      console.log(`${result.stale ? "STALE   " : result.escaped ? "ESCAPED " : result.missed ? "missed  " : result.harmless ? "harmless" : "caught  "} ${mutation.kind} | ${mutation.subject.label} | ${mutation.file}:${mutation.line} | ${mutation.what} | ${result.validation ?? "valid"} | ${result.check ?? "no finding"}`);
  });
  const table = tabulate(results);
  console.log(`${all.length} possible mutants, ${chosen.length} run, seed ${options.seed}\n\n${table}`);
  if (options.table) writeFileSync(options.table, `${table}\n`);
  assert.equal(existsSync(program), true);
  assert.deepEqual(results.filter(({ escaped }) => escaped).map(({ mutation }) => `${mutation.file}:${mutation.line}: ${mutation.what}`), []);
});

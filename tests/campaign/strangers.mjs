// SPDX-License-Identifier: Apache-2.0
/* eslint no-control-regex: "off" */
// Files that others have damaged or forged, at random from a seed: databases with flipped bits, hostile values in every
// column of a database, and damaged or swapped entries of the cache of images. Whatever reads a database ends by itself,
// with an answer or an error, in time and in clean UTF-8; and no image but the right one is ever measured.
//
//     TUNE=build/tune node strangers.mjs [--databases N] [--values N] [--entries N] [--seed N] [--jobs N]
import assert from "node:assert/strict";
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, cpSync, linkSync, lstatSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TextDecoder, parseArgs } from "node:util";
import { environment, kernels, program } from "../program/tune.mjs";
import { campaign, home, nothingIsLeft, query, startSweep, temporary, tiny } from "./campaign.mjs";
import { generator } from "./random.mjs";

const { values: options } = parseArgs({ options: Object.fromEntries(["databases", "values", "entries", "seed", "jobs"].map((name) => [name, { type: "string" }])) });
const wanted = (name, usual) => Number(options[name] ?? usual);
const random = generator(wanted("seed", 1));
const whole = (most) => Math.floor(random() * most);
const faults = join(kernels, "faults"), seconds = 120;
const tally = (counts, key) => counts.set(key, (counts.get(key) ?? 0) + 1);
const text = (counts) => [...counts].sort().map(([key, count]) => `${key}: ${count}`).join(", ");

// ---- databases

let original; // one with results, failures and runs
function makeDatabase() {
  const place = join(home, "made");
  mkdirSync(place);
  const sweep = (...args) => spawnSync(program, [faults, "--device", "cpu", "--quiet", "--seed", "1", ...args], { cwd: place, env: environment(place), encoding: "utf8" });
  sweep("--space", "all", "--budget", "12", "--deadline", "5s");
  const done = sweep("--space", "good", "--budget", "6");
  assert.equal(done.status, 0, done.stderr);
  execFileSync("sqlite3", [join(place, "tune.db"), "pragma journal_mode = delete"]);
  original = readFileSync(join(place, "tune.db"));
  return join(place, "cache");
}

// The last takes as long as some forty others.
const readers = [
  ["best", "--json"], ["best"], ["list", "runs", "--json"], ["list", "runs"], ["report", "-o", "out"], ["export", "faults"],
  ["simulate", "tune.db", "--strategy", "random", "--repeats", "1", "--json"],
  [faults, "--space", "good", "--device", "cpu", "--budget", "1", "--seed", "1", "--quiet", "--json"],
];

// C0 but newlines, DEL, C1, direction, separators, byte order marks.
const forbidden = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

// Run a reader of a database in its folder. Its status; whatever else is a finding.
function read(place, args, what) {
  return new Promise((resolve) => {
    execFile(program, args, { cwd: place, env: environment(place), encoding: "buffer", maxBuffer: 1 << 28, timeout: 1000 * seconds, killSignal: "SIGKILL" }, (error, out, err) => {
      const status = error ? error.code : 0, told = `${what}: tune ${args.join(" ")}`;
      assert.ok([0, 1, 2].includes(status), `${told}: ${error?.signal ?? status}: ${err}`);
      for (const bytes of [out, err]) assert.doesNotMatch(decoder.decode(bytes), forbidden, told);
      if (status === 0 && args.includes("--json")) JSON.parse(out);
      resolve(status);
    });
  });
}

// Do `one(number, place)` for each number, some at a time, each in a folder of its own.
async function each(count, cache, one) {
  let next = 0;
  const work = async (job) => {
    const place = join(home, `job${job}`);
    mkdirSync(place, { recursive: true });
    cpSync(cache, join(place, "cache"), { recursive: true });
    for (let number = next++; number < count; number = next++) await one(number, place);
    rmSync(place, { recursive: true });
  };
  await Promise.all(Array.from({ length: wanted("jobs", 2) }, (_, job) => work(job)));
}

function clear(place) {
  for (const name of readdirSync(place)) if (name !== "cache") rmSync(join(place, name), { recursive: true });
}

async function flippedDatabases(count, cache) {
  const statuses = new Map();
  await each(count, cache, async (number, place) => {
    const bytes = Buffer.from(original), flips = 1 + whole(64), at = whole(2) ? whole(bytes.length) : 0; // some all over, some in one page
    for (let i = 0; i < flips; i++) bytes[at ? Math.min(bytes.length - 1, at + whole(4096)) : whole(bytes.length)] ^= 1 << whole(8);
    clear(place);
    writeFileSync(join(place, "tune.db"), bytes);
    tally(statuses, `status ${await read(place, readers[number % readers.length], `flipped database ${number}`)}`);
  });
  console.log(`${count} databases with flipped bits: ${text(statuses)}`);
}

// ---- values

const blob = (bytes) => `x'${Buffer.from(bytes).toString("hex")}'`;
const quoted = (string) => `'${string.replaceAll("'", "''")}'`;
const numbers = ["0", "-1", "1", "2147483647", "-2147483649", "9223372036854775807", "-9223372036854775808", "1e308", "-1e308", "9e999", "-9e999", "1e-320", "0.1"];
const strings = ["", "x", "NaN", "-inf", "null", "\x1b[2J\x1b]0;t\x07", "\u0085\u009b31m\u202e\u2066", "<script>alert(1)</script>", "]]>-->\"'`", "../../../etc/passwd", "/dev/zero", "a\nb\r\nc",
  "'; drop table evaluation; --", "{", "[]", "{}", "[[[[[[[[", "{\"a\": 1e999}", "{\"KIND\": \"good\"}", "{\"\": {\"\": []}}", "%s%n%d", "-", "--help", "good", "ok", "cpu", "2026-99-99T99:99:99Z", "\ufeff", "\ud83d\ude00"];
const generators = [
  () => random.one(numbers), () => quoted(random.one(strings)), () => "null", () => String(Math.floor((random() - 0.5) * 2 ** whole(64))), () => String((random() - 0.5) * 10 ** whole(300)),
  () => blob(Array.from({ length: whole(40) }, () => whole(256))), () => `cast(${blob(Array.from({ length: 1 + whole(40) }, () => whole(256)))} as text)`,
  () => quoted(random.one(strings).repeat(1 + whole(2000))), () => `zeroblob(${whole(1 << 20)})`, () => quoted("[".repeat(1 + whole(5000))), () => quoted(random.one(strings) + random.one(strings)),
];

function columns() {
  const path = join(home, "columns.db");
  writeFileSync(path, original);
  return query(path, "select m.name as t, c.name as c from sqlite_schema m, pragma_table_xinfo(m.name) c where m.type = 'table' and m.name not like 'sqlite_%' and c.hidden = 0 order by 1, 2");
}

async function hostileValues(count, cache) {
  const BATCH = 100, all = columns(), statuses = new Map(), made = join(home, "values");
  let refused = 0;
  for (let first = 0; first < count; first += BATCH) {
    const cases = Array.from({ length: Math.min(BATCH, count - first) }, (_, i) => {
      const { t, c } = all[(first + i) % all.length];
      return { t, c, value: random.one(generators)(), reader: whole(40) ? readers[whole(readers.length - 1)] : readers.at(-1), path: join(made, `${i}.db`) };
    });
    rmSync(made, { recursive: true, force: true });
    mkdirSync(made);
    for (const { path } of cases) writeFileSync(path, original);
    spawnSync("sqlite3", ["-batch"], { input: cases.map(({ t, c, value, path }) => `.open ${path}\npragma ignore_check_constraints = 1;\nupdate or ignore "${t}" set "${c}" = ${value};\n`).join("") });
    await each(cases.length, cache, async (number, place) => {
      const { t, c, value, reader, path } = cases[number];
      if (original.equals(readFileSync(path))) { // a key, or a type that the table insists on
        refused++;
        return;
      }
      clear(place);
      copyFileSync(path, join(place, "tune.db"));
      tally(statuses, `status ${await read(place, reader, `${t}.${c} = ${value.slice(0, 100)}`)}`);
    });
  }
  console.log(`${count} hostile values in ${all.length} columns: ${refused} refused by SQLite, ${text(statuses)}`);
}

// ---- entries of the cache

const images = join(home, "cache", "tune", "images");
const entries = () => readdirSync(images).filter((name) => /^[0-9a-f]{32}$/.test(name) && lstatSync(join(images, name)).isFile());
const flipped = (bytes) => {
  for (let i = 1 + whole(8); i > 0; i--) bytes[whole(bytes.length)] ^= 1 << whole(8);
  return bytes;
};
const damages = {
  flipped: (path) => writeFileSync(path, flipped(readFileSync(path))),
  "header flipped": (path) => { const bytes = readFileSync(path); bytes[whole(64)] ^= 1 << whole(8); writeFileSync(path, bytes); },
  truncated: (path) => { const bytes = readFileSync(path); writeFileSync(path, bytes.subarray(0, whole(bytes.length))); },
  lengthened: (path) => writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.alloc(1 + whole(100))])),
  zeroed: (path) => writeFileSync(path, Buffer.alloc(readFileSync(path).length)),
  "another's": (path, other) => copyFileSync(other, path),
  exchanged: (path, other) => { const one = readFileSync(path); copyFileSync(other, path); writeFileSync(other, one); },
  "a link": (path, other) => { rmSync(path); symlinkSync(other, path); },
  "a hard link": (path, other) => { rmSync(path); linkSync(other, path); },
  "a pipe": (path) => { rmSync(path); execFileSync("mkfifo", [path]); },
};

async function sweep(database) {
  const child = startSweep(tiny, "mixed", database, { options: ["--jobs", "2", "--deadline", "60s"] });
  const { status, signal } = await child.ended;
  assert.equal(status, 0, `${signal}: ${child.errors}`);
  await nothingIsLeft();
  return query(database, "select configuration, outcome from evaluation order by 1");
}

async function damagedEntries(count) {
  const kinds = new Map(), expected = await sweep(join(home, "first.db"));
  let damaged = 0;
  for (let round = 0; damaged < count; round++) {
    for (const name of random.shuffle(entries())) {
      if (damaged === count) break;
      if (!entries().includes(name)) continue; // it was exchanged, and is a link now
      const others = entries().filter((other) => other !== name), kind = random.one(Object.keys(damages));
      damages[kind](join(images, name), join(images, random.one(others)));
      tally(kinds, kind);
      damaged++;
    }
    assert.deepEqual(await sweep(join(home, `${round}.db`)), expected, `round ${round}`);
  }
  console.log(`${damaged} damaged or swapped entries of the cache, never a wrong image: ${text(kinds)}`);
}

async function main() {
  console.log(`seed ${options.seed ?? 1}`);
  mkdirSync(temporary, { recursive: true });
  const cache = makeDatabase();
  await flippedDatabases(wanted("databases", 1100), cache);
  await hostileValues(wanted("values", 10006), cache);
  await damagedEntries(wanted("entries", 234));
}

await campaign(main);

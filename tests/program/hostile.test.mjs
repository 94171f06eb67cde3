// SPDX-License-Identifier: Apache-2.0
/* eslint no-control-regex: "off" */
// Texts of others that would act on a terminal: whatever the command, the option or the file, nothing but text and newlines
// is printed, and JSON is JSON. On a terminal colors of our own are added, and nothing else.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { TextDecoder } from "node:util";
import { environment, folder, kernels, program, thorough } from "./tune.mjs";
import { writeRecording } from "./simulated.mjs";

// Each of these acts on some terminal, or is no text at all.
const acts = {
  "a screen that is cleared": "\x1b[2J\x1b[H", "a title": "\x1b]0;title\x07", "C1 controls": "\u0085\u009b31m", "a carriage return": "\rtune: fine",
  "an override of direction": "\u202e\u2066txt\u2069\u202c", "separators": "\u2028\u2029", "DEL and backspace": "\x7f\x08\x08", "a tab": "\t",
  "a byte order mark": "\ufeff",
};
const everything = Object.values(acts).join("");
const badUtf8 = [0xff, 0x9b, 0x33, 0x31, 0x6d, 0xc0, 0xaf, 0xed, 0xa0, 0x80, 0xe2, 0x82]; // C1 in a byte, overlong, a surrogate, cut
const hostile = Buffer.concat([Buffer.from(everything), Buffer.from(badUtf8)]);

// A part by default, as what prints a text is the same whatever the text: all with TUNE_TEST_ALL=1.
const texts = (...all) => (thorough ? all : [hostile]);

// C0 but newlines, DEL, C1, direction, separators, byte order marks.
const forbidden = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/;

function clean(bytes, what) {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }); // throws at what is not UTF-8
  let decoded;
  try { decoded = text.decode(bytes); } catch { assert.fail(`${what}: not UTF-8: ${JSON.stringify(bytes.toString("latin1"))}`); }
  const found = forbidden.exec(decoded);
  assert.equal(found, null, `${what}: ${JSON.stringify(decoded.slice(Math.max(0, (found?.index ?? 0) - 100), (found?.index ?? 0) + 60))}`);
  return decoded;
}

// A shell that becomes the program, since node turns arguments into UTF-8: $1, $2, ... are printf's \ooo escapes.
function shell(args, variables) {
  const octal = (word) => [...Buffer.from(word)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
  const script = [...Object.entries(variables).map(([name, value]) => `export ${name}="$(printf '${octal(value)}x')"; ${name}="\${${name}%x}"`),
    "set --", ...args.map((word) => `set -- "$@" "$(printf '${octal(word)}x')"`),
    'for word; do shift; set -- "$@" "${word%x}"; done', `exec '${program}' "$@"`].join("\n");
  return ["sh", ["-c", script]];
}

// Run the program; an argument may be a Buffer. Returns { status, stdout, stderr } as text, which is clean.
function run(home, args, { variables = {}, json = args.includes("--json") } = {}) {
  const plain = [...args, ...Object.values(variables)].every((word) => typeof word === "string" && word.isWellFormed?.() !== false);
  const [command, words] = plain ? [program, args] : shell(args, variables);
  const env = { ...environment(home), LC_ALL: "C", ...(plain ? variables : {}) };
  const done = spawnSync(command, words, { cwd: home, env, maxBuffer: 1 << 28, timeout: 120000 });
  const what = args.map(String).join(" ");
  assert.equal(done.signal, null, what);
  assert.ok([0, 1, 2].includes(done.status), `${what}: ${done.status} ${done.stderr}`);
  const result = { status: done.status, stdout: clean(done.stdout, `stdout of ${what}`), stderr: clean(done.stderr, `stderr of ${what}`) };
  assert.doesNotMatch(result.stderr, /out of memory/, what);
  if (json && result.status === 0) JSON.parse(result.stdout);
  return result;
}

const shows = (text, what) => assert.match(text, /\\x1b\[2J/, what);
const faults = join(kernels, "faults");

// A database with one sweep, made once.
let swept, place;
before(() => {
  place = mkdtempSync(join(tmpdir(), "tune-hostile-"));
  run(place, [faults, "--space", "all", "--device", "cpu", "--quiet", "--budget", "12", "--seed", "1", "--deadline", "5s"]); // all kinds of failures
  const done = run(place, [faults, "--space", "good", "--device", "cpu", "--quiet", "--budget", "6", "--seed", "1"]);
  assert.equal(done.status, 0, done.stderr);
  run(place, ["best"]); // loads what comes with tune, once for all copies
  swept = join(place, "tune.db");
});
after(() => rmSync(place, { recursive: true, force: true }));

function database(home) {
  const path = join(home, "tune.db");
  copyFileSync(swept, path);
  return path;
}

function sqlite(path, statements) {
  const done = spawnSync("sqlite3", [path], { input: `${statements}\n`, encoding: "utf8" });
  assert.equal(done.status, 0, done.stderr);
  return done.stdout.trim().split("\n");
}

// Whatever reads a database.
const readers = [["best"], ["best", "--json"], ["list", "runs"], ["list", "runs", "--json"], ["report"], ["export"], ["export", "-o", "out.json"],
  ["best", faults], ["best", faults, "--json"], ["best", faults, "--header", "--device", "cpu"], ["run", faults, "--device", "cpu", "--json"],
  ["export", faults, "--known", "-o", "known.json"], ["simulate", "--recorded", "tune.db", "--strategy", "random", "--repeats", "2", "--json"],
  ["simulate", "--recorded", "tune.db", "--strategy", "random", "--repeats", "2", "-o", "page"]];

test("every column of a database", (t) => {
  const home = folder(t), path = database(home);
  const columns = sqlite(path, "select m.name || ' ' || p.name from sqlite_schema m, pragma_table_info(m.name) p where m.type = 'table' and p.pk = 0 and upper(p.type) in ('TEXT', '') order by 1;")
    .map((line) => line.split(" ")).filter(([table]) => !table.startsWith("sqlite_"));
  assert.ok(columns.length > 30, String(columns.length));
  for (const [i, [table, column]] of columns.filter((_, i) => thorough || i % 3 === 0).entries()) {
    database(home);
    // A byte and the text, so that values that have to differ still do; columns that check what they hold keep it.
    spawnSync("sqlite3", [path], { input: `pragma writable_schema = 0; pragma ignore_check_constraints = 1;\nupdate or ignore ${table} set ${column} = cast(x'${hostile.toString("hex")}' || rowid as text);\n` });
    run(home, readers[i % 6]); // by turns
  }
});

test("all columns of texts at once, with every reader", (t) => {
  const home = folder(t), path = database(home);
  for (const [table, column] of [["device", "name"], ["device", "architecture"], ["toolchain", "driver"], ["toolchain", "compiler"], ["space", "name"],
    ["run", "strategy"], ["run", "status"], ["run", "started_at"], ["run", "ended_at"], ["evaluation", "message"], ["evaluation", "measured_at"]])
    spawnSync("sqlite3", [path], { input: `pragma ignore_check_constraints = 1;\nupdate or ignore ${table} set ${column} = cast(x'${hostile.toString("hex")}' || rowid as text);\n` });
  for (const args of readers) run(home, args);
  shows(run(home, ["best"]).stdout, "best");
  shows(run(home, ["list", "runs"]).stdout, "list runs");
  assert.match(JSON.stringify(JSON.parse(run(home, ["best", "--json"]).stdout)), /\\u001b\[2J/);
  run(home, [faults, "--space", "all", "--device", "cpu", "--budget", "12", "--seed", "1", "--deadline", "2s"]);
  for (const file of readdirSync(join(home, "report"))) clean(readFileSync(join(home, "report", file)), file);
});

test("configurations of a database with hostile names and values", (t) => {
  const home = folder(t), path = database(home);
  const configuration = JSON.stringify({ KIND: everything, BLOCK: 4, [everything]: everything }).replaceAll("'", "''");
  sqlite(path, `update or ignore evaluation set configuration = '${configuration}' where outcome = 'ok';`);
  for (const args of readers) run(home, args);
  sqlite(path, "update or ignore evaluation set configuration = 'no JSON' || char(27) || '[2J';");
  for (const args of readers) run(home, args);
});

test("arguments and options", (t) => {
  const home = folder(t);
  const options = { tune: ["space", "size", "device", "db", "strategy", "budget", "patience", "seed", "objective", "jobs", "deadline"],
    run: ["size", "device", "db", "seed", "deadline"], best: ["size", "device", "db", "objective", "output"], report: ["db", "output"], list: ["db"],
    show: ["space", "size", "device"], check: ["space", "size", "device", "seed", "sample", "jobs", "deadline"],
    simulate: ["recorded", "strategy", "traces", "repeats", "parallel", "seed", "jobs", "output"], import: ["db", "output", "kernel-name", "device-name"],
    export: ["space", "size", "device", "db", "output"] };
  const quick = [faults, "--device", "cpu", "--space", "good", "--budget", "1"];
  const starts = { tune: quick, run: ["run", faults, "--device", "cpu"], check: ["check", faults, "--device", "cpu", "--space", "good", "--sample", "1"], simulate: ["simulate", writeRecording(home)] };
  for (const [command, names] of Object.entries(options)) {
    const start = command === "tune" ? [] : [command];
    const full = starts[command] ?? [command, "gemm"];
    const word = (before) => Buffer.concat([Buffer.from(before), hostile]);
    for (const before of ["", "--", "-", "A="]) run(home, [...start, word(before)]);
    run(home, [...start, "none", hostile]);
    for (const name of names.filter((_, i) => thorough || i % 12 === 0)) run(home, [...full, word(`--${name}=`)]);
    if (names.includes("device")) run(home, [...full, "--device", "cpu:\x1b[2J"]);
  }
  shows(run(home, ["list", "\x1b[2J"]).stderr, "an argument");
  shows(run(home, ["list", "--\x1b[2J"]).stderr, "an option");
});

test("values of the environment", (t) => {
  const home = folder(t);
  const commands = [["list", "devices", "--json"], ["best"], ["report"], ["list"], ["show", "gemm", "--device", "cpu"]];
  for (const [turn, value] of texts(hostile, "/\x1b[2J/x").entries()) {
    for (const [i, name] of ["TUNE_DB", "XDG_DATA_HOME", "XDG_CACHE_HOME", "HOME", "TMPDIR", "TUNE_CXX", "TUNE_HOME", "LANG", "TERM", "COLUMNS", "CUDA_HOME"].entries()) {
      const some = thorough ? commands.filter((_, k) => (i + k) % 2 === turn % 2) : commands.slice(0, 2); // the others with the other value
      for (const args of some) run(home, args, { variables: { [name]: value } });
    }
    for (const name of ["TMPDIR", "XDG_CACHE_HOME", "TUNE_CXX"])
      run(home, ["run", faults, "--device", "cpu", "--db", join(home, "own.db"), "--deadline", "20s"], { variables: { [name]: value } });
  }
});

// Names of files as far as the system takes them: no slash, no NUL.
const fileName = Buffer.from("n\x1b[2J\u202e\u009b\r\n\t\x7f\xe9");

test("paths of templates, spaces, folders and files", (t) => {
  const home = folder(t), room = join(home, fileName.toString());
  mkdirSync(room);
  cpSync(faults, join(room, "faults"), { recursive: true });
  writeFileSync(join(room, "faults", "\x1b[2J.space"), "space other of faults\nparam X = [1]\n");
  const mine = join(room, "faults");
  for (const args of [["show", mine, "--device", "cpu"], ["show", mine, "--device", "cpu", "--json"], ["show", mine, "--space", "all", "--device", "cpu", "--json"],
    ["show", mine, "--space", "none", "--device", "cpu"], ["show", mine, "--space", "\x1b[2J", "--device", "cpu"],
    ["show", mine, "--space", join(mine, "\x1b[2J.space"), "--device", "cpu"],
    [mine, "--space", "all", "--device", "cpu", "--budget", "6", "--seed", "1", "--deadline", "30s"], [mine, "--space", "good", "--device", "cpu", "--budget", "3", "--json"],
    ["run", mine, "--device", "cpu"], ["run", mine, "--device", "cpu", "--json"], ["check", mine, "--space", "good", "--device", "cpu", "--sample", "1"],
    ["check", mine, "--space", "good", "--device", "cpu", "--sample", "1", "--json"], ["report", "-o", join(room, "report")], ["report", "-o", join(mine, "faults.cu")],
    ["best", "--db", join(room, "other.db")], ["import", join(room, "nothing")], ["export", "-o", join(room, "x", "y")]]) run(home, args);
  const recording = writeRecording(home);
  const named = join(room, "r\x1b[2J_T4.json");
  copyFileSync(recording, named);
  for (const args of [["import", named], ["import", named, "--kernel-name", everything, "--device-name", hostile], ["best"], ["best", "--json"],
    ["simulate", named, "--strategy", "random", "--repeats", "2"], ["simulate", named, named, "--strategy", "random", "--repeats", "2", "--json"],
    ["simulate", named, "--strategy", "random", "--repeats", "2", "-o", join(room, "page")]]) run(home, args);
});

test("a path that is not UTF-8", (t) => {
  const home = folder(t), bytes = Buffer.concat([Buffer.from(`${home}/`), Buffer.from([0x78, 0xe9, 0xff])]);
  mkdirSync(bytes);
  cpSync(faults, join(home, "copy"), { recursive: true });
  spawnSync("sh", ["-c", `cp -r copy "$(printf '${[...bytes].map((byte) => `\\${byte.toString(8)}`).join("")}')/faults"`], { cwd: home });
  const mine = Buffer.concat([bytes, Buffer.from("/faults")]);
  for (const args of [["show", mine, "--device", "cpu"], ["show", mine, "--device", "cpu", "--json"], ["show", mine, "--space", "all", "--device", "cpu", "--json"],
    [mine, "--space", "good", "--device", "cpu", "--budget", "3"], ["run", mine, "--device", "cpu"], ["check", mine, "--space", "good", "--device", "cpu", "--sample", "1"],
    ["report", "-o", Buffer.concat([bytes, Buffer.from("/report")])], ["list", "runs", "--db", Buffer.concat([bytes, Buffer.from("/x.db")])]]) run(home, args);
});

test("texts of templates, spaces and kernels", (t) => {
  const home = folder(t), mine = join(home, "mine");
  for (const [turn, text] of texts(Buffer.from(everything), hostile).entries()) {
    for (const [i, [file, before, behind]] of [
      ["faults.template", "", ""], ["faults.template", "template ", "\n"], ["faults.template", 'template faults "', '"\n'],
      ["good.space", "space good of faults \"", '"\nset KIND = "good"\nparam BLOCK = [1, 2]\n'], ["good.space", "space good of faults\nset KIND = \"", '"\nparam BLOCK = [1, 2]\n'],
      ["good.space", "space good of faults\nset KIND = \"good\"\nparam BLOCK = [1, 2] # ", "\nwhere BLOCK < 1\n"],
      ["good.space", "space good of faults\nset KIND = \"good\"\nparam BLOCK = [1, 2] ", "\n"],
      ["faults.cu", '#error "', '"\n'], ["faults.cu", 'int x = "', '";\n'],
    ].entries()) {
      if (i % 2 !== turn) continue; // by turns
      cpSync(faults, mine, { recursive: true, force: true });
      const old = readFileSync(join(mine, file));
      const whole = before && file.endsWith(".template") ? old.subarray(old.indexOf("\n") + 1) : file.endsWith(".space") ? "" : old;
      writeFileSync(join(mine, file), Buffer.concat([Buffer.from(before), text, Buffer.from(behind), Buffer.from(whole)]));
      for (const args of [["show", mine, "--device", "cpu"], ["show", mine, "--space", "good", "--device", "cpu"], ["show", mine, "--space", "good", "--device", "cpu", "--json"],
        [mine, "--space", "good", "--device", "cpu", "--budget", "2", "--seed", "1"], ["run", mine, "--device", "cpu", "--db", "new.db"], ["list", "runs"], ["report"],
        ["export", "--t1", mine, "--space", "good", "--device", "cpu"]]) run(home, args);
    }
  }
});

// A kernel's own output comes back in the message of a configuration that crashes.
test("what kernels and compilers print", (t) => {
  const home = folder(t), mine = join(home, "mine");
  cpSync(faults, mine, { recursive: true });
  const octal = [...hostile].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
  const source = readFileSync(join(mine, "faults.cu"), "utf8");
  writeFileSync(join(mine, "faults.cu"), source.replace(/\{/, `{ printf("${octal}\\n"); if (blockIdx.x == 0 && threadIdx.x == 0) *(volatile int *)8 = 1;`));
  run(home, [mine, "--space", "good", "--device", "cpu", "--budget", "2"]);
  const failed = run(home, ["run", mine, "--device", "cpu"]);
  assert.notEqual(failed.status, 0);
  run(home, ["check", mine, "--space", "good", "--device", "cpu", "--sample", "1"]);
  run(home, ["check", mine, "--space", "good", "--device", "cpu", "--sample", "1", "--json"]);
  writeFileSync(join(mine, "faults.cu"), source);
  const compiler = join(home, "g++");
  writeFileSync(compiler, `#!/bin/sh\nfor word; do [ "$word" = --version ] && exec g++ --version; done\nprintf '${octal}'; printf 'k.cu:1:1: error: ${octal}\\n' >&2; exit 1\n`);
  chmodSync(compiler, 0o755);
  const crashed = run(home, [mine, "--space", "good", "--device", "cpu", "--budget", "2", "--no-cache", "--fresh"], { variables: { TUNE_CXX: compiler } });
  shows(crashed.stdout + crashed.stderr, "the compiler's words");
  run(home, ["run", mine, "--device", "cpu", "--json"], { variables: { TUNE_CXX: compiler } });
  writeFileSync(compiler, `#!/bin/sh\nprintf '${octal}\\n'; exec g++ "$@"\n`);
  for (const args of [["list", "devices"], ["list", "devices", "--json"], ["run", mine, "--device", "cpu"]]) run(home, args, { variables: { TUNE_CXX: compiler } });
});

test("device descriptions, T4 files, Kernel Tuner's caches, T1 files and traces", (t) => {
  const home = folder(t);
  const device = JSON.parse(run(home, ["list", "devices", "--json"]).stdout)[0];
  const evil = { ...device };
  for (const [key, value] of Object.entries(device)) if (typeof value === "string" && key !== "kind") evil[key] = everything.slice(0, 40);
  const t4 = { metadata: { timeunit: "milliseconds", device: everything }, results: [1, 2, 3].map((x) => ({ configuration: { x, [everything]: everything },
    invalidity: "correct", timestamp: everything, times: { compilation: 1, validation: 1 }, measurements: [{ name: "time", value: x }] })) };
  const failing = { ...t4, results: [...t4.results, { configuration: { x: 4, [everything]: everything }, invalidity: "compile", measurements: [{ name: "time", value: everything }], times: {} }] };
  const unknown = { ...t4, results: [{ configuration: {}, invalidity: everything, measurements: [], times: {} }] };
  const unit = { ...t4, metadata: { timeunit: everything } };
  const cache = { kernel_name: everything, device_name: everything, tune_params: { x: [1, 2], [everything]: [everything] }, tune_params_keys: ["x", everything],
    cache: Object.fromEntries([1, 2].map((x) => [`${x},${everything}`, { x, [everything]: everything, time: x, timestamp: everything }])) };
  const t1 = { General: { BenchmarkName: everything }, ConfigurationSpace: { TuningParameters: [{ Name: everything, Type: everything, Values: everything }], Conditions: [{ Expression: everything }] },
    KernelSpecification: { Language: "CUDA", KernelName: everything, KernelFile: everything, GlobalSizeType: everything, Arguments: [{ Name: everything, Type: everything }] } };
  const valid = { General: { BenchmarkName: everything }, ConfigurationSpace: { TuningParameters: [{ Name: "A", Type: "int", Values: "[1, 2]", Default: 1 }], Conditions: [] },
    KernelSpecification: { Language: everything, KernelName: "k", KernelFile: everything, GlobalSizeType: "CUDA", LocalSize: { X: "A" }, GlobalSize: { X: "1" }, GridDivX: [], ProblemSize: [1], Arguments: [] } };
  const traces = { strategy: everything, [everything]: everything, traces: [everything] };
  for (const [name, value] of Object.entries({ "device.json": evil, "t4.json": t4, "failing.json": failing, "unknown.json": unknown, "unit.json": unit, "cache.json": cache, "t1.json": t1, "valid.json": valid, "traces.json": traces })) {
    const text = Buffer.from(JSON.stringify(value));
    const places = [text, Buffer.concat([text.subarray(0, text.length - 1), hostile]), Buffer.concat([hostile, text]), Buffer.concat([Buffer.from('{"'), hostile, Buffer.from('": 1}')])];
    for (const [turn, bytes] of places.entries()) {
      writeFileSync(join(home, name), bytes);
      for (const [k, args] of [["show", "gemm", "--device", name], ["show", "gemm", "--device", name, "--space", "joint_reg_smem", "--json"], ["best", "gemm", "--device", name, "--size", "M=64,N=64,K=64"],
        ["import", name, "-o", join(home, "imported")], ["simulate", name, "--strategy", "random", "--repeats", "2"], ["simulate", name, "--strategy", "random", "--repeats", "2", "--json"],
        ["simulate", name, "--strategy", "random", "--repeats", "2", "-o", "page"], ["simulate", "t4.json", "--traces", name]].entries()) {
        if (turn === 0 || k % (places.length - 1) === turn - 1) run(home, args); // what is no JSON by turns
      }
    }
    writeFileSync(join(home, name), text);
  }
  for (const args of [["list", "runs"], ["best"], ["best", "--json"], ["report"], ["export"], ["simulate", "tune.db", "--strategy", "random", "--repeats", "2", "--json"]]) run(home, args);
});

test("on a terminal nothing is added but styles and, while something is drawn, the movements of that", (t) => {
  if (spawnSync("script", ["-qec", "true", "/dev/null"]).status !== 0) return t.skip("no script(1) here");
  const home = folder(t), path = database(home);
  for (const [table, column] of [["device", "name"], ["evaluation", "message"], ["run", "strategy"]])
    spawnSync("sqlite3", [path], { input: `pragma ignore_check_constraints = 1;\nupdate or ignore ${table} set ${column} = cast(x'${hostile.toString("hex")}' || rowid as text);\n` });
  for (const [words, drawn] of [["best"], ["list runs"], [`'${faults}' --space good --device cpu --budget 6 --seed 3`, true]]) {
    const done = spawnSync("script", ["-qec", `'${program}' ${words}`, "/dev/null"], { cwd: home, env: { ...environment(home), TERM: "xterm-256color", LC_ALL: "C.UTF-8" }, maxBuffer: 1 << 28 });
    const own = drawn ? /\x1b\[(?:0|1|2|1;3[12])m|\x1b\[\d*[AKJ]|\r/g : /\x1b\[(?:0|1|2|1;3[12])m|\r(?=\n)/g;
    clean(Buffer.from(done.stdout.toString("latin1").replace(own, ""), "latin1"), words);
  }
});

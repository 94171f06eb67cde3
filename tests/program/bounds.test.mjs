// SPDX-License-Identifier: Apache-2.0
// Files that are large, endless or nobody's: an answer or an error at once, with a bound on memory. The test runner's limit of
// time is what fails where something is waited for.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { environment, folder, kernels, program, sanitized, tune } from "./tune.mjs";
import { writeRecording } from "./simulated.mjs";

const seconds = 60;
const shell = (home, script) => spawnSync("bash", ["-c", script], { encoding: "utf8", cwd: home, env: { ...environment(home), TUNE: program }, timeout: 1000 * seconds });
function refused(done, says, what) {
  assert.equal(done.signal, null, `${what} was waited for`);
  assert.equal(done.status, 2, `${what}: ${done.stdout}${done.stderr}`);
  assert.match(done.stderr, says, what);
}

test("named pipes, folders and devices are refused at once", (t) => {
  const home = folder(t), recording = writeRecording(home);
  execFileSync("mkfifo", [join(home, "pipe"), join(home, "pipe.json"), join(home, "pipe.space")]);
  for (const [command, says] of [
    ['"$TUNE" import pipe', /cannot open pipe: it is a named pipe\n {4}hint: .*<\(COMMAND\)/], ['"$TUNE" simulate pipe', /named pipe/],
    [`"$TUNE" simulate ${recording} --traces pipe`, /named pipe/], ['"$TUNE" show gemm --device pipe.json', /named pipe/],
    ['"$TUNE" show gemm --space ./pipe.space --device cpu', /cannot read .*pipe.space: it is not a regular file/],
    ['"$TUNE" import .', /it is a folder/], ['"$TUNE" simulate .', /it is a folder/], ['"$TUNE" import /dev/zero', /it is a device, not a file/],
    ['"$TUNE" simulate /dev/zero', /it is a device/], ['ln -s /dev/zero z.json; "$TUNE" show gemm --device z.json', /it is a device/],
  ]) refused(shell(home, command), says, command);
});

test("pipes that a shell hands over are read", (t) => {
  const home = folder(t), recording = writeRecording(home);
  for (const command of [`cat ${recording} | "$TUNE" import /dev/stdin --kernel-name k --device-name d`, `"$TUNE" import <(sleep 0.2; cat ${recording}) --kernel-name k --device-name d`,
    `"$TUNE" simulate <(gzip -c ${recording}) --strategy random --repeats 1`, `cat ${recording} | "$TUNE" simulate /dev/stdin --strategy random --repeats 1`,
    `"$TUNE" show gemm --space joint_reg_smem --device <("$TUNE" list devices --json | sed '1d;$d')`]) {
    const done = shell(home, command);
    if (/--device <\(/.test(command)) assert.match(done.stderr, /unknown device/); // descriptions are told by their ending
    else assert.equal(done.status, 0, `${command}: ${done.stderr}`);
  }
});

test("a small compressed file that would fill the memory", { skip: sanitized && "AddressSanitizer needs address space" }, (t) => {
  const home = folder(t);
  writeFileSync(join(home, "bomb.json.gz"), gzipSync(Buffer.alloc(200 << 20, "[],"), { level: 1 }));
  for (const command of ["import", "simulate"])
    refused(shell(home, `ulimit -v 600000; "$TUNE" ${command} bomb.json.gz`), /grows more than 100-fold when uncompressed, to over 16 MiB/, command);
});

// A part of it is too much already, and sanitizers slow the program.
const many = sanitized ? 20000 : 100000;

// Each of these took minutes.
test("spaces with declarations by the hundred thousand", (t) => {
  const home = folder(t), place = join(home, "faults");
  cpSync(join(kernels, "faults"), place, { recursive: true });
  const each = (line) => Array.from({ length: many }, (_, i) => line(i)).join("");
  const write = (text) => writeFileSync(join(place, "many.space"), `space many of faults\nset KIND = "good"\nparam BLOCK = [32, 64]\n${text}\n`);
  const show = () => spawnSync(program, ["show", place, "--space", "many", "--device", "cpu", "--json"], { encoding: "utf8", cwd: home, env: environment(home), maxBuffer: 1 << 28, timeout: 1000 * seconds });
  for (const [what, text, valid] of [
    ["wheres", each((i) => `where BLOCK != ${i}\n`), 0], ["wheres that hold", each((i) => `where BLOCK < ${100 + i}\n`), 2],
    ["conjunctions", `where ${each((i) => `BLOCK != ${100 + i} and `)} BLOCK > 32`, 1], ["a chain of comparisons", `where 1 ${each(() => " < BLOCK <= BLOCK + 1")} < 0`, 0],
    ["members", `where BLOCK in [${each((i) => `${i}, `)}]`, 2],
  ]) {
    write(text);
    const done = show();
    assert.equal(done.signal, null, what);
    assert.equal(done.status, 0, `${what}: ${done.stderr}`);
    assert.equal(JSON.parse(done.stdout).valid, valid, what);
  }
  write(each((i) => `let l${i} = ${i}\n`));
  refused(show(), /many.space:10004:\d+: there are more than 10000 lets/, "lets");
  // A let that reads two others took exponential time.
  write(`let l0 = BLOCK\nlet l1 = BLOCK\n${Array.from({ length: 300 }, (_, i) => `let l${i + 2} = (l${i + 1} + l${i}) % 1000\n`).join("")}where l300 in [i for i in range(1000)]`);
  assert.equal(JSON.parse(show().stdout).valid, 2);
});

test("files with keys by the hundred thousand", (t) => {
  const home = folder(t);
  const keys = Object.fromEntries(Array.from({ length: many }, (_, i) => [`p${i}`, 1]));
  writeFileSync(join(home, "t4.json"), JSON.stringify({ metadata: { timeunit: "milliseconds" }, results: [{ configuration: keys, invalidity: "correct", measurements: [{ name: "time", value: 1 }], times: {} }] }));
  writeFileSync(join(home, "cache.json"), JSON.stringify({ tune_params_keys: Object.keys(keys), cache: { a: { ...keys, time: 1 } } }));
  writeFileSync(join(home, "t1.json"), JSON.stringify({ General: { BenchmarkName: "k" }, ConfigurationSpace: { TuningParameters: Object.keys(keys).map((Name) => ({ Name, Type: "int", Values: "[1]" })) }, KernelSpecification: {} }));
  const run = (...args) => spawnSync(program, args, { encoding: "utf8", cwd: home, env: environment(home), timeout: 1000 * seconds });
  for (const file of ["t4.json", "cache.json"])
    for (const command of ["import", "simulate"]) refused(run(command, file), /recording .* has more than 1000 parameters/, `${command} ${file}`);
  refused(run("import", "t1.json"), new RegExp(`there are ${many} tuning parameters; at most 1000 are supported`), "T1");
  writeFileSync(join(home, "traces.json"), JSON.stringify({ traces: Array.from({ length: many }, (_, i) => ({ strategy: `s${i}` })) }));
  refused(run("simulate", writeRecording(home), "--traces", "traces.json"), /"traces" has more than 10000 entries/, "traces");
});

// JSON's numbers end at 1.8e308, and so do sums and products of what is smaller.
test("numbers that are not finite are not called a lack of memory", (t) => {
  const home = folder(t), recording = writeRecording(home);
  const t4 = (times, value, timeunit = "seconds") => writeFileSync(join(home, "t4.json"), JSON.stringify({ metadata: { timeunit },
    results: [1, 2, 3].map((x) => ({ configuration: { x }, invalidity: "correct", times, measurements: [{ name: "time", value }] })) }));
  for (const [times, value, says] of [[{ runtimes: [1e300] }, 1, /sample 1 is too large for a time/], [{ compilation: 1e300 }, 1, /its compilation of 1e\+300 s is more than/],
    [{ validation: 1e250, benchmark: 1e308 }, 1, /more than 1e\+12 s/], [{}, 1e18, /its time of 1e\+18 s/]]) {
    t4(times, value);
    for (const command of ["import", "simulate"]) refused(tune(home, command, "t4.json"), says, JSON.stringify(times));
  }
  assert.equal(tune(home, "import", recording).status, 0);
  const sweep = tune(home, join(kernels, "faults"), "--space", "good", "--device", "cpu", "--budget", "3", "--quiet");
  assert.equal(sweep.status, 0, sweep.stderr);
  const reals = ["time_ns", "time_low_ns", "time_high_ns", "error_ratio", "energy_j", "energy_error_j", "occupancy", "compile_seconds", "validate_seconds", "measure_seconds", "framework_seconds"];
  const original = readFileSync(join(home, "tune.db"));
  for (const value of ["9e999", "-9e999", "1e308", "1e-308"]) {
    for (const [turn, columns] of (sanitized ? [reals] : [reals, ["time_ns"], ["energy_j"], reals.slice(6)]).entries()) {
      writeFileSync(join(home, "tune.db"), original);
      spawnSync("sqlite3", [join(home, "tune.db")], { input: columns.map((column) => `pragma ignore_check_constraints = 1; update evaluation set ${column} = ${value};`).join("\n") });
      const column = columns.join();
      for (const [k, args] of [["best"], ["best", "--json"], ["list", "runs", "--json"], ["report"], ["export", "faults"], ["simulate", "tune.db", "--strategy", "random", "--repeats", "1", "--json"],
        [join(kernels, "faults"), "--space", "good", "--device", "cpu", "--budget", "1", "--quiet", "--json"]].entries()) {
        if (turn > 0 && k % 3 !== turn - 1) continue; // of a part of them, by turns
        const done = tune(home, ...args);
        assert.doesNotMatch(done.stderr, /memory/, `${column} = ${value}: ${args}`);
        assert.ok([0, 1, 2].includes(done.status), `${column} = ${value}: ${args}: ${done.signal}`);
        if (done.status === 0 && (args.includes("--json") || args[0] === "export")) JSON.parse(done.stdout);
      }
    }
  }
  spawnSync("sqlite3", [join(home, "tune.db")], { input: "update problem set flops = 9e999, bytes = -9e999;" });
  for (const args of [["best"], ["best", "--json"], ["report"]]) assert.equal(tune(home, ...args).status, 0);
});

test("options with empty values", (t) => {
  const home = folder(t), recording = writeRecording(home), faults = join(kernels, "faults");
  const all = { tune: ["space", "size", "device", "db", "strategy", "budget", "patience", "seed", "objective", "jobs", "deadline"],
    run: ["size", "device", "db", "seed", "deadline"], best: ["size", "device", "db", "objective", "output"], report: ["db", "output"], list: ["db"],
    show: ["space", "size", "device"], check: ["space", "size", "device", "seed", "sample", "jobs", "deadline"],
    simulate: ["recorded", "strategy", "traces", "repeats", "parallel", "seed", "jobs", "output"], import: ["db", "output", "kernel-name", "device-name"], export: ["space", "size", "device", "db", "output"] };
  const starts = { tune: [faults], run: ["run", faults], best: ["best", "gemm"], report: ["report"], list: ["list", "runs"], show: ["show", faults], check: ["check", faults],
    simulate: ["simulate", recording], import: ["import", recording], export: ["export"] };
  for (const [command, names] of Object.entries(all)) {
    for (const name of names) {
      for (const option of [[`--${name}=`], [`--${name}`, ""]]) {
        const done = tune(home, ...starts[command], ...option);
        assert.equal(done.status, 2, `${command} --${name} '': ${done.stdout}${done.stderr}`);
        assert.match(done.stderr, new RegExp(`^tune: --${name}`), `${command} --${name} '': ${done.stderr}`);
      }
    }
    const bare = tune(home, ...(command === "tune" ? [] : [command]), "");
    assert.equal(bare.status, 2, `${command} '': ${bare.stderr}`);
  }
});

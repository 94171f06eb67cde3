// SPDX-License-Identifier: Apache-2.0
// What runs without a search: the answer for this problem, or for the nearest one whose configuration is valid here.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { environment, folder, json, kernels, program, query, swept, tune } from "./tune.mjs";

const on = ["--device", "cpu"];

// A kernel whose blocks must divide the size: of 48 and 64, 48 is valid at 480 and 64 at 640.
function workshop(t) {
  const home = folder(t), place = join(home, "mine");
  cpSync(join(kernels, "faults"), place, { recursive: true, filter: (path) => !path.endsWith(".space") });
  writeFileSync(join(place, "full.space"), `space full of faults
set   KIND = "good"
param BLOCK = [1, 48, 64]
where n % BLOCK == 0
where BLOCK > 1 or n < 400
default BLOCK = 64
`);
  const sweep = (n, ...more) => {
    const done = tune(home, place, "--space", "full", ...on, "--size", `n=${n}`, "--quiet", ...more);
    assert.equal(done.status, 0, done.stderr);
  };
  const run = (n, ...more) => tune(home, "run", place, ...on, "--size", `n=${n}`, ...more);
  return { home, place, sweep, run, json: (n, ...more) => JSON.parse(run(n, "--json", ...more).stdout) };
}

test("run answers from the nearest size whose configuration is valid", (t) => {
  const { sweep, run, json } = workshop(t);
  sweep(480); // 48
  sweep(6400); // 64
  assert.deepEqual([json(480).rule, json(480).configuration.BLOCK], ["exact", 48]);
  const near = json(960); // 48 is near, and valid
  assert.deepEqual([near.rule, near.configuration.BLOCK, near.known_for.size], ["size", 48, "n=480"]);
  assert.equal(near.known_for.octaves_away, 1);
  assert.match(run(960).stdout, /^from: +database at n=480, 1\.0 octave from here, measured \d{4}-/m);
  const far = json(640); // 48 is nearer, but does not divide it
  assert.deepEqual([far.rule, far.configuration.BLOCK, far.known_for.size], ["size", 64, "n=6400"]);
});

test("best --explain says what answers and what was considered", (t) => {
  const { home, place, sweep } = workshop(t);
  const explain = (n, ...more) => tune(home, "best", place, "--explain", ...on, "--size", `n=${n}`, ...more);
  sweep(480);
  sweep(6400);
  const { rule, configuration, considered } = JSON.parse(explain(640, "--json").stdout);
  assert.deepEqual([rule, configuration.BLOCK], ["size", 64]);
  assert.deepEqual(considered.map((row) => [row.size, row.valid_here]), [["n=480", false], ["n=6400", true]]);
  const text = explain(640).stdout;
  assert.match(text, /^from: +database at n=6400, 3\.3 octaves from here, /m);
  assert.match(text, /^ +0\.4 .* n=480 .* no .*BLOCK=48$/m);
  assert.match(explain(6400).stdout, /^from: +database, measured /m);
  assert.match(explain(320).stdout, /^configuration: KIND=good BLOCK=64$/m);
  for (const [args, what] of [[[place, "--header"], /--explain does not go with/], [[], /which template/]]) {
    const refused = tune(home, "best", "--explain", ...args);
    assert.equal(refused.status, 2, refused.stdout);
    assert.match(refused.stderr, what);
  }
});

test("best answers for the device at hand before it lists what is stored", (t) => {
  const { home, place, sweep } = workshop(t);
  const best = (...more) => tune(home, "best", place, ...more);
  const nothing = best(...on, "--size", "n=640");
  assert.deepEqual([nothing.status, nothing.stdout.split("\n").length], [1, 2]);
  assert.match(nothing.stdout, /^answer: KIND=good BLOCK=64 at n=640 on .* \(rule none: nothing is known /);
  assert.match(nothing.stderr, /runs a sweep/);
  sweep(480);
  const [answer, headings, ...rows] = best(...on, "--size", "n=480").stdout.trim().split("\n");
  assert.match(answer, /^answer: KIND=good BLOCK=48 at n=480 on .* \(rule exact: database, measured \d{4}-/);
  assert.match(headings, /^template +device +size /);
  assert.equal(rows.length, 1);
  const near = best("--size", "n=960"); // no row, but an answer; the device is the first that there is
  assert.deepEqual([near.status, near.stderr], [0, ""]);
  assert.match(near.stdout, /^answer: KIND=good BLOCK=48 at n=960 .* \(rule size: database at n=480, 1\.0 octave from here, .*\)\n$/);
  const [{ device }] = JSON.parse(best("--json").stdout);
  assert.match(best("--device", device).stdout, /^template/); // by name: any device that rows are of
});

test("what is too far away loses to the default", (t) => {
  const { home, place, sweep } = workshop(t);
  sweep(576, "--strategy", "exhaustive"); // 48 and 64
  const explain = (n) => json(tune(home, "best", place, "--explain", "--json", ...on, "--size", `n=${n}`));
  const near = explain(576 * 2 ** 11), far = explain(576 * 2 ** 13);
  assert.deepEqual([near.rule, far.rule, far.configuration.BLOCK], ["size", "none", 64]);
  assert.match(far.origin, /^the default of space full; the nearest result is more than 12 octaves away: database at n=576, 13\.\d octaves from here, /);
  assert.equal(far.considered.length, 1);
});

test("what the site knows answers, too, and is never written to", (t) => {
  const { home, place, sweep } = workshop(t);
  const site = join(home, "site");
  mkdirSync(site);
  const explain = (n, where) => {
    const done = spawnSync(program, ["best", place, "--explain", "--json", ...on, "--size", `n=${n}`], { encoding: "utf8", env: { ...environment(home), TUNE_SITE: where } });
    return { ...json(done), stderr: done.stderr };
  };
  sweep(480, "--db", join(home, "ours.db"));
  renameSync(join(home, "ours.db"), join(site, "ours.db"));
  const before = readFileSync(join(site, "ours.db"));
  const same = explain(480, site);
  assert.deepEqual([same.rule, same.layer, same.configuration.BLOCK, same.stderr], ["exact", "site", 48, ""]);
  assert.match(same.origin, /^site .*\/site\/ours\.db, measured /);
  sweep(1440); // 48 again
  const [near, far] = explain(1920, site).considered;
  assert.deepEqual([near.layer, near.size, far], ["database", "n=1440", undefined]);
  assert.deepEqual(readdirSync(site), ["ours.db"]);
  assert.deepEqual(readFileSync(join(site, "ours.db")), before);
  for (const broken of ["/nowhere", place]) { // nothing, and a folder without knowledge
    const without = explain(480, broken);
    assert.deepEqual([without.layer, without.rule], ["database", "size"]);
    if (broken !== place) assert.match(without.stderr, /^tune: cannot read \/nowhere: No such file or directory\n.*left out of what \$TUNE_SITE knows/);
  }
});

test("run says what the default would have been", (t) => {
  const { home, place, sweep, json, run } = workshop(t);
  const nothing = run(320, "--verify");
  assert.match(nothing.stdout, /^from: +nothing is known that is valid for this device and size: the default of space full/m);
  assert.match(nothing.stdout, /^default: +the same configuration$/m);
  sweep(480);
  const other = json(192, "--verify"); // both are valid
  assert.deepEqual([other.rule, other.configuration.BLOCK, other.default.configuration.BLOCK], ["size", 48, 64]);
  assert.equal(other.default.is_default, false);
  assert.ok(other.default.times_as_good > 0 && other.default.time_ns > 0);
  assert.match(run(192, "--verify").stdout, /^default: +\S+ [mun]?s \(95 % interval .*\); the answer is \S+ times as good by time$/m);
  assert.equal(json(192).default, undefined);
  assert.match(tune(home, "best", place, "--verify").stderr, /unrecognized option|--verify/);
});

test("the default is tried first, whatever the strategy", (t) => {
  const { home, sweep } = workshop(t);
  for (const strategy of ["random", "exhaustive", "auto", "genetic"]) {
    const database = join(home, `${strategy}.db`);
    sweep(192, "--strategy", strategy, "--budget", "1", "--db", database);
    assert.deepEqual(query(database, `select configuration from evaluation where ${swept}`), [{ configuration: '{"KIND":"good","BLOCK":64}' }], strategy);
  }
});

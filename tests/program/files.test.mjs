// SPDX-License-Identifier: Apache-2.0
// What the program writes, and where: only into folders that are its own, through no link that somebody planted.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { writeRecording } from "./simulated.mjs";
import { environment, folder, kernels, program, tune } from "./tune.mjs";

const kernel = join(kernels, "faults");
const sweep = [kernel, "--space", "good", "--device", "cpu", "--budget", "2", "--quiet"];
const precious = "nobody asked for this to be replaced\n";
const partials = (path) => readdirSync(path).filter((name) => name.endsWith(".partial"));

test("a sweep leaves a report folder that is not its own alone", (t) => {
  const home = folder(t), report = join(home, "report");
  mkdirSync(report);
  writeFileSync(join(report, "index.html"), precious);
  const done = tune(home, ...sweep);
  assert.equal(done.status, 0, done.stderr);
  assert.match(done.stderr, /report holds files that are not of a report; nothing was written/);
  assert.match(done.stderr, /tune report -o FOLDER/);
  assert.doesNotMatch(done.stdout, /^report:/m);
  assert.deepEqual(readdirSync(report), ["index.html"]);
  assert.equal(readFileSync(join(report, "index.html"), "utf8"), precious);
  const asked = tune(home, "report", "-o", "report");
  assert.equal(asked.status, 2, asked.stderr);
  assert.match(asked.stderr, /name a new or an empty folder with -o/);
  assert.deepEqual(readdirSync(report), ["index.html"]);
});

test("a sweep follows no link to a report folder, nor in one", (t) => {
  const home = folder(t), report = join(home, "report"), victim = join(home, "victim");
  mkdirSync(victim);
  symlinkSync("victim", report);
  const done = tune(home, ...sweep);
  assert.equal(done.status, 0, done.stderr);
  assert.match(done.stderr, /report is a symbolic link, which is not followed/);
  assert.deepEqual(readdirSync(victim), []);

  rmSync(report);
  assert.match(tune(home, ...sweep).stdout, /^report: .*report\/index\.html$/m);
  writeFileSync(join(victim, "file"), precious);
  rmSync(join(report, "index.html"));
  symlinkSync("../victim/file", join(report, "index.html"));
  assert.equal(tune(home, ...sweep).status, 0);
  assert.equal(readFileSync(join(victim, "file"), "utf8"), precious);
  assert.match(readFileSync(join(report, "index.html"), "utf8"), /^<!DOCTYPE html>/);
  assert.ok(lstatSync(join(report, "index.html")).isFile());
  assert.deepEqual(partials(report), []);
});

test("a report folder is written again, also one that an earlier version wrote", (t) => {
  const home = folder(t);
  for (let i = 0; i < 2; i++) assert.equal(tune(home, "report", "-o", "out").status, 0);
  rmSync(join(home, "out", ".tune-report"));
  const again = tune(home, "report", "-o", "out");
  assert.equal(again.status, 0, again.stderr);
  assert.ok(existsSync(join(home, "out", ".tune-report")));
});

test("a simulation tells at once that its folder is not its own", (t) => {
  const home = folder(t);
  mkdirSync(join(home, "out"));
  writeFileSync(join(home, "out", "simulation.html"), precious);
  const done = tune(home, "simulate", "--recorded", writeRecording(home), "--strategy", "random", "--repeats", "10", "-o", "out");
  assert.equal(done.status, 2, done.stderr);
  assert.match(done.stderr, /out holds files that are not of a report/);
  assert.doesNotMatch(done.stderr, /replays in/);
  assert.equal(readFileSync(join(home, "out", "simulation.html"), "utf8"), precious);
});

test("the policy of a page permits its own scripts and style, and nothing else", (t) => {
  const home = folder(t);
  tune(home, ...sweep);
  tune(home, "report", "-o", "out");
  tune(home, "simulate", "--recorded", writeRecording(home), "--strategy", "random", "--repeats", "10", "-o", "out");
  const pages = readdirSync(join(home, "out")).filter((name) => name.endsWith(".html"));
  assert.equal(pages.filter((name) => /^(index|simulation|device-.*)\.html$/.test(name)).length, pages.length);
  assert.ok(pages.length >= 3);
  const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const hashes = (page, expression) => [...page.matchAll(expression)].map(([, text]) => hash(text)).join(" ");
  for (const name of pages) {
    const page = readFileSync(join(home, "out", name), "utf8");
    const scripts = hashes(page, /<script>(.*?)<\/script>/gs), styles = hashes(page, /<style>(.*?)<\/style>/gs);
    const [, policy] = page.match(/<meta http-equiv="Content-Security-Policy" content="(.*?)">/);
    assert.equal(policy, `default-src 'none'; script-src ${scripts}; style-src ${styles}; img-src data:; base-uri 'none'; form-action 'none'`);
    assert.doesNotMatch(page.replace(/<script.*?<\/script>/gs, ""), /<[^>]* (style|on[a-z]+)=/, "an attribute that the policy forbids");
  }
});

test("an output file follows no link, and has the mode of the umask", (t) => {
  const home = folder(t), victim = join(home, "victim");
  writeFileSync(victim, precious);
  symlinkSync("victim", join(home, "link.h"));
  tune(home, ...sweep);
  const header = (path) => spawnSync("sh", ["-c", 'umask 027; exec "$0" "$@"', program, "best", kernel, "--device", "cpu", "--header", "-o", path],
    { encoding: "utf8", cwd: home, env: environment(home) });
  const refused = header("link.h");
  assert.equal(refused.status, 2, refused.stderr);
  assert.match(refused.stderr, /link\.h: it is a symbolic link, which is not followed/);
  assert.match(refused.stderr, /it leads to victim: name that file, or remove the link/);
  assert.equal(readFileSync(victim, "utf8"), precious);
  const written = header("new.h");
  assert.equal(written.status, 0, written.stderr);
  assert.equal(statSync(join(home, "new.h")).mode & 0o777, 0o640);
  assert.deepEqual(partials(home), []);
});

test("an output file may be the program's own output", (t) => {
  const home = folder(t);
  tune(home, ...sweep);
  const done = spawnSync("sh", ["-c", 'echo before > log; "$0" best "$1" --device cpu --header -o /dev/stdout >> log', program, kernel],
    { encoding: "utf8", cwd: home, env: environment(home) });
  assert.equal(done.status, 0, done.stderr);
  assert.match(readFileSync(join(home, "log"), "utf8"), /^before\n[^]*#define/);
});

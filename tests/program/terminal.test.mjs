// SPDX-License-Identifier: Apache-2.0
// Output on a terminal and in a pipe: color, width, progress.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { before, test } from "node:test";
import { environment, folder, kernels, program, sql, tune } from "./tune.mjs";

const quote = (word) => `'${word.replaceAll("'", "'\\''")}'`;

// Run the program in a pseudo-terminal of this width; `text` is all that it writes.
function inTerminal(home, columns, args, variables = {}) {
  const command = `stty cols ${columns}; ${[program, ...args].map(quote).join(" ")}`;
  const env = { ...environment(home), TERM: "xterm-256color", ...variables };
  for (const name of ["NO_COLOR", "CLICOLOR_FORCE", "COLUMNS", "LC_ALL", "LC_CTYPE", "LANG"]) if (!(name in variables)) delete env[name];
  const done = spawnSync("script", ["-qec", command, "/dev/null"], { encoding: "utf8", cwd: home, env });
  assert.equal(done.error, undefined);
  return { status: done.status, text: done.stdout.replaceAll("\r\n", "\n") };
}

const plain = (text) => text.replace(/\x1b\[[0-9;]*m/g, "");
// Without word of another sweep that is being waited for.
const own = (text) => text.replace(/^tune: waiting for .*\n/gm, "");
const widest = (text) => Math.max(...plain(text).split("\n").map((line) => [...line].length));
const sweep = (home) => [join(kernels, "faults"), "--space", "good", "--device", "cpu", "--budget", "6", "--db", join(home, "tune.db")];

let available;
before(() => { available = spawnSync("script", ["-qec", "true", "/dev/null"]).status === 0; });

test("color in a terminal only, and never against NO_COLOR or TERM=dumb", (t) => {
  if (!available) return t.skip("no script(1) here");
  const home = folder(t);
  const list = (variables) => inTerminal(home, 80, ["list"], variables).text;
  assert.match(list({}), /^\x1b\[1mtemplate .*\x1b\[0m$/m);
  for (const variables of [{ NO_COLOR: "1" }, { TERM: "dumb" }]) assert.doesNotMatch(list(variables), /\x1b/);
  assert.doesNotMatch(tune(home, "list").stdout, /\x1b/);
  const forced = spawnSync(program, ["list"], { encoding: "utf8", env: { ...environment(home), CLICOLOR_FORCE: "1", NO_COLOR: "" } });
  assert.match(forced.stdout, /^\x1b\[1mtemplate/);
});

test("tables fit the terminal and are whole in a pipe", (t) => {
  if (!available) return t.skip("no script(1) here");
  const home = folder(t);
  const pages = [["list"], ["list", "spaces"], ["list", "strategies"], ["best"], ["best", "gemm"],
    ["show", "gemm", "--device", "cpu"], ["show", "gemm", "--space", "joint_reg_smem", "--device", "cpu"]];
  for (const page of pages) {
    for (const columns of [80, 140]) {
      const { status, text } = inTerminal(home, columns, page);
      assert.equal(status, 0, text);
      const tables = text.replace(/^.*\.space:\d+:.*$/gm, ""); // notes have their place ahead, as a compiler's
      assert.ok(widest(tables) <= columns, `${page} at ${columns}: ${widest(tables)}`);
    }
  }
  // One line per row, with every parameter.
  const [answer, , ...lines] = tune(home, "best", "gemm").stdout.trim().split("\n");
  assert.match(answer, /^answer: VARIANT=/);
  const rows = JSON.parse(tune(home, "best", "gemm", "--json").stdout);
  assert.equal(lines.length, rows.length);
  assert.ok(widest(lines.join("\n")) > 140);
  lines.forEach((line, i) => {
    for (const [name, value] of Object.entries(rows[i].configuration)) assert.ok(line.includes(`${name}=${value}`), line);
  });
});

test("parameters that all rows share are printed once above the table", (t) => {
  if (!available) return t.skip("no script(1) here");
  const home = folder(t);
  const rows = JSON.parse(tune(home, "best", "gemm", "--json").stdout).map((row) => row.configuration);
  assert.ok(rows.length > 1);
  const shared = Object.entries(rows[0]).filter(([name, value]) => rows.every((row) => row[name] === value));
  assert.ok(shared.length > 0);
  const text = plain(inTerminal(home, 200, ["best", "gemm"]).text);
  const table = text.slice(text.indexOf("all rows: ")); // behind the answer
  assert.equal(table.split("\n")[0], `all rows: ${shared.map(([name, value]) => `${name}=${value}`).join(" ")}`);
  const [[name, value]] = shared;
  assert.equal(table.split(`${name}=${value}`).length, 2);
});

test("progress is redrawn, fits the width, and disappears at the end", (t) => {
  if (!available) return t.skip("no script(1) here");
  const home = folder(t);
  const { status, text } = inTerminal(home, 60, sweep(home));
  assert.equal(status, 0, text);
  assert.match(plain(text), /\[#*-*\] {2}\d+\/6 {2}\d+ %/); // a bar
  assert.match(plain(text), /best {2}\S+ [mun]s/);
  assert.match(text, /\d of \d compiling, \d of 1 measuring, \d+ queued/);
  assert.match(text, /\x1b\[\dA/); // drawn again
  const frames = text.split(/\x1b\[J/);
  for (const line of frames.slice(0, -1).flatMap((frame) => frame.split("\n")).filter((line) => line.includes("\x1b[K")))
    assert.ok([...plain(line).replace(/\x1b\[\d*[AK]|\r/g, "")].length < 60, line);
  assert.match(frames.at(-1), /^6 of 6 configurations/); // what follows stands where the frame was
  assert.match(text, /\x1b\[1;32m ?1 /); // the best row
});

test("no progress with --quiet, and no escape sequences in pipes", (t) => {
  const home = folder(t);
  if (available) {
    const { text } = inTerminal(home, 80, [...sweep(home), "--quiet"]);
    assert.doesNotMatch(text, /of \d+ compiling|\x1b\[\d*[AJK]/);
  }
  const piped = tune(home, ...sweep(home), "--fresh");
  assert.equal(piped.status, 0, piped.stderr);
  assert.doesNotMatch(piped.stderr + piped.stdout, /\x1b/);
  assert.match(own(piped.stderr), /^faults, space good, /);
  assert.equal(own(tune(home, ...sweep(home), "--fresh", "--quiet").stderr), "");
});

test("texts of a database cannot control the terminal or inject code into the header", (t) => {
  const home = folder(t);
  assert.equal(tune(home, ...sweep(home)).status, 0);
  sql(home, `update device set name = 'evil ' || char(27) || '[2J' || char(10) || '*/ #error' where kind = 'cpu'`);
  const device = JSON.parse(tune(home, "best", join(kernels, "faults"), "--json").stdout)[0].device;
  const header = () => tune(home, "best", join(kernels, "faults"), "--header", "--device", device);
  const named = header();
  assert.equal(named.status, 0, named.stderr);
  const compiled = spawnSync("gcc", ["-fsyntax-only", "-w", "-x", "c", "-"], { input: named.stdout.replace("#pragma once", ""), encoding: "utf8" });
  assert.equal(compiled.status, 0, named.stdout + compiled.stderr);
  sql(home, `update evaluation set configuration = json_set(configuration, '$.KIND', 'a' || char(10) || '#error') where outcome = 'ok'`);
  const best = tune(home, "best", join(kernels, "faults"));
  assert.equal(best.status, 0, best.stderr);
  assert.doesNotMatch(best.stdout, /\x1b/);
  assert.equal(best.stdout.trim().split("\n").length, 2);
  const refused = header();
  assert.equal(refused.status, 2);
  assert.equal(refused.stdout, "");
  assert.match(refused.stderr, /configuration cannot be #defines: parameter KIND/);
});

test("a time that the finals decided is marked", (t) => {
  const home = folder(t);
  assert.equal(tune(home, ...sweep(home)).status, 0);
  const [best] = JSON.parse(tune(home, "best", join(kernels, "faults"), "--json").stdout);
  const [{ n }] = sql(home, `select count(*) as n from final where evaluation = ${best.evaluation}`);
  assert.equal(best.finals, n > 0);
  const listed = tune(home, "best", join(kernels, "faults")).stdout;
  assert.equal(/measured in finals \d{4}/.test(listed), n > 0, listed);
});

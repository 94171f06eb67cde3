// SPDX-License-Identifier: Apache-2.0
// --strategy exec:PROGRAM: the example sweeps and is scored; a program that fails ends the search with an error.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { writeRecording } from "./simulated.mjs";
import { folder, json, kernels, refuses, source, sql, tune } from "./tune.mjs";

const script = join(source, "tuner", "examples", "strategy.py"), example = `exec:python3 ${script}`;

test("the example is a strategy like any other", (t) => {
  const home = folder(t), recording = writeRecording(home);
  const replay = () => json(tune(home, "simulate", "--json", "--quiet", "--recorded", recording, "--strategy", example, "--repeats", "4"));
  const first = replay();
  assert.equal(first.strategies[0].name, example);
  assert.ok(first.strategies[0].p > 0.1, `${first.strategies[0].p}`); // always the same: by the seed
  assert.deepEqual(replay(), first);
  const swept = json(tune(home, join(kernels, "heat", "heat.template"), "--device", "cpu", "--quiet", "--json", "--strategy", example));
  assert.equal(swept.done, 2);
  assert.deepEqual(sql(home, "select strategy from run where objective <> 'GB/s'"), [{ strategy: example }]);
  assert.match(tune(home, "list", "strategies").stdout, /^exec +a program of your own, exec:PROGRAM/m);
});

test("the example does without a list of configurations", () => {
  const point = { BLOCK: 32, UNROLL: 2 }, ask = { ask: 1 };
  const hello = { hello: { protocol: 1, parameters: [{ name: "BLOCK", values: [32, 64] }, { name: "UNROLL", values: [1, 2] }], seed: 1 } };
  const lines = [hello, ask, { tell: { configuration: point, valid: true, cost: 7 } }, ask, { refused: { configuration: point, why: "no" } }, ask];
  const done = spawnSync("python3", [script], { input: lines.map((line) => `${JSON.stringify(line)}\n`).join(""), encoding: "utf8" });
  const [first, second, third] = done.stdout.trim().split("\n").map((line) => JSON.parse(line).configurations);
  assert.deepEqual([first, third], [[], []], done.stderr); // any; any again after one that was refused
  assert.equal(second.length, 1);
  assert.ok(second[0].BLOCK === point.BLOCK || second[0].UNROLL === point.UNROLL, "a neighbour of the best");
});

test("a program that does not play along ends the search", (t) => {
  const home = folder(t), recording = writeRecording(home);
  const replay = (program) => tune(home, "simulate", "--quiet", "--recorded", recording, "--repeats", "2", "--strategy", `exec:${program}`);
  for (const [program, text] of [["false", "exec:false: it ended with status 1"], ["yes", "exec:yes: it answered neither "],
    ["head -c 3000000 /dev/zero", "it sent a line of more than 1048576 bytes"]]) {
    const done = replay(program);
    assert.equal(done.status, 1);
    assert.ok(done.stderr.includes("tune: --strategy exec:") && done.stderr.includes(text), done.stderr);
  }
  refuses(replay(""), "--strategy: exec needs a program", "for example exec:./mine.py");
  refuses(replay("./nothing"), "cannot run ./nothing: No such file or directory");
});

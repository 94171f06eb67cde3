// SPDX-License-Identifier: Apache-2.0
// Ways to launch: kernels that are templates, in namespaces, several in a file; streams.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { files, launch, streamFiles, streams, textureFiles, textures } from "./launches.mjs";
import { folder, sql, tune } from "./tune.mjs";

// Sweep a folder of these files on the CPU device: what it ends with, and its rows.
function sweep(home, files, space) {
  mkdirSync(join(home, "k"), { recursive: true });
  writeFileSync(join(home, "k.space"), `space k of k\n${space}\n`);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, "k", name), text);
  const done = tune(home, "./k", "--space", "./k.space", "--device", "cpu", "--quiet", "--fresh");
  return { ...done, rows: sql(home, "select configuration, outcome, message from evaluation order by id") };
}

test("kernels that are templates are instantiated for each configuration", (t) => {
  const home = folder(t);
  const done = sweep(home, files(launch), 'param TILE = [32, 64]\nparam TYPE = ["float", "double"]');
  assert.equal(done.status, 0, done.stdout + done.stderr);
  assert.deepEqual(done.rows.map((row) => row.outcome), ["ok", "ok", "ok", "ok"]);
});

test("their arguments are compared with the instance's signature; overloads and unknown names are refused", (t) => {
  const home = folder(t);
  const cases = [
    ["next<double>", "next<float>", "launch_error", /k\.template:12:45: parameter 2 of next<float> is `float ?\*`, but the launch passes z, a buffer of double/],
    ["next<double>", "next<NOTHING>", "compile_error", /there is no __global__ function 'next<NOTHING>', or more than one/],
    ["half_of", "many", "compile_error", /there is no __global__ function 'many', or more than one/],
  ];
  for (const [from, to, outcome, message] of cases) {
    const done = sweep(home, files(launch.replace(from, to)), 'set TILE = 32\nset TYPE = "float"');
    assert.equal(done.rows.at(-1).outcome, outcome, JSON.stringify(done.rows.at(-1)));
    assert.match(done.rows.at(-1).message, message);
  }
  const refused = sweep(home, files(launch.replace("TILE,", "TILE / 3,")), 'set TILE = 32\nset TYPE = "float"');
  assert.match(refused.rows.at(-1).message + refused.stderr, /a template argument cannot be the float 10\.6667/);
});

test("streams, and waits between them, in a loop", (t) => {
  const done = sweep(folder(t), streamFiles, "param BLOCK = [32, 64]");
  assert.equal(done.status, 0, done.stdout + done.stderr);
  assert.deepEqual(done.rows.map((row) => row.outcome), ["ok", "ok"]);
});

test("streams out of range and waits for oneself are refused where they stand", (t) => {
  const home = folder(t);
  for (const [from, to, message] of [
    ["stream = 15", "stream = BLOCK", /k\.template:22:32: there is no stream 32; streams are numbered from 0, the main stream, to 15/],
    ["wait 15 after 0", "wait 1 after BLOCK // 32", /k\.template:21:9: stream 1 waits for itself/],
  ]) {
    const done = sweep(home, { ...streamFiles, "k.template": streams.replace(from, to) }, "set BLOCK = 32");
    assert.match(done.rows.at(-1).message + done.stderr, message);
  }
});

test("textures, filtered and not, beyond their edges; surfaces; linear memory", (t) => {
  const home = folder(t);
  const done = sweep(home, textureFiles, 'param BLOCK = [32, 64]\nparam MODE = ["clamp", "wrap"]');
  assert.equal(done.status, 0, done.stdout + done.stderr);
  assert.deepEqual(done.rows.map((row) => row.outcome), ["ok", "ok", "ok", "ok"]);
  const checked = tune(home, "check", "./k", "--space", "./k.space", "--device", "cpu", "--configuration", "BLOCK=32,MODE=wrap");
  assert.equal(checked.status, 0, checked.stdout + checked.stderr);
});

test("a texture that its buffer does not hold, and a pointer for an object, are refused", (t) => {
  const home = folder(t);
  const at = (from, to, source = textureFiles["k.cu"]) =>
    sweep(home, { ...textureFiles, "k.cu": source, "k.template": textures.replace(from, to) }, 'set BLOCK = 32\nset MODE = "clamp"');
  assert.match(at("texture(x, w, h, address", "texture(x, w, h + 1, address").stderr, /k\.template:15:49: 2460 texels, but x has 2400 elements/);
  const row = at("texture(t), texture(x)", "texture(t), x").rows.at(-1);
  assert.match(row.message, /parameter 2 of copy_of is `(unsigned long long|long long unsigned int)`, but the launch passes x, a buffer of float/);
  const fetched = at("", "", textureFiles["k.cu"].replace("tex1Dfetch<int>", "(int)tex1Dfetch<double>")).rows.at(-1);
  assert.equal(fetched.outcome, "fault");
  assert.match(fetched.message, /texels are read or written as a type of another size at line 12/);
});

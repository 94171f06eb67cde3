// SPDX-License-Identifier: Apache-2.0
// libtune.so as the linker made it: its name, and that it exports the functions of tune.h alone. The header by itself.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const library = process.env.TUNE_LIBRARY;
const folder = new URL("../../tuner/library/", import.meta.url).pathname;
const header = readFileSync(`${folder}tune.h`, "utf8");
const interfaceNumber = header.match(/^#define TUNE_INTERFACE (\d+)$/m)[1];

const run = (command, ...args) => {
  const result = spawnSync(command, args, { encoding: "utf8", maxBuffer: 1 << 26 });
  assert.equal(result.status, 0, `${command} ${args.join(" ")}: ${result.stderr}`);
  return result.stdout + result.stderr;
};

test("it is named by the number of its interface", () => {
  assert.match(run("readelf", "-W", "-d", library), new RegExp(`SONAME.*\\[libtune\\.so\\.${interfaceNumber}\\]`));
});

test("what it exports is what libtune.map lists and the header declares", () => {
  const listed = [...readFileSync(`${folder}libtune.map`, "utf8").matchAll(/^ +(tune_\w+);$/gm)].map((match) => match[1]);
  const exported = run("nm", "-D", "--defined-only", library).trim().split("\n").map((line) => line.split(" ").slice(1))
    .filter(([kind]) => kind !== "A").map(([, name]) => name.replace(/@.*/, ""));
  const declared = [...header.matchAll(/^TUNE_API [^;]*?\b(tune_\w+)\(/gm)].map((match) => match[1]);
  assert.ok(listed.length > 20);
  assert.deepEqual(exported.sort(), listed.sort());
  assert.deepEqual(declared.sort(), listed);
});

for (const [compiler, language, standard] of [["cc", "c", "c17"], ["c++", "c++", "c++17"]])
  test(`the header compiles alone as ${standard}`, () => {
    const warnings = run(compiler, `-std=${standard}`, "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only",
      "-x", language, `${folder}tune.h`);
    assert.equal(warnings.replace(/.*#pragma once in main file.*/g, "").trim(), "");
  });

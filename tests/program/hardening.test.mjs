// SPDX-License-Identifier: Apache-2.0
// What the linker made of the flags in .cmake/hardening.cmake, read from the program as it was built.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { program } from "./tune.mjs";

const read = (command, ...args) => spawnSync(command, [...args, program], { encoding: "utf8", maxBuffer: 1 << 28 }).stdout ?? "";
const symbols = read("readelf", "-W", "--dyn-syms");
const sanitized = /__(asan|tsan|ubsan)_/.test(symbols);

test("the program can be loaded anywhere, and its tables are read-only once it runs", () => {
  assert.match(read("readelf", "-h"), /Type:\s+DYN/);
  assert.match(read("readelf", "-W", "-l"), /GNU_RELRO/);
  assert.match(read("readelf", "-W", "-l"), /GNU_STACK.*\bRW\b(?!E)/);
  assert.match(read("readelf", "-W", "-d"), /FLAGS_1.*NOW.*PIE|FLAGS_1.*PIE.*NOW/);
});

test("stacks are protected, and functions of the C library checked", { skip: sanitized && "built with sanitizers" }, () => {
  assert.match(symbols, /__stack_chk_fail/);
  for (const name of ["__snprintf_chk", "__memcpy_chk", "__read_chk"]) assert.ok(symbols.includes(name), name);
});

test("on x86-64 functions begin where indirect branches may land", { skip: process.arch !== "x64" && "another processor" }, () => {
  assert.match(read("objdump", "-d", "--disassemble=main"), /<main>:\s+[0-9a-f]+:\s+f3 0f 1e fa/);
});

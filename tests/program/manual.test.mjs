// SPDX-License-Identifier: Apache-2.0
// The manual pages: troff has nothing to say about them, and they name all that there is.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { folder, program, source, tune } from "./tune.mjs";

const pages = join(dirname(program), "man");

// A page as a terminal without styles shows it, each word whole; no warning is allowed.
function rendered(section) {
  const text = readFileSync(join(pages, `man${section}`, `tune.${section}`), "utf8");
  const done = spawnSync("groff", ["-Tutf8", "-P-cbou", "-mandoc", "-ww", "-rHY=0"], { encoding: "utf8", input: text });
  assert.equal(done.status, 0, done.stderr);
  assert.equal(done.stderr, "");
  return done.stdout;
}

test("tune.1 has all commands and all options", (t) => {
  const page = rendered(1), home = folder(t);
  const commands = [...tune(home, "--help").stdout.matchAll(/^ +tune ([a-z]+)/gm)].map(([, name]) => name);
  assert.ok(commands.length > 10);
  for (const name of ["gemm", ...commands]) {
    if (name !== "gemm") assert.match(page, new RegExp(`^ {7}tune ${name}\\b`, "m"));
    const options = tune(home, name, "--usage").stdout.match(/--[a-z0-9-]+/g).filter((option) => !/^--(help|usage)$/.test(option));
    assert.ok(options.length);
    for (const option of options) assert.match(page, new RegExp(`^ {7}(-., )*${option}\\b`, "m"), `${name} ${option}`);
  }
  assert.match(page, /^ {7}-b, --budget=N\|TIME\n {14}stop after N evaluations/m);
});

test("the pages have every variable of the environment that is tune's own", () => {
  const found = spawnSync("grep", ["-rhoE", "(getenv|chosen)\\(\"TUNE_[A-Z_]+\"\\)", ...["tuner", "db", "reports"].map((name) => join(source, name)), "--include=*.c"], { encoding: "utf8" });
  const names = new Set(found.stdout.match(/TUNE_[A-Z_]+/g));
  for (const name of ["TUNE_SANITIZER_REPORTS", "TUNE_NODE"]) names.delete(name); // of tests
  assert.ok(names.has("TUNE_DB") && names.has("TUNE_CAPTURE"));
  const pages = rendered(1) + rendered(3) + rendered(7);
  for (const name of names) assert.match(pages, new RegExp(`\\b${name}\\b`));
});

test("tune.3 declares every function that libtune exports, and each has a page that leads there", () => {
  const page = rendered(3);
  const functions = readFileSync(join(source, "tuner/library/libtune.map"), "utf8").match(/\btune_\w+(?=;)/g);
  assert.ok(functions.length > 1);
  for (const name of functions) {
    assert.match(page, new RegExp(`^ {11}\\w.*[ *]${name}\\(`, "m"), name);
    assert.equal(readFileSync(join(pages, "man3", `${name}.3`), "utf8"), ".so man3/tune.3\n");
  }
});

test("tune.7 has what a job of several ranks needs", () => {
  const page = rendered(7);
  for (const title of ["DESCRIPTION", "WHAT IT NEEDS", "VARIABLES"]) assert.match(page, new RegExp(`^${title}$`, "m"));
  assert.match(page, /mpicc -O2 -shared/);
});

test("tune.5 has every statement of templates and spaces, files of sizes and known results", () => {
  const page = rendered(5);
  for (const statement of ["template", "size", "awkward", "buffer", "launch", "reference", "check", "space", "param", "where", "union"]) assert.match(page, new RegExp(`^ {7}${statement} `, "m"));
  for (const title of ["TEMPLATES", "SPACES", "EXPRESSIONS", "GRAMMAR", "FILES OF SIZES", "KNOWN RESULTS"]) assert.match(page, new RegExp(`^${title}$`, "m"));
  assert.ok(page.includes("primary     = NUMBER | STRING"));
  assert.ok(!/\]\(|`|\*\*[a-z]/.test(page.replace(/^ {11}.*$/gm, "")), "Markdown is left");
});

// SPDX-License-Identifier: Apache-2.0
// README's worked example, run as written: the files are the code blocks whose first line names a file.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { folder, source, sql, tune } from "./tune.mjs";

const readme = readFileSync(join(source, "README.md"), "utf8");

test("a user's own kernel, anywhere on disk", (t) => {
  const home = folder(t);
  const files = [...readme.matchAll(/^```\w*\n(?:\/\/|#) (\S+)\n([\s\S]*?)^```$/gm)].map(([, name, text]) => ({ name, text }));
  assert.deepEqual(files.map((file) => file.name).sort(), ["my.space", "mykernel/reference.cu", "mykernel/saxpy.cu", "mykernel/saxpy.template"]);
  for (const { name, text } of files) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  const templates = files.filter((file) => !file.name.includes("reference"));
  const lines = templates.map((file) => file.text.trimEnd().split("\n").length).reduce((a, b) => a + b);
  assert.ok(lines < 30, `kernel, template and space take ${lines} lines`);

  const [, command] = readme.match(/^ {4}tune (\.\/mykernel .*)$/m);
  const done = tune(home, ...command.split(" "), "--size", "n=65536");
  assert.equal(done.status, 0, done.stderr);
  const rows = sql(home, "select outcome, count(*) as n from evaluation where origin = 'measured' group by 1");
  assert.deepEqual(rows, [{ outcome: "ok", n: 20 }]);
  assert.match(done.stdout, /best: +BLOCK=/);
});

// SPDX-License-Identifier: Apache-2.0
// The worked example of templates/README.md, run as written: the files are the code blocks whose first line names a file.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { folder, source, sql, tune } from "./tune.mjs";

const page = readFileSync(join(source, "templates", "README.md"), "utf8");

test("from a source to a sweep, then to a template of one's own", (t) => {
  const home = folder(t);
  const files = [...page.matchAll(/^```\w*\n(?:\/\/|#) (\S+\/\S+)\n([\s\S]*?)^```$/gm)].map(([, name, text]) => ({ name, text }));
  assert.deepEqual(files.map((file) => file.name), ["mine/smooth.cu", "smooth/reference.cu", "smooth/smooth.template", "smooth/smooth.space"]);
  const write = ({ name, text }) => {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  };
  const sweep = (count) => {
    const done = tune(home, "./smooth", "--device", "cpu", "--size", "n=9000", "--budget", String(count), "--quiet");
    assert.equal(done.status, 0, done.stderr);
  };
  write(files[0]);
  const drafted = tune(home, ...page.match(/^ {4}tune (new .*)$/m)[1].split(" "));
  assert.equal(drafted.status, 0, drafted.stderr);
  sweep(3);
  files.slice(1).forEach(write);
  sweep(5);
  assert.deepEqual(sql(home, "select outcome, count(*) as n from evaluation where origin = 'measured' group by 1"), [{ outcome: "ok", n: 8 }]);
});

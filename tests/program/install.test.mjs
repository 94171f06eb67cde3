// SPDX-License-Identifier: Apache-2.0
// An installed copy works wherever it is moved, from its own files.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { environment, folder, install, sanitized, source, sql } from "./tune.mjs";

test("an installed tune that was moved sweeps with the installed templates", (t) => {
  const home = realpathSync(folder(t)), there = join(home, "there"), moved = join(home, "moved to", "opt");
  install(there);
  mkdirSync(dirname(moved));
  renameSync(there, moved);

  const empty = join(home, "empty");
  mkdirSync(empty);
  const run = (...args) => {
    const { TUNE_HOME, ...variables } = environment(home);
    const { status, stdout, stderr } = spawnSync(join(moved, "bin", "tune"), args, { encoding: "utf8", cwd: empty, env: variables });
    assert.equal(status, 0, stderr);
    return stdout;
  };

  const templates = JSON.parse(run("list", "templates", "--json")).map((row) => row.template);
  assert.deepEqual(templates, readdirSync(join(source, "spaces")).sort());
  assert.match(run("list"), /^gemm .*naive/m);
  assert.equal(JSON.parse(run("show", "gemm", "--device", "cpu", "--json")).path, join(moved, "share/tune/templates/gemm/gemm.template"));

  // Only the installed space is changed, so it must be the one that is shown.
  const space = join(moved, "share/tune/spaces/gemm/naive.space");
  writeFileSync(space, 'space naive of gemm "another"\nset VARIANT = "naive"\nset UNROLL = 1\nset BLOCK_Y = 8\nparam BLOCK_X = [8, 16]\n');
  assert.match(run("show", "gemm", "--space", "naive", "--device", "cpu"), /another/);

  const python = spawnSync("python3", ["-B", "-c", "import tune, tune._program as p; print(tune.version(), p.find())"], { encoding: "utf8", cwd: empty, env: { ...environment(home), TUNE_LIBRARY: "", TUNE_PROGRAM: "", PYTHONPATH: join(moved, "share/tune/python") } });
  if (!sanitized) assert.equal(python.stdout, `0.1.0 ${join(moved, "bin/tune")}\n`, python.stderr);

  const swept = run("gemm", "--space", "naive", "--device", "cpu", "--size", "M=64,N=48,K=32");
  assert.match(swept, /best: +VARIANT=naive/);
  assert.deepEqual(sql(home, "select outcome, count(*) as n from evaluation where origin = 'measured' group by 1"), [{ outcome: "ok", n: 2 }]);
  assert.ok(existsSync(swept.match(/^report: (.*)$/m)[1]));
});

test("pages and shipped knowledge are installed, and nothing else", (t) => {
  const prefix = folder(t);
  install(prefix);
  for (const page of ["README.md", "LICENSE", "tuner/lang/GRAMMAR.md", "db/SCHEMA.md"]) assert.ok(existsSync(join(prefix, "share/doc/tune", page)), page);
  const known = (root) => readdirSync(join(root, "db/known")).filter((name) => name.endsWith(".json")).sort();
  assert.deepEqual(known(join(prefix, "share/tune")), known(source));
  assert.deepEqual(readdirSync(join(prefix, "share/tune")).sort(), ["db", "mpi", "python", "spaces", "templates"]);
});

// SPDX-License-Identifier: Apache-2.0
// A disk that fills up during a sweep: one clear error, no finished result is lost, and the sweep resumes later.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { environment, folder, program, query, source } from "./tune.mjs";

const tiny = join(source, "tests", "campaign", "kernels", "tiny");
const count = 12;

function workshop(t) {
  const home = folder(t), temporary = join(home, "tmp"), data = join(home, "data");
  mkdirSync(temporary);
  mkdirSync(data);
  const space = join(home, "many.space");
  writeFileSync(space, `space many of tiny\nset KIND = "good"\nset BLOCK = 64\nparam NUMBER = range(${count})\n`);
  const database = join(data, "tune.db");
  const sweep = [program, tiny, "--space", space, "--device", "cpu", "--seed", "1", "--db", database];
  const run = (command) => spawnSync(command[0], command.slice(1), { encoding: "utf8", cwd: home, env: { ...environment(home), TMPDIR: temporary } });
  return { data, database, sweep, run, left: () => readdirSync(temporary) };
}

// It ended with one error that says why; once there is room, the same command completes the sweep.
function assertGoesOn(done, { database, sweep, run, left }) {
  assert.equal(done.status, 1, `${done.signal}: ${done.stderr}`);
  assert.match(done.stderr, /tune\.db cannot grow: (the disk is full|the limit on file sizes is reached)/);
  assert.equal(done.stderr.match(/tune\.db cannot/g).length, 1, done.stderr);
  assert.deepEqual(left(), []);
  return () => {
    const before = query(database, "select id, configuration, time_ns from evaluation order by id");
    const again = run(sweep);
    assert.equal(again.status, 0, again.stderr);
    const after = query(database, "select id, configuration, time_ns from evaluation order by id");
    assert.deepEqual(after.slice(0, before.length).map(({ id, configuration }) => [id, configuration]), before.map(({ id, configuration }) => [id, configuration]));
    assert.deepEqual(query(database, "select outcome, count(*) as rows, count(distinct configuration) as different from evaluation group by 1"),
      [{ outcome: "ok", rows: count, different: count }]);
    assert.deepEqual(query(database, "pragma integrity_check"), [{ integrity_check: "ok" }]);
    assert.deepEqual(left(), []);
    return before.length;
  };
}

test("a file at its size limit", (t) => {
  const shop = workshop(t);
  const done = shop.run(["bash", "-c", 'ulimit -f 210; exec "$@"', "tune", ...shop.sweep]); // in KiB: a database with some rows, and its log
  assertGoesOn(done, shop)();
});

test("a full disk", (t) => {
  const shop = workshop(t);
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=600k", "tmpfs", shop.data]).status !== 0) return t.skip("a small file system cannot be mounted here");
  try {
    const filler = join(shop.data, "filler");
    writeFileSync(filler, Buffer.alloc(350 << 10));
    const goesOn = assertGoesOn(shop.run(shop.sweep), shop);
    rmSync(filler);
    spawnSync("mount", ["-o", "remount,size=64m", shop.data]);
    goesOn();
  } finally {
    spawnSync("umount", [shop.data]);
  }
});

// SPDX-License-Identifier: Apache-2.0
// Several sweeps at once on one database and one device: each row once, and every sweep finishes.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readdirSync, mkdirSync, writeFileSync, cpSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, source, sql, start, tune, until } from "./tune.mjs";

const tiny = join(source, "tests", "campaign", "kernels", "tiny");

// A kernel that takes almost no time, and a space of `count` configurations that share an image.
function workshop(t, count) {
  const home = folder(t), place = join(home, "tiny"), temporary = join(home, "tmp");
  cpSync(tiny, place, { recursive: true });
  mkdirSync(temporary);
  writeFileSync(join(place, "many.space"), `space many of tiny\nset KIND = "good"\nset BLOCK = 64\nparam NUMBER = range(${count})\n`);
  const before = process.env.TMPDIR;
  process.env.TMPDIR = temporary;
  t.after(() => { if (before === undefined) delete process.env.TMPDIR; else process.env.TMPDIR = before; });
  return { home, place, temporary };
}

const sweep = (place, ...more) => [place, "--space", "many", "--device", "cpu", "--seed", "1", ...more];
const rows = (home) => { try { return sql(home, "select count(*) as n from evaluation")[0].n; } catch { return 0; } };

function assertWhole(home, count, temporary) {
  assert.deepEqual(sql(home, "select outcome, count(*) as rows, count(distinct configuration) as different from evaluation group by 1"),
    [{ outcome: "ok", rows: count, different: count }]);
  assert.deepEqual(sql(home, "pragma integrity_check"), [{ integrity_check: "ok" }]);
  assert.deepEqual(readdirSync(temporary), []);
}

test("three sweeps of one space on one device lose and duplicate no row", async (t) => {
  const count = 24, { home, place, temporary } = workshop(t, count);
  const sweeps = [0, 1, 2].map(() => start(home, ...sweep(place)));
  for (const child of sweeps) {
    const { status } = await child.ended;
    assert.equal(status, 0, child.err);
  }
  assertWhole(home, count, temporary);
  assert.deepEqual(sql(home, "select distinct status from runs"), [{ status: "done" }]);
});

test("a sweep goes on when another one that holds the device is killed", async (t) => {
  const count = 24, { home, place, temporary } = workshop(t, count);
  const first = start(home, ...sweep(place));
  await until(() => rows(home) > 1);
  const second = start(home, ...sweep(place));
  await new Promise((resolve) => setTimeout(resolve, 300));
  first.kill("SIGKILL");
  const { status } = await second.ended;
  assert.equal(status, 0, second.err);
  await first.ended;
  assert.equal(tune(home, ...sweep(place)).status, 0); // the next run clears away what the killed one left
  assertWhole(home, count, temporary);
});

// Somebody has the device from before the sweep begins until it has said that it waits, which is after 5 s.
test("waiting for a device that another process holds is not on the budget", async (t) => {
  const { home, place } = workshop(t, 3);
  assert.equal(tune(home, ...sweep(place)).status, 0); // the images are compiled
  const { uuid } = JSON.parse(tune(home, "list", "devices", "--json").stdout).find((device) => device.kind === "cpu");
  const lock = (part) => join("/tmp/tune-locks", `${uuid}.${part}`);
  const holder = spawn("flock", [lock("gate"), "flock", lock("device"), "sh", "-c", "echo held; cat"], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((resolve) => holder.on("exit", resolve));
  t.after(() => holder.stdin.end());
  await new Promise((resolve) => holder.stdout.once("data", resolve));
  const swept = start(home, ...sweep(place), "--fresh", "--budget", "5s", "--json");
  await until(() => swept.err.includes("waiting for "));
  holder.stdin.end();
  await ended;
  const { status } = await swept.ended;
  assert.equal(status, 0, swept.err);
  assert.equal(sql(home, "select status from runs order by run desc limit 1")[0].status, "done");
});

// SPDX-License-Identifier: Apache-2.0
// Sweeps on several nodes, by Open MPI over TCP. Nodes are namespaces, which needs root:
//
//     tests/cluster/nodes.sh node --test tests/cluster/nodes.test.mjs
//
// With TUNE_TEST_KILLS=N nodes are killed N times instead of once.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { cpSync, readFileSync, readdirSync, readlinkSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { environment, folder, program, source, sql, until } from "../program/tune.mjs";
import { deviceOf, hold } from "./devices.mjs";

if (!process.env.TUNE_NODES) throw new Error("run it by tests/cluster/nodes.sh");
const count = 60, names = ["node1", "node2", "node0"], losses = Number(process.env.TUNE_TEST_KILLS ?? "1");

function workshop(t) {
  const home = folder(t), place = join(home, "tiny");
  cpSync(join(source, "tests", "campaign", "kernels", "tiny"), place, { recursive: true });
  writeFileSync(join(place, "many.space"), `space many of tiny\nset KIND = "good"\nparam BLOCK = [32, 64]\nparam NUMBER = range(${count / 2})\n`);
  return { home, place };
}

const hosts = (names) => ["--bind-to", "none", "-host", names.join(","), "-n", String(names.length)];
const sweep = ({ place }, ...more) => [program, place, "--space", "many", "--device", "all", "--seed", "1", ...more];
const surroundings = (home) => ({ cwd: home, env: environment(home), timeout: 120e3 });
const mpirun = ({ home }, names, ...args) => spawnSync("mpirun", [...hosts(names), ...args], { encoding: "utf8", ...surroundings(home) });
const rows = (home) => { try { return sql(home, "select count(*) as n from evaluation")[0].n; } catch { return 0; } };
const devices = (home) => sql(home, "select distinct uuid from evaluation").map(({ uuid }) => uuid);

function assertWhole(home) {
  assert.deepEqual(sql(home, "select outcome, count(*) as rows, count(distinct configuration) as different from evaluation group by 1"),
    [{ outcome: "ok", rows: count, different: count }]);
  assert.deepEqual(sql(home, "pragma integrity_check"), [{ integrity_check: "ok" }]);
  assert.equal(sql(home, "select count(*) as n from problem")[0].n, 1);
}

// What runs on a node, with or without what it is.
function onNode(node) {
  const it = Number(readFileSync(join(process.env.TUNE_NODES, `${node}.pid`), "utf8"));
  let name;
  try { name = readlinkSync(`/proc/${it}/ns/uts`); } catch { return []; } // it is gone
  return readdirSync("/proc").filter((entry) => /^\d+$/.test(entry) && Number(entry) !== it).map(Number).filter((pid) => {
    try { return readlinkSync(`/proc/${pid}/ns/uts`) === name; } catch { return false; }
  });
}

const kill = (pid) => { try { process.kill(pid, "SIGKILL"); } catch { /* it has ended */ } };
const tunes = (node) => onNode(node).filter((pid) => { try { return readlinkSync(`/proc/${pid}/exe`) === realpathSync(program); } catch { return false; } });

// A lock holds up one node, and no other, so that the job cannot end. node1 has rank 0, and node0 mpirun itself. In the
// next job two ranks are on node1, and all agree.
async function lose(t, victim) {
  const shop = workshop(t), { home } = shop, busy = deviceOf("node0");
  const release = await hold(t, busy), job = spawn("mpirun", [...hosts(names), ...sweep(shop)], { stdio: "ignore", ...surroundings(home) });
  const over = new Promise((resolve) => job.on("close", resolve));
  await until(() => rows(home) > 3 || job.exitCode !== null);
  assert.ok(!devices(home).includes(busy));
  for (let left; (left = onNode(victim)).length > 0;) left.forEach(kill);
  assert.notEqual(await over, 0);
  await until(() => names.flatMap(tunes).length === 0);
  release();
  const output = join(home, "output"); // a folder for each rank: mpirun mixes what they print, in the middle of lines
  const before = rows(home), done = mpirun(shop, [...names, "node1"], "--output-filename", output, ...sweep(shop, "--agree", "--json"));
  assert.equal(done.status, 0, done.stderr);
  assert.match(done.stderr, /tune: 4 ranks: 3 x .* of 3 ranks\n/); // two ranks see the device of node1
  const printed = readdirSync(output, { recursive: true }).filter((name) => name.endsWith("stdout")).map((name) => readFileSync(join(output, name), "utf8"));
  assert.equal(printed.length, 4);
  assert.deepEqual([...new Set(printed)], [printed[0]]);
  assert.ok(before > 3 && before < count, `${before}`);
  assert.equal(JSON.parse(printed[0]).reused, before);
  assertWhole(home);
  assert.deepEqual(devices(home).sort(), names.map(deviceOf).sort());
  assert.equal(sql(home, "select count(distinct configuration) as n from best")[0].n, 1);
}

for (let lost = 0; lost < losses; lost++)
  test(`when a node is lost, what was finished is in the database, and the next job goes on (${lost + 1})`, (t) => lose(t, ["node1", "node2"][lost % 2]));

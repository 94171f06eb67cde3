// SPDX-License-Identifier: Apache-2.0
// Several objectives: the front of a sweep, stored and asked for later, its hypervolume, and what a list does not go with.
import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, json, kernels, refuses, sql, tune } from "./tune.mjs";

const heat = "heat/heat.template";

// Three configurations and two objectives that no clock has part in: 64 cells and 1 step need 8 * (64 + 2 * 1) bytes of
// shared memory, and so on. The third is dominated by the second, which has as many steps.
function prepare(t) {
  const home = folder(t), path = join(home, heat);
  cpSync(join(kernels, "heat"), join(home, "heat"), { recursive: true });
  writeFileSync(path, `${readFileSync(path, "utf8")}objective "shared memory" = minimize shared_bytes\nobjective steps = maximize STEPS\n`);
  writeFileSync(join(home, "heat", "three.space"), "space three of heat\nparam BLOCK = [64, 128]\nparam STEPS = [1, 16]\nwhere STEPS == 16 or BLOCK == 64\n");
  return home;
}

const named = ({ BLOCK, STEPS }) => `${BLOCK} ${STEPS}`;
const members = (front) => front.front.map(({ configuration }) => named(configuration));

test("a sweep by two objectives finds their front, which is stored", (t) => {
  const home = prepare(t), both = "steps,shared memory";
  const sweep = (...args) => tune(home, heat, "--space", "three", "--device", "cpu", "--quiet", ...args);
  const best = (...args) => tune(home, "best", heat, "--device", "cpu", ...args);

  const first = json(sweep("--json", "--objective", both));
  assert.equal(first.objective, "steps,shared memory".split(",").reverse().join(","));
  assert.deepEqual(members(first.front), ["64 16", "64 1"]);
  assert.deepEqual(first.front.objectives, ["steps", "shared memory"]);
  assert.deepEqual(first.front.front.map(({ values }) => values), [{ steps: 16, "shared memory": 768 }, { steps: 1, "shared memory": 528 }]);
  assert.ok(first.front.front.every(({ finals }) => finals));
  assert.deepEqual(first.finals, { finalists: 2, rounds: 6, lost: 0, tied: 0 });

  // Costs: 1/16 and 768, 1 and 528; the worst are 1 and 8 * (128 + 32), and the reference is a tenth beyond these.
  const { steps, "shared memory": shared } = first.front.reference;
  assert.ok(Math.abs(steps - 1 / 1.1) < 1e-9 && Math.abs(shared - 1.1 * 1280) < 1e-9);
  const volume = (1.1 - 1 / 16) * (shared - 768) + (1.1 - 1) * (768 - 528);
  assert.ok(Math.abs(first.front.hypervolume - volume / (1.1 * shared)) < 1e-9);

  // Asked for later, in the order of the objectives, and within limits.
  const [later] = json(best("--json", "--objective", "shared memory,steps"));
  assert.deepEqual(members(later), ["64 1", "64 16"]);
  assert.ok(Math.abs(later.hypervolume - first.front.hypervolume) < 1e-12);
  assert.equal(later.valid, 3);
  assert.deepEqual(members(json(best("--json", "--objective", both, "--limit", "shared_bytes > 700"))[0]), ["64 16"]);
  assert.match(best("--objective", both).stdout, /^template +device +size +data +steps +shared memory +from +configuration\nheat .* 16 +768 +measured in finals .*\nheat .* 1 +528 +measured in finals .*\n$/);
  assert.deepEqual(sql(home, "select objective, result, count(*) as n from verdict where instr(objective, ',') group by 1, 2"),
    [{ objective: "shared memory,steps", result: "winner", n: 2 }]);
  assert.equal(json(tune(home, "list", "runs", "--json"))[0].objective, "shared memory,steps");

  // Nothing is measured again: another order is the same question.
  const second = json(sweep("--json", "--objective", "shared memory,steps"));
  assert.equal(second.reused, 3);
  assert.equal(second.finals.rounds, 0);
  assert.deepEqual(members(second.front), ["64 1", "64 16"]);
  const text = sweep("--objective", both);
  assert.match(text.stdout, /steps +shared memory +from +configuration\n +16 +768 .*BLOCK=64 STEPS=16\n +1 +528 .*BLOCK=64 STEPS=1\n/);
  assert.match(text.stdout, /2 of 3 valid configurations are on the front; hypervolume 0\.\d{4} of the box up to steps 0\.9091, shared memory 1408\n/);

  // Where one configuration is the best by all of them, the front is that one.
  assert.deepEqual(members(json(sweep("--json", "--objective", both, "--limit", "shared_bytes >= 768")).front), ["64 16"]);
});

test("lists of objectives that are refused", (t) => {
  const home = prepare(t);
  const sweep = (...args) => tune(home, heat, "--space", "three", "--device", "cpu", "--quiet", ...args);
  refuses(sweep("--objective", "time,time"), "--objective: 'time' is there twice", "--objective time,energy");
  refuses(sweep("--objective", "time,"), "--objective 'time,': a name is missing");
  refuses(sweep("--objective", "time,energy,edp,steps"), "--objective: 3 objectives at most");
  refuses(sweep("--objective", "time,step"), "there is no objective 'step'", "steps");
  refuses(sweep("--objective", "time,steps", "--until", "1%"), "--until takes one objective, not several", "--patience");
  refuses(sweep("--objective", "time,steps", "--strategy", "exec:true"), "--strategy exec: a program is told one value");
  refuses(tune(home, "best", heat, "--objective", "time,steps", "--header", "--device", "cpu"), "--header takes one objective, not several");
  refuses(tune(home, "run", heat, "--objective", "time,steps", "--device", "cpu"), "there is no objective 'time,steps'", "a list of objectives");
  assert.deepEqual(json(tune(home, "best", heat, "--objective", "time,steps", "--json", "--device", "cpu")), []);
});

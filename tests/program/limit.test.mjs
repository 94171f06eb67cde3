// SPDX-License-Identifier: Apache-2.0
// Limits on outcomes: what is not measured because of one, what is best within them, and that no result depends on them.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { folder, json, kernels, refuses, sql, tune } from "./tune.mjs";

const heat = join(kernels, "heat", "heat.template");

test("the best within limits", (t) => {
  const home = folder(t);
  const sweep = (...args) => tune(home, heat, "--device", "cpu", "--quiet", ...args);
  const best = (...args) => tune(home, "best", heat, "--device", "cpu", "--json", ...args);
  const outcomes = () => sql(home, "select json_extract(configuration, '$.STEPS') as steps, outcome from evaluation where origin = 'measured' order by 1");

  // 16 steps need 4 * 2 * (64 + 2 * 16) bytes of shared memory. One configuration is within each of the limits, so that
  // no times have to be compared.
  const first = json(sweep("--json", "--limit", "shared_bytes <= 767"));
  assert.deepEqual(first.limits, ["shared_bytes <= 767"]);
  assert.equal(first.best[0].configuration.STEPS, 1);
  assert.deepEqual(outcomes(), [{ steps: 1, outcome: "ok" }, { steps: 16, outcome: "limit" }]);
  const [{ message }] = sql(home, "select message from evaluation where outcome = 'limit'");
  assert.equal(message, "shared_bytes <= 767 does not hold: shared_bytes is 768");
  assert.equal(json(sweep("--json", "--limit", "shared_bytes <= 700")).reused, 2);

  // Another question: the row is measured now, and the first question's answer stands.
  const second = json(sweep("--json", "--limit", "shared_bytes >= 768"));
  assert.equal(second.reused, 1);
  assert.equal(second.undefined, 1);
  assert.equal(second.best[0].configuration.STEPS, 16);
  assert.deepEqual(outcomes(), [{ steps: 1, outcome: "ok" }, { steps: 16, outcome: "ok" }]);
  const third = json(sweep("--json", "--limit", "shared_bytes <= 767"));
  assert.equal(third.reused, 2);
  assert.equal(third.undefined, 1);
  assert.equal(third.best[0].configuration.STEPS, 1);
  assert.equal(third.best.length, 1);
  assert.equal(json(best("--limit", "shared_bytes >= 768"))[0].configuration.STEPS, 16);
  assert.equal(json(best("--limit", "shared_bytes <= 767", "--limit", "time < 3600"))[0].configuration.STEPS, 1);
  assert.deepEqual(json(tune(home, "list", "runs", "--json"))[1].limits, "shared_bytes >= 768");
  assert.match(tune(home, "best", heat, "--device", "cpu", "--limit", "shared_bytes >= 768").stdout, /\nwithin the limits: shared_bytes >= 768\n$/);
  assert.match(tune(home, "list", "runs").stdout, / limits .* shared_bytes >= 768 /s);

  // Nothing is within them.
  const none = sweep("--limit", "time < 1e-12");
  assert.equal(none.status, 1);
  assert.match(none.stdout, /2 valid configurations are outside the limits: time < 1e-12 does not hold: time is /);
  assert.match(none.stderr, /no valid configuration is within the limits: time < 1e-12\n/);
  const nothing = best("--limit", "power < 1");
  assert.equal(nothing.status, 0);
  assert.deepEqual(JSON.parse(nothing.stdout), []);
  refuses(sweep("--limit", "energy < 1"), "--limit 'energy < 1': ", "does not report energy");
});

test("limits that are none", (t) => {
  const home = folder(t);
  for (const [text, ...words] of [
    ["registrs <= 64", "--limit:1:1: unknown name registrs\n    registrs <= 64\n    ^^^^^^^^\n", "hint: did you mean registers?"],
    ["time < 1 and STEPS", "--limit:1:14: unknown name STEPS"], ["1 < 2", "this condition is constant"], ["", "--limit: the value is empty"],
  ]) {
    refuses(tune(home, heat, "--device", "cpu", "--limit", text), ...words);
    refuses(tune(home, "best", heat, "--limit", text), ...words);
  }
  refuses(tune(home, heat, "--device", "cpu", "--sizes", "sizes", "--limit", "time < 1"), "--limit does not go with --sizes");
  refuses(tune(home, "best", heat, "--explain", "--limit", "time < 1"), "--explain does not go with");
});

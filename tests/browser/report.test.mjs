// SPDX-License-Identifier: Apache-2.0
// Opens the report of real sweeps in headless Chromium, uses its controls and looks at what is drawn.
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { after, before, test } from "node:test";
import { tmpdir } from "node:os";
import { kernels, sql, tune } from "../program/tune.mjs";
import { launch, look, openPage, shot, tryForbidden, visit } from "./browser.mjs";

const commonErrors = [];
let home, browser, common, index, pageFile, finalsFile, errors;

before(async () => {
  home = mkdtempSync(join(tmpdir(), "tune-browser-"));
  const sweep = tune(home, "gemm", "--space", "joint_reg_smem", "--device", "cpu", "--size", "M=64,N=64,K=64", "--strategy", "random", "--budget", "30");
  assert.equal(sweep.status, 0, sweep.stderr);
  const ladder = tune(home, "reduction", "--space", "full", "--device", "cpu", "--size", "n=3000", "--strategy", "random", "--budget", "20", "--seed", "1");
  assert.equal(ladder.status, 0, ladder.stderr);
  const faults = tune(home, join(kernels, "faults"), "--space", "all", "--device", "cpu", "--deadline", "2s");
  assert.equal(faults.status, 0, faults.stderr);
  const heat = tune(home, join(kernels, "heat"), "--device", "cpu");
  assert.equal(heat.status, 0, heat.stderr);
  tune(home, join(kernels, "markup"), "--device", "cpu"); // fails with a message that looks like markup
  index = tune(home, "report", "-o", join(home, "report")).stdout.trim();
  finalsFile = reportWithFinals();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(home, { recursive: true, force: true });
});

// The report of a copy of the database with finals and energy as a GPU would give them: the two fastest tie, the third is
// slower.
function reportWithFinals() {
  const other = join(home, "finals");
  mkdirSync(other);
  sql(home, "pragma wal_checkpoint(truncate)");
  copyFileSync(join(home, "tune.db"), join(other, "tune.db"));
  const rows = sql(other, `select e.id, e.time_ns as ns, r.id as run from evaluation e join problem p on p.id = e.problem join template t on t.id = p.template
    join run r on r.problem = p.id where t.name = 'gemm' and e.origin = 'measured' and e.outcome = 'ok' order by e.time_ns limit 3`);
  const time = rows[1].ns;
  const final = (i, tied, ratio) => `insert into final values (${rows[i].run}, ${[1, 0, 2][i] + 1}, ${rows[i].id}, ${tied}, ${time * ratio}, ${time * ratio * 0.99}, ${time * ratio * 1.01}, ${ratio}, ${ratio - 0.01}, ${ratio + 0.01}, '[1,2,3,4]');
    insert into verdict values (${rows[i].id}, 'time', ${rows[1].id}, '${i === 1 ? "winner" : "lost"}');
    update evaluation set time_ns = ${time * ratio}, throttled = ${i} where id = ${rows[i].id};`;
  sql(other, `delete from final; delete from verdict;
    ${final(1, 1, 1)} ${final(0, 1, 1.002)} ${final(2, 0, 1.05)}
    update evaluation set energy_j = 1e-6 * time_ns * (0.5 + (id % 7) / 10.0), energy_error_j = 0.001, seed = '18446744073709551615', uuid = '<b>GPU</b>' where outcome = 'ok' and origin = 'measured'`);
  const made = tune(other, "report", "-o", join(other, "report"));
  assert.equal(made.status, 0, made.stderr);
  return join(other, "report", readdirSync(join(other, "report")).find((name) => name.startsWith("device") && !name.includes("nvidia")));
}

// Opens a file, where most are opened one after the other: a context takes seconds to make. `errors` are those of the file
// that was opened last.
async function open(file) {
  errors = commonErrors;
  errors.length = 0;
  if (common) await visit(common, file);
  else common = await openPage(browser, file, errors);
  return common;
}

// A page of its own, which the caller closes.
const openApart = (file, options) => openPage(browser, file, errors = [], options);

async function cpuPage() {
  if (pageFile) return pageFile;
  const page = await open(index);
  const link = page.locator(".device a", { hasText: "" }).filter({ hasNotText: /NVIDIA/ }).first();
  const href = await link.getAttribute("href");
  pageFile = join(home, "report", basename(href));
  return pageFile;
}

test("the index lists the device and its best, and leads to its page", async () => {
  const page = await open(index);
  const [best] = sql(home, "select configuration from best where template = 'gemm' and origin = 'measured'");
  const value = JSON.parse(best.configuration);
  const text = await page.locator("main").innerText();
  assert.match(text, new RegExp(`VARIANT=${value.VARIANT}`));
  assert.match(text, /M=64,N=64,K=64/);
  await shot(page, "index");
  await page.locator(".device", { hasText: "cpu" }).first().locator("h2 a").click();
  await page.waitForSelector("#chart-scatter canvas");
  assert.deepEqual(errors, []);
});

// The device's page with other data.
async function changedPage(name, change) {
  const file = join(home, name), text = readFileSync(await cpuPage(), "utf8");
  const document = JSON.parse(text.match(/<script type="application\/json" id="data">(.*?)<\/script>/s)[1]);
  change(document);
  writeFileSync(file, text.replace(/(id="data">).*?(<\/script>)/s, (_, before, after) =>
    before + JSON.stringify(document).replaceAll("<", "\\u003c") + after));
  return file;
}

test("a page of a sample says what it leaves out", async () => {
  // the page of a sweep of 40000, of which it has what the database has: every thousandth
  let shown;
  const page = await open(await changedPage("sample.html", (document) => {
    const problem = document.problems.find(({ template }) => template === "gemm"), [run] = problem.runs;
    problem.outcomes = { ok: 40000 };
    Object.assign(run, { places: run.order.map((_, i) => 1000 * (i + 1)), tried: 40000 });
    shown = problem.evaluations.length;
  }));
  await page.selectOption("#pick-template", "gemm");
  assert.match(await page.locator("#left-out").innerText(), new RegExp(`^${shown} of the 40000 configurations that were tried are on this page: `));
  assert.equal(await page.locator("#filter-count").innerText(), `${shown} of ${shown} that are shown; the database has all 40000`);
  assert.ok((await look(page, "chart-progress")).colours > 5);
  assert.doesNotMatch(await page.locator("#best").innerText(), /than the median/);
  await page.selectOption("#pick-template", "reduction");
  assert.equal(await page.locator("#left-out").innerText(), "");
  assert.deepEqual(errors, []);
});

test("limits of sweeps are told, and what is outside them is no failure", async () => {
  const limits = "registers <= 64 and <b>";
  let within;
  const page = await open(await changedPage("limits.html", (document) => {
    const problem = document.problems.find(({ template }) => template === "gemm"), [run] = problem.runs;
    const valid = problem.evaluations.filter((e) => e.outcome === "ok").sort((a, b) => a.time_ns - b.time_ns);
    within = valid[1];
    Object.assign(run, { limits, best: within.id });
    Object.assign(valid.at(-1), { outcome: "limit", message: "registers <= 64 does not hold: registers is 80" });
    problem.outcomes = { ok: valid.length - 1, limit: 1 };
    problem.evaluations = valid;
  }));
  await page.selectOption("#pick-template", "gemm");
  assert.match(await page.locator("#best .within").innerText(), /^The best of sweep \d+, within registers <= 64 and <b>, is another: .*VARIANT=/);
  assert.ok(!await page.locator("#failures").isVisible());
  assert.match(await page.locator("#outside-list").innerText(), /^limit: 1, such as /);
  assert.equal(await page.locator("#configurations td.bad").count(), 0);
  assert.match(await page.locator("#progress-run").innerText(), /, within registers <= 64 and <b>$/);
  const heads = await page.locator("#runs th").allInnerTexts();
  assert.equal(await page.locator("#runs tbody tr").first().locator("td").nth(heads.indexOf("limits")).innerText(), limits);
  await shot(page, "limits");
  await page.selectOption("#pick-template", "faults");
  assert.ok(!await page.locator("#outside").isVisible());
  assert.ok(!(await page.locator("#runs th").allInnerTexts()).includes("limits"));
  assert.deepEqual(errors, []);
});

// What a sweep over 40 sizes of three dimensions may leave, of which one answer is not measured; and one of a single size.
function addDispatches(document) {
  const hashOf = (name) => document.problems.find(({ template }) => template === name).template_hash;
  const made = (template, more) => ({ template, template_hash: hashOf(template), objective: "time", origin: "measured", made_at: "2026-11-23T10:00:00Z", driver: "d", compiler: "c", ...more });
  const tree = [{ feature: "size", a: 0, below: 300, then: 1, otherwise: 2 }, { configuration: 1 }, { feature: "ratio", a: 1, b: 2, below: 2, then: 3, otherwise: 4 }, { configuration: 0 }, { configuration: 2 }];
  const leafOf = ([m, n, k]) => (m < 300 ? 1 : n / k < 2 ? 0 : 2);
  const cases = Array.from({ length: 40 }, (_, i) => [2 ** (5 + i % 8), 2 ** (6 + (3 * i) % 7), 64 + i]).map((size, i) =>
    ({ size, weight: 1, best: 1e6, cost: i ? 1e6 * (1 + i / 400) : undefined, answer: leafOf(size), held_out: 0.5 }));
  const configurations = [16, 32, 64].map((T) => ({ VARIANT: "<b>joint</b>", T }));
  document.dispatches = [made("gemm", { sizes: ["M", "N", "K"], configurations, tree, cases }),
    made("gemm", { origin: "imported", sizes: ["M", "N", "K"], configurations, tree: [{ configuration: 0 }], cases: cases.slice(1, 3).map((one) => ({ ...one, answer: 0 })) }),
    made("reduction", { sizes: ["n"], configurations: [{ T: 5 }], tree: [{ configuration: 0 }], cases: [{ size: [3000], weight: 1, best: 7e3, cost: 7e3, answer: 0, held_out: 1 }] })];
  document.dispatches_left_out = 2;
}

test("what a sweep over many sizes left is shown: the plane, the tree, configurations and their answers", async () => {
  const page = await openApart(await changedPage("sizes.html", addDispatches));
  const text = (id) => page.locator(id).innerText();
  await page.selectOption("#pick-template", "gemm");
  assert.match(await text("#dispatch-verdict"), /^3 configurations and a tree of 3 leaves for 40 sizes: 95\.\d % of the best found$/);
  assert.match(await text("#dispatch-note"), /the least is 91\.1 % at M=4096,N=2048,K=103\. Trees .* reach 50\.0 %, at least 50\.0 %\. At 1 size the answer failed/);
  assert.match(await text("#dispatch-left-out"), /^2 further sweeps/);
  const tree = (await text("#dispatch-tree")).replaceAll(/\s+/g, " ").replaceAll(/\d+ sizes, [\d.]+ %/g, "…");
  assert.equal(tree, "M < 300 yes 1 … no N / K < 2 yes 0 … no 2 …");
  assert.equal(await text("#dispatch-shared"), "All of them have VARIANT=<b>joint</b>.");
  assert.deepEqual(await page.locator("#dispatch-configurations tbody td:last-child").allInnerTexts(), ["T=16", "T=32", "T=64"]);
  const rows = page.locator("#dispatch-cases tbody tr");
  assert.equal(await rows.count(), 40);
  assert.match(await rows.first().innerText(), /^M=32,N=64,K=64\s+1\s+1 ms\s+not measured/);
  await shot(page, "sizes");
  for (const [select, chart, choice] of [["#dispatch-y", "chart-dispatch-map", "K"], ["#dispatch-over", "chart-dispatch-shares", "N"]]) {
    const first = await look(page, chart);
    assert.ok(first.colours > 5, `${chart} shows ${first.colours} colours`);
    await page.selectOption(select, { label: choice });
    assert.notEqual((await look(page, chart)).sum, first.sum, select);
  }
  await page.selectOption("#dispatch-pick", { index: 1 });
  assert.match(await text("#dispatch-verdict"), /^3 configurations and a tree of 1 leaf for 2 sizes/);
  await page.selectOption("#pick-template", "reduction");
  assert.equal(await text("#dispatch-verdict"), "One configuration for 1 size: 100.0 % of the best found");
  assert.ok(!await page.locator("#dispatch-map").isVisible());
  await page.setViewportSize({ width: 390, height: 844 });
  await page.selectOption("#pick-template", "gemm");
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("every chart is drawn, and the controls redraw them", async () => {
  const page = await open(await cpuPage());
  await page.selectOption("#pick-template", "gemm");
  for (const chart of ["chart-fastest", "chart-scatter", "chart-parallel", "chart-heat", "chart-progress"]) {
    const { colours } = await look(page, chart);
    assert.ok(colours > 5, `${chart} shows ${colours} colours`);
  }
  await shot(page, "device");
  for (const [select, chart] of [["#scatter-x", "chart-scatter"], ["#scatter-colour", "chart-scatter"], ["#scatter-y", "chart-scatter"], ["#heat-y", "chart-heat"]]) {
    const first = await look(page, chart);
    const options = await page.locator(`${select} option`).evaluateAll((all) => all.map((o) => o.value));
    const current = await page.locator(select).inputValue();
    const taken = select === "#heat-y" ? [current, await page.locator("#heat-x").inputValue()] : [current];
    await page.selectOption(select, options.find((value) => !taken.includes(value)));
    const second = await look(page, chart);
    assert.notEqual(second.sum, first.sum, `${select} changes nothing in ${chart}`);
  }
  assert.deepEqual(errors, []);
});

test("the ladder compares the best of each variant, of any parameter", async () => {
  const page = await open(finalsFile);
  await page.selectOption("#pick-template", "reduction");
  const times = sql(home, `select json_extract(configuration, '$.VARIANT') as variant, min(time_ns) as ns from evaluation e join problem p on p.id = e.problem
    join template t on t.id = p.template where t.name = 'reduction' and e.origin = 'measured' and e.outcome = 'ok' group by 1`);
  const order = ["neighboured_divergent", "neighboured_dense", "interleaved", "cascade", "unrolled", "last_warp", "shuffle"].filter((name) => times.some(({ variant }) => variant === name));
  assert.ok(order.length > 1);
  const rows = page.locator("#ladder-table tbody tr");
  assert.deepEqual(await rows.locator("td:first-child").allInnerTexts(), order);
  assert.match(await page.locator("#ladder-table").innerText(), /each thread reduces several values before the tree/);
  const ns = (variant) => times.find((row) => row.variant === variant).ns;
  for (const [i, variant] of order.entries()) {
    if (!i) continue;
    const [times, before] = (await rows.nth(i).innerText()).match(/[\d.]+×/g).map(parseFloat);
    assert.ok(Math.abs(times / (ns(order[0]) / ns(variant)) - 1) < 0.06, variant); // as far as its digits go
    assert.ok(Math.abs(before / (ns(order[i - 1]) / ns(variant)) - 1) < 0.06, variant);
  }
  assert.match(await page.locator("#ladder-summary").innerText(), / as fast as | is the fastest/);
  const first = await look(page, "chart-ladder");
  assert.ok(first.colours > 5);
  await shot(page, "ladder");
  await page.selectOption("#ladder-rungs", JSON.stringify(["BLOCK"]));
  assert.notEqual((await look(page, "chart-ladder")).sum, first.sum);
  const blocks = (await rows.locator("td:first-child").allInnerTexts()).map(Number);
  assert.deepEqual(blocks, [...blocks].sort((a, b) => a - b));
  await page.selectOption("#pick-template", "gemm"); // one variant: no ladder of variants
  assert.ok(!(await page.locator("#ladder-rungs option").allInnerTexts()).includes("VARIANT"));
  assert.deepEqual(errors, []);
});

test("the overview leads to each kernel and size", async () => {
  const page = await open(finalsFile);
  const rows = page.locator("#overview-table tbody tr");
  const sizes = sql(join(home, "finals"), "select size from best where origin = 'measured' order by size").map(({ size }) => size);
  assert.ok(sizes.length > 2);
  assert.deepEqual((await rows.locator("td:nth-child(2)").allInnerTexts()).sort(), sizes);
  const [best] = sql(join(home, "finals"), "select percent_of_peak as percent, limit_name as pipe from best where template = 'reduction' and origin = 'measured'");
  const row = await rows.filter({ hasText: "n=3000" }).innerText();
  const [share] = row.match(/[\d.]+(?= %)/);
  assert.ok(Math.abs(share - best.percent) < 0.1, `${row}: ${best.percent}`);
  assert.match(row, new RegExp(`${best.pipe}, data sheet`));
  await page.selectOption("#pick-template", "gemm");
  await rows.locator("button", { hasText: "n=3000" }).click();
  assert.equal(await page.locator("#pick-template").inputValue(), "reduction");
  assert.equal(await page.locator("#pick-size").inputValue(), "n=3000,OPERATION=1,WHOLE=1");
  assert.match(await page.locator("#best").innerText(), new RegExp(`of the ${best.pipe} limit`));
  assert.deepEqual(errors, []);
});

test("the roofline, and the share of the limit by variant", async () => {
  const page = await open(finalsFile);
  await page.selectOption("#pick-template", "gemm"); // operations and bytes
  const views = () => page.locator("#roofline-view option").allInnerTexts();
  assert.deepEqual(await views(), ["roofline", "share of the limit by variant"]);
  assert.match(await page.locator("#roofline-note").innerText(), /^The best configuration takes .*: the (fp32|memory) limit, .*(FLOP|B)\/s by the data sheet\. .*Dashed/);
  const first = await look(page, "chart-roofline");
  assert.ok(first.colours > 5);
  await page.selectOption("#roofline-view", "share");
  assert.notEqual((await look(page, "chart-roofline")).sum, first.sum);
  await page.selectOption("#pick-template", "reduction"); // bytes alone: no intensity
  assert.deepEqual(await views(), ["share of the limit by variant"]);
  assert.ok((await look(page, "chart-roofline")).colours > 5);
  await page.selectOption("#pick-template", "markup"); // nothing valid
  assert.equal(await page.locator("#chart-roofline").isVisible(), false);
  assert.deepEqual(errors, []);
});

test("the best on the page is the best of the database", async () => {
  const page = await open(await cpuPage());
  await page.selectOption("#pick-template", "gemm");
  const [best] = sql(home, "select configuration, time_ms from best where template = 'gemm' and origin = 'measured'");
  const shown = await page.locator("#best").innerText();
  for (const [name, value] of Object.entries(JSON.parse(best.configuration))) assert.match(shown, new RegExp(`${name}\\s+${value}`));
});

test("the table sorts and filters", async () => {
  const page = await open(await cpuPage());
  await page.selectOption("#pick-template", "gemm");
  const all = await page.locator("#configurations tbody tr").count();
  assert.equal(all, sql(home, "select count(*) as n from evaluation e join problem p on p.id = e.problem join template t on t.id = p.template where t.name = 'gemm' and e.origin = 'measured'")[0].n);
  assert.equal(await page.locator("#configurations tbody tr.winner").count(), 1);
  const rows = () => page.locator("#configurations tbody tr").evaluateAll((all) => all.map((row) => row.innerText));
  const up = await rows();
  await page.locator("#configurations thead button", { hasText: /^time$/ }).click();
  const down = await rows();
  assert.equal(down[0], up[up.length - 1]);
  assert.equal(down[down.length - 1], up[0]);
  const name = await page.locator("#heat-x").inputValue();
  const value = Object.entries(JSON.parse(sql(home, "select configuration from best where template = 'gemm' and origin = 'measured'")[0].configuration)).find(([key]) => key === name)[1];
  await page.fill("#filter", `${name}=${value}`);
  const filtered = await page.locator("#configurations tbody tr").count();
  assert.ok(filtered > 0 && filtered < all);
});

test("finals are shown in words and figures, and energy has its chart", async () => {
  const page = await open(finalsFile);
  await page.selectOption("#pick-template", "gemm");
  assert.match(await page.locator("#finals-verdict").innerText(), /^A tie of 2$/);
  assert.match(await page.locator("#finals-note").innerText(), /Measured in 4 interleaved rounds.*uses the fewest resources.*5 % longer \(95 % interval: 4 % to 6 %\)/);
  const places = await page.locator("#finals-table tbody tr").allInnerTexts();
  assert.equal(places.length, 3);
  assert.match(places[0], /^1\s+winner throttled.*1\.0000\s+0\.9900 – 1\.0100/);
  assert.match(places[1], /^2\s+tied\s.*1\.0020/);
  assert.match(places[2], /^3\s+lost throttled.*1\.0500/);
  // the winner is the best, although another row is a little faster
  assert.equal(await page.locator("#finals-table tbody tr").first().getAttribute("class"), "winner");
  assert.match(await page.locator("#configurations thead").innerText(), /GFLOP\/s per W/);
  assert.match(await page.locator("#provenance").innerText(), /18446744073709551615/);
  assert.match(await page.locator("#provenance").innerText(), /<b>GPU<\/b>/);
  for (const chart of ["chart-fastest", "chart-pareto"]) assert.ok((await look(page, chart)).colours > 5, chart);
  assert.match(await page.locator("#pareto-note").innerText(), /Pareto front: \d+ of \d+ configurations|both the fastest/);
  await shot(page, "finals");
  assert.deepEqual(errors, []);
  for (const [name, options] of [["finals-narrow", { viewport: { width: 390, height: 844 } }], ["finals-dark", { colorScheme: "dark" }]]) {
    const other = await openApart(finalsFile, options);
    await other.selectOption("#pick-template", "gemm");
    assert.ok(await other.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page is wider than the window");
    await shot(other, name);
    await other.context().close();
  }
});

test("what was not measured is not shown", async () => {
  const page = await open(await cpuPage());
  await page.selectOption("#pick-template", "faults");
  assert.equal(sql(home, "select count(*) as n from evaluation where energy_j is not null")[0].n, 0);
  assert.equal(await page.locator("#chart-pareto").isVisible(), false);
});

test("a template's objective decides what is best, and its metrics have columns", async () => {
  const page = await open(await cpuPage());
  await page.selectOption("#pick-template", "heat");
  const [row] = sql(home, "select configuration, value from best_by_objective where objective = 'points a second'");
  const steps = String(JSON.parse(row.configuration).STEPS);
  assert.equal(steps, "16"); // which takes the most time
  assert.match(await page.locator("#best").innerText(), new RegExp(`${row.value.toExponential(3).replace("+", "\\+")} points a second`));
  const cells = await page.locator("#configurations tr").evaluateAll((rows) => rows.map((r) => [...r.children].map((c) => c.innerText)));
  const column = (name) => cells[0].indexOf(name);
  for (const name of ["GB/s", "points a second", "1 / (STEPS - 1)"]) assert.ok(column(name) > 0, `${cells[0]}`);
  assert.deepEqual(cells.slice(1).map((r) => r[column("STEPS")]), ["16", "1"]); // the best first
  assert.equal(cells[2][column("1 / (STEPS - 1)")], ""); // undefined
  assert.match(await page.locator("#fastest-title").innerText(), /by points a second/);
  await shot(page, "objective");
  assert.deepEqual(errors, []);
});

test("an objective can be chosen: charts, tables and the overview follow it", async () => {
  const page = await open(finalsFile), own = "points a second", picker = page.locator("#pick-objective");
  const other = join(home, "finals"), charts = ["chart-fastest", "chart-scatter", "chart-parallel", "chart-progress"];
  await page.selectOption("#pick-template", "heat");
  assert.deepEqual(await picker.locator("option").allInnerTexts(), [own, "time", "energy", "edp", "excess"]); // no row has joules
  const rows = sql(other, `select json_extract(configuration, '$.STEPS') as steps, time_ns, energy_j from evaluation e join problem p on p.id = e.problem
    join template t on t.id = p.template where t.name = 'heat' and outcome = 'ok'`);
  const least = (by) => String(rows.reduce((a, b) => (by(b) < by(a) ? b : a)).steps);
  const overview = () => page.locator("#overview-table tr", { hasText: "heat" }).locator("td:nth-child(3)").innerText();
  const sums = async () => Promise.all(charts.map(async (chart) => (await look(page, chart)).sum));
  const firstRow = async () => {
    const cells = await page.locator("#configurations tr").evaluateAll((all) => all.slice(0, 2).map((r) => [...r.children].map((c) => c.innerText)));
    return cells[1][cells[0].indexOf("STEPS")];
  };
  assert.match(await overview(), / points a second$/);
  assert.equal(await page.locator("#fastest-note").innerText(), ""); // no intervals of it are known
  let before = await sums();
  for (const [name, title, scatter, steps, unit] of [
    ["time", "Fastest configurations", "Time by parameter", least((e) => e.time_ns), / [mµ]s$/],
    ["energy", "Best configurations by energy", "Energy by parameter", least((e) => e.energy_j), / m?J$/],
    ["edp", "Best configurations by edp", "EDP by parameter", least((e) => e.energy_j * e.time_ns), / J s$/],
    [own, "Best configurations by points a second", "Points a second by parameter", "16", / points a second$/],
  ]) {
    await picker.selectOption(name);
    const after = await sums();
    charts.forEach((chart, i) => assert.notEqual(after[i], before[i], `${chart} is the same by ${name}`));
    before = after;
    assert.equal(await page.locator("#fastest-title").innerText(), title);
    assert.equal(await page.locator("#scatter-title").innerText(), scatter);
    assert.equal(await page.locator("#scatter-y option").first().innerText(), name);
    assert.equal(await firstRow(), steps, name);
    assert.match(await page.locator("#best").innerText(), new RegExp(`STEPS ${steps}`));
    assert.match(await overview(), unit);
  }
  // The choice stays with the next kernel, as far as that has it.
  await picker.selectOption("energy");
  await shot(page, "objective-energy");
  await page.selectOption("#pick-template", "gemm");
  assert.equal(await picker.inputValue(), "energy");
  assert.equal(await page.locator("#finals").isVisible(), false); // those were by time
  await picker.selectOption("time");
  assert.ok(await page.locator("#finals").isVisible());
  await picker.selectOption("energy");
  await page.selectOption("#pick-template", "faults");
  assert.deepEqual(errors, []);

  const narrow = await openApart(finalsFile, { viewport: { width: 390, height: 844 } });
  await narrow.selectOption("#pick-template", "heat");
  assert.ok(await narrow.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page is wider than the window");
  await shot(narrow, "objective-narrow");
  await narrow.context().close();
});

test("the index follows each kernel's own objective, or one that is chosen", async () => {
  const page = await open(join(home, "finals", "report", "index.html")), other = join(home, "finals");
  const card = page.locator(".device", { hasText: "cpu" }).first();
  const rowOf = (kernel) => card.locator("tbody tr", { hasText: kernel }).first().innerText();
  assert.match(await rowOf("heat"), / points a second\t.*STEPS=16/s);
  assert.match(await rowOf("gemm"), /\t[\d.]+ [mµn]s\t[\d.]+ [mµn]s\t/); // the best is a time
  assert.equal((await card.locator("thead").innerText()).split("\t")[2], "best");
  for (const [name, value] of [["energy", "energy_j"], ["edp", "energy_j * time_ns * 1e-9"]]) {
    await page.selectOption("#pick-objective", name);
    const [best] = sql(other, `select json_extract(configuration, '$.STEPS') as steps from evaluation e join problem p on p.id = e.problem
      join template t on t.id = p.template where t.name = 'heat' and outcome = 'ok' order by ${value} limit 1`);
    assert.match(await rowOf("heat"), new RegExp(`STEPS=${best.steps}\\b`));
  }
  await page.selectOption("#pick-objective", "excess");
  assert.equal(await card.locator("tbody tr").count(), 1);
  assert.match(await page.locator(".device", { hasText: "NVIDIA" }).first().innerText(), /Nothing is known by excess\./);
  await shot(page, "index-objective");
  await page.selectOption("#pick-objective", "time");
  assert.match(await rowOf("heat"), /STEPS=1\b/);
  assert.deepEqual(errors, []);
});

test("failures are shown by kind with their messages", async () => {
  const page = await open(await cpuPage());
  await page.selectOption("#pick-template", "faults");
  assert.ok((await look(page, "chart-failures")).colours > 3);
  const text = await page.locator("#failure-list").innerText();
  for (const kind of ["compile_error", "timeout", "out_of_bounds", "wrong_result"]) assert.match(text, new RegExp(kind));
  await shot(page, "failures");
  assert.deepEqual(errors, []);
});

test("the page fits a narrow window, dark mode and paper", async () => {
  const narrow = await openApart(await cpuPage(), { viewport: { width: 390, height: 844 } });
  await narrow.selectOption("#pick-template", "gemm");
  assert.ok(await narrow.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page is wider than the window");
  assert.ok((await look(narrow, "chart-scatter")).colours > 5);
  await shot(narrow, "narrow");
  await narrow.context().close();

  const dark = await openApart(pageFile, { colorScheme: "dark" });
  await dark.selectOption("#pick-template", "gemm");
  const paper = await dark.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number));
  assert.ok(Math.max(...paper) < 60, `dark mode has a background of ${paper}`);
  await shot(dark, "dark");
  await dark.context().close();

  const print = await openApart(pageFile);
  await print.selectOption("#pick-template", "gemm");
  const pdf = await print.pdf({ format: "A4" });
  assert.ok(pdf.length > 20000);
  await print.emulateMedia({ media: "print" });
  assert.equal(await print.locator("#more").isVisible(), false);
  await print.context().close();
});

test("messages stay text, never markup", async () => {
  const page = await open(await cpuPage());
  await page.selectOption("#pick-template", "markup");
  const text = await page.locator("#failure-list pre").first().textContent();
  assert.match(text, /<script>window\.taken = 1<\/script>/);
  assert.equal(await page.evaluate(() => window.taken), undefined);
  assert.equal(await page.evaluate(() => document.scripts.length), 3);
});

test("tooltips show text, and the policy has nothing against them", async () => {
  const page = await open(await cpuPage());
  await page.selectOption("#pick-template", "faults");
  const hover = async (chart, x, y) => {
    const box = await page.locator(`#${chart}`).boundingBox();
    await page.mouse.move(box.x + box.width * x, box.y + box.height * y);
    await page.waitForFunction((id) => document.querySelector(`#${id} > div:last-child b`), chart);
    return page.locator(`#${chart} > div:last-child`).innerText();
  };
  await page.locator("#chart-failures").scrollIntoViewIfNeeded();
  const box = await page.locator("#chart-failures").boundingBox();
  assert.match(await hover("chart-failures", 140 / box.width, 20 / box.height), /^[a-z_]+ \d+$/);
  await shot(page, "tooltip");
  assert.deepEqual(errors, []);
});

test("nothing runs on a page but what it was built with", async () => {
  for (const file of [index, await cpuPage()]) {
    const page = await openApart(file);
    assert.deepEqual(errors, []);
    await tryForbidden(page, errors);
    await page.context().close();
  }
});

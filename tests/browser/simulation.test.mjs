// SPDX-License-Identifier: Apache-2.0
// Opens the page of a simulation in headless Chromium: charts are drawn, a recording can be picked, names from files stay
// text, and nothing is requested from the network.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { tmpdir } from "node:os";
import { writeRecording } from "../program/simulated.mjs";
import { tune } from "../program/tune.mjs";
import { launch, look, openPage, shot, tryForbidden } from "./browser.mjs";

const odd = "<img src=x onerror=document.title=1>";
const errors = [];
let home, browser, page;

before(async () => {
  home = mkdtempSync(join(tmpdir(), "tune-browser-"));
  const files = [writeRecording(home), writeRecording(home, `${odd}_T4.json`, "v")];
  const done = tune(home, "simulate", "--recorded", ...files, "--repeats", "10", "--strategy", "random", "--strategy", "exhaustive", "-o", "out");
  assert.equal(done.status, 0, done.stderr);
  browser = await launch();
  page = await openPage(browser, join(home, "out", "simulation.html"), errors);
});
after(async () => {
  await browser?.close();
  rmSync(home, { recursive: true, force: true });
});

test("charts and tables show the strategies", async () => {
  for (const chart of ["chart-overall", "chart-curves"]) assert.ok((await look(page, chart)).colours > 5, chart);
  const scores = await page.locator("#scores tbody tr").evaluateAll((rows) => rows.map((row) => row.innerText));
  assert.equal(scores.length, 2);
  assert.ok(scores.some((row) => /^random\t-?\d\.\d{3} \(/.test(row)), scores.join("\n"));
  assert.equal(await page.locator("#recordings tbody tr").count(), 2);
  await shot(page, "simulation");
});

test("another recording draws other curves", async () => {
  const before = await look(page, "chart-curves");
  await page.selectOption("#pick", "made");
  assert.notEqual((await look(page, "chart-curves")).sum, before.sum);
});

test("a name that looks like markup stays text; nothing fails or is fetched", async () => {
  assert.ok((await page.locator("#recordings").innerText()).includes(odd));
  await page.locator("#chart-curves").scrollIntoViewIfNeeded();
  await page.hover("#chart-curves");
  await page.waitForSelector("#chart-curves .dot");
  assert.notEqual(await page.evaluate(() => getComputedStyle(document.querySelector("#chart-curves .dot")).backgroundColor), "rgba(0, 0, 0, 0)");
  assert.match(await page.locator("#chart-curves > div:last-child").innerText(), /random: -?\d\.\d{3}/);
  await shot(page, "simulation-tooltip");
  assert.equal(await page.title(), "How search strategies compare");
  assert.equal(await page.locator("img").count(), 0);
  assert.deepEqual(errors, []);
});

test("nothing runs on the page but what it was built with", async () => tryForbidden(page, errors));

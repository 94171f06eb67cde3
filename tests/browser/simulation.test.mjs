// Opens the page of a simulation in headless Chromium: charts are drawn, the recording can be picked, names from files
// stay text, and nothing is asked of the network.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, test } from "node:test";
import { tmpdir } from "node:os";
import { chromium } from "playwright-core";
import { writeRecording } from "../program/simulated.mjs";
import { tune } from "../program/tune.mjs";

const shots = process.env.TUNE_SCREENSHOTS;
const odd = "<img src=x onerror=document.title=1>";
let home, browser, page, errors = [];

before(async () => {
  home = mkdtempSync(join(tmpdir(), "tune-browser-"));
  const files = [writeRecording(home), writeRecording(home, `${odd}_T4.json`, "v")];
  const done = tune(home, "simulate", "--recorded", ...files, "--repeats", "10", "--strategy", "random", "--strategy", "exhaustive", "-o", "out");
  assert.equal(done.status, 0, done.stderr);
  browser = await chromium.launch({ executablePath: process.env.TUNE_CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"] });
  page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("request", (request) => { if (!/^(file|data):/.test(request.url())) errors.push(`asks for ${request.url()}`); });
  await page.goto(pathToFileURL(join(home, "out", "simulation.html")).href);
});
after(async () => {
  await browser?.close();
  rmSync(home, { recursive: true, force: true });
});

const look = (chart) => page.evaluate((id) => {
  const canvas = document.querySelector(`#${id} canvas`);
  const pixels = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer);
  let sum = 0;
  for (const pixel of pixels) sum = (Math.imul(sum, 31) + pixel) | 0;
  return { colours: new Set(pixels).size, sum };
}, chart);

test("charts and tables show the strategies", async () => {
  for (const chart of ["chart-overall", "chart-curves"]) assert.ok((await look(chart)).colours > 5, chart);
  const scores = await page.locator("#scores tbody tr").evaluateAll((rows) => rows.map((row) => row.innerText));
  assert.equal(scores.length, 2);
  assert.ok(scores.some((row) => /^random\t-?\d\.\d{3} \(/.test(row)), scores.join("\n"));
  assert.equal(await page.locator("#recordings tbody tr").count(), 2);
  if (shots) {
    mkdirSync(shots, { recursive: true });
    await page.screenshot({ path: join(shots, "simulation.png"), fullPage: true });
  }
});

test("another recording draws other curves", async () => {
  const before = await look("chart-curves");
  await page.selectOption("#pick", "made");
  assert.notEqual((await look("chart-curves")).sum, before.sum);
});

test("a name that looks like markup stays text, and nothing fails or is fetched", async () => {
  assert.ok((await page.locator("#recordings").innerText()).includes(odd));
  await page.hover("#chart-curves");
  assert.equal(await page.title(), "How search strategies compare");
  assert.equal(await page.locator("img").count(), 0);
  assert.deepEqual(errors, []);
});

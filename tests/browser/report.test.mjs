// Opens a report made from a real sweep in headless Chromium, uses its controls and looks at what is drawn: a chart
// counts as drawn when its canvas holds more than one colour, and as redrawn when its pixels change.
import assert from "node:assert/strict";
import { existsSync, mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, test } from "node:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { chromium } from "playwright-core";
import { kernels, sql, tune } from "../program/tune.mjs";

const executablePath = process.env.TUNE_CHROMIUM || "/usr/bin/chromium";
const shots = process.env.TUNE_SCREENSHOTS; // a folder to keep pictures of the pages in, for people to look at
let home, browser, index, pageFile, errors;

before(async () => {
  assert.ok(existsSync(executablePath), `${executablePath} is missing: run tuner/setup --test`);
  home = mkdtempSync(join(tmpdir(), "tune-browser-"));
  const sweep = tune(home, "gemm", "--space", "joint_reg_smem", "--device", "cpu", "--size", "M=64,N=64,K=64", "--strategy", "random", "--budget", "30");
  assert.equal(sweep.status, 0, sweep.stderr);
  const faults = tune(home, join(kernels, "faults"), "--space", "all", "--device", "cpu", "--deadline", "2s");
  assert.equal(faults.status, 0, faults.stderr);
  tune(home, join(kernels, "markup"), "--device", "cpu"); // fails, with a message that looks like markup
  index = tune(home, "report", "-o", join(home, "report")).stdout.trim();
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"] });
});
after(async () => {
  await browser?.close();
  rmSync(home, { recursive: true, force: true });
});

// Open a page; every message of an error and every request for anything but the page itself is kept.
async function open(file, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("request", (request) => { if (!request.url().startsWith("file:") && !request.url().startsWith("data:")) errors.push(`asks for ${request.url()}`); });
  await page.goto(pathToFileURL(file).href);
  return page;
}

async function shot(page, name) {
  if (!shots) return;
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
}

// What a chart shows: the number of colours of its canvas and a sum that changes with any pixel.
const look = (page, chart) => page.evaluate((id) => {
  const canvas = document.querySelector(`#${id} canvas`);
  const pixels = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer);
  let sum = 0;
  for (const pixel of pixels) sum = (Math.imul(sum, 31) + pixel) | 0;
  return { colours: new Set(pixels).size, sum };
}, chart);

async function cpuPage() {
  const page = await open(index);
  const link = page.locator(".device a", { hasText: "" }).filter({ hasNotText: /NVIDIA/ }).first();
  const href = await link.getAttribute("href");
  pageFile = join(home, "report", basename(href));
  await page.context().close();
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
  await page.context().close();
});

test("every chart is drawn, and the controls redraw them", async () => {
  const page = await open(await cpuPage());
  await page.selectOption("#pick-template", "gemm");
  for (const chart of ["chart-scatter", "chart-parallel", "chart-heat", "chart-course"]) {
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
  await page.context().close();
});

test("the best on the page is the best of the database", async () => {
  const page = await open(await cpuPage());
  await page.selectOption("#pick-template", "gemm");
  const [best] = sql(home, "select configuration, time_ms from best where template = 'gemm' and origin = 'measured'");
  const shown = await page.locator("#best").innerText();
  for (const [name, value] of Object.entries(JSON.parse(best.configuration))) assert.match(shown, new RegExp(`${name}\\s+${value}`));
  await page.context().close();
});

test("the table sorts and filters", async () => {
  const page = await open(await cpuPage());
  await page.selectOption("#pick-template", "gemm");
  const all = await page.locator("#configurations tbody tr").count();
  assert.equal(all, sql(home, "select count(*) as n from evaluation e join problem p on p.id = e.problem join template t on t.id = p.template where t.name = 'gemm' and e.origin = 'measured'")[0].n);
  assert.equal(await page.locator("#configurations tbody tr").first().getAttribute("class"), "winner");
  await page.locator("#configurations thead button", { hasText: /^time$/ }).click();
  assert.equal(await page.locator("#configurations tbody tr").last().getAttribute("class"), "winner");
  const name = await page.locator("#heat-x").inputValue();
  const value = Object.entries(JSON.parse(sql(home, "select configuration from best where template = 'gemm' and origin = 'measured'")[0].configuration)).find(([key]) => key === name)[1];
  await page.fill("#filter", `${name}=${value}`);
  const filtered = await page.locator("#configurations tbody tr").count();
  assert.ok(filtered > 0 && filtered < all);
  await page.context().close();
});

test("failures are shown by kind with their messages", async () => {
  const page = await open(await cpuPage());
  await page.selectOption("#pick-template", "faults");
  assert.ok((await look(page, "chart-failures")).colours > 3);
  const text = await page.locator("#failure-list").innerText();
  for (const kind of ["compile_error", "timeout", "out_of_bounds", "wrong_result"]) assert.match(text, new RegExp(kind));
  await shot(page, "failures");
  assert.deepEqual(errors, []);
  await page.context().close();
});

test("a narrow window, dark mode and paper", async () => {
  const narrow = await open(await cpuPage(), { viewport: { width: 390, height: 844 } });
  await narrow.selectOption("#pick-template", "gemm");
  assert.ok(await narrow.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page is wider than the window");
  assert.ok((await look(narrow, "chart-scatter")).colours > 5);
  await shot(narrow, "narrow");
  await narrow.context().close();

  const dark = await open(pageFile, { colorScheme: "dark" });
  await dark.selectOption("#pick-template", "gemm");
  const paper = await dark.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number));
  assert.ok(Math.max(...paper) < 60, `dark mode has a background of ${paper}`);
  await shot(dark, "dark");
  await dark.context().close();

  const print = await open(pageFile);
  await print.selectOption("#pick-template", "gemm");
  const pdf = await print.pdf({ format: "A4" });
  assert.ok(pdf.length > 20000);
  await print.emulateMedia({ media: "print" });
  assert.equal(await print.locator("#more").isVisible(), false);
  await print.context().close();
});

test("messages of users are text, never markup", async () => {
  const page = await open(await cpuPage());
  await page.selectOption("#pick-template", "markup");
  const text = await page.locator("#failure-list pre").first().textContent();
  assert.match(text, /<script>window\.taken = 1<\/script>/);
  assert.equal(await page.evaluate(() => window.taken), undefined);
  assert.equal(await page.evaluate(() => document.scripts.length), 3);
  await page.context().close();
});

// SPDX-License-Identifier: Apache-2.0
// A page in headless Chromium: opened, watched for errors, and looked at. A chart counts as drawn if its canvas has several
// colours, and as redrawn if its pixels change.
import assert from "node:assert/strict";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const executablePath = process.env.TUNE_CHROMIUM || "/usr/bin/chromium";
const shots = process.env.TUNE_SCREENSHOTS; // a folder for pictures of the pages, to look at

export async function launch() {
  assert.ok(existsSync(executablePath), `${executablePath} is missing: run tuner/setup --test`);
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"] });
}

export const visit = (page, file) => page.goto(pathToFileURL(file).href);

// Open a page; `errors` collects error messages, requests for anything but the page itself, and what its policy forbade.
export async function openPage(browser, file, errors, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  await context.addInitScript(() => document.addEventListener("securitypolicyviolation",
    ({ violatedDirective, blockedURI, sample }) => console.error(`the policy forbids ${violatedDirective} ${blockedURI} ${sample}`)));
  const page = await context.newPage();
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("request", (request) => { if (!/^(file|data):/.test(request.url())) errors.push(`requests ${request.url()}`); });
  await visit(page, file);
  return page;
}

// What must not run on a page, whatever became of the escaping: scripts and styles that it was not built with. Each is
// tried, and must leave a message among the errors.
export async function tryForbidden(page, errors) {
  const taken = await page.evaluate(() => {
    const add = (name, properties) => document.body.append(Object.assign(document.createElement(name), properties));
    add("script", { textContent: "window.taken = 'script'" });
    add("div", { innerHTML: "<img src='data:,' onerror=\"window.taken = 'attribute'\"><b id=styled style='color: rgb(1, 2, 3)'>x</b>" });
    add("style", { textContent: "#styled { background: rgb(4, 5, 6) }" });
    add("a", { id: "leads", href: "javascript:window.taken='link'" });
    document.getElementById("leads").click();
    return new Promise((resolve) => setTimeout(() => { // later: a debugger's evaluations are exempt
      try { window.taken = Function("return 'function'")(); } catch { /* as it should */ }
      const { color, backgroundColor } = getComputedStyle(document.getElementById("styled"));
      resolve({ taken: window.taken, color, backgroundColor });
    }, 200));
  });
  assert.equal(taken.taken, undefined);
  assert.notEqual(taken.color, "rgb(1, 2, 3)");
  assert.notEqual(taken.backgroundColor, "rgb(4, 5, 6)");
  for (const directive of ["script-src-elem", "script-src-attr", "style-src-attr", "style-src-elem"])
    assert.ok(errors.some((text) => text.includes(`the policy forbids ${directive}`)), `${directive}: ${errors.join("\n")}`);
}

export async function shot(page, name) {
  if (!shots) return;
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
}

// The number of colours of a chart's canvas, and a checksum of its pixels.
export const look = (page, chart) => page.evaluate((id) => {
  const canvas = document.querySelector(`#${id} canvas`);
  const pixels = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer);
  let sum = 0;
  for (const pixel of pixels) sum = (Math.imul(sum, 31) + pixel) | 0;
  return { colours: new Set(pixels).size, sum };
}, chart);

// SPDX-License-Identifier: Apache-2.0
// Makes the picture in the README: the top of a device's page. It is no test.
//
//     node tests/browser/screenshot.mjs report/device-1-NAME.html reports/screenshot.png [KERNEL [WIDTH HEIGHT]]
import { launch, openPage } from "./browser.mjs";

const [file, path, kernel, width = 1280, height = 1180] = process.argv.slice(2);
const errors = [];
const browser = await launch();
const page = await openPage(browser, file, errors, { viewport: { width: Number(width), height: Number(height) } });
if (kernel) await page.selectOption("#pick-template", kernel);
await page.screenshot({ path });
await browser.close();
if (errors.length) throw new Error(errors.join("\n"));

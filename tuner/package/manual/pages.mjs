// SPDX-License-Identifier: Apache-2.0
// Writes all manual pages: node pages.mjs PROGRAM SOURCE VERSION FOLDER
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clusterPage } from "./cluster.mjs";
import { commandPage } from "./command.mjs";
import { formatsPage } from "./formats.mjs";
import { libraryPages } from "./library.mjs";

const [program, source, version, folder] = process.argv.slice(2);
const pages = {
  "tune.1": commandPage(program, version),
  ...libraryPages(join(source, "tuner/library/tune.h"), version),
  "tune.5": formatsPage(source, version),
  "tune.7": clusterPage(source, version),
};
rmSync(folder, { recursive: true, force: true });
for (const [name, text] of Object.entries(pages)) {
  const section = join(folder, `man${name.slice(-1)}`);
  mkdirSync(section, { recursive: true });
  writeFileSync(join(section, name), text);
}

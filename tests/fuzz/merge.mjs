// SPDX-License-Identifier: Apache-2.0
// node merge.mjs PROGRAM CORPUS FINDS: copy to the corpus the finds that cover most of what it does not cover yet. libFuzzer
// says what each input covers; taking the one that adds most, again and again, keeps a bounded corpus good.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

const largest = 2048; // bytes of an input
const most = { files: 200, bytes: 1 << 17 }; // of a corpus
const most_at_once = 40;

// What each input of the folders covers, by its path: lines "FT number feature...", where numbers count the listed paths.
function features(program, folders) {
  const scratch = mkdtempSync(join(tmpdir(), "tune-merge-"));
  const control = join(scratch, "control");
  spawnSync(program, ["-merge=1", `-merge_control_file=${control}`, `-max_len=${largest}`, scratch, ...folders], { stdio: "ignore" });
  const [files, , ...lines] = readFileSync(control, "utf8").split("\n");
  rmSync(scratch, { recursive: true });
  const paths = lines.slice(0, Number(files));
  return new Map(lines.slice(Number(files)).filter((line) => line.startsWith("FT ")).map((line) => {
    const [, number, ...covered] = line.trim().split(" ");
    return [paths[Number(number)], covered];
  }));
}

const [program, corpus, finds] = process.argv.slice(2);
const known = readdirSync(corpus);
const have = { files: known.length, bytes: known.reduce((sum, name) => sum + statSync(join(corpus, name)).size, 0) };
const inputs = features(program, [corpus, finds]);
const covered = new Set([...inputs].filter(([path]) => path.startsWith(corpus)).flatMap(([, list]) => list));
const left = new Map([...inputs].filter(([path]) => path.startsWith(finds) && statSync(path).size <= largest));
let added = 0;
while (left.size > 0 && added < most_at_once && have.files + added < most.files) {
  let best, gain = 0;
  for (const [path, list] of left) {
    const fresh = list.filter((feature) => !covered.has(feature));
    left.set(path, fresh);
    if (fresh.length === 0) left.delete(path);
    if (fresh.length > gain) [best, gain] = [path, fresh.length];
  }
  if (!best || have.bytes + statSync(best).size > most.bytes) break;
  copyFileSync(best, join(corpus, basename(best)));
  left.get(best).forEach((feature) => covered.add(feature));
  have.bytes += statSync(best).size;
  added++;
}
console.log(`${basename(corpus)}: ${known.length} inputs and ${added} new ones, ${have.bytes} bytes`);

// SPDX-License-Identifier: Apache-2.0
// Completion in bash and zsh: what the shells make of `tune --complete`, which tests/unit/cli/complete_test.c tests.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { environment, folder, program, source } from "./tune.mjs";

const scripts = join(source, "tuner/package/completion");

function run(home, shell, ...args) {
  const found = environment(home);
  const done = spawnSync(shell, args, { encoding: "utf8", cwd: home, env: { ...found, PATH: `${dirname(program)}:${found.PATH}` } });
  if (done.error) throw done.error;
  assert.equal(done.status, 0, done.stderr);
  return done.stdout.split("\n").filter((line) => line);
}

// What bash does when Tab is pressed behind this line, of which `words` are the parts as bash splits it. compopt, which
// works during a completion only, says what it is asked.
const bash = (home, line, ...words) => run(home, "bash", "--norc", "-c", `
  compopt() { echo "compopt $*"; }
  . "$0/tune.bash"
  complete -p tune >/dev/null || exit 1
  COMP_LINE=$1 COMP_POINT=\${#1} COMP_WORDS=("\${@:2}") COMP_CWORD=$(($# - 2))
  _tune
  printf '%s\\n' "\${COMPREPLY[@]}"`, scripts, line, ...words);

test("bash replaces what follows the last = or :", (t) => {
  const home = folder(t);
  assert.deepEqual(bash(home, "tune gemm_a", "tune", "gemm_a"), ["gemm_aat"]);
  assert.deepEqual(bash(home, "tune gemm --size", "tune", "gemm", "--size"), ["--size=", "--sizes="]);
  assert.deepEqual(bash(home, "tune gemm --size=", "tune", "gemm", "--size", "="), ["M=", "N=", "K="]);
  assert.deepEqual(bash(home, "tune gemm --size=M=4,N", "tune", "gemm", "--size", "=", "M", "=", "4,N"), ["compopt -o nospace", "4,N="]);
  assert.deepEqual(bash(home, "tune  gemm -n  M=4,", "tune", "gemm", "-n", "M", "=", "4,"), ["4,M=", "4,N=", "4,K="]);
  assert.deepEqual(bash(home, "tune gemm --device cpu:", "tune", "gemm", "--device", "cpu", ":"), ["0"]);
  assert.deepEqual(bash(home, "tune gemm -S genetic:pop", "tune", "gemm", "-S", "genetic", ":", "pop"), ["compopt -o nospace", "population="]);
  assert.deepEqual(bash(home, "tune list str", "tune", "list", "str"), ["strategies"]);
});

test("bash completes names of files where a file is meant", (t) => {
  const home = folder(t);
  writeFileSync(join(home, "sizes one.txt"), "");
  assert.deepEqual(bash(home, "tune gemm --sizes si", "tune", "gemm", "--sizes", "si"), ["compopt -o filenames", "sizes one.txt"]);
  assert.deepEqual(bash(home, "tune gemm --sizes=si", "tune", "gemm", "--sizes", "=", "si"), ["compopt -o filenames", "sizes one.txt"]);
  assert.deepEqual(bash(home, "tune gemm --input A=si", "tune", "gemm", "--input", "A", "=", "si"), ["compopt -o filenames", "sizes one.txt"]);
  mkdirSync(join(home, "own"));
  assert.deepEqual(bash(home, "tune ./o", "tune", "./o"), ["compopt -o filenames", "./own"]);
});

// The same in zsh, whose functions say what they are asked.
const zsh = (home, ...words) => run(home, "zsh", "-f", "-c", `
  compadd() { local name=\${@[-1]}; echo "\${name}:" "\${(@P)name}"; }
  compset() { echo "compset $2"; }
  _files() { echo files; }
  words=("$@") CURRENT=$# PREFIX=\${@[-1]}
  . $0/_tune`, scripts, ...words);

test("zsh adds a space behind words that are complete", (t) => {
  const home = folder(t);
  assert.deepEqual(zsh(home, "tune", "gemm_a"), ["closed: gemm_aat", "open:"]);
  assert.deepEqual(zsh(home, "tune", "best", "gemm", "--l"), ["closed: --ladder", "open: --limit="]);
  assert.deepEqual(zsh(home, "tune", "gemm", "--size=M=4,N"), ["closed:", "open: --size=M=4,N="]);
  assert.deepEqual(zsh(home, "tune", "gemm", "--input=A="), ["closed:", "open:", "compset --input=A=", "files"]);
});

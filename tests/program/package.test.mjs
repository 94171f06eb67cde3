// SPDX-License-Identifier: Apache-2.0
// An installed copy as other programs use it: built from an empty prefix that was moved, by pkg-config and by CMake.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { environment, folder, install, sanitized, tune } from "./tune.mjs";

const options = { skip: sanitized && "libraries with sanitizers are for programs with sanitizers" };

const code = `
#include <tune.h>
#include <stdio.h>

/* The program's own, which must not meet the library's. */
const char *error_set(void);
const char *error_set(void) { return "its own"; }

int main(void)
{
    printf("%s %s %s\\n", tune_version(), tune_code_name(TUNE_ERROR_INPUT), error_set());
    return 0;
}
`;

function run(home, program, args, variables = {}) {
  const done = spawnSync(program, args, { encoding: "utf8", cwd: home, env: { ...environment(home), ...variables } });
  if (done.error) throw done.error;
  assert.equal(done.status, 0, `${program} ${args.join(" ")}\n${done.stdout}${done.stderr}`);
  return done.stdout;
}

// A folder with a C and a C++ program, and a copy of tune in another.
function prepare(t) {
  const home = folder(t), prefix = join(home, "moved to", "here");
  install(join(home, "there"));
  mkdirSync(dirname(prefix));
  renameSync(join(home, "there"), prefix);
  writeFileSync(join(home, "program.c"), code);
  writeFileSync(join(home, "program.cpp"), code.replace("const char *error_set(void);", 'extern "C" const char *error_set(void);'));
  return { home, prefix, expected: `${tune(home, "--version").stdout.split(" ")[1].trim()} input its own\n` };
}

test("programs in C and C++ are built by pkg-config, with either library", options, (t) => {
  const { home, prefix, expected } = prepare(t);
  const flags = (...args) => run(home, "pkg-config", [...args, "tune"], { PKG_CONFIG_PATH: join(prefix, "lib/pkgconfig") })
    .trim().split(/(?<!\\) /).map((flag) => flag.replaceAll("\\ ", " "));
  const shared = flags("--cflags", "--libs");
  const alone = flags("--cflags", "--libs", "--static").map((flag) => flag.replace(/^-ltune$/, "-l:libtune.a"));
  for (const [compiler, file] of [["cc", "program.c"], ["c++", "program.cpp"]]) {
    run(home, compiler, ["-Wall", "-Wextra", "-Werror", file, "-o", "shared", ...shared]);
    assert.equal(run(home, "./shared", [], { LD_LIBRARY_PATH: join(prefix, "lib") }), expected);
    run(home, compiler, [file, "-o", "alone", ...alone]);
    assert.equal(run(home, "./alone", []), expected);
  }
});

test("CMake finds tune, and a version of it", options, (t) => {
  const { home, prefix, expected } = prepare(t);
  const version = expected.split(" ")[0].replace(/\.\d+$/, "");
  writeFileSync(join(home, "CMakeLists.txt"), `
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C CXX)
find_package(tune ${version} REQUIRED)
find_package(tune ${version} REQUIRED) # again does no harm
find_package(tune 99 QUIET)
if(tune_FOUND)
  message(FATAL_ERROR "there is no version 99")
endif()
add_executable(shared program.c)
target_link_libraries(shared PRIVATE tune::tune)
add_executable(alone program.cpp)
target_link_libraries(alone PRIVATE tune::static)
`);
  run(home, "cmake", ["-S", ".", "-B", "build", `-DCMAKE_PREFIX_PATH=${prefix}`]);
  run(home, "cmake", ["--build", "build"]);
  assert.equal(run(home, "build/shared", []), expected);
  assert.equal(run(home, "build/alone", []), expected);
});

// SPDX-License-Identifier: Apache-2.0
// An installed copy as other programs use it, built from an empty prefix that was moved, by pkg-config and by CMake; and a
// Debian package.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { test } from "node:test";
import { environment, folder, install, program, sanitized, source, tune } from "./tune.mjs";

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

// The product of 2 and a matrix whose only elements, 0 to 15, stand to the right of the diagonal.
const launching = `
#include <stdio.h>
#include <tune.h>

enum { N = 16 };

int main(void)
{
    static float a[N * N], b[N * N], c[N * N];
    const struct tune_size sizes[] = {{"M", N}, {"N", N}, {"K", N}};
    const struct tune_problem problem = {
        .bytes = sizeof problem, .kernel = "gemm", .device = "cpu:0", .sizes = sizes, .size_count = 3};
    const struct tune_load_options options = {.bytes = sizeof options, .flags = TUNE_LOAD_UNVALIDATED};
    const struct tune_buffer buffers[] = {{a, sizeof a}, {b, sizeof b}, {c, sizeof c}};
    struct tune_error error;
    struct tune *tune = NULL;
    struct tune_answer *answer = NULL;
    struct tune_kernel *kernel = NULL;

    for (int i = 0; i < N; i++) {
        a[i * N + i] = 2;
        b[i * N + (i + 1) % N] = (float)i;
    }
    if (tune_open(NULL, &tune, &error) || tune_best(tune, &problem, &answer, &error) ||
        tune_load(tune, answer, &options, &kernel, &error) || tune_launch(kernel, NULL, buffers, 3, &error)) {
        fprintf(stderr, "%s\\n%s\\n", error.text, error.hint);
        return 1;
    }
    printf("%g %g %g\\n", (double)c[7 * N + 8], (double)c[3 * N + 4], (double)c[5]);
    tune_kernel_free(kernel);
    tune_answer_free(answer);
    tune_close(tune);
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

test("an installed library knows its templates, and launches their kernels", options, (t) => {
  const { home, prefix } = prepare(t);
  const flags = ["-std=c17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", `-I${join(prefix, "include")}`, `-L${join(prefix, "lib")}`];
  const made = (name, text) => {
    writeFileSync(join(home, `${name}.c`), text);
    run(home, "cc", [...flags, `${name}.c`, "-o", name, "-ltune"]);
    return run(home, `./${name}`, [], { TUNE_HOME: "", LD_LIBRARY_PATH: join(prefix, "lib") });
  };
  assert.equal(made("launching", launching), "14 6 0\n");

  // The README's program; only the installed space is changed, so it must be the one that is asked.
  writeFileSync(join(prefix, "share/tune/spaces/gemm/full.space"),
    'space full of gemm "another"\nset VARIANT = "naive"\nset UNROLL = 1\nset BLOCK_Y = 2\nparam BLOCK_X = [64, 128]\n');
  const shown = readFileSync(join(source, "README.md"), "utf8").match(/^```c\n([^]*?)^```$/m)[1];
  assert.match(made("shown", shown), /^\{.*"BLOCK_X":64,"BLOCK_Y":2.*\} \(.* of space full\)\n#define VARIANT naive\n/);
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

// "drwxr-xr-x root/root 0 2026-11-23 14:06 ./usr/bin/": { mode, owner, path } of what is in a package.
function contents(home, file) {
  const lines = run(home, "dpkg-deb", ["--contents", file]).trim().split("\n");
  return lines.map((line) => line.split(/ +/)).map(([mode, owner, , , , path]) => ({ mode, owner, path: path.slice(1) }));
}

// The one name that ends so.
const only = (names, suffix) => {
  const found = names.filter((name) => name.endsWith(suffix));
  assert.equal(found.length, 1, `${found}`);
  return found[0];
};

test("a Debian package has what Debian wants of one, and runs where it is unpacked", options, (t) => {
  const home = folder(t), unpacked = join(home, "unpacked");
  run(home, "cpack", ["--config", join(dirname(program), "CPackConfig.cmake"), "-G", "DEB", "-B", home, "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip"]);
  const file = only(readdirSync(home), ".deb");
  assert.match(run(home, "dpkg-deb", ["--field", file, "Depends"]), /\blibc6 \(>= 2\.[0-9]+\)/);
  assert.deepEqual(run(home, "dpkg-deb", ["--ctrl-tarfile", file]).match(/\.\/(conffiles|p(re|ost)(inst|rm))/g), null);

  const expected = { "/usr/bin/tune": "-rwxr-xr-x" };
  for (const { mode, owner, path } of contents(home, file)) {
    assert.equal(owner, "root/root", path);
    assert.equal(mode, path.endsWith("/") ? "drwxr-xr-x" : mode.startsWith("l") ? "lrwxrwxrwx" : expected[path] ?? "-rw-r--r--", path);
    assert.ok(!/^\/usr\/share\/man\/.*[0-9]$/.test(path), `${path} is not compressed`);
  }
  run(home, "dpkg-deb", ["--extract", file, unpacked]);
  const doc = (...name) => readFileSync(join(unpacked, "usr/share/doc/tune", ...name));
  assert.match(`${doc("copyright")}`, /^License: Apache-2.0$/m);
  assert.match(`${gunzipSync(doc("changelog.gz"))}`, /^tune \(\S+\) unstable; urgency=medium\n[^]* -- .* <.*> {2}\w{3}, \d\d \w{3} \d{4} /);
  const templates = JSON.parse(run(home, join(unpacked, "usr/bin/tune"), ["list", "--json"]));
  assert.ok(templates.some(({ template }) => template === "gemm"));
});

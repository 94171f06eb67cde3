// SPDX-License-Identifier: Apache-2.0
// An installed copy as other programs use it, built from an empty prefix that was moved, by pkg-config and by CMake; and a
// Debian package.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, readlinkSync, renameSync, writeFileSync } from "node:fs";
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

// The moving mean that own_kernel.cpp says it is at `place`, of the same noise.
function smoothed(place, radius) {
  let state = 1, sum = 0;
  for (let i = 0; i <= place + radius; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    if (i >= place - radius) sum += Math.sin(1e-3 * i) + (state >>> 8) / 2 ** 24 - 0.5;
  }
  return sum / (2 * radius + 1);
}

// The solution of Poisson's equation at a point of n by n, by the eigenvectors of its matrix, which are products of sines.
function membrane(n, point) {
  const wave = (p, k) => Math.sin(p * k * Math.PI / (n + 1)), numbers = Array.from({ length: n }, (_, k) => k + 1);
  const part = numbers.map((p) => 2 / (n + 1) * wave(p, point) * numbers.reduce((sum, k) => sum + wave(p, k), 0));
  const value = numbers.map((p) => 2 - 2 * Math.cos(p * Math.PI / (n + 1)));
  return numbers.reduce((sum, p) => sum + numbers.reduce((inner, q) => inner + part[p - 1] * part[q - 1] / (value[p - 1] + value[q - 1]), 0), 0);
}

// The greatest difference of a byte of the image from that of a plain sum over the atoms that the program lists.
function difference(image, code) {
  const atoms = [...code.matchAll(/^ +\{(.*?)F, (.*?)F, (.*?)F, (.*?)F\},/gm)].map((match) => match.slice(1).map(Number));
  const [width, height] = [320, 256], head = `P6\n${width} ${height}\n255\n`;
  assert.equal(atoms.length, 15);
  assert.equal(image.toString("latin1", 0, head.length), head);
  assert.equal(image.length, head.length + 3 * width * height);
  let worst = 0;
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const x = (column - width / 2) / 32, y = (height / 2 - 1 - row) / 32;
      const sum = atoms.reduce((total, [ax, ay, az, charge]) => total + charge / Math.hypot(x - ax, y - ay, az + 1.5), 0);
      const faded = Math.round(255 * (1 - Math.min(Math.abs(sum) / 0.12, 1)));
      const expected = sum < 0 ? [255, faded, faded] : [faded, faded, 255], place = head.length + 3 * (row * width + column);
      expected.forEach((byte, k) => { worst = Math.max(worst, Math.abs(byte - image[place + k])); });
    }
  return worst;
}

// The examples, built and run where they are installed.
function tryExamples(home, prefix, shared) {
  const examples = join(prefix, "share/doc/tune/tuner/examples"), variables = { TUNE_HOME: "", LD_LIBRARY_PATH: join(prefix, "lib") };
  const build = (compiler, standard, file) => run(home, compiler, [`-std=${standard}`, "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
    join(examples, file), "-o", file.split(".")[0], ...shared, "-lm"]);
  const sweep = (...args) => run(home, join(prefix, "bin/tune"), [...args, "--device", "cpu", "--budget", "1", "--seed", "1"], { TUNE_HOME: "" });
  build("cc", "c17", "conjugate_gradient.c");
  build("cc", "c17", "potential_map.c");
  build("c++", "c++17", "own_kernel.cpp");

  sweep("spmv", "--space", "csr_thread", "--size", "ROWS=1024,MEAN=5,SHAPE=1");
  const solved = run(home, "./conjugate_gradient", ["32"], variables);
  const [, residual, middle] = solved.match(/^solved +1024 equations in \d+ steps: \|b - A x\| \/ \|b\| = (\S+), x in the middle is (\S+)$/m);
  assert.ok(Number(residual) <= 1e-9, solved);
  assert.ok(Math.abs(Number(middle) - membrane(32, 17)) < 1e-4, solved);
  assert.match(solved, /^tuned +[0-9.]+ us a product +\{"VARIANT":"csr_thread".*measured/m);
  assert.match(solved, /^default +[0-9.]+ us a product +\{"VARIANT":"merge"/m);

  sweep("dcs", "--space", "coarsened", "--size", "NX=320,NY=256,NZ=1,ATOMS=15");
  run(home, "./potential_map", ["caffeine.ppm"], variables);
  assert.ok(difference(readFileSync(join(home, "caffeine.ppm")), readFileSync(join(examples, "potential_map.c"), "utf8")) <= 1);

  sweep(join(examples, "smooth"), "--size", "n=100000");
  const [, mean] = run(home, "./own_kernel", [join(examples, "smooth")], variables).match(/sample 50000 was \S+ and is (\S+)$/m);
  assert.ok(Math.abs(Number(mean) - smoothed(50000, 3)) < 1e-4, mean);
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

test("programs in C and C++ are built by pkg-config, with either library; so are the examples", options, (t) => {
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
  tryExamples(home, prefix, shared);
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
  writeFileSync(join(prefix, "share/tune/spaces/gemm/fastest.space"),
    'space fastest of gemm "another"\nset VARIANT = "naive"\nset UNROLL = 1\nset BLOCK_Y = 2\nparam BLOCK_X = [64, 128]\n');
  const shown = readFileSync(join(source, "README.md"), "utf8").match(/^```c\n([^]*?)^```$/m)[1];
  assert.match(made("shown", shown), /^\{.*"BLOCK_X":64,"BLOCK_Y":2.*\} \(.* of space fastest\)\n#define VARIANT naive\n/);
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
  assert.deepEqual(run(home, "dpkg-deb", ["--ctrl-tarfile", file]).match(/\.\/(conffiles|p(re|ost)(inst|rm))/g), ["./prerm"]);

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

  // Where the python3 of Debian and of Ubuntu looks, whatever its version; and what pip takes for any other.
  const modules = join(unpacked, "usr/lib/python3/dist-packages");
  assert.deepEqual(readdirSync(modules), ["tune"]);
  assert.equal(readlinkSync(join(modules, "tune")), "../../../share/tune/python/tune");
  for (const name of ["pyproject.toml", "packing.py", "README.md", "tune/__init__.py", "tune/py.typed"])
    assert.ok(existsSync(join(unpacked, "usr/share/tune/python", name)), name);
  const own = run(home, "python3", ["-B", "-c", "import tune, tune._program as p; print(tune.version(), p.find())"],
    { TUNE_LIBRARY: "", TUNE_PROGRAM: "", PYTHONPATH: modules });
  assert.equal(own, `0.1.0 ${join(unpacked, "usr/bin/tune")}\n`);
});

// SPDX-License-Identifier: Apache-2.0
// What the tests of import and export share: a T1 file with its kernel, and the published recordings.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { source } from "./tune.mjs";

// y[i] = coefficient[0] * x[i] + offset, each thread WORK neighbours; wrong where BLOCK is 96.
export const kernel = `__constant__ float coefficient[2];
__global__ void affine(float *y, const float *x, const float *unused, float offset, int n) {
#if STAGED == 1
    __shared__ float staged[BLOCK * WORK];
#endif
    int first = (blockIdx.x * BLOCK + threadIdx.x) * WORK;
    for (int k = 0; k < WORK; k++) {
        int i = first + k;
        if (i >= n)
            return;
        float value = x[i];
#if STAGED == 1
        staged[threadIdx.x * WORK + k] = value;
        value = staged[threadIdx.x * WORK + k];
#endif
        y[i] = coefficient[0] * value + offset + (BLOCK == 96);
    }
}
`;

export const t1 = () => ({
  General: { BenchmarkName: "affine map", OutputFormat: "JSON" },
  ConfigurationSpace: {
    TuningParameters: [
      { Name: "BLOCK", Type: "int", Values: "[32 * i for i in range(1, 5)]", Default: 64 },
      { Name: "WORK", Type: "int", Values: "list(range(1, 4)) + [2**i for i in range(2, 4) if i != 2]", Default: 1 },
      { Name: "STAGED", Type: "int", Values: "0, 1", Default: 0 },
      { Name: "WIDTH", Type: "int", Values: "[3, 7, 5]", Default: 5 },
    ],
    Conditions: [
      { Expression: "BLOCK * WORK <= 256", Parameters: ["BLOCK", "WORK"] },
      { Expression: "lambda p: p[\"STAGED\"] == 0 or math.ceil(p['BLOCK'] / 64) == 1", Parameters: ["STAGED", "BLOCK"] },
      { Expression: "WIDTH != 3 and WIDTH in (3, 5)", Parameters: ["WIDTH"] },
    ],
  },
  KernelSpecification: {
    Language: "CUDA",
    CompilerOptions: ["-std=c++11", "-DUNUSED=1"],
    KernelName: "affine",
    KernelFile: "sources/affine.cu.hip",
    GlobalSizeType: "CUDA",
    LocalSize: { X: "BLOCK", Y: "1", Z: "1" },
    GlobalSize: { X: "4096 // BLOCK" },
    GridDivX: ["BLOCK", "WORK"],
    ProblemSize: [1000],
    SharedMemory: 0,
    Stream: null,
    Arguments: [
      { Name: "y", Type: "float", MemoryType: "Vector", AccessType: "WriteOnly", FillType: "Constant", Size: "ProblemSize[0]", FillValue: 0.0, Output: 1 },
      { Name: "x", Type: "float", MemoryType: "Vector", AccessType: "ReadOnly", FillType: "Random", Size: "ProblemSize[0] + max(WIDTH) - min(WIDTH)", FillValue: 1.0 },
      { Name: "coefficient", Type: "float", MemoryType: "Vector", AccessType: "ReadOnly", MemType: "Constant", FillType: "Random", Size: 2, FillValue: 1.0 },
      { Name: "offset", Type: "float", MemoryType: "Scalar", AccessType: "ReadOnly", FillValue: 2.5 },
      { Name: "n", Type: "int32", MemoryType: "Scalar", AccessType: "ReadOnly", FillValue: 1000 },
    ],
  },
});

// The valid configurations, by an independent version of the conditions.
export function valid() {
  const found = [];
  for (const BLOCK of [32, 64, 96, 128])
    for (const WORK of [1, 2, 3, 8])
      for (const STAGED of [0, 1])
        if (BLOCK * WORK <= 256 && (STAGED === 0 || BLOCK <= 64)) found.push({ BLOCK, WORK, STAGED, WIDTH: 5 });
  return found;
}

export function writeT1(home, change = () => {}) {
  const document = t1();
  change(document);
  mkdirSync(join(home, "sources"), { recursive: true });
  writeFileSync(join(home, "sources", "affine.cu.hip"), kernel);
  writeFileSync(join(home, "affine_T1.json"), JSON.stringify(document, null, 2));
}

// Three results as Kernel Tuner's T4 files have them.
export const t4 = () => ({
  metadata: { timeunit: "miliseconds" },
  results: [
    { timestamp: "2023-12-22 09:54:05.502007+00:00", configuration: { a: 16, b: "x" },
      times: { compilation: 918.5990339610726, framework: 105.24242906831205, search_algorithm: 0, validation: 451.7123568803072, runtimes: [3.976191997528076, 3.8789119720458984] },
      invalidity: "correct", correctness: 1, measurements: [{ name: "time", value: 3.9275519847869873, unit: "" }], objectives: ["time"] },
    { timestamp: "2023-12-22 09:54:06.508453+00:00", configuration: { a: 32, b: "x" },
      times: { compilation: 16378.931279992685, framework: 2.0018210634589195, search_algorithm: 0, validation: 0 },
      invalidity: "runtime", correctness: 0, measurements: [{ name: "time", value: "RuntimeFailedConfig", unit: "" }], objectives: ["time"] },
    { timestamp: "2023-12-22 11:54:07+02:00", configuration: { a: 16, b: "y" },
      times: { compilation: 3, framework: 1, search_algorithm: 0, validation: 0 },
      invalidity: "compile", correctness: 0, measurements: [{ name: "time", value: "CompilationFailedConfig", unit: "" }], objectives: ["time"] },
  ],
  schema_version: "1.0.0",
});

// The path of a published recording; undefined where the data are not available.
export function published(name) {
  const path = join(process.env.TUNE_TEST_DATA || join(source, "..", "shared", "data"), "recorded", name);
  return existsSync(path) ? path : undefined;
}

export const readJson = (path) => {
  const bytes = readFileSync(path);
  return JSON.parse(path.endsWith(".gz") ? gunzipSync(bytes) : bytes);
};

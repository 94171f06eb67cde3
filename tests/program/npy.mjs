// SPDX-License-Identifier: Apache-2.0
// Arrays as .npy files, as NumPy writes them.
import { writeFileSync } from "node:fs";

const types = new Map([[Float32Array, "<f4"], [Float64Array, "<f8"], [Int32Array, "<i4"], [Uint8Array, "|u1"], [BigInt64Array, "<i8"]]);

// The bytes of a file. `shape` is one dimension unless given; `descr` and `fortran` may lie about the array.
export function npy(array, { shape = [array.length], descr = types.get(array.constructor), fortran = false } = {}) {
  const tuple = `(${shape.join(", ")}${shape.length === 1 ? "," : ""})`;
  const text = `{'descr': '${descr}', 'fortran_order': ${fortran ? "True" : "False"}, 'shape': ${tuple}, }`;
  const length = Math.ceil((10 + text.length + 1) / 64) * 64 - 10;
  const head = Buffer.from([0x93, ...Buffer.from("NUMPY"), 1, 0, length & 255, length >> 8]);
  return Buffer.concat([head, Buffer.from(text.padEnd(length - 1) + "\n", "latin1"),
    Buffer.from(array.buffer, array.byteOffset, array.byteLength)]);
}

export const writeNpy = (path, array, options) => writeFileSync(path, npy(array, options));

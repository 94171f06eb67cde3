// SPDX-License-Identifier: Apache-2.0
// Mutants that change nothing anybody could observe, each with the reason: { file, what, subject (any if absent), why }.
export const harmless = [
  { file: /^passes\.cuh$/, what: /-> {2}if \(threadIdx\.x == 1\)/, subject: /neighboured|interleaved|cascade/,
    why: "every thread of the block has the sum, so any one of them may store it" },
  { file: /^unrolled\.cu$/, what: /-> {2}if \(thread < 33\)/,
    why: "thread 32 is above every stride of the loop, and only waits" },
  { file: /^smem_tiling\.cu$/, what: /: 0\.0f; {2}-> .*: 0\.01f;$/,
    why: "outside of the matrices: multiplied by the other tile's zero, or summed into an element that is not stored" },
  { file: /^smem_tiling\.cu$/, what: /-> {2}if \(next <= k\)/,
    why: "one more pair of tiles, all zeros, that nobody multiplies" },
  { file: /^thread_coarsening\.cu$/, what: /: 0\.0f; {2}-> .*: 0\.01f;$/,
    why: "outside of the matrices: multiplied by the other tile's zero, or summed into an element that is not stored" },
  { file: /^thread_coarsening\.cu$/, what: /from\.aligned = .*-> {2}from\.aligned = n [/] VECTOR == 0/,
    why: "vectors are never loaded at once: slower, and as right" },
  { file: /^vector\.cuh$/, what: /^to\[[01]\] = from\.[xy];/,
    why: "of two floats, and the configuration has four or one" },
  { file: /^tile\.cuh$/, what: /^tile_index at = block_tile/, subject: /transpose (tiled|padded|unrolled|swizzled)/,
    why: "only `diagonal` uses the numbers of tiles" },
];

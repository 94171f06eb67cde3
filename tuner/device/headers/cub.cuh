/* SPDX-License-Identifier: Apache-2.0 */
/* cub/cub.cuh as far as kernels use it: what works on blocks and warps. The rest launches kernels, from host programs. */
#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#if __has_include(<cub/block/block_run_length_decode.cuh>) /* since CUDA 11.5 */
#include <cub/block/block_run_length_decode.cuh>
#endif
#if __has_include(<cub/warp/warp_load.cuh>) /* likewise */
#include <cub/warp/warp_exchange.cuh>
#include <cub/warp/warp_load.cuh>
#include <cub/warp/warp_store.cuh>
#endif

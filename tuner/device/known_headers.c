/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/known_headers.h"

#include <string.h>

/* Texts that are embedded (CMakeLists.txt). */
extern const char tune_header_cfloat[], tune_header_climits[], tune_header_cmath[],
    tune_header_cpu_cuda_std_parts_h[], tune_header_cpu_groups_part_h[], tune_header_cub_cuh[], tune_header_cstddef[],
    tune_header_cstdint[], tune_header_cstdio[], tune_header_cstdlib[], tune_header_cstring[], tune_header_empty_h[],
    tune_header_float_h[], tune_header_limits[], tune_header_limits_h[], tune_header_math_h[], tune_header_stddef_h[],
    tune_header_stdint_h[], tune_header_type_traits[], tune_header_utility[];

/* headers/cpu/NAME is the text of NAME. */
#define WRITTEN(X)                                                                                                   \
    X("cooperative_groups.h", cooperative_groups_h)                                                                  \
    X("cub/block/block_adjacent_difference.cuh", cub_block_block_adjacent_difference_cuh)                            \
    X("cub/block/block_discontinuity.cuh", cub_block_block_discontinuity_cuh)                                        \
    X("cub/block/block_exchange.cuh", cub_block_block_exchange_cuh)                                                  \
    X("cub/block/block_histogram.cuh", cub_block_block_histogram_cuh)                                                \
    X("cub/block/block_load.cuh", cub_block_block_load_cuh)                                                          \
    X("cub/block/block_merge_sort.cuh", cub_block_block_merge_sort_cuh)                                              \
    X("cub/block/block_radix_sort.cuh", cub_block_block_radix_sort_cuh)                                              \
    X("cub/block/block_reduce.cuh", cub_block_block_reduce_cuh)                                                      \
    X("cub/block/block_run_length_decode.cuh", cub_block_block_run_length_decode_cuh)                                \
    X("cub/block/block_scan.cuh", cub_block_block_scan_cuh)                                                          \
    X("cub/block/block_shuffle.cuh", cub_block_block_shuffle_cuh)                                                    \
    X("cub/block/block_store.cuh", cub_block_block_store_cuh)                                                        \
    X("cub/config.cuh", cub_config_cuh)                                                                              \
    X("cub/thread/thread_load.cuh", cub_thread_thread_load_cuh)                                                      \
    X("cub/thread/thread_operators.cuh", cub_thread_thread_operators_cuh)                                            \
    X("cub/thread/thread_reduce.cuh", cub_thread_thread_reduce_cuh)                                                  \
    X("cub/thread/thread_store.cuh", cub_thread_thread_store_cuh)                                                    \
    X("cub/util_ptx.cuh", cub_util_ptx_cuh)                                                                          \
    X("cub/util_type.cuh", cub_util_type_cuh)                                                                        \
    X("cub/warp/warp_exchange.cuh", cub_warp_warp_exchange_cuh)                                                      \
    X("cub/warp/warp_load.cuh", cub_warp_warp_load_cuh)                                                              \
    X("cub/warp/warp_merge_sort.cuh", cub_warp_warp_merge_sort_cuh)                                                  \
    X("cub/warp/warp_reduce.cuh", cub_warp_warp_reduce_cuh)                                                          \
    X("cub/warp/warp_scan.cuh", cub_warp_warp_scan_cuh)                                                              \
    X("cub/warp/warp_store.cuh", cub_warp_warp_store_cuh)                                                            \
    X("cuComplex.h", cuComplex_h)                                                                                    \
    X("cuda/functional", cuda_functional)                                                                            \
    X("cuda/std/functional", cuda_std_functional)                                                                    \
    X("cuda_bf16.h", cuda_bf16_h)                                                                                    \
    X("cuda_fp16.h", cuda_fp16_h)                                                                                    \
    X("math_constants.h", math_constants_h)                                                                          \
    X("tune/collective.hpp", tune_collective_hpp)                                                                    \
    X("tune/gather.hpp", tune_gather_hpp)                                                                            \
    X("tune/merge_sort.hpp", tune_merge_sort_hpp)                                                                    \
    X("tune/neighbours.hpp", tune_neighbours_hpp)                                                                    \
    X("tune/places.hpp", tune_places_hpp)                                                                            \
    X("tune/radix_order.hpp", tune_radix_order_hpp)                                                                  \
    X("tune/room.hpp", tune_room_hpp)                                                                                \
    X("tune/small_float.hpp", tune_small_float_hpp)                                                                  \
    X("tune/thread_scan.hpp", tune_thread_scan_hpp)
#define DECLARE(name, symbol) extern const char tune_header_cpu_##symbol[];
WRITTEN(DECLARE)

static const char host_advice[] = "put it inside #ifndef __CUDACC_RTC__";
static const char launches_advice[] = "it launches kernels; what works inside of them is in cub/block/ and cub/warp/";
static const char guard_advice[] = "guard it with #ifndef TUNE_CPU";

static const struct known_header known[] = {
    {"assert.h", HEADER_OWN, tune_header_empty_h},
    {"cassert", HEADER_OWN, tune_header_empty_h},
    {"cfloat", HEADER_OWN, tune_header_cfloat},
    {"climits", HEADER_OWN, tune_header_climits},
    {"cmath", HEADER_OWN, tune_header_cmath},
    {"cstddef", HEADER_OWN, tune_header_cstddef},
    {"cstdint", HEADER_OWN, tune_header_cstdint},
    {"cstdio", HEADER_OWN, tune_header_cstdio},
    {"cstdlib", HEADER_OWN, tune_header_cstdlib},
    {"cstring", HEADER_OWN, tune_header_cstring},
    {"float.h", HEADER_OWN, tune_header_float_h},
    {"limits", HEADER_OWN, tune_header_limits},
    {"limits.h", HEADER_OWN, tune_header_limits_h},
    {"math.h", HEADER_OWN, tune_header_math_h},
    {"stdbool.h", HEADER_OWN, tune_header_empty_h},
    {"stddef.h", HEADER_OWN, tune_header_stddef_h},
    {"stdint.h", HEADER_OWN, tune_header_stdint_h},
    {"stdio.h", HEADER_OWN, tune_header_empty_h},
    {"stdlib.h", HEADER_OWN, tune_header_empty_h},
    {"string.h", HEADER_OWN, tune_header_empty_h},
    {"type_traits", HEADER_OWN, tune_header_type_traits},
    {"utility", HEADER_OWN, tune_header_utility},
    {"cub/cub.cuh", HEADER_CHOSEN, tune_header_cub_cuh},

    {"builtin_types.h", HEADER_KNOWN, tune_header_empty_h},
    {"cuda.h", HEADER_KNOWN, tune_header_empty_h},
    {"cuda_device_runtime_api.h", HEADER_KNOWN, tune_header_empty_h},
    {"cuda_runtime.h", HEADER_KNOWN, tune_header_empty_h},
    {"cuda_runtime_api.h", HEADER_KNOWN, tune_header_empty_h},
    {"device_functions.h", HEADER_KNOWN, tune_header_empty_h},
    {"device_launch_parameters.h", HEADER_KNOWN, tune_header_empty_h},
    {"device_types.h", HEADER_KNOWN, tune_header_empty_h},
    {"driver_types.h", HEADER_KNOWN, tune_header_empty_h},
    {"host_defines.h", HEADER_KNOWN, tune_header_empty_h},
    {"math_functions.h", HEADER_KNOWN, tune_header_empty_h},
    {"sm_20_intrinsics.h", HEADER_KNOWN, tune_header_empty_h},
    {"sm_30_intrinsics.h", HEADER_KNOWN, tune_header_empty_h},
    {"sm_32_intrinsics.h", HEADER_KNOWN, tune_header_empty_h},
    {"sm_35_intrinsics.h", HEADER_KNOWN, tune_header_empty_h},
    {"sm_60_atomic_functions.h", HEADER_KNOWN, tune_header_empty_h},
    {"vector_functions.h", HEADER_KNOWN, tune_header_empty_h},
    {"vector_types.h", HEADER_KNOWN, tune_header_empty_h},

    {"cooperative_groups/memcpy_async.h", HEADER_WRITTEN, tune_header_cpu_groups_part_h},
    {"cooperative_groups/reduce.h", HEADER_WRITTEN, tune_header_cpu_groups_part_h},
    {"cooperative_groups/scan.h", HEADER_WRITTEN, tune_header_cpu_groups_part_h},
    {"cub/version.cuh", HEADER_WRITTEN, tune_header_cpu_cub_config_cuh},
    {"cuda/std/cfloat", HEADER_WRITTEN, tune_header_cpu_cuda_std_parts_h},
    {"cuda/std/climits", HEADER_WRITTEN, tune_header_cpu_cuda_std_parts_h},
    {"cuda/std/cmath", HEADER_WRITTEN, tune_header_cpu_cuda_std_parts_h},
    {"cuda/std/cstddef", HEADER_WRITTEN, tune_header_cpu_cuda_std_parts_h},
    {"cuda/std/cstdint", HEADER_WRITTEN, tune_header_cpu_cuda_std_parts_h},
    {"cuda/std/limits", HEADER_WRITTEN, tune_header_cpu_cuda_std_parts_h},
    {"cuda/std/type_traits", HEADER_WRITTEN, tune_header_cpu_cuda_std_parts_h},
    {"cuda/std/utility", HEADER_WRITTEN, tune_header_cpu_cuda_std_parts_h},
#define ENTRY(name, symbol) {name, HEADER_WRITTEN, tune_header_cpu_##symbol},
    WRITTEN(ENTRY)
#undef ENTRY

#define HOST(name)                                                                                                   \
    {                                                                                                                \
        name, HEADER_HOST, host_advice                                                                               \
    }
        {"algorithm", HEADER_HOST, "min and max are built in"},
    {"array", HEADER_HOST, "use an array"},
    {"cub/device/*", HEADER_HOST, launches_advice},
    HOST("any"),
    HOST("atomic"),
    HOST("bits/stdc++.h"),
    HOST("bitset"),
    HOST("cctype"),
    HOST("cerrno"),
    HOST("cfenv"),
    HOST("chrono"),
    HOST("cinttypes"),
    HOST("complex"),
    HOST("complex.h"),
    HOST("condition_variable"),
    HOST("csignal"),
    HOST("cstdarg"),
    HOST("ctime"),
    HOST("ctype.h"),
    HOST("deque"),
    HOST("errno.h"),
    HOST("exception"),
    HOST("execution"),
    HOST("fenv.h"),
    HOST("filesystem"),
    HOST("forward_list"),
    HOST("fstream"),
    HOST("functional"),
    HOST("future"),
    HOST("initializer_list"),
    HOST("inttypes.h"),
    HOST("iomanip"),
    HOST("ios"),
    HOST("iosfwd"),
    HOST("iostream"),
    HOST("istream"),
    HOST("iterator"),
    HOST("list"),
    HOST("locale"),
    HOST("locale.h"),
    HOST("malloc.h"),
    HOST("map"),
    HOST("memory"),
    HOST("memory.h"),
    HOST("mutex"),
    HOST("new"),
    HOST("numeric"),
    HOST("omp.h"),
    HOST("optional"),
    HOST("ostream"),
    HOST("pthread.h"),
    HOST("queue"),
    HOST("random"),
    HOST("ratio"),
    HOST("regex"),
    HOST("set"),
    HOST("setjmp.h"),
    HOST("shared_mutex"),
    HOST("signal.h"),
    HOST("sstream"),
    HOST("stack"),
    HOST("stdarg.h"),
    HOST("stdexcept"),
    HOST("string"),
    HOST("string_view"),
    HOST("sys/time.h"),
    HOST("sys/types.h"),
    HOST("system_error"),
    HOST("thread"),
    HOST("time.h"),
    HOST("tuple"),
    HOST("typeindex"),
    HOST("typeinfo"),
    HOST("unistd.h"),
    HOST("unordered_map"),
    HOST("unordered_set"),
    HOST("valarray"),
    HOST("variant"),
    HOST("vector"),
#undef HOST

#define TOOLKIT(name)                                                                                                \
    {                                                                                                                \
        name, HEADER_TOOLKIT, guard_advice                                                                           \
    }
    TOOLKIT("cooperative_groups*"),
    TOOLKIT("crt/*"),
    TOOLKIT("cub/*"),
    TOOLKIT("cuda*"),
    TOOLKIT("curand*"),
    TOOLKIT("mma.h"),
    TOOLKIT("nv/*"),
    TOOLKIT("sm_*"),
    TOOLKIT("surface_*"),
    TOOLKIT("texture_*"),
    TOOLKIT("thrust/*"),
#undef TOOLKIT
};

const struct known_header *known_headers(size_t *count)
{
    *count = sizeof known / sizeof *known;
    return known;
}

const struct known_header *known_header_find(const char *name, size_t length)
{
    size_t count;
    for (const struct known_header *header = known_headers(&count), *end = header + count; header < end; header++) {
        size_t whole = strlen(header->name);
        bool is_start = header->name[whole - 1] == '*';
        whole -= is_start;
        if ((is_start ? length >= whole : length == whole) && memcmp(name, header->name, whole) == 0)
            return header;
    }
    return NULL;
}

bool known_header_is_file(const char *path)
{
    size_t count, length = strlen(path);
    for (const struct known_header *header = known_headers(&count), *end = header + count; header < end; header++) {
        size_t whole = strlen(header->name);
        const char *tail = path + length - whole;
        if (header->kind == HEADER_WRITTEN && length >= whole && memcmp(tail, header->name, whole) == 0 &&
            (tail == path || tail[-1] == '/'))
            return true;
    }
    return false;
}

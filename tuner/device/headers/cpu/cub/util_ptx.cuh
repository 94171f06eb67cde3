/* SPDX-License-Identifier: Apache-2.0 */
/* cub/util_ptx.cuh - ranks, and shuffles of values of any size within the parts of a warp that have `width` lanes. */
#ifndef TUNE_CUB_UTIL_PTX
#define TUNE_CUB_UTIL_PTX
#include <cub/config.cuh>
#include <tune/gather.hpp>
namespace cub {

TUNE_INLINE unsigned int LaneId() { return tune_context.lane; }
TUNE_INLINE int RowMajorTid(int x, int y, int z)
{
    return int((z == 1 ? 0 : threadIdx.z * x * y) + (y == 1 ? 0 : threadIdx.y * x) + threadIdx.x);
}

/* From a rank within the part; out of range, or from a lane that does not take part: the thread's own value. */
template <int width, class T>
TUNE_INLINE T tune_shuffle_from(T input, int rank, bool inside, unsigned int mask, int line)
{
    int source = int(tune_context.lane) / width * width + rank;
    tune_gathered<T> all = tune_gather(mask, input, line);
    return inside && (all.present >> source & 1) ? all.values[source] : input;
}
template <int width, class T>
TUNE_INLINE T ShuffleUp(T input, int offset, int first_thread, unsigned int mask, int line = __builtin_LINE())
{
    int rank = int(tune_context.lane) % width - offset;
    return tune_shuffle_from<width>(input, rank, rank >= first_thread, mask, line);
}
template <int width, class T>
TUNE_INLINE T ShuffleDown(T input, int offset, int last_thread, unsigned int mask, int line = __builtin_LINE())
{
    int rank = int(tune_context.lane) % width + offset;
    return tune_shuffle_from<width>(input, rank, rank <= last_thread, mask, line);
}
template <int width, class T>
TUNE_INLINE T ShuffleIndex(T input, int source, unsigned int mask, int line = __builtin_LINE())
{
    return tune_shuffle_from<width>(input, source & (width - 1), true, mask, line);
}

}
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* cub/thread/thread_reduce.cuh - the items of one thread, combined from the first to the last. */
#ifndef TUNE_CUB_THREAD_REDUCE
#define TUNE_CUB_THREAD_REDUCE
#include <cub/thread/thread_operators.cuh>
namespace cub {
template <int count, class T, class op_type, class prefix_type>
TUNE_INLINE prefix_type ThreadReduce(const T (&input)[count], op_type op, prefix_type prefix)
{
    for (int i = 0; i < count; i++)
        prefix = op(prefix, input[i]);
    return prefix;
}
template <int count, class T, class op_type> TUNE_INLINE T ThreadReduce(const T (&input)[count], op_type op)
{
    T all = input[0];
    for (int i = 1; i < count; i++)
        all = op(all, input[i]);
    return all;
}
}
#endif

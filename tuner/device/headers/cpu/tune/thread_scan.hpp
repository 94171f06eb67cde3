/* SPDX-License-Identifier: Apache-2.0 */
/* thread_scan.hpp - a thread's own items, at least one: combined, and scanned. `in` and `out` may be the same. */
#ifndef TUNE_THREAD_SCAN
#define TUNE_THREAD_SCAN
template <class T, class op_type> TUNE_INLINE T tune_thread_reduce(const T *in, int items, op_type op)
{
    T all = in[0];
    for (int i = 1; i < items; i++)
        all = op(all, in[i]);
    return all;
}
/* After what comes before them. */
template <bool inclusive, class T, class op_type>
TUNE_INLINE void tune_thread_scan(const T *in, T *out, int items, op_type op, T before)
{
    for (int i = 0; i < items; i++) {
        T with = op(before, in[i]);
        out[i] = inclusive ? with : before;
        before = with;
    }
}
/* After nothing: the first exclusive result stays. */
template <bool inclusive, class T, class op_type>
TUNE_INLINE void tune_thread_scan(const T *in, T *out, int items, op_type op)
{
    T before = in[0];
    if (inclusive)
        out[0] = before;
    for (int i = 1; i < items; i++) {
        T with = op(before, in[i]);
        out[i] = inclusive ? with : before;
        before = with;
    }
}
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* cub/thread/thread_operators.cuh - function objects. The first eight are of CUB 2: CUB 3 has those of cuda::std. */
#ifndef TUNE_CUB_THREAD_OPERATORS
#define TUNE_CUB_THREAD_OPERATORS
#include <cub/util_type.cuh>
#include <cuda/functional>
namespace cub {

typedef cuda::std::equal_to<> Equality;
typedef cuda::std::not_equal_to<> Inequality;
typedef cuda::std::plus<> Sum;
typedef cuda::std::minus<> Difference;
typedef cuda::std::divides<> Division;
typedef cuda::maximum<> Max;
typedef cuda::minimum<> Min;
template <class T> struct Cast {
    template <class from_type> __forceinline__ T operator()(from_type &&a) const { return (T)a; }
};
template <class T> using CastOp = Cast<T>;

template <class op_type> struct InequalityWrapper {
    op_type op;
    __forceinline__ InequalityWrapper(op_type op) : op(op) {}
    template <class T, class other_type> __forceinline__ bool operator()(T &&a, other_type &&b) { return !op(a, b); }
};

/* Of pairs of a place and a value: of equal values the first place. */
struct ArgMax {
    template <class index_type, class T>
    __forceinline__ KeyValuePair<index_type, T> operator()(const KeyValuePair<index_type, T> &a,
                                                           const KeyValuePair<index_type, T> &b) const
    {
        return a.value < b.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};
struct ArgMin {
    template <class index_type, class T>
    __forceinline__ KeyValuePair<index_type, T> operator()(const KeyValuePair<index_type, T> &a,
                                                           const KeyValuePair<index_type, T> &b) const
    {
        return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};

/* Scans that begin afresh: where the key, a flag of 0 or 1 that adds up, is not 0; or where the keys differ. */
template <class op_type> struct ReduceBySegmentOp {
    op_type op;
    ReduceBySegmentOp() = default;
    __forceinline__ ReduceBySegmentOp(op_type op) : op(op) {}
    template <class pair_type> __forceinline__ pair_type operator()(const pair_type &a, const pair_type &b)
    {
        pair_type result;
        result.key = a.key + b.key;
        if (b.key)
            result.value = b.value;
        else
            result.value = op(a.value, b.value);
        return result;
    }
};
template <class op_type> struct ReduceByKeyOp {
    op_type op;
    ReduceByKeyOp() = default;
    __forceinline__ ReduceByKeyOp(op_type op) : op(op) {}
    template <class pair_type> __forceinline__ pair_type operator()(const pair_type &a, const pair_type &b)
    {
        pair_type result = b;
        if (a.key == b.key)
            result.value = op(a.value, b.value);
        return result;
    }
};

}
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * runs.cuh - run aggregation: a thread that meets the same sample several times in succession adds their number once.
 *
 * The run goes on from one vector, batch and round of the grid to the next, so constant samples take one addition a
 * thread. Where neighbouring samples differ, the comparisons are in vain.
 *
 * MOST: what the table can add at once; the greatest number for no limit.
 */
#ifndef HISTOGRAM_RUNS_CUH
#define HISTOGRAM_RUNS_CUH

#include "samples.cuh"

template <class TABLE, unsigned MOST = 0xffffffffu> struct runs_of_samples {
    TABLE table;
    unsigned bin = 0, length = 0;

    __device__ __forceinline__ void one(unsigned next)
    {
        if (next != bin) {
            if (length > 0)
                table.add(bin, length);
            bin = next;
            length = 0;
        }
        length++;
        if (MOST != 0xffffffffu && length == MOST)
            finish();
    }
    __device__ __forceinline__ void vector(const sample_vector &v)
    {
#pragma unroll
        for (int i = 0; i < VECTOR; i++)
            one(v[i]);
    }
    __device__ __forceinline__ void finish()
    {
        if (length > 0)
            table.add(bin, length);
        length = 0;
    }
};

#endif

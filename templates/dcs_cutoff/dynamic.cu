/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dynamic.cu - dynamic bins: no dummies to load, to keep and to find.
 *
 * What is within the cutoff of a block's region are rows of bins, each of which is one piece of memory (sorting.cuh). A
 * block reads all rows as one list (rows.cuh), an atom a thread at a time: tiles are full whatever the bins hold.
 *
 *   BIN_EDGE  spacings along an edge of a bin. Without dummies and with whole rows small bins cost little.
 *   CAPACITY  atoms of a bin at most, 0: any number; see sorting.cuh.
 *   SURPLUS   how those beyond it are added; see surplus.cuh.
 *   BLOCK_X, BLOCK_Y, BLOCK_Z, POINTS_Y, POINTS_Z, BLOCKS_PER_SM  see points.cuh.
 *
 * Limit: as before more than half of the pairs tested are farther apart than the cutoff, and a test is half of the work
 * that a pair is.
 */
#define CYLINDER 1
#include "nearby.cuh"
#include "rows.cuh"
#include "sorting.cuh"
#include "spheres.cuh"

/* The atoms of a row of bins, as its first and its number; none outside of the volume. */
static __device__ __forceinline__ void find_row(const unsigned *__restrict__ starts, int3 home, int number,
                                                const volume &all, int &begin, int &length)
{
    begin = 0;
    length = 0;
    if (number >= nearby[0])
        return;
    int yz = nearby[1 + 2 * number], x = nearby[2 + 2 * number];
    int y = home.y + low_of(yz), z = home.z + high_of(yz);
    int first = max(home.x + low_of(x), 0), last = min(home.x + high_of(x), all.bins.x - 1);
    if ((unsigned)y >= (unsigned)all.bins.y || (unsigned)z >= (unsigned)all.bins.z || first > last)
        return;
    int row = (z * all.bins.y + y) * all.bins.x;
    begin = (int)starts[row + first];
    length = (int)starts[row + last + 1] - begin;
}

__global__ void __launch_bounds__(THREADS)
    add_nearby_rows(const float4 *__restrict__ sorted, const unsigned *__restrict__ starts,
                    const unsigned *__restrict__ counts, float *__restrict__ energy, int count, grid given, int regions)
{
    volume all = volume_of(given);
    __shared__ row_list rows;
    __shared__ float4 tile[THREADS];
    int thread = thread_number();
    for (int region = blockIdx.x; region < regions; region += gridDim.x) {
        int3 origin = region_origin(region, all);
        int3 home = home_bin(origin);
        thread_points own = start_points(origin, all);
        for (int some = 0; some < nearby[0]; some += THREADS) {
            int begin, length, row = 0;
            find_row(starts, home, some + thread, all, begin, length);
            int listed = list_rows_of(rows, begin, length);
            for (int first = 0; first < listed; first += THREADS) {
                __syncthreads(); /* nobody reads those of before any more */
                if (first + thread < listed)
                    tile[thread] = sorted[place_in_memory(rows, first + thread, row)];
                __syncthreads();
                int full = min(THREADS, listed - first);
                for (int n = 0; n < full; n++)
                    add_atom(own, tile[n], all);
            }
        }
#if CAPACITY && SURPLUS_gather
        gather_surplus(own, sorted + count, (int)counts[bin_count(all)], origin, all);
#endif
        store_points(own, energy, all);
    }
}

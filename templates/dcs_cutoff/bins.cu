/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bins.cu - bins of constant capacity: a block adds the atoms of those bins that are within the cutoff of its points,
 * bin by bin through shared memory. A point then costs as much in a large volume as in a small one.
 *
 * The steps, each with all that came before:
 *   bins          each bin collects its atoms; one bin at a time in shared memory. It is read by the first of the
 *                 block's warps, word by word, while the others wait.
 *   claimed       bins filled in parallel, by atoms that claim a slot (building.cuh).
 *   checked       a full bin costs no atomic.
 *   several_bins  BINS_PER_LOAD bins at a time: every warp reads one, and there are fewer barriers.
 *   first_dummy   atoms fill a bin from its first slot on, so at the first dummy the rest is left out.
 *   cylinder      a thread's points share a test against a cylinder before each is tested against its sphere.
 *
 *   BIN_EDGE       spacings along an edge of a bin. Small bins approximate the sphere better and have more to load.
 *   CAPACITY       atoms of a bin. As a rule of thumb, 95 % of the atoms should find a slot: a bin for everybody would be
 *                  dummies mostly. 8 atoms are 128 bytes, a whole cache line.
 *   BINS_PER_LOAD  bins in shared memory at a time.
 *   SURPLUS        how the others are added; see surplus.cuh.
 *   BLOCK_X, BLOCK_Y, BLOCK_Z, POINTS_Y, POINTS_Z, BLOCKS_PER_SM  see points.cuh.
 *
 * Limit: two thirds of the pairs tested are farther apart than the cutoff. The list of bins is that of a whole block, so
 * most of it is beyond the reach of most of its points, and bins that the cutoff touches are looked at as a whole.
 */
#define SEVERAL (VARIANT_several_bins || VARIANT_first_dummy || VARIANT_cylinder)
#define FIRST_DUMMY (VARIANT_first_dummy || VARIANT_cylinder)
#define CYLINDER VARIANT_cylinder
#include "building.cuh"
#include "nearby.cuh"

#if !SEVERAL && BINS_PER_LOAD != 1
#error "this variant loads one bin at a time"
#endif

enum { WORDS = 4 * CAPACITY }; /* of a bin */

/* The bin at an offset, -1 outside of the volume. */
static __device__ __forceinline__ int bin_at(int3 home, int number, const volume &all)
{
    int yz = nearby[1 + 2 * number];
    int x = home.x + nearby[2 + 2 * number], y = home.y + low_of(yz), z = home.z + high_of(yz);
    bool inside = (unsigned)x < (unsigned)all.bins.x && (unsigned)y < (unsigned)all.bins.y &&
                  (unsigned)z < (unsigned)all.bins.z;
    return inside ? (z * all.bins.y + y) * all.bins.x + x : -1;
}

/* BINS_PER_LOAD bins from the list's `first` on; what is not there is dummies. */
static __device__ __forceinline__ void load_bins(float *tile, const float *__restrict__ slots, int3 home, int first,
                                                 const volume &all)
{
    for (int w = thread_number(); w < BINS_PER_LOAD * WORDS; w += THREADS) {
        int number = first + w / WORDS;
        int bin = number < nearby[0] ? bin_at(home, number, all) : -1;
        tile[w] = bin < 0 ? dummy_word(w % 4) : slots[(size_t)bin * WORDS + w % WORDS];
    }
}

static __device__ __forceinline__ void add_bins(thread_points &own, const float4 *tile, const volume &all)
{
    for (int b = 0; b < BINS_PER_LOAD; b++)
        for (int s = 0; s < CAPACITY; s++) {
            float4 atom = tile[b * CAPACITY + s];
#if FIRST_DUMMY
            if (atom.w == 0.0f)
                break;
#endif
            add_atom(own, atom, all);
        }
}

__global__ void __launch_bounds__(THREADS)
    add_nearby_bins(const float4 *__restrict__ slots, const unsigned *__restrict__ counts, float *__restrict__ energy,
                    grid given, int regions)
{
    volume all = volume_of(given);
    __shared__ float4 tile[BINS_PER_LOAD * CAPACITY];
    for (int region = blockIdx.x; region < regions; region += gridDim.x) {
        int3 origin = region_origin(region, all);
        int3 home = home_bin(origin);
        thread_points own = start_points(origin, all);
        for (int first = 0; first < nearby[0]; first += BINS_PER_LOAD) {
            __syncthreads(); /* nobody reads those of before any more */
            load_bins((float *)tile, (const float *)slots, home, first, all);
            __syncthreads();
            add_bins(own, tile, all);
        }
#if SURPLUS_gather
        int bins = bin_count(all);
        gather_surplus(own, slots + (size_t)bins * CAPACITY, (int)counts[bins], origin, all);
#endif
        store_points(own, energy, all);
    }
}

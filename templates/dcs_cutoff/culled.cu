/* SPDX-License-Identifier: Apache-2.0 */
/*
 * culled.cu - atoms that are beyond the cutoff of every point of a block are left out on their way to shared memory.
 *
 * Bins only say where to look. Each thread takes an atom of the rows of bins around the region and measures its distance
 * to the box of the region's points; those within the cutoff are collected in shared memory. What this costs, some
 * twenty instructions, is shared by all points of the block, and by few threads for each atom. It is worth the more, the
 * smaller a region is: of the pairs that are left some 55 % are within the cutoff for a region of 8 x 8 x 8 points, 70 %
 * for one of 8 x 4 x 4, which is a warp with four points a thread.
 *
 * Then no point tests anything. The smoothing factor is 0 at the cutoff; beyond it, 1 - r^2 / cutoff^2 is negative, and a
 * multiply-add that saturates to [0, 1] makes it 0 there too. A pair is left with two multiply-adds, two products, a
 * multiply-add to the sum, a root, and a share of what its thread's points have in common: seven to eight instructions,
 * and in the time of one root a multiprocessor issues eight.
 *
 *   BIN_EDGE  spacings along an edge of a bin. Only what is looked at depends on it, not what is added.
 *   CHUNK     atoms that are collected before they are added.
 *   UNROLL    atoms written out in the loop.
 *   HALVES    1: a region is two boxes, of the first half of each thread's points along z and of the second. Atoms within
 *             reach of one alone are added to that one alone: as good as a region of half the size, while most atoms
 *             still serve all points of a thread. BLOCK_Z is 1.
 *   NEWTON    of a thread's points, how many have their roots by Newton's method (templates/dcs/root.cuh): it takes eight
 *             instructions more, for which there is time only if points share what they can.
 *   POINTS_Y, POINTS_Z  both may be more than 1: dx serves all points of a thread, dy and dz a line of them each.
 *   CAPACITY, SURPLUS   0, as all bins hold what there is, and none.
 *   BLOCK_X, BLOCK_Y, BLOCK_Z, BLOCKS_PER_SM  see points.cuh. A region may be smaller than a bin.
 *
 * Limit: the special function units, at one root a pair and 16 per cycle and multiprocessor, and nearly as soon the issue
 * slots.
 */
#include "../dcs/root.cuh"
#include "rows.cuh"
#include "sorting.cuh"

#if HALVES && (POINTS_Z % 2 || BLOCK_Z > 1)
#error "a thread's points along z have no halves, or these are no boxes"
#endif

constexpr int unroll = UNROLL; /* macros are not expanded in pragmas */

/* The smoothing factor's root, 0 beyond the cutoff. */
static __device__ __forceinline__ float smoothing(float d, float falling)
{
#ifdef __CUDA_ARCH__
    float t;
    asm("fma.rn.sat.f32 %0, %1, %2, %3;" : "=f"(t) : "f"(d), "f"(falling), "f"(1.0f));
    return t;
#else
    return __saturatef(fmaf(d, falling, 1.0f));
#endif
}

/* NEWTON of the points, evenly among the others, so that both kinds of units have work at any time. */
static __device__ __forceinline__ constexpr bool by_newton(int r, int p)
{
    return (r * POINTS_Z + p) * NEWTON % (POINTS_Y * POINTS_Z) < NEWTON;
}

/* Adds an atom to a thread's points, along z from `first` to `last` - 1; 0 to those beyond the cutoff. */
template <int first, int last>
static __device__ __forceinline__ void add_everywhere(thread_points &own, float4 atom, float falling)
{
    float dx = own.x - atom.x, across[POINTS_Y];
#pragma unroll
    for (int r = 0; r < POINTS_Y; r++) {
        float dy = own.y[r] - atom.y;
        across[r] = fmaf(dy, dy, dx * dx);
    }
#pragma unroll
    for (int p = first; p < last; p++) {
        float dz = own.z[p] - atom.z;
#pragma unroll
        for (int r = 0; r < POINTS_Y; r++) {
            float d = fmaf(dz, dz, across[r]);
            float t = smoothing(d, falling);
            float root = by_newton(r, p) ? root_newton(d) : root_special(d);
            own.sum[r][p] = fmaf(atom.w, t * t * root, own.sum[r][p]);
        }
    }
}

static __device__ __forceinline__ void make_up_for_newton(thread_points &own)
{
#pragma unroll
    for (int r = 0; r < POINTS_Y; r++)
#pragma unroll
        for (int p = 0; p < POINTS_Z; p++)
            own.sum[r][p] *= by_newton(r, p) ? NEWTON_SCALE : 1.0f;
}

/* The rows of bins around a region: `across` of them along y, in all `count`; the first has these coordinates. */
struct bin_rows {
    int first_y, first_z, across, count;
};

/* The bins along one axis that come within `cutoff` of the box. 1/32 of a bin more: large coordinates are rounded. */
static __device__ __forceinline__ void bins_along(float centre, float half, float cutoff, float per_bin, int bins,
                                                  int &first, int &last)
{
    first = max((int)floorf((centre - half - cutoff) * per_bin - 0.03125f), 0);
    last = min((int)floorf((centre + half + cutoff) * per_bin + 0.03125f), bins - 1);
}

static __device__ __forceinline__ bin_rows rows_around(const box &points, float cutoff, const volume &all)
{
    bin_rows own;
    int last_y, last_z;
    bins_along(points.centre.y, points.half.y, cutoff, all.per_bin, all.bins.y, own.first_y, last_y);
    bins_along(points.centre.z, points.half.z, cutoff, all.per_bin, all.bins.z, own.first_z, last_z);
    own.across = last_y - own.first_y + 1;
    own.count = own.across * (last_z - own.first_z + 1);
    return own;
}

/* The distance along one axis from the box to a bin. */
static __device__ __forceinline__ float gap_to_bin(int bin, float edge, float centre, float half)
{
    return gap(edge * ((float)bin + 0.5f), centre, half + 0.5f * edge);
}

/* The atoms of one row, as far as its bins reach within the cutoff of the box. */
static __device__ __forceinline__ void find_row(const unsigned *__restrict__ starts, const bin_rows &around, int number,
                                                const box &points, const volume &all, int &begin, int &length)
{
    begin = 0;
    length = 0;
    if (number >= around.count)
        return;
    float edge = BIN_EDGE * all.spacing;
    int y = around.first_y + number % around.across, z = around.first_z + number / around.across;
    float dy = gap_to_bin(y, edge, points.centre.y, points.half.y);
    float dz = gap_to_bin(z, edge, points.centre.z, points.half.z);
    float rest = all.cutoff2 - dy * dy - dz * dz;
    if (rest < 0.0f)
        return;
    int first, last, row = (z * all.bins.y + y) * all.bins.x;
    bins_along(points.centre.x, points.half.x, sqrtf(rest), all.per_bin, all.bins.x, first, last);
    begin = (int)starts[row + first];
    length = (int)starts[row + last + 1] - begin;
}

/* ---- what is within reach, by which of the points ---- */

enum { EVERY, FRONT, BACK, REACHES = HALVES ? 3 : 1, NONE };

struct reach {
    box all, front, back; /* of all points, of the first and the second half along z */
};

static __device__ __forceinline__ reach region_reach(int3 origin, const volume &all)
{
    reach own;
    own.all = points_box(origin, REGION_Z, all);
    own.front = points_box(origin, REGION_Z / 2, all);
    origin.z = min(origin.z + REGION_Z / 2, all.points.z - 1); /* beyond the volume are points that nobody stores */
    own.back = points_box(origin, REGION_Z / 2, all);
    return own;
}

static __device__ __forceinline__ int who_reaches(float4 atom, const reach &points, float cutoff2)
{
#if HALVES
    bool front = reaches(atom, points.front, cutoff2), back = reaches(atom, points.back, cutoff2);
    return front && back ? EVERY : front ? FRONT : back ? BACK : NONE;
#else
    return reaches(atom, points.all, cutoff2) ? EVERY : NONE;
#endif
}

/* Atoms that were collected and not yet added. */
struct collected {
    float4 atoms[REACHES][CHUNK + THREADS];
    int count[REACHES];
};

/* `who`: by whom the thread's atom is to be kept. For all threads of a warp. */
static __device__ __forceinline__ void keep(collected &kept, float4 atom, int who)
{
    int lane = thread_number() % 32;
#pragma unroll
    for (int w = 0; w < REACHES; w++) {
        unsigned keeping = __ballot_sync(0xffffffffu, who == w);
        int first = 0;
        if (lane == 0 && keeping)
            first = atomicAdd(&kept.count[w], __popc(keeping));
        first = __shfl_sync(0xffffffffu, first, 0);
        if (who == w)
            kept.atoms[w][first + __popc(keeping & ((1u << lane) - 1))] = atom;
    }
}

template <int who, int first, int last>
static __device__ __forceinline__ void add_those(thread_points &own, const collected &kept, float falling)
{
    int count = kept.count[who];
#pragma unroll unroll
    for (int n = 0; n < count; n++)
        add_everywhere<first, last>(own, kept.atoms[who][n], falling);
}

static __device__ __forceinline__ void forget(collected &kept)
{
    if (thread_number() < REACHES)
        kept.count[thread_number()] = 0;
}

/* For all threads of a block, after a barrier. */
static __device__ __forceinline__ void add_collected(thread_points &own, collected &kept, const volume &all)
{
    add_those<EVERY, 0, POINTS_Z>(own, kept, all.falling);
#if HALVES
    add_those<FRONT, 0, POINTS_Z / 2>(own, kept, all.falling);
    add_those<BACK, POINTS_Z / 2, POINTS_Z>(own, kept, all.falling);
#endif
    __syncthreads();
    forget(kept);
    __syncthreads();
}

__global__ void __launch_bounds__(THREADS)
    add_culled(const float4 *__restrict__ sorted, const unsigned *__restrict__ starts, float *__restrict__ energy,
               grid given, int regions)
{
    __shared__ row_list rows;
    __shared__ collected kept;
    volume all = volume_of(given);
    int thread = thread_number();
    float cutoff = sqrtf(all.cutoff2);
    forget(kept); /* seen by all after the first barrier of list_rows_of */
    for (int region = blockIdx.x; region < regions; region += gridDim.x) {
        int3 origin = region_origin(region, all);
        reach points = region_reach(origin, all);
        bin_rows around = rows_around(points.all, cutoff, all);
        thread_points own = start_points(origin, all);
        int count = 0; /* of those kept */
        for (int some = 0; some < around.count; some += THREADS) {
            int begin, length, row = 0;
            find_row(starts, around, some + thread, points.all, all, begin, length);
            int listed = list_rows_of(rows, begin, length);
            for (int first = 0; first < listed; first += THREADS) {
                float4 atom = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
                int who = NONE;
                if (first + thread < listed) {
                    atom = sorted[place_in_memory(rows, first + thread, row)];
                    who = who_reaches(atom, points, all.cutoff2);
                }
                keep(kept, atom, who);
                count += __syncthreads_count(who != NONE);
                if (count >= CHUNK) {
                    add_collected(own, kept, all);
                    count = 0;
                }
            }
        }
        add_collected(own, kept, all);
        make_up_for_newton(own);
        store_points(own, energy, all);
    }
}

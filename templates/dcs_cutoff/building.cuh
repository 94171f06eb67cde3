/* SPDX-License-Identifier: Apache-2.0 */
/*
 * building.cuh - fills bins of constant capacity.
 *
 * Bin b has the slots b * CAPACITY to b * CAPACITY + CAPACITY - 1: where a bin is needs no memory access to be known.
 * Slots without an atom hold a dummy, an atom without charge and far away, lest one of them lie on a grid point: 0 /
 * 0 is not 0. Atoms that have no charge of their own are left out, since they add nothing and would be taken for dummies. An atom whose bin is full goes to the overflow list (surplus.cuh).
 *
 *   collect  (bins) a thread a bin, which looks through all atoms for its own. No atomics but for the list; atoms times
 *            bins. The original fills its bins on the host.
 *   deal     a thread an atom, which claims a slot of its bin:
 *            claimed  by an atomic addition to the bin's counter, which is taken back if the bin turns out to be full:
 *                     two atomics for nothing, and all on the same counters, where atoms crowd.
 *            checked  (and all later variants) after a look at the counter: a bin that is seen to be full costs no
 *                     atomic. The counter never goes down, so this is never wrong; and where it had room, the addition
 *                     decides. What goes beyond the capacity need not be taken back, since nobody reads it as a number
 *                     of atoms.
 *            The atom is copied in the same kernel: its slot need not pass through memory, and the copy of one warp
 *            overlaps with the atomics that others wait for.
 */
#ifndef DCS_CUTOFF_BUILDING_CUH
#define DCS_CUTOFF_BUILDING_CUH

#include "surplus.cuh"

enum { CHARGE = 3 }; /* its number among the words of an atom */

/* What a dummy has as its word n. The square of the distance to it is still finite. */
static __device__ __forceinline__ float dummy_word(int n)
{
    return n == CHARGE ? 0.0f : 1e18f;
}

__global__ void clear_bins(float4 *slots, unsigned *counts, int bins)
{
    int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < bins * CAPACITY)
        slots[n] = make_float4(dummy_word(0), dummy_word(1), dummy_word(2), dummy_word(CHARGE));
    if (n <= bins)
        counts[n] = 0; /* the last is the overflow list's */
}

#if VARIANT_bins
__global__ void collect(const float4 *__restrict__ atoms, float4 *__restrict__ slots, unsigned *counts, int count,
                        grid given)
{
    volume all = volume_of(given);
    int bin = blockIdx.x * blockDim.x + threadIdx.x;
    int bins = bin_count(all);
    if (bin >= bins)
        return;
    int held = 0;
    for (int n = 0; n < count; n++) {
        float4 atom = atoms[n];
        if (atom.w == 0.0f || bin_of(atom, all) != bin)
            continue;
        if (held < CAPACITY)
            slots[(size_t)bin * CAPACITY + held++] = atom;
        else
            add_to_list(slots + (size_t)bins * CAPACITY, &counts[bins], atom);
    }
}
#else
/* A counter that others add to meanwhile, as it is in the L2 cache. */
static __device__ __forceinline__ unsigned peek(const unsigned *counter)
{
#ifdef __CUDA_ARCH__
    unsigned value;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(counter) : "memory");
    return value;
#else
    return __atomic_load_n(counter, __ATOMIC_RELAXED);
#endif
}

static __device__ __forceinline__ bool claim_slot(unsigned *counter, unsigned &slot)
{
#if VARIANT_claimed
    slot = atomicAdd(counter, 1u);
    if (slot >= CAPACITY)
        atomicSub(counter, 1u);
#else
    slot = CAPACITY;
    if (peek(counter) < CAPACITY)
        slot = atomicAdd(counter, 1u);
#endif
    return slot < CAPACITY;
}

__global__ void deal(const float4 *__restrict__ atoms, float4 *__restrict__ slots, unsigned *counts, int count,
                     grid given)
{
    volume all = volume_of(given);
    int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= count)
        return;
    float4 atom = atoms[n];
    if (atom.w == 0.0f)
        return;
    int bin = bin_of(atom, all), bins = bin_count(all);
    unsigned slot;
    if (claim_slot(&counts[bin], slot))
        slots[(size_t)bin * CAPACITY + slot] = atom;
    else
        add_to_list(slots + (size_t)bins * CAPACITY, &counts[bins], atom);
}
#endif

#endif

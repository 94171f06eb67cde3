/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verify.cu - whether levels are those of a breadth-first search, by the rules of Graph500 as far as they are about levels
 * (graph500.org, specification of the search kernel, "Validation"):
 *
 *   the source has level 0, and nobody else has;
 *   both ends of an edge have been reached or neither, and their levels differ by one at most;
 *   a vertex that has been reached has a neighbour one level before it, which could be its parent.
 *
 * From these follows that levels are exact, as the reference says in another way.
 */
enum { NO_LEVEL = 1, NOT_THE_SOURCE, HALF_REACHED, TOO_FAR, NO_PARENT };

static __device__ int fault_of_edge(int level, int other)
{
    if ((level < 0) != (other < 0))
        return HALF_REACHED;
    return level - other > 1 || other - level > 1 ? TOO_FAR : 0;
}

/* `lanes` of a warp share a vertex, as in reference.cu. */
__global__ void find_faults(const unsigned *offsets, const int *neighbours, const int *source, const int *levels,
                            unsigned char *faults, int vertices, int lanes)
{
    unsigned v = blockIdx.x * (blockDim.x / lanes) + threadIdx.x / lanes, lane = threadIdx.x % lanes;
    bool some = v < (unsigned)vertices;
    int level = some ? levels[v] : 0, fault = 0, parent = level <= 0;
    if (level < -1 || level >= vertices)
        fault = NO_LEVEL;
    else if (some && (level == 0) != ((int)v == source[0]))
        fault = NOT_THE_SOURCE;
    unsigned end = some ? offsets[v + 1] : 0;
    for (unsigned k = some ? offsets[v] + lane : 0; k < end && fault == 0; k += lanes) {
        int other = levels[neighbours[k]];
        fault = fault_of_edge(level, other);
        parent |= other == level - 1;
    }
    for (int step = lanes / 2; step > 0; step /= 2) {
        fault = max(fault, __shfl_xor_sync(0xffffffffu, fault, step));
        parent |= __shfl_xor_sync(0xffffffffu, parent, step);
    }
    if (some && lane == 0)
        faults[v] = (unsigned char)(fault == 0 && !parent ? NO_PARENT : fault);
}

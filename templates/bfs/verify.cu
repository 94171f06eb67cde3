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

__global__ void find_faults(const unsigned *offsets, const int *neighbours, const int *source, const int *levels,
                            unsigned char *faults, int vertices)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= vertices)
        return;
    int level = levels[v], fault = 0;
    bool parent = level <= 0;
    if (level < -1 || level >= vertices)
        fault = NO_LEVEL;
    else if ((level == 0) != (v == source[0]))
        fault = NOT_THE_SOURCE;
    for (unsigned k = offsets[v]; k < offsets[v + 1] && fault == 0; k++) {
        int other = levels[neighbours[k]];
        fault = fault_of_edge(level, other);
        parent = parent || other == level - 1;
    }
    faults[v] = (unsigned char)(fault == 0 && !parent ? NO_PARENT : fault);
}

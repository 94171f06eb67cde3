/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reference.cu - levels as what they are defined as, shortest distances: until nothing changes, a vertex is one farther
 * from the source than its nearest neighbour, or as near as it has been (Bellman and Ford). What no step changes any more is
 * right whatever the order; there is no queue, no frontier and no level that is being searched.
 */
enum { INFINITE = 0x7fffffff };

__global__ void begin_at(const int *source, int *distances, int vertices)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < vertices)
        distances[v] = v == source[0] ? 0 : INFINITE;
}

/*
 * `lanes`: neighbouring threads of a warp, a power of two, that share a vertex, so that the longest list of all need not be
 * the work of one. They meet in shuffles, so threads without a vertex stay as well.
 */
__global__ void relax(const unsigned *offsets, const int *neighbours, const int *distances, int *nearer, int *changed,
                      int vertices, int lanes)
{
    unsigned v = blockIdx.x * (blockDim.x / lanes) + threadIdx.x / lanes, lane = threadIdx.x % lanes;
    bool some = v < (unsigned)vertices;
    int before = some ? distances[v] : 0, least = before;
    unsigned end = some ? offsets[v + 1] : 0;
    for (unsigned k = some ? offsets[v] + lane : 0; k < end; k += lanes) {
        int distance = distances[neighbours[k]];
        least = distance < least - 1 ? distance + 1 : least;
    }
    for (int step = lanes / 2; step > 0; step /= 2)
        least = min(least, __shfl_xor_sync(0xffffffffu, least, step));
    if (!some || lane > 0)
        return;
    nearer[v] = least;
    if (least < before)
        atomicExch(changed, 1);
}

__global__ void write_levels(const int *distances, double *levels, int vertices)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < vertices)
        levels[v] = distances[v] == INFINITE ? -1 : distances[v];
}

__global__ void no_faults(double *faults, int vertices)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < vertices)
        faults[v] = 0;
}

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

__global__ void relax(const unsigned *offsets, const int *neighbours, const int *distances, int *nearer, int *changed,
                      int vertices)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= vertices)
        return;
    int least = distances[v];
    for (unsigned k = offsets[v]; k < offsets[v + 1]; k++) {
        int distance = distances[neighbours[k]];
        least = distance < least - 1 ? distance + 1 : least;
    }
    nearer[v] = least;
    if (least < distances[v])
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

// SPDX-License-Identifier: Apache-2.0
// A thread an item, which looks at all that matters for it.

#define PLACE                                      \
    int i = blockIdx.x * blockDim.x + threadIdx.x; \
    if (i >= n)                                    \
        return;

__global__ void sums(const int *x, double *y, double *z, int n, int tile)
{
    PLACE
    int first = i / tile * tile, sum = 0, most = x[first];
    for (int j = first; j < first + tile && j < n; j++) {
        sum += x[j];
        most = x[j] > most ? x[j] : most;
    }
    y[i] = sum;
    z[i] = most;
}

__global__ void scan(const int *x, double *y, double *z, int n)
{
    PLACE
    int sum = 0, most = -100;
    for (int j = 0; j <= i; j++) {
        sum += x[j];
        most = j < i && x[j] > most ? x[j] : most;
    }
    y[i] = sum;
    z[i] = most;
}

__global__ void sort(const int *x, double *y, double *z, int n, int tile)
{
    PLACE
    int first = i / tile * tile, rank = first;
    for (int j = first; j < first + tile && j < n; j++)
        rank += x[j] < x[i] || (x[j] == x[i] && j < i);
    y[rank] = x[i];
    z[rank] = i;
}

// A row is what half a warp has.
__global__ void runs(const int *x, double *y, double *z, int n, int tile, int row)
{
    PLACE
    int first = i / row * row, heads = 0;
    for (int j = first; j < first + row && j < n; j++)
        heads += j % tile == 0 || x[j] != x[j - 1];
    y[i] = heads;
    z[i] = i % tile == 0 || x[i] != x[i - 1];
}

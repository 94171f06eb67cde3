/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reference.cu - one sweep by definition, in double precision, of the values and of their sums of absolute values,
 * which the error bound is relative to. The first sweep starts from the grid in single precision.
 */
static __device__ double at(const double *grid, int x, int y, int z, int nx, int ny, int nz)
{
    if (x < 0 || x >= nx || y < 0 || y >= ny || z < 0 || z >= nz)
        return 0.0;
    return grid[((size_t)z * ny + y) * nx + x];
}

static __device__ double swept(const double *grid, int x, int y, int z, int nx, int ny, int nz)
{
    return 0.25 * at(grid, x, y, z, nx, ny, nz) +
           0.078125 * at(grid, x - 1, y, z, nx, ny, nz) + 0.15625 * at(grid, x + 1, y, z, nx, ny, nz) +
           0.0625 * at(grid, x, y - 1, z, nx, ny, nz) + 0.1875 * at(grid, x, y + 1, z, nx, ny, nz) +
           0.125 * at(grid, x, y, z - 1, nx, ny, nz) + 0.09375 * at(grid, x, y, z + 1, nx, ny, nz);
}

__global__ void widen(const float *grid, double *values, double *magnitudes, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    size_t point = ((size_t)blockIdx.z * ny + y) * nx + x;
    if (x >= nx || y >= ny)
        return;
    values[point] = (double)grid[point];
    magnitudes[point] = fabs((double)grid[point]);
}

__global__ void sweep_reference(const double *values, const double *magnitudes, double *new_values,
                                double *new_magnitudes, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z;
    if (x >= nx || y >= ny)
        return;
    size_t point = ((size_t)z * ny + y) * nx + x;
    new_values[point] = swept(values, x, y, z, nx, ny, nz);
    new_magnitudes[point] = swept(magnitudes, x, y, z, nx, ny, nz);
}

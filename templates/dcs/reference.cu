/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reference.cu - the potential by definition, the sum of charge over distance, in double precision, and the sum of
 * the absolute terms, which the error bound is relative to.
 */
__global__ void dcs_reference(const float4 *atoms, double *expected, double *magnitude, int count, double spacing,
                              int nx, int ny, int nz)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    int k = blockIdx.z;
    if (i >= nx || j >= ny || k >= nz)
        return;
    double sum = 0.0;
    double absolute = 0.0;
    for (int n = 0; n < count; n++) {
        double dx = spacing * i - (double)atoms[n].x;
        double dy = spacing * j - (double)atoms[n].y;
        double dz = spacing * k - (double)atoms[n].z;
        double term = (double)atoms[n].w / sqrt(dx * dx + dy * dy + dz * dz);
        sum += term;
        absolute += term < 0.0 ? -term : term;
    }
    size_t point = ((size_t)k * ny + j) * nx + i;
    expected[point] = sum;
    magnitude[point] = absolute;
}

// SPDX-License-Identifier: Apache-2.0
__global__ void reference(const float2 *a, const double2 *b, double *c, double *size, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double x = a[i].x, y = a[i].y, u = b[i].x + 1, v = b[i].y - 2;
    c[2 * i] = x * u - y * v;
    c[2 * i + 1] = x * v + y * u;
    size[2 * i] = fabs(x * u) + fabs(y * v);
    size[2 * i + 1] = fabs(x * v) + fabs(y * u);
}

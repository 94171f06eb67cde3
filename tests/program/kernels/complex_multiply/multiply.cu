// SPDX-License-Identifier: Apache-2.0
extern "C" __global__ void multiply(const float2 *a, const double2 *b, float2 *c, double2 s, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n)
        return;
    float2 x = a[i], y = make_float2((float)(b[i].x + s.x), (float)(b[i].y + s.y));
    c[i] = make_float2(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}

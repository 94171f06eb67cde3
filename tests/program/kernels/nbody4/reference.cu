// SPDX-License-Identifier: Apache-2.0
__global__ void reference(const float4 *positions, double *sum, double *size, float4 shift, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double s[3] = {shift.x, shift.y, shift.z}, m[3] = {fabs(s[0]), fabs(s[1]), fabs(s[2])};
    for (int j = 0; j < n; j++) {
        double d[3] = {(double)positions[j].x - positions[i].x, (double)positions[j].y - positions[i].y,
                       (double)positions[j].z - positions[i].z};
        double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + shift.w, factor = positions[j].w / (r2 * sqrt(r2));
        for (int c = 0; c < 3; c++) {
            s[c] += d[c] * factor;
            m[c] += fabs(d[c] * factor);
        }
    }
    for (int c = 0; c < 3; c++) {
        sum[3 * i + c] = s[c];
        size[3 * i + c] = m[c];
    }
}

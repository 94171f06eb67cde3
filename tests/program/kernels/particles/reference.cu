// SPDX-License-Identifier: Apache-2.0
#include "particles.cuh"

__global__ void reference(const particle *before, double *after, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const particle p = before[i];
    const double step = 0.125;
    double *q = after + 10 * i;
    q[0] = p.age + step;
    q[1] = p.position.x + step * 1;
    q[2] = p.position.y + step * -2;
    q[3] = p.position.z + step * 3;
    q[4] = -p.spin[1];
    q[5] = p.spin[0];
    q[6] = p.kind + 100;
    q[7] = p.charge * -1;
    q[8] = p.cell.y;
    q[9] = p.cell.x;
}

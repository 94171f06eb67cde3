// SPDX-License-Identifier: Apache-2.0
#include "particles.cuh"

extern "C" __global__ void move(world w, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n)
        return;
    const particle p = w.before[i];
    particle *q = &w.after[i];
    float step = (float)w.step;
    q->age = p.age + w.step;
    q->position.x = p.position.x + step * w.wind.x;
    q->position.y = p.position.y + step * w.wind.y;
    q->position.z = p.position.z + step * w.wind.z;
    q->spin[0] = -p.spin[1];
    q->spin[1] = p.spin[0];
    q->kind = (short)(p.kind + w.offsets[0]);
    q->charge = (char)(p.charge * w.offsets[1]);
    q->cell = make_uint2(p.cell.y, p.cell.x);
}

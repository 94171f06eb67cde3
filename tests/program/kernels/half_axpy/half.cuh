// SPDX-License-Identifier: Apache-2.0
// The bits of IEEE binary16 as numbers and back, for kernels without cuda_fp16.h. Round to nearest, ties to even, through
// float: exact here, where products and sums of halves fit a float.
static __device__ float of_half(unsigned short h)
{
    unsigned exponent = h >> 10 & 31, part = h & 1023;
    float size = exponent ? ldexpf((float)(1024 + part), (int)exponent - 25) : ldexpf((float)part, -24);
    return h & 0x8000 ? -size : size;
}

static __device__ unsigned short to_half(float x)
{
    float size = fabsf(x);
    int exponent = size < 0x1p-14f ? -14 : (int)floorf(log2f(size));
    unsigned units = (unsigned)rintf(ldexpf(size, 10 - exponent));
    if (units >= 2048) {
        units /= 2;
        exponent++;
    }
    unsigned bits = units < 1024 ? units : ((unsigned)(exponent + 14) << 10) + units;
    return (unsigned short)((x < 0 ? 0x8000 : 0) | bits);
}

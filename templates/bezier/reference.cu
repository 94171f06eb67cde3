/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reference.cu - a thread a curve: the number of its points by the same operations in single precision as everybody
 * (curve.cuh says why), then the points in double precision, behind those of the curves before it.
 *
 * The error of a coordinate is relative to the sum of the absolute coordinates of the control points. Let u = i / (n - 1),
 * v = 1 - u, each with an error of one unit of what it is made of: v is off by u + v = 1 unit, v v by 2 v + v^2, 2 u v by
 * 2 u v + 2 u + 2 u v, u u by 3 u^2: at most three units each. A product and two sums add three of the weight itself. So
 * the error is below gamma(6).
 */
static __device__ double at(double first, double middle, double last, double u)
{
    return (1.0 - u) * (1.0 - u) * first + 2.0 * u * (1.0 - u) * middle + u * u * last;
}

static __device__ float distance(float x, float y)
{
    return __fsqrt_rn(__fadd_rn(__fmul_rn(x, x), __fmul_rn(y, y)));
}

__global__ void count_reference(const float2 *controls, double *counts, int curves, int most)
{
    int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= curves)
        return;
    float2 a = controls[3 * (size_t)n], b = controls[3 * (size_t)n + 1], c = controls[3 * (size_t)n + 2];
    float middle_x = __fmul_rn(0.5f, __fadd_rn(a.x, c.x)), middle_y = __fmul_rn(0.5f, __fadd_rn(a.y, c.y));
    float chord = distance(__fsub_rn(c.x, a.x), __fsub_rn(c.y, a.y));
    float curvature = __fdiv_rn(distance(__fsub_rn(b.x, middle_x), __fsub_rn(b.y, middle_y)), chord);
    float wanted = __fmul_rn(16.0f, curvature);
    counts[n] = wanted >= (float)most ? most : wanted >= 4.0f ? (int)wanted : 4;
}

/* places[n]: where the points of curve n begin; `total`: where the last one's end. A single block of 1024 threads. */
__global__ void add_counts(const double *counts, unsigned *places, unsigned *total, int curves)
{
    __shared__ unsigned sums[1024];
    int first = (int)((long long)curves * threadIdx.x / 1024), end = (int)((long long)curves * (threadIdx.x + 1) / 1024);
    unsigned sum = 0, before = 0;
    for (int n = first; n < end; n++)
        sum += (unsigned)counts[n];
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (int t = 0; t < threadIdx.x; t++)
        before += sums[t];
    for (int n = first; n < end; n++) {
        places[n] = before;
        before += (unsigned)counts[n];
    }
    if (threadIdx.x == 1023)
        total[0] = before;
}

__global__ void points_reference(const float2 *controls, const double *counts, const unsigned *places, double *points,
                                 double *magnitude, int curves)
{
    int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= curves)
        return;
    float2 a = controls[3 * (size_t)n], b = controls[3 * (size_t)n + 1], c = controls[3 * (size_t)n + 2];
    int count = (int)counts[n];
    for (int i = 0; i < count; i++) {
        size_t place = 2 * ((size_t)places[n] + i);
        double u = (double)i / (count - 1);
        points[place] = at(a.x, b.x, c.x, u);
        points[place + 1] = at(a.y, b.y, c.y, u);
        magnitude[place] = fabs((double)a.x) + fabs((double)b.x) + fabs((double)c.x);
        magnitude[place + 1] = fabs((double)a.y) + fabs((double)b.y) + fabs((double)c.y);
    }
}

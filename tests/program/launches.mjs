// SPDX-License-Identifier: Apache-2.0
// Kernels that tests/program and tests/gpu launch in the same ways.

// After Kernel Tuner's and CUB's manner: a tile and a type as template arguments, an operation as a functor.
const source = `namespace ops {
struct twice { template <class T> static __device__ T of(T x) { return x + x; } };
template <int N, class T, class OP> __global__ void map(const float *x, float *y, int n) {
    __shared__ T tile[N];
    int i = blockIdx.x * N + threadIdx.x;
    if (i < n) tile[N - 1 - threadIdx.x] = OP::of((T)x[i]);
    __syncthreads();
    if (i < n) y[i] = (float)tile[N - 1 - threadIdx.x];
}
}
template <class T> static __global__ void next(const float *x, T *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = (T)x[i] + 1;
}
extern "C" __global__ void half_of(float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] /= 2;
}
__global__ void many(float *x) { *x = 1; }
__global__ void many(double *x) { *x = 1; }
`;
const reference = `template <int K> __global__ void expected(const float *x, double *y, double *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { y[i] = x[i]; z[i] = (double)x[i] + K; }
}
`;
const template = (launch) => `template k
size n = 10000
awkward n = 1237
parameter TILE
parameter TYPE
source "k.cu"
buffer x : float[n] in uniform(-1, 1)
buffer y : float[n] out
buffer z : double[n] out
launch {
${launch}
}
reference "reference.cu" { expected<2 - 1><<<ceil_div(n, 256), 256>>>(x, ref(y), ref(z), n) }
check y exact
check z exact
`;
export const launch = `ops::map<TILE, TYPE, ops::twice><<<ceil_div(n, TILE), TILE>>>(x, y, n)
next<double><<<ceil_div(n, TILE), TILE>>>(x, z, n)
half_of<<<ceil_div(n, TILE), TILE>>>(y, n)`;
export const files = (launch) => ({ "k.cu": source, "reference.cu": reference, "k.template": template(launch) });

// Two halves in streams of their own, joined, in a loop whose flag a third stream sets.
export const streams = `template k
size n = 1000
awkward n = 33
parameter BLOCK
source "k.cu"
buffer x : float[n] in uniform(-1, 1)
buffer left : float[n] temp
buffer right : float[n] temp
buffer z : float[n] inout constant(0)
buffer flag : int[1] inout constant(1)
let blocks = ceil_div(n, BLOCK)
launch {
    fill left = 0, stream = 2
    wait 1 after 2
    repeat 5 while flag {
        scale<<<blocks, BLOCK, stream = 1>>>(x, left, 2.0, n)
        scale<<<blocks, BLOCK, 0, stream = 1 + 1>>>(x, right, 3.0, n)
        wait 0 after 1
        wait 0 after 2
        add<<<blocks, BLOCK>>>(left, right, z, n)
        wait 15 after 0
        count<<<1, 1, stream = 15>>>(flag, z)
    }
}
reference "reference.cu" { expected<<<ceil_div(n, 256), 256>>>(x, ref(z), ref(flag), n) }
check z within 1e-6
check flag exact
`;
const streamSource = `__global__ void scale(const float *x, float *y, float a, int n) {
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) y[i] = a * x[i];
}
__global__ void add(const float *x, const float *y, float *z, int n) {
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) z[i] += x[i] + y[i];
}
__global__ void count(int *flag, const float *z) { *flag = *flag == 1 ? 7 : *flag == 7 ? 9 : 0; }
`;
const streamReference = `__global__ void expected(const float *x, double *z, double *flag, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = 15.0 * x[i];
    *flag = 0;
}
`;
export const streamFiles = { "k.template": streams, "k.cu": streamSource, "reference.cu": streamReference };

// An image between texels and beyond its edges, by a texture or, as in the reference, by hand; written to a surface.
export const textures = `template k
size w = 60, h = 40
awkward w = 7, h = 5
parameter BLOCK
parameter MODE
source "k.cu"
buffer x : float[w * h] in uniform(-1, 1)
buffer t : int[w] in uniform(0, 1000)
buffer y : float[w * h] out
buffer z : float[w * h] out
buffer s : int[w] out
launch {
    image<<<(ceil_div(w, BLOCK), h), BLOCK>>>(texture(x, w, h, filter = "linear", address = MODE, normalized = true), y, w, h)
    nearest<<<(ceil_div(w, BLOCK), h), BLOCK>>>(texture(x, w, h, address = "border"), surface(z, w, h), w, h)
    copy_of<<<ceil_div(w, BLOCK), BLOCK>>>(texture(t), texture(x), s, w)
}
reference "reference.cu" {
    if MODE == "wrap" { wrapped<<<ceil_div(w * h, 64), 64>>>(x, ref(y), mag(y), w, h) }
    else { clamped<<<ceil_div(w * h, 64), 64>>>(x, ref(y), mag(y), w, h) }
    others<<<ceil_div(w * h, 64), 64>>>(x, t, ref(z), ref(s), w, h)
}
# a weight has 8 bits of fraction, and a GPU may round another way
check y within 1e-6 if device.kind == "cpu" else 1 / 128
check z exact
check s exact
`.replace("size w = 60, h = 40", "size w = 60\nsize h = 40");

export const textureSource = `__global__ void image(cudaTextureObject_t x, float *y, int w, int h) {
    int i = blockIdx.x * BLOCK + threadIdx.x, j = blockIdx.y;
    /* texel i - 2.25, j + 3.5: weights of exactly 1/4 and 1/2, and several texels outside */
    if (i < w) y[j * w + i] = tex2D<float>(x, (i - 1.75f) / w, (j + 4.0f) / h);
}
__global__ void nearest(cudaTextureObject_t x, cudaSurfaceObject_t z, int w, int h) {
    int i = blockIdx.x * BLOCK + threadIdx.x, j = blockIdx.y;
    if (i < w) surf2Dwrite(tex2D<float>(x, i + 2.5f, j - 0.5f), z, i * (int)sizeof(float), j);
}
__global__ void copy_of(cudaTextureObject_t t, cudaTextureObject_t x, int *s, int w) {
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < w) s[i] = tex1Dfetch<int>(t, i) + (tex1Dfetch<float>(x, i) > 0.0f);
}
`;
export const textureReference = `__device__ int clamp(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }
__device__ int wrap(int i, int n) { return (i % n + n) % n; }
#define IMAGE(name, at)                                                                                            \\
    __global__ void name(const float *x, double *y, double *m, int w, int h) {                                     \\
        int k = blockIdx.x * blockDim.x + threadIdx.x, i = k % w, j = k / w;                                       \\
        if (k >= w * h) return;                                                                                    \\
        double rows[2], m_sum = 0;                                                                                 \\
        for (int r = 0; r < 2; r++) {                                                                              \\
            const float *row = x + at(j + 3 + r, h) * w;                                                           \\
            rows[r] = 0.25 * row[at(i - 3, w)] + 0.75 * row[at(i - 2, w)];                                         \\
            m_sum += 0.125 * fabs(row[at(i - 3, w)]) + 0.375 * fabs(row[at(i - 2, w)]);                            \\
        }                                                                                                          \\
        y[k] = 0.5 * rows[0] + 0.5 * rows[1];                                                                      \\
        m[k] = m_sum;                                                                                              \\
    }
IMAGE(clamped, clamp)
IMAGE(wrapped, wrap)
__global__ void others(const float *x, const int *t, double *z, double *s, int w, int h) {
    int k = blockIdx.x * blockDim.x + threadIdx.x, i = k % w, j = k / w;
    if (k >= w * h) return;
    z[k] = i + 2 < w && j > 0 ? x[(j - 1) * w + i + 2] : 0.0;
    if (j == 0) s[i] = t[i] + (x[i] > 0.0f);
}
`;
export const textureFiles = { "k.template": textures, "k.cu": textureSource, "reference.cu": textureReference };

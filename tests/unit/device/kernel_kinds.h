/* SPDX-License-Identifier: Apache-2.0 */
/* A source with a kernel of every kind, and the names that templates may ask for. */
#ifndef TUNE_TESTS_UNIT_DEVICE_KERNEL_KINDS_H
#define TUNE_TESTS_UNIT_DEVICE_KERNEL_KINDS_H

#define KERNELS_OF_EVERY_KIND                                                                                        \
    "extern \"C\" __global__ void plain(float *x) { *x = 1; }\n"                                                     \
    "extern \"C\" { __global__ void second(float *x) { *x = 2; } }\n"                                                \
    "static __global__ void local(float *x) { *x = 3; }\n"                                                           \
    "namespace ns { struct op { static __device__ float of(float x) { return x; } };\n"                              \
    "template <int N, class T, class OP = op> __global__ void typed(T *x) {\n"                                       \
    "  __shared__ T tile[N]; tile[threadIdx.x] = (T)OP::of(N); x[0] = tile[threadIdx.x]; }\n"                        \
    "__global__ void inner(float *x) { *x = 4; } }\n"                                                                \
    "namespace { __global__ void unnamed(float *x) { *x = 5; } }\n"                                                  \
    "template <class... T> __global__ void pack(T *...x) { }\n"                                                      \
    "template <class T> __global__ void typed(T *x) { *x = 6; }\n"                                                   \
    "template <bool B = true> __global__ void defaulted(float *x) { *x = B; }\n"                                     \
    "__global__ void twice(float *x) { *x = 7; }\n"                                                                  \
    "__global__ void textured(cudaTextureObject_t t, cudaSurfaceObject_t s, float2 *x) {\n"                          \
    "  *x = tex1Dfetch<float2>(t, 1); *x = tex1D<float2>(t, 0.5f); *x = tex2D<float2>(t, 1, 2);\n"                   \
    "  *x = tex3D<float2>(t, 1, 2, 3); surf2Dwrite(*x, s, 8, 1); *x = surf1Dread<float2>(s, 8);\n"                   \
    "  surf3Dread(x, s, 0, 1, 2, cudaBoundaryModeClamp); surf1Dwrite(*x, s, 8, cudaBoundaryModeZero); }\n"           \
    "__global__ void twice(double *x) { *x = 8; }\n"

#define KERNEL_NAMES_OF_EVERY_KIND                                                                                   \
    {                                                                                                                \
        "plain", "second", "local", "ns::typed<64, float>", "ns::typed<2 + 2, double, ns::op>", "ns::inner",         \
            "::ns::inner", "unnamed", "pack<int, float>", "typed<unsigned int>", "defaulted<>", "textured",          \
            "defaulted<0>", "typed<int>"                                                                             \
    }

#endif

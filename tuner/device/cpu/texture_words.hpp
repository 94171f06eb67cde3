/* SPDX-License-Identifier: Apache-2.0 */
/*
 * texture_words.hpp - textures and surfaces in plain C++17; follows cuda_words.hpp.
 *
 * An object is the address of a struct tune_texture. Addressing and filtering follow "Texture Fetching" in the CUDA C++
 * Programming Guide: texel i is centred at i + 0.5, and the weights of linear filtering have eight bits of fraction.
 */
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };

template <class T>
static inline const tune_texture *tune_texture_of(unsigned long long object, unsigned dimensions, bool surface, int line)
{
    const tune_texture *t = reinterpret_cast<const tune_texture *>(object);
    if (t->is_surface != surface || t->dimensions != dimensions)
        tune_fault(surface ? "this is no surface of so many dimensions" : "this is no texture of so many dimensions",
                   line);
    if (t->texel_bytes != sizeof(T))
        tune_fault("texels are read or written as a type of another size", line);
    return t;
}

/* The texel of an index in one dimension by the address mode; -1: none, so that the border's zero is read. */
TUNE_INLINE long long tune_texel(const tune_texture *t, long long i, long long n)
{
    long long period = 2 * n;
    switch (t->address_mode) {
    case TUNE_ADDRESS_BORDER: return i < 0 || i >= n ? -1 : i;
    case TUNE_ADDRESS_WRAP: return (i % n + n) % n;
    case TUNE_ADDRESS_MIRROR: i = (i % period + period) % period; return i < n ? i : period - 1 - i;
    default: return i < 0 ? 0 : i >= n ? n - 1 : i;
    }
}

template <class T>
TUNE_INLINE T tune_texel_at(const tune_texture *t, long long x, long long y, long long z)
{
    x = tune_texel(t, x, t->width);
    y = t->dimensions > 1 ? tune_texel(t, y, t->height) : 0;
    z = t->dimensions > 2 ? tune_texel(t, z, t->depth) : 0;
    if (x < 0 || y < 0 || z < 0)
        return T{};
    return static_cast<const T *>(t->data)[((unsigned long long)z * t->height + y) * t->width + x];
}

/* A coordinate in texels, as large as an index can be. */
TUNE_INLINE float tune_coordinate(const tune_texture *t, float x, unsigned n)
{
    x = t->is_normalized ? x * (float)n : x;
    return x > 1e9f ? 1e9f : x > -1e9f ? x : x <= -1e9f ? -1e9f : 0.0f; /* NaN: 0 */
}
TUNE_INLINE long long tune_floor(float x) { long long i = (long long)x; return (float)i > x ? i - 1 : i; }

struct tune_place {
    long long i;
    float weight; /* of texel i + 1 */
};
TUNE_INLINE tune_place tune_between(float x)
{
    long long i = tune_floor(x - 0.5f);
    return {i, (float)tune_floor((x - 0.5f - (float)i) * 256.0f + 0.5f) / 256.0f};
}

TUNE_INLINE float tune_blend(float a, float b, float w) { return (1.0f - w) * a + w * b; }
TUNE_INLINE float2 tune_blend(float2 a, float2 b, float w) { return {tune_blend(a.x, b.x, w), tune_blend(a.y, b.y, w)}; }
TUNE_INLINE float4 tune_blend(float4 a, float4 b, float w)
{
    return {tune_blend(a.x, b.x, w), tune_blend(a.y, b.y, w), tune_blend(a.z, b.z, w), tune_blend(a.w, b.w, w)};
}
template <class T> TUNE_INLINE T tune_blend(T a, T, float) { return a; } /* only floats are filtered */

template <class T> static inline T tune_sample(const tune_texture *t, float fx, float fy, float fz)
{
    fx = tune_coordinate(t, fx, t->width);
    fy = tune_coordinate(t, fy, t->height);
    fz = tune_coordinate(t, fz, t->depth);
    if (!t->is_filtered)
        return tune_texel_at<T>(t, tune_floor(fx), tune_floor(fy), tune_floor(fz));
    tune_place x = tune_between(fx), y = {0, 0}, z = {0, 0};
    if (t->dimensions > 1)
        y = tune_between(fy);
    if (t->dimensions > 2)
        z = tune_between(fz);
    T planes[2] = {}, rows[2] = {};
    for (int k = 0; k < (t->dimensions > 2 ? 2 : 1); k++) {
        for (int j = 0; j < (t->dimensions > 1 ? 2 : 1); j++)
            rows[j] = tune_blend(tune_texel_at<T>(t, x.i, y.i + j, z.i + k), tune_texel_at<T>(t, x.i + 1, y.i + j, z.i + k),
                                 x.weight);
        planes[k] = t->dimensions > 1 ? tune_blend(rows[0], rows[1], y.weight) : rows[0];
    }
    return t->dimensions > 2 ? tune_blend(planes[0], planes[1], z.weight) : planes[0];
}

template <class T> TUNE_INLINE T tex1Dfetch(cudaTextureObject_t object, int i, int line = __builtin_LINE())
{
    const tune_texture *t = tune_texture_of<T>(object, 0, false, line);
    return i < 0 || (unsigned)i >= t->width ? T{} : static_cast<const T *>(t->data)[i];
}
template <class T> TUNE_INLINE T tex1D(cudaTextureObject_t object, float x, int line = __builtin_LINE())
{
    return tune_sample<T>(tune_texture_of<T>(object, 1, false, line), x, 0, 0);
}
template <class T> TUNE_INLINE T tex2D(cudaTextureObject_t object, float x, float y, int line = __builtin_LINE())
{
    return tune_sample<T>(tune_texture_of<T>(object, 2, false, line), x, y, 0);
}
template <class T> TUNE_INLINE T tex3D(cudaTextureObject_t object, float x, float y, float z, int line = __builtin_LINE())
{
    return tune_sample<T>(tune_texture_of<T>(object, 3, false, line), x, y, z);
}

/* ---- surfaces, whose x counts bytes ---- */

/* NULL: outside, and the mode is to ignore it. */
template <class T>
static inline T *tune_surface_at(cudaSurfaceObject_t object, unsigned dimensions, int x_bytes, int y, int z, int mode, int line)
{
    const tune_texture *t = tune_texture_of<T>(object, dimensions, true, line);
    if (x_bytes % (int)sizeof(T))
        tune_fault("x, which counts bytes in a surface, is no multiple of its texels' size", line);
    long long at[3] = {x_bytes / (int)sizeof(T), y, z}, size[3] = {t->width, t->height, t->depth};
    for (int i = 0; i < 3; i++) {
        if (at[i] >= 0 && at[i] < size[i])
            continue;
        if (mode == cudaBoundaryModeTrap)
            tune_fault("a texel outside of the surface", line);
        if (mode == cudaBoundaryModeZero)
            return nullptr;
        at[i] = at[i] < 0 ? 0 : size[i] - 1;
    }
    return static_cast<T *>(t->data) + (at[2] * size[1] + at[1]) * size[0] + at[0];
}

#define TUNE_SURFACE(words, dimensions, places, ...)                                                                  \
    template <class T>                                                                                                \
    TUNE_INLINE T words##read(cudaSurfaceObject_t object, __VA_ARGS__,                                                \
                              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, int line = __builtin_LINE())       \
    {                                                                                                                 \
        const T *texel = tune_surface_at<T>(object, dimensions, places, mode, line);                                  \
        return texel ? *texel : T{};                                                                                  \
    }                                                                                                                 \
    template <class T>                                                                                                \
    TUNE_INLINE void words##read(T *value, cudaSurfaceObject_t object, __VA_ARGS__,                                   \
                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, int line = __builtin_LINE())    \
    {                                                                                                                 \
        const T *texel = tune_surface_at<T>(object, dimensions, places, mode, line);                                  \
        *value = texel ? *texel : T{};                                                                                \
    }                                                                                                                 \
    template <class T>                                                                                                \
    TUNE_INLINE void words##write(T value, cudaSurfaceObject_t object, __VA_ARGS__,                                   \
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, int line = __builtin_LINE())   \
    {                                                                                                                 \
        T *texel = tune_surface_at<T>(object, dimensions, places, mode, line);                                        \
        if (texel)                                                                                                    \
            *texel = value;                                                                                           \
    }
#define TUNE_PLACES_1 x, 0, 0
#define TUNE_PLACES_2 x, y, 0
#define TUNE_PLACES_3 x, y, z
TUNE_SURFACE(surf1D, 1, TUNE_PLACES_1, int x)
TUNE_SURFACE(surf2D, 2, TUNE_PLACES_2, int x, int y)
TUNE_SURFACE(surf3D, 3, TUNE_PLACES_3, int x, int y, int z)
#undef TUNE_SURFACE

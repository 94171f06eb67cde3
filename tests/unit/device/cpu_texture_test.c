/* SPDX-License-Identifier: Apache-2.0 */
/* Texels, addresses and weights against the formulas of the CUDA C++ Programming Guide, in double precision. */
#include "cpu_fixture.h"

#include "tuner/device/cpu/texture.h"

#include <math.h>

enum { W = 5, H = 4, D = 3, POINTS = 400 };

static const char source[] =
    "__global__ void k(cudaTextureObject_t t, const float *at, float *out, int dimensions) {\n"
    "    int i = threadIdx.x; const float *p = at + 3 * i;\n"
    "    out[i] = dimensions == 1 ? tex1D<float>(t, p[0]) : dimensions == 2 ? tex2D<float>(t, p[0], p[1])\n"
    "                             : tex3D<float>(t, p[0], p[1], p[2]); }\n"
    "__global__ void fetch(cudaTextureObject_t t, float4 *out) { out[threadIdx.x] = tex1Dfetch<float4>(t, "
    "threadIdx.x - 1); }\n"
    "__global__ void surface(cudaSurfaceObject_t s, float *out, int x, int y, int mode) {\n"
    "    *out = mode == 0 ? surf2Dread<float>(s, x, y, cudaBoundaryModeZero)\n"
    "         : mode == 1 ? surf2Dread<float>(s, x, y, cudaBoundaryModeClamp) : surf2Dread<float>(s, x, y);\n"
    "    surf2Dwrite(9.0f, s, x, y, mode == 1 ? cudaBoundaryModeClamp : cudaBoundaryModeZero); }\n";

/* A texel by its index, with the address mode; 0 at the border. */
static double texel(const float *image, const int size[3], enum address_mode mode, const int at[3])
{
    int index[3];
    for (int i = 0; i < 3; i++) {
        int n = size[i], x = at[i];
        if (mode == ADDRESS_BORDER && (x < 0 || x >= n))
            return 0;
        while (mode == ADDRESS_WRAP && (x < 0 || x >= n))
            x += x < 0 ? n : -n;
        while (mode == ADDRESS_MIRROR && (x < 0 || x >= n))
            x = x < 0 ? -1 - x : 2 * n - 1 - x;
        index[i] = x < 0 ? 0 : x >= n ? n - 1 : x;
    }
    return (double)image[(index[2] * size[1] + index[1]) * size[0] + index[0]];
}

static double sampled(const float *image, const int size[3], const struct texture_shape *shape, const float *point)
{
    double sum = 0, weight[3] = {0};
    int first[3] = {0};
    for (unsigned i = 0; i < shape->dimensions; i++) {
        double x = (double)point[i] * (shape->normalized ? size[i] : 1) - (shape->linear ? 0.5 : 0);
        first[i] = (int)floor(x);
        weight[i] = shape->linear ? floor((x - floor(x)) * 256 + 0.5) / 256 : 0;
    }
    for (int corner = 0; corner < 8; corner++) {
        double share = 1;
        int at[3];
        for (int i = 0; i < 3; i++) {
            int far = corner >> i & 1;
            at[i] = first[i] + far;
            share *= far ? weight[i] : 1 - weight[i];
        }
        if (share > 0)
            sum += share * texel(image, size, shape->address, at);
    }
    return sum;
}

static void samples_are_those_of_the_formulas(void **state)
{
    struct cpu_fixture *fixture = *state;
    float image[W * H * D], points[3 * POINTS], out[POINTS];
    for (int i = 0; i < W * H * D; i++)
        image[i] = (float)((i * 37 + 11) % 64); /* so that sums are exact */
    for (int i = 0; i < 3 * POINTS; i++)
        points[i] = (float)((i * 7919 + 13) % 4096 - 2048) / 128.0f; /* from -16 to 16, weights of seven bits */
    load_kernel(fixture, source, "k");
    uint64_t texels = device_copy(fixture, image, sizeof image), at = device_copy(fixture, points, sizeof points);
    uint64_t result = device_copy(fixture, out, sizeof out), handle;
    for (unsigned all = 0; all < 3 * 2 * 2 * 4; all++) {
        struct texture_shape shape = {.dimensions = 1 + all % 3,
                                      .extent = {W, 1, 1},
                                      .linear = all / 3 % 2,
                                      .normalized = all / 6 % 2,
                                      .address = (enum address_mode)(all / 12)};
        const struct texel one = {.channels = 1, .bytes = 4, .floating = true, .is_signed = true};
        shape.extent.y = shape.dimensions > 1 ? H : 1;
        shape.extent.z = shape.dimensions > 2 ? D : 1;
        const int size[] = {(int)shape.extent.x, (int)shape.extent.y, (int)shape.extent.z};
        struct device_texture *texture;
        assert_true(cpu_texture_create(fixture->device, &shape, &one, texels, &texture, &handle, &fixture->error));
        int dimensions = (int)shape.dimensions;
        launch(fixture, D(1, 1, 1), D(POINTS, 1, 1), 0, ARGUMENTS(&handle, &at, &result, &dimensions));
        fetch(fixture, out, result, sizeof out);
        for (int i = 0; i < POINTS; i++) {
            double wanted = sampled(image, size, &shape, points + 3 * i);
            if (fabs((double)out[i] - wanted) > 1e-4)
                fail_msg("case %u, point %d: %g, not %g", all, i, (double)out[i], wanted);
        }
        cpu_texture_release(fixture->device, texture);
    }
}

static void linear_memory_is_zero_outside(void **state)
{
    struct cpu_fixture *fixture = *state;
    float values[8] = {1, 2, 3, 4, 5, 6, 7, 8}, out[16];
    load_kernel(fixture, source, "fetch");
    uint64_t texels = device_copy(fixture, values, sizeof values), result = device_copy(fixture, out, sizeof out),
             handle;
    const struct texture_shape shape = {.extent = {2, 1, 1}};
    const struct texel four = {.channels = 4, .bytes = 4, .floating = true};
    struct device_texture *texture;
    assert_true(cpu_texture_create(fixture->device, &shape, &four, texels, &texture, &handle, &fixture->error));
    launch(fixture, D(1, 1, 1), D(4, 1, 1), 0, ARGUMENTS(&handle, &result));
    fetch(fixture, out, result, sizeof out);
    for (int i = 0; i < 16; i++)
        assert_true(out[i] == (i >= 4 && i < 12 ? (float)(i - 3) : 0));
    cpu_texture_release(fixture->device, texture);
}

static void surfaces_have_boundaries(void **state)
{
    struct cpu_fixture *fixture = *state;
    float values[6] = {1, 2, 3, 4, 5, 6}, out, after[6];
    load_kernel(fixture, source, "surface");
    uint64_t texels = device_copy(fixture, values, sizeof values), result = device_copy(fixture, &out, sizeof out),
             handle;
    const struct texture_shape shape = {.surface = true, .dimensions = 2, .extent = {3, 2, 1}};
    const struct texel one = {.channels = 1, .bytes = 4, .floating = true};
    struct device_texture *texture;
    assert_true(cpu_texture_create(fixture->device, &shape, &one, texels, &texture, &handle, &fixture->error));
    static const struct {
        int x, y, mode;
        float read;
        int written; /* -1: none */
    } cases[] = {{4, 1, 2, 5, 4}, {12, 0, 0, 0, -1}, {12, 5, 1, 6, 5}, {-4, -1, 1, 1, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int x = cases[i].x, y = cases[i].y, mode = cases[i].mode;
        assert_true(cpu->upload(fixture->device, texels, values, sizeof values, &fixture->error));
        launch(fixture, D(1, 1, 1), D(1, 1, 1), 0, ARGUMENTS(&handle, &result, &x, &y, &mode));
        fetch(fixture, &out, result, sizeof out);
        fetch(fixture, after, texels, sizeof after);
        assert_true(out == cases[i].read);
        for (int j = 0; j < 6; j++)
            assert_true(after[j] == (j == cases[i].written ? 9 : values[j]));
    }
    int x = 12, y = 0, mode = 2;
    launch_faulting(fixture, D(1, 1, 1), D(1, 1, 1), ARGUMENTS(&handle, &result, &x, &y, &mode));
    assert_non_null(strstr(fixture->error.text, "a texel outside of the surface at line 8"));
    cpu_texture_release(fixture->device, texture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cpu_test(samples_are_those_of_the_formulas),
                                       cpu_test(linear_memory_is_zero_outside), cpu_test(surfaces_have_boundaries)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

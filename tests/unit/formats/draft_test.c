/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/expect.h"
#include "tuner/formats/draft.h"
#include "tuner/lang/space.h"
#include "tuner/lang/template.h"

static struct draft draft_of(const char *text, const char *kernel)
{
    struct draft draft;
    struct error error = {0};
    struct draft_subject subject = {.name = "mine",
                                    .path = "k.cu",
                                    .source_file = "k.cu",
                                    .text = text,
                                    .length = strlen(text),
                                    .kernel = kernel,
                                    .complete = true};
    assert_success(draft_write(&subject, &draft, &error), &error);
    return draft;
}

/* The texts are what the program reads. */
static void require_valid(const struct draft *draft)
{
    struct template *template = NULL;
    struct space *space = NULL;
    struct error error = {0};
    assert_success(template_parse("t", ".", draft->template, strlen(draft->template), &template, &error), &error);
    assert_success(space_parse("s", draft->space, strlen(draft->space), template, &space, &error), &error);
    space_free(space);
    template_free(template);
}

static void test_one_dimension(void **state)
{
    (void)state;
    struct draft draft = draft_of("#ifndef ITEMS\n#define ITEMS 4\n#endif\n#define WARP 32\n"
                                  "__global__ void saxpy(const float *x, float *z, double a, size_t n, bool in) {\n"
                                  "  z[blockIdx.x * BLOCK] = a * x[0]; }",
                                  NULL);
    require_valid(&draft);
    assert_mentions(draft.template, "size n = ");
    assert_mentions(draft.template, "buffer x : float[n] in uniform(-1, 1)\nbuffer z : float[n] out\n");
    assert_mentions(draft.template,
                    "    saxpy<<<ceil_div(n, BLOCK * ITEMS), BLOCK>>>(x, z, double(1.0), ulong(n), uchar(1))\n");
    assert_mentions(draft.template,
                    "    saxpy<<<ceil_div(n, 256 * 4), 256>>>(x, z, double(1.0), ulong(n), uchar(1))\n");
    assert_mentions(draft.template, "check z within ");
    assert_mentions(draft.template, "line 4 fixes WARP");
    assert_mentions(draft.space, "param ITEMS = pow2(1, 16) # 4 in the source\nparam BLOCK = pow2(32, 1024)\n");
    assert_mentions(draft.space, "where BLOCK <= device.max_threads_per_block\ndefault ITEMS = 4, BLOCK = 256\n");
    assert_mentions(draft.reference, "#define ITEMS 4\n#define BLOCK 256\n#include \"k.cu\"\n");
    draft_clear(&draft);
}

static void test_several_dimensions(void **state)
{
    (void)state;
    struct draft draft = draft_of("__global__ void other(int *q) { q[OTHER] = 1; }\n"
                                  "__global__ void blur(float4 *out, const uint8_t *in, int height, int width) {\n"
                                  "  out[threadIdx.x + threadIdx.y * TILE_X * TILE_Y] += in[0]; }",
                                  "blur");
    require_valid(&draft);
    assert_null(strstr(draft.template, "OTHER"));
    assert_mentions(draft.template, "buffer out : float4[height * width] inout constant(0)\n");
    assert_mentions(draft.template, "buffer in_ : uchar[height * width] in uniform(0, 100)\n");
    assert_mentions(
        draft.template,
        "blur<<<(ceil_div(width, TILE_X), ceil_div(height, TILE_Y)), (TILE_X, TILE_Y)>>>(out, in_, height, width)\n");
    assert_mentions(draft.space, "where TILE_X * TILE_Y <= ");
    draft_clear(&draft);
}

static void test_a_block_that_no_macro_says(void **state)
{
    (void)state;
    struct draft draft = draft_of("__global__ void k(Body *b, float *unused) { b[threadIdx.y].x = 1; }", NULL);
    require_valid(&draft);
    assert_mentions(draft.template, "size n = ");
    assert_mentions(draft.template, "the kernel is told no size");
    assert_mentions(draft.template, "parameter BLOCK_X \"threads per block, along x\"\nparameter BLOCK_Y ");
    assert_mentions(draft.template, "# Body *: 16 bytes each?");
    assert_mentions(draft.template, "# the kernel does not use it");
    assert_mentions(draft.notes, "parameter 1 of k has the type Body *, which is not known here");
    assert_null(strstr(draft.reference, "#define"));
    draft_clear(&draft);
}

static void test_template_arguments(void **state)
{
    (void)state;
    struct draft draft = draft_of(
        "template <typename T, int TILE = 8, bool FAST = false> __global__ void k(T *x, int n) { x[0] = 1; }", NULL);
    require_valid(&draft);
    assert_mentions(draft.template, "    k<float, TILE_ARG, FAST_ARG><<<");
    assert_mentions(draft.template, "    k<float, 8, false><<<");
    assert_mentions(draft.template, "buffer x : float[n] out");
    assert_mentions(draft.space, "param FAST_ARG = [false, true]\n");
    draft_clear(&draft);
}

/* Vectors as they are, names that the source gives types, and textures. */
static void test_types(void **state)
{
    (void)state;
    struct draft draft = draft_of(
        "#define KEY uint\ntypedef KEY key;\n#if W == 4\ntypedef float4 vector;\n#endif\n"
        "__global__ void k(vector *y, const key *keys, float3 wind, cudaTextureObject_t image, int w, int h) {\n"
        "  y[threadIdx.x + threadIdx.y * BLOCK_X * BLOCK_Y] = make_float4(keys[0], 0, 0, 0); }\n"
        "void host() { cudaDeviceSynchronize(); }",
        NULL);
    require_valid(&draft);
    assert_mentions(draft.template, "buffer y : float4[w * h] out\n");
    assert_mentions(draft.template, "buffer keys : uint[w * h] in uniform(0, 100)\n");
    assert_mentions(draft.template, "buffer image : float[w * h] in uniform(-1, 1)\n");
    assert_mentions(draft.template, ">>>(y, keys, float3(1.0, 1.0, 1.0), texture(image, w, h), w, h)\n");
    assert_mentions(draft.template,
                    "tune_widen_float<<<ceil_div(4 * w * h, 256), 256>>>(y, ref(y), long(4 * w * h))\n");
    assert_mentions(draft.template, "parameter 2 of k: the first definition of key is uint\n");
    assert_mentions(draft.template, "line 8 is for a host program (cudaDeviceSynchronize): put #ifndef");
    assert_mentions(draft.reference, "expected[i] = ((const float *)values)[i];\n");
    assert_mentions(draft.reference, "float3 wind, cudaTextureObject_t image, int w, int h)");
    draft_clear(&draft);
}

static void test_what_cannot_be_drafted(void **state)
{
    (void)state;
    struct draft draft;
    struct error error = {0};
    static const char text[] = "__global__ void kernel(int *x) { x[0] = 1; }";
    struct draft_subject subject = {"mine", "k.cu", "k.cu", text, strlen(text), "kernal", true};
    assert_false(draft_write(&subject, &draft, &error));
    assert_mentions(error.text, "k.cu: there is no kernel kernal");
    assert_mentions(error.hint, "did you mean kernel");
    draft_clear(&draft);
    subject.kernel = NULL;
    subject.name = "float";
    assert_false(draft_write(&subject, &draft, &error));
    assert_mentions(error.text, "'float' cannot be the name of a template");
    draft_clear(&draft);
    subject.name = "mine";
    subject.length = 3;
    assert_false(draft_write(&subject, &draft, &error));
    assert_mentions(error.text, "no __global__ function found");
    draft_clear(&draft);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_dimension),
        cmocka_unit_test(test_several_dimensions),
        cmocka_unit_test(test_a_block_that_no_macro_says),
        cmocka_unit_test(test_template_arguments),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_what_cannot_be_drafted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

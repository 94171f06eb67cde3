/* SPDX-License-Identifier: Apache-2.0 */
/* Templates of all kinds, launched with a program's own buffers: plans and what is interpreted. */
#include "launched.h"

enum { N = 300 };

static void fill(int *values, int factor)
{
    for (int i = 0; i < N; i++)
        values[i] = factor * i + 1;
}

static const char add_source[] = "extern \"C\" __global__ void add(const int *x, int *y, int by, int n)\n"
                                 "{\n"
                                 "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                 "    if (i < n) y[i] = x[i] + by;\n"
                                 "}\n"
                                 "extern \"C\" __global__ void zero(int *y, int n)\n"
                                 "{\n"
                                 "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                 "    if (i < n) y[i] = 0;\n"
                                 "}\n";

#define HEAD                                                                                                         \
    "template t \"t\"\n"                                                                                             \
    "size n = 300\n"                                                                                                 \
    "source \"t.cu\"\n"

static void a_flat_block_is_a_plan(void **state)
{
    (void)state;
    struct launched l;
    int x[N], y[2][N], own[N] = {0};
    launched_open(&l,
                  HEAD "buffer x : int[n] in index()\nbuffer between : int[n] temp\nbuffer y : int[n] out\n"
                       "launch {\n"
                       "    fill y = 0\n"
                       "    add<<<ceil_div(n, 64), 64>>>(x, between, 5, n)\n"
                       "    copy y <- between[0 : 100]\n"
                       "    add<<<4, 64>>>(between + 100, y + 100, 7, n - 100)\n"
                       "}\ncheck y exact\n",
                  add_source);
    assert_non_null(l.variant->plans[VARIANT_LAUNCH]);
    assert_int_equal(l.variant->passed.count, 2);
    assert_int_equal(workspace_bytes(&l.variant->workspace), sizeof own);
    fill(x, 3);
    for (size_t round = 0; round < 2; round++) { /* wherever the buffers are */
        RUN(&l, VARIANT_LAUNCH, {x, 0}, {y[round], 0});
        for (int i = 0; i < N; i++)
            assert_int_equal(y[round][i], x[i] + (i < 100 ? 5 : 12));
        fill(x, 11);
    }
    launched_close(&l);
}

static void prepare_keeps_counts_and_late_buffers(void **state)
{
    (void)state;
    struct launched l;
    int x[N], y[N];
    launched_open(&l,
                  HEAD "count most at most 1000\n"
                       "buffer x : int[n] in index()\nbuffer longest : int[1] scratch constant(0)\n"
                       "buffer wide : int[most] temp\nbuffer y : int[n] out\n"
                       "prepare {\n    largest<<<1, 1>>>(x, longest, n)\n    read most = longest[0]\n"
                       "    spread<<<1, 1>>>(x, wide, most, n)\n}\n"
                       "launch { gather<<<ceil_div(n, 64), 64>>>(wide, y, most, n) }\ncheck y exact\n",
                  "extern \"C\" __global__ void largest(const int *x, int *longest, int n)\n"
                  "{ for (int i = 0; i < n; i++) if (x[i] > longest[0]) longest[0] = x[i]; }\n"
                  "extern \"C\" __global__ void spread(const int *x, int *wide, int most, int n)\n"
                  "{ for (int i = 0; i < most; i++) wide[i] = x[i % n] + i; }\n"
                  "extern \"C\" __global__ void gather(const int *wide, int *y, int most, int n)\n"
                  "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = wide[most - 1 - i]; }\n"
                  "extern \"C\" __global__ void zero(double *y, int n) { }\n");
    assert_null(l.variant->plans[VARIANT_LAUNCH]);
    assert_false(l.variant->prepared);
    assert_true(variant_waits(l.variant, VARIANT_PREPARE));
    assert_false(variant_waits(l.variant, VARIANT_LAUNCH));
    for (int factor = 2; factor <= 3; factor++) {
        fill(x, factor);
        const int most = x[N - 1];
        RUN(&l, VARIANT_PREPARE, {x, 0}, {y, 0});
        assert_true(l.variant->prepared);
        for (int round = 0; round < 2; round++) {
            memset(y, 0, sizeof y);
            RUN(&l, VARIANT_LAUNCH, {x, 0}, {y, 0});
            for (int i = 0; i < N; i++)
                assert_int_equal(y[i], x[(most - 1 - i) % N] + most - 1 - i);
        }
    }
    launched_close(&l);
}

static void what_goes_on_while_a_flag_does(void **state)
{
    (void)state;
    struct launched l;
    int x[N], y[N];
    launched_open(&l,
                  HEAD "buffer x : int[n] in index()\nbuffer other : int[n] temp\nbuffer flag : int[1] temp\n"
                       "buffer y : int[n] out\n"
                       "launch {\n    copy y <- x\n"
                       "    repeat 7 as i while flag { step<<<1, 1>>>(y, other, flag, i, n)\n    swap y, other }\n"
                       "}\ncheck y exact\n",
                  "extern \"C\" __global__ void step(const int *y, int *other, int *flag, int i, int n)\n"
                  "{ for (int j = 0; j < n; j++) other[j] = 2 * y[j] + 1;\n  flag[0] = i < other[0] % 4 + 2; }\n"
                  "extern \"C\" __global__ void zero(double *y, int n) { }\n");
    for (int factor = 1; factor <= 4; factor++) {
        fill(x, factor);
        x[0] = factor * 10;
        int expected[N], rounds = 0;
        memcpy(expected, x, sizeof x);
        for (bool on = true; on && rounds < 7; rounds++) {
            for (int i = 0; i < N; i++)
                expected[i] = 2 * expected[i] + 1;
            on = rounds < expected[0] % 4 + 2;
        }
        memset(y, 0, sizeof y);
        RUN(&l, VARIANT_LAUNCH, {x, 0}, {y, 0});
        assert_memory_equal(y, expected, sizeof y);
    }
    launched_close(&l);
}

static void swaps_end_where_the_program_looks(void **state)
{
    (void)state;
    struct launched l;
    int x[N], y[N];
    launched_open(&l,
                  HEAD "buffer x : int[n] inout index()\nbuffer z : int[n] temp\nbuffer y : int[n] out\n"
                       "buffer other : int[n] temp\n"
                       "launch {\n    add<<<5, 64>>>(x, z, 1, n)\n    swap x, z\n"
                       "    add<<<5, 64>>>(x, y, 10, n)\n"
                       "    add<<<5, 64>>>(y, other, 100, n)\n    swap y, other\n}\n"
                       "check x exact\ncheck y exact\n"
                       "reference \"t.cu\" { zero<<<1, 1>>>(ref(x), 0)\nzero<<<1, 1>>>(ref(y), 0) }\n",
                  add_source);
    assert_non_null(l.variant->plans[VARIANT_LAUNCH]);
    assert_int_equal(l.variant->passed.count, 2);
    assert_int_equal(l.variant->passed.list[0].role, TUNE_INOUT);
    for (int round = 0; round < 2; round++) {
        fill(x, 4 + round);
        RUN(&l, VARIANT_LAUNCH, {x, 0}, {y, 0});
        for (int i = 0; i < N; i++) {
            assert_int_equal(x[i], (4 + round) * i + 2);
            assert_int_equal(y[i], (4 + round) * i + 112);
        }
    }
    launched_close(&l);
}

static void finish_and_scratch(void **state)
{
    (void)state;
    struct launched l;
    int x[N], y[N];
    launched_open(&l,
                  HEAD "buffer x : int[n] in index()\nbuffer sums : int[n] scratch index()\n"
                       "buffer ones : int[n] scratch constant(-1)\nbuffer y : int[n] out\n"
                       "launch { add_up<<<5, 64>>>(x, sums, ones, n) }\n"
                       "finish { add<<<5, 64>>>(sums, y, 3, n) }\ncheck y exact\n",
                  "extern \"C\" __global__ void add_up(const int *x, int *sums, int *ones, int n)\n"
                  "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) sums[i] += x[i] * --ones[i]; }\n"
                  "extern \"C\" __global__ void add(const int *x, int *y, int by, int n)\n"
                  "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i] + by; }\n"
                  "extern \"C\" __global__ void zero(double *y, int n) { }\n");
    assert_non_null(l.variant->code->filler.module); /* index() is not one byte */
    assert_null(l.variant->plans[VARIANT_LAUNCH]);
    assert_non_null(l.variant->plans[VARIANT_FINISH]);
    fill(x, 2);
    for (int round = 0; round < 2; round++) {
        memset(y, 0, sizeof y);
        RUN(&l, VARIANT_LAUNCH, {x, 0}, {y, 0});
        RUN(&l, VARIANT_FINISH, {x, 0}, {y, 0});
        for (int i = 0; i < N; i++)
            assert_int_equal(y[i], i - 2 * x[i] + 3);
    }
    launched_close(&l);
}

/* The launch is flat, but for what prepare has done. */
static void launches_follow_what_is_prepared(void **state)
{
    (void)state;
    struct launched l;
    int x[N], y[N];
    launched_open(&l,
                  HEAD "count m at most 1000\nbuffer x : int[n] in index()\nbuffer late : int[m] temp\n"
                       "buffer a : int[n] temp\nbuffer b : int[n] temp\nbuffer y : int[n] out\n"
                       "prepare {\n    read m = x[1]\n    add<<<16, 64>>>(x, late, 40, n)\n"
                       "    add<<<5, 64>>>(x, a, 1, n)\n    add<<<5, 64>>>(x, b, 2, n)\n"
                       "    repeat m as i while m > i { swap a, b }\n}\n"
                       "launch {\n    add<<<5, 64>>>(a, y, 100, n)\n    add<<<1, 8>>>(late, y, 0, 8)\n}\n"
                       "check y exact\n",
                  add_source);
    for (int m = 300; m <= 901; m += 601) {
        fill(x, m - 1); /* x[1] is m */
        RUN(&l, VARIANT_PREPARE, {x, 0}, {y, 0});
        RUN(&l, VARIANT_LAUNCH, {x, 0}, {y, 0});
        for (int i = 0; i < N; i++)
            assert_int_equal(y[i], x[i] + (i < 8 ? 40 : m % 2 == 0 ? 101 : 102));
    }
    launched_close(&l);
}

static void finish_goes_on_where_the_launches_ended(void **state)
{
    (void)state;
    struct launched l;
    int x[N], y[N];
    launched_open(&l,
                  HEAD "count m at most 1000\nbuffer x : int[n] in index()\n"
                       "buffer a : int[n] temp\nbuffer b : int[n] temp\nbuffer y : int[n] out\n"
                       "launch {\n    read m = x[1]\n    add<<<5, 64>>>(x, a, 1, n)\n    add<<<5, 64>>>(x, b, 2, n)\n"
                       "    repeat m as i while m > i { swap a, b }\n}\n"
                       "finish { add<<<5, 64>>>(a, y, 100, n) }\ncheck y exact\n",
                  add_source);
    for (int m = 3; m <= 6; m++) {
        fill(x, m - 1);
        RUN(&l, VARIANT_LAUNCH, {x, 0}, {y, 0});
        RUN(&l, VARIANT_FINISH, {x, 0}, {y, 0});
        for (int i = 0; i < N; i++)
            assert_int_equal(y[i], x[i] + (m % 2 == 0 ? 101 : 102));
    }
    launched_close(&l);
}

static void textures_follow_the_buffers(void **state)
{
    (void)state;
    struct launched l;
    static float x[3][20 * 15], y[20 * 15];
    launched_open(&l,
                  "template t \"t\"\nsize n = 300\nsource \"t.cu\"\n"
                  "buffer x : float[n] in index()\nbuffer y : float[n] out\n"
                  "launch { turn<<<1, 1>>>(texture(x), texture(x, 20, 15), y) }\ncheck y exact\n",
                  "extern \"C\" __global__ void turn(cudaTextureObject_t row, cudaTextureObject_t plane, float *y)\n"
                  "{ for (int i = 0; i < 15; i++) for (int j = 0; j < 20; j++)\n"
                  "      y[20 * i + j] = tex1Dfetch<float>(row, 20 * i + j)\n"
                  "                      + tex2D<float>(plane, 19 - j + 0.5f, 14 - i + 0.5f); }\n"
                  "extern \"C\" __global__ void zero(double *y, int n) { }\n");
    assert_null(l.variant->plans[VARIANT_LAUNCH]);
    for (int round = 0; round < 5; round++) {
        float *from = x[round % 3];
        for (int i = 0; i < 300; i++)
            from[i] = (float)(i * i + 1000 * round);
        RUN(&l, VARIANT_LAUNCH, {from, 0}, {y, 0});
        for (int i = 0; i < 300; i++)
            assert_true(y[i] == from[i] + from[299 - i]);
    }
    assert_int_equal(l.variant->workspace.textures.count, 2 * 3);
    static float many[80][20 * 15];
    for (int i = 0; i < 80; i++) {
        many[i][7] = (float)i;
        RUN(&l, VARIANT_LAUNCH, {many[i], 0}, {y, 0});
        assert_true(y[7] == (float)i);
        assert_true(l.variant->workspace.textures.count <= 65);
    }
    launched_close(&l);
}

static void streams_and_waits(void **state)
{
    (void)state;
    struct launched l;
    int x[N], y[N];
    launched_open(&l,
                  HEAD "buffer x : int[n] in index()\nbuffer a : int[n] temp\nbuffer y : int[n] out\n"
                       "launch {\n    add<<<5, 64, stream = 1>>>(x, a, 20, n)\n    wait 0 after 1\n"
                       "    add<<<5, 64>>>(a, y, 300, n)\n}\ncheck y exact\n",
                  add_source);
    fill(x, 7);
    RUN(&l, VARIANT_LAUNCH, {x, 0}, {y, 0});
    for (int i = 0; i < N; i++)
        assert_int_equal(y[i], x[i] + 320);
    launched_close(&l);
}

static void what_setup_would_read(void **state)
{
    (void)state;
    struct launched l;
    int x[N], y[N];
    launched_open(&l,
                  HEAD "count first at most 10000\n"
                       "buffer x : int[n] in\nbuffer y : int[n] out\n"
                       "setup \"t.cu\" { zero<<<5, 64>>>(x, n)\n    read first = x[2] }\n"
                       "launch { add<<<5, 64>>>(x, y, first, n) }\ncheck y exact\n",
                  add_source);
    assert_true(variant_waits(l.variant, VARIANT_LAUNCH));
    for (int factor = 3; factor < 6; factor++) {
        fill(x, factor);
        RUN(&l, VARIANT_LAUNCH, {x, 0}, {y, 0});
        for (int i = 0; i < N; i++)
            assert_int_equal(y[i], x[i] + 2 * factor + 1);
    }
    launched_close(&l);
}

static void variables_belong_to_a_module(void **state)
{
    (void)state;
    struct launched l;
    struct code *again;
    struct variant *other;
    int x[2][N], y[N];
    launched_open(&l,
                  HEAD "buffer x : int[n] in index()\nbuffer y : int[n] out\n"
                       "prepare {\n    add<<<5, 64>>>(x, y, 0, n)\n    copy mask <- y[1 : 5]\n}\n"
                       "launch { mask_out<<<5, 64>>>(x, y, n) }\ncheck y exact\n",
                  "__constant__ int mask[4];\n"
                  "extern \"C\" __global__ void add(const int *x, int *y, int by, int n)\n"
                  "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i] + by; }\n"
                  "extern \"C\" __global__ void mask_out(const int *x, int *y, int n)\n"
                  "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i] ^ mask[i % 4]; }\n"
                  "extern \"C\" __global__ void zero(double *y, int n) { }\n");
    must_launch(code_load_again(l.variant->code, &again, &l.error), &l);
    must_launch(variant_create(again, l.template, &other, &l.error), &l);
    fill(x[0], 3);
    fill(x[1], 5);
    RUN(&l, VARIANT_PREPARE, {x[0], 0}, {y, 0});
    must_launch(variant_run(other, VARIANT_PREPARE, NULL, (const struct tune_buffer[]){{x[1], 0}, {y, 0}}, &l.error),
                &l);
    for (int which = 0; which < 2; which++) {
        must_launch(variant_run(which ? other : l.variant, VARIANT_LAUNCH, NULL,
                                (const struct tune_buffer[]){{x[0], 0}, {y, 0}}, &l.error),
                    &l);
        for (int i = 0; i < N; i++)
            assert_int_equal(y[i], x[0][i] ^ x[which][1 + i % 4]);
    }
    variant_free(l.variant); /* the other keeps what it needs */
    l.variant = NULL;
    must_launch(variant_run(other, VARIANT_LAUNCH, NULL, (const struct tune_buffer[]){{x[1], 0}, {y, 0}}, &l.error),
                &l);
    assert_int_equal(y[7], x[1][7] ^ x[1][1 + 7 % 4]);
    variant_free(other);
    launched_close(&l);
}

static void faults_are_errors(void **state)
{
    (void)state;
    struct launched l;
    int x[N], y[N];
    launched_open(&l,
                  HEAD "buffer x : int[n] in index()\nbuffer y : int[n] out\n"
                       "launch { add<<<5, 64>>>(x, y, 0, n) }\ncheck y exact\n",
                  "#include <cassert>\n"
                  "extern \"C\" __global__ void add(const int *x, int *y, int by, int n) { assert(x[0] < 5); }\n"
                  "extern \"C\" __global__ void zero(double *y, int n) { }\n");
    fill(x, 1);
    RUN(&l, VARIANT_LAUNCH, {x, 0}, {y, 0});
    x[0] = 5;
    const struct tune_buffer buffers[] = {{x, 0}, {y, 0}};
    assert_int_equal(variant_run(l.variant, VARIANT_LAUNCH, NULL, buffers, &l.error), TUNE_ERROR_DEVICE);
    assert_non_null(strstr(l.error.text, "add"));
    x[0] = 1;
    assert_int_equal(variant_run(l.variant, VARIANT_LAUNCH, NULL, buffers, &l.error), TUNE_ERROR_DEVICE);
    struct attached *fresh;
    must(attachments_get(l.attachments, &l.attached->description, 0, &fresh, &error));
    assert_ptr_not_equal(fresh, l.attached);
    attached_release(fresh);
    launched_close(&l);
}

static void counts_beyond_their_bound(void **state)
{
    (void)state;
    struct launched l;
    int x[N], y[N];
    launched_open(&l,
                  HEAD "count m at most 300\nbuffer x : int[n] in index()\nbuffer y : int[n] inout constant(0)\n"
                       "launch {\n    read m = x[0]\n    if m > 0 { add<<<m, 1>>>(x, y, m, m) }\n}\ncheck y exact\n",
                  "extern \"C\" __global__ void add(const int *x, int *y, int by, int n)\n"
                  "{ y[blockIdx.x] = x[blockIdx.x] + by; }\n"
                  "extern \"C\" __global__ void zero(double *y, int n) { }\n");
    fill(x, 2);
    memset(y, 0, sizeof y);
    const struct tune_buffer buffers[] = {{x, 0}, {y, 0}};
    x[0] = 301;
    assert_int_equal(variant_run(l.variant, VARIANT_LAUNCH, NULL, buffers, &l.error), TUNE_ERROR_INPUT);
    assert_non_null(strstr(l.error.text, "301"));
    assert_true(l.error.line > 0);
    x[0] = 17;
    RUN(&l, VARIANT_LAUNCH, {x, 0}, {y, 0});
    for (int i = 0; i < N; i++)
        assert_int_equal(y[i], i < 17 ? x[i] + 17 : 0);
    launched_close(&l);
}

static void gemm_is_a_product(void **state)
{
    (void)state;
    enum { M = 37, WIDTH = 29, K = 23 };
    struct launched l;
    static float a[M * K], b[K * WIDTH], c[M * WIDTH];
    launched_shipped(&l, "gemm", (const struct size_setting[]){{"M", M}, {"N", WIDTH}, {"K", K}}, 3,
                     "{\"VARIANT\":\"naive\",\"BLOCK_X\":16,\"BLOCK_Y\":4,\"UNROLL\":1}");
    assert_non_null(l.variant->plans[VARIANT_LAUNCH]);
    for (int i = 0; i < M * K; i++)
        a[i] = (float)(i % 17 - 8);
    for (int i = 0; i < K * WIDTH; i++)
        b[i] = (float)(i % 13 - 6);
    RUN(&l, VARIANT_LAUNCH, {a, 0}, {b, 0}, {c, 0});
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < WIDTH; j++) {
            float sum = 0;
            for (int k = 0; k < K; k++)
                sum += a[i * K + k] * b[k * WIDTH + j];
            assert_true(c[i * WIDTH + j] == sum); /* small whole numbers */
        }
    }
    launched_close(&l);
}

/* What it prepares, as wide as the widest row is, in a late buffer. */
static void spmv_with_a_format_of_its_own(void **state)
{
    (void)state;
    enum { ROWS = 45, MEAN = 3 };
    struct launched l;
    static int offsets[ROWS + 1], columns[ROWS * MEAN], order[ROWS];
    static float values[ROWS * MEAN], x[ROWS], y[ROWS];
    launched_shipped(&l, "spmv",
                     (const struct size_setting[]){{"ROWS", ROWS}, {"COLUMNS", ROWS}, {"MEAN", MEAN}, {"SHAPE", 2}},
                     4, "{\"VARIANT\":\"ell\",\"BLOCK\":32,\"UNROLL\":1,\"QUANTILE\":100,\"STREAM\":0}");
    for (int i = 0, next = 0; i < ROWS; i++) { /* rows of 5, 3 and 1, the longest ones first in `order` */
        const int length = 5 - 2 * (i % 3);
        order[i % 3 * (ROWS / 3) + i / 3] = i;
        x[i] = (float)(i % 11 - 5);
        offsets[i + 1] = offsets[i] + length;
        for (int j = 0; j < length; j++, next++) {
            columns[next] = 7 * j + i / 5;
            values[next] = (float)(next % 13 - 6);
        }
    }
    const struct tune_buffer buffers[] = {{offsets, 0}, {columns, 0}, {values, 0}, {order, 0}, {x, 0}, {y, 0}};
    assert_int_equal(l.variant->passed.count, sizeof buffers / sizeof *buffers);
    must_launch(variant_run(l.variant, VARIANT_PREPARE, NULL, buffers, &l.error), &l);
    must_launch(variant_run(l.variant, VARIANT_LAUNCH, NULL, buffers, &l.error), &l);
    for (int i = 0; i < ROWS; i++) {
        float sum = 0;
        for (int j = offsets[i]; j < offsets[i + 1]; j++)
            sum += values[j] * x[columns[j]];
        assert_true(y[i] == sum);
    }
    launched_close(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flat_block_is_a_plan),
        cmocka_unit_test(prepare_keeps_counts_and_late_buffers),
        cmocka_unit_test(what_goes_on_while_a_flag_does),
        cmocka_unit_test(swaps_end_where_the_program_looks),
        cmocka_unit_test(finish_and_scratch),
        cmocka_unit_test(launches_follow_what_is_prepared),
        cmocka_unit_test(finish_goes_on_where_the_launches_ended),
        cmocka_unit_test(textures_follow_the_buffers),
        cmocka_unit_test(streams_and_waits),
        cmocka_unit_test(what_setup_would_read),
        cmocka_unit_test(variables_belong_to_a_module),
        cmocka_unit_test(faults_are_errors),
        cmocka_unit_test(counts_beyond_their_bound),
        cmocka_unit_test(gemm_is_a_product),
        cmocka_unit_test(spmv_with_a_format_of_its_own),
    };
    return cmocka_run_group_tests(tests, launched_cache, scratch_folder_remove);
}

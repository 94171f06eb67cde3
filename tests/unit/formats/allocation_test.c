/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each allocation of reading and writing the formats fails in turn: an error, or the very same texts. Jansson's are
 * left alone where texts are parsed: its lexer (2.14) drops a character of a token when it cannot grow its buffer.
 */
#include "tests/unit/everything.h"
#include "tests/unit/failing_allocator.h"
#include "tests/unit/fixture.h"
#include "tests/unit/scratch_folder.h"

#include "tuner/error/text_stream.h"
#include "tuner/formats/draft.h"
#include "tuner/formats/recording_file.h"
#include "tuner/formats/t1_import.h"
#include "tuner/formats/t1_write.h"
#include "tuner/formats/t4_write.h"

static const char t1[] =
    "{\"ConfigurationSpace\": {\"TuningParameters\": ["
    "{\"Name\": \"block\", \"Values\": \"32, 64\"},"
    "{\"Name\": \"mode\", \"Values\": [\"fast\", \"safe\"]}],"
    "\"Conditions\": [\"lambda p: p['block'] * 2 < 1000\"]}, \"KernelSpecification\": {\"KernelName\": \"for\","
    "\"KernelFile\": \"k.cu\", \"CompilerOptions\": [\"-O3\"], \"ProblemSize\": [1000, 4], \"GridDivX\": [\"block\", "
    "2],"
    "\"LocalSize\": {\"X\": \"block\"}, \"SharedMemory\": 16, \"Arguments\": ["
    "{\"Name\": \"block\", \"Type\": \"float4\", \"MemoryType\": \"Vector\", \"Size\": \"max(block)\"},"
    "{\"Name\": \"c\", \"Type\": \"half\", \"MemoryType\": \"Symbol\", \"Size\": 4},"
    "{\"Name\": \"n\", \"Type\": \"int32\", \"MemoryType\": \"Scalar\", \"FillValue\": 7},"
    "{\"Type\": \"float\", \"MemoryType\": \"Local\", \"Size\": \"block\"}]}}";

/* With all that a kernel's source and data beside it tell. */
static const char t1_beside[] =
    "{\"ConfigurationSpace\": {\"TuningParameters\": [{\"Name\": \"block\", \"Values\": \"32, 64\"}]},"
    "\"KernelSpecification\": {\"KernelName\": \"k\", \"KernelFile\": \"k.cu\", \"ProblemSize\": [1000],"
    "\"LocalSize\": {\"X\": \"block\"}, \"Arguments\": ["
    "{\"Name\": \"x\", \"Type\": \"float\", \"MemoryType\": \"Vector\", \"Size\": 16, \"FillType\": "
    "\"BinaryRaw\", \"DataSource\": \"x.bin\"},"
    "{\"Name\": \"y\", \"Type\": \"float\", \"MemoryType\": \"Vector\", \"Size\": 16},"
    "{\"Name\": \"z\", \"Type\": \"int32\", \"MemoryType\": \"Vector\", \"Size\": 16},"
    "{\"Name\": \"n\", \"Type\": \"int32\", \"MemoryType\": \"Scalar\", \"FillValue\": 16}],"
    "\"ReferenceArguments\": [{\"TargetName\": \"y\", \"FillType\": \"BinaryRaw\", \"DataSource\": \"y.npy\","
    "\"ValidationMethod\": \"AllClose\", \"ValidationThreshold\": 1e-4}, {\"TargetName\": \"z\", \"Computed\": "
    "true}],"
    "\"ReferenceKernel\": {\"KernelName\": \"naive\", \"Defines\": {\"block\": 16}, \"Grid\": [4, 2],"
    "\"Block\": [16]}}}";
static const char kernel[] =
    "#include \"a.cuh\"\n#include \"missing.h\"\n#define extent 1000\n#ifndef block\n#define block 8\n#endif\n"
    "__global__ void k(const float *x, float *y, int *z, int n) { y[0] = x[0] * block; }\n"
    "__global__ void naive(const float *x, float *y, int *z, int n) { }\n";

static void expect_same_import(const struct t1_import *got, const struct t1_import *wanted)
{
    assert_string_equal(got->template, wanted->template);
    assert_string_equal(got->space, wanted->space);
    assert_string_equal(got->reference, wanted->reference);
    assert_string_equal(got->source, wanted->source);
    assert_string_equal(got->notes, wanted->notes);
    assert_string_equal(got->name, wanted->name);
    assert_int_equal(got->data_count, wanted->data_count);
    assert_int_equal(got->headers.count, wanted->headers.count);
}

static void fail_each_import(const char *path, const char *text, bool reads)
{
    struct t1_import whole, import;
    struct error error = {0};
    const struct t1_import_setting setting = {.reads = reads};
    assert_success(t1_import(path, text, strlen(text), &setting, &whole, &error), &error);
    bool failed = true;
    size_t n = 1;
    for (; failed; n++) {
        failing_allocator_begin(n);
        bool done = t1_import(path, text, strlen(text), &setting, &import, &error);
        failed = failing_allocator_end();
        if (done)
            expect_same_import(&import, &whole);
        else if (error.code != ERROR_OUT_OF_MEMORY)
            fail_msg("allocation %zu: %s", n, error.text);
        t1_import_clear(&import);
    }
    assert_true(n > 200);
    t1_import_clear(&whole);
}

static void test_t1_import(void **state)
{
    (void)state;
    fail_each_import("T1.json", t1, false);
    scratch_write("k.cu", kernel);
    scratch_write("a.cuh", "#define A 1\n");
    scratch_write("x.bin", "0123456789012345678901234567890123456789012345678901234567890123");
    scratch_write("y.npy", "0123456789012345678901234567890123456789012345678901234567890123");
    fail_each_import(scratch_path("T1.json"), t1_beside, true);
}

static void test_draft(void **state)
{
    (void)state;
    static const char text[] =
        "#ifndef ITEMS\n#define ITEMS 4\n#endif\n#define WARP 32\n#define KEY uint\ntypedef KEY key;\n"
        "template <typename T, int TILE = 8> __global__ void blur(float4 *out, const T *in, const key *keys, Body *b,"
        " cudaTextureObject_t image, float3 wind, int height, int width) {\n"
        "  out[threadIdx.x + threadIdx.y * TILE_X * TILE_Y].x += in[0]; }\nint main() { cudaDeviceSynchronize(); }";
    struct draft whole, draft;
    struct error error = {0};
    const struct draft_subject subject = {.name = "mine",
                                          .path = "k.cu",
                                          .source_file = "k.cu",
                                          .text = text,
                                          .length = sizeof text - 1,
                                          .complete = true};
    assert_success(draft_write(&subject, &whole, &error), &error);
    bool failed = true;
    size_t n = 1;
    for (; failed; n++) {
        failing_allocator_begin(n);
        bool done = draft_write(&subject, &draft, &error);
        failed = failing_allocator_end();
        if (done) {
            assert_string_equal(draft.template, whole.template);
            assert_string_equal(draft.space, whole.space);
            assert_string_equal(draft.reference, whole.reference);
            assert_string_equal(draft.notes, whole.notes);
        } else if (error.code != ERROR_OUT_OF_MEMORY) {
            fail_msg("allocation %zu: %s", n, error.text);
        }
        draft_clear(&draft);
    }
    assert_true(n > 50);
    draft_clear(&whole);
}

static void fail_each_export(const char *template, const char *space)
{
    struct fixture f;
    json_t *whole, *document;
    char *whole_notes, *notes;
    struct error error = {0};
    fixture_create(&f, template, space);
    assert_success(t1_export(f.problem, &whole, &whole_notes, &error), &error);
    failing_allocator_take_jansson();
    bool failed = true;
    for (size_t n = 1; failed; n++) {
        failing_allocator_begin(n);
        bool done = t1_export(f.problem, &document, &notes, &error);
        failed = failing_allocator_end();
        if (done) {
            if (!json_equal(document, whole))
                fail_msg("allocation %zu: %s", n, json_dumps(document, 0));
            assert_string_equal(notes, whole_notes);
        } else {
            assert_int_equal(error.code, ERROR_OUT_OF_MEMORY);
            assert_null(document);
            assert_null(notes);
        }
        json_decref(document);
        free(notes);
    }
    json_set_alloc_funcs(__real_malloc, free);
    json_decref(whole);
    free(whole_notes);
    fixture_free(&f);
}

static void test_t1_export(void **state)
{
    (void)state;
    fail_each_export(
        "template t\nsize n = 100\nparameter A\nparameter B\nsource \"t.cu\"\noption \"-O3\"\n"
        "buffer x : float[n * A] in uniform(-1, 1)\nbuffer y : int[4] in index()\n"
        "launch { copy c <- y\n k<<<ceil_div(n, A), (A, B), 8 * A>>>(x, n, float(A / 2))\n k<<<1, 1>>>(x) }\n",
        "space s of t\nparam A = pow2(1, 4)\nparam B = [1, 2]\nlet area = A * B\nwhere area <= 8\n"
        "where A <= n\ndefault A = 2\n");
    fail_each_export(everything, everything_space);
}

static const char t4[] = "{\"metadata\":{\"device\":\"GPU\"},\"results\":["
                         "{\"configuration\":{\"x\":1,\"v\":\"a\"},\"invalidity\":\"correct\",\"timestamp\":\"now\","
                         "\"measurements\":[{\"name\":\"time\",\"value\":2},{\"name\":\"GB/s\",\"value\":7}],"
                         "\"objectives\":[\"GB/s\"],\"times\":{\"runtimes\":[1,3]}},"
                         "{\"configuration\":{\"x\":2},\"invalidity\":\"runtime\"}]}";
static const char cache[] = "{\"kernel_name\":\"k\",\"tune_params_keys\":[\"x\"],\"cache\":{\n"
                            "\"1\":{\"x\":1,\"time\":2.0,\"times\":[1,3]},\n\"2\":{\"x\":2,\"ti";

static const char ktt[] = "{\"Metadata\":{\"Device\":\"GPU\",\"TimeUnit\":\"Seconds\"},\"Results\":["
                          "{\"KernelName\":\"k\",\"Status\":\"Ok\",\"TotalDuration\":2,\"Configuration\":["
                          "{\"Name\":\"x\",\"Value\":1}]},{\"Status\":\"ValidationFailed\",\"Configuration\":["
                          "{\"Name\":\"v\",\"Value\":\"a\"}]}]}";

static void expect_same(const struct recording *got, const struct recording *wanted)
{
    assert_string_equal(got->name, wanted->name);
    assert_string_equal(got->kernel, wanted->kernel);
    assert_string_equal(got->device, wanted->device);
    assert_string_equal(got->definitions, wanted->definitions);
    assert_string_equal(got->objective, wanted->objective);
    assert_int_equal(got->count, wanted->count);
    assert_int_equal(got->parameter_count, wanted->parameter_count);
    assert_memory_equal(got->rows, wanted->rows, got->count * got->parameter_count * sizeof *got->rows);
    for (size_t i = 0; i < got->count; i++) {
        assert_int_equal(got->results[i].outcome, wanted->results[i].outcome);
        assert_true(got->results[i].time_ns == wanted->results[i].time_ns);
        assert_int_equal(got->results[i].sample_count, wanted->results[i].sample_count);
        assert_string_equal(got->results[i].timestamp, wanted->results[i].timestamp);
        assert_int_equal(got->results[i].metrics != NULL, wanted->results[i].metrics != NULL);
        if (got->results[i].metrics)
            assert_string_equal(got->results[i].metrics, wanted->results[i].metrics);
    }
}

static void test_recordings(void **state)
{
    (void)state;
    const char *const texts[] = {t4, cache, ktt};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct recording *whole, *recording;
        struct error error = {0};
        assert_success(recording_parse("a.json", texts[i], strlen(texts[i]), &whole, &error), &error);
        bool failed = true;
        for (size_t n = 1; failed; n++) {
            failing_allocator_begin(n);
            bool done = recording_parse("a.json", texts[i], strlen(texts[i]), &recording, &error);
            failed = failing_allocator_end();
            if (done)
                expect_same(recording, whole);
            else if (error.code != ERROR_OUT_OF_MEMORY)
                fail_msg("allocation %zu: %s", n, error.text);
            recording_free(recording);
        }
        recording_free(whole);
    }
}

static bool write_t4(FILE *out, struct error *error)
{
    const struct store_recorded_row row = {.configuration = "{\"x\":1}",
                                           .message = "",
                                           .samples_ns = "[1,2]",
                                           .metrics = "{\"rate\":2}",
                                           .objective = "rate",
                                           .measured_at = "2023-12-22T09:54:05Z"};
    const struct store_recorded_row any = {.device_name = "GPU",
                                           .definitions = "{\"rate\":{\"text\":\"1\",\"sense\":\"maximize\"}}",
                                           .default_configuration = "{\"x\":1}"};
    if (!t4_begin(out, &any, error) || !t4_row(out, &row, true, error) || !t4_row(out, &row, false, error))
        return false;
    t4_end(out);
    return true;
}

static void test_t4_writing(void **state)
{
    (void)state;
    struct text_stream stream;
    struct error error = {0};
    assert_true(text_stream_open(&stream, &error) && write_t4(stream.out, &error));
    char *whole = text_stream_close(&stream, &error);
    failing_allocator_take_jansson();
    bool failed = true;
    for (size_t n = 1; failed; n++) {
        assert_true(text_stream_open(&stream, &error));
        failing_allocator_begin(n);
        bool done = write_t4(stream.out, &error);
        char *text = text_stream_close(&stream, &error);
        failed = failing_allocator_end();
        if (done && text)
            assert_string_equal(text, whole);
        else
            assert_int_equal(error.code, ERROR_OUT_OF_MEMORY);
        free(text);
    }
    json_set_alloc_funcs(__real_malloc, free);
    free(whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_t1_import),  cmocka_unit_test(test_draft),      cmocka_unit_test(test_t1_export),
        cmocka_unit_test(test_recordings), cmocka_unit_test(test_t4_writing),
    };
    return cmocka_run_group_tests(tests, scratch_folder_create, scratch_folder_remove);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each allocation of reading and writing the formats fails in turn: an error, or the very same texts. Jansson's are
 * left alone where texts are parsed: its lexer (2.14) drops a character of a token when it cannot grow its buffer.
 */
#include "tests/unit/failing_allocator.h"
#include "tests/unit/fixture.h"

#include "tuner/error/text_stream.h"
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

static void test_t1_import(void **state)
{
    (void)state;
    struct t1_import whole, import;
    struct error error = {0};
    assert_success(t1_import("T1.json", t1, strlen(t1), &(struct t1_import_setting){0}, &whole, &error), &error);
    bool failed = true;
    size_t n = 1;
    for (; failed; n++) {
        failing_allocator_begin(n);
        bool done = t1_import("T1.json", t1, strlen(t1), &(struct t1_import_setting){0}, &import, &error);
        failed = failing_allocator_end();
        if (done) {
            assert_string_equal(import.template, whole.template);
            assert_string_equal(import.space, whole.space);
            assert_string_equal(import.reference, whole.reference);
            assert_string_equal(import.source, whole.source);
            assert_string_equal(import.notes, whole.notes);
            assert_string_equal(import.name, whole.name);
        } else if (error.code != ERROR_OUT_OF_MEMORY) {
            fail_msg("allocation %zu: %s", n, error.text);
        }
        t1_import_clear(&import);
    }
    assert_true(n > 200);
    t1_import_clear(&whole);
}

static void test_t1_export(void **state)
{
    (void)state;
    struct fixture f;
    json_t *whole, *document;
    char *whole_notes, *notes;
    struct error error = {0};
    fixture_create(
        &f,
        "template t\nsize n = 100\nparameter A\nparameter B\nsource \"t.cu\"\noption \"-O3\"\n"
        "buffer x : float[n * A] in uniform(-1, 1)\nbuffer y : int[4] in index()\n"
        "launch { copy c <- y\n k<<<ceil_div(n, A), (A, B), 8 * A>>>(x, n, float(A / 2))\n k<<<1, 1>>>(x) }\n",
        "space s of t\nparam A = pow2(1, 4)\nparam B = [1, 2]\nlet area = A * B\nwhere area <= 8\n"
        "where A <= n\ndefault A = 2\n");
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

static const char t4[] = "{\"metadata\":{\"device\":\"GPU\"},\"results\":["
                         "{\"configuration\":{\"x\":1,\"v\":\"a\"},\"invalidity\":\"correct\",\"timestamp\":\"now\","
                         "\"measurements\":[{\"name\":\"time\",\"value\":2}],\"times\":{\"runtimes\":[1,3]}},"
                         "{\"configuration\":{\"x\":2},\"invalidity\":\"runtime\"}]}";
static const char cache[] = "{\"kernel_name\":\"k\",\"tune_params_keys\":[\"x\"],\"cache\":{\n"
                            "\"1\":{\"x\":1,\"time\":2.0,\"times\":[1,3]},\n\"2\":{\"x\":2,\"ti";

static void expect_same(const struct recording *got, const struct recording *wanted)
{
    assert_string_equal(got->name, wanted->name);
    assert_string_equal(got->kernel, wanted->kernel);
    assert_string_equal(got->device, wanted->device);
    assert_int_equal(got->count, wanted->count);
    assert_int_equal(got->parameter_count, wanted->parameter_count);
    assert_memory_equal(got->rows, wanted->rows, got->count * got->parameter_count * sizeof *got->rows);
    for (size_t i = 0; i < got->count; i++) {
        assert_int_equal(got->results[i].outcome, wanted->results[i].outcome);
        assert_true(got->results[i].time_ns == wanted->results[i].time_ns);
        assert_int_equal(got->results[i].sample_count, wanted->results[i].sample_count);
        assert_string_equal(got->results[i].timestamp, wanted->results[i].timestamp);
    }
}

static void test_recordings(void **state)
{
    (void)state;
    const char *const texts[] = {t4, cache};
    for (size_t i = 0; i < 2; i++) {
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
    const struct store_recorded_row row = {
        .configuration = "{\"x\":1}", .message = "", .samples_ns = "[1,2]", .measured_at = "2023-12-22T09:54:05Z"};
    if (!t4_begin(out, "GPU", error) || !t4_row(out, &row, true, error) || !t4_row(out, &row, false, error))
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
        cmocka_unit_test(test_t1_import),
        cmocka_unit_test(test_t1_export),
        cmocka_unit_test(test_recordings),
        cmocka_unit_test(test_t4_writing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

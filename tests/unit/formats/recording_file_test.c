/* SPDX-License-Identifier: Apache-2.0 */
/* Formats told apart by content, files compressed and plain, and what is none of them. */
#include "tests/unit/formats/recording_fixture.h"

#include <zlib.h>

static const char t4[] = "{\"metadata\":{\"timeunit\":\"seconds\"},\"results\":[" /**/
    ENTRY("\"x\":16,\"fast\":true,\"v\":\"a\",\"s\":0.5", "correct", "0.002",
          "\"compilation\":1,\"validation\":0.25,\"runtimes\":[0.001,0.003]") "," /**/
    ENTRY("\"x\":8,\"fast\":false,\"v\":\"b\",\"s\":1.0", "compile", "\"CompilationFailedConfig\"",
          "\"compilation\":2") "," /**/
    ENTRY("\"x\":8,\"fast\":true,\"v\":\"a\",\"s\":1", "correctness", "0.001",
          "\"compilation\":3,\"benchmark\":0.5,\"runtimes\":[0.25]") "," /**/
    ENTRY("\"x\":32,\"v\":\"a\",\"s\":1", "correct", "1e20", "\"compilation\":3") "]}";

static void test_files(void **state)
{
    struct fixture *f = *state;
    struct recordings recordings = {0};
    char path[256];
    snprintf(path, sizeof path, "%s/odd_T4.json.gz", f->folder);
    gzFile file = gzopen(path, "wb");
    assert_true(gzwrite(file, t4, (unsigned)strlen(t4)) > 0);
    gzclose(file);
    assert_true(recordings_read(path, &recordings, &f->error));
    assert_int_equal(recordings.count, 1);
    assert_string_equal(recordings.items[0]->name, "odd");
    assert_int_equal(recordings.items[0]->count, 4);

    assert_false(recordings_read("/nonexistent/file", &recordings, &f->error));
    assert_non_null(strstr(f->error.text, "/nonexistent/file"));
    assert_false(recordings_read(f->folder, &recordings, &f->error));
    assert_int_equal(recordings.count, 1);
    recordings_clear(&recordings);
}

static void test_place_of_invalid_json(void **state)
{
    (void)state;
    struct recording *recording;
    struct error error;
    static const char text[] = "{\n  \"results\": nothing\n}\n";
    assert_false(recording_parse("odd.json", text, strlen(text), &recording, &error));
    assert_string_equal(error.file, "odd.json");
    assert_int_equal(error.line, 2);
    assert_string_equal(error.excerpt, "  \"results\": nothing");
}

static void test_names(void **state)
{
    (void)state;
    static const struct {
        const char *path, *name;
    } cases[] = {{"/data/convolution_A100_T4.json.gz", "convolution_A100"},
                 {"gemm-T4.json", "gemm"},
                 {"add_kerneltuner_cache.json", "add"},
                 {"plain", "plain"},
                 {".json", ".json"},
                 {"a.b/c.json.json", "c.json"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct recording *recording = parse(cases[i].path, t4);
        assert_string_equal(recording->name, cases[i].name);
        recording_free(recording);
    }
}

static void test_errors(void **state)
{
    (void)state;
    refuse("", "invalid JSON");
    refuse("[1]", "is not a recording");
    refuse("{\"results\":[]}", "no results");
    refuse("{\"ConfigurationSpace\":{}}", "is a T1 file");
    refuse("{\"cache\": {\"a\": ", "invalid JSON"); /* cut off, and nothing before it */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(test_files),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_place_of_invalid_json),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
